"""A referee follows whole games of people with real cards, of whom it hears no more than all of them see."""

from __future__ import annotations

import pytest
from real_tables import RealPeople
from shipped import NAMES, SAMPLE, rules
from teufelswerk.examples.real_table import NotFollowed
from teufelswerk.examples.refereeing import Referee
from teufelswerk.examples.scene_start import people

NOT_FOLLOWED = ("go-fish", "schwarzer-peter", "tarok")
"""What happens there hangs on whole hands from the first moment on."""


def followed(name: str, seed: int, moves: int) -> None:
    table = RealPeople(rules(name), seed)
    for _ in range(moves):
        if not table.go_on():
            assert table.referee.is_over
            break
        layout = table.game.layout
        for keep, values in table.referee.kept().items():
            base = layout.keep_base[keep]
            assert values == tuple(kept or 0 for kept in table.state.keeps[base : base + len(values)]), keep
        if not table.rules.has_copies:
            assert may_be(table), f"nobody knows any more how the cards lie: {table.game.text(table.state)}"


def may_be(table: RealPeople) -> bool:
    """Whether the cards may lie as they do, as far as the referee knows."""
    where = [(card, place) for place, cards in enumerate(table.state.places) for card in cards]
    return any(
        all((world.open or {}).get(card, 0) >> place & 1 or world.where[card] == place for card, place in where)
        for world in table.referee.worlds
    )


@pytest.mark.each_game
@pytest.mark.parametrize("name", [name for name in NAMES if name not in NOT_FOLLOWED])
def test_a_real_table_is_followed(name: str) -> None:
    followed(name, 0, 60 if name in SAMPLE else 25)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("name", [name for name in NAMES if name not in NOT_FOLLOWED])
def test_real_tables_are_followed_for_long(name: str, seed: int) -> None:
    followed(name, seed, 300)


@pytest.mark.parametrize("name", NOT_FOLLOWED)
def test_what_cannot_be_followed_is_known_before_it_begins(name: str) -> None:
    referee = Referee(rules(name), people(3))
    with pytest.raises(NotFollowed, match="hidden cards"):
        begin(referee)


def begin(referee: Referee) -> None:
    referee.begin()
    referee.look_ahead()
