"""A game → a game of OpenSpiel: its algorithms and bots play it as they play their own.

    import pyspiel
    from teufelswerk.adapters.open_spiel import register

    name = register("little-devils", players=4)
    game = pyspiel.load_game(name)

Where there are few ways in which chance can go, each lot is a node of its own, and whole games can be searched and
solved. Elsewhere chance is sampled: a node at the beginning draws the seed of everything that the game leaves to
chance. What chance has decided is part of a player's information only if their seat sees it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from random import Random
from typing import Any, Literal, TypeAlias, assert_never

import pyspiel

from teufelswerk.adapters.numbers import Actions, Observations, Reward, Rewards
from teufelswerk.base import limits
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.open_chance import LotWanted, Stand, following
from teufelswerk.interpreter.state import Move
from teufelswerk.loading.model_cache import load_game
from teufelswerk.model import Model

MOST = 1_000_000.0
"""No reward is beyond it."""
FEW = 100_000
"""Chance that can go in no more ways than these is explicit, if nothing else is asked for."""
TRIALS = 10
"""In so many random games it is looked how many ways there are."""
KEPT = 100_000
"""So many positions are not worked out again, where chance is explicit."""

Chance: TypeAlias = Literal["explicit", "sampled"]
Ways: TypeAlias = dict[int, int]
"""What chance can decide, each with its weight."""


def register(
    rules: Model | str,
    players: int | None = None,
    reward: Reward = "win",
    seed: int = 1,
    chance: Chance | None = None,
) -> str:
    """Makes a game known to OpenSpiel, and says under which name. The seed decides which games are drawn, where chance
    is sampled; it is explicit where it can go in few ways, unless it is said which."""
    model = load_game(rules) if isinstance(rules, str) else rules
    game = Game(model, model.min_players if players is None else players)
    table = Table(game, reward, seed, chance or ("explicit" if has_few_deals(game) else "sampled"))
    if table.type.short_name not in pyspiel.registered_names():
        # a class, not a function: OpenSpiel lets go of it when Python is gone, and only a class outlives that
        pyspiel.register_game(table.type, type("SpielGame", (SpielGame,), {"table": table}))
    return str(table.type.short_name)


def has_few_deals(game: Game) -> bool:
    """Whether there are few ways in which chance can go in a game, as far as random games show."""
    return all(prod(ways) <= FEW for ways in (_ways(game, Random(seed)) for seed in range(TRIALS)))


def _ways(game: Game, random: Random) -> Iterator[int]:
    """In how many ways each lot of a random game can fall; no more than it takes to see that they are many."""
    stand, move, decided, so_far = None, None, list[int](), 1
    while stand is None or stand.moves:
        try:
            stand = following(game, stand, move, decided)
        except LotWanted as wanted:
            yield len(wanted.ways)
            so_far *= len(wanted.ways)
            if so_far > FEW:
                return
            decided.append(random.choice(list(wanted.ways)))
        else:
            if stand.moves:
                move, decided = random.choice(stand.moves), []


@dataclass(frozen=True, eq=False)
class Known:
    """A position with the actions that are legal there, and every view that each seat has had, the last one first."""

    stand: Stand
    actions: dict[int, Move]
    seen: tuple[tuple[Any, ...], ...]

    def __deepcopy__(self, memo: dict[int, Any]) -> Known:
        return self


class Table:
    """One game for one number of players, with all that its positions share."""

    def __init__(self, game: Game, reward: Reward, seed: int, chance: Chance) -> None:
        self.game, self.chance = game, chance
        self.actions, self.rows, self.worth = Actions(game), Observations(game), Rewards(game, reward)
        self.seeds = Random(seed)
        modes, utilities = pyspiel.GameType.ChanceMode, pyspiel.GameType.Utility
        explicit = chance == "explicit"
        self.type = pyspiel.GameType(
            short_name=f"teufelswerk_{game.rules.name}_{game.players}_{reward}_{chance}",
            long_name=f"{game.rules.title} for {game.players}",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=modes.EXPLICIT_STOCHASTIC if explicit else modes.SAMPLED_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=utilities.ZERO_SUM if reward == "lead" else utilities.GENERAL_SUM,
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
            max_chance_outcomes=limits.MAX_NUMBER if explicit else 1,
            num_players=game.players,
            min_utility=low,
            max_utility=high,
            max_game_length=limits.MAX_MOVES_IN_GAME,
        )

        self.following = lru_cache(KEPT)(self._following) if explicit else self._following

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self  # positions are copied often, and share it

    def _following(self, known: Known | None, move: Move | None, decided: tuple[int, ...]) -> Known | Ways:
        """The position that follows a move, or what chance has to decide first."""
        match self.chance:
            case "explicit":
                try:
                    stand = following(self.game, known.stand if known else None, move, decided)
                except LotWanted as wanted:
                    return wanted.ways
            case "sampled":
                if known is not None and move is not None:
                    state = self.game.apply(known.stand.state, move)
                elif decided:
                    state = self.game.start(self.seeds.getrandbits(48))
                else:
                    return {0: 1}
                stand = Stand(state, (), tuple(self.game.legal_moves(state)))
            case _:
                assert_never(self.chance)
        views = (self.game.view(stand.state, seat) for seat in range(self.game.players))
        rows = [" ".join(map(str, self.rows.row(view))) for view in views]
        seen = tuple((row, known.seen[seat] if known else ()) for seat, row in enumerate(rows))
        return Known(stand, self.actions.numbers(stand.moves), seen)


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
    """A position, or one on its way to the next. What a player knows is every view that their seat has had."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.table = game.table
        self.known: Known | None = None
        self.move: Move | None = None
        self.decided: tuple[int, ...] = ()
        self.ways: Ways | None = None
        """What chance can decide now, each with its weight."""
        self._go()

    # ---- whose decision it is, and what they can do ---------------------------------------------------------------

    def current_player(self) -> int:
        if self.ways is not None:
            return int(pyspiel.PlayerId.CHANCE)
        assert self.known is not None
        moves = self.known.stand.moves
        return moves[0].player if moves else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return self.ways is None and self.known is not None and not self.known.stand.moves

    def chance_outcomes(self) -> list[tuple[int, float]]:
        assert self.ways is not None
        all_ways = sum(self.ways.values())
        return [(way, weight / all_ways) for way, weight in self.ways.items()]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.known.actions) if self.known else []

    def _apply_action(self, action: int) -> None:
        if self.ways is not None:
            self.decided += (action,)
        else:
            assert self.known is not None
            self.move = self.known.actions[action]
        self._go()

    def _go(self) -> None:
        """What follows the move, as far as it is decided."""
        found = self.table.following(self.known, self.move, self.decided)
        if isinstance(found, Known):
            self.known, self.move, self.decided, self.ways = found, None, (), None
        else:
            self.ways = found

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.table.game.players
        assert self.known is not None
        return self.table.worth.of(self.known.stand.state)

    # ---- in words -------------------------------------------------------------------------------------------------

    def _action_to_string(self, player: int, action: int) -> str:
        if self.ways is not None or self.known is None or action not in self.known.actions:
            return f"chance {action}" if self.ways is not None else f"action {action}"
        told = self.table.game.describe(self.known.actions[action])
        return " ".join([told["move"], *map(str, told["choice"].values())])

    def information_state_string(self, player: int | None = None) -> str:
        lines, seen = [], self._seen(player)
        while seen:
            row, seen = seen
            lines.append(row)
        return "\n".join(reversed(lines))

    def observation_string(self, player: int | None = None) -> str:
        seen = self._seen(player)
        return str(seen[0]) if seen else ""

    def _seen(self, player: int | None) -> tuple[Any, ...]:
        if self.known is None:
            return ()
        return self.known.seen[self.current_player() if player is None else player]

    def __str__(self) -> str:
        if self.known is None:
            return " ".join(["before the first decision", *map(str, self.decided)])
        text = self.table.game.text(self.known.stand.state)
        return " ".join([text, *(map(str, (self.move.verb, self.move.picks, self.decided)) if self.move else ())])


class Observer:
    """What OpenSpiel asks for a player's observation as a row of numbers."""

    def __init__(self, table: Table) -> None:
        import numpy as np

        self.table = table
        self.tensor: Any = np.zeros(table.rows.length, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        self.tensor.fill(0)
        if state.known is not None:
            self.tensor[:] = self.table.rows.row(self.table.game.view(state.known.stand.state, player))

    def string_from(self, state: SpielState, player: int) -> str:
        return state.observation_string(player)
