"""A scene that is being run → what it looks like where the clauses below a paragraph end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from teufelswerk import model
from teufelswerk.base.texts import named
from teufelswerk.examples.open_cards import clone
from teufelswerk.examples.run_scenes import SceneRunner
from teufelswerk.examples.worlds import Explorer
from teufelswerk.interpreter.machine import BOX, Machine, RuleError
from teufelswerk.model.scenes import GivenIs, Line, Play
from teufelswerk.rulebook.figures import UNKNOWN
from teufelswerk.rulebook.words import person

MOST_WORLDS = 24


class Snapshot:
    """A scene where the clauses below one paragraph end: its figures and its picture."""

    def __init__(self, runner: SceneRunner, lines: list[Line], before: set[int]) -> None:
        self.runner = runner
        self.people = runner.scene.people
        self.lines = lines
        self.before = before
        self.worlds = [clone(world) for world in runner.worlds[:MOST_WORLDS]]
        if not runner.is_there:
            self.worlds = list(_begun(runner, self.worlds))

    def figure(self, expr: model.Expr) -> Any:
        """A figure of the paragraph as it is then, or UNKNOWN."""
        if isinstance(expr, model.Person):
            return person(expr.name)
        try:
            function = self.runner.game.question(expr)
            for world in self.worlds:
                for value, _ in Explorer(self.runner.game.meter).explore(world, function):
                    if value is not None:
                        return self.named(self.runner.program.teller.shown(expr.type, value))
        except (RuleError, KeyError, TypeError, IndexError):
            pass
        return UNKNOWN

    def named(self, value: Any) -> Any:
        """The value with people's names in place of seats."""
        return named(value, self.people)

    @property
    def acts(self) -> bool:
        """Whether something is laid or given to be seen by all."""
        return any(
            isinstance(line, Play)
            or (isinstance(line, GivenIs) and isinstance(line.target, model.PlaceOf) and is_public(line.target.place))
            for line in self.lines
        )

    @property
    def holding(self) -> list[Line]:
        """The lines that hold."""
        fine = {id(verdict.line) for verdict in self.runner.result.verdicts if verdict.holds}
        return [line for line in self.lines if id(line) in fine]


def _begun(runner: SceneRunner, worlds: Sequence[Machine]) -> Iterator[Machine]:
    for world in worlds:
        try:
            yield from (after for _, after in Explorer(runner.game.meter).explore(world, runner.advance))
        except RuleError:
            yield world


def is_public(place: model.Place) -> bool:
    """Whether a place is part of the table: all see it, or its cards until they are turned up lie there face down."""
    return (place.seen_by == "all" or (place.turned and place.seen_by != "owner")) and place.index != BOX
