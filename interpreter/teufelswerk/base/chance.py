"""SplitMix64: the one source of chance, the same on every machine and in every engine.

The state is a 64-bit number. A draw adds 0x9E3779B97F4A7C15 to it, modulo 2^64, and mixes the sum z:
z ^= z >> 30, z *= 0xBF58476D1CE4E5B9, z ^= z >> 27, z *= 0x94D049BB133111EB, z ^= z >> 31.
A number below n is (the upper 32 bits of the draw) * n >> 32; a shuffle is Fisher-Yates from the first card
up, each changing places with itself or one after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from struct import Struct
from typing import Any

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15
BLOCK = 64
"""So many draws are made at once."""
LANE = 128
"""Bits for each of several draws in one long integer: wide enough for the product of two 64-bit numbers."""


def draw(state: int) -> tuple[int, int]:
    """The next state and 64 random bits."""
    state = (state + STEP) & MASK
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return state, z ^ (z >> 31)


def below(state: int, n: int) -> tuple[int, int]:
    """The next state and a number from 0 to n - 1."""
    state, bits = draw(state)
    return state, ((bits >> 32) * n) >> 32


@lru_cache(maxsize=256)
def lanes(size: int) -> Callable[[int], tuple[int, ...]]:
    """A function that makes so many draws at once: the upper 32 bits of each, all mixed in one long integer."""
    ones = sum(1 << LANE * i for i in range(size))
    ramp = sum((STEP * (i + 1) & MASK) << LANE * i for i in range(size))
    low64, low34, low37 = (ones * ((1 << bits) - 1) for bits in (64, 34, 37))
    length, unpack = size * LANE // 8, Struct("<" + "4xI8x" * size).unpack

    def draws(state: int) -> tuple[int, ...]:
        z = state * ones + ramp & low64
        z = (z ^ z >> 30 & low34) * 0xBF58476D1CE4E5B9 & low64
        z = (z ^ z >> 27 & low37) * 0x94D049BB133111EB & low64
        z ^= z >> 31  # what this shifts into the lane below is never read
        return unpack(z.to_bytes(length, "little"))

    return draws


def draws(state: int) -> Iterator[int]:
    """The upper 32 bits of every draw from now on."""
    while True:
        yield from lanes(BLOCK)(state)
        state = state + BLOCK * STEP & MASK


def shuffle(state: int, items: list[Any]) -> int:
    """Shuffles the list in place; gives the next state."""
    size = len(items)
    if size < 2:
        return state
    for i, bits in enumerate(lanes(size - 1)(state)):
        j = i + (bits * (size - i) >> 32)
        items[i], items[j] = items[j], items[i]
    return state + (size - 1) * STEP & MASK


def stream(seed: int, number: int) -> int:
    """The state that the seed's n-th independent stream begins with."""
    _, bits = draw((seed & MASK) ^ ((number * 0xD1B54A32D192ED03) & MASK))
    return bits
