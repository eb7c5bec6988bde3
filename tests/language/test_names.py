"""Names in sentences: ours are declined, before a person's own stands a word that can be."""

from __future__ import annotations

import pytest
from catalog_entries import entries, of_language
from teufelswerk.base.texts import Seat, Text
from teufelswerk.language.i18n import Translator

CONTEXT = "go-fish: Your turn"
NO_CARDS = Text("{friend} has no cards.", msgctxt=CONTEXT, friend=Seat(0))
ASKS = Text(
    "{player} asks {friend} for {rank}, but the pond is empty.", msgctxt=CONTEXT, player=Seat(0), friend=Seat(1)
)
PARTNER = Text("Play together with {partner}.", msgctxt="euchre: Going alone", partner=Seat(0))


@pytest.mark.parametrize(
    ("text", "names", "said"),
    [
        (NO_CARDS, ["Анна"], "У Анны нет карт."),
        (NO_CARDS, ["Клео"], "У Клео нет карт."),
        (NO_CARDS, ["Eve"], "У игрока Eve нет карт."),
        (ASKS, ["Том", "Ида"], "Том спрашивает Иду: «{rank}?» — но пруд пуст."),
        (ASKS, ["Eve", "Ольга"], "Eve спрашивает игрока Ольга: «{rank}?» — но пруд пуст."),
        (PARTNER, ["Свен"], "Играйте вдвоём со Свеном."),
        (PARTNER, ["{name}"], "Играйте вдвоём с игроком {name}."),
    ],
)
def test_names_at_a_russian_table(text: Text, names: list[str], said: str) -> None:
    assert Translator("ru")(text, names) == said


@pytest.mark.parametrize(
    ("language", "name", "said"),
    [
        ("ru", "Ann", "На очереди Энн"),
        ("ru", "Tom", "На очереди Тома"),
        ("ru", "Olga", "На очереди игрока Olga"),
        ("de", "Ann", "На очереди Annes"),
        ("de", "Olga", "На очереди Olga"),
        ("en", "Ann", "На очереди Ann"),
    ],
)
def test_people_in_examples(language: str, name: str, said: str) -> None:
    assert Translator(language)(Text("На очереди {who:gen}", who=Text(name, msgctxt="person"))) == said


@pytest.mark.parametrize("language", ["de", "ru"])
def test_every_name_has_all_the_forms_that_sentences_ask_of_names(language: str) -> None:
    people = Translator(language).people
    assert len(people) == sum(context == "person" for context, _ in entries(of_language(language)))
    assert {frozenset(forms) for forms in people.values()} == {
        frozenset({"gen", "dat", "acc", "with"} if language == "ru" else {"gen"})
    }
