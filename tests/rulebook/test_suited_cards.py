"""Cards with suits and ranks that everybody knows: pips by rank, three figures, letters by language."""

from __future__ import annotations

import pytest
from shipped import rules
from teufelswerk.language.i18n import Translator
from teufelswerk.rulebook.emblems import EMBLEMS, SUITS, emblem_for
from teufelswerk.rulebook.faces import Faces
from teufelswerk.rulebook.pictures import card_svg

RANKS = {str(number): number for number in range(2, 11)} | {"ace": 1}
pytestmark = pytest.mark.each_game
LETTERS = {"en": "JQKA", "de": "BDKA", "ru": "ВДКТ"}


def drawn(id: str, language: str = "en") -> str:
    model = rules("hearts")
    card = next(card for card in model.cards if card.id == id)
    return card_svg(Faces(model).face([card.index]), Translator(language))


@pytest.mark.parametrize("suit", SUITS)
def test_a_card_has_as_many_pips_as_its_rank_says(suit: str) -> None:
    path = EMBLEMS[str(emblem_for(suit))]
    assert {rank: drawn(f"{suit}-{rank}").count(path) - 2 for rank in RANKS} == RANKS  # two stand in the corners


@pytest.mark.parametrize("suit", SUITS)
def test_court_cards_differ(suit: str) -> None:
    pictures = {drawn(f"{suit}-{rank}") for rank in ("jack", "queen", "king")}
    assert len(pictures) == 3


@pytest.mark.parametrize("language", LETTERS)
def test_letters_are_those_of_the_language(language: str) -> None:
    for rank, letter in zip(("jack", "queen", "king", "ace"), LETTERS[language], strict=True):
        assert f">{letter}</text>" in drawn(f"spades-{rank}", language)
