"""Every record of a random game passes the game's referee, who knows the rules without the interpreter.

A game that another program has too needs no referee of ours: that program is it (`tests/peers/`), for the game itself
or for a variant, `NAME-there`, that says in what they differ.
"""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from peers.tables import PEERS
from shipped import TABLES, Table
from teufelswerk import Event
from teufelswerk.base.find_files import shipped
from teufelswerk.interpreter.records import header, records

pytestmark = pytest.mark.each_game
REPLAYED = {name.removesuffix("-there") for name in PEERS}
each_table = pytest.mark.parametrize("table", [table for table in TABLES if table.name not in REPLAYED], ids=str)
NAMES = [f"Player {number}" for number in range(1, 21)]


def referee(name: str) -> Any:
    """The referee of a game: the module in tests/referees that is called like it."""
    return importlib.import_module(f"referees.{name.replace('-', '_')}")


def judge(table: Table, seed: int) -> list[str]:
    log: list[Event] = []
    table.game.random_game(seed, log, legal=True)
    violations: list[str] = referee(table.name).violations(
        [header(table.game, NAMES[: table.players], seed), *records(log)]
    )
    return violations


@pytest.mark.parametrize("name", shipped())
def test_every_shipped_game_has_a_referee(name: str) -> None:
    assert name in REPLAYED or callable(referee(name).violations)


@each_table
def test_random_games_pass_the_referee(table: Table) -> None:
    assert {seed: found for seed in range(15) if (found := judge(table, seed))} == {}


@pytest.mark.slow
@each_table
def test_a_thousand_games_pass_the_referee(table: Table) -> None:
    assert {seed: found for seed in range(1000, 2000) if (found := judge(table, seed))} == {}
