"""Lots that are decided from outside: every way in which chance can go comes up with the weight that it has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest
from shipped import language_game
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.lots import Lots, LotWanted
from teufelswerk.interpreter.open_chance import following

CARDS = range(5)
FACES = (0, 1, 1, 3, 3, 5, 6)
"""What each card shows. Two cards are not shuffled, but come to the others."""
Look: TypeAlias = Callable[[list[int]], object]
Chances: TypeAlias = dict[tuple[object, ...], Fraction]


def ways(looks: list[Look]) -> Chances:
    """What is seen when some cards are looked at whose order is decided only then, with the chance of each."""
    found: Chances = defaultdict(Fraction)
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        decided, chance = waiting.pop()
        try:
            cards = Lots(decided, FACES).shuffle(list(CARDS), hidden=True)
            found[tuple(look(cards) for look in looks)] += chance
        except LotWanted as wanted:
            total = sum(wanted.ways.values())
            waiting += [((*decided, way), chance * weight / total) for way, weight in wanted.ways.items()]
    return found


def all_orders(looks: list[Look]) -> Chances:
    """The same if the cards are simply shuffled."""
    orders = list(permutations(CARDS))
    found: Chances = defaultdict(Fraction)
    for order in orders:
        cards = list(order)
        found[tuple(look(cards) for look in looks)] += Fraction(1, len(orders))
    return found


def faces(cards: list[int]) -> tuple[int, ...]:
    return tuple(FACES[card] for card in cards)


def looks_at(at: int) -> list[Look]:
    """What rules do with the cards of a place. They cannot tell identical ones apart."""
    return [
        lambda cards: FACES[cards[at]] if len(cards) > 2 else None,
        lambda cards: faces(cards[:at]),
        lambda cards: FACES[cards[0]] if 0 in cards else cards.append(0),
        len,
        lambda cards: next((at for at, card in enumerate(cards) if FACES[card] == 3), None),
        lambda cards: next(iter(FACES[card] for card in reversed(cards)), None),
        lambda cards: cards.remove(cards[0]) if cards else None,
        lambda cards: cards.remove(0) if 0 in cards else None,
        lambda cards: cards.insert(0, 5) if 5 not in cards else None,
        lambda cards: cards.append(6) if 6 not in cards else None,
    ]


def some_looks(lots: Random) -> list[Look]:
    return [lots.choice(looks_at(lots.randrange(-2, 3))) for _ in range(lots.randrange(1, 6))]


@pytest.mark.parametrize("seed", range(60))
def test_cards_that_are_decided_late_are_as_likely_as_shuffled_ones(seed: int) -> None:
    looks = some_looks(Random(seed))
    found = ways(looks)
    assert sum(found.values()) == 1
    assert found == all_orders(looks)


def test_what_everyone_sees_is_decided_at_once() -> None:
    with pytest.raises(LotWanted):
        Lots((), FACES).shuffle(list(CARDS), hidden=False)


def test_only_what_is_dealt_is_decided(tmp_path: Path) -> None:
    """High Card has twenty cards; two players with three each need six lots, and no more."""
    game = Game(language_game("high-card.rules.md", tmp_path), 2)
    decided: list[int] = []
    for dealt in range(6):
        with pytest.raises(LotWanted) as wanted:
            following(game, None, None, decided)
        assert len(wanted.value.ways) == 20 - dealt
        decided.append(max(wanted.value.ways))
    stand = following(game, None, None, decided)
    assert [len(positions) for _, positions in stand.undecided] == [14]
