"""Positions in the middle of games."""

from __future__ import annotations

from random import Random

from teufelswerk.engines.positions import Position
from teufelswerk.engines.steps import Steps


def somewhere(game: Steps, seed: int) -> Position:
    """A position in a random game."""
    rng, position = Random(seed), game.start(seed)
    for _ in range(rng.randrange(12)):
        following = game.apply(position, rng.randrange(game.count(position)))
        if game.is_over(following):
            break
        position = following
    return position
