"""Positions from the middle of random games → games that are played on from there, to measure how fast that is."""

from __future__ import annotations

from teufelswerk.engines.positions import Position
from teufelswerk.engines.steps import Steps
from teufelswerk.interpreter.random_play import Trail
from teufelswerk.model import Model

GAMES, POSITIONS, PORTION = 4, 10, 100
"""From so many games come so many positions each; so many games are played on from one of them at a time."""


class PositionGames:
    """Games of seeds, each taken up somewhere in the middle of another one."""

    def __init__(self, rules: Model, players: int, engine: str | None = None) -> None:
        self.steps = Steps(rules, players, None if engine == "reference" else engine)
        self.name = engine or self.steps.engine
        self.positions = []
        for seed in range(GAMES):
            start = self.steps.start(seed)
            moves = self.steps.playout(start, seed).moves
            self.positions += [self.steps.ahead(start, seed, most=moves * i // POSITIONS) for i in range(POSITIONS)]

    def count(self, first: int, count: int) -> int:
        """Plays the games of so many seeds for the number of their moves alone."""
        moves = 0
        for seed in range(first, first + count, PORTION):
            position = self.positions[seed // PORTION % len(self.positions)]
            portion = min(PORTION, first + count - seed)
            if self.name == "reference":
                moves += sum(self.by_reference(position, each) for each in range(seed, seed + portion))
            else:
                moves += sum(self.steps.playouts(position, seed, portion).moves)
        return moves

    def by_reference(self, position: Position, seed: int) -> int:
        trail: Trail = []
        self.steps.game.playout(self.steps.state(position), seed, trail=trail)
        return len(trail)
