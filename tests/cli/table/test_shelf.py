"""The shelf as people see it: covers say what the rules say, no rules are read for them, and 80 columns are enough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from commands_in_process import Run, in_process
from shipped import MENU
from small_variants import BASE, SMALL, folder_with
from teufelswerk.base import find_files
from teufelswerk.base.find_files import known
from teufelswerk.base.texts import Text
from teufelswerk.language.gist import gist
from teufelswerk.language.i18n import Translator, languages
from teufelswerk.loading import model_cache
from teufelswerk_cli.table import shelf
from teufelswerk_cli.table.shelf import cover

run = in_process
each_language = pytest.mark.parametrize("language", languages())


@pytest.mark.each_game
@pytest.mark.parametrize("name", sorted(known()))
def test_a_cover_at_a_glance_says_what_the_rules_say(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    glance = cover(name, known()[name], known())
    monkeypatch.setattr(shelf, "comes_along", lambda path: False)
    assert glance == cover(name, known()[name], known())
    assert glance.introduction is not None


@each_language
def test_what_a_game_is_about_is_one_whole_sentence(language: str) -> None:
    say = Translator(language)
    for name, path in known().items():
        introduction = cover(name, path, known()).introduction
        assert introduction is not None
        words = gist(introduction, say)
        assert words[0].isupper() and words[-1] in ".!" and "{" not in words and len(words) < 220, (name, words)
        assert words in say(introduction)


@pytest.mark.parametrize(
    ("introduction", "expected"),
    [
        ("A game by A. Writer for {players} players. Get rid of all {cards} cards.", "Get rid of all 1 cards."),
        ("Get rid of all cards. For {min-players} to {max-players} players.", "Get rid of all cards."),
        ("A game for {players} players.", "A game for 2 players."),
        ("“Go!” It is quick. Nobody wins “it.” You do", "You do"),
    ],
)
def test_the_gist_is_the_last_sentence_that_says_more_than_how_many_play(introduction: str, expected: str) -> None:
    values: dict[str, Any] = {"players": 2, "min-players": 2, "max-players": 4, "cards": 1}
    assert gist(Text(introduction, **values), Translator("en")) == expected


def unread(*nothing: object) -> None:
    raise AssertionError("no rules have to be read")


@each_language
def test_the_shelf_is_shown_without_reading_rules_and_fits_in_eighty_columns(
    run: Run, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_cache, "load_model", unread)
    said = run("games", "--lang", language)
    assert (said.code, said.err) == (0, "")
    words = said.out.split()
    assert all(name in words or f"{name}," in words for name in known())
    assert max(map(len, said.out.splitlines())) <= 80
    assert "\n\n\n" not in said.out


def test_one_game_is_shown_with_what_its_variants_change(run: Run) -> None:
    said = run("games", "little-devils").out
    assert said == run("games", "short-game").out
    said = " ".join(said.split())
    assert "Little Devils, 3–6 players" in said and "the game is over as soon as somebody has 50 devils" in said
    assert run("games", "littel-devils").code == 2


def test_one_can_ask_about_a_file_of_ones_own(run: Run, tmp_path: Path) -> None:
    folder_with(tmp_path, base=BASE.replace("A game for", "Lay high cards. A game for"))
    said = run("games", "base.rules.md")
    assert (said.code, said.out) == (0, "  base  Base, 2–3 players\n        Lay high cards.\n")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return folder_with(tmp_path / "data" / "teufelswerk" / "rules", base=BASE)


def test_games_of_ones_own_and_variants_stand_with_the_others(run: Run, own: Path) -> None:
    folder_with(own / "tricks", another=BASE)
    folder_with(own / "variants", small=SMALL, bad=SMALL.replace("hand-size = 1", "hand-sice = 1"))
    folder_with(own, stray=SMALL.replace("variant of base", "variant of nothing"))
    said = run("games").out
    assert said.index("Trick-taking games\n") < said.index("another") < said.index("Laying games\n")
    mine = said.split("Your own games\n")[1]
    assert "Base, 2–3 players" in mine and "Variant: small" in mine
    assert "bad: cannot be read; see `" in mine and " check bad`" in mine and " check stray`" in mine


# ---- the menu -------------------------------------------------------------------------------------------------------


def asked(run: Run, *typed: str) -> str:
    said = run("play", "--players", "3", "--seed", "1", "--bots", "random", typed="\n".join([*typed, "Me", "quit", ""]))
    assert said.code == 0, said
    return said.out


@pytest.mark.parametrize(
    "typed",
    [
        ("little-devils",), ("LITTLE devils",), ("1", "little-devils"), ("2", "0", "little-devils"),
        ("99", "nonsense", "0", "-1", "little-devils"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_game_is_named_or_chosen_by_numbers(run: Run, typed: tuple[str, ...]) -> None:
    said = asked(run, *typed)
    assert said.endswith(run("play", "little-devils", "--players", "3", "--seed", "1", "--bots", "random",
                             "--human", "Me", typed="quit\n").out)  # fmt: skip
    assert said.count("There is no `") == max(0, len(typed) - 1) * ("nonsense" in typed)


def test_enter_takes_the_first_and_a_variant_is_named_too(run: Run) -> None:
    said = run("play", "--bots", "random", typed="\n\nMe\nquit\n")
    assert said.code == 0 and "Me, your move" in said.out
    assert "three" not in said.out
    assert "devils" in asked(run, "short-game")


def test_with_one_family_there_is_nothing_to_choose_between(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_files, "data_folder", lambda name: tmp_path / name)
    folder_with(tmp_path / "rules" / "alone", first=BASE, second=BASE)
    said = run("play", "--human", "Me", "--bots", "random", typed="0\n2\nquit\n")
    assert said.code == 0 and "Which game? [1]" in said.out and "Which games" not in said.out
    assert "There is no `0` here" in said.out


def test_the_menu_shows_every_game(run: Run) -> None:
    said = run("play", typed="")
    assert said.code == 130
    words = " ".join(said.out.split())
    assert all(str(cover(name, known()[name], known()).title) in words for name in MENU)


# ---- the table ------------------------------------------------------------------------------------------------------


def test_a_new_game_begins_with_what_one_plays_for(run: Run) -> None:
    goal, different = "Devils are bad: the fewest win.", "the game is over as soon as somebody has 50 devils."
    play = ("play", "short-game", "--players", "3", "--seed", "1", "--human", "Me", "--bots", "random")
    said = run(*play, typed="quit\n").out
    first = said.splitlines()[0]
    assert first.startswith(goal) and first.endswith(different)
    assert goal not in run("play", "--resume", typed="quit\n").out
