"""A tally → what one wants to know of a game: how long it is, who wins, what everyone has, and how sure that is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt

from teufelswerk.base.texts import Text
from teufelswerk.engines.paired import CERTAIN
from teufelswerk.engines.random_games import Engine
from teufelswerk.engines.tally import Tally
from teufelswerk.rulebook.words import term

from teufelswerk_cli.many.tournament import interval

MOVES, ROUNDS, WIN = "moves", "rounds", "win"


@dataclass(frozen=True)
class Measured:
    """A mean or a share in percent, and where it lies with 95 % confidence."""

    mean: float
    low: float
    high: float

    @property
    def reach(self) -> float:
        """How far the interval goes, at most, to either side of the mean."""
        return max(self.high - self.mean, self.mean - self.low)


def measures(engine: Engine) -> dict[str, Text]:
    """What can be measured, by the name that people type, and how it is called at the head of a column."""
    found = {MOVES: Text("moves a game")}
    if engine.counters is not None and engine.counters.round is not None:
        found[ROUNDS] = Text("rounds a game")
    for keep in engine.kept:
        if keep.counts:
            found.setdefault(keep.name, term(engine.game.rules, keep.name, "keep"))
    found[WIN] = Text("seat 1 wins, %")
    return found


def measured(engine: Engine, tally: Tally, name: str) -> Measured | None:
    """A measure over all games of a tally; None where no game has it."""
    if not tally.games:
        return None
    if name == MOVES:
        return mean(tally.lengths)
    if name == ROUNDS:
        return mean(tally.rounds)
    if name == WIN:
        share = tally.wins[0] / tally.games
        low, high = interval(share, tally.games)
        return Measured(100 * share, 100 * low, 100 * high)
    kept = tally.values[[keep.name for keep in engine.kept].index(name)]
    known = [seat for values in kept if (seat := mean(values)) is not None]
    if not known:
        return None
    # The seats of a game depend on each other; in whatever way they do, the mean of their intervals is not too narrow.
    parts = [(seat.mean, seat.low, seat.high) for seat in known]
    return Measured(*(sum(column) / len(known) for column in zip(*parts, strict=True)))


def mean(values: Counter[int]) -> Measured | None:
    """The mean of values that came up so often each."""
    games = sum(values.values())
    if not games:
        return None
    total = sum(value * number for value, number in values.items())
    squares = sum(value * value * number for value, number in values.items())
    # an integer: games² times the variance, so that nothing is lost in the subtraction
    spread = games * squares - total * total
    reach = CERTAIN * sqrt(spread / (games - 1)) / games if games > 1 else float("inf")
    return Measured(total / games, total / games - reach, total / games + reach)
