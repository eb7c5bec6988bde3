"""PettingZoo's own tests of environments, for every game; and what an environment tells a player."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test
from shipped import NAMES, PATHS, few, rules
from teufelswerk.adapters.numbers import Actions
from teufelswerk.adapters.pettingzoo import Table, env
from teufelswerk.interpreter.game import Game

each_game = pytest.mark.parametrize("name", [*NAMES, *few([name for name in PATHS if name not in NAMES])])


@each_game
@pytest.mark.filterwarnings("ignore:Observation")  # it is a dictionary with a mask, as in their own card games
def test_their_tests_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(env(rules(name)), num_cycles=100)
    seed_test(lambda: env(rules(name)), num_cycles=50)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.each_game
@pytest.mark.parametrize("name", NAMES)
def test_their_benchmark_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It plays for five seconds and prints how fast that went."""
    performance_benchmark(env(rules(name)))
    with capsys.disabled():
        print(name, capsys.readouterr().out)  # noqa: T201


@each_game
def test_a_move_has_one_number_in_all_positions(name: str) -> None:
    game = Game(rules(name), rules(name).max_players)
    actions, known = Actions(game), dict[int, tuple[Any, ...]]()
    counted = {verb for verb, ranges in actions.ranges.items() if ranges is not None}
    for seed in range(3):
        for _state, moves in game.random_states(seed):
            numbered = actions.numbers(moves)
            assert list(numbered.values()) == moves and all(0 <= number < actions.count for number in numbered)
            for number, move in numbered.items():
                if move.verb in counted:
                    seen = move.verb, game.as_seen(move).picks  # identical cards are one
                    assert known.setdefault(number, seen) == seen


@each_game
def test_what_cannot_be_seen_is_in_no_observation(name: str) -> None:
    """Hidden cards of others change places: the observation of a seat stays the same, to the number."""
    table = env(rules(name), rules(name).max_players)
    table.reset(seed=5)
    game, state = table.game, table.state_
    assert state is not None
    agent = table.agent_selection
    seat = table.seats[agent]
    sees, faces = game.layout.sees_card, game.layout.faces
    lying = [(i, cards[0]) for i, cards in enumerate(state.places) if i and cards]
    hidden = [i for i, card in lying if not sees(seat, state.keeps, i, card)]
    backs = {i: game.layout.place_of[i].backs_by for i in hidden}
    before = table.observe(agent)["observation"]
    swapped = 0
    for one in hidden:
        for two in hidden:
            if one < two and backs[one] == backs[two] == "nobody":
                places = [list(place) for place in state.places]
                places[one][0], places[two][0] = places[two][0], places[one][0]
                a, b, keeps = places[one][0], places[two][0], list(state.keeps)
                if faces is not None:
                    keeps[faces + a], keeps[faces + b] = keeps[faces + b], keeps[faces + a]
                table.state_ = state._replace(places=tuple(map(tuple, places)), keeps=tuple(keeps))
                assert np.array_equal(table.observe(agent)["observation"], before)
                swapped += 1
    assert swapped or len([i for i in hidden if backs[i] == "nobody"]) < 2


def test_the_reward_is_shared_by_those_who_win() -> None:
    table = env("little-devils", players=3)
    table.reset(seed=2)
    total: dict[str, float] = {}
    for agent in table.agent_iter():
        observation, reward, over, _stopped, _info = table.last()
        total[agent] = total.get(agent, 0.0) + reward
        table.step(None if over else int(np.flatnonzero(observation["action_mask"])[0]))
    assert sum(total.values()) == pytest.approx(1) and len(total) == 3


def test_an_action_that_is_not_legal_is_refused(table: Table) -> None:
    wrong = int(np.flatnonzero(table.observe(table.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match="not legal"):
        table.step(wrong)


def test_no_hidden_card_is_drawn(table: Table) -> None:
    assert table.render() == "hand[0]: 9\nhand[1]: 9\nhand[2]: 9"


@pytest.fixture
def table() -> Table:
    found = env("little-devils", players=3)
    found.reset(seed=2)
    return found
