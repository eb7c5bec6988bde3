"""Bots × deals → who plays better: every deal is played in every seating, on all cores, until it is known.

What is compared is what happens on the same deals, so that good cards are nobody's luck. Deals are taken in, in their
order, as soon as all their games are played; the same seeds give the same figures whoever played them.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple, TypeAlias

from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import RuleError
from teufelswerk.model import Model
from teufelswerk.report.estimates import Estimate, from_sums

MOST_SEATINGS = 24
"""If there are more ways to sit, everyone takes every seat in turn instead."""
LOOKS_EARLY = 30
"""The interval that holds at any time is narrowest after about so many deals."""
LEAST_DEALS = 10
"""Fewer say nothing about how much deals differ."""
CERTAIN = 0.05
"""So often it may be wrong."""

Source: TypeAlias = tuple[str, dict[str, int]]
Seating: TypeAlias = tuple[int, ...]
"""By the seat, the number of the bot that sits there."""


class Played(NamedTuple):
    """A game, by the numbers of the bots."""

    winners: tuple[int, ...]
    standing: list[float]
    """What decides the end, more being better; where nothing does, who has won."""
    keeps: dict[str, list[int]]
    seconds: list[float]
    """What everyone has thought, in all."""
    decisions: list[int]


class Errand(NamedTuple):
    source: Source
    bots: tuple[str, ...]
    seating: Seating
    seed: int


def seatings(bots: Sequence[str]) -> list[Seating]:
    """All ways to sit that differ, bots of the same kind being the same."""
    n = len(bots)
    found: dict[tuple[str, ...], Seating] = {}
    if math.factorial(n) // math.prod(math.factorial(bots.count(kind)) for kind in set(bots)) <= MOST_SEATINGS:
        for order in permutations(range(n)):
            found.setdefault(tuple(bots[number] for number in order), order)
        return list(found.values())
    return [tuple((seat - shift) % n for seat in range(n)) for shift in range(n)]


@lru_cache(maxsize=2)
def _game(path: str, settings: tuple[tuple[str, int], ...], players: int) -> Game:
    from teufelswerk.loading.model_cache import load_game

    return Game(load_game(path, dict(settings)), players)


def play(errand: Errand) -> Played:
    """One game."""
    from teufelswerk.bots.company import Company
    from teufelswerk.bots.judge import Judge

    path, settings = errand.source
    game = _game(path, tuple(sorted(settings.items())), len(errand.bots))
    company = Company(game, {seat: errand.bots[number] for seat, number in enumerate(errand.seating)}, errand.seed)
    state = company.play(errand.seed)
    outcome, judge, machine = game.outcome(state), Judge(game), game.thaw(state)
    assert outcome
    seat_of = {number: seat for seat, number in enumerate(errand.seating)}
    seats = [seat_of[number] for number in range(len(errand.bots))]
    sign = 1 if judge.highest else -1
    standing = [float(sign * (judge.result(machine, seat) or 0)) for seat in seats]
    if judge.aim is None:
        standing = [float(seat in outcome.winners) for seat in seats]
    return Played(
        tuple(errand.seating[seat] for seat in outcome.winners),
        standing,
        {
            name: [values[seat] for seat in seats]
            for name, values in outcome.keeps.items()
            if all(isinstance(value, int) for value in values)
        },
        [company.seconds[seat] for seat in seats],
        [company.decisions[seat] for seat in seats],
    )


def play_if_possible(errand: Errand) -> Played | None:
    """None where the rules are at fault: what is wrong cannot be sent from one process to another."""
    try:
        return play(errand)
    except RuleError:
        return None


# ---- sums -----------------------------------------------------------------------------------------------------------


@dataclass
class Sums:
    """Some figure of every deal, added up."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def estimate(self) -> Estimate:
        """Its mean, and where that lies with 95 % confidence; after a single deal, that may be anywhere."""
        found = from_sums(self.count, self.total, self.squares)
        if self.count < 2:
            return Estimate(found.value, -math.inf, math.inf)
        reach = (found.high - found.value) * wider(self.count - 1)
        return Estimate(found.value, found.value - reach, found.value + reach)

    @property
    def at_any_time(self) -> Estimate:
        """The same, wide enough for whoever looks after every deal and stops when they like what they see."""
        found, n = from_sums(self.count, self.total, self.squares), self.count
        if n < LEAST_DEALS:
            return Estimate(found.value, -math.inf, math.inf)
        spread = math.sqrt(max(0.0, self.squares - self.total * found.value) / (n - 1))
        rho = 1 / LOOKS_EARLY
        reach = spread * math.sqrt(2 * (n * rho + 1) / (n * n * rho) * math.log(math.sqrt(n * rho + 1) / CERTAIN))
        return Estimate(found.value, found.value - reach, found.value + reach)


@dataclass
class Standing:
    """What all bots of one kind have reached, each figure being the mean of a deal."""

    players: int
    wins: Sums = field(default_factory=Sums)
    keeps: dict[str, Sums] = field(default_factory=dict)
    seconds: float = 0.0
    decisions: int = 0

    @property
    def milliseconds(self) -> float:
        """What a decision took of the processor, on average, where there was anything to decide."""
        return 1000 * self.seconds / max(self.decisions, 1)


class Tournament:
    """What has come out so far."""

    def __init__(self, bots: Sequence[str]) -> None:
        self.bots = tuple(bots)
        self.kinds = list(dict.fromkeys(bots))
        self.standings = {kind: Standing(self.bots.count(kind)) for kind in self.kinds}
        self.against = {kind: Sums() for kind in self.kinds[1:]}
        """How often the first of the bots does better than one of each other kind; as well as it counts as half."""
        self.games = self.deals = 0
        self.stopped = self.answered = False

    def add(self, deal: Sequence[Played]) -> None:
        """Takes in one deal: the games of all seatings."""
        self.games += len(deal)
        self.deals += 1
        numbers = {kind: [n for n, bot in enumerate(self.bots) if bot == kind] for kind in self.kinds}
        for kind, mine in numbers.items():
            standing = self.standings[kind]
            each = [(game, number) for game in deal for number in mine]
            shares = [1 / len(game.winners) if number in game.winners else 0.0 for game, number in each]
            standing.wins.add(sum(shares) / len(each))
            for name in deal[0].keeps:
                kept = sum(game.keeps[name][number] for game, number in each) / len(each)
                standing.keeps.setdefault(name, Sums()).add(kept)
            standing.seconds += sum(game.seconds[number] for game, number in each)
            standing.decisions += sum(game.decisions[number] for game, number in each)
        for kind, sums in self.against.items():
            pairs = [(game, a, b) for game in deal for a in numbers[self.kinds[0]] for b in numbers[kind]]
            sums.add(sum(better(game, a, b) for game, a, b in pairs) / len(pairs))

    def is_answered(self) -> bool:
        """Whether it is known of every other kind if the first one plays better or worse."""
        return bool(self.against) and all(not sums.at_any_time.holds(0.5) for sums in self.against.values())


def better(game: Played, a: int, b: int) -> float:
    """1 if a bot has won and the other has not, or else came further than the other, a half if it came as far."""
    mine, theirs = (a in game.winners, game.standing[a]), (b in game.winners, game.standing[b])
    return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0


def wider(freedom: int) -> float:
    """How much wider than the normal distribution Student's is, where 95 % of it lie."""
    z, n = 1.959964, freedom
    more = (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
    return (z + more + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)) / z


def elo(share: float, games: int) -> float:
    """The difference in strength, in the points of chess, of somebody who does better so often."""
    edge = 1 / (2 * games + 2)
    share = min(1 - edge, max(edge, share))
    return 400 * math.log10(share / (1 - share))


# ---- playing --------------------------------------------------------------------------------------------------------


def _leave_stopping_to_the_first() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def results(errands: Sequence[Errand], jobs: int) -> Iterator[Iterator[Played | None]]:
    """All games in their order. Whoever leaves early does not wait for those that are being played."""
    if jobs == 1:
        yield map(play_if_possible, errands)
        return
    with multiprocessing.Pool(jobs, initializer=_leave_stopping_to_the_first) as pool:  # is ended, not waited for
        yield pool.imap(play_if_possible, errands)


def contest(
    source: Source,
    bots: Sequence[str],
    games: int,
    seed: int = 1,
    jobs: int | None = None,
    until_sure: bool = False,
    advance: Callable[[int], None] = lambda games: None,
) -> Tournament:
    """Plays whole deals, until there are at least so many games; Ctrl-C keeps the deals that are played."""
    found, ways = Tournament(bots), seatings(bots)
    deals = range(seed, seed + games_of(bots, games) // len(ways))
    errands = [Errand(source, tuple(bots), seating, deal) for deal in deals for seating in ways]
    jobs = min(jobs or os.cpu_count() or 1, len(errands))
    deal: list[Played] = []
    try:
        with results(errands, jobs) as played:
            for errand, game in zip(errands, played, strict=False):
                deal.append(game or play(errand))  # which raises what is wrong
                advance(1)
                if len(deal) < len(ways):
                    continue
                found.add(deal)
                deal = []
                if until_sure and found.is_answered():
                    found.answered = True
                    return found
    except KeyboardInterrupt:
        found.stopped = True
        if deal and not found.deals:
            found.add(deal)
    found.answered = found.is_answered()
    return found


def games_of(bots: Sequence[str], games: int) -> int:
    """So many games are whole deals."""
    ways = len(seatings(bots))
    return -(-games // ways) * ways


def fits(rules: Model, bots: Sequence[str]) -> None:
    """Raises what is wrong if so many cannot play."""
    Game(rules, len(bots))


def prepare(rules: Model, players: int) -> None:
    """What bots think with is made once and kept on the disk, before every process asks for it."""
    from teufelswerk.bots.learned_weights import learned
    from teufelswerk.engines.steps import Steps

    Steps(rules, players, weights=learned(rules))


def interval(share: float, games: int) -> tuple[float, float]:
    """Wilson's interval: where the true share lies, with 95 % confidence."""
    z = 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, middle - half), min(1.0, middle + half)
