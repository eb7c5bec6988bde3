"""Every record of a random game passes the game's referee, who knows the rules without the interpreter.

A game that another program has too needs no referee of ours: that program is it (`tests/peers/`), for the game itself
or for a variant, `NAME-there`, that says in what they differ. If that leaves out much, the game has a referee besides.
"""

from __future__ import annotations

import pytest
from peers.tables import PEERS
from referees.found import REFEREED, referee
from referees.playing_along import record_of
from shipped import Table, enough, rules
from teufelswerk.base.find_files import shipped

DECISIONS = 3_000
"""So many of them are judged at each table."""

pytestmark = pytest.mark.each_game
REPLAYED = {name.removesuffix("-there") for name in PEERS}
each_table = pytest.mark.parametrize("table", REFEREED, ids=str)


def judge(table: Table, seed: int) -> list[str]:
    """Every other game goes as the referee would have moves picked, if games at random show too little of the rules."""
    judging = referee(table.name)
    picking = getattr(judging, "pick", None) if seed % 2 else None
    violations: list[str] = judging.violations(record_of(table.game, seed, picking))
    return violations


@pytest.mark.parametrize("name", shipped())
def test_every_shipped_game_has_a_referee(name: str) -> None:
    assert name in REPLAYED or callable(referee(name).violations)


@each_table
def test_random_games_pass_the_referee(table: Table) -> None:
    few = enough(rules(table.name), table.players, 15, DECISIONS)
    assert {seed: found for seed in range(few) if (found := judge(table, seed))} == {}


@pytest.mark.slow
@each_table
def test_a_thousand_games_pass_the_referee(table: Table) -> None:
    assert {seed: found for seed in range(1000, 2000) if (found := judge(table, seed))} == {}
