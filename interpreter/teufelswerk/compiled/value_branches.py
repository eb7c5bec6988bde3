"""A statement → the branches that its value comes from: each is found exactly once, whichever engine finds it.

Conditions, what is asked of every card of a set, and whose place or number is meant are left out: how often these are
tried is up to the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, assert_never

from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.walk import parts
from teufelswerk.interpreter.evaluate import Evaluator
from teufelswerk.interpreter.machine import Machine
from teufelswerk.interpreter.values import Function

Reasons: TypeAlias = Callable[[Machine], Iterator[int]]


def value_of(statement: s.Doing) -> f.Expr | None:
    """The value of a statement whose branches are counted."""
    match statement:
        case s.Becomes() | s.Let():
            return statement.value
        case s.Pays():
            return statement.amount
        case s.Goes() | s.Deal() | s.Shuffle() | s.Tell() | s.Turn() | s.AtOnce() | s.Call():
            return None
        case s.Repeat() | s.Until() | s.Each() | s.GoRound() | s.Branch() | s.Wins():
            return None
        case _:
            assert_never(statement)


def branches(form: f.Expr) -> Iterator[int]:
    """The ids of the branches that a value may come from, through values that are each found exactly once."""
    for part in sources(form):
        yield from branches(part)
    if isinstance(form, f.Taken):
        yield form.branch.id


def sources(form: f.Expr) -> tuple[f.Expr, ...]:
    """The values that a value comes from directly."""
    match form:
        case f.Defined():
            of_cards = form.argument is not None and form.argument.type.many
            return (form.definition.value,) if of_cards else (*parts(form), form.definition.value)
        case f.If():
            return (form.then,) if form.otherwise is None else (form.then, form.otherwise)
        case f.First() | f.Taken() | f.Needed() | f.Arith() | f.Attribute() | f.OwnerOf() | f.Neighbour():
            return parts(form)
        case f.PlaceHolding():
            return parts(form)
        case f.Constant() | f.Slot() | f.PlaceAt() | f.Kept() | f.Nth() | f.CardAt() | f.Drawn():
            return ()
        case f.Extreme() | f.Sum() | f.Count() | f.Compare() | f.OneOf() | f.Present() | f.Some() | f.Logic() | f.Not():
            return ()
        case f.EndAt():
            return ()
        case f.Listed() | f.Players() | f.Around() | f.Family() | f.Only() | f.CardsIn() | f.EndsOf():
            return ()
        case f.Joined() | f.Together() | f.Numbers() | f.Few() | f.Fitting() | f.Subsets() | f.LeastLeft():
            return ()
        case _:
            assert_never(form)


def reasons(evaluator: Evaluator, form: f.Expr) -> Reasons | None:
    """For the reference interpreter: the ids of the branches that a value comes from in a position, if it has any."""
    if next(branches(form), None) is None:
        return None
    match form:
        case f.Taken():
            return _taken(reasons(evaluator, form.value), evaluator.value(form.value), form.branch.id)
        case f.First():
            return _first([(reasons(evaluator, option), evaluator.value(option)) for option in form.options])
        case f.If():
            otherwise = reasons(evaluator, form.otherwise) if form.otherwise is not None else None
            return _decided(evaluator.value(form.condition), reasons(evaluator, form.then), otherwise)
        case f.Defined():
            return _defined(evaluator, form)
    return _all([reasons(evaluator, part) for part in sources(form)])


def _all(parts: Sequence[Reasons | None]) -> Reasons:
    found = [part for part in parts if part]

    def each(m: Machine) -> Iterator[int]:
        for part in found:
            yield from part(m)

    return each


def _taken(inside: Reasons | None, value: Function, id: int) -> Reasons:
    def taken(m: Machine) -> Iterator[int]:
        if inside:
            yield from inside(m)
        if value(m) is not None:
            yield id

    return taken


def _first(options: Sequence[tuple[Reasons | None, Function]]) -> Reasons:
    def first(m: Machine) -> Iterator[int]:
        for why, value in options:
            if why:
                yield from why(m)
            if value(m) is not None:
                return

    return first


def _decided(condition: Function, then: Reasons | None, otherwise: Reasons | None) -> Reasons:
    def decided(m: Machine) -> Iterator[int]:
        part = then if condition(m) else otherwise
        if part:
            yield from part(m)

    return decided


def _defined(evaluator: Evaluator, form: f.Defined) -> Reasons | None:
    inside, slot = reasons(evaluator, form.definition.value), form.definition.slot
    if form.argument is None:
        return inside
    argument = evaluator.argument(form.argument)
    before = None if form.argument.type.many else reasons(evaluator, form.argument)

    def defined(m: Machine) -> Iterator[int]:
        if before:
            yield from before(m)
        given = argument(m)
        if given is not None and inside:
            m.slots[slot] = given
            yield from inside(m)

    return defined
