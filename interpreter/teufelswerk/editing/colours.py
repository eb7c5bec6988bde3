"""A file → the kind of each of its words, for colours: what a name stands for, and not how it is spelled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from teufelswerk.base.diagnostics import Span
from teufelswerk.editing.names import Kind, Names

COLOURS = (
    "keyword", "number", "string", "property", "class", "type", "variable", "function", "method", "enumMember",
    "parameter", "event", "namespace",
)  # fmt: skip
"""The kinds of words that editors have colours for."""
OF_NAMES: dict[Kind, str] = {
    "attribute": "property", "cards": "class", "place": "type", "keep": "variable", "value": "variable",
    "step": "function", "move": "method", "member": "enumMember", "card": "enumMember", "local": "parameter",
    "person": "event", "word": "variable", "base": "namespace",
}  # fmt: skip


@dataclass(frozen=True)
class Coloured:
    """A stretch of a line and its colour; `declares` where it gets its name, `constant` if it never changes, `general`
    if every game knows it."""

    span: Span
    colour: str
    declares: bool = False
    constant: bool = False
    general: bool = False


def colours(names: Names) -> Iterator[Coloured]:
    """The coloured stretches of a file in its order; none lies upon another."""
    words: dict[int, list[Coloured]] = {}
    known = {(o.span.line, o.span.column): o for o in names.occurrences if not o.part}
    for piece in names.pieces:
        o = known.get((piece.span.line, piece.span.column))
        if o is not None:
            kind = o.meaning.kind
            found = Coloured(piece.span, OF_NAMES[kind], o.declares, kind == "value", kind == "word")
        elif piece.sort in ("keyword", "number"):
            found = Coloured(piece.span, piece.sort)
        else:
            continue
        words.setdefault(piece.span.line, []).append(found)
    for number, line in names.file.lines.items():
        if line.text.startswith('"'):
            words[number] = list(_between(line.span, words.get(number, [])))
    for number in sorted(words):
        yield from words[number]


def _between(sentence: Span, figures: list[Coloured]) -> Iterator[Coloured]:
    """A sentence, with the figures in it."""
    start = sentence.column
    for figure in figures:
        yield Coloured(Span(sentence.source, sentence.line, start, figure.span.column), "string")
        yield figure
        start = figure.span.end
    yield Coloured(Span(sentence.source, sentence.line, start, sentence.end), "string")
