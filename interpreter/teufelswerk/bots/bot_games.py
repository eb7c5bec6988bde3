"""An engine whose games are played by bots, each in its seat, and not at random."""

from __future__ import annotations

from collections.abc import Sequence

from teufelswerk.bots.company import Company
from teufelswerk.engines.random_games import Engine, Played
from teufelswerk.model import Model


class BotEngine(Engine):
    """Plays with the reference interpreter; `bots` are the kinds of bots, seat by seat."""

    name = "bots"

    def __init__(self, rules: Model, bots: Sequence[str]) -> None:
        super().__init__(rules, len(bots))
        self.bots = tuple(bots)

    def play(self, seed: int) -> Played:
        company = Company(self.game, dict(enumerate(self.bots)), seed)
        state, layout = company.play(seed), self.game.layout
        keeps = tuple(tuple(state.keeps[index] for index in layout.of_seats(keep)) for keep in self.kept)
        return Played(seed, company.moves, state.winners or (), keeps)
