"""Examples that have been run → which rules, branches and refusals none of them exercises."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, ValuesView
from dataclasses import dataclass
from typing import assert_never

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text
from teufelswerk.examples.run_scenes import SceneResult, move_id
from teufelswerk.model.walk import expressions, reachable


@dataclass(frozen=True)
class Unit:
    """Something that an example can exercise."""

    id: int
    kind: Text
    words: str
    span: Span


@dataclass(frozen=True)
class Coverage:
    """All units of a game, and those that no example has touched."""

    units: tuple[Unit, ...]
    missing: tuple[Unit, ...]

    @property
    def percent(self) -> float:
        return 100 * (1 - len(self.missing) / len(self.units)) if self.units else 100.0


def coverage_of(rules: model.Model, results: Iterable[SceneResult]) -> Coverage:
    """What the examples have exercised, of all that they could."""
    results = list(results)
    fired = {id for result in results for id in result.fired}
    lines = [vars(line).values() for result in results for line in result.scene.lines]
    roots = [*rules.moves.values(), *(step.body for step in rules.steps.values()), *rules.definitions.values(), *lines]
    taken = {unit.span for root in roots for unit in _branches(_parts(root)) if unit.id in fired}
    units = tuple(sorted(_once(units_of(rules)), key=lambda unit: unit.span.line))
    return Coverage(units, tuple(unit for unit in units if unit.id not in fired and unit.span not in taken))


def _parts(root: object) -> object:
    return root.value if isinstance(root, model.Definition) else tuple(root) if isinstance(root, ValuesView) else root


def _once(units: Iterable[Unit]) -> Iterator[Unit]:
    """Each once: a definition of two things is written out wherever it is used, and is one."""
    seen = set[tuple[str, str, Span]]()
    for unit in units:
        key = str(unit.kind), unit.words, unit.span
        if key not in seen:
            seen.add(key)
            yield unit


def _words(span: Span) -> str:
    return span.source.lines[span.line - 1].strip()


def units_of(rules: model.Model) -> Iterator[Unit]:
    """All that can happen or be decided in a game: moves, refusals, rules, branches."""
    reached = list(reachable(rules, rules.steps["game"].body))
    asked = {verb for s in reached if isinstance(s, model.Turn) for group in s.groups for verb in group}
    for verb, move in rules.moves.items():
        if verb not in asked:
            continue
        yield Unit(move_id(rules, verb), Text("move"), verb, move.span)
        for must, _ in move.musts:
            yield Unit(must.id, Text("refusal"), _words(must.span), must.span)
    for statement in reached:
        yield from _statement(statement)
    for definition in rules.definitions.values():
        yield from _branches(definition.value)


def _statement(s: model.Doing) -> Iterator[Unit]:
    match s:
        case model.If():
            yield Unit(s.id, Text("branch"), _words(s.span), s.span)
            if s.otherwise:
                yield Unit(s.else_id, Text("branch"), f"else ({_words(s.span)})", s.span)
        case (
            model.Turn() | model.Call() | model.Repeat() | model.Until() | model.Each() | model.GoRound() | model.Tell()
        ):
            return
        case (
            model.Goes()
            | model.Turns()
            | model.Becomes()
            | model.Pays()
            | model.Deal()
            | model.Shuffle()
            | model.SetLocal()
            | model.Wins()
        ):
            yield Unit(s.id, Text("rule"), _words(s.span), s.span)
            yield from _branches(s)
        case _:
            assert_never(s)


def _branches(root: object) -> Iterator[Unit]:
    """The alternatives of a value; a single one is no decision."""
    for expr in expressions(root):
        if isinstance(expr, model.Alternatives) and (len(expr.branches) > 1 or expr.branches[0].told):
            for branch in expr.branches:
                yield Unit(branch.id, Text("branch"), _words(branch.span), branch.span)
