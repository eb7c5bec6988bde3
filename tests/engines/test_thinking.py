"""Thinking ahead: in machine code it comes to the same as step by step in plain Python, and it keeps its bound."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from shipped import few
from somewhere import somewhere
from teufelswerk.engines.care import Care
from teufelswerk.engines.positions import Position
from teufelswerk.engines.random_games import has_native
from teufelswerk.engines.steps import Steps
from teufelswerk.engines.thinking import Thought
from teufelswerk.loading.model_cache import load_game

FIXTURES = Path(__file__).parents[1] / "fixtures" / "games"
GAMES = ["little-devils", "hols-der-teufel", *few(sorted(map(str, FIXTURES.glob("*.rules.md"))))]
LITTLE = Care(depth=3, tries=2, widest=4)
needs_native = pytest.mark.skipif(not has_native(), reason="llvmlite is not installed")


@cache
def steps(name: str, engine: str) -> Steps:
    model = load_game(name)
    return Steps(model, model.max_players, engine)


def thoughts(game: Steps, position: Position, seed: int, care: Care) -> list[Thought]:
    return [game.think(position, seed % game.players, move, seed, care) for move in range(min(game.count(position), 2))]


@needs_native
@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).name.removesuffix(".rules.md"))
def test_machine_code_thinks_like_plain_python(name: str) -> None:
    native, python = steps(name, "native"), steps(name, "python")
    looked_at = 0
    for seed in range(3):
        state = native.state(somewhere(native, seed))
        expected = thoughts(python, python.position(state), seed, LITTLE)
        assert thoughts(native, native.position(state), seed, LITTLE) == expected
        looked_at += sum(thought.looked_at for thought in expected)
    assert looked_at > 0


@needs_native
def test_it_ends_before_chance_is_asked() -> None:
    """The round after the last card is dealt to nobody: its lot would say what nobody can know."""
    game = steps("little-devils", "native")
    position = game.start(5)
    while game.round_of(following := game.apply(position, 0), "round") == game.round_of(position, "round"):
        position = following
    found = game.think(position, 0, 0, 1, LITTLE)
    kept = [keep.name for keep in game.game.rules.keeps.values() if keep.key is not None and keep.key.of_players]
    score = kept.index("score") * game.players
    assert found.standing == game.memory.kept_of_players(following)[score]
    assert found.looked_at == 0, "nobody decides any more"


@needs_native
@pytest.mark.parametrize("most", [0, 100, 2000])
def test_it_looks_at_no_more_than_it_may(most: int) -> None:
    game = steps("hols-der-teufel", "native")
    free = game.think(game.start(1), 0, 0, 1, Care(most=10**6)).looked_at
    bound = game.think(game.start(1), 0, 0, 1, Care(most=most)).looked_at
    assert bound < most + 2000 < free, "two random games more at most"


@needs_native
def test_whoever_comes_after_plays_better_than_at_random() -> None:
    """The last to play in a trick can often still choose not to take it; random players take it as often as not."""
    game = steps("little-devils", "native")
    worth = dict.fromkeys((0, 6), 0)
    for seed in range(40):
        position = game.start(seed)
        lead = game.move(position, 0).player
        for tries in worth:
            care = Care(depth=12 if tries else 0, tries=tries)
            worth[tries] += sum(game.think(position, lead, 0, 100 * seed + n, care).worth for n in range(4))
    assert worth[6] < worth[0], "against good players the same lead is worth less"
