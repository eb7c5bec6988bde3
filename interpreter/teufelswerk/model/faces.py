"""Places and cards → what is remembered of each card where cards are turned: whether everyone sees it as it lies.

A card comes face up from where everybody saw it, and face down from elsewhere. So this is followed wherever cards go,
in such games only: whether a card lies out of sight, face down or face up where cards are turned, or in sight.
"""

from __future__ import annotations

from collections.abc import Mapping

from teufelswerk.model.expressions import Const, Keep
from teufelswerk.model.types import NUMBER, Key, Place

FACES = "face_up"
"""No name that an author could give to something."""
HIDDEN, DOWN, UP, SEEN = range(4)


def faces_in(places: Mapping[str, Place], cards: int) -> Keep | None:
    """What is remembered of each card, by its number; nothing where no cards are turned."""
    span = next((place.span for place in places.values() if place.turned), None)
    if span is None or not cards:
        return None
    key = Key("number", "", 0, cards - 1)
    return Keep(FACES, -1, key, NUMBER, (), Const(NUMBER, span, HIDDEN), span, "all", False)


def face_after(place: Place, before: int) -> int:
    """How a card lies that has come to a place."""
    if place.turned:
        return UP if before >= UP else DOWN
    return SEEN if place.seen_by == "all" else HIDDEN
