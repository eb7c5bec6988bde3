"""Variants before the referees of their games, who are told by hand, and not by the rule file, what is different."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from peers.tables import PEERS
from referees import (
    doppelkopf,
    durak,
    goofspiel,
    hols_der_teufel,
    klondike,
    little_devils,
    mau_mau,
    preferans,
    president,
    schwarzer_peter,
    scopa,
    skat,
)
from referees.playing_along import record_of
from shipped import enough
from small_variants import NAMES, games

playable = little_devils.playable
DECISIONS = 1_000
"""So many of them are judged with each variant."""

pytestmark = pytest.mark.each_game


def taken_upside_down(trick: Sequence[int]) -> int:
    """The card at the other end of the trick."""
    lead, answer, *rest = trick
    strayed = any((number > lead) != (answer > lead) for number in rest)
    return max(trick) if (answer > lead) == strayed else min(trick)


def playable_uphill(hand: Iterable[int], trick: Sequence[int]) -> tuple[str, set[int]]:
    """The second player must go above the lead, if able."""
    cards = set(hand)
    if len(trick) == 1:
        return "answers", {number for number in cards if number > trick[0]} or cards
    return playable(cards, trick)


def with_angels(count: int) -> dict[str, Any]:
    return {"DECK": (*hols_der_teufel.DEVILS, *[hols_der_teufel.ANGEL] * count)}


CASES: dict[str, tuple[Any, dict[str, Any]]] = {
    "eight-cards": (little_devils, {"HAND": 8}),
    "short-game": (little_devils, {"LIMIT": 50}),
    "free-lead": (little_devils, {"BARRED": None}),
    "upside-down": (little_devils, {"taking_card": taken_upside_down}),
    "uphill": (little_devils, {"playable": playable_uphill}),
    "four-angels": (hols_der_teufel, with_angels(4)),
    "no-angels": (hols_der_teufel, with_angels(0)),
    "high-stakes": (hols_der_teufel, {"CHIPS": 30, "RATE": 2}),
    "one-round": (hols_der_teufel, {"rounds_of": lambda players: 1}),
    "old-maid": (
        schwarzer_peter,
        {"LEFT_OUT": "clubs-queen", "COLOURS": [("clubs", "diamonds", "hearts", "spades")]},
    ),
    "ramsch": (skat, {"everyone_passed": skat.ramsch}),
    "seeger-fabian": (skat, {"settle": skat.settle_by_seeger_and_fabian}),
    "scopa-in-sides": (scopa, {"SIDES": 2}),
    "standing-prizes": (goofspiel, {"PRIZES_STAND": True}),
    "second-dulle": (doppelkopf, {"SECOND_TEN_WINS": True}),
    "leningrad": (preferans, {"LENINGRAD": True}),
    "progressive-passes": (preferans, {"MOST_FOR_PASSES": 3}),
    "compulsory-solos": (doppelkopf, {"COMPULSORY": 24}),
    "pay-left": (hols_der_teufel, {"is_paid": lambda seat, players: (seat + 1) % players}),
    "transfer-durak": (durak, {"MAY_TRANSFER": True}),
    "neighbours-throw-in": (durak, {"ONLY_NEIGHBOURS": True}),
    "first-bout-of-five": (durak, {"MOST_AT_FIRST": 5}),
    "ace-again": (mau_mau, {"ACE_AGAIN": True}),
    "draw-three": (klondike, {"TURNED": 3, "PASSES": 10}),
    "final-pass": (president, {"PASS_IS_FINAL": True}),
}


def test_every_variant_that_comes_along_has_a_referee() -> None:
    replayed = {name.removesuffix("-there") for name in PEERS}
    assert sorted({*CASES, *replayed} & {*NAMES}) == NAMES


def few(name: str) -> int:
    """Games in which enough is decided, and moves are picked in at least one of them."""
    game = games(name)[0]
    return max(2, enough(game.rules, game.players, 8, DECISIONS))


def judged(name: str, count: int) -> dict[int, list[str]]:
    """What the referee finds wrong, by seed."""
    judging: Any = CASES[name][0]
    found = {}
    tables = games(name)
    for seed in range(count):
        picking = getattr(judging, "pick", None) if seed % 2 else None
        wrong = judging.violations(record_of(tables[seed % len(tables)], seed, picking))
        if wrong:
            found[seed] = wrong
    return found


@pytest.fixture
def instructed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    referee, differences = CASES[name]
    for what, value in differences.items():
        monkeypatch.setattr(referee, what, value)


@pytest.mark.usefixtures("instructed")
@pytest.mark.parametrize("name", CASES)
def test_variants_pass_the_instructed_referee(name: str) -> None:
    assert judged(name, few(name)) == {}


@pytest.mark.parametrize("name", CASES)
def test_the_referee_of_the_base_notices_the_variant(name: str) -> None:
    assert judged(name, few(name))


@pytest.mark.slow
@pytest.mark.usefixtures("instructed")
@pytest.mark.parametrize("name", CASES)
def test_many_games_of_variants_pass_the_instructed_referee(name: str) -> None:
    assert judged(name, 500) == {}
