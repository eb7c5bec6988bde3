"""A game as instructions, with what stands where: what `whole_game` makes and the targets write down."""

from __future__ import annotations

from dataclasses import dataclass

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Writer
from teufelswerk.compiled.places import Places
from teufelswerk.compiled.turns import Turns
from teufelswerk.compiled.weighing import Weighing
from teufelswerk.core.statements import Core
from teufelswerk.interpreter.machine import Layout


@dataclass
class Written:
    """A game as instructions: for one number of players, with or without decisions at which it can be taken up."""

    core: Core
    layout: Layout
    writer: Writer
    body: c.Body
    places: Places
    turns: Turns
    calls: dict[int, tuple[int, int]]
    """By the id of a statement that carries out a step: the number of its routine, and which of the calls it is."""
    standing: c.Function | None
    """Gives how far a player has come in what decides the end, in a game that can be taken up."""
    weighing: Weighing | None
    """What a move promises by learned weights, if that is wanted."""

    @property
    def marks(self) -> list[int]:
        """The ids of the turns, by the number of the mark where each can be taken up."""
        return self.turns.marks

    @property
    def functions(self) -> list[c.Function]:
        """All that answer questions about a position."""
        return [*self.writer.functions.values(), *([self.weighing.function] if self.weighing else [])]
