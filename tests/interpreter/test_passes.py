"""`all pass` ends a lap when everyone has passed in a row, also where passing costs something, on every engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from teufelswerk import Game
from teufelswerk.engines.random_games import make_engine
from teufelswerk.examples.run_scenes import run_scenes
from teufelswerk.loading.library import load
from teufelswerk.model import Model

CLIMBING = """\
# Climbing

Everyone lays ever higher cards. Whoever cannot passes and pays for it.

    players 2 to 4

## Cards

The cards are numbered.

    cards
        number: 1 to 20

## Playing

Everyone gets {hand-size} {hand-size:card|cards} and {start} {start:coin|coins}. The round is over when everyone has
passed in a row. Passing costs {fee} {fee:coin|coins}, paid to the left.

    hand-size = 3
    start = 5
    fee = 1
    place deck, seen by nobody
    place hand of each player, seen by owner
    place table, seen by all
    keep coins of each player: start
    game:
        cards go to deck
        shuffle deck
        deal hand-size from deck to each hand
        round
        highest coins wins
    round:
        go round from random player until all pass
            player climbs else PASSES
    player climbs:
        "Lay a higher card."
        choose card from hand
        number of card must be above (number of last of table else 0)
            "It must be higher."
        card goes to table
    player PASSES:
        "You pass, and pay for it."
        player pays fee coins to left

## Example: Three in a row

{Ida} has paid for passing, and then everyone else has passed too. The round is over.

    scene round: Ida, Tom, Eva
    given hand of Ida: 9
    given hand of Tom: 3
    given hand of Eva: 4
    given coins of Tom: 3
    given coins of Eva: 2
    Ida climbs 9
    Tom PASSES
    Eva PASSES
    Ida PASSES
    Ida wins
"""


def climbing(folder: Path, verb: str) -> tuple[Model, list[str], bool]:
    path = folder / "climbing.rules.md"
    path.write_text(CLIMBING.replace("PASSES", verb), encoding="utf-8")
    loaded = load(path)
    assert loaded.model
    holds = all(result.holds for result in run_scenes(loaded.model, loaded.scenes))
    return loaded.model, [d.code for d in loaded.diagnostics], holds


def test_passes_is_a_pass_although_it_costs(tmp_path: Path) -> None:
    rules, found, holds = climbing(tmp_path, "passes")
    assert not found and holds
    for players in (2, 3, 4):
        offered = [{move.verb for move in moves} for _, moves in Game(rules, players).random_states(7)]
        assert offered[-players - 1 :] == [{"passes"}] * players + [set()]


def test_another_move_that_costs_is_none(tmp_path: Path) -> None:
    _, found, holds = climbing(tmp_path, "yields")
    assert found == ["nobody-passes"] and not holds


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_engine_ends_the_lap_alike(tmp_path: Path, players: int) -> None:
    rules, _, _ = climbing(tmp_path, "passes")
    reference, python, native = (make_engine(rules, players, e).many(3, 200) for e in ("reference", "python", "native"))
    assert list(reference) == list(python) == list(native)
