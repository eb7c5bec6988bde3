"""A player who deals the unseen cards as they may lie, and tries each move with everyone playing well after it."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from weakref import WeakKeyDictionary

from teufelswerk.analysis.cost_bound import heavy
from teufelswerk.bots.players import CarefulBot, Opinion, Tally
from teufelswerk.core.aim import UNIT
from teufelswerk.engines.steps import Steps
from teufelswerk.engines.thinking import CARE, Care
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.seen_events import Sight
from teufelswerk.interpreter.view import View

SHARES = 8
"""In so many worlds it tries its moves at least, if every one of them takes long."""
LARGE = 200
"""So many cards and places are no reason to think less."""
STEPS: WeakKeyDictionary[Game, Steps] = WeakKeyDictionary()
"""All experts at a table share what was compiled for it."""


class ExpertBot(CarefulBot):
    """What `careful` knows about the cards, and compiled rules to think with.

    After its move everyone tries what they can do by a few random games, and does what turns out best; that is much
    nearer to what people do than random play. How long it thinks is counted in choices that it looks at in its head, so
    that it chooses the same on every machine that has machine code. Where a single one can be too much to look at, it
    is as careful as `careful`.
    """

    name = "expert"
    looks = 8_000_000
    """How many choices it looks at in its head for one decision."""
    slowness = 40
    """In plain Python it looks at so much less: nobody would wait for it."""
    worlds = 60
    """In so many ways it deals the cards at most."""
    care: Care = CARE

    def __init__(self, game: Game, seat: int, seed: int, sight: Sight | None = None) -> None:
        super().__init__(game, seat, seed, sight)
        self.is_heavy = heavy(game.rules) is not None
        self.haste = max(1.0, (self.size / LARGE) ** 2)
        """It looks at so much less, in games of very many cards: everything takes longer there."""

    def opinions(self, view: View) -> list[Opinion]:
        looks = int(self.looks * self.zeal / self.haste)
        if self.is_heavy or not looks:
            return super().opinions(view)
        if steps_of(self.game).engine == "python":
            looks //= self.slowness
        rng = self.chance()
        moves = view.moves if len(view.moves) <= self.widest else rng.sample(view.moves, self.widest)
        tallies = [Tally(move) for move in moves]
        running, looked_at, tried = list(tallies), 0, 0
        stages = max(1, (len(tallies) - 1).bit_length())
        for stage in range(1, stages + 1):
            while max(looked_at / looks, tried / self.worlds) < stage / stages:
                tried += 1
                looked_at += self.try_all(view, running, rng, looks // (SHARES * len(running)))
            running.sort(key=Tally.order)
            running = running[: max(2, (len(running) + 1) // 2)]
        finished = [running[0], *sorted((t for t in tallies if t is not running[0]), key=Tally.order)]
        return [tally.opinion for tally in finished]

    def try_all(self, view: View, running: list[Tally], rng: Random, most: int) -> int:
        """One way in which the cards may lie, and what each move comes to there; how many choices were looked at."""
        state, seed = self.knowledge.imagine(view, rng), rng.getrandbits(62)
        if state is None:
            return 0
        steps = steps_of(self.game)
        position = steps.position(state)
        numbers = {move: number for number, move in enumerate(steps.legal(position))}
        care, looked_at = replace(self.care, most=most), 0
        for tally in running:
            if tally.move not in numbers:
                continue  # what is legal depends on cards that nobody sees
            thought = steps.think(position, self.seat, numbers[tally.move], seed, care)
            tally.add(thought.worth / self.unit, thought.standing)
            looked_at += thought.looked_at
        return looked_at

    @property
    def unit(self) -> int:
        return UNIT * max(self.game.players - 1, 1)


def steps_of(game: Game) -> Steps:
    if game not in STEPS:
        STEPS[game] = Steps(game.rules, game.players)
    return STEPS[game]
