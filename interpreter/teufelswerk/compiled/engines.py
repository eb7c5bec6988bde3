"""Engines: the same games from the same seeds, by the reference interpreter, by compiled rules or by machine code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from teufelswerk.compiled import runtime
from teufelswerk.compiled.emit import NotCompiled
from teufelswerk.compiled.flow import compile_source
from teufelswerk.compiled.tables import NONE
from teufelswerk.compiled.tally import Tally
from teufelswerk.diagnostics import Diagnostic
from teufelswerk.game import Game
from teufelswerk.limits import MAX_MOVES_IN_GAME
from teufelswerk.machine import Event
from teufelswerk.model import Model

NAMES = ("reference", "python", "native")
NATIVE_CARDS = 63
"""Cards that fit into the bits of one machine number."""
WORTH_COMPILING = 20_000
"""Games from which on machine code makes up for the time that it takes to make it."""
BATCH, BATCH_WITH_TRAIL = 4096, 8


@dataclass(frozen=True)
class Played:
    """A game that was played: how many moves it took, who won, what is kept of each player."""

    seed: int
    moves: int
    winners: tuple[int, ...]
    keeps: tuple[tuple[int | None, ...], ...]
    """In the order of the rule file, for each thing that is kept of each player: the values, seat by seat."""
    trail: tuple[tuple[int, int], ...] = ()
    """If asked for: for every decision, how many choices there were and which was taken."""


class Engine:
    """Plays random games with the reference interpreter. The faster engines are built upon it and fall back to it."""

    name = "reference"

    def __init__(self, rules: Model, players: int, trail: bool = False) -> None:
        self.game = Game(rules, players)
        self.players = players
        self.trail = trail
        self.note: Diagnostic | None = None
        """Why a faster engine than this one could not be had."""
        self.kept = [k for k in rules.keeps.values() if k.key is not None and k.key.kind == "player"]

    def play(self, seed: int) -> Played:
        """The game of a seed. Raises RuleError where the rules are at fault."""
        return self.recorded(seed, None)

    def recorded(self, seed: int, log: list[Event] | None, legal: bool = False) -> Played:
        """The same, by the reference interpreter; the log, if any, gets every event."""
        trail: list[tuple[int, int]] = []
        machine, base = self.game.random_game(seed, log, legal, trail), self.game.layout.keep_base
        keeps = tuple(tuple(machine.keeps[base[k.name] : base[k.name] + self.players]) for k in self.kept)
        return Played(seed, len(trail), machine.winners or (), keeps, tuple(trail) if self.trail else ())

    def many(self, first: int, count: int) -> Iterator[Played]:
        """The games of so many seeds, one after the other."""
        return (self.play(seed) for seed in range(first, first + count))

    def tally(self, first: int, count: int) -> Tally:
        """The games of so many seeds, added up."""
        tally = Tally()
        for game in self.many(first, count):
            self.add(tally, game)
        return tally

    def add(self, tally: Tally, game: Played) -> None:
        wins = [int(seat in game.winners) for seat in range(self.players)]
        tally.add(1, game.moves, wins, [[value or 0 for value in values] for values in game.keeps])

    def count(self, first: int, count: int) -> int:
        """Plays the games of so many seeds for the number of their moves alone."""
        return sum(self.play(seed).moves for seed in range(first, first + count))


class PythonEngine(Engine):
    """Plays compiled rules as plain Python."""

    name = "python"

    def __init__(self, rules: Model, players: int, trail: bool = False) -> None:
        super().__init__(rules, players, trail)
        self.source = compile_source(rules, players, trail)
        self.width = 1 + len(self.kept) * players
        self._play: Callable[..., int] = runtime.load(self.source, f"{rules.name} for {players} players")

    def play(self, seed: int) -> Played:
        result, trail = [0] * self.width, [0] * (MAX_MOVES_IN_GAME if self.trail else 0)
        moves = self._play(seed, result, trail)
        return self.recorded(seed, None) if moves < 0 else self.read(seed, moves, result, trail)

    def count(self, first: int, count: int) -> int:
        play, result, moves = self._play, [0] * self.width, 0
        for seed in range(first, first + count):
            made = play(seed, result, ())
            moves += made if made >= 0 else self.recorded(seed, None).moves
        return moves

    def read(self, seed: int, moves: int, result: Any, trail: Any) -> Played:
        """What a compiled game left in its arrays."""
        n = self.players
        keeps = tuple(
            tuple(
                None if value == (NONE if keep.type.kind == "number" else -1) else int(value)
                for value in result[1 + i * n : 1 + i * n + n]
            )
            for i, keep in enumerate(self.kept)
        )
        winners = tuple(seat for seat in range(n) if result[0] >> seat & 1)
        taken = tuple((int(entry) >> 20, int(entry) & 0xFFFFF) for entry in trail[:moves]) if self.trail else ()
        return Played(seed, int(moves), winners, keeps, taken)


class NativeEngine(PythonEngine):
    """Plays compiled rules as machine code, many games at a time."""

    name = "native"

    def __init__(self, rules: Model, players: int, trail: bool = False) -> None:
        super().__init__(rules, players, trail)
        from teufelswerk.compiled import native

        self.arrays = native.arrays
        self.play_many = native.load(self.source)

    def play(self, seed: int) -> Played:
        return next(self.many(seed, 1))

    def many(self, first: int, count: int) -> Iterator[Played]:
        batch = BATCH_WITH_TRAIL if self.trail else BATCH
        for start in range(first, first + count, batch):
            size = min(batch, first + count - start)
            moves, results, trails = self.arrays(size, self.width, MAX_MOVES_IN_GAME if self.trail else 0)
            self.play_many(start, moves, results, trails)
            for game in range(size):
                if moves[game] < 0:
                    yield self.recorded(start + game, None)
                else:
                    yield self.read(start + game, moves[game], results[game], trails[game])

    def tally(self, first: int, count: int) -> Tally:
        tally, stuck = Tally(), []
        for start in range(first, first + count, BATCH):
            size = min(BATCH, first + count - start)
            moves, results, trails = self.arrays(size, self.width, 0)
            self.play_many(start, moves, results, trails)
            done = moves >= 0
            stuck += [start + game for game in range(size) if not done[game]]
            sums = [int(number) for number in results[done].sum(axis=0)]
            wins = [int((results[done, 0] >> seat & 1).sum()) for seat in range(self.players)]
            n, width = self.players, self.width
            tally.add(int(done.sum()), int(moves[done].sum()), wins, [sums[i : i + n] for i in range(1, width, n)])
        for seed in stuck:
            self.add(tally, self.recorded(seed, None))
        return tally

    def count(self, first: int, count: int) -> int:
        return self.tally(first, count).moves


def has_native() -> bool:
    return find_spec("numba") is not None


def make_engine(rules: Model, players: int, name: str | None = None, games: int = 0, trail: bool = False) -> Engine:
    """The engine of a name, or without one the fastest for so many games; the reference where nothing else will do.

    Rules that cannot be compiled are played by the reference interpreter; `note` of the engine then says what it was.
    """
    if name is None:
        name = "native" if games >= WORTH_COMPILING and has_native() else "python"
    if name == "native" and len(rules.cards) > NATIVE_CARDS:
        name = "python"
    try:
        if name != "reference":
            return (NativeEngine if name == "native" else PythonEngine)(rules, players, trail)
    except NotCompiled as reason:
        engine = Engine(rules, players, trail)
        engine.note = reason.diagnostic
        return engine
    return Engine(rules, players, trail)
