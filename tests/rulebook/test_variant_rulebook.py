"""The rulebook of a variant: whose introduction stands where, the order of sections, the index, its examples."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from small_variants import BASE, LAYING, NAMES, SMALL, folder_with
from teufelswerk.base.find_files import find, variants
from teufelswerk.language.i18n import Translator
from teufelswerk.loading.library import load
from teufelswerk.rulebook.content import Book, book_of
from teufelswerk.rulebook.render import render


def book(path: Path | str) -> Book:
    loaded = load(path)
    assert loaded.model, [str(d.message) for d in loaded.diagnostics]
    return book_of(loaded.model, loaded.scenes)


@cache
def shipped(name: str) -> Book:
    return book(find(name))


def varied(tmp_path: Path, text: str, base: str = BASE) -> Book:
    """The rulebook of a variant with these sections, beside its base."""
    folder_with(tmp_path, base=base, mine=f"# Mine\n\nOur way.\n\n    variant of base\n\n{text}")
    return book(tmp_path / "mine.rules.md")


def words(book: Book, language: str = "en") -> str:
    return render(book, "md", Translator(language)).decode()


def part(text: str, heading: str) -> str:
    """A section of a rulebook by its heading."""
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0].partition("<a id=")[0].strip()


# ---- introductions --------------------------------------------------------------------------------------------------

INTRODUCTION = "A game for {min-players} to {max-players}."


def top(book: Book) -> str:
    return words(book).partition("\n## ")[0].strip()


def test_the_base_introduces_itself_below_the_variant(tmp_path: Path) -> None:
    folder_with(tmp_path, base=BASE, small=SMALL)
    assert (
        top(book(tmp_path / "small.rules.md"))
        == "# Small\n\nA small game.\n\n*A variant of Base*\n\nA game for 2 to 3."
    )


def test_a_variant_of_a_variant_has_both_introductions(tmp_path: Path) -> None:
    higher = "# Higher\n\nWith {bottom}.\n\n    variant of small\n    players 3\n    bottom = 3\n"
    folder_with(tmp_path, base=BASE, small=SMALL, higher=higher)
    assert top(book(tmp_path / "higher.rules.md")) == (
        "# Higher\n\nWith 3.\n\n*A variant of Small*\n\nA small game.\n\n*A variant of Base*\n\nA game for 3 to 3."
    )


def test_an_introduction_that_tells_what_is_gone_is_left_out(tmp_path: Path) -> None:
    base = BASE.replace(INTRODUCTION, "Cards up to {bottom} stay in the hand.")
    assert "Cards up to 1 stay in the hand." in top(varied(tmp_path, "", base))
    assert varied(tmp_path, LAYING, base).bases == []


@pytest.mark.parametrize("language", ["de", "ru"])
@pytest.mark.parametrize("name", NAMES)
def test_the_introduction_is_said_as_in_the_base(name: str, language: str) -> None:
    base = shipped(variants()[name][-1])
    assert Translator(language)(base.opening[0].text) in words(shipped(name), language)


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_every_format_has_it(tmp_path: Path, form: str) -> None:
    made = render(varied(tmp_path, ""), form, Translator("en"))  # type: ignore[arg-type]
    assert made.startswith(b"%PDF") if form == "pdf" else b"A variant of Base" in made and b"A game for 2 to 3." in made


# ---- the order of sections ------------------------------------------------------------------------------------------

NEW = "## New\n\nSomething new.\n\n"
NEWER = "## Newer\n\nSomething newer.\n\n"
SMALLER = "### Smaller\n\nSomething smaller.\n\n"
CARDS = "## The cards\n\nEvery card has a number.\n\n    cards\n        number: 1 to 12\n\n"
ORDERS = {
    "behind the section above it": (LAYING + "\n" + NEW, "The cards, Playing, Laying, New, The end"),
    "two in a row": (CARDS + NEW + NEWER, "The cards, New, Newer, Playing, Laying, The end"),
    "before the section below it": (NEW + LAYING, "The cards, Playing, New, Laying, The end"),
    "two before the section below": (NEW + NEWER + LAYING, "The cards, Playing, New, Newer, Laying, The end"),
    "the one above decides": (CARDS + NEW + LAYING, "The cards, New, Playing, Laying, The end"),
    "an example is no neighbour": (
        LAYING + "\n## Example: Too low\n\n" + NEW, "The cards, Playing, Laying, New, The end"
    ),
    "nothing of the base": (NEW + NEWER, "The cards, Playing, Laying, The end, New, Newer"),
    "in the place of one that is dropped": (
        "## Laying\n\n" + LAYING.replace("Laying", "Placing"), "The cards, Playing, Placing, The end"
    ),
    "a section below another": (LAYING + "\n" + SMALLER + NEW, "The cards, Playing, Laying, Smaller, New, The end"),
}  # fmt: skip


@pytest.mark.parametrize("case", ORDERS)
def test_a_new_section_stands_beside_its_neighbour_in_the_file(case: str, tmp_path: Path) -> None:
    text, expected = ORDERS[case]
    assert ", ".join(section.heading.msgid for section in varied(tmp_path, text).rules) == expected


def test_what_stands_below_a_section_of_the_base_stays_there(tmp_path: Path) -> None:
    base = BASE.replace("## The end\n", "### Details\n\nMore about it.\n\n## The end\n")
    found = [section.heading.msgid for section in varied(tmp_path, LAYING + "\n" + NEW, base).rules]
    assert found == ["The cards", "Playing", "Laying", "Details", "New", "The end"]


def test_new_examples_come_last(tmp_path: Path) -> None:
    example = "## Example: {}\n\n{{Ida}} lays one.\n\n    scene laying: Ida, Tom\n    allowed Ida lays 5\n\n"
    base = BASE + "\n" + example.format("Second")
    text = example.format("Third") + example.format("Too low")
    assert [section.heading.msgid for section in varied(tmp_path, text, base).examples] == [
        "Example: Too low", "Example: Second", "Example: Third",
    ]  # fmt: skip


def test_the_index_names_the_section_that_declares_a_term(tmp_path: Path) -> None:
    """However the sections of the variant stand in its file."""
    pile = LAYING.replace("    player lays", "    place pile, seen by nobody\n    player lays")
    text = "## The end\n\nThe most points win. The pile stays.\n\n    finish:\n        each player\n"
    text += "            points becomes sum number in hand\n        highest points wins\n\n" + pile
    made = varied(tmp_path, text.replace("You may lay any card.", "You may lay any card beside the pile."))
    headings = {section.anchor: section.heading.msgid for section in made.rules}
    found = {entry.term.msgid: [headings[f"s{number}"] for number in entry.sections] for entry in made.index}
    assert found["pile"] == ["Laying", "The end"]
    assert found["points"] == ["Playing", "The end"]


# ---- examples -------------------------------------------------------------------------------------------------------


def test_no_braces_are_left_of_a_value_that_is_gone(tmp_path: Path) -> None:
    base = BASE.replace("{Ida} may not lay the lowest card.", "{Ida} may not lay the {bottom}.\n\nShe lays another.")
    text = words(varied(tmp_path, LAYING, base))
    assert "{" not in text
    assert part(text, "Example: Too low") == "This example is about something that these rules no longer have."


def test_no_braces_are_left_of_a_slip_in_a_catalog(tmp_path: Path) -> None:
    folder = tmp_path / "locales" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    entry = 'msgctxt "mine: Mine"\nmsgid "Our way."\nmsgstr "Mit {hand-sise} {hand-sise:Karte|Karten}."\n'
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    (folder / "teufelswerk.po").write_text(head + entry, encoding="utf-8")
    made = render(varied(tmp_path, ""), "md", Translator("de", [tmp_path])).decode()
    assert "Mit hand sise Karten." in made


PICTURED = """\
## Example: Pictures

The cards that {Ida} holds are counted, and the pot is emptied.

    scene finish: Ida, Tom
    given pot: 5
    given hand of Ida: 3, 4
    given hand of Tom: 2
    now points of Ida is 7
    now pot is 0

## Example: Winning

{Ida} wins.

    scene finish: Ida, Tom
    given hand of Ida: 9
    given hand of Tom: 2
    Ida wins
"""


DEALT_AGAIN = """\
# Dealt again

The next round begins.

    variant of little-devils

## Example 6: Dealt again

{Anna} leads a card in the new round that she took in the last one.

    scene scoring: Ida, Tom, Anna
    given dealer: Ida
    given no cards in pile of Ida
    given no cards in pile of Tom
    given pile of Anna: 9
    allowed Anna leads 9
"""
KEPT = """\
    keep pot: 0
    keep luck of each player: 0
    place pile of each player, seen by nobody
    keep points"""
WORTH = """\
        pot becomes 0
        highest worth wins
    worth of player = points + luck"""


@pytest.fixture
def pictured(tmp_path: Path) -> str:
    base = BASE.replace("    keep points", KEPT).replace("        highest points wins", WORTH)
    return words(varied(tmp_path, PICTURED, base))


def test_what_belongs_to_nobody_is_shown_too(pictured: str) -> None:
    assert part(pictured, "Example: Pictures").endswith("Points: Ida 7\n\nPot: 5 → 0")


def test_a_win_is_shown_with_what_decided_it(pictured: str) -> None:
    """Luck is part of it, but everyone has the same and the example does not speak of it."""
    assert part(pictured, "Example: Winning").endswith("Points: Ida 9 ★, Tom 2")


def test_a_card_is_marked_only_where_the_move_takes_it_from(tmp_path: Path) -> None:
    folder_with(tmp_path, again=DEALT_AGAIN)
    said = part(words(book(tmp_path / "again.rules.md")), "Example 6: Dealt again")
    assert "| Anna · pile | 9 | " in said and "| Anna · Leading | 9 ✓ | " in said
