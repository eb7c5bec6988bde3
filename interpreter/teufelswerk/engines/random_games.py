"""Engines: the same games from the same seeds, by the reference interpreter, by compiled rules or by machine code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from teufelswerk.base.limits import MAX_MOVES_IN_GAME
from teufelswerk.compiled.context import ABSENT
from teufelswerk.compiled.targets import runtime
from teufelswerk.compiled.targets.python_source import python_source
from teufelswerk.compiled.whole_game import written
from teufelswerk.core.lower_game import core_of
from teufelswerk.engines.tally import Outcomes, Tally
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Event
from teufelswerk.model import Model

if TYPE_CHECKING:
    from teufelswerk.compiled.counter_layout import Counters
    from teufelswerk.engines.counting_reference import Watch

NAMES = ("reference", "python", "native")
WORTH_COMPILING = 5_000
"""Games from which on machine code makes up for the time that it takes to make it."""
BATCH, BATCH_WITH_COUNTS, BATCH_WITH_TRAIL = 4096, 1024, 8


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
    counts: tuple[int, ...] = ()
    """If asked for: what was counted, as the engine's `counters` describe it."""


@dataclass(frozen=True)
class Batch:
    """What machine code fills in for some games: arrays of 64-bit numbers, game after game."""

    moves: Any
    """The number of moves, or -1 where the rules are at fault."""
    results: Any
    trail: Any
    counts: Any


class Engine:
    """Plays random games with the reference interpreter. The faster engines are built upon it.

    With `counting` it has `counters`, which describe what it counts: `Played.counts` and `Tally.counts` are vectors
    of that kind, and the rounds of each game are known if it has rounds.
    """

    name = "reference"

    def __init__(self, rules: Model, players: int, trail: bool = False, counting: bool = False) -> None:
        self.players = players
        self.trail = trail
        self.counters: Counters | None = None
        self.watch: Watch | None = None
        if counting:
            from teufelswerk.compiled.counter_layout import Counters
            from teufelswerk.engines.counting_reference import WatchedGame

            self.counters = Counters(rules, players)
            watched = WatchedGame(self.counters)
            self.game: Game = watched
            self.watch = watched.watch
        else:
            self.game = Game(rules, players)
        self.kept = [k for k in rules.keeps.values() if k.key is not None and k.key.of_players]

    def play(self, seed: int) -> Played:
        """The game of a seed. Raises RuleError where the rules are at fault."""
        return self.recorded(seed, None)

    def recorded(self, seed: int, log: list[Event] | None, legal: bool = False) -> Played:
        """The same, by the reference interpreter; the log, if any, gets every event."""
        trail: list[tuple[int, int]] = []
        machine, layout = self.game.random_game(seed, log, legal, trail), self.game.layout
        keeps = tuple(tuple(machine.keeps[index] for index in layout.of_seats(keep)) for keep in self.kept)
        followed, counts = tuple(trail) if self.trail else (), tuple(self.watch.counts) if self.watch else ()
        return Played(seed, len(trail), machine.winners or (), keeps, followed, counts)

    def many(self, first: int, count: int) -> Iterator[Played]:
        """The games of so many seeds, one after the other."""
        return (self.play(seed) for seed in range(first, first + count))

    def tally(self, first: int, count: int) -> Tally:
        """The games of so many seeds, added up."""
        tally = Tally()
        for start in range(first, first + count, BATCH):
            tally.add(self.outcomes(start, min(BATCH, first + count - start)), self.players)
        return tally

    def add(self, tally: Tally, game: Played) -> None:
        tally.add(self.gathered([game]), self.players)

    def outcomes(self, first: int, count: int) -> Outcomes:
        """How the games of so many seeds came out, one by one; what was counted is added up."""
        return self.gathered(self.many(first, count))

    def gathered(self, games: Iterable[Played]) -> Outcomes:
        found = Outcomes(keeps=[[[] for _ in range(self.players)] for _ in self.kept])
        counts = [0] * (self.counters.size if self.counters else 0)
        for game in games:
            found.moves.append(game.moves)
            found.winners.append(sum(1 << seat for seat in game.winners))
            for kept, values in zip(found.keeps, game.keeps, strict=True):
                for seat, value in zip(kept, values, strict=True):
                    seat.append(value)
            if self.counters is not None:
                counts = [a + b for a, b in zip(counts, game.counts, strict=True)]
                found.beginners.append(self.counters.beginner(game.counts))
                found.forced.append(self.counters.forced(game.counts))
                if self.counters.round is not None:
                    found.rounds.append(game.counts[self.counters.round])
        found.counts = counts
        return found

    def count(self, first: int, count: int) -> int:
        """Plays the games of so many seeds for the number of their moves alone."""
        return sum(self.play(seed).moves for seed in range(first, first + count))


class PythonEngine(Engine):
    """Plays compiled rules as plain Python."""

    name = "python"

    def __init__(self, rules: Model, players: int, trail: bool = False, counting: bool = False) -> None:
        super().__init__(rules, players, trail, counting)
        self.width = 1 + len(self.kept) * players
        self.prepare(rules)

    def prepare(self, rules: Model) -> None:
        game = written(core_of(rules), self.game.layout, counters=self.counters)
        source = python_source(game, self.trail)
        self._play: Callable[..., int] = runtime.load(source, f"{rules.name} for {self.players} players")

    def play(self, seed: int) -> Played:
        result, counts = [0] * self.width, [0] * (self.counters.size if self.counters else 0)
        trail: list[tuple[int, int]] = []
        try:
            moves = self._play(seed, result, trail, counts)
        except runtime.Stuck:
            return self.at_fault(seed)
        return self.read(seed, moves, result, tuple(trail), tuple(counts))

    def at_fault(self, seed: int) -> Played:
        """Compiled rules found themselves at fault: the reference interpreter says where."""
        return self.recorded(seed, None)

    def count(self, first: int, count: int) -> int:
        play, result, moves = self._play, [0] * self.width, 0
        counts = [0] * (self.counters.size if self.counters else 0)
        for seed in range(first, first + count):
            try:
                moves += play(seed, result, [], counts)
            except runtime.Stuck:
                moves += self.at_fault(seed).moves
        return moves

    def read(
        self, seed: int, moves: int, result: Sequence[int], trail: tuple[tuple[int, int], ...], counts: tuple[int, ...]
    ) -> Played:
        """What a compiled game left in its array."""
        n = self.players
        keeps = tuple(
            tuple(None if value == ABSENT else value for value in result[1 + i * n : 1 + i * n + n])
            for i in range(len(self.kept))
        )
        winners = tuple(seat for seat in range(n) if result[0] >> seat & 1)
        return Played(seed, moves, winners, keeps, trail, counts)


class NativeEngine(PythonEngine):
    """Plays compiled rules as machine code, many games at a time."""

    name = "native"

    def prepare(self, rules: Model) -> None:
        from teufelswerk.compiled.targets.llvm_module import llvm_module
        from teufelswerk.compiled.targets.memory import Memory
        from teufelswerk.engines import machine_code

        game = written(core_of(rules), self.game.layout, counters=self.counters)
        memory = Memory(game)
        library = machine_code.Library(llvm_module(game, memory, machine_code.can_spread(), self.trail))
        array, number = machine_code.ARRAY, machine_code.NUMBER
        self.play_many = library.function("play_many", None, array, number, number, *[array] * 4, number)
        self.numbers = machine_code.numbers
        self.memory = self.numbers(memory.size)
        self.library = library

    def play(self, seed: int) -> Played:
        return next(self.many(seed, 1))

    def batches(self, first: int, count: int, trail: bool) -> Iterator[tuple[int, Batch]]:
        """Some games at a time: the first seed, and what was filled in for them."""
        size = BATCH_WITH_TRAIL if trail else BATCH_WITH_COUNTS if self.counters else BATCH
        width = self.counters.size if self.counters else 0
        for start in range(first, first + count, size):
            games = min(size, first + count - start)
            batch = Batch(
                self.numbers(games),
                self.numbers(games * self.width),
                self.numbers(games * 2 * MAX_MOVES_IN_GAME if trail else 0),
                self.numbers(games * width),
            )
            # seeds are taken as 64 bits: the machine's numbers have a sign, which makes no difference
            seed = (start + (1 << 63)) % (1 << 64) - (1 << 63)
            self.play_many(self.memory, seed, games, batch.moves, batch.results, batch.trail, batch.counts, width)
            yield start, batch

    def many(self, first: int, count: int) -> Iterator[Played]:
        width, counted = self.width, self.counters.size if self.counters else 0
        for start, batch in self.batches(first, count, self.trail):
            for game, moves in enumerate(batch.moves):
                if moves < 0:
                    yield self.at_fault(start + game)
                    continue
                at = game * 2 * MAX_MOVES_IN_GAME
                noted = batch.trail[at : at + 2 * moves] if self.trail else []
                trail = tuple(zip(noted[::2], noted[1::2], strict=True))
                result = batch.results[game * width : game * width + width]
                counts = tuple(batch.counts[game * counted : game * counted + counted])
                yield self.read(start + game, moves, result, trail, counts)

    def outcomes(self, first: int, count: int) -> Outcomes:
        found = self.gathered([])
        for start, batch in self.batches(first, count, False):
            if min(batch.moves, default=0) < 0:  # some game got stuck: what it left half done must not be counted
                found.extend(self.gathered(self.many(start, len(batch.moves))))
            else:
                found.extend(self.columns(batch))
        return found

    def columns(self, batch: Batch) -> Outcomes:
        """What a batch of compiled games left in its arrays."""
        n, width = self.players, self.width
        found = Outcomes(list(batch.moves), batch.results[::width])
        for kept in range(len(self.kept)):
            columns = [batch.results[1 + kept * n + seat :: width] for seat in range(n)]
            found.keeps.append([[None if v == ABSENT else v for v in column] for column in columns])
        if self.counters is not None:
            size = self.counters.size
            rows = [batch.counts[game * size : game * size + size] for game in range(len(batch.moves))]
            found.counts = [sum(column) for column in zip(*rows, strict=True)]
            found.beginners = [self.counters.beginner(row) for row in rows]
            found.forced = [self.counters.forced(row) for row in rows]
            if self.counters.round is not None:
                found.rounds = [row[self.counters.round] for row in rows]
        return found

    def count(self, first: int, count: int) -> int:
        total = 0
        for start, batch in self.batches(first, count, False):
            if min(batch.moves) < 0:
                total += sum(m if m >= 0 else self.at_fault(start + i).moves for i, m in enumerate(batch.moves))
            else:
                total += sum(batch.moves)
        return total


def has_native() -> bool:
    return find_spec("llvmlite") is not None


def make_engine(
    rules: Model,
    players: int,
    name: str | None = None,
    games: int = 0,
    trail: bool = False,
    counting: bool = False,
) -> Engine:
    """The engine of a name, or without one the fastest for so many games.

    With `trail` every decision is written down, with `counting` it is counted what happens: see `Engine.counters`.
    """
    if name is None:
        name = "native" if games >= WORTH_COMPILING and has_native() else "python"
    kinds = {"reference": Engine, "python": PythonEngine, "native": NativeEngine}
    return kinds[name](rules, players, trail, counting)
