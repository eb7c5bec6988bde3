"""A file's lines → their pieces, each with its place: names, people, numbers, keywords, and figures in texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import PLACEHOLDER
from teufelswerk.editing.opened import Opened
from teufelswerk.syntax.grammar import tree_of
from teufelswerk.syntax.keywords import KEYWORDS
from teufelswerk.syntax.source import Line

Sort = Literal["name", "person", "number", "keyword", "figure"]
WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[a-z0-9]+)*|[0-9]+")
SORTS: dict[str, Sort] = {"NAME": "name", "PERSON": "person", "INT": "number", "SIGNED": "number"}
BELOW = {
    "cards": "card_line", "table": "table_row", "lookup": "table_row",
    "definition": "alternative", "becomes": "alternative", "local": "alternative",
}  # fmt: skip
"""How the lines below a line are read; others are read as those beside it, and as what happens in steps and moves."""


@dataclass(frozen=True)
class Piece:
    """A word of a clause, or a name in the braces of a text."""

    text: str
    span: Span
    sort: Sort
    top: int
    """The number of the outermost line that it stands in or below; 0 in a paragraph."""
    section: int
    """The number of the line of its heading."""
    verb: bool = False
    """Whether a move is named here: it may be called like several of something."""


def pieces(file: Opened) -> Iterator[Piece]:
    """All pieces of a file, in its order."""
    for section in file.layout:
        heading = section.span.line
        for part in section.parts:
            for text, span in part.paragraph.pieces if part.paragraph else ():
                yield from _figures(text, span, 0, heading)
            for line in part.lines:
                yield from _clause(line, "declaration", line.span.line, heading)


def _clause(line: Line, start: str, top: int, section: int) -> Iterator[Piece]:
    if line.text.startswith('"'):
        yield from _figures(line.text, line.span, top, section)
        below = "statement"
    else:
        yield from line_pieces(line.text, line.span, start, top, section)
        kind = kind_of(line.text, start)
        below = BELOW.get(kind, "statement" if start == "declaration" else start)
    for child in line.children:
        yield from _clause(child, below, top, section)


def kind_of(text: str, start: str) -> str:
    """Which kind of line it is, as the grammar names it; nothing if it cannot be read."""
    try:
        return str(tree_of(text, start)[0].data)
    except UnexpectedInput:
        first = text.split(maxsplit=1)[0] if text else ""
        return first if first in BELOW else ""


def line_pieces(text: str, span: Span, start: str, top: int = 0, section: int = 0) -> Iterator[Piece]:
    """The words of a clause. What is a name and what is a keyword the grammar says; where it cannot, the list of
    keywords does."""
    names: dict[int, Sort] = {}
    verbs = set[int]()
    try:
        tree, _ = tree_of(text, start)
    except UnexpectedInput:
        for word in WORD.finditer(text):
            if word[0] not in KEYWORDS:
                names[word.start()] = "number" if word[0].isdigit() else "person" if word[0][0].isupper() else "name"
    else:
        verbs = set(_verbs(tree))
        for token in tree.scan_values(lambda leaf: isinstance(leaf, Token)):
            if token.type in SORTS:
                start_of = (token.start_pos or 0) + (token.type == "SIGNED")
                names[start_of] = SORTS[token.type]
    for word in WORD.finditer(text):
        column = span.column + word.start()
        place = Span(span.source, span.line, column, column + len(word[0]))
        yield Piece(word[0], place, names.get(word.start(), "keyword"), top, section, word.start() in verbs)


def _verbs(tree: Tree[Token]) -> Iterator[int]:
    """Where the names of moves stand."""
    for part in tree.iter_subtrees():
        if part.data in ("group", "act", "was_chosen", "move"):
            names = [token for token in part.children if isinstance(token, Token) and token.type == "NAME"]
            yield from (name.start_pos or 0 for name in (names[1:] if part.data == "move" else names))


def _figures(text: str, span: Span, top: int, section: int) -> Iterator[Piece]:
    """The names in braces."""
    for match in PLACEHOLDER.finditer(text):
        start = match.start(1)
        for word in match[1].split(" of "):
            column = span.column + start
            place = Span(span.source, span.line, column, column + len(word))
            yield Piece(word, place, "person" if word[0].isupper() else "figure", top, section)
            start += len(word) + len(" of ")
