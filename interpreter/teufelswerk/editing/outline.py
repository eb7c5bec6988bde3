"""A file's text → its outline: sections in one another, and what each declares; and what can be folded away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from teufelswerk.base.diagnostics import Span
from teufelswerk.editing.opened import Opened, deep, last_line
from teufelswerk.syntax import nodes
from teufelswerk.syntax.source import Section

Kind = Literal["section", "example", "cards", "place", "keep", "value", "step", "move", "scene"]


@dataclass
class Entry:
    """A line of the outline: what it is called, what kind of thing it is, and how far it goes."""

    name: str
    kind: Kind
    span: Span
    """The line that says so."""
    last: int
    """The number of the last line that belongs to it."""
    children: list[Entry] = field(default_factory=list)


@dataclass(frozen=True)
class Fold:
    """Lines that can be folded into the first of them."""

    first: int
    last: int


def outline(file: Opened) -> list[Entry]:
    """The sections of a file, each with those below it and with what it declares."""
    found: list[Entry] = []
    open_ones: list[tuple[int, Entry]] = []
    for section, end in _sections(file):
        kind: Kind = "example" if _is_example(file, section, end) else "section"
        entry = Entry(section.heading or "…", kind, section.span, end)
        entry.children += _declared(file, section)
        while open_ones and open_ones[-1][0] >= section.level:
            open_ones.pop()
        (open_ones[-1][1].children if open_ones else found).append(entry)
        for _, outer in open_ones:
            outer.last = max(outer.last, end)
        open_ones.append((section.level, entry))
    return found


def folds(file: Opened) -> list[Fold]:
    """Sections, and lines with others indented below them."""
    found = [Fold(section.span.line, end) for section, end in _sections(file)]
    found += [Fold(number, last_line(line)) for number, line in file.lines.items() if line.children]
    return sorted((fold for fold in found if fold.last > fold.first), key=lambda fold: (fold.first, -fold.last))


def _sections(file: Opened) -> Iterator[tuple[Section, int]]:
    """Each section with the number of its last line that is not blank."""
    lines = file.source.lines
    starts = [section.span.line for section in file.layout]
    for section, following in zip(file.layout, [*starts[1:], len(lines) + 1], strict=True):
        end = following - 1
        while end > section.span.line and not lines[end - 1].strip():
            end -= 1
        yield section, end


def _is_example(file: Opened, section: Section, end: int) -> bool:
    return any(isinstance(file.clauses.get(n), nodes.Scene) for n in range(section.span.line, end + 1))


def _declared(file: Opened, section: Section) -> Iterator[Entry]:
    for part in section.parts:
        for line in part.lines:
            clause = file.clauses.get(line.span.line)
            found = _entry(clause) if clause is not None else None
            if found is not None:
                last = max(each.span.line for each in deep([line]))
                yield Entry(*found, line.span, last)


NAMED: dict[type[nodes.Clause], Kind] = {nodes.Place: "place", nodes.Keep: "keep", nodes.Definition: "value"}


def _entry(clause: nodes.Clause) -> tuple[str, Kind] | None:
    """What a clause declares, and which kind of thing that is. Most lines of an example declare nothing."""
    if isinstance(clause, nodes.Cards):
        return (clause.kind.text if clause.kind else "cards"), "cards"
    if isinstance(clause, nodes.Step):
        return clause.name.text, "step"
    if isinstance(clause, nodes.Move):
        return f"{clause.who.text} {clause.name.text}", "move"
    if isinstance(clause, nodes.Scene):
        return clause.span.source.lines[clause.span.line - 1].strip(), "scene"
    if isinstance(clause, (nodes.Place, nodes.Keep, nodes.Definition)):
        return clause.name.text, NAMED[type(clause)]
    return None
