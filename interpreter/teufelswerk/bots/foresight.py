"""A choice → what comes of it, in the rules' own sentences, where the unseen cards lie as they may.

The others do there whatever they can. So it tells nothing that a seat could not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from teufelswerk.base.texts import Seat, Text
from teufelswerk.bots.inference import Knowledge
from teufelswerk.bots.players import Bot
from teufelswerk.interpreter.game import Game, IllegalMove
from teufelswerk.interpreter.machine import Event, RuleError
from teufelswerk.interpreter.state import Move, State
from teufelswerk.interpreter.view import View

WORLDS = 12
"""In so many ways the unseen cards are dealt for each choice."""
MOST_STEPS = 8
"""So many moves of others are tried behind a choice."""
MOST_SAID = 3
"""So many things are said of each choice."""
MOST_REASONS = 3
"""Of so many moves a hint says what comes of them."""
OFTEN = 3
"""What comes about in fewer worlds is not worth a word."""


class Foreseen(NamedTuple):
    """A sentence that was told in so many of the worlds that were tried."""

    text: Text
    times: int
    worlds: int

    @property
    def counted(self) -> Text:
        if self.times == self.worlds:
            return self.text
        return Text("{words} ({n} of {all})", words=self.text, n=self.times, all=self.worlds)


@dataclass
class Trials:
    """What has come of one choice, in so many worlds."""

    worlds: int = 0
    at_once: Counter[Text] = field(default_factory=Counter)
    later: Counter[Text] = field(default_factory=Counter)
    elsewhere: Counter[Text] = field(default_factory=Counter)
    """What is told of others."""

    def worth_a_word(self) -> Iterator[Foreseen]:
        """What is certain, and what comes about often."""
        certain = [text for text, n in self.at_once.items() if n == self.worlds][:MOST_SAID]
        likely = self.later + Counter({text: n for text, n in self.at_once.items() if n < self.worlds})
        often = [(text, n) for text, n in likely.most_common() if n >= OFTEN][: MOST_SAID - len(certain)]
        if not certain and not often:
            often = [(text, n) for text, n in self.elsewhere.most_common(1) if n >= OFTEN]
        for text, n in [*((text, self.worlds) for text in certain), *often]:
            yield Foreseen(text, n, self.worlds)


class Foresight:
    """Tries the choices of one turn, all in the same worlds."""

    def __init__(self, game: Game, bot: Bot, view: View) -> None:
        self.game, self.bot, self.view = game, bot, view

    def outcomes(self, moves: Sequence[Move]) -> dict[Move, list[Foreseen]]:
        found = {move: Trials() for move in moves}
        for world, seed in self.worlds():
            for move in moves:
                self.try_out(world, move, found[move], Random(seed))
        return {move: list(trials.worth_a_word()) for move, trials in found.items()}

    def worlds(self) -> Iterator[tuple[State, int]]:
        """Positions that fit all that the seat knows, each with a seed for what the others do there."""
        knowledge, rng = getattr(self.bot, "knowledge", None), self.bot.chance()
        if isinstance(knowledge, Knowledge):
            for _ in range(WORLDS):
                world = knowledge.imagine(self.view, rng)
                seed = rng.getrandbits(32)
                if world is not None:
                    yield world, seed

    def try_out(self, world: State, move: Move, trials: Trials, rng: Random) -> None:
        events: list[Event] = []
        try:
            state = self.game.apply(world, move, events)
            at_once = self.worth_saying(events)
            later: list[Text] = []
            for _ in range(MOST_STEPS):
                player = self.game.player(state)
                if player is None or player == self.view.seat or state.rng != world.rng:
                    break
                events = []
                state = self.game.apply(state, rng.choice(self.game.legal_moves(state)), events)
                later += self.worth_saying(events)
        except (RuleError, IllegalMove):
            return  # a world that this turn cannot have come from
        trials.worlds += 1
        trials.at_once.update(set(at_once))
        trials.later.update({text for text in later if text not in at_once and self.about_me(text)})
        trials.elsewhere.update({text for text in later if not self.about_me(text)})

    def worth_saying(self, events: Sequence[Event]) -> list[Text]:
        """The sentences but for those that say no more than what was chosen."""
        chosen = {"player"}.union(*(event.record["choice"] for event in events if event.record["event"] == "move"))
        texts = [event.told.to(self.view.seat) for event in events if event.told is not None]
        return [text for text in texts if not chosen.issuperset(text.values)]

    def about_me(self, text: Text) -> bool:
        return any(value == Seat(self.view.seat) for value in text.values.values())
