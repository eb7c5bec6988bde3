"""Goes through a model: every expression and statement below a given one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never, cast

from teufelswerk import model


def expressions(root: Any) -> Iterator[model.Expr]:
    """All expressions in a statement, expression, sentence or block; what is declared is named, not entered."""
    return (cast(model.Expr, item) for item in _everything(root) if isinstance(item, model.Typed))


def sentences(root: Any) -> Iterator[model.Sentence]:
    """All sentences in a statement, expression or block."""
    return (item for item in _everything(root) if isinstance(item, model.Sentence))


def _everything(root: Any) -> Iterator[Any]:
    stack = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, (tuple, list)):
            stack.extend(reversed(item))
        elif isinstance(item, (model.Typed, model.Statement, model.Branch, model.Sentence, model.Move)):
            yield item
            stack.extend(reversed(_parts(item)))


def _parts(item: Any) -> list[Any]:
    skipped = ("type", "span", "owners")  # a definition of two things says in its value once more what it is asked of
    return [value for key, value in vars(item).items() if key not in skipped]


def blocks(statement: model.Doing) -> tuple[model.Block, ...]:
    """The blocks inside a statement; a called step is named, not entered."""
    match statement:
        case model.Repeat() | model.Until() | model.Each() | model.GoRound():
            return (statement.body,)
        case model.If():
            return (statement.then, statement.otherwise)
        case model.Goes() | model.Turns() | model.Becomes() | model.Pays() | model.Deal() | model.Shuffle():
            return ()
        case model.SetLocal() | model.Tell() | model.Turn() | model.Call() | model.Wins():
            return ()
        case _:
            assert_never(statement)


def statements(body: model.Block) -> Iterator[model.Doing]:
    """All statements of a block, those inside other statements included."""
    for statement in body:
        yield statement
        for block in blocks(statement):
            yield from statements(block)


def all_statements(rules: model.Model) -> Iterator[model.Doing]:
    """Every statement of a game's steps and moves."""
    for body in (*(step.body for step in rules.steps.values()), *(move.effects for move in rules.moves.values())):
        yield from statements(body)


def called_steps(rules: model.Model, body: model.Block) -> Iterator[model.Call]:
    """The calls of other steps in a block."""
    return (s for s in statements(body) if isinstance(s, model.Call))


def says_next(rules: model.Model, body: model.Block, seen: set[str] | None = None) -> bool:
    """Whether a block speaks of who is next after this turn, or anything that happens in it does; not in laps in it."""
    seen = set() if seen is None else seen
    for statement in body:
        inner = list(blocks(statement)) if not isinstance(statement, model.GoRound) else []
        match statement:
            case model.Call() if statement.step not in seen:
                seen.add(statement.step)
                inner.append(rules.steps[statement.step].body)
            case model.Turn():
                for verb in (verb for group in statement.groups for verb in group if verb not in seen):
                    seen.add(verb)
                    if names_next(rules.moves[verb].choices) or names_next(rules.moves[verb].musts):
                        return True
                    inner.append(rules.moves[verb].effects)
        if names_next(own_values(statement)) or any(says_next(rules, block, seen) for block in inner):
            return True
    return False


def own_values(statement: model.Doing) -> list[Any]:
    """All that a statement says, but for its blocks."""
    return [value for key, value in vars(statement).items() if key not in ("body", "then", "otherwise", "span")]


def names_next(root: Any) -> bool:
    return any(isinstance(e, model.KeepOf) and e.keep.name == model.NEXT for e in expressions(root))


def laps_with_next(rules: model.Model) -> frozenset[int]:
    """The laps, by their ids, in which it is said who is next after a turn."""
    if model.NEXT not in rules.keeps:
        return frozenset()
    laps = (lap for lap in all_statements(rules) if isinstance(lap, model.GoRound))
    return frozenset(lap.id for lap in laps if says_next(rules, lap.body))


def reachable(rules: model.Model, body: model.Block, seen: set[str] | None = None) -> Iterator[model.Doing]:
    """All statements that a block may come to, in steps that it calls and in moves that it asks for as well."""
    seen = set() if seen is None else seen
    for statement in statements(body):
        yield statement
        if isinstance(statement, model.Call) and statement.step not in seen:
            seen.add(statement.step)
            yield from reachable(rules, rules.steps[statement.step].body, seen)
        elif isinstance(statement, model.Turn):
            for verb in (verb for group in statement.groups for verb in group):
                if verb not in seen:
                    seen.add(verb)
                    yield from reachable(rules, rules.moves[verb].effects, seen)
