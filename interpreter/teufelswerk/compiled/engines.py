"""Engines: the same games from the same seeds, by the reference interpreter, by compiled rules or by machine code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from teufelswerk.compiled import runtime
from teufelswerk.compiled.emit import NotCompiled
from teufelswerk.compiled.flow import compile_source
from teufelswerk.compiled.tables import NONE
from teufelswerk.compiled.tally import Outcomes, Tally
from teufelswerk.diagnostics import Diagnostic
from teufelswerk.game import Game
from teufelswerk.limits import MAX_MOVES_IN_GAME
from teufelswerk.machine import Event
from teufelswerk.model import Model

if TYPE_CHECKING:
    from teufelswerk.compiled.counted import Counters
    from teufelswerk.compiled.watched import Watch

NAMES = ("reference", "python", "native")
NATIVE_CARDS = 63
"""Cards that fit into the bits of one machine number."""
WORTH_COMPILING = 20_000
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


class Engine:
    """Plays random games with the reference interpreter. The faster engines are built upon it and fall back to it.

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
            from teufelswerk.compiled.counted import Counters
            from teufelswerk.compiled.watched import WatchedGame

            self.counters = Counters(rules, players)
            watched = WatchedGame(self.counters)
            self.game: Game = watched
            self.watch = watched.watch
        else:
            self.game = Game(rules, players)
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
        self.source = compile_source(rules, players, trail, self.counters)
        self.width = 1 + len(self.kept) * players
        self._play: Callable[..., int] = runtime.load(self.source, f"{rules.name} for {players} players")

    def play(self, seed: int) -> Played:
        result, trail = [0] * self.width, [0] * (MAX_MOVES_IN_GAME if self.trail else 0)
        counts = self._vectors()
        moves = self._play(seed, result, trail, *counts)
        return self.recorded(seed, None) if moves < 0 else self.read(seed, moves, result, trail, *counts)

    def _vectors(self) -> list[list[int]]:
        """What the compiled game counts in, if it counts."""
        return [[0] * self.counters.size] if self.counters else []

    def count(self, first: int, count: int) -> int:
        play, result, counts, moves = self._play, [0] * self.width, self._vectors(), 0
        for seed in range(first, first + count):
            made = play(seed, result, (), *counts)
            moves += made if made >= 0 else self.recorded(seed, None).moves
        return moves

    def read(self, seed: int, moves: int, result: Any, trail: Any, counts: Any = ()) -> Played:
        """What a compiled game left in its arrays."""
        n = self.players
        keeps = tuple(
            tuple(None if value == self.absent(i) else int(value) for value in result[1 + i * n : 1 + i * n + n])
            for i in range(len(self.kept))
        )
        winners = tuple(seat for seat in range(n) if result[0] >> seat & 1)
        taken = tuple((int(entry) >> 20, int(entry) & 0xFFFFF) for entry in trail[:moves]) if self.trail else ()
        return Played(seed, int(moves), winners, keeps, taken, tuple(map(int, counts)))

    def absent(self, kept: int) -> int:
        """What stands for a kept thing that was never set."""
        return NONE if self.kept[kept].type.kind == "number" else -1


class NativeEngine(PythonEngine):
    """Plays compiled rules as machine code, many games at a time."""

    name = "native"

    def __init__(self, rules: Model, players: int, trail: bool = False, counting: bool = False) -> None:
        super().__init__(rules, players, trail, counting)
        from teufelswerk.compiled import native

        self.arrays = native.arrays
        self.play_many = native.load(self.source, counting)

    def play(self, seed: int) -> Played:
        return next(self.many(seed, 1))

    def batches(self, first: int, count: int, trail: bool) -> Iterator[tuple[int, list[Any]]]:
        """Some games at a time: the first seed, and what `play_many` filled for them."""
        batch = BATCH_WITH_TRAIL if trail else BATCH_WITH_COUNTS if self.counters else BATCH
        widths = [self.width, MAX_MOVES_IN_GAME if trail else 0, *([self.counters.size] if self.counters else [])]
        for start in range(first, first + count, batch):
            filled = self.arrays(min(batch, first + count - start), *widths)
            self.play_many(start, *filled)
            yield start, filled

    def many(self, first: int, count: int) -> Iterator[Played]:
        for start, (moves, *arrays) in self.batches(first, count, self.trail):
            for game in range(len(moves)):
                if moves[game] < 0:
                    yield self.recorded(start + game, None)
                else:
                    yield self.read(start + game, moves[game], *(rows[game] for rows in arrays))

    def outcomes(self, first: int, count: int) -> Outcomes:
        found = self.gathered([])
        for start, (moves, results, _, *counted) in self.batches(first, count, False):
            if (moves < 0).any():  # some game got stuck: what it left half done must not be counted
                parts = self.gathered(self.many(start, len(moves)))
            else:
                parts = self.columns(moves, results, *counted)
            found.extend(parts)
        return found

    def columns(self, moves: Any, results: Any, counts: Any = None) -> Outcomes:
        """What a batch of compiled games left in its arrays."""
        n, absent = self.players, [self.absent(kept) for kept in range(len(self.kept))]
        found = Outcomes(moves.tolist(), results[:, 0].tolist())
        for kept, none in enumerate(absent):
            columns = [results[:, 1 + kept * n + seat].tolist() for seat in range(n)]
            found.keeps.append([[None if v == none else v for v in column] for column in columns])
        if self.counters is not None:
            found.counts = counts.sum(axis=0).tolist()
            found.beginners = counts[:, self.counters.began : self.counters.began + n].argmax(axis=1).tolist()
            forced = self.counters.rows_of("forced")
            found.forced = sum(counts[:, row.first : row.first + n].sum(axis=1) for row in forced).tolist()
            if self.counters.round is not None:
                found.rounds = counts[:, self.counters.round].tolist()
        return found

    def count(self, first: int, count: int) -> int:
        total = 0
        for start, (moves, *_) in self.batches(first, count, False):
            total += int(moves[moves >= 0].sum())
            total += sum(self.recorded(start + int(game), None).moves for game in (moves < 0).nonzero()[0])
        return total


def has_native() -> bool:
    return find_spec("numba") is not None


def make_engine(
    rules: Model,
    players: int,
    name: str | None = None,
    games: int = 0,
    trail: bool = False,
    counting: bool = False,
) -> Engine:
    """The engine of a name, or without one the fastest for so many games; the reference where nothing else will do.

    Rules that cannot be compiled are played by the reference interpreter; `note` of the engine then says what it was.
    With `trail` every decision is written down, with `counting` it is counted what happens: see `Engine.counters`.
    """
    if name is None:
        name = "native" if games >= WORTH_COMPILING and has_native() else "python"
    if name == "native" and len(rules.cards) > NATIVE_CARDS:
        name = "python"
    try:
        if name != "reference":
            return (NativeEngine if name == "native" else PythonEngine)(rules, players, trail, counting)
    except NotCompiled as reason:
        engine = Engine(rules, players, trail, counting)
        engine.note = reason.diagnostic
        return engine
    return Engine(rules, players, trail, counting)
