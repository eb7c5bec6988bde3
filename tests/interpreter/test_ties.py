"""`lowest score wins, then highest tricks`: what decides between players who have equally much, on every engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from teufelswerk.engines.random_games import make_engine
from teufelswerk.examples.run_scenes import run_scenes
from teufelswerk.loading.library import Loaded, load

GAME = """\
# Ties

Everyone lays two cards, one for points and one for luck.

    players 2 to 4

## Cards

The cards are numbered, and half of them are lucky.

    cards
        number: 1 to 8
        points by number:
            0: 1, 2, 3, 4
            1: others

## Playing

The fewest points win.

    place deck, seen by nobody
    place hand of each player, seen by owner
    place table of each player, seen by all
    keep score of each player: 0
    luck of player = number of first of table
    game:
        cards go to deck
        shuffle deck
        deal 2 from deck to each hand
        each player
            player lays
            player lays
            score becomes sum points in table
        finish
    finish:
        WINS
    player lays:
        "Lay a card."
        choose card from hand
        card goes to table

## Example: Who wins

    scene finish: Ida, Tom, Eva
    given score of Ida: 1
    given score of Tom: 1
    given score of Eva: 2
    given table of Ida: 2
    given table of Tom: 7
    given table of Eva: 8
    WINNERS
"""

CASES = {
    "lowest score wins": "Ida and Tom win",
    "lowest score wins, then highest luck": "Tom wins",
    "lowest score wins, then lowest luck": "Ida wins",
    "highest score wins, then lowest luck": "Eva wins",
    "lowest score wins, then lowest score, then highest luck": "Tom wins",
}


def loaded(folder: Path, wins: str) -> Loaded:
    path = folder / "ties.rules.md"
    path.write_text(GAME.replace("WINNERS", CASES[wins]).replace("WINS", wins), encoding="utf-8")
    return load(path)


@pytest.mark.parametrize("wins", CASES)
def test_who_wins(tmp_path: Path, wins: str) -> None:
    game = loaded(tmp_path, wins)
    assert game.model and all(result.holds for result in run_scenes(game.model, game.scenes))


@pytest.mark.parametrize("wins", CASES)
@pytest.mark.parametrize("players", [2, 4])
def test_every_engine_finds_the_same_winners(tmp_path: Path, wins: str, players: int) -> None:
    rules = loaded(tmp_path, wins).model
    assert rules
    outcomes = [list(make_engine(rules, players, name).many(5, 100)) for name in ("reference", "python", "native")]
    assert outcomes[0] == outcomes[1] == outcomes[2]
