"""Folders of a shelf → what they are called: each holds a family of games."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from pathlib import Path

from teufelswerk.base.find_files import family
from teufelswerk.base.texts import Text

HEADINGS = {
    "tricks": Text("Trick-taking games"),
    "laying": Text("Laying games"),
    "shedding": Text("Shedding games"),
    "melding": Text("Melding and collecting games"),
    "betting": Text("Betting and bidding games"),
    "together": Text("Games played together"),
    "alone": Text("Games for one"),
}
"""In the order in which they are shown."""


def heading(folder: str) -> Text | str:
    """What people call a family; a folder that nobody has named shows as it is."""
    return HEADINGS.get(folder, folder)


def by_family(games: Mapping[str, Path]) -> list[tuple[str | None, dict[str, Path]]]:
    """The games of each family, in the order in which they are shown; those that stand in none come last."""
    ordered = sorted(games.items(), key=lambda game: (_rank(family(game[1])), game[0]))
    return [(folder, dict(members)) for folder, members in groupby(ordered, key=lambda game: family(game[1]))]


def _rank(folder: str | None) -> tuple[int, str]:
    order = list(HEADINGS)
    if folder is None:
        return len(order) + 1, ""
    return (order.index(folder), "") if folder in order else (len(order), folder)
