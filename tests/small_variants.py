"""Variants as the tests see them: those that come along, and small ones of a small base, in folders of their own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from shipped import Table
from teufelswerk import Game
from teufelswerk.base.find_files import data_folder, find
from teufelswerk.loading.library import Loaded, load

FOLDER = data_folder("rules") / "variants"


NAMES = sorted(path.name.removesuffix(".rules.md") for path in FOLDER.glob("*.rules.md"))


@cache
def loaded(name: str) -> Loaded:
    return load(find(name))


@cache
def games(name: str) -> list[Game]:
    """The variant for each number of players."""
    model = loaded(name).model
    assert model
    return [Game(model, players) for players in range(model.min_players, model.max_players + 1)]


class VariantTable(Table):
    """A variant and how many play it."""

    @property
    def game(self) -> Game:
        return games(self.name)[self.players - games(self.name)[0].players]


BASE = """\
# Base

A game for {min-players} to {max-players}.

    players 2 to 3

## The cards

Every card has a number.

    cards
        number: 1 to 9

## Playing

Everyone gets {hand-size} {hand-size:card|cards} and lays one of them.

    hand-size = 2
    place deck, seen by nobody
    place hand of each player, seen by owner
    place table, seen by all
    keep points of each player: 0
    game:
        cards go to deck
        shuffle deck
        deal hand-size from deck to each hand
        laying
        finish
    laying:
        each player
            player lays

## Laying

You may lay any card above {bottom}, if able.

    bottom = 1
    player lays:
        "Lay a card."
        choose card from hand
        number of card must be above bottom if able
            "That card is too low."
        card goes to table

## The end

The most points win.

    finish:
        each player
            points becomes sum number in hand
        highest points wins

## Example: Too low

{Ida} may not lay the lowest card.

    scene laying: Ida, Tom
    given hand of Ida: 1, 5
    refused Ida lays 1
    Ida lays 5
"""


SMALL = "# Small\n\nA small game.\n\n    variant of base\n    hand-size = 1\n"


def folder_with(path: Path, **files: str) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (path / f"{name.replace('_', '-')}.rules.md").write_text(text, encoding="utf-8")
    return path


LAYING = """\
## Laying

You may lay any card.

    player lays:
        choose card from hand
        card goes to table
"""


FREE = f"# Free\n\nLay what you like.\n\n    variant of base\n\n{LAYING}"
