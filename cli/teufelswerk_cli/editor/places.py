"""Stretches of a file ↔ the ranges of the protocol, which counts lines from 0 and columns in units of the client."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import PositionCodec
from teufelswerk.base.diagnostics import Source, Span


class Places:
    """Ranges in the units in which a client counts."""

    def __init__(self, codec: PositionCodec) -> None:
        self.codec = codec

    def range(self, span: Span) -> types.Range:
        return types.Range(self.position(span, span.column), self.position(span, span.end))

    def position(self, span: Span, column: int) -> types.Position:
        line = _line(span.source, span.line)
        return types.Position(span.line - 1, self.codec.client_num_units(line[: max(0, column - 1)]))

    def lines(self, source: Source, first: int, last: int) -> types.Range:
        """Whole lines, from one number to another."""
        end = self.codec.client_num_units(_line(source, last))
        return types.Range(types.Position(first - 1, 0), types.Position(max(first, last) - 1, end))

    def all(self, source: Source) -> types.Range:
        return self.lines(source, 1, len(source.lines))

    def column(self, source: Source, at: types.Position) -> tuple[int, int]:
        """The number of a line and a column in it, both from 1 on."""
        return self._column(_line(source, at.line + 1), at)

    def column_in(self, text: str, at: types.Position) -> tuple[int, int]:
        """The same in a text that nobody has looked at yet."""
        lines = text.split("\n")
        return self._column(lines[at.line].rstrip("\r") if at.line < len(lines) else "", at)

    def _column(self, line: str, at: types.Position) -> tuple[int, int]:
        units = 0
        for index, character in enumerate(line):
            if units >= at.character:
                return at.line + 1, index + 1
            units += self.codec.client_num_units(character)
        return at.line + 1, len(line) + 1


def _line(source: Source, number: int) -> str:
    return source.lines[number - 1] if 0 < number <= len(source.lines) else ""


def path_of(uri: str) -> Path:
    """Where a document lies, or would lie if it were saved here."""
    found = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(found) if found else Path(uri.rpartition("/")[2].rpartition(":")[2] or "untitled")


def uri_of(path: str | Path) -> str:
    return from_fs_path(str(Path(path).absolute())) or ""
