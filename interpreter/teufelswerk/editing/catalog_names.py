"""A catalog's text and a new name → edits where it names what is renamed: in contexts, terms, the braces of texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from teufelswerk.base.diagnostics import Source, Span
from teufelswerk.base.texts import PLACEHOLDER
from teufelswerk.editing.names import Meaning
from teufelswerk.editing.opened import Edit
from teufelswerk.rulebook.words import infinitive, spaced

FIELD = re.compile(r'(msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?) +"(.*)"\s*$')
MORE = re.compile(r'\s*"(.*)"\s*$')


@dataclass(frozen=True)
class Renamed:
    """What is renamed, in each of its spellings, and in which rule files."""

    old: Meaning
    new: str
    words: dict[str, str]
    files: frozenset[str]


@dataclass
class _Field:
    """A text of an entry, in one or several lines of the catalog."""

    name: str
    pieces: list[tuple[Span, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(text for _, text in self.pieces)

    def part(self, start: int, end: int) -> Span | None:
        """Where a stretch of the text stands, if it is in one line."""
        for span, text in self.pieces:
            if start < len(text) or (start == end == len(text)):
                if end > len(text):
                    return None
                return Span(span.source, span.line, span.column + start, span.column + end)
            start, end = start - len(text), end - len(text)
        return None


def catalog_edits(source: Source, renamed: Renamed) -> Iterator[Edit]:
    """All edits of a catalog; its comments are made anew when it is brought up to date."""
    for entry in _entries(source):
        context = next((f.text for f in entry if f.name == "msgctxt"), "")
        game, _, kind = context.partition(": ")
        if game in renamed.files:
            yield from _entry_edits(entry, kind, renamed)


def _entries(source: Source) -> Iterator[list[_Field]]:
    entry: list[_Field] = []
    for number, line in enumerate(source.lines, 1):
        start = FIELD.match(line)
        more = MORE.match(line)
        if start:
            if start[1] in ("msgctxt", "msgid") and any(f.name.startswith("msgstr") for f in entry):
                yield entry
                entry = []
            entry.append(_Field(start[1]))
            entry[-1].pieces.append((Span(source, number, start.start(2) + 1, start.end(2) + 1), start[2]))
        elif more and entry:
            entry[-1].pieces.append((Span(source, number, more.start(1) + 1, more.end(1) + 1), more[1]))
        elif not line.strip() and entry:
            yield entry
            entry = []
    if entry:
        yield entry


def _entry_edits(entry: list[_Field], kind: str, renamed: Renamed) -> Iterator[Edit]:
    terms = _terms(kind, renamed)
    msgid = next((f.text for f in entry if f.name == "msgid"), "")
    for part in entry:
        if part.name == "msgctxt":
            if kind == renamed.old.name and (span := part.part(len(part.text) - len(kind), len(part.text))):
                yield Edit(span, renamed.new)
        elif msgid in terms:
            if part.text == msgid and (span := part.part(0, len(msgid))):
                yield Edit(span, terms[msgid])
        else:
            yield from _in_braces(part, renamed)


def _terms(kind: str, renamed: Renamed) -> dict[str, str]:
    """How the rulebook calls what is renamed, in such an entry, and how it will."""
    old, new = renamed.old, renamed.new
    if kind == "move" and old.kind == "move":
        return {spaced(infinitive(old.name)): spaced(infinitive(new))}
    if kind == "place":
        return {old.name: new} if old.kind == "place" else {}
    if kind in ("card", "attribute", "keep", "figure"):
        return {spaced(word): spaced(other) for word, other in renamed.words.items()}
    return {old.name: new} if old.kind == "member" and re.fullmatch(r"[a-z][\w-]*", kind) else {}


def _in_braces(part: _Field, renamed: Renamed) -> Iterator[Edit]:
    text = part.text
    for match in PLACEHOLDER.finditer(text):
        start = match.start(1)
        for word in match[1].split(" of "):
            if word in renamed.words and (span := part.part(start, start + len(word))):
                yield Edit(span, renamed.words[word])
            start += len(word) + len(" of ")
