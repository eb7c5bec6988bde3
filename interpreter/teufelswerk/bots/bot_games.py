"""An engine whose games are played by bots, each in its seat, and not at random."""

from __future__ import annotations

from collections.abc import Sequence

from teufelswerk.bots.company import Company
from teufelswerk.engines.counting_reference import Watch
from teufelswerk.engines.random_games import Engine, Played
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.state import Move
from teufelswerk.model import Model


class BotEngine(Engine):
    """Plays with the reference interpreter; `bots` are the kinds of bots, seat by seat.

    What is `counting` counts what happens at the table, and nothing of what goes on in the bots' heads: the moves of a
    game are made once more, where nobody thinks.
    """

    name = "bots"

    def __init__(self, rules: Model, bots: Sequence[str], counting: bool = False) -> None:
        super().__init__(rules, len(bots), counting=counting)
        self.bots = tuple(bots)
        self.table = Game(rules, len(bots)) if counting else self.game

    def play(self, seed: int) -> Played:
        company = Company(self.table, dict(enumerate(self.bots)), seed)
        state, layout = company.play(seed), self.game.layout
        keeps = tuple(tuple(state.keeps[index] for index in layout.of_seats(keep)) for keep in self.kept)
        counts = () if self.watch is None else self.counted(self.watch, seed, company.made)
        return Played(seed, company.moves, state.winners or (), keeps, counts=counts)

    def counted(self, watch: Watch, seed: int, moves: Sequence[Move]) -> tuple[int, ...]:
        """What there is to count in the game of a seed with these moves."""
        machine = self.game.machine(seed)
        self.game.run(machine)
        for move in moves:
            self.game.offers(machine)
            self.game.make(machine, move)
        return tuple(watch.counts)
