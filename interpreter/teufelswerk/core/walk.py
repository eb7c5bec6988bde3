"""One way through forms and statements: what stands directly below one, and everything below it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, assert_never

from teufelswerk.core import forms as f
from teufelswerk.core import statements as s

Node: TypeAlias = f.Expr | s.Doing | s.Move


def parts(node: f.Expr) -> tuple[f.Expr, ...]:
    """The forms directly below a form, in the order in which they are asked; a definition is named, not entered."""
    match node:
        case f.Constant() | f.Slot() | f.Listed() | f.Players() | f.Family():
            return ()
        case f.Attribute() | f.OwnerOf() | f.PlaceHolding():
            return (node.card,)
        case f.PlaceAt() | f.Kept():
            return () if node.key is None else (node.key,)
        case f.Defined():
            return () if node.argument is None else (node.argument,)
        case f.Neighbour():
            return (node.player,)
        case f.Nth() | f.Drawn() | f.Count() | f.Some():
            return (node.items,)
        case f.EndAt():
            return (node.place,)
        case f.CardAt():
            return (node.end,)
        case f.Extreme() | f.Sum():
            return (node.items, node.by)
        case f.Arith() | f.Compare() | f.Logic():
            return (node.left, node.right)
        case f.If():
            return (
                (node.condition, node.then) if node.otherwise is None else (node.condition, node.then, node.otherwise)
            )
        case f.First():
            return node.options
        case f.Taken() | f.Needed() | f.Present():
            return (node.value,)
        case f.OneOf():
            return (node.card,)
        case f.Not():
            return (node.operand,)
        case f.Around():
            return (node.first,) if node.last is None else (node.first, node.last)
        case f.Numbers():
            return (node.first, node.last)
        case f.Only():
            return (node.item,)
        case f.CardsIn() | f.EndsOf():
            return (node.places,)
        case f.Few():
            return (node.items, node.amount)
        case f.Joined() | f.Together():
            return node.sets
        case f.Fitting() | f.Subsets():
            return (node.items, node.condition)
        case f.LeastLeft():
            return (node.sets, node.by)
        case _:
            assert_never(node)


def called(node: f.Expr) -> tuple[f.Definition, ...]:
    """The definitions that a form itself asks."""
    match node:
        case f.Defined():
            return (node.definition,)
        case f.Neighbour() | f.Players() | f.Around():
            return () if node.out is None else (node.out,)
        case f.Constant() | f.Slot() | f.Attribute() | f.PlaceAt() | f.Kept() | f.OwnerOf() | f.Nth():
            return ()
        case f.EndAt() | f.CardAt() | f.PlaceHolding():
            return ()
        case f.Extreme() | f.Drawn() | f.Sum() | f.Count() | f.Arith() | f.If() | f.First() | f.Taken() | f.Needed():
            return ()
        case f.Compare() | f.OneOf() | f.Present() | f.Some() | f.Logic() | f.Not():
            return ()
        case f.Listed() | f.Numbers() | f.Family() | f.Only() | f.CardsIn() | f.Joined() | f.Together() | f.EndsOf():
            return ()
        case f.Few() | f.Fitting() | f.Subsets() | f.LeastLeft():
            return ()
        case _:
            assert_never(node)


def asked(statement: s.Doing) -> tuple[f.Expr, ...]:
    """The forms directly in a statement; what it tells is not among them."""
    match statement:
        case s.Goes():
            return (statement.cards, statement.to)
        case s.Deal():
            amount = () if statement.amount is None else (statement.amount,)
            return (statement.source, statement.to, *amount)
        case s.Shuffle():
            return (statement.place,)
        case s.Becomes():
            return (statement.target, statement.value)
        case s.Pays():
            return (statement.payer, statement.receiver, statement.amount)
        case s.Let():
            return (statement.value,)
        case s.Tell():
            return ()
        case s.Turn():
            return (statement.player,)
        case s.AtOnce():
            return (statement.players, statement.turn.player)
        case s.Call():
            return () if statement.argument is None else (statement.argument,)
        case s.Repeat():
            return (statement.times,)
        case s.Until() | s.Branch():
            return (statement.condition,)
        case s.Each():
            return (statement.items,)
        case s.GoRound():
            begin = () if statement.begin is None else asked(statement.begin)
            return (statement.first, statement.condition, *begin, statement.following)
        case s.Wins():
            return (statement.players, *(by for _, by in statement.criteria))
        case _:
            assert_never(statement)


def blocks(statement: s.Doing) -> tuple[s.Block, ...]:
    """The blocks inside a statement; a called step is named, not entered."""
    match statement:
        case s.Repeat() | s.Until() | s.Each() | s.GoRound():
            return (statement.body,)
        case s.Branch():
            return (statement.then, statement.otherwise)
        case s.AtOnce():
            return ((statement.turn,),)
        case s.Goes() | s.Deal() | s.Shuffle() | s.Becomes() | s.Pays() | s.Let() | s.Tell() | s.Turn() | s.Call():
            return ()
        case s.Wins():
            return ()
        case _:
            assert_never(statement)


def is_simple(statement: s.Doing) -> bool:
    """Whether a statement neither asks a player nor runs another step."""
    match statement:
        case s.Turn() | s.AtOnce() | s.Call() | s.GoRound() | s.Wins() | s.Repeat() | s.Until():
            return False
        case s.Branch():
            return all(map(is_simple, (*statement.then, *statement.otherwise)))
        case s.Each():
            return all(map(is_simple, statement.body))
        case s.Goes() | s.Deal() | s.Shuffle() | s.Becomes() | s.Pays() | s.Let() | s.Tell():
            return True
        case _:
            assert_never(statement)


def everything_in(*roots: f.Expr, seen: set[f.Definition] | None = None) -> Iterator[f.Expr]:
    """Forms with all forms below them; each definition that is asked is entered once."""
    seen = set() if seen is None else seen
    stack = list(reversed(roots))
    while stack:
        form = stack.pop()
        yield form
        below = list(parts(form))
        for definition in called(form):
            if definition not in seen:
                seen.add(definition)
                below.append(definition.value)
        stack.extend(reversed(below))


def statements_in(body: s.Block) -> Iterator[s.Doing]:
    """All statements of a block, those inside other statements included."""
    for statement in body:
        yield statement
        for block in blocks(statement):
            yield from statements_in(block)


def happening(body: s.Block) -> Iterator[s.Doing]:
    """All statements of a block and of the steps that it calls."""
    for statement in statements_in(body):
        yield statement
        if isinstance(statement, s.Call):
            yield from happening(statement.step.body)


def all_statements(core: s.Core) -> Iterator[s.Doing]:
    """Every statement of a game's steps and moves."""
    for step in core.steps.values():
        yield from statements_in(step.body)
    for move in core.moves.values():
        yield from statements_in(move.effects)


def roots(core: s.Core) -> Iterator[f.Expr]:
    """Every form that a game's statements and moves hold directly."""
    for statement in all_statements(core):
        yield from asked(statement)
    for move in core.moves.values():
        for choice in move.choices:
            yield from (form for form in (choice.items, choice.low, choice.high) if form is not None)
        yield from (condition.holds for condition in move.conditions)
    yield from core.initial.values()
    yield from (definition.value for definition in core.definitions.values())


def all_forms(core: s.Core) -> Iterator[f.Expr]:
    """Every form of a game, those in definitions once."""
    return everything_in(*roots(core))
