"""Golden playthroughs and counts of move sequences: whatever changes in how a game is played shows here as a diff.

`pytest tests/test_golden.py --update-golden` writes the files anew; look at the diff before you keep it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from shipped import GOLDEN, NAMES, TABLES, Table, rules
from teufelswerk import State
from teufelswerk.base.find_files import shipped
from transcripts import SEED, compare, transcript, worded

each_table = pytest.mark.parametrize("table", TABLES, ids=str)
pytestmark = pytest.mark.each_game


def transcript_file(table: Table) -> Path:
    return GOLDEN / f"{table}.txt"


def perft_file(table: Table) -> Path:
    return GOLDEN / f"{table}.perft.toml"


# ---- playthroughs ---------------------------------------------------------------------------------------------------


@each_table
def test_the_golden_game_is_played_again(table: Table, update_golden: bool) -> None:
    file = transcript_file(table)
    now = list(transcript(table))
    if update_golden:
        file.write_text("\n".join(now) + "\n", encoding="utf-8")
    assert file.is_file(), f"{file.name} is missing: run pytest with --update-golden"
    compare(file.read_text(encoding="utf-8").splitlines(), now, file)


# ---- counts of move sequences ---------------------------------------------------------------------------------------

STARTING_POINTS = (0, 7, 30)
"""For a game without a file: after how many random moves sequences are counted."""
ENOUGH = 1000
"""And with how many sequences that stops."""


def perft(table: Table, state: State, depth: int) -> int:
    """In how many ways the game can go on for so many moves; a game that ends sooner counts once."""
    moves = table.game.legal_moves(state) if depth else []
    if not moves:
        return 1
    if depth == 1:
        return len(moves)
    return sum(perft(table, table.game.apply(state, move), depth - 1) for move in moves)


def divided(table: Table, state: State, depth: int) -> dict[str, int]:
    """The count for each first move."""
    game = table.game
    return {worded(table, move): perft(table, game.apply(state, move), depth - 1) for move in game.legal_moves(state)}


def after_moves(table: Table, seed: int, moves: int) -> State:
    return next(state for number, (state, _) in enumerate(table.game.random_states(seed)) if number == moves)


def read_perft(table: Table) -> list[dict[str, Any]]:
    with perft_file(table).open("rb") as file:
        entries = tomllib.load(file)["from"]
    assert isinstance(entries, list)
    return entries


def write_perft(table: Table, entries: Iterable[dict[str, Any]]) -> None:
    """The entries with the counts that the rules in force give."""
    lines = ["# Ways to go on for `depth` moves, from the position that a random game has after some moves"]
    for entry in entries:
        found = divided(table, after_moves(table, entry["seed"], entry["after"]), entry["depth"])
        lines += ["", "[[from]]", *(f"{key} = {entry[key]}" for key in ("seed", "after", "depth"))]
        lines += [f"count = {sum(found.values())}", "[from.moves]"]
        lines += [f'"{move}" = {count}' for move, count in found.items()]
    perft_file(table).write_text("\n".join(lines) + "\n", encoding="utf-8")


def first_entries(table: Table) -> Iterator[dict[str, Any]]:
    length = sum(1 for _ in table.game.random_states(SEED))
    for after in (after for after in STARTING_POINTS if after < length - 1):
        state, depth = after_moves(table, SEED, after), 1
        while depth < 8 and perft(table, state, depth + 1) <= ENOUGH:
            depth += 1
        yield {"seed": SEED, "after": after, "depth": depth}


@each_table
def test_as_many_move_sequences_as_before(table: Table, update_golden: bool) -> None:
    file = perft_file(table)
    if update_golden:
        write_perft(table, read_perft(table) if file.is_file() else first_entries(table))
    assert file.is_file(), f"{file.name} is missing: run pytest with --update-golden"
    for entry in read_perft(table):
        state = after_moves(table, entry["seed"], entry["after"])
        found, golden = divided(table, state, entry["depth"]), entry["moves"]
        if found != golden or sum(found.values()) != entry["count"]:
            lines = [
                f"{move}: {golden.get(move, 'not legal')} → {found.get(move, 'not legal')}"
                for move in dict.fromkeys([*golden, *found])
                if golden.get(move) != found.get(move)
            ]
            headline = f"{entry['depth']} moves from {table.game.text(state)}"
            counts = f"tests/golden/{file.name}: {entry['count']}, now: {sum(found.values())}"
            pytest.fail("\n".join([headline, counts, *lines]), pytrace=False)


# ---- nothing is forgotten -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped())
def test_every_shipped_game_has_golden_files_for_every_number_of_players(name: str) -> None:
    tables = [Table(name, players) for players in range(rules(name).min_players, rules(name).max_players + 1)]
    missing = [
        file.name for table in tables for file in (transcript_file(table), perft_file(table)) if not file.exists()
    ]
    assert not missing, "run pytest with --update-golden"
    assert all(entry["count"] > 1 for table in tables for entry in read_perft(table))


def test_no_golden_file_is_left_behind() -> None:
    wanted = {file for table in TABLES for file in (transcript_file(table), perft_file(table))}
    unwanted = {file.name for file in set(GOLDEN.iterdir()) - wanted}
    assert set(shipped()) != set(NAMES) or not unwanted
