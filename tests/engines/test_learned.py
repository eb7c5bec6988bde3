"""Moves by learned weights: what is told of them is right, and machine code weighs and plays as plain Python does."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from shipped import few
from somewhere import somewhere
from teufelswerk.core.features import WON
from teufelswerk.engines.care import Care
from teufelswerk.engines.random_games import has_native
from teufelswerk.engines.steps import Steps
from teufelswerk.interpreter.state import State
from teufelswerk.loading.model_cache import load_game

FIXTURES = Path(__file__).parents[1] / "fixtures" / "games"
GAMES = ["little-devils", "hols-der-teufel", "hearts", *few(sorted(map(str, FIXTURES.glob("*.rules.md"))))]
WELL = Care(depth=2, tries=2, widest=4, longest=12, wild=20)
needs_native = pytest.mark.skipif(not has_native(), reason="llvmlite is not installed")


@cache
def steps(name: str, engine: str) -> Steps:
    """With any weights for all that can be told."""
    model = load_game(name)
    found = Steps(model, model.max_players, engine, weights={})
    assert found.weighing is not None
    rng = Random(1)
    found.weigh({move: {told: rng.randint(-99, 99) for told in row} for move, row in found.weighing.rows.items()})
    return found


@needs_native
@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).name.removesuffix(".rules.md"))
def test_machine_code_weighs_moves_like_plain_python(name: str) -> None:
    native, python = steps(name, "native"), steps(name, "python")
    told: set[str] = set()
    for seed in range(4):
        state = native.state(somewhere(native, seed))
        here, there = native.position(state), python.position(state)
        for move in range(min(native.count(here), 4)):
            assert native.promised(here, move) == python.promised(there, move)
            assert native.told(here, move) == python.told(there, move)
            told.update(map(str, native.told(here, move) or ()))
        seat = native.seat(here)
        assert native.think(here, seat, 0, seed, WELL) == python.think(there, seat, 0, seed, WELL)
    assert len(told) > 1


def numbers(game: Steps, state: State, index: int) -> dict[str, int]:
    found = game.told(game.position(state), index)
    assert found is not None and game.weighing is not None
    return dict(zip(game.weighing.rows[found[0]], found[1], strict=True))


def test_what_is_told_of_a_move_is_what_the_rules_say_of_it() -> None:
    """Worked out anew from the state before and after it, card by card."""
    table = steps("little-devils", "python")
    game, seen = table.game, 0
    cards = game.rules.cards
    place = game.layout.by_name
    for seed in range(6):
        state = table.state(somewhere(table, seed))
        legal = game.legal_moves(state)
        for index, move in enumerate(legal[:3]):
            told, after = numbers(table, state, index), game.apply(state, move)
            if sum(map(len, (after.places[place[f"hand[{seat}]"]] for seat in range(6)))) in (0, 54):
                continue  # chance was asked before the next decision
            card, you = cards[move.picks[0]], move.player
            own, pile = after.places[place[f"hand[{you}]"]], after.places[place[f"pile[{you}]"]]
            hands = [held for seat in range(6) for held in after.places[place[f"hand[{seat}]"]]]
            assert told[move.verb] == 1
            assert told["devils of card"] == card.values["devils"]
            assert told["cards in your hand"] == len(own)
            assert told["devils in your pile"] == sum(cards[each].values["devils"] for each in pile)
            higher = [each for each in hands if cards[each].values["number"] > card.values["number"]]
            assert told["cards in all hand above card in number"] == len(higher)
            assert told["number of card & devils of card"] == card.values["devils"] * card.values["number"]
            assert told[WON] == 0
            trick = after.places[place["trick"]]
            if len(trick) > 1:
                upward = cards[trick[1]].values["number"] > cards[trick[0]].values["number"]
                assert told["upward"] == upward
                assert told["upward & number of card"] == upward * card.values["number"]
            seen += 1
    assert seen > 10


def test_only_what_is_weighed_is_asked_for() -> None:
    model = load_game("little-devils")
    weights = {"follows": {"devils in your pile": -7, "there is no such number": 3}, "no-such-move": {"upward": 1}}
    game = Steps(model, 4, "python", weights=weights)
    assert game.weighing is not None and game.weighing.rows == {
        "leads": [], "answers": [], "follows": ["devils in your pile"],
    }  # fmt: skip
    position = game.start(1)
    assert game.promised(position, 0) == 0
