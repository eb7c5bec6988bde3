"""A game → what each engine makes of it, seed by seed, to be compared: decisions, outcomes, and where it goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from teufelswerk.compiled.targets import runtime
from teufelswerk.engines.random_games import Engine, NativeEngine, Played, PythonEngine, has_native
from teufelswerk.interpreter.machine import RuleError
from teufelswerk.model import Model


class Fault(NamedTuple):
    """A game that came to a mistake in its rules, after so many decisions."""

    seed: int
    trail: tuple[tuple[int, int], ...] | None
    """Not known of machine code, which keeps nothing of such a game."""
    code: str = ""
    """What the reference calls it; the others only notice it."""


@dataclass(frozen=True)
class Difference:
    engine: str
    players: int
    expected: Played | Fault
    found: Played | Fault

    def __str__(self) -> str:
        return f"{self.engine}, {self.players} players:\n  expected {self.expected}\n  found    {self.found}"


def reference(model: Model, players: int, first: int, games: int) -> list[Played | Fault]:
    engine = Engine(model, players, trail=True)
    return [_by_reference(engine, seed) for seed in range(first, first + games)]


def _by_reference(engine: Engine, seed: int) -> Played | Fault:
    try:
        return engine.play(seed)
    except RuleError as problem:
        trail: list[tuple[int, int]] = []
        with suppress(RuleError):
            engine.game.random_game(seed, trail=trail)
        return Fault(seed, tuple(trail), problem.diagnostic.code)


class ByItself(PythonEngine):
    """Compiled rules that do not ask the reference when they are at fault."""

    def faulty(self, first: int, games: int) -> Iterator[Played | Fault]:
        for seed in range(first, first + games):
            trail: list[tuple[int, int]] = []
            result: list[int] = [0] * self.width
            try:
                moves = self._play(seed, result, trail, [])
            except runtime.Stuck:
                yield Fault(seed, tuple(trail))
            else:
                yield self.read(seed, moves, result, tuple(trail), ())


class MachineCodeByItself(NativeEngine):
    def at_fault(self, seed: int) -> Played:
        return Played(seed, -1, (), ())

    def faulty(self, first: int, games: int) -> Iterator[Played | Fault]:
        return (Fault(game.seed, None) if game.moves < 0 else game for game in self.many(first, games))


def differences(
    model: Model, players: int, first: int, games: int, native: bool = True, expected: list[Any] | None = None
) -> Iterator[Difference]:
    """Where the engines part, game by game; nothing at all if they understand the rules alike."""
    expected = expected or reference(model, players, first, games)
    engines: list[ByItself | MachineCodeByItself] = [ByItself(model, players, trail=True)]
    if native and has_native():
        engines.append(MachineCodeByItself(model, players, trail=True))
    for engine in engines:
        for one, other in zip(expected, engine.faulty(first, games), strict=True):
            if not _alike(one, other):
                yield Difference(engine.name, players, one, other)


def _alike(expected: Played | Fault, found: Played | Fault) -> bool:
    if isinstance(expected, Fault) and isinstance(found, Fault):
        return found.trail is None or found.trail == expected.trail
    return expected == found
