"""OpenSpiel's own random test of games, for every game; that a player is told what their seat sees; and small games
solved by its algorithms, which are worth what they are known to be worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms.gambit import export_gambit
from shipped import LANGUAGE_FILES, NAMES, PATHS, few, language_game, rules
from teufelswerk import Game, Move
from teufelswerk.adapters.open_spiel import register
from teufelswerk.interpreter.open_chance import LotWanted, Stand, following

each_game = pytest.mark.parametrize("name", [*NAMES, *few([name for name in PATHS if name not in NAMES])])


@each_game
def test_their_random_test_passes(name: str) -> None:
    game = pyspiel.load_game(register(rules(name)))
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@each_game
def test_a_copy_goes_its_own_way(name: str) -> None:
    state = pyspiel.load_game(register(rules(name))).new_initial_state()
    state.apply_action(state.legal_actions()[0])
    copied, before = state.clone(), str(state)
    copied.apply_action(copied.legal_actions()[-1])
    assert str(state) == before != str(copied)


def test_actions_are_told_in_the_words_of_the_rules() -> None:
    state = pyspiel.load_game(register("little-devils", players=4)).new_initial_state()
    state.apply_action(state.legal_actions()[0])
    told = {state.action_to_string(state.current_player(), action) for action in state.legal_actions()}
    assert told <= {f"leads {number}" for number in range(1, 37)}


def test_players_know_different_things() -> None:
    state = pyspiel.load_game(register("little-devils", players=4)).new_initial_state()
    state.apply_action(state.legal_actions()[0])
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


def test_few_lots_are_explicit_and_many_are_sampled() -> None:
    modes = pyspiel.GameType.ChanceMode
    found = {name: pyspiel.load_game(register(name)).get_type().chance_mode for name in ("kuhn", "leduc", "hearts")}
    assert found == {
        "kuhn": modes.EXPLICIT_STOCHASTIC, "leduc": modes.EXPLICIT_STOCHASTIC, "hearts": modes.SAMPLED_STOCHASTIC
    }  # fmt: skip


@pytest.mark.parametrize("name", ["little-devils", "hols-der-teufel", "market.rules.md"])
def test_any_game_can_have_every_lot_explicit(name: str, tmp_path: Path) -> None:
    model = language_game(name, tmp_path) if name in LANGUAGE_FILES else rules(name)
    game = pyspiel.load_game(register(model, chance="explicit"))
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.each_game
@pytest.mark.parametrize(("ours", "theirs"), [("kuhn", "kuhn_poker"), ("leduc", "leduc_poker")])
def test_a_whole_game_has_as_many_positions_as_theirs(ours: str, theirs: str) -> None:
    """With us it is drawn by lot who opens; then there is as much of everything as there."""
    game = Game(rules(ours), 2)
    found = {"decisions": 0, "ends": 0}
    waiting: list[tuple[Stand | None, Move | None, tuple[int, ...]]] = [(None, None, (0,))]
    while waiting:
        stand, move, decided = waiting.pop()
        try:
            stand = following(game, stand, move, decided)
        except LotWanted as wanted:
            waiting.extend((stand, move, (*decided, way)) for way in wanted.ways)
        else:
            found["decisions" if stand.moves else "ends"] += 1
            waiting.extend((stand, each, ()) for each in stand.moves)
    assert found == _counted(pyspiel.load_game(theirs).new_initial_state())


def _counted(state: Any) -> dict[str, int]:
    found, waiting = {"decisions": 0, "ends": 0}, [state]
    while waiting:
        state = waiting.pop()
        if not state.is_chance_node():
            found["ends" if state.is_terminal() else "decisions"] += 1
        waiting.extend(state.child(action) for action in state.legal_actions())
    return found


# ---- known values ---------------------------------------------------------------------------------------------------


def solved(game: Any, solver: Any, iterations: list[int]) -> tuple[float, list[float]]:
    """What a game is worth to whoever opens, and what is won by whoever knows the other's way to play, as it falls.

    The first lot says who opens. What the second player would win if they opened, the first one wins if they do."""
    lost = []
    for more in iterations:
        for _ in range(more):
            solver.evaluate_and_update_policy()
        lost.append(pyspiel.nash_conv(game, solver.average_policy()) / 2)
    worth = []
    for opener in range(2):
        state = game.new_initial_state()
        assert state.is_chance_node() and len(state.legal_actions()) == 2
        state.apply_action(opener)
        worth.append(pyspiel.expected_returns(state, solver.average_policy(), -1, True)[opener])
    assert worth[0] == pytest.approx(worth[1], abs=0.003)
    return sum(worth) / 2, lost


@pytest.mark.slow
@pytest.mark.each_game
def test_kuhn_poker_is_worth_what_it_is_known_to_be() -> None:
    game = pyspiel.load_game(register("kuhn", reward="lead"))
    worth, lost = solved(game, pyspiel.CFRSolver(game), [10, 90, 400])
    print(f"Kuhn poker is worth {worth:.4f}; can be won from it: {lost}")  # noqa: T201
    assert worth == pytest.approx(-1 / 18, abs=0.001)
    assert lost == sorted(lost, reverse=True) and lost[-1] < 0.01


@pytest.mark.slow
@pytest.mark.each_game
def test_leduc_poker_is_worth_what_it_is_known_to_be() -> None:
    """Their own exporter writes our game down as a tree, and reads it again, so that it is solved in one minute."""
    tree = pyspiel.load_efg_game(export_gambit(pyspiel.load_game(register("leduc", reward="lead"))))
    worth, lost = solved(tree, pyspiel.CFRPlusSolver(tree), [10, 90, 400])
    print(f"Leduc poker is worth {worth:.4f}; can be won from it: {lost}")  # noqa: T201
    assert worth == pytest.approx(-0.0856, abs=0.0005)
    assert lost == sorted(lost, reverse=True) and lost[-1] < 0.002
