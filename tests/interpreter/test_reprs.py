"""What Python shows of games, moves and positions: short, with the names of cards, and equal to what they are."""

from __future__ import annotations

import copy
import pickle

import pytest
import teufelswerk
from shipped import FIXTURES, NAMES, few, rules

SHOWN = {
    "little-devils": ("<Model: little-devils, 54 cards, 3 to 6 players>", "<Move: player 3 leads 9>"),
    "hols-der-teufel": ("<Model: hols-der-teufel, 38 cards, 3 to 5 players>", "<Move: player 2 begins red-2>"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_game_is_shown_in_a_line_that_names_cards(name: str) -> None:
    game = teufelswerk.Game(rules(name), 4)
    state = game.start(seed=7)
    move = game.legal_moves(state)[0]
    assert (repr(game.rules), repr(move)) == SHOWN[name]
    assert repr(game) == f"<Game: {name}, 4 players>"
    assert repr(state).startswith(f"<State: player {move.player} to move; ") and len(repr(state)) < 200
    assert any(card.id in repr(state) for card in game.rules.cards)


@pytest.mark.parametrize("name", [*NAMES, *few([table.name for table in FIXTURES])])
def test_it_is_the_same_tuple_wherever_it_goes(name: str) -> None:
    game = teufelswerk.Game(rules(name), rules(name).min_players)
    for state, moves in game.random_states(3):
        assert repr(state) and all(map(repr, moves))
        for thing in (state, *moves[:2]):
            again = pickle.loads(pickle.dumps(thing))
            assert again == thing == copy.copy(thing) and hash(again) == hash(thing)


def test_python_completes_what_there_is() -> None:
    assert set(teufelswerk.__all__) <= set(dir(teufelswerk))
    assert all(hasattr(teufelswerk, name) for name in dir(teufelswerk))
