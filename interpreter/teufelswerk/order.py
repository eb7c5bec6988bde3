"""A model → the places that keep their cards in order. All others are sets, kept in the order of the card indices.

Order is kept where it can be seen or asked for: in places that everyone sees, in places with two ends, in those that
are shuffled or dealt from, and in those whose first, second or last card a rule names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from teufelswerk import model
from teufelswerk.diagnostics import Span

BEYOND = (model.Place, model.Keep, model.Type, model.Sentence, Span)
"""What holds no expressions that decide anything."""


def ordered_places(rules: model.Model) -> frozenset[str]:
    """The names of the places, or families of places, in which the order of the cards is kept."""
    ordered = {place.name for place in rules.places.values() if place.two_ended or place.seen_by == "all"}
    for part in walk([*rules.definitions.values(), *rules.steps.values(), *rules.moves.values()]):
        match part:
            case model.Nth():
                ordered |= families(part.of)
            case model.Deal():
                ordered |= families(part.source)
            case model.Shuffle():
                ordered |= families(part.place)
    return frozenset(ordered)


def families(expr: model.Expr) -> set[str]:
    """The families of the places that an expression names."""
    return {part.type.of for part in walk(expr) if isinstance(part, model.Typed) and part.type.kind == "place"}


def walk(tree: Any) -> Iterator[Any]:
    """A part of the model with all parts below it; a definition's parts come where it is used."""
    if isinstance(tree, (tuple, list)):
        for item in tree:
            yield from walk(item)
    elif is_dataclass(tree) and not isinstance(tree, BEYOND):
        yield tree
        for field in fields(tree):
            yield from walk(getattr(tree, field.name))
