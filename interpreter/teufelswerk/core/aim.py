"""The core of a game → the number by which players are compared at its end, and whether more of it is better."""

from __future__ import annotations

from typing import NamedTuple

from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.walk import all_statements

UNIT = 60
"""So much is worth being one ahead of everyone else, divided by how many these are."""
WIN = 10
"""What winning is worth beside being ahead by one."""


class Aim(NamedTuple):
    by: f.Expr
    slot: int
    """Holds the player whose number it is."""
    highest: bool


def aim_of(core: s.Core) -> Aim | None:
    """What decides first where the game ends by numbers; None if it only says who wins."""
    for found in all_statements(core):
        if isinstance(found, s.Wins) and found.criteria:
            highest, by = found.criteria[0]
            return Aim(by, found.slot, highest != found.lose)
    return None


def worth_of_one(core: s.Core) -> int:
    """What one more of it is worth; nothing where the end is not decided by a number."""
    aim = aim_of(core)
    return 0 if aim is None else UNIT if aim.highest else -UNIT


def worth_of_winning(players: int) -> int:
    """What winning is worth, to be shared by all who win."""
    return UNIT * WIN * max(players - 1, 1)
