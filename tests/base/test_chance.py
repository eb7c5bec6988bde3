"""Chance: what is drawn many at a time is what the plain recipe draws one after the other."""

from __future__ import annotations

from itertools import islice

import pytest
from teufelswerk.base import chance

STATE = 0x0123456789ABCDEF


def test_draws_are_the_plain_ones() -> None:
    state, plain = STATE, []
    for _ in range(3 * chance.BLOCK + 1):
        state, bits = chance.draw(state)
        plain.append(bits >> 32)
    assert list(islice(chance.draws(STATE), len(plain))) == plain


@pytest.mark.parametrize("size", [0, 1, 2, 3, 36, 54, 400])
def test_a_shuffle_changes_card_after_card_with_itself_or_one_behind_it(size: int) -> None:
    plain, state = list(range(size)), STATE
    for i in range(size - 1):
        state, j = chance.below(state, size - i)
        plain[i], plain[i + j] = plain[i + j], plain[i]
    cards = list(range(size))
    assert (chance.shuffle(STATE, cards), cards) == (state, plain)
