"""Two sets of rules on the same seeds → how much one differs from the other, figure by figure, with an interval.

Only integers are added up: sums, and sums of the squares of the differences. So pairs can be played in any parts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Literal, TypeAlias

from teufelswerk.engines.tally import Outcomes

if TYPE_CHECKING:
    from teufelswerk.engines.random_games import Engine

FIGURE: TypeAlias = Literal["moves", "rounds", "forced", "win", "shared", "kept"]
CERTAIN = 1.96
"""Standard errors to either side that hold the true mean in 95 of 100 cases."""
PORTION = 2048
"""Games whose outcomes are held at once."""


@dataclass(frozen=True)
class Figure:
    """Something that both games have: `moves`, `rounds`, decisions that are `forced` since there is a single choice,
    the `win` of a seat, whether it is `shared`, or what is `kept` of a seat.

    A shared win counts for everyone who shares it, and a value of None for the seat is the sum over all seats.
    """

    kind: FIGURE
    kept: str = ""
    seat: int | None = None


@dataclass
class Difference:
    """A figure over all pairs of games."""

    base: int = 0
    variant: int = 0
    squares: int = 0
    """The sum of the squares of the differences within the pairs."""

    def add(self, base: list[int], variant: list[int]) -> None:
        self.base += sum(base)
        self.variant += sum(variant)
        self.squares += sum((b - a) ** 2 for a, b in zip(base, variant, strict=True))

    def merge(self, other: Difference) -> None:
        self.base += other.base
        self.variant += other.variant
        self.squares += other.squares


@dataclass(frozen=True)
class Compared:
    """The means of a figure, and how much the variant has more, between `low` and `high` with 95 % certainty."""

    base: float
    variant: float
    difference: float
    low: float
    high: float


@dataclass
class Paired:
    """Pairs of games added up."""

    figures: tuple[Figure, ...] = ()
    games: int = 0
    differences: list[Difference] = field(default_factory=list)

    def merge(self, other: Paired) -> None:
        """Adds the pairs of another comparison of the same two sets of rules."""
        if not self.figures:
            self.figures, self.differences = other.figures, [Difference() for _ in other.figures]
        self.games += other.games
        for own, added in zip(self.differences, other.differences, strict=True):
            own.merge(added)

    def compared(self, figure: Figure) -> Compared:
        """The means of a figure and their difference; raises ValueError without any games."""
        if not self.games:
            raise ValueError("no games were compared")
        found, games = self.differences[self.figures.index(figure)], self.games
        total = found.variant - found.base
        # n times the sum of squared deviations from the mean: an integer, so that nothing is lost in the subtraction
        spread = games * found.squares - total * total
        error = sqrt(spread / (games - 1)) / games if games > 1 else float("inf")
        mean, reach = total / games, CERTAIN * error
        return Compared(found.base / games, found.variant / games, mean, mean - reach, mean + reach)


def compare(base: Engine, variant: Engine, first: int, count: int) -> Paired:
    """Plays the games of so many seeds with both engines. Raises RuleError where the rules are at fault."""
    figures = figures_of(base, variant)
    paired = Paired(figures, 0, [Difference() for _ in figures])
    for start in range(first, first + count, PORTION):
        size = min(PORTION, first + count - start)
        paired.merge(pairs(base, variant, base.outcomes(start, size), variant.outcomes(start, size)))
    return paired


def pairs(base: Engine, variant: Engine, one: Outcomes, other: Outcomes) -> Paired:
    """What two engines played with the same seeds, game by game."""
    figures = figures_of(base, variant)
    paired = Paired(figures, len(one.moves), [Difference() for _ in figures])
    for figure, difference in zip(figures, paired.differences, strict=True):
        difference.add(values(base, one, figure), values(variant, other, figure))
    return paired


def figures_of(base: Engine, variant: Engine) -> tuple[Figure, ...]:
    """What both engines can tell; what must be counted only if both count, and rounds if both games have any."""
    if base.players != variant.players:
        raise ValueError("only games of equally many players can be compared")
    seats = range(base.players)
    rounds = all(engine.counters and engine.counters.round is not None for engine in (base, variant))
    other = {keep.name for keep in variant.kept if keep.counts}
    shared = [keep.name for keep in base.kept if keep.counts and keep.name in other]
    return (
        Figure("moves"),
        *([Figure("rounds")] if rounds else []),
        *([Figure("forced")] if base.counters and variant.counters else []),
        Figure("shared"),
        *(Figure("win", "", seat) for seat in seats),
        *(Figure("kept", name, seat) for name in shared for seat in (None, *seats)),
    )


def values(engine: Engine, played: Outcomes, figure: Figure) -> list[int]:
    """A figure of each game. What was never set counts as 0."""
    if figure.kind == "moves":
        return played.moves
    if figure.kind == "rounds":
        return played.rounds
    if figure.kind == "forced":
        return played.forced
    if figure.kind == "shared":
        alone = len(engine.game.rules.together(engine.players)[0])
        return [int(won.bit_count() > alone) for won in played.winners]
    if figure.kind == "win":
        assert figure.seat is not None
        return [won >> figure.seat & 1 for won in played.winners]
    columns = played.keeps[[keep.name for keep in engine.kept].index(figure.kept)]
    if figure.seat is None:
        return [sum(value or 0 for value in game) for game in zip(*columns, strict=True)]
    return [value or 0 for value in columns[figure.seat]]
