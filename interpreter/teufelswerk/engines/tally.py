"""What many games add up to, in whatever order and in however many parts they were played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace


@dataclass
class Outcomes:
    """How the games of some seeds, one after the other, came out: lists with an entry for each game."""

    moves: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    """The seats that won, as bits."""
    rounds: list[int] = field(default_factory=list)
    """Empty unless the engine counts and the game has rounds."""
    keeps: list[list[list[int | None]]] = field(default_factory=list)
    """For each thing that is kept of each player and for each seat. What was never set is None."""
    beginners: list[int] = field(default_factory=list)
    """The seat that decided first; empty unless the engine counts."""
    forced: list[int] = field(default_factory=list)
    """How many decisions there were with a single choice; empty unless the engine counts."""
    counts: list[int] = field(default_factory=list)
    """What was counted in all of these games together; empty unless the engine counts."""

    def from_beginner(self, players: int) -> Outcomes:
        """The same games with the seats counted from the player who decided first."""
        everyone = (1 << players) - 1
        return replace(
            self,
            beginners=[0] * len(self.moves),
            winners=[
                (won >> first | won << players - first) & everyone
                for won, first in zip(self.winners, self.beginners, strict=True)
            ],
            keeps=[
                [
                    [kept[(first + place) % players][game] for game, first in enumerate(self.beginners)]
                    for place in range(players)
                ]
                for kept in self.keeps
            ],
        )

    def extend(self, others: Outcomes) -> None:
        """Adds the games of more seeds."""
        self.moves += others.moves
        self.winners += others.winners
        self.rounds += others.rounds
        self.beginners += others.beginners
        self.forced += others.forced
        for own, added in zip(self.keeps, others.keeps, strict=True):
            for seat, values in zip(own, added, strict=True):
                seat += values
        self.counts = _plus(self.counts, others.counts)


@dataclass
class Tally:
    """Games added up: only integers, so that no order and no division of the work changes anything."""

    games: int = 0
    moves: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    """How many games had so many moves."""
    rounds: Counter[int] = field(default_factory=Counter)
    """How many games had so many rounds; empty unless the engine counts and the game has rounds."""
    wins: list[int] = field(default_factory=list)
    """How many games each seat won, alone or with others."""
    winners: Counter[int] = field(default_factory=Counter)
    """How many games were won by so many players together."""
    values: list[list[Counter[int]]] = field(default_factory=list)
    """For each thing that is kept of each player and for each seat: how many games ended with that value."""
    counts: list[int] = field(default_factory=list)
    """What was counted, as the engine's `counters` describe it; empty unless the engine counts."""

    def add(self, played: Outcomes, players: int) -> None:
        self.games += len(played.moves)
        self.moves += sum(played.moves)
        self.lengths.update(played.moves)
        self.rounds.update(played.rounds)
        sides = Counter(played.winners)
        self.wins = _plus(self.wins, [sum(n for side, n in sides.items() if side >> s & 1) for s in range(players)])
        for side, number in sides.items():
            self.winners[side.bit_count()] += number
        values = [[Counter(v for v in seat if v is not None) for seat in kept] for kept in played.keeps]
        self._add_values(values)
        self.counts = _plus(self.counts, played.counts)

    def merge(self, other: Tally) -> None:
        """Adds the games of another tally of the same rules and as many players."""
        if not other.games:
            return
        self.games += other.games
        self.moves += other.moves
        self.lengths.update(other.lengths)
        self.rounds.update(other.rounds)
        self.wins = _plus(self.wins, other.wins)
        self.winners.update(other.winners)
        self._add_values(other.values)
        self.counts = _plus(self.counts, other.counts)

    def _add_values(self, values: Sequence[Sequence[Counter[int]]]) -> None:
        if not self.values:
            self.values = [[Counter() for _ in kept] for kept in values]
        for own, added in zip(self.values, values, strict=True):
            for one, other in zip(own, added, strict=True):
                one.update(other)

    @property
    def sums(self) -> list[list[int]]:
        """Of each thing that is kept the sum by seat."""
        return [[sum(value * number for value, number in seat.items()) for seat in kept] for kept in self.values]


def _plus(one: Sequence[int], other: Sequence[int]) -> list[int]:
    return [a + b for a, b in zip(one, other, strict=True)] if one else list(other)
