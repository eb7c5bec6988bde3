"""A game → a PettingZoo environment, in which the players take turns and know which of the actions are legal.

from teufelswerk.adapters.pettingzoo import env

table = env("little-devils", players=4)
table.reset(seed=7)
for agent in table.agent_iter():
    observation, reward, over, stopped, info = table.last()
    table.step(None if over else table.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from teufelswerk.adapters.numbers import Actions, Observations, Reward, Rewards
from teufelswerk.base import limits
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.show import NOBODY
from teufelswerk.interpreter.state import Move, State
from teufelswerk.loading.model_cache import load_game
from teufelswerk.model import Model


def env(rules: Model | str, players: int | None = None, reward: Reward = "win") -> Table:
    """The environment of a model, or of a game by its name or path, for the smallest number of players or another."""
    model = load_game(rules) if isinstance(rules, str) else rules
    return Table(Game(model, model.min_players if players is None else players), reward)


class Table(AECEnv):
    """The players of one game, one at a time. Agents are called `player_0`, `player_1`, … clockwise."""

    def __init__(self, game: Game, reward: Reward = "win") -> None:
        super().__init__()
        self.game = game
        self.actions, self.rows, self.worth = Actions(game), Observations(game), Rewards(game, reward)
        self.metadata = {"name": f"{game.rules.name}_v0", "is_parallelizable": False, "render_modes": ["ansi"]}
        self.render_mode = "ansi"
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        seen = spaces.Box(-limits.MAX_NUMBER, limits.MAX_NUMBER, (self.rows.length,), np.int64)
        mask = spaces.MultiBinary(self.actions.count)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.actions.count) for agent in self.possible_agents}
        self.seed_of_next: int | None = None
        self.state_: State | None = None
        self.legal: dict[int, Move] = {}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """The first decision of the game of a seed; without one, of the seed after the last one's."""
        if seed is None:
            seed = self.seed_of_next if self.seed_of_next is not None else int(np.random.default_rng().integers(2**32))
        self.seed_of_next = seed + 1
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.moves = 0
        self._stand(self.game.start(seed))

    def _stand(self, state: State) -> None:
        self.state_ = state
        seat = self.game.player(state)
        self.legal = {} if seat is None else self.actions.numbers(self.game.legal_moves(state))
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]

    def observe(self, agent: str) -> dict[str, Any]:
        assert self.state_ is not None, "a game begins with `reset`"
        view = self.game.view(self.state_, self.seats[agent])
        mask: Any = np.zeros(self.actions.count, np.int8)
        if agent == self.agent_selection:
            mask[list(self.legal)] = 1
        return {"observation": np.array(self.rows.row(view), np.int64), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert self.state_ is not None and action is not None
        move = self.legal.get(int(action))
        if move is None:
            raise ValueError(f"the action {action} is not legal here; the mask says which are")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.moves += 1
        self._stand(self.game.apply(self.state_, move))
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.game.is_over(self.state_):
            self.rewards = dict(zip(self.agents, self.worth.of(self.state_), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.moves >= limits.MAX_MOVES_IN_GAME:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str:
        """What everyone may see of the position, place by place."""
        if self.state_ is None:
            return ""
        places = self.game.view(self.state_, NOBODY).places.values()
        return "\n".join(f"{p.name}: {p.count if p.cards is None else ', '.join(p.cards)}" for p in places if p.count)

    def close(self) -> None:
        self.state_ = None
