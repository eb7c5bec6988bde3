"""The referees who play along notice what is wrong: whatever is tampered with in a right record is reported."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from referees.found import REFEREED, referee
from referees.playing_along import record_of
from shipped import Table

Record = list[dict[str, Any]]


PLAYING_ALONG = [table for table in REFEREED if hasattr(referee(table.name), "verdict")]
pytestmark = pytest.mark.each_game


def moves(record: Record) -> list[int]:
    return [at for at, event in enumerate(record) if event["event"] == "move"]


def a_legal_move_is_missing(record: Record) -> None:
    at = next(at for at in moves(record) if len(record[at]["legal"]) > 1)
    record[at]["legal"].remove({"move": record[at]["move"], "choice": record[at]["choice"]})


def another_move_is_legal(record: Record) -> None:
    record[moves(record)[-1]]["legal"].append({"move": "wins", "choice": {}})


def an_illegal_move_is_made(record: Record) -> None:
    record[moves(record)[-1]]["move"] = "wins"


def somebody_else_moves(record: Record) -> None:
    event = record[moves(record)[-1]]
    event["player"] += 1


def a_move_is_lost(record: Record) -> None:
    del record[moves(record)[len(moves(record)) // 2]]


def others_win(record: Record) -> None:
    record[-1]["winners"] = [seat for seat in range(len(record[0]["players"])) if seat not in record[-1]["winners"]]


def the_end_is_lost(record: Record) -> None:
    record.pop()


def it_goes_on_after_the_end(record: Record) -> None:
    record.append({"event": "step", "name": "game"})


def a_dealt_card_is_another(record: Record) -> None:
    dealt = next(event for event in record if event["event"] == "cards" and event["from"] != "box")
    dealt["cards"] = ["joker", *dealt["cards"][1:]]


TAMPERING: list[Callable[[Record], None]] = [
    a_legal_move_is_missing,
    another_move_is_legal,
    an_illegal_move_is_made,
    somebody_else_moves,
    a_move_is_lost,
    others_win,
    the_end_is_lost,
    it_goes_on_after_the_end,
    a_dealt_card_is_another,
]


@pytest.mark.parametrize("table", {table.name: table for table in PLAYING_ALONG}.values(), ids=str)
def test_what_is_tampered_with_is_reported(table: Table) -> None:
    right: Any = record_of(table.game, 1)
    assert referee(table.name).violations(right) == []
    for tamper in TAMPERING:
        wrong = copy.deepcopy(right)
        tamper(wrong)
        assert referee(table.name).violations(wrong), tamper.__name__
