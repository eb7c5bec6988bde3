"""Lines that changed → words that do not stand with them and yet tell what they said before.

A paragraph elsewhere speaks of the fewest, and the line says `highest` now. A sentence is told if a definition holds,
and that says something else. An invitation tells what has to be done in a move, and it no longer has to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from teufelswerk.base.diagnostics import Source
from teufelswerk.compare.told_lines import Doubt, Told, told_in
from teufelswerk.compare.words_that_tell import CONTRARY, TELLS, stems_in, what_about, words_in
from teufelswerk.syntax.source import Line, split

DEFINES = re.compile(r"([a-z][a-z0-9-]*)(?: of [^=]*)? =(?! \d+$)")
"""A definition of more than a plain number, which words tell by its name."""

CONDITION = re.compile(r"^(?:else )?if | must ")
BECOMES = re.compile(r"[a-z][a-z0-9-]* becomes [a-z][a-z0-9-]*$")
NAME = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True)
class Change:
    """A line under a heading that is another one now, either of which may be nothing, and what was said of it there."""

    heading: str
    gone: str
    come: str
    nearby: frozenset[str]


def told_elsewhere(changes: Iterable[Change], before: Source, now: Source) -> Iterator[Doubt]:
    known = {told.key for told in told_in(before)}
    others = [told for told in told_in(now) if told.key in known]
    defined = _defined_by(before)
    for change in changes:
        away = [told for told in others if not change.come or change.come not in told.text]
        for told in (*_contrary(change, away), *_by_definition(change, away, defined), *_invitations(change, away)):
            yield Doubt(*told.key, change.gone, change.come)


def _contrary(change: Change, others: Sequence[Told]) -> Iterator[Told]:
    """What still says a word of the line whose contrary stands there now."""
    gone, come = words_in(change.gone), words_in(change.come)
    about = what_about(change.gone)
    for word in sorted(w for w in gone - come if CONTRARY.get(w) in come):
        telling = change.nearby & TELLS[word] or TELLS[word]
        for told in others:
            if words_in(told.words) & telling and stems_in(told.words) & about:
                yield told


def _by_definition(change: Change, others: Sequence[Told], defined: Mapping[str, set[str]]) -> Iterator[Told]:
    """The sentences told if a condition holds, or does not, that says something else now."""
    names = defined.get(change.gone, set())
    becoming = set(now[0].split(" becomes ")) if (now := BECOMES.match(change.gone)) else {""}
    for told in others:
        asked = set(NAME.findall(" ".join(line for line in told.text if CONDITION.search(line))))
        if told.words.startswith('"') and (names & asked or becoming <= asked):
            yield told


def _defined_by(source: Source) -> dict[str, set[str]]:
    """The lines of definitions, and what they define."""
    found: dict[str, set[str]] = {}

    def note(line: Line, name: str) -> None:
        found.setdefault(" ".join(line.text.split()), set()).add(name)
        for below in line.children:
            note(below, name)

    for section in split(source)[0]:
        for part in section.parts:
            for line in part.lines:
                if defines := DEFINES.match(line.text):
                    note(line, defines[1])
    return found


def _invitations(change: Change, others: Sequence[Told]) -> Iterator[Told]:
    """What is said at the beginning of a move about what must be done in it."""
    if " must " in change.gone:
        for told in others:
            begins = told.words.startswith('"') and told.text and told.text[-1].endswith(":")
            if begins and told.heading == change.heading and stems_in(told.words) & what_about(change.gone):
                yield told
