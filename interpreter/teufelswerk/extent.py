"""Nodes → what would grow out of bounds: steps that call one another too deep or too often, loops within loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from teufelswerk import limits, nodes
from teufelswerk.diagnostics import Diagnostic
from teufelswerk.texts import Text


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
    for name in _callees_first(steps):
        known[name] = _extent(steps[name].body, known, found)
    return list(found.values())


def _callees_first(steps: Mapping[str, nodes.Step]) -> list[str]:
    """The steps in such an order that each comes after those that it calls."""
    order: dict[str, None] = {}
    begun: set[str] = set()
    for first in steps:
        stack = [(first, iter(_calls(steps[first].body)))]
        begun.add(first)
        while stack:
            name, calls = stack[-1]
            called = next((c for c in calls if c in steps and c not in begun), None)
            if called is None:
                order.setdefault(name)
                stack.pop()
            else:
                begun.add(called)
                stack.append((called, iter(_calls(steps[called].body))))
    return list(order)


def _parts(statement: nodes.Statement) -> list[Sequence[nodes.Statement]]:
    return [getattr(statement, part) for part in ("body", "then", "otherwise") if hasattr(statement, part)]


def _calls(body: Sequence[nodes.Statement]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, nodes.Call):
            yield statement.name.text
        for part in _parts(statement):
            yield from _calls(part)


def _extent(
    body: Sequence[nodes.Statement], known: Mapping[str, Extent], found: dict[str, Diagnostic]
) -> Extent:
    size, calls, loops = 0, 0, 0
    for statement in body:
        if isinstance(statement, nodes.Call):
            inner = known.get(statement.name.text, Extent(0, 0, 0))
            inner = Extent(inner.size + 2, inner.calls + 1, inner.loops)
        else:
            inner = Extent(1, 0, 0)
            for part in _parts(statement):
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
