"""Rules → weights of what can be told of a move, learned from games that the program plays with itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from teufelswerk.bots.fitting import Decision, Told, fitted
from teufelswerk.compiled.modes import AHEAD
from teufelswerk.core.aim import UNIT
from teufelswerk.engines.care import LEARNED, RANDOM, Care
from teufelswerk.engines.positions import Position
from teufelswerk.engines.steps import Steps, Weights
from teufelswerk.model import Model

EXPLORED = 0.2
"""So often it makes any move, so that it comes to know more positions than those it would come to."""
TRIED = 0.5
"""So many of the decisions in a game are tried out."""
WIDEST = 40
"""Of more choices, so many are looked at."""
WILD = Care(depth=LEARNED.depth, tries=LEARNED.tries, wild=6)
"""How a game is played on to see what comes of a move: by what is known, now and then at random."""
LONGEST = 2_000
"""So many moves of a game are looked at."""
DEALS = 60
"""So many deals are played in every seat to see how far it has come."""
LOOKS = 40_000
"""For a decision, it looks at so many choices on average at most."""


@dataclass(frozen=True)
class Schooling:
    """How much is learned."""

    stages: int = 6
    decisions: int = 30_000
    """So many decisions are tried out in a stage at most."""
    seed: int = 1


SHORT = Schooling(3, 3_000)


class Stage(NamedTuple):
    """What is known after a stage: how far ahead of random players it is, with twice the standard error."""

    number: int
    weights: dict[str, dict[str, int]]
    ahead: float
    error: float


class School:
    """Learns a game for so many players."""

    def __init__(self, rules: Model, players: int) -> None:
        self.steps = Steps(rules, players, "native", weights={})
        assert self.steps.weighing is not None
        self.rows = self.steps.weighing.rows
        self.unit = UNIT * max(players - 1, 1)

    def learn(
        self, schooling: Schooling, start: Weights | None = None, advance: Callable[[int], None] = lambda _: None
    ) -> Iterator[Stage]:
        """Stage after stage; `advance` is told how many decisions have been tried out since it was told before."""
        before: list[Decision] = []
        self.steps.weigh(start or {})
        for number in range(schooling.stages):
            knows = number > 0 or bool(start)
            rng = Random(1_000 * schooling.seed + number)
            tried = self.tried(rng, schooling.decisions, WILD if knows else RANDOM, advance)
            weights = fitted([*tried, *before], self.rows)
            before = tried if knows else []
            self.steps.weigh(weights)
            yield Stage(number + 1, weights, *self.ahead(schooling.seed))

    # ---- decisions --------------------------------------------------------------------------------------------------

    def tried(self, rng: Random, most: int, care: Care, advance: Callable[[int], None]) -> list[Decision]:
        """Decisions in games that it plays with itself, each choice with what came of it once."""
        found: list[Decision] = []
        looks = most * LOOKS
        while len(found) < most and looks > 0:
            looks -= LOOKS // 10
            before = len(found)
            for position in self.game(rng):
                if rng.random() >= TRIED:
                    continue
                decision, looked_at = self.tried_out(position, rng, care)
                looks -= looked_at
                if len(decision) > 1:
                    found.append(decision)
                if len(found) >= most or looks <= 0:
                    break
            advance(len(found) - before)
        return found

    def game(self, rng: Random) -> Iterator[Position]:
        """The positions of a game in which there is something to decide."""
        steps = self.steps
        position = steps.start(rng.getrandbits(40))
        for _ in range(LONGEST):
            count = 0 if steps.is_over(position) else steps.count(position)
            if not count:
                return
            if count > 1:
                yield position
            position = steps.apply(position, self.choice(position, count, rng, EXPLORED))

    def choice(self, position: Position, count: int, rng: Random, explored: float = 0.0) -> int:
        """What seems best by what is known so far."""
        if count == 1:
            return 0
        if rng.random() < explored:
            return rng.randrange(count)
        options = range(count) if count <= WIDEST else rng.sample(range(count), WIDEST)
        chosen, top = 0, 0
        for number, option in enumerate(options):
            promised = self.steps.promised(position, option)
            if promised is not None and (not number or promised > top):
                chosen, top = option, promised
        return chosen

    def tried_out(self, position: Position, rng: Random, care: Care) -> tuple[list[Told], int]:
        steps, seed = self.steps, rng.getrandbits(60)
        count, seat = steps.count(position), steps.seat(position)
        options = range(count) if count <= WIDEST else sorted(rng.sample(range(count), WIDEST))
        decision, looks = [], 0
        for option in options:
            told = steps.told(position, option)
            if told is None:
                continue
            thought = steps.think(position, seat, option, seed, care)
            looks += thought.looked_at
            decision.append(Told(*told, thought.worth / self.unit))
        return decision, looks

    # ---- how far it has come ----------------------------------------------------------------------------------------

    def ahead(self, seed: int) -> tuple[float, float]:
        """How far it comes ahead of players at random by the time chance is asked, in every seat of some deals."""
        found = [
            reached
            for deal in range(DEALS)
            for seat in range(self.steps.players)
            if (reached := self.reached(seed + deal, seat)) is not None
        ]
        mean = sum(found) / max(len(found), 1)
        spread = sum((each - mean) ** 2 for each in found) / max(len(found) - 1, 1)
        return mean, 2 * (spread / max(len(found), 1)) ** 0.5

    def reached(self, seed: int, own: int) -> float | None:
        """How far the player on a seat comes; None if the deal goes on and on."""
        steps, rng = self.steps, Random(seed)
        position = steps.start(seed)
        for _ in range(LONGEST):
            count, seat = steps.count(position), steps.seat(position)
            option = self.choice(position, count, rng) if seat == own else rng.randrange(max(count, 1))
            after = position[:]
            if steps.runner.run(after, AHEAD, option, 1) < 0:
                return None
            if after[steps.pc] < 0 or steps.is_over(after):
                return steps.think(position, own, option, seed, RANDOM).worth / self.unit
            position = after
        return None


def best(stages: Sequence[Stage]) -> Stage:
    """The one that has come furthest."""
    return max(stages, key=lambda stage: stage.ahead)
