"""The course of the game in a rulebook: every box in words of the rule file that are about what happens there."""

from __future__ import annotations

from pathlib import Path

import pytest
from teufelswerk.language.i18n import Translator
from teufelswerk.loading.library import load
from teufelswerk.rulebook.content import book_of
from teufelswerk.rulebook.render import render
from teufelswerk.rulebook.words import infinitive

START = """\
# Small

A small game.

    players 2

## The cards

There are cards.

    cards
        number: 1 to 9
    place hand of each player, seen by owner
    place table, seen by all
    keep KEPT of each player: 0

"""
LAYS = """
    player lays:
        "Lay a card."
        choose card from hand
        card goes to table
"""


def course(tmp_path: Path, text: str, kept: str = "coins") -> list[str]:
    """The lines of the course, without their indentation."""
    path = tmp_path / "small.rules.md"
    path.write_text((START + text).replace("KEPT", kept), encoding="utf-8")
    loaded = load(path)
    assert loaded.model, [str(d.message) for d in loaded.diagnostics]
    book = render(book_of(loaded.model, loaded.scenes), "md", Translator("en")).decode()
    said = book.partition("## The course of the game\n\n")[2].partition("\n\n")[0]
    return [line.strip().removeprefix("- ") for line in said.splitlines()]


PARAGRAPH_AND_INVITATION = f"""\
## The game

All lay.

    game:
        each player
            player lays
        highest KEPT wins

## Laying

You lay any card you like.
{LAYS}"""


def test_a_paragraph_goes_before_the_invitation(tmp_path: Path) -> None:
    assert course(tmp_path, PARAGRAPH_AND_INVITATION) == [
        "↻ **One player after another**",
        "**Laying**: You lay any card you like.",
    ]


SHARED_SECTION = f"""\
## The game

All lay.

    game:
        each player
            turn of player
        highest KEPT wins

## Your turn

Lay a card or pass.

    turn of player:
        player lays else passes
    player passes:
        "You cannot lay a card."
        KEPT becomes KEPT + 1
{LAYS}"""


def test_a_move_without_a_section_of_its_own_is_called_by_its_verb(tmp_path: Path) -> None:
    assert course(tmp_path, SHARED_SECTION) == [
        "↻ **One player after another**",
        "**Your turn**: Lay; if that is not possible: Pass",
    ]


STEP_AND_MOVE = """\
## The game

All give.

    game:
        giving
        highest KEPT wins

## Giving

Everyone gives {gift} {gift:card|cards}, and then they are taken up.

    gift = 2
    giving:
        each player
            player gives
        each player
            KEPT becomes 1
    player gives:
        "Give {gift} {gift:card|cards}."
        choose gift cards from hand
        cards go to table
"""


def test_a_move_beside_its_step_is_told_by_its_invitation_and_the_step_by_the_paragraph(tmp_path: Path) -> None:
    assert course(tmp_path, STEP_AND_MOVE) == [
        "**Giving**: Everyone gives 2 cards, and then they are taken up.",
        "↻ **One player after another**",
        "Give 2 cards.",
    ]


SEVERAL_PARAGRAPHS = f"""\
## The game

The game goes round.

Ruling: The first player is drawn.

The last one gets a point.

    game:
        go round from random player until all pass
            player lays else passes
        highest KEPT wins
    player passes:
        "You cannot lay a card."

## Laying

Lay a card.
{LAYS}"""


def test_the_first_of_several_paragraphs_tells_what_it_is_about(tmp_path: Path) -> None:
    assert course(tmp_path, SEVERAL_PARAGRAPHS) == [
        "↻ **Round and round the table**: The game goes round.",
        "**One of these**: Laying; if that is not possible: Pass",
    ]


STEP_BELOW_ITS_HEADING = f"""\
## The game

It goes once round the table.

    game:
        round
        finish

## A round

Everyone has a turn.

    round:
        each player
            player lays
        settling

Then everyone pays.

    settling:
        each player
            KEPT becomes KEPT - 1

## Laying

Lay a card.
{LAYS}
## The end

It is over.

    finish:
        highest KEPT wins
"""


def test_a_heading_does_not_stand_below_itself(tmp_path: Path) -> None:
    assert course(tmp_path, STEP_BELOW_ITS_HEADING) == [
        "**A round**: Everyone has a turn.",
        "↻ **One player after another**",
        "**Laying**: Lay a card.",
        "Then everyone pays.",
        "**The end**: Whoever has the most coins wins.",
    ]


@pytest.mark.parametrize(
    ("kept", "extreme", "said"),
    [
        ("coins", "highest", "Whoever has the most coins wins."),
        ("coins", "lowest", "Whoever has the fewest coins wins."),
        ("score", "highest", "The highest score wins."),
        ("bonus", "lowest", "The lowest bonus wins."),
    ],
)
def test_who_wins_is_a_whole_sentence(tmp_path: Path, kept: str, extreme: str, said: str) -> None:
    text = STEP_BELOW_ITS_HEADING.replace("highest KEPT", f"{extreme} KEPT")
    assert course(tmp_path, text, kept)[-1] == f"**The end**: {said}"


@pytest.mark.parametrize(
    ("verb", "plain"),
    [
        ("passes", "pass"),
        ("lays", "lay"),
        ("raises", "raise"),
        ("carries", "carry"),
        ("goes", "go"),
        ("draws-up", "draw-up"),
    ],
)
def test_what_one_does(verb: str, plain: str) -> None:
    assert infinitive(verb) == plain


STEPS_UNDER_ONE_HEADING = f"""\
## Beginning

First one card is put away.

    first-one:
        first of cards goes to box

Then another one.

    second-one:
        last of cards goes to box

## The game

All lay.

    game:
        first-one
        second-one
        each player
            if KEPT is 0
                player lays
                if KEPT is below 2
                    player lays
        highest KEPT wins

## Laying

You lay a card.
{LAYS}"""


def test_a_heading_stands_once_and_what_may_be_left_out_is_told_once(tmp_path: Path) -> None:
    lines = course(tmp_path, STEPS_UNDER_ONE_HEADING)
    assert lines[:2] == ["**Beginning**: First one card is put away.", "Then another one."]
    assert lines.count("**Sometimes**") == 1
