"""What compiled rules call when they run as plain Python; `native` has the same for machine code."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from struct import Struct
from typing import Any

from teufelswerk.chance import MASK, STEP, below, stream
from teufelswerk.compiled.closed_source import closed
from teufelswerk.limits import MAX_CARDS

BLOCK = 64
"""So many draws are made at once."""
MOST_WAYS = 1 << 30
LANE = 128
"""Bits for each of several draws in one long integer: wide enough for the product of two 64-bit numbers."""


BIT = tuple(1 << card for card in range(MAX_CARDS))


@cache
def lanes(size: int) -> Callable[[int], tuple[int, ...]]:
    """A function that makes so many draws at once: the upper 32 bits of each, all mixed in one long integer."""
    ones = sum(1 << LANE * i for i in range(size))
    ramp = sum((STEP * (i + 1) & MASK) << LANE * i for i in range(size))
    low64, low34, low37 = (ones * ((1 << bits) - 1) for bits in (64, 34, 37))
    length, unpack = size * LANE // 8, Struct("<" + "4xI8x" * size).unpack

    def draw(state: int) -> tuple[int, ...]:
        z = state * ones + ramp & low64
        z = (z ^ z >> 30 & low34) * 0xBF58476D1CE4E5B9 & low64
        z = (z ^ z >> 27 & low37) * 0x94D049BB133111EB & low64
        z ^= z >> 31  # what this shifts into the lane below is never read
        return unpack(z.to_bytes(length, "little"))

    return draw


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


def dealt(row: list[int], first: int, after: int) -> int:
    """The cards from one position up to another, as a mask."""
    cards = 0
    for card in row[first:after]:
        cards |= 1 << card
    return cards


def left_over(row: list[int], first: int, count: int) -> int:
    """Takes away the cards before a position; gives how many are left."""
    for position in range(first, count):
        row[position - first] = row[position]
    return count - first


def taken(row: list[int], start: int, count: int, cards: int) -> int:
    """Takes the cards of a mask out of a place; gives how many are left."""
    kept = 0
    for position in range(start, start + count):
        card = row[position]
        if not cards >> card & 1:
            row[start + kept] = card
            kept += 1
    return kept


def laid(row: list[int], start: int, count: int, cards: int) -> int:
    """Puts the cards of a mask on top of a place, lowest first; gives how many are there now."""
    while cards:
        row[start + count] = (cards & -cards).bit_length() - 1
        cards &= cards - 1
        count += 1
    return count


def count_cards(counts: list[int], first: int, cards: int) -> None:
    """Adds one to the counter of each card of a mask."""
    while cards:
        counts[first + (cards & -cards).bit_length() - 1] += 1
        cards &= cards - 1


def nth(cards: int, count: int, n: int) -> int:
    """The bit of the card of a mask, which has so many cards, that has n below it."""
    while n:
        cards &= cards - 1
        n -= 1
    return cards & -cards


def nth_of_two(first: int, second: int, n: int) -> tuple[int, int]:
    """Of the cards of two masks, card by card, the first mask before the second: the n-th, and which mask it is of."""
    rest = first | second
    while True:
        bit = rest & -rest
        if first & bit:
            if n == 0:
                return bit.bit_length() - 1, 0
            n -= 1
        if second & bit:
            if n == 0:
                return bit.bit_length() - 1, 1
            n -= 1
        rest ^= bit


def ways(cards: int, size: int) -> int:
    """In how many ways so many of the cards can be chosen; far too many are as good as any other number of those."""
    found = 1
    for number in range(min(size, cards - size)):
        found = found * (cards - number) // (number + 1)
        if found > MOST_WAYS:
            return found
    return found if size <= cards else 0


def combination(cards: int, size: int, n: int) -> int:
    """The n-th way to choose so many cards of a mask, in the order of `itertools.combinations`."""
    chosen = 0
    while size:
        bit = cards & -cards
        cards ^= bit
        beginning = ways(cards.bit_count(), size - 1)
        if n < beginning:
            chosen |= bit
            size -= 1
        else:
            n -= beginning
    return chosen


def array(size: int) -> list[int]:
    return [0] * size


def filled(size: int, value: int) -> list[int]:
    return [value] * size


def table(*values: int) -> tuple[int, ...]:
    return values


WORDS: dict[str, Any] = {
    "BIT": BIT, "BLOCK": BLOCK, "array": array, "below": below, "combination": combination,
    "count_cards": count_cards, "dealt": dealt, "filled": filled, "laid": laid, "left_over": left_over, "len": len,
    "max": max, "min": min, "nth": nth, "nth_of_two": nth_of_two, "range": range, "refill": refill,
    "shuffle": shuffle, "shuffled_and_dealt": shuffled_and_dealt, "stream": stream, "table": table,
    "taken": taken, "ways": ways, "__builtins__": {},
}  # fmt: skip
"""All that a game's source can name."""


NTH = re.compile(r"^( *)(\w+) = nth\((\w+), (\w+), pick\)\n *(\w+) = \2.bit_length\(\) - 1$", re.MULTILINE)
NTH_IN_PLACE = r"""\1\2 = \3
\1pick = \4 - pick
\1while pick > 1:
\1    \2 ^= BIT[\2.bit_length() - 1]
\1    pick -= 1
\1\5 = \2.bit_length() - 1
\1\2 = BIT[\5]"""
"""What `nth` does, from above: it runs at every move, and a call costs as much as the work."""


def load(source: str, name: str) -> Callable[..., int]:
    """The function of a game's source, as plain Python."""
    return written(NTH.sub(NTH_IN_PLACE, source), name, "play", WORDS)


def written(source: str, file: str, function: str, words: dict[str, Any]) -> Callable[..., Any]:
    """A function from its source, which can name nothing but the words."""
    namespace = dict(words)
    exec(closed(source, file), namespace)
    found: Callable[..., Any] = namespace[function]
    return found
