"""The careful player of before, on the reference interpreter, to measure others by: `careful-0`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from careful_0_sampling import Sampler
from teufelswerk.base.budget import Meter
from teufelswerk.base.limits import MAX_WORK_OF_LEARNING
from teufelswerk.bots.inference import Knowledge
from teufelswerk.bots.judge import Judge
from teufelswerk.bots.players import Bot, Opinion
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Machine, RuleError
from teufelswerk.interpreter.seen_events import Seen, Sight
from teufelswerk.interpreter.state import Move
from teufelswerk.interpreter.view import View


class Careful0(Bot):
    """Deals the unseen cards in accordance with what it knows, tries every move and plays on at random, many times.

    A trial goes on until cards are shuffled again or the game is over; then the players are compared as they will be
    at the end of the game. Moves that do badly get no more trials.

    It always answers, and soon: what it does for one decision is counted, in moves and in things looked at, so that it
    thinks as long about very many choices as about few, and chooses the same on every machine.
    """

    name = "careful-0"
    effort = 3000
    """How many moves it plays in its head for one decision."""
    least = 20
    """With fewer it makes any move."""
    longest = 400
    """How many moves a trial may have."""
    widest = 40
    """How many moves it compares; of more, some that it picks at random."""
    things = 500
    """How many things it may look at for each of the moves in its head, on average."""
    shortest = 20
    """How many trials it has at least, however much there is to look at in each."""

    def __init__(self, game: Game, seat: int, seed: int, sight: Sight | None = None) -> None:
        super().__init__(game, seat, seed, sight)
        self.knowledge = Knowledge(game, seat, sight)
        self.judge = Judge(game)
        self.sampler = Sampler(game)
        self.size = len(game.rules.cards) + len(game.layout.place_names)

    def watch(self, view: View, seen: Sequence[Seen]) -> None:
        super().watch(view, seen)
        self.knowledge.watch(view, list(seen), int(MAX_WORK_OF_LEARNING * self.zeal))

    def snapshot(self) -> Any:
        return self.watched, self.knowledge.copy()

    def restore(self, snapshot: Any) -> None:
        self.watched, knowledge = snapshot
        self.knowledge = knowledge.copy()

    def opinions(self, view: View) -> list[Opinion]:
        rng = self.chance()
        moves = view.moves if len(view.moves) <= self.widest else rng.sample(view.moves, self.widest)
        tallies, effort = [Tally(move) for move in moves], int(self.effort * self.zeal)
        if effort < self.least:
            rng.shuffle(tallies)
            return [tally.opinion for tally in tallies]
        running, thought = list(tallies), Thought(self.game.meter, effort, effort * self.things)
        stages = max(1, (len(tallies) - 1).bit_length())
        for stage in range(1, stages + 1):
            while thought.share < stage / stages:
                state = self.knowledge.imagine(view, rng)
                if state is None:
                    thought.add(IN_VAIN, 0)
                    continue
                start = self.game.thaw(state)
                thought.add(0, IMAGINING * self.size)
                for tally in running:
                    if thought.exhausted:
                        break
                    m = twin(start)
                    thought.add(self.play_on(m, tally.move, rng, thought) + 1, self.size // COPYING)
                    tally.add(self.judge.worth(m, self.seat), self.judge.result(m, self.seat))
            running.sort(key=Tally.order)
            running = running[: max(2, (len(running) + 1) // 2)]
        finished = [running[0], *sorted((t for t in tallies if t is not running[0]), key=Tally.order)]
        return [tally.opinion for tally in finished]

    def play_on(self, m: Machine, move: Move, rng: Random, thought: Thought) -> int:
        """Makes the move and random ones after it, until chance is asked again or the game is over."""
        game, begun, random, meter = self.game, m.rng, rng.random, self.game.meter
        most = thought.most // self.shortest
        until = meter.work + most
        with meter.limited(most):
            for count in range(self.longest):
                try:
                    if count == 0 and game.rules.has_copies:  # the world has its own cards for those that are identical
                        move = game.meant(move, game.choices(m)) or move
                    game.make(m, move)
                    if m.winners is not None or m.rng != begun or meter.work > until:
                        return count
                    move = self.any_move(m, random, thought.wide)
                except RuleError:
                    # A gap in the rules that the game itself may never meet, or too much to think of: it ends there.
                    return count
        return self.longest

    def any_move(self, m: Machine, random: Callable[[], float], wide: set[int]) -> Move:
        """A random move. Where there were very many before, they are not all listed again to draw one."""
        move = self.sampler.move(m, random) if m.pc in wide else None
        if move is None:
            moves = self.game.choices(m)
            if len(moves) > WIDE:
                wide.add(m.pc)
            move = moves[int(random() * len(moves))]
        return move


class Thought:
    """What a bot has done for one decision."""

    def __init__(self, meter: Meter, moves: int, things: int) -> None:
        self.meter = meter
        self.begun = meter.work
        self.made, self.moves, self.most = 0, moves, things
        self.wide: set[int] = set()
        """The turns at which there were very many choices."""

    def add(self, moves: int, things: int) -> None:
        """So many moves were made, and so many things looked at that were not counted."""
        self.made += moves
        self.meter.work += things

    @property
    def share(self) -> float:
        """How much of all that it may do is done."""
        return max(self.made / self.moves, (self.meter.work - self.begun) / self.most)

    @property
    def exhausted(self) -> bool:
        """Whether not even the others of some moves that are compared can be tried as well."""
        return self.meter.work - self.begun >= self.most


class Tally:
    """How the trials of one move went."""

    def __init__(self, move: Move) -> None:
        self.move = move
        self.trials = 0
        self.total = 0.0
        self.results = 0

    def add(self, worth: float, result: int | None) -> None:
        self.trials += 1
        self.total += worth
        self.results += result or 0

    def order(self) -> tuple[bool, float]:
        """The best first; what has not been tried is no better than anything else."""
        return self.trials == 0, -self.worth

    @property
    def worth(self) -> float:
        return self.total / max(self.trials, 1)

    @property
    def opinion(self) -> Opinion:
        return Opinion(self.move, self.worth, self.results / max(self.trials, 1), self.trials)


IN_VAIN = 30
"""What it costs, in moves, to have looked for a world that fits and found none."""
WIDE = 300
"""Choices from which on a list of them all takes longer than drawing some."""
IMAGINING, COPYING = 8, 8
"""A position is imagined in the time in which so many things are looked at for each card and place; copying it takes
as much less."""


def twin(m: Machine) -> Machine:
    """An independent copy of a machine that keeps no log."""
    return Machine(
        [list(place) for place in m.places], list(m.where), list(m.owners), list(m.keeps), list(m.slots), m.rng,
        m.meter, m.pc, list(m.pending), m.winners, m.passing,
    )  # fmt: skip
