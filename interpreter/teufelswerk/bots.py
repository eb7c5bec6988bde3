"""Players for any game. A bot is given views and what its seat sees happen, never states.

    bot = BOTS["careful"](game, seat=2, seed=7)
    bot.watch(view, seen)           # after the beginning of the game and after every move, by whomever
    bot.choose(view)                # the move that the bot makes
    bot.opinions(view)              # the moves that it considers, best first, with what it expects of them

A stronger bot is a subclass of `Bot` with its own `opinions`, registered in `BOTS`. What a bot chooses depends on the
seed, on what it has seen, and on nothing else, so that a game that is continued later goes on in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from teufelswerk import chance, model
from teufelswerk.game import Game
from teufelswerk.inference import Knowledge
from teufelswerk.limits import MAX_MOVES_IN_GAME
from teufelswerk.machine import Event, Machine, RuleError
from teufelswerk.sight import Seen, Sight, statements
from teufelswerk.state import Move, State
from teufelswerk.view import View


@dataclass(frozen=True)
class Opinion:
    """What a bot thinks of a move: what its player is expected to have when the round is over, from so many trials."""

    move: Move
    worth: float
    expected: float | None = None
    trials: int = 0


class Bot:
    """A player who knows what its seat has seen."""

    name = ""

    def __init__(self, game: Game, seat: int, seed: int, sight: Sight | None = None) -> None:
        self.game = game
        self.seat = seat
        self.seed = seed
        self.watched = 0

    def watch(self, view: View, seen: Sequence[Seen]) -> None:
        """Takes in a move, its own ones included, as the seat saw it, and the position after it."""
        self.watched += 1

    def opinions(self, view: View) -> list[Opinion]:
        """The legal moves, best first."""
        raise NotImplementedError

    def choose(self, view: View) -> Move:
        return view.moves[0] if len(view.moves) == 1 else self.opinions(view)[0].move

    def snapshot(self) -> Any:
        """What `restore` needs to bring the bot back to this point."""
        return self.watched

    def restore(self, snapshot: Any) -> None:
        self.watched = snapshot

    def chance(self) -> Random:
        """A source of chance of its own for every decision."""
        return Random(chance.stream(self.seed, 1000 + self.watched * 32 + self.seat))


class RandomBot(Bot):
    """Makes any legal move."""

    name = "random"

    def opinions(self, view: View) -> list[Opinion]:
        moves = list(view.moves)
        self.chance().shuffle(moves)
        return [Opinion(move, 0.0) for move in moves]


class CarefulBot(Bot):
    """Deals the unseen cards in accordance with what it knows, tries every move and plays on at random, many times.

    A trial goes on until cards are shuffled again or the game is over; then the players are compared as they will be
    at the end of the game. Moves that do badly get no more trials.
    """

    name = "careful"
    effort = 3000
    """How many moves it plays in its head for one decision."""
    longest = 400
    """How many moves a trial may have."""
    widest = 40
    """How many moves it compares; of more, some that it picks at random."""

    def __init__(self, game: Game, seat: int, seed: int, sight: Sight | None = None) -> None:
        super().__init__(game, seat, seed, sight)
        self.knowledge = Knowledge(game, seat, sight)
        self.judge = Judge(game)

    def watch(self, view: View, seen: Sequence[Seen]) -> None:
        super().watch(view, seen)
        self.knowledge.watch(view, list(seen))

    def snapshot(self) -> Any:
        return self.watched, self.knowledge.copy()

    def restore(self, snapshot: Any) -> None:
        self.watched, knowledge = snapshot
        self.knowledge = knowledge.copy()

    def opinions(self, view: View) -> list[Opinion]:
        rng = self.chance()
        moves = view.moves if len(view.moves) <= self.widest else rng.sample(view.moves, self.widest)
        tallies = [Tally(move) for move in moves]
        running, spent = list(tallies), 0
        stages = max(1, (len(tallies) - 1).bit_length())
        for stage in range(1, stages + 1):
            while spent < self.effort * stage // stages:
                state = self.knowledge.imagine(view, rng)
                start = self.game.thaw(state)
                for tally in running:
                    m = twin(start)
                    spent += self.play_on(m, tally.move, rng) + 1
                    tally.add(self.judge.worth(m, self.seat), self.judge.result(m, self.seat))
            running.sort(key=lambda tally: -tally.worth)
            running = running[: max(2, (len(running) + 1) // 2)]
        finished = [running[0], *sorted((t for t in tallies if t is not running[0]), key=lambda tally: -tally.worth)]
        return [Opinion(tally.move, tally.worth, tally.expected, tally.trials) for tally in finished]

    def play_on(self, m: Machine, move: Move, rng: Random) -> int:
        """Makes the move and random ones after it, until chance is asked again or the game is over."""
        game, begun, random = self.game, m.rng, rng.random
        game.make(m, move)
        for count in range(self.longest):
            if m.winners is not None or m.rng != begun:
                return count
            try:
                moves = game.choices(m)
                game.make(m, moves[int(random() * len(moves))])
            except RuleError:
                # A gap in the rules that the game itself may never meet: the trial ends there.
                return count
        return self.longest


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

    @property
    def worth(self) -> float:
        return self.total / max(self.trials, 1)

    @property
    def expected(self) -> float:
        return self.results / max(self.trials, 1)


class Judge:
    """Compares players in the middle of a game by that which decides it at the end."""

    def __init__(self, game: Game) -> None:
        self.players = range(game.players)
        self.rule = next((s for s in statements(game.rules) if isinstance(s, model.Wins)), None)
        self.by: Callable[[Machine], Any] | None = None
        if self.rule is not None:
            self.by = game.program.evaluator.function(self.rule.by)

    def result(self, m: Machine, seat: int) -> int | None:
        """What of the player decides the game, as it stands."""
        if self.by is None or self.rule is None:
            return None
        before = m.slots[self.rule.slot]
        m.slots[self.rule.slot] = seat
        value = self.by(m)
        m.slots[self.rule.slot] = before
        return None if value is None else int(value)

    def worth(self, m: Machine, seat: int) -> float:
        """How far the player is ahead of the others, and at the end whether they have won."""
        worth = 0.0
        if self.rule is not None:
            results = [self.result(m, other) or 0 for other in self.players]
            others = (sum(results) - results[seat]) / max(len(results) - 1, 1)
            worth = results[seat] - others if self.rule.extreme == "highest" else others - results[seat]
        if m.winners is not None and seat in m.winners:
            worth += WIN / len(m.winners)
        return worth


WIN = 10.0
"""What winning is worth beside being ahead."""


def twin(m: Machine) -> Machine:
    """An independent copy of a machine that keeps no log."""
    return Machine(
        [list(place) for place in m.places], list(m.where), list(m.owners), list(m.keeps), list(m.slots), m.rng, m.pc,
        list(m.pending), m.winners, m.passing,
    )  # fmt: skip


BOTS: dict[str, type[Bot]] = {bot.name: bot for bot in (CarefulBot, RandomBot)}


class Company:
    """The bots at a table; tells each of them what its seat sees."""

    def __init__(self, game: Game, kinds: Mapping[int, str], seed: int) -> None:
        self.game = game
        self.sight = Sight(game)
        self.bots = {seat: BOTS[kind](game, seat, seed, self.sight) for seat, kind in kinds.items()}
        self.moves = 0
        """How many moves they have made in the game that `play` plays."""

    def tell(self, state: State, events: Sequence[Event]) -> None:
        """Passes on what has happened: the beginning of the game, or a move with its consequences."""
        for seat, bot in self.bots.items():
            bot.watch(self.game.view(state, seat), self.sight.events(events, seat))

    def play(self, seed: int) -> State:
        """Plays a whole game in which every seat is a bot's. Raises RuleError where the rules are at fault."""
        events: list[Event] = []
        self.moves = 0
        state = self.game.start(seed, events)
        self.tell(state, events)
        while (seat := self.game.player(state)) is not None:
            self.moves += 1
            if self.moves > MAX_MOVES_IN_GAME:
                raise self.game.endless()
            move = self.bots[seat].choose(self.game.view(state, seat))
            events = []
            state = self.game.apply(state, move, events)
            self.tell(state, events)
        return state
