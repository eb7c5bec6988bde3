"""A rule file → short marks of the lines that its paragraphs and sentences tell, by which a catalog remembers them.

They do not change with the order of the lines, their layout, or a number that the words take from its line by name.
"""

from __future__ import annotations

import hashlib
from base64 import b32encode
from collections.abc import Mapping

from teufelswerk.base.diagnostics import Source
from teufelswerk.compare.stale_words import PLAIN_NUMBER, doubts_between, tells_the_figure
from teufelswerk.compare.told_lines import Doubt, told_in

Key = tuple[str, str]
"""A heading, and words below it as the catalogs have them."""
EACH, ALL = 4, 8
"""Letters of the mark of a line, and of the mark of more lines than are marked one by one."""
MOST_EACH = 12


def marks_in(source: Source) -> dict[Key, str]:
    """What every text tells that tells any lines. The same words may stand in two places: then all those lines."""
    lines: dict[Key, list[str]] = {}
    for told in told_in(source):
        key = catalog_key(told.key)
        lines.setdefault(key, []).extend(_without_figure(line, told.words) for line in told.text)
    return {key: marks_of(told) for key, told in lines.items() if told}


def catalog_key(key: Key) -> Key:
    heading, words = key
    return heading, words[1:-1] if words.startswith('"') else words


def marks_of(lines: list[str]) -> str:
    if len(lines) > MOST_EACH:
        return _mark("\n".join(sorted(lines)), ALL)
    return "".join(sorted(_mark(line, EACH) for line in lines))


def has_mark(marks: str, line: str, words: str) -> bool:
    """Whether a line is among those that were marked; of very many nobody knows, and it may be."""
    each = [marks[start : start + EACH] for start in range(0, len(marks), EACH)]
    return len(marks) == ALL or _mark(_without_figure(line, words), EACH) in each


def _mark(text: str, letters: int) -> str:
    return b32encode(hashlib.sha256(text.encode()).digest())[:letters].decode().lower()


def _without_figure(line: str, words: str) -> str:
    """A number that the words take from the line by name is told rightly, whatever it is."""
    return line.rpartition(" ")[0] if PLAIN_NUMBER.match(line) and tells_the_figure(words, line, line) else line


def doubts_by_marks(now: Source, noted: Mapping[Key, str], before: Source | None) -> list[Doubt]:
    """The words whose lines are others than those that were noted. What these were, `before` may still know."""
    today, earlier = marks_in(now), marks_in(before) if before else {}
    changed = {key for key, marks in today.items() if key in noted and noted[key] != marks}
    since = doubts_between(before, now) if before and changed else []
    found: list[Doubt] = []
    for told in told_in(now):
        if (key := catalog_key(told.key)) not in changed:
            continue
        if earlier.get(key) == noted[key]:  # what has only got another name is in no doubt
            found += [doubt for doubt in since if doubt.key == told.key]
            continue
        new = [line for line in told.text if not has_mark(noted[key], line, told.words)]
        found += [Doubt(*told.key, "", line) for line in new[:1] or [""]]
    return list(dict.fromkeys(found))
