"""Examples that deal without saying which cards: how many lie where is known all the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from teufelswerk.examples.run_scenes import run_scenes
from teufelswerk.loading.library import load

GAME = """\
# Dealing

A game of dealing for {min-players} to {max-players} players.

    players 2 to 3

## Cards

The cards come in two colours.

    cards
        colour: red, blue
        number: 1 to 10

## Dealing

Everyone gets {hand-size} {hand-size:card|cards}.

    hand-size = 4
    place deck, seen by nobody
    place hand of each player, seen by owner
    place heap, seen by nobody
    place table, seen by all
    keep score of each player: 0
    game:
        setup
        playing
        sharing
        highest score wins
    setup:
        cards where number is below 10 go to deck
        shuffle deck
        deal hand-size from deck to each hand
        deal up to 2 from deck to heap
    playing:
        each player
            player plays
    sharing:
        heap goes to deck
        deal evenly from deck to each hand
    player plays:
        "Play a card."
        choose card from hand
        card goes to table

## Example

{example}
"""

ONES_AND_TWOS = ("setup", "now exactly 8 cards in deck", "given no cards in hand of Ida where number is above 2")
HOLD = {
    "everyone has as many": ("setup", "now exactly 4 cards in every hand", "now count cards in hands is 8"),
    "the rest stays": ("setup", "now count cards in deck is 8", "now exactly 2 cards in heap"),
    "some and none": ("setup", "now some cards in heap and not no cards in every hand"),
    "at least and at most": ("setup", "now at least 4 cards in hand of Ida and at most 4 cards in hand of Tom"),
    "which cards they are is open": ("setup", "now not (at least 5 cards in hand of Ida where colour is red)"),
    "a full hand takes no more": (
        "setup", "now exactly 8 cards in deck", "given some cards in hand of Ida where number is 1",
        "given no cards in hand of Ida where number is above 2",
        "now exactly 2 cards in hand of Ida where number is 2",
        "now exactly 2 cards in hand of Ida where colour is red",
        "now no cards in hand of Tom where number is at most 2",
    ),
    "who plays a card has one card less": (
        "game", "Ida plays red-5", "now exactly 3 cards in hand of Ida and exactly 4 cards in hand of Tom",
        "now no cards in hand of Tom where number is 5 and colour is red",
    ),
    "what goes with a whole place": ("game", "Ida plays red-5", "Tom plays red-6", "now exactly 8 cards in every hand"),
    "what is given counts": ("setup", "now exactly 8 cards in deck", "given hand of Ida: red-1, red-2, blue-3, blue-4",
                             "now exactly 4 cards in every hand"),
}  # fmt: skip

FAIL = {
    "more than were dealt": ("setup", "now exactly 5 cards in hand of Ida"),
    "nothing was dealt": ("setup", "now no cards in hand of Ida"),
    "which cards they are is open": ("setup", "now some cards in hand of Ida where colour is red"),
    "what was played": ("game", "Ida plays red-5", "now exactly 4 cards in hand of Ida"),
    "in which order they lie": (*ONES_AND_TWOS, "now sum number in first 2 cards in hand of Ida is 3"),
    "which of them lies first": (*ONES_AND_TWOS, "now first of (cards in hand of Ida where number is 1) is red-1"),
}


def verdicts(lines: tuple[str, ...], folder: Path) -> list[bool]:
    step, *others = lines
    text = "\n".join(f"    {line}" for line in (f"scene {step}: Ida, Tom", *others))
    path = folder / "dealing.rules.md"
    path.write_text(GAME.replace("{example}", f"{{Ida}} and {{Tom}} play.\n\n{text}"), encoding="utf-8")
    loaded = load(path)
    assert loaded.model, [str(d.message) for d in loaded.diagnostics]
    return [verdict.holds for result in run_scenes(loaded.model, loaded.scenes) for verdict in result.verdicts]


@pytest.mark.parametrize("name", HOLD)
def test_what_a_deal_makes_known(name: str, tmp_path: Path) -> None:
    found = verdicts(HOLD[name], tmp_path)
    assert found and all(found)


@pytest.mark.parametrize("name", FAIL)
def test_what_a_deal_does_not_make_known(name: str, tmp_path: Path) -> None:
    *before, last = verdicts(FAIL[name], tmp_path)
    assert all(before) and not last


def test_what_takes_too_long_leaves_time_for_the_next_scene(tmp_path: Path) -> None:
    heavy = "score of Ida"
    for _ in range(5):
        heavy = f"(count cards where (number + {heavy}) is above 0)"
    lines = ("setup", f"now {heavy} is 20", "\n    scene sharing: Ida, Tom", "now no cards in heap")
    found = verdicts(lines, tmp_path)
    assert found == [False, True]
