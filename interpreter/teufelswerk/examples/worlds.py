"""Positions that leave cards open: every question splits them only as far as its answer depends on where a card lies.

An open card may lie in any of some hidden places, whatever the others do. When an answer depends on whether a card
lies in a place, `Split` is raised, and whoever asked tries again in both worlds: with the card there, and without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeVar

from teufelswerk.base.budget import Meter
from teufelswerk.base.limits import MAX_WORLDS
from teufelswerk.base.texts import Text
from teufelswerk.examples.open_cards import clone, exclude, hold
from teufelswerk.interpreter.machine import Machine, RuleError

Result = TypeVar("Result")
COPYING = 8
"""So many cards of a world are copied in the time in which one thing is looked at."""
Uncertain = tuple[int, int]
"""A card, and the place in which it would have to lie."""


class Split(Exception):
    """The answer depends on whether a card lies in a place."""

    def __init__(self, card: int, place: int) -> None:
        super().__init__(card, place)
        self.card = card
        self.place = place


class SplitMany(Exception):
    """The answer depends on whether any of some cards lies where it would matter; which one makes no difference."""

    def __init__(self, doubts: list[Uncertain]) -> None:
        super().__init__(doubts)
        self.doubts = doubts


class Forked(Exception):
    """The answer depends on something else; `ways` makes of a world those in which to ask again."""

    def __init__(self, ways: Callable[[Machine], list[Machine]]) -> None:
        super().__init__(ways)
        self.ways = ways


class TooOpen(RuleError):
    """A question that cannot be answered in all the worlds that an example leaves open."""

    def __init__(self, place: int | None = None) -> None:
        message = Text("the example leaves too much open to be searched")
        super().__init__("too-open", message, None, Text("give more of the cards, with `given`"))
        self.place = place
        """Where the cards lie on which it depends most."""


class Explorer:
    """Runs questions in every world that their answers tell apart, within a budget."""

    def __init__(self, meter: Meter, most: int = MAX_WORLDS) -> None:
        self.meter = meter
        self.most = most
        self.worlds = 0
        self.asked: Counter[int] = Counter()
        """How often it mattered whether a card lies in a place."""

    def explore(self, m: Machine, work: Callable[[Machine], Result]) -> Iterator[tuple[Result, Machine]]:
        """Each result with the world, as the work left it, in which it holds."""
        stack = [m]
        while stack:
            world = stack.pop()
            self.one_more()
            trial = clone(world)
            self.meter.work += len(world.where) // COPYING
            try:
                result = work(trial)
            except (Split, SplitMany, Forked) as fork:
                stack += self.ways(world, fork)
                continue
            yield result, trial

    def one_more(self) -> None:
        """Counts a world that is looked at."""
        self.worlds += 1
        if self.worlds > self.most:
            raise TooOpen(self.asked.most_common(1)[0][0] if self.asked else None)

    def ways(self, world: Machine, fork: Split | SplitMany | Forked) -> list[Machine]:
        """The worlds in which to ask again, the last one first."""
        if isinstance(fork, Forked):
            return fork.ways(world)[::-1]
        if isinstance(fork, Split):
            self.asked[fork.place] += 1
            inside, outside = clone(world), clone(world)
            could = hold(inside, fork.card, fork.place), exclude(outside, fork.card, fork.place)
            if could == (False, False) or (
                could != (True, True) and world.open == (inside if could[0] else outside).open
            ):
                raise TooOpen(fork.place) from None
            return [w for w, possible in zip((outside, inside), reversed(could), strict=True) if possible]
        self.asked[fork.doubts[0][1]] += 1
        some, none = clone(world), clone(world)
        if not hold(some, *fork.doubts[0]):
            raise TooOpen(fork.doubts[0][1]) from None
        return [some, none] if all(exclude(none, card, place) for card, place in fork.doubts) else [some]
