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
    """A part of the model with all parts below it; a definition's parts come where it is used first, and only there."""
    stack, seen = [tree], set[int]()
    while stack:
        item = stack.pop()
        if isinstance(item, (tuple, list)):
            stack.extend(reversed(item))
        elif is_dataclass(item) and not isinstance(item, BEYOND):
            if isinstance(item, model.Definition):
                # One that is named twice by each that names it would else come more often than anybody can wait for.
                if id(item) in seen:
                    continue
                seen.add(id(item))
            yield item
            stack.extend(getattr(item, field.name) for field in reversed(fields(item)))
