"""A path and the text that is being written there → the file as it was read and checked, with its lines by number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from teufelswerk.base.diagnostics import Diagnostic, Source, Span
from teufelswerk.loading.library import Loaded, load_edited
from teufelswerk.syntax import nodes
from teufelswerk.syntax.parse import ParsedSection, parse
from teufelswerk.syntax.source import Line, Section, split


@dataclass(frozen=True)
class Edit:
    """A stretch of a file, and what is written there instead."""

    span: Span
    text: str


@dataclass
class Opened:
    """A file at one moment of its writing. Whatever is asked about it is worked out once."""

    path: Path
    loaded: Loaded
    texts: Mapping[Path, str] = field(repr=False)
    """What is being written in this and other files, by their resolved paths."""
    known: dict[str, object] = field(default_factory=dict, repr=False)
    """What others have found out about it."""

    @cached_property
    def source(self) -> Source:
        """The file itself, without what it builds upon."""
        assert self.loaded.assembled
        return self.loaded.assembled.sources[0]

    @cached_property
    def layout(self) -> list[Section]:
        return split(self.source)[0]

    @cached_property
    def parsed(self) -> list[ParsedSection]:
        return parse(self.source)[0]

    @cached_property
    def lines(self) -> dict[int, Line]:
        """The clause lines by their numbers."""
        return {line.span.line: line for section in self.layout for part in section.parts for line in deep(part.lines)}

    @cached_property
    def clauses(self) -> dict[int, nodes.Clause]:
        """What the file itself declares, by the numbers of the lines."""
        return {clause.span.line: clause for s in self.parsed for part in s.parts for clause in part.clauses}

    @property
    def found(self) -> list[Diagnostic]:
        return self.loaded.diagnostics

    def with_text(self, text: str) -> Opened:
        """The same file, if this were written there."""
        return opened(self.path, text, self.texts)


def opened(path: Path, text: str, texts: Mapping[Path, str] | None = None) -> Opened:
    """The file that is being written at a path, beside others that are being written."""
    text = text.replace("\r\n", "\n")
    written = {**(texts or {}), path.resolve(): text}
    return Opened(path, load_edited(path, written), written)


def deep(lines: list[Line]) -> Iterator[Line]:
    """Lines with all that is indented below them."""
    for line in lines:
        yield line
        yield from deep(line.children)


def last_line(line: Line) -> int:
    """The number of the last line that belongs to one."""
    return last_line(line.children[-1]) if line.children else line.span.line


def edited(text: str, edits: list[Edit]) -> str:
    """The text with some stretches replaced, which do not overlap; `\\n` in what is written makes new lines."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda e: (e.span.line, e.span.column), reverse=True):
        line = lines[edit.span.line - 1]
        lines[edit.span.line - 1] = line[: edit.span.column - 1] + edit.text + line[edit.span.end - 1 :]
    return "\n".join(lines)
