"""What is printed: booklets that fold; sheets with every card once, its back behind it, as large as cards are."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest
from commands_in_process import Run, in_process
from shipped import NAMES, PATHS, rules
from teufelswerk.language.i18n import Translator
from teufelswerk.loading.library import load
from teufelswerk.rulebook.content import book_of
from teufelswerk.rulebook.faces import Faces
from teufelswerk.rulebook.render import render
from teufelswerk.rulebook.sheets import COLUMNS, PAPERS, Sheet, sheet_svg, sheets_of, sheets_pdf
from teufelswerk.rulebook.typeset import NotTypeset
from teufelswerk.rulebook.wording import Wording

run = in_process
SVG = "{http://www.w3.org/2000/svg}"


def places(svg: str) -> list[tuple[float, float]]:
    return [(float(card.get("x", 0)), float(card.get("y", 0))) for card in ET.fromstring(svg).findall(f"{SVG}svg")]


@pytest.mark.each_game
@pytest.mark.parametrize("name", NAMES)
def test_every_card_is_there_once_with_its_back_behind_it(name: str) -> None:
    sheets, faces = sheets_of(rules(name)), Faces(rules(name))
    fronts = [face for sheet in sheets if not sheet.back for face in sheet.cards]
    assert Counter(map(str, fronts)) == Counter(str(faces.face([card.index])) for card in rules(name).cards)
    assert [sheet.back for sheet in sheets] == [False, True] * (len(sheets) // 2)
    backs = [face for sheet in sheets if sheet.back for face in sheet.cards]
    assert backs == [faces.back(card) for card in rules(name).cards]


@pytest.mark.parametrize("paper", PAPERS)
def test_backs_lie_behind_their_fronts_when_the_paper_is_turned(paper: str) -> None:
    say, (width, height) = Wording(Translator("en")).say, PAPERS[paper]
    front, back = sheets_of(rules("hols-der-teufel"))[-2:]
    assert len(front.cards) % COLUMNS, "a row that is not full shows it"
    for (x, y), (behind, below) in zip(
        places(sheet_svg(front, paper, say)), places(sheet_svg(back, paper, say)), strict=True
    ):
        assert x + 63 + behind == pytest.approx(width) and y == below
        assert 0 < x < width - 63 and 0 < y < height - 88


@pytest.mark.parametrize("language", ["de", "en", "ru"])
def test_a_sheet_says_which_it_is(language: str) -> None:
    say = Wording(Translator(language)).say
    words = re.findall(
        r">([^<>]+)</text></svg>|>([^<>]+)</text><svg", sheet_svg(sheets_of(rules("little-devils"))[2], "a4", say)
    )
    assert any("2" in said and "6" in said for pair in words for said in pair)


def test_sheets_as_files(run: Run, tmp_path: Path) -> None:
    said = run("cards", "little-devils", "-o", "devils.svg", "--no-backs")
    assert said.code == 0 and "devils-6.svg" in said.out
    assert len(list(tmp_path.glob("devils-*.svg"))) == 6
    pytest.importorskip("typst")
    assert run("cards", "kuhn", "-o", "kuhn.pdf", "--paper", "letter").code == 0
    assert (tmp_path / "kuhn.pdf").read_bytes().startswith(b"%PDF")
    assert run("cards", "kuhn", "-o", "kuhn.png").code == 2


def test_a_pdf_has_a_page_for_each_side() -> None:
    pytest.importorskip("typst")
    made = sheets_pdf(sheets_of(rules("little-devils")), "a4", Wording(Translator("ru")).say)
    assert len(re.findall(rb"/Type\s*/Page\b", made)) == 12


@pytest.mark.parametrize("language", ["de", "en", "ru"])
@pytest.mark.parametrize(("name", "pages"), [("little-devils", 8), ("hols-der-teufel", 12)])
def test_a_booklet_can_be_folded(name: str, pages: int, language: str) -> None:
    pytest.importorskip("typst")
    loaded = load(PATHS[name])
    assert loaded.model
    made = render(book_of(loaded.model, loaded.scenes), "pdf", Translator(language))
    assert len(re.findall(rb"/Type\s*/Page\b", made)) == pages


def test_what_would_take_too_long_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("typst")
    monkeypatch.setattr("teufelswerk.rulebook.sheets.SECONDS", 1)
    many = sheets_of(rules("little-devils")) * 400
    with pytest.raises(NotTypeset, match="too many cards"):
        sheets_pdf([Sheet(sheet.cards, sheet.below, sheet.back) for sheet in many], "a4", str)
