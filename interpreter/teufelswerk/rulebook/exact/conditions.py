"""Comparisons, and one, some or none of things that are words already → words.

A card, a player and anything else have a sentence each: in many languages the word for *one* depends on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from teufelswerk.base.texts import Text

if TYPE_CHECKING:
    from teufelswerk.model import Kind
    from teufelswerk.syntax.nodes import Extreme, Quantity, Relation


def compared(relation: Relation, left: Any, right: Any) -> Text:
    match relation:
        case "is":
            return Text("{left} is {right}", left=left, right=right)
        case "is_not":
            return Text("{left} is not {right}", left=left, right=right)
        case "above":
            return Text("{left} is above {right}", left=left, right=right)
        case "below":
            return Text("{left} is below {right}", left=left, right=right)
        case "at_least":
            return Text("{left} is at least {right}", left=left, right=right)
        case "at_most":
            return Text("{left} is at most {right}", left=left, right=right)
        case "just_above":
            return Text("{left} comes right after {right}", left=left, right=right)
        case "just_below":
            return Text("{left} comes right before {right}", left=left, right=right)
        case _:
            assert_never(relation)


def quantified(quantity: Quantity, amount: Any, kind: Kind, things: Any) -> Text:
    """Whether there are some, none, or so many."""
    match quantity:
        case "some":
            return some(kind, things)
        case "none":
            return none(kind, things)
        case "at_least_n":
            return Text("there are at least {n} of {things}", n=amount, things=things)
        case "at_most_n":
            return Text("there are at most {n} of {things}", n=amount, things=things)
        case "exactly_n":
            return Text("there are exactly {n} of {things}", n=amount, things=things)
        case _:
            assert_never(quantity)


def some(kind: Kind, things: Any) -> Text:
    if kind == "card":
        return Text("there is at least one card among {things}", things=things)
    if kind == "player":
        return Text("there is at least one player among {things}", things=things)
    return Text("there is at least one of {things}", things=things)


def none(kind: Kind, things: Any) -> Text:
    if kind == "card":
        return Text("there is no card among {things}", things=things)
    if kind == "player":
        return Text("there is no player among {things}", things=things)
    return Text("there is none of {things}", things=things)


def drawn(kind: Kind, things: Any) -> Text:
    """One of them, by lot."""
    if kind == "card":
        return Text("a random card among {things}", things=things)
    if kind == "player":
        return Text("a random player among {things}", things=things)
    return Text("a random one of {things}", things=things)


def extreme(which: Extreme, kind: Kind, things: Any, value: Any) -> Text:
    """The first of them that has most, or least, of something."""
    if kind == "card":
        if which == "highest":
            return Text("that card of {things} for which {value} is highest", things=things, value=value)
        return Text("that card of {things} for which {value} is lowest", things=things, value=value)
    if kind == "player":
        if which == "highest":
            return Text("that player of {things} for whom {value} is highest", things=things, value=value)
        return Text("that player of {things} for whom {value} is lowest", things=things, value=value)
    if which == "highest":
        return Text("that one of {things} for which {value} is highest", things=things, value=value)
    return Text("that one of {things} for which {value} is lowest", things=things, value=value)


def chosen(kind: Kind, things: Any) -> Text:
    """What somebody has to choose one of."""
    if kind == "card":
        return Text("Choose a card among {things}.", things=things)
    if kind == "player":
        return Text("Choose a player among {things}.", things=things)
    return Text("Choose one of {things}.", things=things)
