"""A game → a game of OpenSpiel: its algorithms and bots play it as they play their own.

    import pyspiel
    from teufelswerk.adapters.open_spiel import register

    name = register("little-devils", players=4)
    game = pyspiel.load_game(name)

Chance is sampled: a node at the beginning draws the seed of everything that the game leaves to chance, and what it
drew is part of no player's information.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pyspiel

from teufelswerk.adapters.numbers import Actions, Observations, Reward, Rewards
from teufelswerk.base import limits
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.state import Move, State
from teufelswerk.loading.model_cache import load_game
from teufelswerk.model import Model

MOST = 1_000_000.0
"""No reward is beyond it."""


def register(rules: Model | str, players: int | None = None, reward: Reward = "win", seed: int = 1) -> str:
    """Makes a game known to OpenSpiel, and says under which name. The seed decides which games are drawn."""
    model = load_game(rules) if isinstance(rules, str) else rules
    table = Table(Game(model, model.min_players if players is None else players), reward, seed)
    if table.type.short_name not in pyspiel.registered_names():
        # a class, not a function: OpenSpiel lets go of it when Python is gone, and only a class outlives that
        pyspiel.register_game(table.type, type("SpielGame", (SpielGame,), {"table": table}))
    return str(table.type.short_name)


class Table:
    """One game for one number of players, with all that its positions share."""

    def __init__(self, game: Game, reward: Reward, seed: int) -> None:
        self.game = game
        self.actions, self.rows, self.worth = Actions(game), Observations(game), Rewards(game, reward)
        self.seeds = Random(seed)
        self.type = pyspiel.GameType(
            short_name=f"teufelswerk_{game.rules.name}_{game.players}_{reward}",
            long_name=f"{game.rules.title} for {game.players}",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.GENERAL_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=game.players,
            min_num_players=game.players,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            provides_factored_observation_string=False,
            parameter_specification={},
        )
        low, high = (0.0, 1.0) if reward == "win" else (-MOST, MOST)
        self.info = pyspiel.GameInfo(
            num_distinct_actions=max(1, self.actions.count),
            max_chance_outcomes=1,
            num_players=game.players,
            min_utility=low,
            max_utility=high,
            max_game_length=limits.MAX_MOVES_IN_GAME,
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self  # positions are copied often, and share it


class SpielGame(pyspiel.Game):
    """What OpenSpiel makes new games of."""

    table: Table

    def __init__(self, params: Any = None) -> None:
        super().__init__(self.table.type, self.table.info, params or {})

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self.table)


class SpielState(pyspiel.State):
    """A position. What a player knows is every view that their seat has had."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.table = game.table
        self.position: State | None = None
        self.seen: list[list[str]] = [[] for _ in range(self.table.game.players)]
        self.legal: dict[int, Move] = {}

    # ---- whose decision it is, and what they can do ---------------------------------------------------------------

    def current_player(self) -> int:
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.table.game.player(self.position)
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def is_terminal(self) -> bool:
        return self.position is not None and self.table.game.is_over(self.position)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(0, 1.0)]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.legal)

    def _apply_action(self, action: int) -> None:
        game = self.table.game
        if self.position is None:
            self.position = game.start(self.table.seeds.getrandbits(48))
        else:
            self.position = game.apply(self.position, self.legal[action])
        over = game.is_over(self.position)
        self.legal = {} if over else self.table.actions.numbers(game.legal_moves(self.position))
        for seat, known in enumerate(self.seen):
            known.append(" ".join(map(str, self.table.rows.row(game.view(self.position, seat)))))

    def returns(self) -> list[float]:
        if self.position is None or not self.is_terminal():
            return [0.0] * self.table.game.players
        return self.table.worth.of(self.position)

    # ---- in words -------------------------------------------------------------------------------------------------

    def _action_to_string(self, player: int, action: int) -> str:
        if action not in self.legal:
            return f"action {action}"
        told = self.table.game.describe(self.legal[action])
        return " ".join([told["move"], *map(str, told["choice"].values())])

    def information_state_string(self, player: int | None = None) -> str:
        return "\n".join(self.seen[self.current_player() if player is None else player])

    def observation_string(self, player: int | None = None) -> str:
        known = self.seen[self.current_player() if player is None else player]
        return known[-1] if known else ""

    def __str__(self) -> str:
        return "before the deal" if self.position is None else self.table.game.text(self.position)


class Observer:
    """What OpenSpiel asks for a player's observation as a row of numbers."""

    def __init__(self, table: Table) -> None:
        import numpy as np

        self.table = table
        self.tensor: Any = np.zeros(table.rows.length, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor.fill(0)
        if state.position is not None:
            self.tensor[:] = self.table.rows.row(self.table.game.view(state.position, player))

    def string_from(self, state: SpielState, player: int) -> str:
        return state.observation_string(player)
