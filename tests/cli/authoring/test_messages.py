"""`messages` writes the catalogs of a game of one's own: what is translated in one place is said everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from catalog_entries import ROOT
from commands_in_process import Run, in_process
from teufelswerk import own_catalogs

run = in_process
GAME = """# Fuse

Whoever holds the ace of spades loses.

    players 2

## The pack

Aces and kings.

    cards
        suit: hearts, spades
        rank: king, ace
        "{rank} of {suit}"
    place hand of each player, seen by owner
    place table, seen by all

## Laying

You lay a card.

    player lays:
        "Lay a card."
        choose card from hand
        card goes to table
            "{player} lays {card}."
    game:
        cards go to table
        shuffle table
        deal evenly from table to each hand
        each player
            player lays
        (player of spades-ace) loses
"""
PO = Path("locales/de/LC_MESSAGES/teufelswerk.po")


@pytest.fixture
def game(run: Run, tmp_path: Path) -> Path:
    (tmp_path / "fuse.rules.md").write_text(GAME, encoding="utf-8")
    return tmp_path / "fuse.rules.md"


def catalog() -> Catalog:
    with PO.open("rb") as file:
        return read_po(file, locale="de")


def translate(text: str, words: str) -> None:
    found = catalog()
    for message in found:
        if message.id == text:
            message.string = words
            message.flags.discard("fuzzy")
    with PO.open("wb") as file:
        write_po(file, found)


def test_a_text_translated_once_is_said_at_the_table_in_the_rulebook_and_kept(run: Run, game: Path) -> None:
    first = run("messages", game.name, "--into", "de")
    assert (first.code, first.err) == (0, "") and first.out.startswith(f"{PO}: ")
    translate("Lay a card.", "Leg eine Karte hin!")
    translate("You lay a card.", "Du legst eine Karte hin.")

    translate("{player} lays {card}.", "{player} legt {card} auf den Tisch.")

    table = run("play", game.name, "--lang", "de", "--watch", "--fast", "--seed", "1").out
    assert "auf den Tisch." in table and "lays" not in table
    assert "Du legst eine Karte hin." in run("rulebook", game.name, "--lang", "de").out

    again = run("messages", game.name)
    assert again.code == 0 and "Leg eine Karte hin!" in PO.read_text(encoding="utf-8")
    done = own_catalogs.progress(catalog())
    assert done.translated >= 2 and f"{done.translated} of {done.texts} texts" in again.out


def test_a_changed_text_keeps_its_words_as_a_suggestion_that_is_not_used(run: Run, game: Path) -> None:
    run("messages", game.name, "--into", "de")
    translate("You lay a card.", "Du legst eine Karte hin.")
    game.write_text(GAME.replace("You lay a card.", "You lay any card."), encoding="utf-8")
    run("messages", game.name)
    entry = next(message for message in catalog() if message.id == "You lay any card.")
    assert entry.fuzzy and entry.string == "Du legst eine Karte hin."
    said = run("rulebook", game.name, "--lang", "de").out
    assert "You lay any card." in said and "Du legst" not in said


def test_packs_are_known_and_nothing_else_is_taken_from_other_games(run: Run, game: Path) -> None:
    said = run("rulebook", game.name, "--exact", "--lang", "de").out
    assert "Herz oder Pik" in said and "König oder Ass" in said
    run("messages", game.name, "--into", "de")
    words = {str(message.id): message for message in catalog() if message.id}
    assert not words["ace"].fuzzy and words["ace"].string == "Ass"
    assert words["{player} lays {card}."].fuzzy or not words["{player} lays {card}."].string


def test_what_belongs_to_another_game_in_the_folder_stays(run: Run, game: Path) -> None:
    run("messages", game.name, "--into", "de")
    translate("Lay a card.", "Leg eine Karte hin!")
    game.with_name("other.rules.md").write_text(GAME.replace("Fuse", "Other"), encoding="utf-8")
    run("messages", "other.rules.md")
    assert "Leg eine Karte hin!" in PO.read_text(encoding="utf-8")
    assert {"fuse", "other"} <= {str(message.context).partition(": ")[0] for message in catalog() if message.id}


def test_a_language_is_begun_by_one_command(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = tmp_path / "checkout" / "locales"
    there.mkdir(parents=True)
    (there / "teufelswerk.pot").write_bytes((ROOT / "locales" / "teufelswerk.pot").read_bytes())
    monkeypatch.setattr(own_catalogs, "data_folder", lambda name: there)
    said = run("messages", "--into", "fr")
    assert said.code == 0 and "fr: 0 of " in said.out
    assert (there / "fr" / "LC_MESSAGES" / "teufelswerk.po").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fuse.rules.md"], "into which language?"),
        (["fuse.rules.md", "--into", "xx"], "`xx` is no language"),
        (["fuse.rules.md", "--into", "../de"], "is no language"),
        (["none.rules.md", "--into", "de"], "none.rules.md"),
    ],
)
def test_what_cannot_be_done_is_said(words: list[str], message: str, run: Run, game: Path) -> None:
    said = run("messages", *words)
    assert said.code == 2 and message in said.err and "Traceback" not in said.err


@pytest.mark.parametrize(
    "damaged", [b"\xff\xfe", b'msgid "a\n', b'msgid ""\nmsgstr "Plural-Forms: nplurals=900000000; plural=0;\\n"\n']
)
def test_a_damaged_catalog_is_left_as_it_is(damaged: bytes, run: Run, game: Path) -> None:
    path = game.parent / PO
    path.parent.mkdir(parents=True)
    path.write_bytes(damaged)
    said = run("messages", game.name)
    assert said.code == 2 and "cannot be used" in said.err and path.read_bytes() == damaged
