"""Exact words: every line of every game has them, in words of the catalogs alone, and says what the line says."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from catalog_entries import ALLOWED_LATIN, LATIN
from commands_in_process import Run, in_process
from shipped import PATHS, rules
from teufelswerk import model
from teufelswerk.base.find_files import SUFFIX, data_folder, shipped
from teufelswerk.language.i18n import Translator
from teufelswerk.loading.library import load
from teufelswerk.model.walk import all_statements, expressions
from teufelswerk.rulebook.exact.whole import exact_words, in_a_row

run = in_process
VARIANTS = {path.name.removesuffix(SUFFIX): path for path in data_folder("rules").glob(f"variants/*{SUFFIX}")}
SPOKEN = tomllib.loads((Path(__file__).parent / "exact_words.toml").read_text(encoding="utf-8"))["line"]


@cache
def game(name: str) -> model.Model:
    found = load(VARIANTS[name]).model if name in VARIANTS else rules(name)
    assert found is not None
    return found


@cache
def spoken(name: str, language: str) -> tuple[str, ...]:
    translator = Translator(language)
    return tuple(translator(line.words) for _, line in in_a_row(exact_words(game(name))))


def clauses(rules: model.Model) -> Iterator[tuple[str, int]]:
    """Where a line stands that says something: what only tells people does not, nor a name that nobody uses."""
    things: list[model.Step | model.Move] = [*rules.steps.values(), *rules.moves.values()]
    named = {local.slot for thing in things for local in locals_in(thing)}
    for statement in all_statements(rules):
        unused = isinstance(statement, model.SetLocal) and statement.slot not in named
        if not only_tells(statement) and not unused:
            yield statement.span.source.name, statement.span.line
    for move in rules.moves.values():
        for part in (*move.choices, *(must for must, _ in move.musts)):
            yield part.span.source.name, part.span.line
    declared = (rules.kinds, rules.places, rules.definitions, rules.steps, rules.moves)
    for table in declared:
        yield from ((d.span.source.name, d.span.line) for d in table.values() if d.span is not None)
    yield from ((k.span.source.name, k.span.line) for k in rules.keeps.values() if k.name != model.NEXT)


def only_tells(statement: model.Doing) -> bool:
    if isinstance(statement, model.If):
        return all(map(only_tells, (*statement.then, *statement.otherwise)))
    return isinstance(statement, model.Tell)


def locals_in(thing: model.Step | model.Move) -> Iterator[model.Local]:
    root = thing.body if isinstance(thing, model.Step) else thing
    return (e for e in expressions(root) if isinstance(e, model.Local))


@pytest.mark.parametrize("name", [*PATHS, *VARIANTS])
def test_every_line_has_its_words(name: str) -> None:
    said = {(line.span.source.name, line.span.line) for _, line in in_a_row(exact_words(game(name)))}
    assert sorted(set(clauses(game(name))) - said) == []


@pytest.mark.parametrize("language", ["de", "en", "ru"])
@pytest.mark.parametrize("name", [*PATHS, *VARIANTS])
def test_nothing_is_left_to_fill_in(name: str, language: str) -> None:
    wrong = [words for words in spoken(name, language) if re.search(r"[{}|]|\b[Tt]he the\b|Span\(|model\.", words)]
    assert wrong == []


@pytest.mark.each_game
@pytest.mark.parametrize("name", [*shipped(), *VARIANTS])
def test_no_identifier_is_left_where_there_are_words(name: str) -> None:
    """Whatever is still in Latin letters in Russian has been passed over."""
    assert [words for words in spoken(name, "ru") if LATIN.search(ALLOWED_LATIN.sub(" ", words))] == []


@pytest.mark.parametrize("line", SPOKEN, ids=lambda line: line["en"][:40])
def test_what_they_say(line: dict[str, str]) -> None:
    for language in ("de", "en", "ru"):
        assert line[language] in spoken(line["game"], language)


def test_why_a_card_may_not_be_played_is_said_exactly(run: Run) -> None:
    words = ("play", "little-devils", "--players", "3", "--human", "Ida", "--seed", "3")
    said = run(*words, typed="why 15\nquit\n").out
    condition = "the devils of the card is not “barred count” (5)"
    assert f"In exact words: Unless no choice would be left, this must hold: {condition}." in " ".join(said.split())


def test_what_differs_is_said_exactly(run: Run) -> None:
    said = " ".join(run("diff", "hols-der-teufel", "pay-left").out.split())
    for sign, side in (("-", "right"), ("+", "left")):
        assert f"{sign} Paid from the chips to the chips of the {side} neighbour" in said
