"""The language that this run of the program speaks, for its own texts and for click's."""

from __future__ import annotations

import gettext
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from teufelswerk.base.diagnostics import Diagnostic, render
from teufelswerk.base.hidden_characters import harmless
from teufelswerk.base.texts import Text
from teufelswerk.language.i18n import DEFAULT, Translator
from teufelswerk.syntax.source import read


class _Speaker:
    translator: Translator | None = None
    told: ClassVar[set[str]] = set()
    """What has been said about catalogs."""


def language_option(arguments: list[str]) -> str | None:
    """What stands behind `--lang`, wherever it stands."""
    for position, argument in enumerate(arguments):
        if argument == "--lang" and position + 1 < len(arguments):
            return arguments[position + 1]
        if argument.startswith("--lang="):
            return argument.removeprefix("--lang=")
    return None


def say_in(translator: Translator) -> None:
    """Sets the language. click takes its texts from the standard library's gettext, so that speaks it as well."""
    _Speaker.translator = translator
    gettext.gettext = _translated
    gettext.ngettext = _translated_plural
    _Speaker.told.clear()
    _tell_of_catalogs()


def _translated(message: str) -> str:
    return translator().translate(message)


def _translated_plural(msgid1: str, msgid2: str, n: int) -> str:
    return translator().translate(msgid1 if n == 1 else msgid2)


def translator() -> Translator:
    if _Speaker.translator is None:
        _Speaker.translator = Translator(DEFAULT)
    return _Speaker.translator


def beside(rule_file: Path) -> None:
    """Lets a rule file bring catalogs of its own, in `locales/` beside it, or the words of the game it is made from."""
    source, _ = read(rule_file)
    rules = "\n".join(source.lines)
    _Speaker.translator = Translator(translator().language, [rule_file.resolve().parent], rules)
    _tell_of_catalogs()


def _tell_of_catalogs() -> None:
    """Says once which catalogs cannot be used; their texts stay as they are written in the rules."""
    for problem in translator().problems:
        words = say(problem)
        if words not in _Speaker.told:
            _Speaker.told.add(words)
            sys.stderr.write(f"{harmless(words)}\n")


def _(msgid: str, /, **values: Any) -> str:
    """The text in the language of this run."""
    return translator()(Text(msgid, **values))


def say(text: Text, names: Sequence[str] = ()) -> str:
    return translator()(text, names)


def command() -> str:
    """What people type to run this program: the installed command, or the one of a checkout."""
    return os.environ.get("TEUFELSWERK_COMMAND", "teufelswerk")


def complain(diagnostics: Sequence[Diagnostic]) -> None:
    """Shows what is wrong, on the error stream."""
    for diagnostic in diagnostics:
        sys.stderr.write(render(diagnostic, translator()) + "\n\n")
