"""Texts of files → what may be shown: characters that steer a terminal, turn letters or show nothing are named."""

from __future__ import annotations

import re

from teufelswerk.base.texts import Text

_SYMBOLS = "#*0-9\u00a9\u00ae\u2000-\u32ff\U0001f000-\U0001faff"
_JOINING = "\u0600-\u07ff\u0860-\u0dff"
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff"
_FORMATS = (
    "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
_BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0d\uffa0"
UNSEEN = re.compile(
    f"[{_CONTROLS}{_FORMATS}{_BLANKS}]"
    # A heart may be marked as a coloured one, and words of some scripts are spelled with joiners; nowhere else.
    f"|(?<![{_SYMBOLS}])[\ufe0e\ufe0f]"
    f"|(?<![{_JOINING}])[\u200c\u200d]|[\u200c\u200d](?![{_JOINING}])"
)
"""Any such character. Line feeds and tabs are none: what holds one line only looks after these itself."""


def code_of(character: str) -> str:
    """`202E`, as messages name it behind `U+`."""
    return f"{ord(character):04X}"


def harmless(text: str) -> str:
    """The text with `<U+202E>` in place of each such character: what is written to a terminal."""
    if text.isprintable() and text.isascii():
        return text
    return UNSEEN.sub(lambda found: f"<U+{code_of(found[0])}>", text)


def unfit_as_name(name: str) -> Text | None:
    """Why nobody and nothing can be called this, if that is so: a name is one line, all of which can be seen."""
    found = UNSEEN.search(name) or re.search(r"[\n\t]", name)
    if found:
        return Text("a name cannot have a character that cannot be seen (U+{hex})", hex=code_of(found[0]))
    return None if name.strip() else Text("a name has at least one letter")
