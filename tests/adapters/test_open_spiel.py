"""OpenSpiel's own random test of games, for every game; and that a player is told what their seat sees."""

from __future__ import annotations

import pyspiel
import pytest
from shipped import PATHS, rules
from teufelswerk.adapters.open_spiel import register

each_game = pytest.mark.parametrize("name", PATHS)


@pytest.mark.each_game
@each_game
def test_their_random_test_passes(name: str) -> None:
    game = pyspiel.load_game(register(rules(name)))
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@each_game
def test_a_copy_goes_its_own_way(name: str) -> None:
    state = pyspiel.load_game(register(rules(name))).new_initial_state()
    state.apply_action(0)
    copied, before = state.clone(), str(state)
    copied.apply_action(copied.legal_actions()[-1])
    assert str(state) == before != str(copied)


def test_actions_are_told_in_the_words_of_the_rules() -> None:
    state = pyspiel.load_game(register("little-devils", players=4)).new_initial_state()
    state.apply_action(0)
    told = {state.action_to_string(state.current_player(), action) for action in state.legal_actions()}
    assert told <= {f"leads {number}" for number in range(1, 37)}


def test_players_know_different_things() -> None:
    state = pyspiel.load_game(register("little-devils", players=4)).new_initial_state()
    state.apply_action(0)
    known = [state.information_state_string(seat) for seat in range(4)]
    assert len(set(known)) == 4
    earlier = known[0]
    state.apply_action(state.legal_actions()[0])
    assert state.information_state_string(0).startswith(earlier)


def test_the_winner_has_what_there_is_to_win() -> None:
    for reward in ("win", "score"):
        state = pyspiel.load_game(register("hols-der-teufel", players=3, reward=reward)).new_initial_state()
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0] if not state.is_chance_node() else 0)
        assert sum(state.returns()) == pytest.approx(1 if reward == "win" else 60)
