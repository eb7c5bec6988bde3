"""What is meant by its kind, its order, or as all that there are → words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from teufelswerk import model
from teufelswerk.base.texts import Text
from teufelswerk.rulebook.exact import names
from teufelswerk.rulebook.words import term

if TYPE_CHECKING:
    from teufelswerk.model import Model


def this(type: model.Type) -> Text:
    """What is looked at, behind `where`."""
    match type.kind:
        case "card":
            return Text("these cards") if type.many else Text("this card")
        case "player":
            return Text("this player")
        case "place":
            return Text("this place")
        case "end":
            return Text("this end")
        case "number" | "name" | "truth":
            return Text("this value")
        case "set":
            return Text("these cards")
        case _:
            assert_never(type.kind)


def other(type: model.Type) -> Text:
    """What is looked at one `where` further out."""
    match type.kind:
        case "card":
            return Text("those cards") if type.many else Text("that card")
        case "player":
            return Text("that player")
        case "place":
            return Text("that place")
        case "end":
            return Text("that end")
        case "number" | "name" | "truth":
            return Text("that value")
        case "set":
            return Text("those cards")
        case _:
            assert_never(type.kind)


def everything(rules: Model, expr: model.Everything) -> Text:
    type = expr.type
    match type.kind:
        case "card" | "set":
            if type.card_kinds and type.card_kinds < rules.kinds.keys():
                kinds = [term(rules, kind, "card") for kind in rules.kinds if kind in type.card_kinds]
                return Text("all cards of the kind “{kinds}”", kinds=kinds)
            return Text("all cards of the game")
        case "player":
            return Text("all players, also those who are out") if expr.at_table else Text("all players")
        case "place" | "end":
            noun = names.place(rules, type.of)
            if type.kind == "end":
                return Text("all ends of “{place}”", place=noun)
            return Text("all places “{place}”", place=noun)
        case "name":
            if type.one() == model.SIDE:
                return Text("both sides") if rules.sides == 2 else Text("all sides")
            return Text("all values of “{name}”", name=names.of_names(rules, type.of))
        case "number" | "truth":
            return Text("all numbers")
        case _:
            assert_never(type.kind)


def listed(rules: Model, expr: model.Listing) -> Any:
    one = expr.type.one()
    return [names.constant(rules, model.Const(one, expr.span, value)) for value in expr.values]


def key_of(rules: Model, expr: model.KeyOf) -> Text:
    """What a place is there for."""
    match expr.type.kind:
        case "player":
            return Text("player")
        case "name":
            return names.attribute(rules, expr.type.of)
        case "number":
            return Text("second number") if expr.part else Text("number")
        case _:
            return Text("side")


def end_of(expr: model.EndOf, place: Any) -> Text:
    return Text("the top of {place}", place=place) if expr.top else Text("the bottom of {place}", place=place)


def nth_of_each(expr: model.NthOfEach, places: Any) -> Text:
    if expr.position == -1:
        return Text("the last card of each of {places}", places=places)
    return Text("card number {n} of each of {places}", n=expr.position + 1, places=places)


def nth(expr: model.Nth, things: Any) -> Text:
    if expr.of.type.kind == "card" or expr.type.kind == "card":
        if expr.position == 0:
            return Text("the first card of {things}", things=things)
        if expr.position == 1:
            return Text("the second card of {things}", things=things)
        if expr.position == -1:
            return Text("the last card of {things}", things=things)
        return Text("card number {n} of {things}", n=expr.position + 1, things=things)
    if expr.position == 0:
        return Text("the first of {things}", things=things)
    if expr.position == -1:
        return Text("the last of {things}", things=things)
    return Text("number {n} of {things}", n=expr.position + 1, things=things)
