"""What compiled rules call when they run as plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from teufelswerk.chance import below, stream
from teufelswerk.compiled.runtime import BLOCK, refill, shuffle, shuffled_and_dealt
from teufelswerk.limits import MAX_CARDS, MAX_PLACES

BIT = tuple(1 << card for card in range(max(MAX_CARDS, MAX_PLACES) + 1))


class Stuck(Exception):
    """The rules ask for something impossible: the reference interpreter says what."""


def nth(cards: int, n: int) -> int:
    """The card of a set that has so many before it."""
    for _ in range(n):
        cards &= cards - 1
    return (cards & -cards).bit_length() - 1


WORDS: dict[str, Any] = {
    "BIT": BIT, "BLOCK": BLOCK, "Stuck": Stuck, "below": below, "nth": nth, "range": range, "refill": refill,
    "shuffle": shuffle, "shuffled_and_dealt": shuffled_and_dealt, "stream": stream, "__builtins__": {},
}  # fmt: skip
"""All that a game's source can name."""


def load(source: str, name: str) -> Callable[..., int]:
    """The function of a game's source, which can name nothing but the words."""
    namespace = dict(WORDS)
    exec(compile(source, name, "exec"), namespace)
    play: Callable[..., int] = namespace["make"]()
    return play
