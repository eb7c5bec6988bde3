"""SplitMix64: the one source of chance, the same on every machine and in every engine.

The state is a 64-bit number. A draw adds 0x9E3779B97F4A7C15 to it, modulo 2^64, and mixes the sum z:
z ^= z >> 30, z *= 0xBF58476D1CE4E5B9, z ^= z >> 27, z *= 0x94D049BB133111EB, z ^= z >> 31.
A number below n is (the upper 32 bits of the draw) * n >> 32; a shuffle is Fisher-Yates from the first card
up, each changing places with itself or one after it. All three write the mixing out: it takes no longer than a call.
"""

from __future__ import annotations

from typing import Any

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def draw(state: int) -> tuple[int, int]:
    """The next state and 64 random bits."""
    state = (state + STEP) & MASK
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return state, z ^ (z >> 31)


def below(state: int, n: int) -> tuple[int, int]:
    """The next state and a number from 0 to n - 1."""
    state = (state + STEP) & MASK
    z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return state, (((z ^ (z >> 31)) >> 32) * n) >> 32


def shuffle(state: int, items: list[Any]) -> int:
    """Shuffles the list in place; gives the next state."""
    size = len(items)
    for i in range(size - 1):
        state = (state + STEP) & MASK
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        j = i + ((((z ^ (z >> 31)) >> 32) * (size - i)) >> 32)
        items[i], items[j] = items[j], items[i]
    return state


def stream(seed: int, number: int) -> int:
    """The state that the seed's n-th independent stream begins with."""
    _, bits = draw((seed & MASK) ^ ((number * 0xD1B54A32D192ED03) & MASK))
    return bits
