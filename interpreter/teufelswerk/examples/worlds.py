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


class TooOpen(RuleError):
    """A question that cannot be answered in all the worlds that an example leaves open."""

    def __init__(self, place: int | None = None) -> None:
        message = Text("the example leaves too much open to be searched")
        super().__init__("too-open", message, None, Text("give more of the cards, with `given`"))
        self.place = place
        """Where the cards lie on which it depends most."""


class Explorer:
    """Runs questions in every world that their answers tell apart, within a budget."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.worlds = 0
        self.asked: Counter[int] = Counter()
        """How often it mattered whether a card lies in a place."""

    def explore(self, m: Machine, work: Callable[[Machine], Result]) -> Iterator[tuple[Result, Machine]]:
        """Each result with the world, as the work left it, in which it holds."""
        stack = [m]
        while stack:
            world = stack.pop()
            self.worlds += 1
            if self.worlds > MAX_WORLDS:
                raise TooOpen(self.asked.most_common(1)[0][0] if self.asked else None)
            trial = clone(world)
            self.meter.work += len(world.where) // COPYING
            try:
                result = work(trial)
            except Split as split:
                self.asked[split.place] += 1
                inside, outside = clone(world), clone(world)
                could = hold(inside, split.card, split.place), exclude(outside, split.card, split.place)
                if could == (False, False) or (
                    could != (True, True) and world.open == (inside if could[0] else outside).open
                ):
                    raise TooOpen(split.place) from None
                stack += [w for w, possible in zip((outside, inside), reversed(could), strict=True) if possible]
                continue
            except SplitMany as split:
                self.asked[split.doubts[0][1]] += 1
                some, none = clone(world), clone(world)
                if not hold(some, *split.doubts[0]):
                    raise TooOpen(split.doubts[0][1]) from None
                stack.append(some)
                if all(exclude(none, card, place) for card, place in split.doubts):
                    stack.append(none)
                continue
            yield result, trial
