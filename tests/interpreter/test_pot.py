"""A number that is nobody's pays and is paid like a player: nothing is lost on the way, whichever engine plays."""

from __future__ import annotations

from pathlib import Path

import pytest
from teufelswerk import Game
from teufelswerk.engines.random_games import make_engine
from teufelswerk.examples.run_scenes import run_scenes
from teufelswerk.loading.library import load
from teufelswerk.model import Model

POT = """\
# Pot

Everyone pays for the cards that they play. Whoever runs out of cards first takes all that was paid.

    players 2 to 4

## Cards

The cards are numbered.

    cards
        number: 1 to 20

## Playing

Everyone gets {hand-size} {hand-size:card|cards} and pays with {start} {start:coin|coins}.

    hand-size = 3
    start = 25
    place deck, seen by nobody
    place hand of each player, seen by owner
    place table, seen by all
    keep coins of each player: start
    keep pot: 0
    game:
        cards go to deck
        shuffle deck
        deal hand-size from deck to each hand
        rounds
        highest coins wins
    rounds:
        repeat hand-size times
            each player
                player plays
    player plays:
        "Play a card and pay for it."
        choose card from hand
        card goes to table
        player pays number of card coins to pot
            "{player} pays {paid} {paid:coin|coins}, and now there {pot:is|are} {pot} in the pot."
        if no cards in some hand
            pot pays pot coins to player
                "{player} takes {paid} {paid:coin|coins}."

## Example: Paying

{Tom} cannot pay for all of his card. {Ida} is the first without cards and takes everything.

    scene rounds: Ida, Tom
    given hand of Ida: 3, 4
    given hand of Tom: 5, 6
    given coins of Tom: 4
    Ida plays 3
    now pot is 3
    now not no cards in some hand
    Tom plays 6
    now pot is 7
    now coins of Tom is 0
    Ida plays 4
    now pot is 0
    now coins of Ida is start + 4
    now no cards in some hand
    now exactly 1 card in some hand
    now not exactly 2 cards in some hand
"""


@pytest.fixture
def pot(tmp_path: Path) -> Model:
    path = tmp_path / "pot.rules.md"
    path.write_text(POT, encoding="utf-8")
    loaded = load(path)
    assert loaded.model and not loaded.diagnostics
    assert all(result.holds for result in run_scenes(loaded.model, loaded.scenes))
    return loaded.model


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_paid_stays_in_the_game(pot: Model, players: int) -> None:
    game = Game(pot, players)
    for seed in range(20):
        for state, _ in game.random_states(seed):
            assert sum(value for value in state.keeps if value is not None) == 25 * players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_compiled_rules_pay_the_same(pot: Model, players: int) -> None:
    reference, compiled = (make_engine(pot, players, name).many(7, 200) for name in ("reference", "python"))
    assert list(reference) == list(compiled)
