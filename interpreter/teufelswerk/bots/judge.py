"""A position of the reference interpreter → how far each player has come in what decides the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from teufelswerk.core.aim import WIN, aim_of
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Machine


class Judge:
    """Compares players in the middle of a game by that which decides it at the end."""

    def __init__(self, game: Game) -> None:
        self.players = range(game.players)
        self.aim = aim_of(game.program.core)
        self.highest = self.aim is None or self.aim.highest
        self.by: Callable[[Machine], Any] | None = None
        if self.aim is not None:
            self.by = game.program.evaluator.value(self.aim.by)

    def result(self, m: Machine, seat: int) -> int | None:
        """What of the player decides the game, as it stands."""
        if self.by is None or self.aim is None:
            return None
        before = m.slots[self.aim.slot]
        m.slots[self.aim.slot] = seat
        value = self.by(m)
        m.slots[self.aim.slot] = before
        return None if value is None else int(value)

    def worth(self, m: Machine, seat: int) -> float:
        """How far the player is ahead of the others, and at the end whether they have won."""
        worth = 0.0
        if self.aim is not None:
            results = [self.result(m, other) or 0 for other in self.players]
            others = (sum(results) - results[seat]) / max(len(results) - 1, 1)
            worth = results[seat] - others if self.highest else others - results[seat]
        if m.winners is not None and seat in m.winners:
            worth += WIN / len(m.winners)
        return worth
