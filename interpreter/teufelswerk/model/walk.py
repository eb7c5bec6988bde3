"""Goes through a model: every expression and statement below a given one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from teufelswerk import model


def expressions(root: Any) -> Iterator[model.Typed]:
    """All expressions in a statement, expression, sentence or block; definitions are named, not entered."""
    stack = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, (tuple, list)):
            stack.extend(reversed(item))
        elif isinstance(item, model.Typed):
            yield item
            stack.extend(reversed(_parts(item)))
        elif isinstance(item, (model.Statement, model.Branch, model.Sentence, model.Move)):
            stack.extend(reversed(_parts(item)))


def _parts(item: Any) -> list[Any]:
    skipped = {"type", "span", "definition", "keep", "place"} if isinstance(item, model.Typed) else {"span"}
    return [value for key, value in vars(item).items() if key not in skipped]


def statements(body: model.Block) -> Iterator[model.Statement]:
    """All statements of a block, those inside other statements included."""
    for statement in body:
        yield statement
        for part in ("body", "then", "otherwise"):
            yield from statements(getattr(statement, part, ()))


def called_steps(rules: model.Model, body: model.Block) -> Iterator[model.Call]:
    """The calls of other steps in a block."""
    return (s for s in statements(body) if isinstance(s, model.Call))


def reachable(rules: model.Model, body: model.Block, seen: set[str] | None = None) -> Iterator[model.Statement]:
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
