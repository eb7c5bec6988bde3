"""The bots by their names, and all that sit at one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from teufelswerk.base.limits import MAX_MOVES_IN_GAME, MAX_WORK_OF_BOTS, WORK_OF_EAGER_BOTS
from teufelswerk.bots.players import Bot, RandomBot
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Event
from teufelswerk.interpreter.seen_events import Sight
from teufelswerk.interpreter.state import State

BOTS = ("expert", "careful", "random")
"""From the strongest to the weakest."""


def bot_class(name: str) -> type[Bot]:
    """Raises KeyError if there is none of that name."""
    if name == RandomBot.name:
        return RandomBot
    from teufelswerk.bots.thinking_bots import CarefulBot, ExpertBot  # bring the compiler along

    return {"careful": CarefulBot, "expert": ExpertBot}[name]


class Company:
    """The bots at a table; tells each of them what its seat sees."""

    def __init__(self, game: Game, kinds: Mapping[int, str], seed: int) -> None:
        self.game = game
        self.sight = Sight(game)
        self.bots = {seat: bot_class(kind)(game, seat, seed, self.sight) for seat, kind in kinds.items()}
        self.moves = 0
        """How many moves they have made in the game that `play` plays."""

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
        self.moves, begun = 0, self.game.meter.work
        state = self.game.start(seed, events)
        self.tell(state, events)
        while (seat := self.game.player(state)) is not None:
            self.moves += 1
            if self.moves > MAX_MOVES_IN_GAME:
                raise self.game.endless()
            self.game.still_bearable(begun, MAX_WORK_OF_BOTS)
            self.bots[seat].zeal = 2 - max(1, min(2, (self.game.meter.work - begun) / WORK_OF_EAGER_BOTS))
            move = self.bots[seat].choose(self.game.view(state, seat))
            events = []
            state = self.game.apply(state, move, events)
            self.tell(state, events)
        return state
