"""What many games of one game came to, in the terms of its rule file: the figures that the report is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from teufelswerk.base.texts import Text
from teufelswerk.model import Model
from teufelswerk.report.estimates import Estimate, Histogram, mean_of, share_of


@dataclass(frozen=True)
class Decisions:
    """How often somebody had to decide, how often there was only one option, and how many options there were in all."""

    asked: int = 0
    forced: int = 0
    options: int = 0

    def __add__(self, other: Decisions) -> Decisions:
        return Decisions(self.asked + other.asked, self.forced + other.forced, self.options + other.options)

    @property
    def forced_share(self) -> Estimate:
        return share_of(self.forced, self.asked)

    @property
    def mean_options(self) -> float:
        return self.options / self.asked if self.asked else 0.0


def added(decisions: Iterable[Decisions]) -> Decisions:
    return sum(decisions, Decisions())


@dataclass(frozen=True)
class Decision:
    """A place of the rules at which a player decides, and what came of it by seat."""

    heading: Text
    """Where the rulebook tells what may be done."""
    clause: str
    seats: tuple[Decisions, ...]

    @property
    def total(self) -> Decisions:
        return added(self.seats)


@dataclass(frozen=True)
class CardCounts:
    """How often something happened with each card, out of how many times that it might have.

    `took`: its player got all the cards that it lay among, out of the times that it was put there; `paid`: how much
    was paid, out of the times that it was put anywhere; `moved`: how often it went to a place, out of all games.
    """

    sort: Literal["took", "paid", "moved"]
    name: str
    """The place, or what is paid."""
    times: tuple[int, ...]
    chances: tuple[int, ...]
    clause: str = ""
    """Of the rule file, where there may be several that count the same."""

    def rates(self) -> dict[int, float]:
        """For each card that came up at all."""
        return {
            card: times / chances
            for card, (times, chances) in enumerate(zip(self.times, self.chances, strict=True))
            if chances
        }


@dataclass(frozen=True)
class Sample:
    """Many games of one game. Seats are counted from the player who made the first move."""

    rules: Model
    players: int
    games: int
    moves: Histogram
    rounds: Histogram
    """Empty where the rules know no rounds."""
    wins: tuple[int, ...]
    """How often each seat won; a shared win counts for everyone who shares it."""
    winners: Histogram
    """How many won at once."""
    kept: Mapping[str, tuple[Histogram, ...]]
    """For each number that is kept of each player: what each seat had at the end."""
    decisions: tuple[Decision, ...]
    fired: Mapping[int, int]
    """How often each rule and branch came into play, by its number in the rules."""
    cards: tuple[CardCounts, ...]

    def won(self, seat: int) -> Estimate:
        return share_of(self.wins[seat], self.games)

    @property
    def even_share(self) -> float:
        """How often everyone would win if the seat made no difference."""
        return sum(self.wins) / (self.players * self.games) if self.games else 0.0

    @property
    def shared(self) -> Estimate:
        """How often several players won together, or several sides."""
        alone = len(self.together[0])
        return share_of(sum(games for number, games in self.winners.items() if number > alone), self.games)

    @property
    def together(self) -> list[range]:
        """The seats of each side, or of each player."""
        return self.rules.together(self.players)

    def holders(self, kept: str) -> list[range]:
        """The seats of each who have a number of their own."""
        key = self.rules.keeps[kept].key
        of_sides = key is not None and key.kind != "player"
        return self.together if of_sides else [range(seat, seat + 1) for seat in range(self.players)]

    @property
    def lost(self) -> Estimate:
        """How often nobody won."""
        return share_of(self.winners.get(0, 0), self.games)

    def all_seats(self, kept: str) -> Histogram:
        found: Counter[int] = Counter()
        for histogram in self.kept[kept]:
            found.update(histogram)
        return found

    def kept_mean(self, kept: str, seat: int) -> Estimate:
        return mean_of(self.kept[kept][seat])

    @property
    def deciding(self) -> Decisions:
        return added(decision.total for decision in self.decisions)

    def by_seat(self) -> list[Decisions]:
        return [added(decision.seats[seat] for decision in self.decisions) for seat in range(self.players)]
