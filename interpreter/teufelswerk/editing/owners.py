"""A checked file → what its bare names belong to: `number` in a line may be `number of card`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from teufelswerk import model
from teufelswerk.editing.opened import Opened
from teufelswerk.model.walk import expressions


def owners(file: Opened) -> dict[tuple[int, int], str]:
    """For each bare name that belongs to something in sight, by line and column: the word for that."""
    known: Any = file.known.get("owners")
    if known is None:
        known = file.known["owners"] = dict(_owners(file))
    return dict(known)


def _owners(file: Opened) -> Iterator[tuple[tuple[int, int], str]]:
    rules = file.loaded.checked.model
    if rules is None:
        return
    for expr in expressions(list(_roots(file, rules))):
        owner = _owner(expr)
        if not isinstance(owner, model.Local) or expr.span.source is not file.source:
            continue
        words = file.source.lines[expr.span.line - 1][expr.span.column - 1 : expr.span.end - 1]
        if " " not in words and words != owner.name:
            yield (expr.span.line, expr.span.column), owner.name


def _roots(file: Opened, rules: model.Model) -> Iterator[Any]:
    """All that is said in clauses."""
    yield from (definition.value for definition in rules.definitions.values())
    yield from rules.moves.values()
    for step in rules.steps.values():
        yield step.body
    for scene in file.loaded.checked.scenes:
        for line in scene.lines:
            yield tuple(vars(line).values())


def _owner(expr: model.Expr) -> model.Expr | None:
    """What something belongs to."""
    if isinstance(expr, model.AttributeOf):
        return expr.card
    if isinstance(expr, (model.PlaceOf, model.KeepOf)):
        return expr.key
    if isinstance(expr, model.Defined):
        return expr.argument
    return expr.player if isinstance(expr, model.Neighbour) else None
