"""Names of a rule file → the words for them, in sentences that need them in some grammatical form.

A name that its author gave to a value stands in quotes, behind what it is where a language wants that: then it need
not be inflected. What is on cards, kept, or a place, is a noun like others, and in quotes only where its translation
does not have the form that is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from teufelswerk import model
from teufelswerk.base.texts import Text, Word
from teufelswerk.rulebook.words import BOX, heading, move_term, place_term, spaced, term, value_term

if TYPE_CHECKING:
    from teufelswerk.model import Model, Type


def place(rules: Model, name: str) -> Text:
    """A place, as a noun."""
    word = place_term(rules, name)
    return word if name == BOX else Word(word, Text("the place “{name}”", name=word))


def kept(rules: Model, keep: model.Keep) -> Text:
    """Something kept, as a noun."""
    word = term(rules, keep.name, "keep")
    return Word(word, named(word, keep.type))


def attribute(rules: Model, name: str) -> Text:
    """What is on cards, as a noun."""
    if name == model.COPIES:
        return Text("number of identical cards")
    word = term(rules, name, "attribute")
    return Word(word, Text("the value “{name}”", name=word))


def figure(rules: Model, name: str, type: Type) -> Text:
    """A value that has a name."""
    return named(word(rules, name), type)


def word(rules: Model, name: str) -> Text:
    """The name of a value. What every game with sides has is called the same in all of them."""
    if rules.sides and name in ("side", "partner"):
        return Text(name, msgctxt="figure")
    return term(rules, name, "figure")


def named(word: Text, type: Type) -> Text:
    """A value by its name in quotes."""
    match type.kind:
        case "number" | "name" | "end" | "truth":
            if type.many:
                return Text("the values “{name}”", name=word)
            return Text("the value “{name}”", name=word)
        case "card" | "set":
            if type.many or type.kind == "set":
                return Text("the cards “{name}”", name=word)
            return Text("the card “{name}”", name=word)
        case "player":
            if type.many:
                return Text("the players “{name}”", name=word)
            return Text("the player “{name}”", name=word)
        case "place":
            return Text("the place “{name}”", name=word)
        case _:
            assert_never(type.kind)


def step(rules: Model, name: str) -> Text:
    """A step by the heading of its section or, where that is about more, by its own name."""
    found = rules.steps[name]
    others: list[model.Move | model.Step] = [*rules.moves.values(), *rules.steps.values()]
    if any(other.section == found.section and other is not found for other in others):
        return Text(spaced(name), msgctxt="step")
    return heading(rules, found.section)


def move(rules: Model, verb: str) -> Text:
    """What one does in a move."""
    return move_term(rules, rules.moves[verb])


def owner(rules: Model, type: Type) -> Text:
    """For what a definition or a step is there, or a family has a member each: `a player`, `a colour`."""
    match type.kind:
        case "player":
            return Text("a player")
        case "card":
            return Text("some cards") if type.many else Text("a card")
        case "number":
            return Text("a number")
        case "end":
            return Text("an end of a row of cards")
        case "place":
            return Text("a place “{name}”", name=place_term(rules, type.of))
        case "name":
            return Text("a side") if type == model.SIDE else Text("a value of “{name}”", name=of_names(rules, type.of))
        case "set" | "truth":
            return Text("some cards")
        case _:
            assert_never(type.kind)


def of_names(rules: Model, name: str) -> Text:
    """What some names are the names of."""
    if name in rules.attributes:
        return term(rules, name, "attribute")
    return term(rules, name, "keep" if name in rules.keeps else "figure")


def constant(rules: Model, expr: model.Const) -> Text | str | int:
    """A number, a name, or a card as it is called."""
    match expr.type.kind:
        case "number" | "set" | "place":
            return expr.value
        case "truth":
            return Text("always") if expr.value else Text("never")
        case "name":
            return (
                Text("side {n}", n=expr.value + 1)
                if expr.type == model.SIDE
                else value_term(rules, expr.type.of, expr.value)
            )
        case "card":
            return card(rules, expr.value)
        case "player":
            return Text("player {n}", n=expr.value + 1)
        case "end":
            return Text("top") if expr.value else Text("bottom")
        case _:
            assert_never(expr.type.kind)


def card(rules: Model, index: int) -> Text | str:
    """How a card is called."""
    found = rules.cards[index]
    called = rules.kinds[found.kind].called
    if called is None:
        return found.id
    values: dict[str, object] = {}
    for name, _ in called.figures:
        if name in found.values:
            named_so = rules.attributes[name].names
            values[name] = value_term(rules, name, found.values[name]) if named_so else found.values[name]
    return Text(called.msgid, msgctxt=called.context, **values)
