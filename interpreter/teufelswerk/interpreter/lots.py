"""Chance that is decided from outside and not drawn: what it is asked for, and shuffled cards of which it is not known
yet which one lies where.

A shuffled place that nobody sees stays undecided, and is asked for when the rules look. So a deal is as many lots as
cards are dealt, and not as many as lie in the deck.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, SupportsIndex, overload


class LotWanted(Exception):
    """Raised where chance has to decide something that has not been decided yet."""

    def __init__(self, ways: dict[int, int]) -> None:
        super().__init__(ways)
        self.ways = ways
        """What can come of it: each with its weight."""


class Lots:
    """What chance has decided, one thing after the other, since the last decision of a player."""

    def __init__(self, decided: Iterable[int], faces: Sequence[int]) -> None:
        self.decided = iter(decided)
        self.faces = faces
        """For every card, what it shows: identical cards are one outcome."""

    def one_of(self, ways: dict[int, int]) -> int:
        """What has been decided between several ways, each with its weight."""
        if len(ways) == 1:
            return next(iter(ways))
        found = next(self.decided, None)
        if found is None:
            raise LotWanted(ways)
        return found

    def below(self, n: int) -> int:
        return self.one_of(dict.fromkeys(range(n), 1))

    def shuffle(self, cards: list[int], hidden: bool) -> list[int]:
        """The cards in a new order, which is decided at once only if somebody can see it."""
        shuffled = Shuffled(sorted(cards), range(len(cards)), self)
        return shuffled if hidden else list(shuffled)


class Shuffled(list[int]):
    """The cards of a place in their order; of some positions it is not decided yet which of the cards lies there."""

    def __init__(self, cards: Iterable[int], undecided: Iterable[int], lots: Lots) -> None:
        super().__init__(cards)
        self.undecided = set(undecided)
        self.lots = lots

    def settle(self, position: int) -> int:
        """The card at a position."""
        if position in self.undecided:
            first: dict[int, int] = {}
            ways: dict[int, int] = {}
            for at in sorted(self.undecided):
                face = self.lots.faces[super().__getitem__(at)]
                found = first.setdefault(face, super().__getitem__(at))
                ways[found] = ways.get(found, 0) + 1
            card = self.lots.one_of(ways)
            other = super().index(card)
            super().__setitem__(other, super().__getitem__(position))
            super().__setitem__(position, card)
            self.undecided.remove(position)
        return super().__getitem__(position)

    @overload
    def __getitem__(self, key: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> list[int]: ...
    def __getitem__(self, key: Any) -> Any:
        positions = range(len(self))[key]
        return [self.settle(at) for at in positions] if isinstance(positions, range) else self.settle(positions)

    def __iter__(self) -> Iterator[int]:
        return map(self.settle, range(len(self)))

    def __reversed__(self) -> Iterator[int]:
        return map(self.settle, range(len(self) - 1, -1, -1))

    def index(self, card: int, *bounds: SupportsIndex) -> int:
        return self[:].index(card, *bounds)

    def remove(self, card: int) -> None:
        at = super().index(card)
        if at in self.undecided and max(self.undecided) - min(self.undecided) >= len(self.undecided):
            at = self.index(card)  # others lie between, so it matters from where it goes
        super().__delitem__(at)
        self.undecided = {other - (other > at) for other in self.undecided if other != at}

    def insert(self, at: SupportsIndex, card: int) -> None:
        position = range(len(self) + 1)[at]
        super().insert(position, card)
        self.undecided = {other + (other >= position) for other in self.undecided}
