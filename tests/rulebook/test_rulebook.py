"""Rulebooks: every game in every format and language, with the figures in force and nothing from outside."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from html_page import Page
from shipped import NAMES
from teufelswerk.base.find_files import find
from teufelswerk.base.texts import Text
from teufelswerk.language.i18n import Translator, edition_in, languages
from teufelswerk.loading.library import load
from teufelswerk.rulebook.content import Book, book_of
from teufelswerk.rulebook.course_picture import first_sentence
from teufelswerk.rulebook.faces import Faces
from teufelswerk.rulebook.render import FORMS, Form, render
from teufelswerk.rulebook.tables import in_order, ranges
from teufelswerk.rulebook.wording import Wording

VARIED = (("hand-size", 8), ("target", 50))


@cache
def book(game: str, values: tuple[tuple[str, int], ...] = ()) -> Book:
    loaded = load(find(game), dict(values))
    assert loaded.model, [str(d.message) for d in loaded.diagnostics]
    return book_of(loaded.model, loaded.scenes)


@cache
def made(
    game: str, form: Form, language: str = "en", clauses: bool = False, values: tuple[tuple[str, int], ...] = ()
) -> bytes:
    return render(book(game, values), form, Translator(language), clauses)


def words(game: str, form: Form = "md", language: str = "en", **options: bool) -> str:
    return made(game, form, language, **options).decode()


def written(tmp_path: Path, text: str) -> Book:
    path = tmp_path / "small.rules.md"
    path.write_text(text, encoding="utf-8")
    loaded = load(path)
    assert loaded.model, [str(d.message) for d in loaded.diagnostics]
    return book_of(loaded.model, loaded.scenes)


# ---- formats and languages ------------------------------------------------------------------------------------------


@pytest.mark.each_game
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("game", NAMES)
def test_there_is_a_rulebook_in_each_format(game: str, form: Form) -> None:
    for language in languages() if form != "pdf" else ("ru",):
        content = made(game, form, language)
        assert len(content) > 3000
        if form == "pdf":
            assert content.startswith(b"%PDF")
        else:
            assert "{" not in re.sub(r"<style>.*?</style>", "", content.decode(), flags=re.DOTALL)


@pytest.mark.parametrize("game", NAMES)
def test_a_web_page_is_well_formed_and_stands_alone(game: str) -> None:
    text = words(game, "html", "de")
    page = Page(text)
    assert ("html", "lang", "de") in page.attributes
    assert len(page.ids) == len(set(page.ids))
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert "http" not in text and "src=" not in text and "<script" not in text and "@import" not in text
    for picture in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        assert ElementTree.fromstring(picture).get("aria-label")


@pytest.mark.parametrize("game", NAMES)
def test_the_same_rules_make_the_same_rulebook(game: str) -> None:
    loaded = load(find(game))
    assert loaded.model
    again = book_of(loaded.model, loaded.scenes)
    for form in FORMS:
        assert render(again, form, Translator("en")) == made(game, form)


@pytest.mark.parametrize("game", NAMES)
def test_a_language_without_a_catalog_says_it_in_english(game: str) -> None:
    page = render(book(game), "html", Translator("fr")).decode()
    assert 'lang="fr"' in page
    assert "The course of the game" in page


def test_names_of_people_are_those_of_the_language() -> None:
    assert "Anna" in words(NAMES[0]) or "Ann" in words(NAMES[0])
    russian = words("little-devils", language="ru")
    assert "Tom" not in russian and "Том" in russian


# ---- figures --------------------------------------------------------------------------------------------------------


def test_changed_values_change_every_figure() -> None:
    text = made("little-devils", "md", values=VARIED).decode()
    assert "deals 8 cards" in text and "A round has 8 tricks" in text and "reaches 50 devils" in text
    assert "24\N{NO-BREAK SPACE}/ 32\N{NO-BREAK SPACE}/ 40\N{NO-BREAK SPACE}/ 48" in text
    assert "**8 times**" in text
    assert "hand size 8, target 50" in text
    prose = [line for line in text.split("\n") if line and not line.startswith(("|", "-", " ", "<", "#"))]
    assert not [line for line in prose if re.search(r"\b(9|100|27|36|45) (cards|tricks|devils|/)", line)]


@pytest.mark.parametrize(
    ("language", "usual", "changed"),
    [
        ("de", ["9 Karten", "9 Stiche", "100 Teufel"], ["8 Karten", "8 Stiche", "50 Teufel"]),
        ("en", ["9 cards", "9 tricks", "100 devils"], ["8 cards", "8 tricks", "50 devils"]),
        ("ru", ["9 карт", "9 взяток", "100 дьяволят"], ["8 карт", "8 взяток", "50 дьяволят"]),
    ],
)
def test_changed_values_change_the_book_in_every_language(language: str, usual: list[str], changed: list[str]) -> None:
    before = made("little-devils", "md", language).decode().replace("\N{NO-BREAK SPACE}", " ")
    after = made("little-devils", "md", language, values=VARIED).decode().replace("\N{NO-BREAK SPACE}", " ")
    assert [words for words in usual if words not in before] == []
    assert [words for words in changed if words not in after] == []
    assert [words for words in usual if words in after] == []
    gone = set(before.splitlines()) - set(after.splitlines())
    assert all(re.search(r"\d", line) for line in gone), "only figures change"


def test_a_single_thing_is_counted_as_one() -> None:
    one = (("barred-count", 1), ("hand-size", 1))
    assert "1 дьяволёнком" in made("little-devils", "md", "ru", values=one).decode().replace("\N{NO-BREAK SPACE}", " ")
    assert "1 Karte" in made("little-devils", "md", "de", values=one).decode().replace("\N{NO-BREAK SPACE}", " ")


def test_changed_values_stand_in_the_clauses_too() -> None:
    text = made("little-devils", "md", clauses=True, values=VARIED).decode()
    assert "hand-size = 8" in text and "target = 50" in text
    assert "hand-size = 9" not in text and "target = 100" not in text


def test_an_example_that_no_longer_holds_says_so() -> None:
    remark = "the example does not come out like this"
    assert remark not in words("hols-der-teufel")
    assert remark in made("hols-der-teufel", "md", values=(("ripe", 3),)).decode()


def test_figures_that_depend_on_the_number_of_players_stand_in_a_table() -> None:
    text = words("hols-der-teufel")
    assert "| Players | 3 | 4 | 5 |" in text
    assert "| Hand of each player | 12 | 9 | 7 |" in text
    assert "| Deck | 2 | 2 | 3 |" in text


def test_who_holds_no_cards_before_the_deal_is_counted_among_the_players() -> None:
    text = words("go-fish").replace("\N{NO-BREAK SPACE}", " ")
    assert "With 2 / 3 / 4 / 5 / 6 players everyone gets 7 / 7 / 5 / 5 / 5 cards." in text


def test_a_hand_that_may_be_laid_open_is_shown_in_examples() -> None:
    matadors = words("skat").partition("## Example: Matadors")[2].partition("## Example")[0]
    assert "| Ida · hand | jack of clubs | jack of diamonds |" in matadors
    assert "(back)" not in matadors


# ---- words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", NAMES)
def test_rulings_are_set_apart(game: str) -> None:
    loaded = load(find(game))
    assert loaded.model
    rulings = sum(prose.paragraph.ruling for section in loaded.model.sections for prose in section.prose)
    assert words(game).count("\n> **Ruling:** ") == rulings
    assert words(game, "html").count('<aside class="ruling"') == rulings


@pytest.mark.parametrize("form", ["md", "html"])
@pytest.mark.parametrize("game", NAMES)
def test_clauses_are_shown_only_if_asked_for(game: str, form: Form) -> None:
    assert "choose card from" not in words(game, form) and "scene " not in words(game, form)
    assert "choose card from" in words(game, form, clauses=True)


def test_a_section_without_words_says_what_its_clauses_say(tmp_path: Path) -> None:
    small = written(
        tmp_path,
        "# Small\n\n    players 2\n\n## Cards\n\n    cards\n        number: 1 to 4\n\n"
        "## Play\n\nThat is all <b>there</b> is to *it*: [x](http://x).\n\n"
        "    keep score of each player: 0\n    game:\n        highest score wins\n",
    )
    assert "number: 1 to 4" in render(small, "html", Translator("en"), clauses=True).decode()
    page = render(small, "html", Translator("en")).decode()
    assert "On each of them: number, one of 1 to 4." in page and "number: 1 to 4" not in page
    assert "&lt;b&gt;there&lt;/b&gt; is to <em>it</em>" in page and "<a href=" in page and 'href="http' not in page
    Page(page)
    assert render(small, "pdf", Translator("en")).startswith(b"%PDF")


def test_a_national_edition_has_its_own_numbers() -> None:
    found = load(find("little-devils"))
    assert found.model is not None
    page = render(book_of(found.model, found.scenes, edition_in("ru")), "md", Translator("ru")).decode()
    assert "| Взятка | 37 | 21 | 39 | 15 | 1 | 46 ★ |" in page and "| 37 | 31 |" not in page


@pytest.mark.parametrize(
    ("language", "printed"),
    [("en", "“Hol’s (“der”) Teufel”"), ("de", "„Hol’s („der“) Teufel“"), ("ru", "«Hol’s («der») Teufel»")],
)
def test_a_printer_has_other_quotes(language: str, printed: str) -> None:
    words = '"Hol\'s ("der") Teufel"'
    assert Wording(Translator(language), printed=True).say(words) == printed
    assert Wording(Translator(language)).say(words) == words


def test_a_printer_has_another_minus_sign() -> None:
    say = Wording(Translator("en"), printed=True).say
    assert say("-60, (-3), red-5, 4-6, --lang, -x") == "−60, (−3), red-5, 4-6, --lang, -x"


def test_many_cards_face_down_are_one_and_their_number() -> None:
    found = load(find("klondike"))
    assert found.model is not None
    page = render(book_of(found.model, found.scenes), "md", Translator("en")).decode()
    (column,) = [line for line in page.split("\n") if "37×" in line]
    assert column.count("|") == 4


def test_first_sentences() -> None:
    assert first_sentence("Lay a card. Then pay.") == "Lay a card."
    assert first_sentence("Lay z. B. an ace! Then pay.") == "Lay z. B. an ace!"
    assert first_sentence("No stop") == "No stop"


# ---- pictures -------------------------------------------------------------------------------------------------------


def test_ranges() -> None:
    assert ranges([1, 2, 3, 5, 6, 9]) == ("1–3", "5", "6", "9")


def test_names_stand_in_the_order_of_the_file() -> None:
    jack, ace = Text("jack"), Text("ace")
    assert tuple(in_order(["7", "8", "9", jack, "10", ace])) == ("7–9", jack, "10", ace)
    assert tuple(in_order(["9", "8", "7"])) == ("9", "8", "7")


def test_an_example_is_drawn_in_order_of_play_with_the_result_marked() -> None:
    text = words("little-devils")
    assert "| Trick | 22 | 30 | 27 | 34 ★ | 23 |" in text
    assert "| | Tom | David | Susan | Peter | Anna |" in text
    assert "| Ida · hand | 15 ✗ |" in text
    assert "| Trick | 37 | 31 |" in text and "edition" not in text


@pytest.mark.parametrize("game", NAMES)
def test_every_sort_of_card_is_drawn(game: str) -> None:
    loaded = load(find(game))
    assert loaded.model
    faces = Faces(loaded.model)
    page = words(game, "html")
    for kind in loaded.model.kinds:
        for face in faces.samples(kind):
            assert f'aria-label="{Translator("en").show(face.title)}"' in page
    assert page.count("(back)") >= len(faces.backs())


@pytest.mark.parametrize(("words", "shown"), [("Cards are worth points.", True), ("All lay.", False)])
def test_a_table_that_only_the_rules_use_is_not_on_the_cards(tmp_path: Path, words: str, shown: bool) -> None:
    text = find("little-devils").read_text(encoding="utf-8")
    table = "        points by number:\n            1: 1 to 27\n            2: others\n"
    text = text.replace('        "{number}"\n', f'{table}        "{{number}}"\n').replace(
        "sum devils in pile", "sum points in pile"
    )
    path = tmp_path / "small.rules.md"
    path.write_text(text.replace("Most of the cards also", f"{words} Most of the cards also"), encoding="utf-8")
    rules = load(path).model
    assert rules
    assert ("points" in Faces(rules).printed(rules.kinds["card"])) is shown
