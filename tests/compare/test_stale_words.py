"""Lines that change while their words do not: the words are pointed out, and nothing else is."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from shipped import PATHS
from teufelswerk.base.diagnostics import Source
from teufelswerk.compare.stale_words import carried_on, doubts_between
from teufelswerk.compare.told_lines import Doubt, told_in

EDITS = tomllib.loads((Path(__file__).parent / "edits.toml").read_text(encoding="utf-8"))["edit"]
FILE = """# A game

The fewest points win.

    players 2

## The end

The fewest points win.

    target = 5
    price of card = number of card
    finish:
        lowest points wins
            "{winners} {winners:has|have} the fewest points."
        leader pays 1 points to right
"""
LOWEST, HIGHEST = "lowest points wins", "highest points wins"


def source(text: str) -> Source:
    return Source("game.rules.md", text)


def doubts(old: str, new: str) -> list[Doubt]:
    return doubts_between(source(old), source(new))


def changed(*replaced: tuple[str, str], text: str = FILE) -> str:
    for old, new in replaced:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit["what"])
def test_words_that_an_edit_has_made_wrong(edit: dict[str, Any]) -> None:
    text = PATHS[edit["game"]].read_text(encoding="utf-8")
    edited = changed(*zip(edit["from"], edit["to"], strict=True), text=text)
    found = doubts(text, edited)
    rulings = {told.words for told in told_in(source(edited))}
    for begins in edit["stale"]:
        plain = begins.removeprefix("Ruling: ")
        assert any(words.startswith(plain) for words in rulings)
        assert any(doubt.words.startswith(plain) for doubt in found), begins
    assert len({doubt.key for doubt in found}) <= len(edit["stale"]) + 5
    assert not doubts(edited, edited)


@pytest.mark.parametrize(
    "replaced",
    [
        ("target = 5", "target = 6 "),
        ("price", "worth"),
        (
            "    target = 5\n    price of card = number of card\n",
            "    price of card = number of card\n    target = 5\n",
        ),
        ("lowest points", "lowest  points"),
        ("The fewest points win.", "Whoever has fewest points wins."),
    ],
    ids=["a figure that is told", "another name", "another order", "another layout", "other words"],
)
def test_what_needs_no_other_words(replaced: tuple[str, str]) -> None:
    with_figure = changed(
        ("The fewest points win.\n\n    target", "With {target} points the fewest win.\n\n    target")
    )
    assert not doubts(with_figure, changed(replaced, text=with_figure))


def test_a_doubt_stays_until_the_words_change_or_the_line_comes_back() -> None:
    edited = changed((LOWEST, HIGHEST))
    first = carried_on([], doubts(FILE, edited), source(edited))
    assert {doubt.heading for doubt in first} == {"A game", "The end"}

    assert carried_on(first, doubts(edited, edited), source(edited)) == first

    intro = changed(("# A game\n\nThe fewest", "# A game\n\nThe most"), text=edited)
    assert {doubt.heading for doubt in carried_on(first, doubts(edited, intro), source(intro))} == {"The end"}

    assert carried_on(first, doubts(edited, FILE), source(FILE)) == []


def test_a_line_that_changes_twice_is_told_as_it_was_at_first() -> None:
    once, twice = changed(("to right", "to left")), changed(("to right", "to leader"))
    first = carried_on([], doubts(FILE, once), source(once))
    both = carried_on(first, doubts(once, twice), source(twice))
    assert ("leader pays 1 points to right", "leader pays 1 points to leader") in {(d.old, d.new) for d in both}


def test_thousands_of_changed_lines_are_compared_in_time() -> None:
    lines = [f"    step-{n}:\n        leader becomes player-{n}\n" for n in range(3_000)]
    other = [line.replace("player-", "leader of player-") for line in lines]
    assert doubts("# A\n\nWords.\n\n" + "".join(lines), "# A\n\nWords.\n\n" + "".join(other))
