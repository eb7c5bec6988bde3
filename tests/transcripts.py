"""A game played at random → lines that people can read and that two runs can be compared by."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

import pytest
from shipped import Table
from teufelswerk import Event, Move
from teufelswerk.base import chance

SEED = 1


DECISIONS = 60


COMPLETE = 200
"""So long is a transcript at most; with the fewest players it goes on to the end of the game, if that comes soon."""


def transcript(table: Table) -> Iterator[str]:
    """A random game: what happens, and at every decision the position, the legal moves and the move made."""
    game = table.game
    log: list[Event] = []
    state, rng = game.start(SEED, log), chance.stream(SEED, 1)
    yield f"{game.rules.title}, {table.players} players, seed {SEED}"
    yield from map(happening, log)
    decisions, limit = 0, COMPLETE if table.players == game.rules.min_players else DECISIONS
    while not game.is_over(state) and decisions < limit:
        moves = game.legal_moves(state)
        rng, index = chance.below(rng, len(moves))
        yield ""
        yield game.text(state)
        seat = f"seat {game.player(state)}"
        for verb in dict.fromkeys(move.verb for move in moves):
            yield f"{seat} may: {verb} {', '.join(chosen(table, move) for move in moves if move.verb == verb)}".rstrip()
        yield f"{seat}: {worded(table, moves[index])}"
        log = []
        state = game.apply(state, moves[index], log)
        yield from map(happening, log[1:])
        decisions += 1
    yield ""
    yield game.text(state)


def worded(table: Table, move: Move) -> str:
    return f"{move.verb} {chosen(table, move)}".rstrip()


def chosen(table: Table, move: Move) -> str:
    return " ".join(str(value) for value in table.game.choice(move).values())


def happening(event: Event) -> str:
    """An event as one line."""
    record = event.record
    match record["event"]:
        case "told":
            assert event.told is not None
            return f'  "{event.told.whole}"'
        case "step":
            return f"  {record['name']}:"
        case "cards":
            end = f", {record['end']}" if "end" in record else ""
            return f"  {' '.join(record['cards'])}: {record['from']} → {record['to']}{end}"
        case "turn":
            return f"  {' '.join(record['cards'])} in {record['place']} turns {record['way']}"
        case "keep":
            of = f" of {record['of']}" if "of" in record else ""
            return f"  {record['name']}{of} = {record['value']}"
        case "end":
            return f"  end: {record['winners']} won, {record['keeps']}"
    raise AssertionError(record)


def compare(golden: list[str], now: list[str], file: Path) -> None:
    if golden == now:
        return
    differing = list(difflib.unified_diff(golden, now, f"tests/golden/{file.name}", "as played now", lineterm="", n=6))
    shown = "\n".join(line if len(line) <= 300 else f"{line[:299]}…" for line in differing[:60])
    pytest.fail(f"{shown}\n… {len(differing)} lines in all", pytrace=False)
