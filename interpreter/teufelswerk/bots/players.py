"""Players for any game. A bot is given views and what its seat sees happen, never states.

    bot = bot_class("careful")(game, seat=2, seed=7)
    bot.watch(view, seen)           # after the beginning of the game and after every move, by whomever
    bot.choose(view)                # the move that the bot makes
    bot.opinions(view)              # the moves that it considers, best first, with what it expects of them

A stronger bot is a subclass of `Bot` with its own `opinions`, named in `company.py`. What a bot chooses depends on the
seed, on what it has seen, and on nothing else, so that a game that is continued later goes on in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from teufelswerk.base import chance
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.seen_events import Seen, Sight
from teufelswerk.interpreter.state import Move
from teufelswerk.interpreter.view import View


@dataclass(frozen=True)
class Opinion:
    """What a bot thinks of a move: what its player is expected to have when the round is over, from so many trials."""

    move: Move
    worth: float
    expected: float | None = None
    trials: int = 0
    best: float | None = None
    """In which share of the ways in which the cards may lie nothing that it was compared with turned out better."""


class Bot:
    """A player who knows what its seat has seen."""

    name = ""

    def __init__(self, game: Game, seat: int, seed: int, sight: Sight | None = None) -> None:
        self.game = game
        self.seat = seat
        self.seed = seed
        self.watched = 0
        self.think: float | None = None
        """For how many seconds it thinks about a decision; None: as long as is usual for it."""
        self.zeal = 1.0
        """How much of what it would do for a decision it does."""

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
