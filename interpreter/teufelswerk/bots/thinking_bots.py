"""Players who deal the unseen cards as they may lie and try each move there by compiled rules: `careful`, `expert`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from teufelswerk.base.limits import MAX_WORK_OF_LEARNING
from teufelswerk.bots.inference import Knowledge
from teufelswerk.bots.learned_weights import learned
from teufelswerk.bots.players import Bot, Opinion
from teufelswerk.core.aim import UNIT
from teufelswerk.engines.care import CARE, LEARNED, RANDOM, Care
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.seen_events import Seen, Sight
from teufelswerk.interpreter.state import Move
from teufelswerk.interpreter.view import View

if TYPE_CHECKING:  # they bring the compiler along, for which nobody waits at the start of a game
    from teufelswerk.engines.positions import Position
    from teufelswerk.engines.steps import Steps
    from teufelswerk.engines.thinking import Thought

SHARES = 8
"""In so many worlds it tries its moves at least, if every one of them takes long."""
LARGE = 200
"""So many cards and places are no reason to think less."""
SLOWNESS = 40
"""In plain Python it looks at so much less: nobody would wait for it."""
SLOWNESS_OF_WEIGHING = 6
"""… and by so much less still where it weighs what it has learned."""
QUICK = 16
"""So many choices are looked at in machine code in the time in which the reference interpreter looks at one thing."""
LOOKS_A_SECOND, WORLDS_A_SECOND = 100_000_000, 1_500
"""What a machine of some years' age looks at in a second, and how many worlds it deals and tries."""
LISTING = 4
"""So many choices are listed in the time in which one is looked at."""
STEPS: WeakKeyDictionary[Game, Steps] = WeakKeyDictionary()
"""All bots at a table share what was compiled for it."""


class ThinkingBot(Bot):
    """Tries every move in worlds that fit what it knows, until chance is asked or the game is over.

    Moves that do badly get no more trials. How long it thinks is counted, in choices that it looks at in its head and
    in worlds, so that it chooses the same on every machine that has machine code; and it always answers, and soon,
    however much there is to look at.
    """

    looks = 0
    """How many choices it looks at in its head for one decision."""
    worlds = 0
    """In so many ways it deals the cards at most."""
    widest = 40
    """How many moves it compares; of more, some that it picks at random."""
    tries = 1
    """How often it tries each move in each world."""
    care: Care

    def __init__(self, game: Game, seat: int, seed: int, sight: Sight | None = None) -> None:
        super().__init__(game, seat, seed, sight)
        self.knowledge = Knowledge(game, seat, sight)
        size = len(game.rules.cards) + len(game.layout.place_names)
        self.haste = max(1.0, (size / LARGE) ** 2)
        """It looks at so much less, in games of very many cards: everything takes longer there."""

    def watch(self, view: View, seen: Sequence[Seen]) -> None:
        super().watch(view, seen)
        self.knowledge.watch(view, list(seen), int(MAX_WORK_OF_LEARNING * self.zeal))

    def snapshot(self) -> Any:
        return self.watched, self.knowledge.copy()

    def restore(self, snapshot: Any) -> None:
        self.watched, knowledge = snapshot
        self.knowledge = knowledge.copy()

    def opinions(self, view: View) -> list[Opinion]:
        rng, (looks, most) = self.chance(), self.budget()
        numbers = list(range(len(view.moves)))
        if len(numbers) > self.widest:
            numbers = rng.sample(numbers, self.widest)
        tallies = [Tally(view.moves[number], number) for number in numbers]
        if not looks:
            rng.shuffle(tallies)
            return [tally.opinion for tally in tallies]
        slowness = self.slowness()
        looks //= slowness
        from teufelswerk.bots.worlds import Worlds

        worlds = Worlds(steps_of(self.game), self.knowledge, view)
        running, looked_at, tried = list(tallies), 0, 0
        stages = max(1, (len(tallies) - 1).bit_length())
        for stage in range(1, stages + 1):
            while max(looked_at / looks, tried / most) < stage / stages:
                tried += 1
                position = worlds.draw(rng)
                looked_at += self.try_all(position, running, rng.getrandbits(62), looks // SHARES)
            running.sort(key=Tally.order)
            running = running[: max(2, (len(running) + 1) // 2)]
        self.game.meter.work += looked_at * slowness // QUICK
        finished = [running[0], *sorted((t for t in tallies if t is not running[0]), key=Tally.order)]
        return [tally.opinion for tally in finished]

    def slowness(self) -> int:
        steps = steps_of(self.game)
        if steps.engine != "python":
            return 1
        return SLOWNESS * (SLOWNESS_OF_WEIGHING if self.careful.wild >= 0 else 1)

    def budget(self) -> tuple[int, int]:
        """How many choices it looks at for a decision, and in how many worlds. Seconds are counted in these, so that
        the same choice comes of them on every machine; on a slow or busy one they take longer."""
        looks, worlds = self.looks, self.worlds
        if self.think is not None:
            looks, worlds = int(self.think * LOOKS_A_SECOND), max(SHARES, int(self.think * WORLDS_A_SECOND))
        return int(looks * self.zeal / self.haste), worlds

    def try_all(self, position: Position | None, running: list[Tally], seed: int, most: int) -> int:
        """What each move comes to where the cards lie so; how many choices were looked at."""
        if position is None:
            return 0
        steps = steps_of(self.game)
        count = steps.count(position)
        numbers = self.numbers(position, count, running)
        looked_at = count * len(running) // LISTING
        care = replace(self.careful, most=max(1, most // (len(running) * self.tries)))
        tried = [(tally, number) for tally, number in zip(running, numbers, strict=True) if number is not None]
        before = [tally.total for tally, _ in tried]
        for again in range(self.tries):
            for tally, number in tried:
                thought = steps.think(position, self.seat, number, seed + again, care)
                tally.add(thought, self.unit)
                looked_at += thought.looked_at
            if looked_at > most:
                break
        gained = [tally.total - total for (tally, _), total in zip(tried, before, strict=True)]
        for (tally, _), gain in zip(tried, gained, strict=True):
            tally.worlds += 1
            tally.best += gain == max(gained)
        return looked_at

    @property
    def careful(self) -> Care:
        """How it thinks about a move."""
        return self.care

    def numbers(self, position: Position, count: int, running: list[Tally]) -> list[int | None]:
        """Which of the legal moves there each move is; None where it is not legal, for what nobody sees."""
        steps, as_seen = steps_of(self.game), self.game.as_seen
        found: list[int | None] = []
        others: dict[Move, int] | None = None
        for tally in running:
            if tally.number < count and as_seen(steps.move(position, tally.number)) == tally.move:
                found.append(tally.number)
                continue
            if others is None:
                others = {as_seen(move): number for number, move in enumerate(steps.legal(position))}
            found.append(others.get(tally.move))
        return found

    @property
    def unit(self) -> int:
        return UNIT * max(self.game.players - 1, 1)


class BeginnerBot(ThinkingBot):
    """Looks at hardly more than what is there."""

    name = "beginner"
    looks = 20_000
    worlds = 3
    care = RANDOM


class CarefulBot(ThinkingBot):
    """Plays on at random after each move."""

    name = "careful"
    looks = 400_000
    worlds = 40
    tries = 4
    care = RANDOM


class ExpertBot(ThinkingBot):
    """After its move everyone does what promises most by what was learned of the game. Where nothing was learned, they
    try what they can do by a few random games, and do what turns out best. Either is much nearer to what people do than
    random play."""

    name = "expert"
    looks = 8_000_000
    worlds = 60
    more_worlds = 200
    """… where it has learned the game."""
    care = CARE

    @property
    def careful(self) -> Care:
        return self.care if steps_of(self.game).weighing is None else LEARNED

    def budget(self) -> tuple[int, int]:
        looks, worlds = super().budget()
        knows = self.think is None and steps_of(self.game).weighing is not None
        return looks, self.more_worlds if knows else worlds


class Tally:
    """How the trials of one move went."""

    def __init__(self, move: Move, number: int) -> None:
        self.move = move
        self.number = number
        """Where it stands among the legal moves."""
        self.trials = 0
        self.total = 0.0
        self.results = 0
        self.worlds = self.best = 0
        """In how many worlds it was tried, and in how many nothing else came to more."""

    def add(self, thought: Thought, unit: int) -> None:
        self.trials += 1
        self.total += thought.worth / unit
        self.results += thought.standing or 0

    def order(self) -> tuple[bool, float]:
        """The best first; what has not been tried is no better than anything else."""
        return self.trials == 0, -self.worth

    @property
    def worth(self) -> float:
        return self.total / max(self.trials, 1)

    @property
    def opinion(self) -> Opinion:
        share = self.best / self.worlds if self.worlds else None
        return Opinion(self.move, self.worth, self.results / max(self.trials, 1), self.trials, share)


def steps_of(game: Game) -> Steps:
    if game not in STEPS:
        from teufelswerk.engines.steps import Steps

        STEPS[game] = Steps(game.rules, game.players, weights=learned(game.rules))
    return STEPS[game]
