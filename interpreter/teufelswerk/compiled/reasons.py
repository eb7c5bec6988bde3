"""A statement → the branches that its value comes from: each is found exactly once, whichever engine finds it.

Conditions, and what is asked of every card of a set, are left out: how often they are tried is up to the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from teufelswerk import model
from teufelswerk.evaluate import Evaluator
from teufelswerk.machine import Machine

Reasons: TypeAlias = Callable[[Machine], Iterator[int]]


def values_of(s: model.Statement) -> tuple[model.Expr, ...]:
    """The values of a statement whose branches are counted."""
    match s:
        case model.Becomes() | model.SetLocal():
            return (s.value,)
        case model.Pays():
            return (s.amount,)
    return ()


def branches(value: model.Expr) -> Iterator[model.Branch]:
    """The branches that a value may come from, through values that are each found exactly once."""
    for part in sources(value):
        yield from branches(part)
    if isinstance(value, model.Alternatives):
        yield from value.branches


def sources(value: model.Expr) -> tuple[model.Expr, ...]:
    """The values that a value comes from directly."""
    match value:
        case model.Defined():
            return (value.definition.value,) if value.argument is None else (value.argument, value.definition.value)
        case model.Decision():
            return (value.then,) if value.otherwise is None else (value.then, value.otherwise)
        case model.Alternatives():
            return tuple(branch.value for branch in value.branches)
        case model.Arith():
            return value.left, value.right
        case model.AttributeOf() | model.PlayerOf():
            return (value.card,)
        case model.Neighbour():
            return (value.player,)
    return ()


def reasons(evaluator: Evaluator, value: model.Expr) -> Reasons | None:
    """For the reference interpreter: the ids of the branches that a value comes from in a position, if it has any."""
    if next(branches(value), None) is None:
        return None
    match value:
        case model.Defined():
            return _of_definition(evaluator, value)
        case model.Decision():
            return _of_decision(evaluator, value)
        case model.Alternatives():
            return _of_alternatives(evaluator, value)
    return _all([reasons(evaluator, part) for part in sources(value)])


def _all(parts: list[Reasons | None]) -> Reasons:
    found = [part for part in parts if part]

    def each(m: Machine) -> Iterator[int]:
        for part in found:
            yield from part(m)

    return each


def _of_definition(evaluator: Evaluator, value: model.Defined) -> Reasons | None:
    inside, slot = reasons(evaluator, value.definition.value), value.definition.slot
    if value.argument is None:
        return inside
    argument, before = evaluator.function(value.argument), reasons(evaluator, value.argument)

    def defined(m: Machine) -> Iterator[int]:
        if before:
            yield from before(m)
        given = argument(m)
        if given is not None and inside:
            outer, m.slots[slot] = m.slots[slot], given
            yield from inside(m)
            m.slots[slot] = outer

    return defined


def _of_decision(evaluator: Evaluator, value: model.Decision) -> Reasons:
    condition, then = evaluator.function(value.condition), reasons(evaluator, value.then)
    otherwise = reasons(evaluator, value.otherwise) if value.otherwise else None

    def decided(m: Machine) -> Iterator[int]:
        part = then if condition(m) else otherwise
        if part:
            yield from part(m)

    return decided


def _of_alternatives(evaluator: Evaluator, value: model.Alternatives) -> Reasons:
    parts = [
        (
            evaluator.function(branch.condition) if branch.condition else None,
            evaluator.function(branch.value),
            reasons(evaluator, branch.value),
            branch.id,
        )
        for branch in value.branches
    ]

    def first(m: Machine) -> Iterator[int]:
        for condition, found, inside, id in parts:
            if condition is None or condition(m):
                if inside:
                    yield from inside(m)
                if found(m) is not None:
                    yield id
                    return

    return first
