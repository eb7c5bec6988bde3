"""Typed expressions → forms: each construct is understood here, and nowhere after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from teufelswerk import model
from teufelswerk.base.diagnostics import RuleError, Span
from teufelswerk.base.texts import Text
from teufelswerk.core import forms as f
from teufelswerk.core.absence import may_be_absent
from teufelswerk.core.pairs import key_of, pair
from teufelswerk.core.walk import everything_in
from teufelswerk.model import FACE, NUMBER, PLAYER, TRUTH, Type


def nobody(span: Span) -> f.Expr:
    """A player who is never there."""
    return f.If(PLAYER.maybe(), span, f.Constant(TRUTH, span, 0), f.Constant(PLAYER, span, 0), None)


class Lowering:
    """Makes forms. Definitions are made once and shared; inside what `out` asks, everyone counts as a player."""

    def __init__(
        self,
        rules: model.Model,
        seats: Mapping[str, int] | None = None,
        shared: dict[tuple[str, bool], f.Definition] | None = None,
    ) -> None:
        self.rules = rules
        self.seats = seats or {}
        """In an example: where each person sits."""
        self.slots = rules.slots
        self.definitions = {} if shared is None else shared
        self.branches: dict[int, model.Branch] = {}
        self.idle: int | None = None
        """In the condition of a lap: the slot that counts the turns since somebody did more than pass."""
        self.has_copies = rules.has_copies
        self._asking_who_is_out = False
        self._own_slots: dict[int, int] = {}
        out = rules.definitions.get("out")
        self.out = self.definition(out) if out is not None and out.parameter == PLAYER else None

    def new_slot(self) -> int:
        self.slots += 1
        return self.slots - 1

    def slot(self, number: int) -> int:
        """A slot that is bound here. What `out` asks may be asked amid anything else, so it has slots of its own."""
        if not self._asking_who_is_out or number < 0:
            return number
        if number not in self._own_slots:
            self._own_slots[number] = self.new_slot()
        return self._own_slots[number]

    # ---- values and conditions --------------------------------------------------------------------------------------

    def needed(self, expr: model.Expr) -> f.Expr:
        """A value without which it does not go on."""
        form = self.expr(expr)
        return f.Needed(form.type.maybe(False), expr.span, form) if may_be_absent(form) else form

    def condition(self, expr: model.Expr) -> f.Expr:
        """A condition; what is absent does not hold."""
        form = self.expr(expr)
        if not may_be_absent(form):
            return form
        return f.First(TRUTH, expr.span, (form, f.Constant(TRUTH, expr.span, 0)))

    def expr(self, expr: model.Expr) -> f.Expr:
        type, span = expr.type, expr.span
        match expr:
            case model.Const() | model.Person():
                return f.Constant(type, span, self.seat(expr) if isinstance(expr, model.Person) else expr.value)
            case model.Nobody():
                return nobody(span)
            case model.Local():
                return f.Slot(type, span, self._own_slots.get(expr.slot, expr.slot))
            case model.AttributeOf():
                return f.Attribute(type, span, expr.attribute, self.expr(expr.card))
            case model.PlaceOf():
                return f.PlaceAt(type, span, expr.place, self.expr(expr.key) if expr.key else None)
            case model.KeepOf():
                return self.next_player(expr) if expr.keep.name == model.NEXT else self.kept(expr)
            case model.Pair():
                return pair(self.rules, expr.key, self.expr(expr.first), self.expr(expr.second), span)
            case model.Defined():
                argument = self.asked_of(expr.argument) if expr.argument else None
                return f.Defined(type, span, self.definition(expr.definition), argument)
            case model.Applied():
                return self.expr(expr.value)
            case model.KeyOf():
                return key_of(self.rules, expr, self.expr(expr.place))
            case model.Neighbour():
                return self.neighbour(expr)
            case model.PlayerOf() | model.PlaceHolding():
                return self.found_by(expr)
            case model.Nth():
                items = self.items(expr.of) if type.kind == "place" else self.cards(expr.of)
                return f.Nth(type, span, expr.position, items)
            case model.EndOf() | model.CardAt():
                return self.at_end(expr)
            case model.Everything() | model.Listing() | model.Joined() | model.Together() | model.Members():
                return self.items(expr)
            case model.Around() | model.Numbers() | model.SetsOf() | model.Few() | model.NthOfEach():
                return self.items(expr)
            case model.Best() | model.Total() | model.LeastLeft():
                return self.measured(expr)
            case model.Random() | model.Count():
                form = f.Drawn if isinstance(expr, model.Random) else f.Count
                return form(type, span, self.items(expr.members))
            case model.Quantify() | model.Exists():
                return self.quantify(expr) if isinstance(expr, model.Quantify) else self.exists(expr)
            case model.Compare():
                return self.compare(expr)
            case model.AllPass() | model.WasChosen():
                return self.was_chosen(expr) if isinstance(expr, model.WasChosen) else self.all_pass(span)
            case model.Logic():
                return f.Logic(TRUTH, span, expr.op, self.condition(expr.left), self.condition(expr.right))
            case model.Not():
                return f.Not(TRUTH, span, self.condition(expr.operand))
            case model.Arith():
                return f.Arith(type, span, expr.op, self.needed(expr.left), self.needed(expr.right))
            case model.Alternatives():
                return f.First(type, span, tuple(map(self.branch, expr.branches)))
            case model.Decision():
                return self.decision(expr)
            case _:
                assert_never(expr)

    def found_by(self, expr: model.PlayerOf | model.PlaceHolding) -> f.Expr:
        """Whose a card is, or where it lies."""
        form = f.OwnerOf if isinstance(expr, model.PlayerOf) else f.PlaceHolding
        return form(expr.type, expr.span, self.expr(expr.card))

    def at_end(self, expr: model.EndOf | model.CardAt) -> f.Expr:
        if isinstance(expr, model.EndOf):
            return f.EndAt(expr.type, expr.span, self.expr(expr.place), expr.top)
        return f.CardAt(expr.type, expr.span, self.expr(expr.end))

    def measured(self, expr: model.Best | model.Total | model.LeastLeft) -> f.Expr:
        if isinstance(expr, model.LeastLeft):
            sets, slot = self.sets_of(expr.sets), self.slot(expr.slot)
            return f.LeastLeft(expr.type, expr.span, self.expr(expr.by), slot, sets)
        items, slot = self.items(expr.members), self.slot(expr.members.slot)
        if isinstance(expr, model.Total):
            return f.Sum(expr.type, expr.span, self.expr(expr.by), items, slot)
        return f.Extreme(expr.type, expr.span, expr.extreme == "highest", self.expr(expr.by), items, slot)

    def was_chosen(self, expr: model.WasChosen) -> f.Expr:
        verb = f.Constant(NUMBER, expr.span, list(self.rules.moves).index(expr.verb))
        return f.Compare(TRUTH, expr.span, "is", f.Slot(NUMBER, expr.span, expr.slot), verb)

    def decision(self, expr: model.Decision) -> f.Expr:
        otherwise = self.expr(expr.otherwise) if expr.otherwise else None
        return f.If(expr.type, expr.span, self.condition(expr.condition), self.expr(expr.then), otherwise)

    def neighbour(self, expr: model.Neighbour) -> f.Expr:
        player, out = self.expr(expr.player), None if expr.at_table else self.who_is_out
        return f.Neighbour(expr.type, expr.span, 1 if expr.side == "left" else -1, player, out)

    def all_pass(self, span: Span) -> f.Expr:
        assert self.idle is not None, "only the condition of a lap can ask whether all pass"
        everyone = f.Count(NUMBER, span, f.Players(PLAYER.all(), span, self.who_is_out))
        return f.Compare(TRUTH, span, "at_least", f.Slot(NUMBER, span, self.idle), everyone)

    def seat(self, person: model.Person) -> int:
        if person.name not in self.seats:
            message = Text("`{name}` is nobody at this table", name=person.name)
            raise RuleError("unknown-person", message, person.span)
        return self.seats[person.name]

    def kept(self, expr: model.KeepOf) -> f.Kept:
        return f.Kept(expr.type, expr.span, expr.keep, self.expr(expr.key) if expr.key else None)

    def next_player(self, expr: model.KeepOf) -> f.Expr:
        """Who has the next turn: whoever was said to or, if that one is out, the first one behind who is not."""
        return self.still_in(self.kept(expr), expr.span)

    def still_in(self, player: f.Expr, span: Span) -> f.Expr:
        """A player or, if that one is out, the first one behind who is not. Whoever was drawn by lot is never out."""
        if self.who_is_out is None or any(isinstance(part, f.Drawn) for part in everything_in(player)):
            return player
        out: f.Expr = f.Defined(self.who_is_out.value.type, span, self.who_is_out, player)
        if may_be_absent(out):
            out = f.First(TRUTH, span, (out, f.Constant(TRUTH, span, 0)))
        return f.If(PLAYER, span, out, f.Neighbour(PLAYER, span, 1, player, self.who_is_out), player)

    def definition(self, definition: model.Definition) -> f.Definition:
        asking = self._asking_who_is_out or self.rules.definitions.get("out") is definition
        key = definition.name, asking
        if key not in self.definitions:
            outer, self._asking_who_is_out = self._asking_who_is_out, asking
            slots = dict(self._own_slots)
            slot = self.slot(definition.slot)
            self.definitions[key] = f.Definition(definition.name, slot, self.expr(definition.value))
            self._asking_who_is_out, self._own_slots = outer, slots
        return self.definitions[key]

    @property
    def who_is_out(self) -> f.Definition | None:
        return None if self._asking_who_is_out else self.out

    def branch(self, branch: model.Branch) -> f.Expr:
        value = self.expr(branch.value)
        self.branches[branch.id] = branch
        taken = f.Taken(value.type, branch.span, branch, value)
        if branch.condition is None:
            return taken
        return f.If(value.type.maybe(), branch.span, self.condition(branch.condition), taken, None)

    def sentence(self, sentence: model.Sentence) -> f.Sentence:
        figures = tuple((name, self.expr(expr)) for name, expr in sentence.figures)
        return f.Sentence(sentence.msgid, sentence.context, figures, sentence.span)

    # ---- conditions -------------------------------------------------------------------------------------------------

    def compare(self, expr: model.Compare) -> f.Expr:
        left, right = self.comparable(expr.left), self.comparable(expr.right)
        if expr.relation == "is_not":
            return f.Not(TRUTH, expr.span, f.Compare(TRUTH, expr.span, "is", left, right))
        return f.Compare(TRUTH, expr.span, expr.relation, left, right)

    def comparable(self, expr: model.Expr) -> f.Expr:
        """A value that is compared: nobody can say which of identical cards is which, so a card is its face."""
        form = self.expr(expr)
        if expr.type.kind != "card" or not self.has_copies:
            return form
        if isinstance(form, f.Constant):
            return f.Constant(NUMBER, form.span, self.rules.cards[form.value].face)
        return f.Attribute(NUMBER, form.span, FACE, form)

    def exists(self, expr: model.Exists) -> f.Expr:
        there: f.Expr
        if expr.thing.type.many:
            there = f.Some(TRUTH, expr.span, self.items(expr.thing))
        else:
            there = f.Present(TRUTH, expr.span, self.expr(expr.thing))
        return f.Not(TRUTH, expr.span, there) if expr.negated else there

    def quantify(self, expr: model.Quantify) -> f.Expr:
        span = expr.span
        if expr.every is None:
            return self.enough(expr)
        places, slot = expr.every
        here = self.slot(slot)
        lacking = f.Not(TRUTH, span, self.enough(expr))
        return f.Not(TRUTH, span, f.Some(TRUTH, span, f.Fitting(places.type, span, self.items(places), here, lacking)))

    def enough(self, expr: model.Quantify) -> f.Expr:
        span, items = expr.span, self.items(expr.members)
        if expr.amount is None:
            some = f.Some(TRUTH, span, items)
            return some if expr.quantity == "some" else f.Not(TRUTH, span, some)
        count, amount = f.Count(NUMBER, span, items), self.needed(expr.amount)
        match expr.quantity:
            case "at_least_n":
                return f.Compare(TRUTH, span, "at_least", count, amount)
            case "at_most_n":
                return f.Compare(TRUTH, span, "at_most", count, amount)
            case "exactly_n":
                return f.Compare(TRUTH, span, "is", count, amount)
            case "some" | "none":
                raise AssertionError("no amount belongs to this")
            case _:
                assert_never(expr.quantity)

    # ---- sets -------------------------------------------------------------------------------------------------------

    def items(self, expr: model.Expr) -> f.Items:
        """A set."""
        type, span = expr.type, expr.span
        match expr:
            case model.Everything():
                return self.everything(type, span, expr.at_table)
            case model.Applied():
                return self.items(expr.value)
            case model.Listing():
                return f.Listed(type, span, expr.values)
            case model.Joined():
                return self.joined(expr)
            case model.Together():
                return f.Together(type, span, tuple(map(self.some_cards, expr.parts)))
            case model.Members():
                return self.members(expr)
            case model.Around():
                last = self.needed(expr.last) if expr.last else None
                out = None if expr.at_table else self.who_is_out
                return f.Around(type, span, self.needed(expr.first), last, out)
            case model.Numbers():
                return f.Numbers(type, span, self.needed(expr.first), self.needed(expr.last), expr.down)
            case model.SetsOf():
                return self.sets_of(expr)
            case model.NthOfEach():
                return self.of_each(expr)
            case model.Few():
                return f.Few(type, span, self.items(expr.members), self.needed(expr.amount), expr.last)
        form = self.expr(expr)
        assert isinstance(form, (f.Slot, f.Defined, f.If, f.First)), "every set is named, listed or looked for"
        return form

    def sets_of(self, expr: model.SetsOf) -> f.Subsets:
        """All sets of some cards that fit."""
        items, slot = self.cards(expr.source), self.slot(expr.slot)
        return f.Subsets(expr.type, expr.span, items, slot, self.condition(expr.condition))

    def asked_of(self, argument: model.Expr) -> f.Expr:
        """What a definition is asked of: one thing, or a set of cards."""
        return self.cards(argument) if argument.type.many else self.expr(argument)

    def joined(self, expr: model.Joined) -> f.Items:
        """The cards in several places; a place that is named twice, by whatever words, counts once."""
        sets: list[f.CardsIn] = []
        for number, place in enumerate(expr.places):
            places = self.places(place)
            for other in expr.places[:number]:
                if other.type.of == place.type.of:
                    slot = self.new_slot()
                    same = f.Compare(
                        TRUTH, expr.span, "is", f.Slot(place.type.one(), expr.span, slot), self.expr(other)
                    )
                    places = f.Fitting(places.type, expr.span, places, slot, f.Not(TRUTH, expr.span, same))
            sets.append(f.CardsIn(self.cards_type, place.span, places))
        return f.Joined(expr.type, expr.span, tuple(sets))

    def everything(self, type: Type, span: Span, at_table: bool) -> f.Items:
        match type.kind:
            case "card":
                cards = tuple(card.index for card in self.rules.cards if card.kind in type.card_kinds)
                return f.Listed(type, span, cards)
            case "player":
                return f.Players(type, span, None if at_table else self.who_is_out)
            case "place":
                return f.Family(type, span, self.rules.places[type.of])
            case "name":
                return f.Listed(type, span, tuple(range(len(self.rules.names[type.of]))))
            case "number" | "truth" | "end" | "set":
                raise AssertionError("there is no list of all of these")
            case _:
                assert_never(type.kind)

    def members(self, expr: model.Members) -> f.Items:
        type, span, slot = expr.type, expr.span, self.slot(expr.slot)
        items: f.Items
        if type.kind == "end" and expr.base.type.kind == "place":
            items = f.EndsOf(type, span, self.places(expr.base))
        elif type.kind == "card":
            items = self.of_kind(self.cards(expr.base), type, slot, span)
        else:
            items = self.items(expr.base)
        if expr.where is None:
            return items
        return f.Fitting(type, span, items, slot, self.condition(expr.where))

    def of_kind(self, items: f.Items, type: Type, slot: int, span: Span) -> f.Items:
        """Those of some cards that are of the kinds that a type tells."""
        if len(type.card_kinds) == len(self.rules.kinds):
            return items
        if isinstance(items, f.Listed):
            fitting = [card for card in items.values if self.rules.cards[card].kind in type.card_kinds]
            return f.Listed(type, span, tuple(fitting))
        cards = frozenset(card.index for card in self.rules.cards if card.kind in type.card_kinds)
        return f.Fitting(type, span, items, slot, f.OneOf(TRUTH, span, f.Slot(type.one(), span, slot), cards))

    def of_each(self, expr: model.NthOfEach) -> f.Items:
        """Those cards that are the one at the position in any of the places."""
        span, places = expr.span, self.items(expr.places)
        where, slot = self.slot(expr.place_slot), self.slot(expr.slot)
        there = f.Only(places.type, span, f.Slot(places.type.one(), span, where))
        one = f.Nth(expr.type.one(), span, expr.position, f.CardsIn(expr.type, span, there))
        same = f.Compare(TRUTH, span, "is", one, f.Slot(expr.type.one(), span, slot))
        holds = f.Some(TRUTH, span, f.Fitting(places.type, span, places, where, same))
        return f.Fitting(expr.type, span, f.CardsIn(expr.type, span, places), slot, holds)

    def places(self, expr: model.Expr) -> f.Items:
        """Some places, or the one that is named."""
        return self.items(expr) if expr.type.many else f.Only(expr.type.all(), expr.span, self.expr(expr))

    def cards(self, expr: model.Expr) -> f.Items:
        """Some cards, or those in some places."""
        if expr.type.kind != "place":
            return self.items(expr)
        return f.CardsIn(self.cards_type, expr.span, self.places(expr))

    def some_cards(self, expr: model.Expr) -> f.Items:
        """Some cards, those in some places, or one card by itself."""
        is_one = expr.type.kind == "card" and not expr.type.many
        return f.Only(expr.type.all(), expr.span, self.expr(expr)) if is_one else self.cards(expr)

    @property
    def cards_type(self) -> Type:
        """Of cards of any kind."""
        return Type("card", card_kinds=frozenset(self.rules.kinds), many=True)
