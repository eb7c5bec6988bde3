"""A model → the games in which its scenes are played, made once for the same people and bounded together."""

from __future__ import annotations

from collections.abc import Sequence

from teufelswerk import model
from teufelswerk.base.budget import Deadline
from teufelswerk.examples.open_cards import clone
from teufelswerk.examples.open_effects import open_program_of
from teufelswerk.examples.open_moves import OpenMoves
from teufelswerk.examples.scene_start import first_time
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Machine
from teufelswerk.interpreter.program import Program

KEPT = 8
"""Games for different people that are kept at the same time."""
MAKING = 100
"""A game is made in the time in which so many things are looked at for each line that is played."""


class OpenGame(Game):
    """A game as scenes play it: cards may be open, lots fall on the first."""

    def __init__(self, rules: model.Model, people: Sequence[str], deadline: Deadline | None = None) -> None:
        super().__init__(rules, len(people), deadline)
        self.seats = {name: seat for seat, name in enumerate(people)}
        self.open_moves = OpenMoves(self.program)
        self.meter.work += MAKING * (len(self.program.code) + len(rules.definitions))
        self._firsts: dict[int, Machine | None] = {}

    def make_program(self) -> Program:
        return open_program_of(self.rules, self.players)

    def first(self, begin: int) -> Machine | None:
        """Where the game first comes to an instruction; None if it ends before."""
        if begin not in self._firsts:
            self._firsts[begin] = first_time(self, begin)
        m = self._firsts[begin]
        return clone(m) if m is not None else None

    def begins_as(self, begin: int, m: Machine | None) -> None:
        """Lets scenes begin at another time at which the game comes to an instruction."""
        self._firsts[begin] = m


class OpenGames:
    """The games of a model for those who sit at the tables of its scenes."""

    def __init__(self, rules: model.Model, deadline: Deadline | None = None) -> None:
        self.rules = rules
        self.deadline = deadline
        self._made: dict[tuple[str, ...], OpenGame] = {}
        self._before = 0
        """What was looked at in games that are no longer kept."""

    def at(self, people: Sequence[str]) -> OpenGame:
        """The game of these people, in the order in which they sit."""
        if self.deadline is not None:
            self.deadline.check()
        game = self._made.pop(tuple(people), None) or OpenGame(self.rules, people, self.deadline)
        self._made[tuple(people)] = game
        if len(self._made) > KEPT:
            self._before += self._made.pop(next(iter(self._made))).meter.work
        return game

    @property
    def work(self) -> int:
        """All that has been looked at, in all games together."""
        return self._before + sum(game.meter.work for game in self._made.values())
