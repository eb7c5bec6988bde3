"""Values and conditions → words: each construct has a sentence of its own, which a catalog can say otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, assert_never

from teufelswerk import model
from teufelswerk.base.texts import Text
from teufelswerk.model import FACE, FACES, NEXT
from teufelswerk.rulebook.exact import names, nouns
from teufelswerk.rulebook.exact.conditions import compared, drawn, extreme, quantified
from teufelswerk.rulebook.words import BOX, term

NOBODY = -1
Several: TypeAlias = (
    model.Everything | model.Listing | model.Joined | model.Together | model.Around | model.Numbers | model.Members
    | model.SetsOf | model.Few | model.NthOfEach
)  # fmt: skip
PLAIN_NOUNS = {"card", "cards", "player", "players", "end"}


@dataclass(frozen=True)
class Words:
    """Says values. What belongs to the thing in the slot `near` needs no owner: `the hand`, not `the hand of the
    player`. That is the player who does something or, behind a `where`, the thing looked at."""

    rules: model.Model
    near: int = NOBODY
    called: Mapping[int, str] | None = None
    """The names of slots, where a value says only the slot."""

    def of(self, slot: int) -> Words:
        return replace(self, near=slot)

    def list(self, exprs: Iterable[model.Expr]) -> Any:
        said = [self.value(expr) for expr in exprs]
        return said[0] if len(said) == 1 else said

    # ---- values -----------------------------------------------------------------------------------------------------

    def value(self, expr: model.Expr) -> Any:
        """A value as a noun, a number or a name."""
        rules = self.rules
        match expr:
            case model.Const() | model.Nobody():
                return names.constant(rules, expr) if isinstance(expr, model.Const) else Text("nobody")
            case model.Person():
                return Text(expr.name, msgctxt="person")
            case model.Local():
                return self.local(expr)
            case model.AttributeOf():
                if expr.attribute == FACE:
                    return self.value(expr.card)
                return self.belonging(names.attribute(rules, expr.attribute), expr.card)
            case model.PlaceOf():
                return self.place(expr)
            case model.KeepOf():
                if expr.keep.name == NEXT:
                    return Text("the player whose turn is next")
                return self.belonging(names.kept(rules, expr.keep), expr.key)
            case model.Pair():
                return Text("{first} and {second}", first=self.value(expr.first), second=self.value(expr.second))
            case model.Defined():
                return self.defined(expr)
            case model.Applied():
                return self.applied(expr)
            case model.KeyOf():
                return Text("the {key} of {place}", key=nouns.key_of(self.rules, expr), place=self.value(expr.place))
            case model.Neighbour():
                return self.neighbour(expr)
            case model.PlayerOf():
                return Text("the player whose card is {card}", card=self.value(expr.card))
            case model.Nth():
                return nouns.nth(expr, self.value(expr.of))
            case model.PlaceHolding() | model.EndOf() | model.CardAt():
                return self.where(expr)
            case model.Everything() | model.Listing() | model.Joined() | model.Together() | model.Members():
                return self.several(expr)
            case model.Around() | model.Numbers() | model.SetsOf() | model.Few() | model.NthOfEach():
                return self.several(expr)
            case model.Best() | model.Random() | model.Total() | model.Count() | model.LeastLeft():
                return self.measured(expr)
            case model.Arith():
                return self.arithmetic(expr)
            case model.Alternatives():
                return self.alternatives(expr)
            case model.Decision():
                return self.decision(expr)
            case model.Quantify() | model.Compare() | model.Exists() | model.AllPass() | model.WasChosen():
                return self.condition(expr)
            case model.Logic() | model.Not():
                return self.condition(expr)
            case _:
                assert_never(expr)

    def where(self, expr: model.PlaceHolding | model.EndOf | model.CardAt) -> Text:
        if isinstance(expr, model.PlaceHolding):
            place = names.place(self.rules, expr.type.of)
            return Text("the {place} with {card}", place=place, card=self.value(expr.card))
        if isinstance(expr, model.EndOf):
            return nouns.end_of(expr, self.value(expr.place))
        return Text("the card at {end}", end=self.value(expr.end))

    def local(self, expr: model.Local) -> Text:
        rules, type = self.rules, expr.type
        if expr.name == "it" and expr.slot in (self.called or {}):
            return names.figure(rules, (self.called or {})[expr.slot], type)
        if expr.name == "it":
            return nouns.this(type) if expr.slot == self.near else nouns.other(type)
        if expr.name in PLAIN_NOUNS or expr.name in rules.kinds:
            if type.kind == "card":
                return Text("the cards") if type.many else Text("the card")
            if type.kind == "player" and not type.many:
                return Text("the player")
            if type.kind == "end" and not type.many:
                return Text("the end")
        if type.kind == "place" and expr.name == type.of:
            return Text("the {place}", place=names.place(rules, type.of))
        if type.kind == "name" and expr.name in rules.attributes:
            return names.named(names.of_names(rules, expr.name), type)
        return names.figure(rules, expr.name, type)

    def belonging(self, noun: Text, owner: model.Expr | None) -> Text:
        """What belongs to something: `the colour of the card`."""
        if owner is None or self.is_near(owner):
            return Text("the {value}", value=noun)
        return Text("the {value} of {owner}", value=noun, owner=self.value(owner))

    def is_near(self, owner: model.Expr) -> bool:
        return isinstance(owner, model.Local) and owner.slot == self.near

    def place(self, expr: model.PlaceOf) -> Text:
        if expr.place.name == BOX:
            return Text("the box")
        noun = names.place(self.rules, expr.place.name)
        if expr.key is None or self.is_near(expr.key):
            return Text("the {place}", place=noun)
        return Text("the {place} of {player}", place=noun, player=self.value(expr.key))

    def defined(self, expr: model.Defined) -> Text:
        name, argument = expr.definition.name, expr.argument
        if expr.type.kind == "truth":
            return self.condition(expr)
        if isinstance(expr.definition.value, model.Const) and expr.definition.value.type.kind == "number":
            word = names.word(self.rules, name)
            return Text("“{name}” ({number})", name=word, number=expr.definition.value.value)
        noun = names.figure(self.rules, name, expr.type)
        if argument is None or self.is_near(argument):
            return noun
        return Text("{value} of {owner}", value=noun, owner=self.value(argument))

    def applied(self, expr: model.Applied) -> Text:
        if expr.type.kind == "truth":
            return self.condition(expr)
        noun = names.figure(self.rules, expr.definition.name, expr.type)
        return Text("{value} of {owner}", value=noun, owner=[self.value(owner) for owner in expr.owners])

    def neighbour(self, expr: model.Neighbour) -> Text:
        player = self.value(expr.player)
        if expr.at_table:
            if expr.side == "left":
                return Text("the next player at the table to the left of {player}", player=player)
            return Text("the next player at the table to the right of {player}", player=player)
        if self.is_near(expr.player):
            return Text("the left neighbour") if expr.side == "left" else Text("the right neighbour")
        if expr.side == "left":
            return Text("the left neighbour of {player}", player=player)
        return Text("the right neighbour of {player}", player=player)

    # ---- several ----------------------------------------------------------------------------------------------------

    def several(self, expr: Several) -> Any:
        match expr:
            case model.Everything():
                return nouns.everything(self.rules, expr)
            case model.Listing():
                return nouns.listed(self.rules, expr)
            case model.Joined():
                return [self.value(place) for place in expr.places]
            case model.Together():
                return self.list(expr.parts)
            case model.Around():
                return self.around(expr)
            case model.Numbers():
                first, last = self.value(expr.first), self.value(expr.last)
                return Text("the numbers from {first} to {last}", first=first, last=last)
            case model.Members():
                return self.members(expr)
            case model.SetsOf():
                cards, condition = self.value(expr.source), self.of(expr.slot).condition(expr.condition)
                return Text(
                    "the sets of cards out of {cards} (those for which {condition})", cards=cards, condition=condition
                )
            case model.NthOfEach():
                return nouns.nth_of_each(expr, self.value(expr.places))
            case model.Few():
                things, n = self.members(expr.members), self.value(expr.amount)
                if expr.last:
                    return Text("the last {n} of {things}", n=n, things=things)
                return Text("the first {n} of {things}", n=n, things=things)
            case _:
                assert_never(expr)

    def around(self, expr: model.Around) -> Text:
        first = self.value(expr.first)
        if expr.last is None:
            return Text("all players clockwise, beginning with {first}", first=first)
        return Text("the players clockwise from {first} to {last}", first=first, last=self.value(expr.last))

    def members(self, expr: model.Members) -> Any:
        """Those in some places, or of a set, that fit a condition."""
        base: Any = self.among(expr)
        if expr.where is None:
            return base
        return Text(
            "{things} (those for which {condition})",
            things=base, condition=self.of(expr.slot).condition(expr.where),
        )  # fmt: skip

    def among(self, expr: model.Members) -> Any:
        type, base, rules = expr.type, expr.base, self.rules
        things = self.value(base)
        if type.kind == "card" and type.card_kinds and type.card_kinds < rules.kinds.keys():
            if isinstance(base, model.Everything):
                return things
            kinds = [term(rules, kind, "card") for kind in rules.kinds if kind in type.card_kinds]
            return Text("the cards of the kind “{kinds}” out of {place}", kinds=kinds, place=things)
        if type.kind == "card" and base.type.kind == "place":
            return Text("the cards out of {place}", place=things)
        if type.kind == "end" and base.type.kind == "place":
            return Text("the ends of {place}", place=things)
        return things

    # ---- one of several, and numbers --------------------------------------------------------------------------------

    def measured(self, expr: model.Best | model.Random | model.Total | model.Count | model.LeastLeft) -> Text:
        match expr:
            case model.Best():
                return self.best(expr)
            case model.Random():
                return drawn(expr.type.kind, self.several(expr.members))
            case model.Total():
                by, things = self.of(expr.members.slot).value(expr.by), self.members(expr.members)
                return Text("the sum of {value} over {things}", value=by, things=things)
            case model.Count():
                return Text("the count of {things}", things=self.members(expr.members))
            case model.LeastLeft():
                by, sets = self.of(expr.slot).value(expr.by), self.value(expr.sets)
                return Text(
                    "the least sum of {value} that is left after taking out some of {sets}", value=by, sets=sets
                )
            case _:
                assert_never(expr)

    def best(self, expr: model.Best) -> Text:
        by, things = self.of(expr.members.slot).value(expr.by), self.members(expr.members)
        return extreme(expr.extreme, expr.type.kind, things, by)

    def arithmetic(self, expr: model.Arith) -> Text:
        left, right = self.operand(expr, expr.left), self.operand(expr, expr.right)
        match expr.op:
            case "+":
                return Text("{left} + {right}", left=left, right=right)
            case "-":
                if isinstance(expr.left, model.Const) and expr.left.value == 0:
                    return Text("−{number}", number=right)
                return Text("{left} − {right}", left=left, right=right)
            case "*":
                return Text("{left} × {right}", left=left, right=right)
            case "/down":
                return Text("{left} ÷ {right}, rounded down", left=left, right=right)
            case "/up":
                return Text("{left} ÷ {right}, rounded up", left=left, right=right)
            case "remainder":
                return Text("the remainder of {left} ÷ {right}", left=left, right=right)
            case "larger":
                return Text("the larger of {left} and {right}", left=left, right=right)
            case "smaller":
                return Text("the smaller of {left} and {right}", left=left, right=right)
            case _:
                assert_never(expr.op)

    def operand(self, whole: model.Arith, expr: model.Expr) -> Any:
        """In brackets, where it could be read otherwise without."""
        said = self.value(expr)
        if isinstance(expr, model.Total) and expr is whole.right:
            return said
        if isinstance(expr, model.Arith) and (whole.op != "+" or expr.op not in ("+", "*")):
            return Text("({value})", value=said)
        return Text("({value})", value=said) if isinstance(expr, (model.Total, model.Count)) else said

    def alternatives(self, expr: model.Alternatives) -> Any:
        """All on one line: the first that holds and is there."""
        said: Any = None
        for branch in reversed(expr.branches):
            value = self.value(branch.value)
            if branch.condition is not None:
                said = self.either(value, self.condition(branch.condition), said)
            elif said is None:
                said = value
            else:
                said = Text("({value} if that is there, otherwise {other})", value=value, other=said)
        return said

    def decision(self, expr: model.Decision) -> Text:
        otherwise = None if expr.otherwise is None else self.value(expr.otherwise)
        return self.either(self.value(expr.then), self.condition(expr.condition), otherwise)

    def either(self, value: Any, condition: Text, other: Any) -> Text:
        if other is None:
            return Text("({value} if {condition})", value=value, condition=condition)
        return Text("({value} if {condition}, otherwise {other})", value=value, condition=condition, other=other)

    # ---- conditions -------------------------------------------------------------------------------------------------

    def condition(self, expr: model.Expr) -> Text:
        """A condition, as it stands behind `if`."""
        match expr:
            case model.Compare():
                return self.compare(expr)
            case model.Quantify():
                return self.quantify(expr)
            case model.Exists():
                thing = self.value(expr.thing)
                return (
                    Text("{thing} is not there", thing=thing) if expr.negated else Text("{thing} is there", thing=thing)
                )
            case model.AllPass():
                return Text("all have passed, one after the other")
            case model.WasChosen():
                return Text("the move made was “{move}”", move=names.move(self.rules, expr.verb))
            case model.Logic():
                return self.logic(expr)
            case model.Not():
                return Text("not so: {condition}", condition=self.condition(expr.operand))
            case model.Defined():
                return self.holds(expr)
            case model.Applied():
                word, things = names.word(self.rules, expr.definition.name), [self.value(o) for o in expr.owners]
                return Text("“{name}” holds for {thing}", name=word, thing=things)
            case (
                model.Alternatives() | model.Decision() | model.Const() | model.Local() | model.KeepOf()
                | model.AttributeOf() | model.Person() | model.PlaceOf() | model.Pair() | model.KeyOf()
                | model.Neighbour() | model.PlayerOf() | model.Nth() | model.PlaceHolding() | model.EndOf()
                | model.Nobody() | model.NthOfEach() | model.SetsOf() | model.Members() | model.Few() | model.Best()
                | model.CardAt() | model.Everything() | model.Listing() | model.Joined() | model.Together()
                | model.Around() | model.Numbers() | model.Random() | model.Total() | model.Count()
                | model.LeastLeft() | model.Arith()
            ):  # fmt: skip
                return Text("this holds: {condition}", condition=self.value(expr))
            case _:
                assert_never(expr)

    def compare(self, expr: model.Compare) -> Text:
        left = expr.left
        if isinstance(left, model.KeepOf) and left.keep.name == FACES and left.key is not None:
            card = self.value(left.key)
            if expr.relation == "at_least":
                return Text("{card} is face up", card=card)
            return Text("{card} is face down", card=card)
        return compared(expr.relation, self.value(left), self.value(expr.right))

    def holds(self, expr: model.Defined) -> Text:
        word = names.word(self.rules, expr.definition.name)
        if expr.argument is None or self.is_near(expr.argument):
            return Text("“{name}” holds", name=word)
        return Text("“{name}” holds for {thing}", name=word, thing=self.value(expr.argument))

    def logic(self, expr: model.Logic) -> Text:
        left, right = (self.part(expr, side) for side in (expr.left, expr.right))
        if expr.op == "and":
            return Text("{first} and {second}", first=left, second=right)
        return Text("{first} or {second}", first=left, second=right)

    def part(self, whole: model.Logic, expr: model.Expr) -> Text:
        said = self.condition(expr)
        if isinstance(expr, model.Not) or (isinstance(expr, model.Quantify) and expr.every is not None):
            return Text("({condition})", condition=said)
        if isinstance(expr, model.Logic) and expr.op != whole.op:
            return Text("({condition})", condition=said)
        return said

    def quantify(self, expr: model.Quantify) -> Text:
        amount = None if expr.amount is None else self.value(expr.amount)
        same = expr.members.where
        is_one = isinstance(same, model.Compare) and same.relation == "is" and expr.quantity == "some"
        if is_one and isinstance(same, model.Compare) and self.of(expr.members.slot).is_near(same.left):
            return Text("{thing} is one of {things}", thing=self.value(same.right), things=self.among(expr.members))
        kind, things = expr.members.type.kind, self.members(expr.members)
        found = quantified(expr.quantity, amount, kind, things)
        if expr.every is None:
            return found
        places, slot = expr.every
        return Text(
            "for each of {places} by itself: {condition}",
            places=self.value(places),
            condition=quantified(expr.quantity, amount, kind, self.of(slot).members(expr.members)),
        )
