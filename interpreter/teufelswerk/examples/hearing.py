"""A real table → what its people have to be asked: which card was turned up, what somebody has shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from teufelswerk.base.texts import Text
from teufelswerk.examples.open_cards import clone
from teufelswerk.examples.worlds import Forked
from teufelswerk.interpreter.machine import Machine

SHOWN, ANYWHERE = -1, -2
"""Instead of the place to which cards go: they are shown where they lie. Instead of the place from which they come."""


@dataclass(frozen=True)
class Question:
    """Which cards come from a place to another one, or are shown in it; so many of some that may be."""

    place: int
    to: int
    amount: int | None
    among: tuple[int, ...]
    perhaps: bool = False
    """Whether it may also be that there are none."""


@dataclass(frozen=True)
class Happened:
    """Which of some things has happened, each as it is told, or as it shows in what is kept."""

    ways: tuple[tuple[Text, ...], ...]


@dataclass(frozen=True)
class Answer:
    """Which cards they were. Where they came into sight in a way that is not known, `to` is where they lie now."""

    place: int
    to: int
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Way:
    """What has happened, of several things."""

    told: tuple[Text, ...]


class Wanted(Exception):
    """Raised where the game cannot go on before somebody says which cards these are."""

    def __init__(self, question: Question | Happened) -> None:
        super().__init__(question)
        self.question = question


class ShownFirst(Wanted):
    """Raised where a move cannot be judged before somebody says what lies in a hidden place."""


def impossible(world: Machine) -> list[Machine]:
    """What becomes of a world in which the cards cannot lie as people say."""
    return []


@dataclass
class Hearing:
    """What people have answered since the last move, and what was supposed where it could not be known."""

    answers: Sequence[Answer | Way]
    used: dict[tuple[int, int], int] = field(default_factory=dict)
    supposed: tuple[int, ...] = ()
    at: int = 0
    """How many of the suppositions have been used."""
    first: dict[int, int] = field(default_factory=dict)
    """The card that lies first in a place of which nobody has seen the others."""

    def copy(self) -> Hearing:
        return Hearing(self.answers, dict(self.used), self.supposed, self.at, dict(self.first))

    def cards(self, place: int, to: int, amount: int | None, among: Sequence[int]) -> tuple[int, ...]:
        """Which cards these are, as people say. Raises Wanted if they have not been asked."""
        key = place, to
        number = self.used[key] = self.used.get(key, -1) + 1
        said = [answer for answer in self.answers if isinstance(answer, Answer) and (answer.place, answer.to) == key]
        if number >= len(said):
            raise Wanted(Question(place, to, amount, tuple(among)))
        if (amount is not None and len(said[number].cards) != amount) or not said[number].cards:
            raise Forked(impossible)
        return said[number].cards

    def all_used(self) -> bool:
        """Whether everything was asked that people have answered."""
        said = [(answer.place, answer.to) for answer in self.answers if isinstance(answer, Answer) and answer.cards]
        return all(self.used.get(key, -1) + 1 >= said.count(key) for key in said if key[0] != ANYWHERE)

    def suppose(self, ways: int) -> int:
        """One of some ways in which it may be: it is followed in each."""
        if self.at == len(self.supposed):
            raise Forked(lambda world: [_supposing(world, way) for way in range(ways)])
        self.at += 1
        return self.supposed[self.at - 1]


def _supposing(world: Machine, way: int) -> Machine:
    twin = clone(world)
    twin.hearing.supposed = *twin.hearing.supposed, way
    return twin
