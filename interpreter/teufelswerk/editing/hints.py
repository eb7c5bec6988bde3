"""A file → what an editor may add between its words: whose a bare name is, what a value is for how many players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from teufelswerk.base.texts import Text
from teufelswerk.editing.hover import each_number, values_of
from teufelswerk.editing.opened import Opened
from teufelswerk.editing.owners import owners
from teufelswerk.syntax import nodes


@dataclass(frozen=True)
class Hint:
    """Words to be shown before a column of a line."""

    line: int
    column: int
    words: str
    told: tuple[Text, ...] = ()
    """The same in sentences."""


def hints(file: Opened) -> Iterator[Hint]:
    """All hints of a file, in its order."""
    found = [*_owners(file), *_values(file)]
    yield from sorted(found, key=lambda hint: (hint.line, hint.column))


def _owners(file: Opened) -> Iterator[Hint]:
    for (line, column), owner in owners(file).items():
        text = file.source.lines[line - 1]
        end = column
        while end <= len(text) and (text[end - 1].isalnum() or text[end - 1] == "-"):
            end += 1
        yield Hint(line, end, f" of {owner}")


def _values(file: Opened) -> Iterator[Hint]:
    """Of values that are worked out, what comes out."""
    for name, now in values_of(file).items():
        definition = file.loaded.model.definitions[name] if file.loaded.model else None
        clause = file.clauses.get(definition.span.line) if definition else None
        if not isinstance(clause, nodes.Definition) or clause.name.text != name:
            continue
        if definition is None or definition.span.source is not file.source or isinstance(clause.value, nodes.Number):
            continue
        end = len(file.source.lines[clause.span.line - 1].rstrip()) + 1
        if len(set(now.values())) == 1:
            yield Hint(clause.span.line, end, f" = {next(iter(now.values()))}")
        else:
            shown = ", ".join(f"{value} ({players})" for players, value in now.items())
            yield Hint(clause.span.line, end, f" = {shown}", tuple(each_number(now)))
