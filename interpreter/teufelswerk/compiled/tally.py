"""What many games add up to, in whatever order and in however many parts they were played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Sums over games: how many, how many moves, how often each seat won, and of each thing kept the sum by seat."""

    games: int = 0
    moves: int = 0
    wins: list[int] = field(default_factory=list)
    sums: list[list[int]] = field(default_factory=list)

    def add(self, games: int, moves: int, wins: Sequence[int], sums: Sequence[Sequence[int]]) -> None:
        self.games += games
        self.moves += moves
        self.wins = _plus(self.wins, wins)
        if not self.sums:
            self.sums = [[] for _ in sums]
        self.sums = [_plus(one, other) for one, other in zip(self.sums, sums, strict=True)]

    def merge(self, other: Tally) -> None:
        if other.games:
            self.add(other.games, other.moves, other.wins, other.sums)


def _plus(one: Sequence[int], other: Sequence[int]) -> list[int]:
    return [a + b for a, b in zip(one, other, strict=True)] if one else list(other)
