"""Nodes → what would grow out of bounds: steps that call one another too deep or too often, loops within loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from teufelswerk.base import limits
from teufelswerk.base.diagnostics import Diagnostic
from teufelswerk.base.texts import Text
from teufelswerk.syntax import nodes


@dataclass(frozen=True)
class Extent:
    """What a step comes to with every step that it calls written out in its place."""

    size: int
    calls: int
    loops: int


def check_extent(steps: Mapping[str, nodes.Step]) -> list[Diagnostic]:
    """The first place where each bound is crossed. Circles are somebody else's business: they count as nothing."""
    found: dict[str, Diagnostic] = {}
    known: dict[str, Extent] = {}
    for name in named_first({name: list(_calls(step.body)) for name, step in steps.items()}):
        known[name] = _extent(steps[name].body, known, found)
    return list(found.values())


def named_first(names: Mapping[str, Iterable[str]]) -> list[str]:
    """Names in such an order that each comes after those that its declaration names."""
    order: dict[str, None] = {}
    begun: set[str] = set()
    for first in names:
        stack = [(first, iter(names[first]))] if first not in begun else []
        begun.add(first)
        while stack:
            name, others = stack[-1]
            other = next((o for o in others if o in names and o not in begun), None)
            if other is None:
                order.setdefault(name)
                stack.pop()
            else:
                begun.add(other)
                stack.append((other, iter(names[other])))
    return list(order)


def words_in(node: object) -> list[str]:
    """Every name that a declaration mentions."""
    words: list[str] = []
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, nodes.Word):
            words.append(item.text)
        elif isinstance(item, nodes.Name):
            words.append(item.name)
        else:
            stack.extend(_inner(item))
    return words


def nesting(node: object) -> int:
    """How deep the parts of an expression stand in one another."""
    deepest, level = 0, [node]
    while level:
        deepest += 1
        level = [part for item in level for part in _inner(item)]
    return deepest


def _inner(item: object) -> list[object]:
    if isinstance(item, tuple):
        return list(item)
    if not isinstance(item, (nodes.Node, nodes.Branch)):
        return []
    values = [value for key, value in vars(item).items() if key not in ("span", "told")]
    return [part for value in values for part in (value if isinstance(value, tuple) else (value,))]


def _calls(body: Sequence[nodes.Statement]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, nodes.Call):
            yield statement.name.text
        for part in nodes.blocks(statement):
            yield from _calls(part)


def _extent(body: Sequence[nodes.Statement], known: Mapping[str, Extent], found: dict[str, Diagnostic]) -> Extent:
    size, calls, loops = 0, 0, 0
    for statement in body:
        if isinstance(statement, nodes.Call):
            inner = known.get(statement.name.text, Extent(0, 0, 0))
            inner = Extent(inner.size + 2, inner.calls + 1, inner.loops)
        else:
            inner = Extent(1, 0, 0)
            for part in nodes.blocks(statement):
                below = _extent(part, known, found)
                inner = Extent(inner.size + below.size, max(inner.calls, below.calls), max(inner.loops, below.loops))
            if isinstance(statement, (nodes.Repeat, nodes.Until, nodes.Each, nodes.GoRound)):
                inner = Extent(inner.size + 2, inner.calls, inner.loops + 1)
        before, size = size, size + inner.size
        calls, loops = max(calls, inner.calls), max(loops, inner.loops)
        _judge(statement, Extent(size, inner.calls, inner.loops), before, found)
    return Extent(size, calls, loops)


def _judge(statement: nodes.Statement, extent: Extent, before: int, found: dict[str, Diagnostic]) -> None:
    span = statement.span
    if extent.calls > limits.MAX_CALL_DEPTH:
        message = Text("steps call one another at most {limit} deep", limit=limits.MAX_CALL_DEPTH)
        found.setdefault("calls", Diagnostic("too-deep", message, span, help=Text("put some of them together")))
    if extent.loops > limits.MAX_LOOP_DEPTH:
        message = Text("loops run in one another at most {limit} deep", limit=limits.MAX_LOOP_DEPTH)
        found.setdefault("loops", Diagnostic("too-deep", message, span))
    if before <= limits.MAX_INSTRUCTIONS < extent.size:
        message = Text(
            "with every step written out where it is called, this makes more than {limit} lines",
            limit=limits.MAX_INSTRUCTIONS,
        )
        help = Text("let something be repeated instead of calling it again and again")
        found.setdefault("size", Diagnostic("too-long", message, span, help=help))
