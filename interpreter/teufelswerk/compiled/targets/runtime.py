"""What compiled rules call when they run as plain Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from teufelswerk.base.chance import BLOCK, MASK, STEP, below, lanes, stream
from teufelswerk.base.limits import MAX_CARDS, MAX_PLACES
from teufelswerk.compiled.targets.closed_source import closed

BIT = tuple(1 << number for number in range(max(MAX_CARDS, MAX_PLACES) + 1))


block_of_draws = lanes(BLOCK)


def refill(draws: list[int], state: int) -> int:
    """The next draws; gives the state after them."""
    draws[:] = block_of_draws(state)
    return state + BLOCK * STEP & MASK


def shuffled_and_dealt(state: int, row: list[int], count: int, size: int, masks: list[int]) -> int:
    """Shuffles the cards of a place and deals so many to each of some sets; what is left over stays there, in order."""
    dealing(count, size, len(masks))(state, row, masks)
    return state + max(count - 1, 0) * STEP & MASK


@cache
def dealing(count: int, size: int, places: int) -> Callable[[int, list[int], list[int]], None]:
    """The shuffle and the deal of so many cards, written out card by card; who gets the last ones needs no draw."""
    dealt_out = size * places
    drawn = count - size if dealt_out == count else count - 1
    lines = ["def deal(state, row, masks):"]
    if drawn > 0:
        lines += [f"{', '.join(f'draw_{i}' for i in range(drawn))}, = draw(state)"]
    for i in range(drawn):
        lines += [f"other = (draw_{i} * {count - i} >> 32) + {i}", f"card_{i} = row[other]", f"row[other] = row[{i}]"]
    lines += [f"card_{i} = row[{i}]" for i in range(drawn, count)]
    for place in range(places):
        bits = "".join(f"BIT[card_{i}], " for i in range(place * size, place * size + size))
        lines += [f"masks[{place}] |= sum(({bits}))"]
    lines += [f"row[{i - dealt_out}] = card_{i}" for i in range(dealt_out, count)]
    return written("\n    ".join(lines), "a deal", "deal", WORDS | {"draw": lanes(drawn), "sum": sum})


def shuffle(state: int, row: list[int], start: int, count: int, needed: int) -> int:
    """Shuffles the cards of a place, of which only the first so many will be looked at one by one."""
    if count > 1:
        i, size = start, count
        for bits in lanes(needed)(state) if needed > 0 else ():
            j = i + (bits * size >> 32)
            row[i], row[j] = row[j], row[i]
            i += 1
            size -= 1
        state = state + (count - 1) * STEP & MASK
    return state


class Stuck(Exception):
    """The rules ask for something impossible: the reference interpreter says what."""


def nth(cards: int, n: int) -> int:
    """The card of a set that has so many before it."""
    for _ in range(n):
        cards &= cards - 1
    return (cards & -cards).bit_length() - 1


def note(trail: list[tuple[int, int]], options: int, pick: int) -> None:
    """Writes a decision down: how many choices there were, and which was taken."""
    trail.append((options, pick))


WORDS: dict[str, Any] = {
    "BIT": BIT, "BLOCK": BLOCK, "Stuck": Stuck, "below": below, "note": note, "nth": nth, "range": range,
    "refill": refill, "shuffle": shuffle, "shuffled_and_dealt": shuffled_and_dealt, "stream": stream,
    "__builtins__": {},
}  # fmt: skip
"""All that a game's source can name."""


def load(source: str, name: str) -> Callable[..., int]:
    """The function of a game's source, which plays one game."""
    play: Callable[..., int] = written(source, name, "make", WORDS)()
    return play


def written(source: str, file: str, function: str, words: dict[str, Any]) -> Callable[..., Any]:
    """A function from its source, which can name nothing but the words."""
    namespace = dict(words)
    exec(closed(source, file), namespace)
    found: Callable[..., Any] = namespace[function]
    return found
