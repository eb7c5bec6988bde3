"""A model → what only shows in play: for each number of players a few games are tried, within bounds."""

from __future__ import annotations

import time

from teufelswerk.diagnostics import Diagnostic, limited
from teufelswerk.game import Game
from teufelswerk.machine import RuleError
from teufelswerk.model import Model

GAMES = 3
SECONDS = 1.0


def try_out(rules: Model, games: int = GAMES, seconds: float = SECONDS) -> list[Diagnostic]:
    """What goes wrong when the game is played; each problem once."""
    found: list[Diagnostic] = []
    deadline = time.monotonic() + seconds
    for players in range(rules.min_players, rules.max_players + 1):
        try:
            game = Game(rules, players)
            game.start(0)
            for seed in range(games):
                if time.monotonic() > deadline:
                    break
                game.random_game(seed)
        except RuleError as problem:
            found.append(problem.diagnostic)
    return limited(found)
