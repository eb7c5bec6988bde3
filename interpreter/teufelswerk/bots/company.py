"""The bots by their names, and all that sit at one table."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from teufelswerk.base.limits import MAX_MOVES_IN_GAME, MAX_WORK_OF_BOTS, WORK_OF_EAGER_BOTS
from teufelswerk.base.texts import Text
from teufelswerk.bots.players import Bot, RandomBot
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Event
from teufelswerk.interpreter.seen_events import Sight
from teufelswerk.interpreter.state import Move, State

BOTS = ("expert", "careful", "beginner", "random")
"""From the strongest to the weakest."""
THINKING = BOTS[:-1]
LEAST_SECONDS, MOST_SECONDS = 0.01, 60.0
"""So long a bot can be told to think about a decision."""


class UnknownBot(Exception):
    """There is no such bot; `message` says which there are."""

    def __init__(self, message: Text) -> None:
        super().__init__(str(message))
        self.message = message


def kinds_of(said: str, think: float | None = None) -> list[str]:
    """`careful,expert:0.5`: the bots in their order, each with the seconds that it thinks about a decision, if they are
    said; `think` is said of all of them. Raises UnknownBot."""
    found = [kind.strip() for kind in said.split(",")]
    for kind in found:
        split(kind)
    return [f"{kind}:{think:g}" if think is not None and kind in THINKING else kind for kind in found]


def split(kind: str) -> tuple[str, float | None]:
    """A bot's name, and for how many seconds it thinks, if that is said. Raises UnknownBot."""
    name, colon, seconds = kind.partition(":")
    if name not in BOTS:
        raise UnknownBot(Text("there is no bot called `{name}`; there are {bots}", name=name, bots=list(BOTS)))
    if not colon:
        return name, None
    try:
        think = float(seconds)
    except ValueError:
        think = 0.0
    if name not in THINKING or not LEAST_SECONDS <= think <= MOST_SECONDS:
        message = Text(
            "`{kind}` is no bot: the seconds that it thinks stand behind the colon, from {least} to {most}, as in"
            " `{right}`",
            kind=kind, least=LEAST_SECONDS, most=MOST_SECONDS, right="expert:0.5",
        )  # fmt: skip
        raise UnknownBot(message)
    return name, think


def bot_class(name: str) -> type[Bot]:
    """Raises KeyError if there is none of that name."""
    if name == RandomBot.name:
        return RandomBot
    from teufelswerk.bots.thinking_bots import BeginnerBot, CarefulBot, ExpertBot  # bring the compiler along

    return {"beginner": BeginnerBot, "careful": CarefulBot, "expert": ExpertBot}[name]


def make_bot(kind: str, game: Game, seat: int, seed: int, sight: Sight | None = None) -> Bot:
    """Raises UnknownBot if there is none of that kind."""
    name, think = split(kind)
    bot = bot_class(name)(game, seat, seed, sight)
    bot.think = think
    return bot


class Company:
    """The bots at a table; tells each of them what its seat sees."""

    def __init__(self, game: Game, kinds: Mapping[int, str], seed: int) -> None:
        self.game = game
        self.sight = Sight(game)
        self.bots = {seat: make_bot(kind, game, seat, seed, self.sight) for seat, kind in kinds.items()}
        self.moves = 0
        """How many moves they have made in the game that `play` plays."""
        self.made: list[Move] = []
        """Those moves, as the rules have them."""
        self.seconds = [0.0] * game.players
        """What each seat's decisions took of the processor there, if there was anything to decide."""
        self.decisions = [0] * game.players

    def tell(self, state: State, events: Sequence[Event]) -> None:
        """Passes on what has happened: the beginning of the game, or a move with its consequences."""
        for seat, bot in self.bots.items():
            bot.watch(self.game.view(state, seat), self.sight.events(events, seat))
            self.game.meter.work += len(state.owners)

    def play(self, seed: int) -> State:
        """Plays a whole game in which every seat is a bot's. Raises RuleError where the rules are at fault.

        In a game that goes on and on the bots put less and less into a decision, so that it comes to its end.
        """
        events: list[Event] = []
        self.moves, self.made, begun = 0, [], self.game.meter.work
        state = self.game.start(seed, events)
        self.tell(state, events)
        while (seat := self.game.player(state)) is not None:
            self.moves += 1
            if self.moves > MAX_MOVES_IN_GAME:
                raise self.game.endless()
            self.game.still_bearable(begun, MAX_WORK_OF_BOTS)
            self.bots[seat].zeal = 2 - max(1, min(2, (self.game.meter.work - begun) / WORK_OF_EAGER_BOTS))
            move = self.chosen(state, seat)
            self.made.append(move)
            events = []
            state = self.game.apply(state, move, events)
            self.tell(state, events)
        return state

    def chosen(self, state: State, seat: int) -> Move:
        view, begun = self.game.view(state, seat), time.thread_time()
        move = self.bots[seat].choose(view)
        if len(view.moves) > 1:
            self.seconds[seat] += time.thread_time() - begun
            self.decisions[seat] += 1
        return move
