"""The core of a game → the definitions that say what the cards in the middle come to: whom they favour, what they ask.

Such a definition is of nobody in particular, and everyone can see what it depends on. It names a player by a card that
lies in the middle (`taker`), or a condition of a move asks it (`upward`, `total`).
"""

from __future__ import annotations

from typing import NamedTuple

from teufelswerk import model
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.looks import Looks
from teufelswerk.core.walk import everything_in


class Counting(NamedTuple):
    place: str
    """Where the cards lie."""
    declared: model.Definition
    value: f.Expr


def what_counts(core: s.Core) -> list[Counting]:
    """These definitions, in the order of the rule file."""
    looks, found = Looks(core), list[Counting]()
    conditions = [condition.holds for move in core.moves.values() for condition in move.conditions]
    asked = {form.definition.name for form in everything_in(*conditions) if isinstance(form, f.Defined)}
    for name, definition in core.definitions.items():
        declared = core.rules.definitions.get(name)
        if declared is None or declared.parameter is not None or declared.value.type.many:
            continue
        if declared.value.type.kind not in ("player", "number", "name", "truth"):
            continue
        if declared.value.type.kind != "player" and name not in asked:
            continue
        place = _place_in_the_middle(core.rules, definition.value, declared.value.type.kind == "player")
        if place is not None and not any(True for _ in looks.into(definition.value)):
            found.append(Counting(place, declared, definition.value))
    return found


def _place_in_the_middle(rules: model.Model, value: f.Expr, owned: bool) -> str | None:
    """The first place of nobody's that a value depends on; by who played a card that lies there, if that is wanted."""
    holders = [form for form in everything_in(value) if isinstance(form, f.OwnerOf)] if owned else [value]
    for form in everything_in(*holders):
        if isinstance(form, f.CardsIn) and is_common(rules.places[form.places.type.of]):
            return form.places.type.of
    return None


def is_common(place: model.Place) -> bool:
    """Whether a place lies in the middle, by itself, for all to see."""
    return place.key is None and place.seen_by == "all"
