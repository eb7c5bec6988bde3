"""A model → the index of terms: where each thing is declared and where the paragraphs speak of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import PLACEHOLDER, Text
from teufelswerk.model import COPIES
from teufelswerk.rulebook.words import place_term, spaced, term

MOST_PLACES = 6


@dataclass(frozen=True)
class Entry:
    """A term, and the sections that are about it, the one that declares it first."""

    term: Text
    sections: tuple[int, ...]


def index_of(rules: model.Model) -> list[Entry]:
    """Cards, attributes, places and what is remembered; sorting is left to the language."""
    said = [(s.index, " ".join(_said(p) for p in s.prose).lower()) for s in rules.sections if not s.is_example]
    entries: dict[str, Entry] = {}
    for text, span in _terms(rules):
        word = _in_any_number(text.msgid)
        home = rules.section_at(span).index
        spoken = [number for number, words in said if number and word.search(words)]
        sections = tuple(dict.fromkeys([*([home] if home else []), *spoken]))
        key = text.msgid.removesuffix("s").lower()
        if spoken and key not in entries:
            entries[key] = Entry(text, sections[:MOST_PLACES])
    return list(entries.values())


def is_spoken_of(rules: model.Model, name: str) -> bool:
    """Whether a paragraph has the word, or shows its figure."""
    word = _in_any_number(spaced(name))
    prose = [paragraph for section in rules.sections for paragraph in section.prose]
    figures = " ".join(spaced(figure) for paragraph in prose for figure, _ in paragraph.figures)
    return bool(word.search(figures) or any(word.search(_said(paragraph).lower()) for paragraph in prose))


def _in_any_number(word: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(word.removesuffix('s').lower())}(?:e?s)?\b")


def _said(prose: model.Prose) -> str:
    """The words of a paragraph: of a placeholder those that it chooses between."""
    return PLACEHOLDER.sub(lambda match: (match[2] or "").replace("|", " "), prose.paragraph.text)


def _terms(rules: model.Model) -> Iterator[tuple[Text, Span]]:
    for kind in rules.kinds.values():
        if len(rules.kinds) > 1:
            yield term(rules, kind.name, "card"), kind.span
    for attribute in rules.attributes.values():
        if attribute.name != COPIES:
            yield term(rules, attribute.name, "attribute"), attribute.span
    for place in rules.places.values():
        if place.span is not None:
            yield place_term(rules, place.name), place.span
    for keep in rules.keeps.values():
        yield term(rules, keep.name, "keep"), keep.span
    for definition in rules.definitions.values():
        if definition.value.type.kind == "player" and not definition.value.type.many and definition.parameter is None:
            yield term(rules, definition.name, "figure"), definition.span
