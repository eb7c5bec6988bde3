"""A model and its examples → all the words that the rulebook prints beside the paragraphs, for the catalogs."""

from __future__ import annotations

from collections.abc import Iterator

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text
from teufelswerk.checker.sentences import PLAYER_FIGURES
from teufelswerk.core.lower_game import core_of
from teufelswerk.core.what_counts import what_counts
from teufelswerk.model import COPIES
from teufelswerk.model.scenes import Play, SceneModel
from teufelswerk.rulebook.exact.whole import exact_words, in_a_row
from teufelswerk.rulebook.words import edition, heading, person, place_term, term, value_term, verb_term


def terms(rules: model.Model, scenes: list[SceneModel]) -> Iterator[tuple[Text, Span]]:
    """Every word that the rulebook takes from the declarations and examples, each once."""
    seen: set[tuple[str | None, str]] = set()
    for text, span in _all_terms(rules, scenes):
        if (text.context, text.msgid) not in seen:
            seen.add((text.context, text.msgid))
            yield text, span


def _all_terms(rules: model.Model, scenes: list[SceneModel]) -> Iterator[tuple[Text, Span]]:
    for section in rules.sections:
        yield heading(rules, section.index), section.span
    for kind in rules.kinds.values():
        yield term(rules, kind.name, "card"), kind.span
    for attribute in rules.attributes.values():
        if attribute.name == COPIES:
            continue  # how many there are of each is told in general words
        yield term(rules, attribute.name, "attribute"), attribute.span
        yield from _values(rules, attribute.name, attribute.span)
    for place in rules.places.values():
        if place.span is not None:
            yield place_term(rules, place.name), place.span
    for keep in rules.keeps.values():
        yield term(rules, keep.name, "keep"), keep.span
        if keep.names:
            yield from _values(rules, keep.name, keep.span)
    for move in rules.moves.values():
        yield verb_term(rules, move.name), move.span
    for definition in rules.definitions.values():
        if definition.value.type.kind == "player" and not definition.value.type.many and definition.parameter is None:
            yield term(rules, definition.name, "figure"), definition.span
        yield from _values(rules, definition.name, definition.span)
    for counting in what_counts(core_of(rules)):
        yield term(rules, counting.declared.name, "figure"), counting.declared.span
    for section in rules.sections:
        for prose in section.prose:
            for name, expr in prose.figures:
                if name not in PLAYER_FIGURES and not name[0].isupper() and expr.type.kind == "number":
                    yield term(rules, name, "figure"), prose.paragraph.span
    for _, exact in in_a_row(exact_words(rules)):
        for text in _words_in(exact.words):
            if text.context in ("step", "figure") or (text.context or "").startswith(f"{rules.family}: "):
                yield text, exact.span
    for scene in scenes:
        for name in scene.people:
            yield person(name), scene.span
        for line in scene.lines:
            if isinstance(line, Play) and line.edition:
                yield edition(line.edition), line.span


def _words_in(value: object) -> Iterator[Text]:
    """All texts of which one is put together."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _words_in(item)
    elif isinstance(value, Text):
        yield value
        yield from _words_in(list(value.values.values()))


def _values(rules: model.Model, owner: str, span: Span) -> Iterator[tuple[Text, Span]]:
    """The names that an attribute or something kept can have."""
    for value in range(len(rules.names.get(owner, ()))):
        word = value_term(rules, owner, value)
        if isinstance(word, Text):
            yield word, span
