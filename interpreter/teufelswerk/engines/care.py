"""How much is thought about a move. It stands alone, so that a bot can be seated before anything is compiled."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Care:
    """How much is thought about a move."""

    depth: int = 10
    """So many decisions after it are made well, and those after them at random."""
    tries: int = 6
    """How many random games are played for each choice at such a decision."""
    widest: int = 12
    """How many of the choices are tried, if there are more."""
    longest: int = 400
    """How many moves a random game has at most."""
    most: int = 1_000_000
    """After so many choices looked at, nothing more is tried: whoever decides makes any move."""
    wild: int = -1
    """If not below 0, games are played on by learned weights and not at random, but for so many of 128 moves."""


CARE = Care()
RANDOM = Care(depth=0, tries=0)
LEARNED = Care(depth=0, tries=0, wild=0)
