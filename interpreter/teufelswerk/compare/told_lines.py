"""A rule file → its paragraphs and sentences, each with the lines that it tells; and what is in doubt about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from teufelswerk.base.diagnostics import Source, Span
from teufelswerk.syntax.source import Line, Part, split


@dataclass(frozen=True)
class Told:
    """Words for people, where they stand, and the lines that they tell."""

    heading: str
    words: str
    pieces: tuple[tuple[str, Span], ...]
    lines: tuple[tuple[str, Span], ...]

    @property
    def key(self) -> tuple[str, str]:
        return self.heading, self.words

    @cached_property
    def text(self) -> tuple[str, ...]:
        """The lines without their places."""
        return tuple(text for text, _ in self.lines)


@dataclass(frozen=True)
class Doubt:
    """Words under a heading that told `old`, which is `new` now: either may be nothing."""

    heading: str
    words: str
    old: str
    new: str

    @property
    def key(self) -> tuple[str, str]:
        return self.heading, self.words


def told_in(source: Source) -> list[Told]:
    """All paragraphs and sentences of a file, each with its lines."""
    found: list[Told] = []
    for section in split(source)[0]:
        whole = [line for part in section.parts for line in _clauses(part.lines)]
        for part in section.parts:
            found += _paragraph(section.heading, part, whole)
            found += _sentences(section.heading, part.lines, ())
    return found


def _paragraph(heading: str, part: Part, whole: list[tuple[str, Span]]) -> Iterator[Told]:
    """One with no lines below it tells of all that stand below its heading."""
    if part.paragraph is not None:
        pieces = part.paragraph.pieces or ((part.paragraph.text, part.paragraph.span),)
        yield Told(heading, part.paragraph.text, pieces, tuple(_clauses(part.lines) or whole))


def _clauses(lines: Iterable[Line]) -> list[tuple[str, Span]]:
    """The lines and those below them, without their sentences."""
    found: list[tuple[str, Span]] = []
    for line in lines:
        if not _is_sentence(line):
            found += [(" ".join(line.text.split()), line.span), *_clauses(line.children)]
    return found


def _sentences(heading: str, lines: Sequence[Line], above: tuple[Line, ...]) -> Iterator[Told]:
    """A sentence tells the line above it, and the conditions under which that line counts: those of an `if` around it,
    and those that do not hold where it stands below an `else`."""
    earlier: tuple[Line, ...] = ()
    for line in lines:
        if _is_sentence(line):
            around = [outer for outer in above[:-1] if outer.text.startswith(("if ", "else"))]
            told = tuple((" ".join(outer.text.split()), outer.span) for outer in (*around, *above[-1:]))
            yield Told(heading, line.text, ((line.text, line.span),), told)
            continue
        earlier = (*earlier, line) if line.text.startswith("else") else (line,)
        yield from _sentences(heading, line.children, (*above, *earlier))


def _is_sentence(line: Line) -> bool:
    return line.text.startswith('"')
