"""Forms → functions of the machine, for one number of players."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.absence import may_be_absent
from teufelswerk.interpreter import sets, values
from teufelswerk.interpreter.filters import Sifting, leaves_traces
from teufelswerk.interpreter.machine import Layout, Machine, RuleError
from teufelswerk.interpreter.sets import Items
from teufelswerk.interpreter.subsets import Subsets, least_left
from teufelswerk.interpreter.values import Function, IsOut
from teufelswerk.model import FACE

Condition: TypeAlias = f.Compare | f.OneOf | f.Present | f.Some | f.Logic | f.Not


class Evaluator:
    """Makes a function of every form; definitions are made once and shared. Where cards are open, some are others."""

    def __init__(self, core: s.Core, layout: Layout) -> None:
        self.core = core
        self.layout = layout
        self.rules = core.rules
        self.players = layout.players
        self.tables = {name: self.rules.on_cards(name) for name in (*self.rules.attributes, FACE)}
        self.sifting = Sifting(self.value, self.tables)
        self._defined: dict[f.Definition, Function] = {}

    # ---- values -----------------------------------------------------------------------------------------------------

    def value(self, form: f.Expr) -> Function:
        """The form's value, or None if it is absent."""
        known = self.constant(form)
        if known is not None:
            return values.always(known)
        match form:
            case f.Constant():
                return values.always(form.value)
            case f.Slot():
                slot = form.slot
                return self.items(form) if form.type.many else lambda m: m.slots[slot]
            case f.Attribute():
                return self.attribute(form)
            case f.PlaceAt():
                return self.member(form.key, self.layout.place_base[form.place.name], form)
            case f.Kept():
                return self.kept(form)
            case f.Defined():
                return self.definition(form)
            case f.Neighbour():
                return self.neighbour(form)
            case f.OwnerOf():
                return self.owner_of(form)
            case f.PlaceHolding():
                return self.place_holding(form)
            case f.Nth():
                return self.nth(form)
            case f.EndAt():
                return values.end_at(self.value(form.place), form.top)
            case f.CardAt():
                return self.card_at(form)
            case f.Extreme():
                return self.extreme(form)
            case f.Drawn():
                return self.drawn(form)
            case f.Sum():
                return self.total(form)
            case f.Count():
                return self.count(form)
            case f.Arith():
                return self.arith(form)
            case f.If() | f.First() | f.Taken():
                return self.choice(form)
            case f.Needed():
                value = self.value(form.value)
                return values.needed(value, form.span) if may_be_absent(form.value) else value
            case f.Compare() | f.OneOf() | f.Present() | f.Some() | f.Logic() | f.Not():
                return self.condition(form)
            case f.Listed() | f.Players() | f.Around() | f.Family() | f.Only() | f.CardsIn() | f.EndsOf():
                return self.items(form)
            case f.Numbers() | f.Few() | f.Fitting():
                return self.items(form)
            case f.Joined() | f.Together() | f.Subsets():
                return self.items(form)
            case f.LeastLeft():
                return self.least_left(form)
            case _:
                assert_never(form)

    def deciding(self, condition: f.Expr) -> Function:
        """A condition on which it depends how the game goes on."""
        return self.value(condition)

    def constant(self, form: f.Expr) -> int | None:
        """The value, if it is the same in every position."""
        match form:
            case f.Constant():
                return bool(form.value) if form.type.kind == "truth" else form.value
            case f.Defined(argument=None):
                return self.constant(form.definition.value)
            case f.Count(items=f.Players(out=None)):
                return self.players
            case f.Count(items=f.Listed() as items):
                return len(items.values)
            case f.Arith():
                left, right = self.constant(form.left), self.constant(form.right)
                if left is not None and right is not None:
                    try:
                        return values.calculation(form.op, form.span)(left, right)
                    except RuleError:
                        return None  # an error of the rules, but only if they ever ask for it
        return None

    def arith(self, form: f.Arith) -> Function:
        left, right, calculate = self.value(form.left), self.value(form.right), values.calculation(form.op, form.span)
        return lambda m: calculate(left(m), right(m))

    def attribute(self, form: f.Attribute) -> Function:
        table = self.tables[form.attribute]
        match form.card:
            case f.Slot(slot=slot):
                return lambda m: table[m.slots[slot]]
            case f.CardAt(end=f.Slot(slot=slot)):
                return values.on_end(table, slot)
        noted = self.noted(form)
        return values.on_nth(noted) if noted else values.looked_up(table, self.value(form.card))

    def noted(self, form: f.Expr) -> values.Noted | None:
        """Where a value is found, if it is on a card at a spot that is always the same one."""
        if not isinstance(form, f.Attribute):
            return None
        spot = self.spot(form.card)
        return (self.tables[form.attribute], *spot) if spot else None

    def card_at(self, form: f.CardAt) -> Function:
        return values.card_at(self.value(form.end))

    def spot(self, form: f.Expr) -> tuple[int, int] | None:
        """The place and the position of the card, if they are the same in every position of the game."""
        match form:
            case f.Defined(argument=None):
                return self.spot(form.definition.value)
            case f.Nth(items=f.CardsIn(places=f.Only(item=f.PlaceAt(key=None, place=place))), position=position):
                return self.layout.place_base[place.name], position
        return None

    def on_each(self, by: f.Expr, slot: int) -> list[int | None] | None:
        """What is on each card under a name, if just that is asked of the card in a slot, and surely there."""
        match by:
            case f.Attribute(attribute=name, card=f.Slot(slot=asked)) if asked == slot and not may_be_absent(by):
                return self.tables[name]
        return None

    def member(self, key: f.Expr | None, base: int, form: f.PlaceAt | f.Kept) -> Function:
        """The number of a place, or of something kept."""
        if key is None:
            return values.always(base)
        family = form.place.key if isinstance(form, f.PlaceAt) else form.keep.key
        assert family
        match key:
            case f.Slot(slot=slot) if family.kind != "number":
                return values.member_in_slot(base, slot)
            case f.Attribute(attribute=name, card=f.Slot(slot=slot)) if family.kind != "number":
                return values.member_on_card(base, self.tables[name], slot)
        return values.member(self.value(key), base, family, self.layout.keys(family), form.span)

    def kept_at(self, form: f.Kept) -> Function:
        return self.member(form.key, self.layout.keep_base[form.keep.name], form)

    def kept(self, form: f.Kept) -> Function:
        name = form.keep.name
        if form.keep.type.optional:
            return values.kept_or_nobody(self.kept_at(form))
        if form.key is None:
            return values.kept_once(self.layout.keep_base[name], name, form.span)
        return values.kept(self.kept_at(form), name, form.span)

    def defined(self, definition: f.Definition) -> Function:
        if definition not in self._defined:
            self._defined[definition] = self.value(definition.value)
        return self._defined[definition]

    def definition(self, form: f.Defined) -> Function:
        value = self.defined(form.definition)
        if form.argument is None:
            return value
        return values.applied(self.argument(form.argument), form.definition.slot, value)

    def argument(self, form: f.Expr) -> Function:
        """What a definition is asked of: one thing, or a set of cards as it is now."""
        return sets.as_it_is_now(self.value(form)) if form.type.many else self.value(form)

    def is_out(self, out: f.Definition | None) -> IsOut | None:
        return None if out is None else (self.defined(out), out.slot)

    def following(self, step: int, out: f.Definition | None) -> Callable[[Machine, int], int]:
        """The next player in one direction who is not out."""
        return values.following(step, self.players, self.is_out(out))

    def neighbour(self, form: f.Neighbour) -> Function:
        player = self.value(form.player)
        if form.out is None:
            return values.next_seat(player, form.step, self.players)
        return values.neighbour(player, self.following(form.step, form.out))

    def owner_of(self, form: f.OwnerOf) -> Function:
        return values.owner_of(self.value(form.card), self.layout.owner)

    def place_holding(self, form: f.PlaceHolding) -> Function:
        return values.place_holding(self.value(form.card), self.layout.family(form.type.of))

    def choice(self, form: f.If | f.First | f.Taken) -> Function:
        match form:
            case f.If():
                otherwise = self.value(form.otherwise) if form.otherwise is not None else None
                return values.decided(self.value(form.condition), self.value(form.then), otherwise)
            case f.First():
                return values.first_of([self.value(option) for option in form.options])
            case f.Taken():
                return values.taken(form.branch, self.value(form.value))
            case _:
                assert_never(form)

    # ---- conditions -------------------------------------------------------------------------------------------------

    def condition(self, form: Condition) -> Function:
        match form:
            case f.Compare():
                return self.compare(form)
            case f.OneOf():
                card, cards = self.value(form.card), form.cards
                return lambda m: card(m) in cards
            case f.Present():
                value = self.value(form.value)
                return lambda m: value(m) is not None
            case f.Some():
                return self.some(form)
            case f.Logic():
                combined = values.both if form.op == "and" else values.either
                return combined(self.value(form.left), self.value(form.right))
            case f.Not():
                operand = self.value(form.operand)
                return lambda m: not operand(m)
            case _:
                assert_never(form)

    def compare(self, form: f.Compare) -> Function:
        noted = self.noted(form.left), self.noted(form.right)
        if noted[0] and noted[1]:
            return values.compared_on_cards(form.relation, noted[0], noted[1])
        sure = not may_be_absent(form.left) and (form.relation == "is" or not may_be_absent(form.right))
        return values.compared(form.relation, self.value(form.left), self.value(form.right), sure)

    # ---- sets -------------------------------------------------------------------------------------------------------

    def items(self, form: f.Items) -> Items:
        """The members of a set, in order."""
        match form:
            case f.Listed():
                return sets.counted(sets.listed(form.values), form.span)
            case f.Players():
                return sets.counted(sets.players(range(self.players), self.is_out(form.out)), form.span)
            case f.Around():
                last = self.value(form.last) if form.last is not None else None
                seats = sets.around(self.value(form.first), last, self.players, self.is_out(form.out))
                return sets.counted(seats, form.span)
            case f.Numbers():
                return sets.counted(
                    sets.numbers(self.value(form.first), self.value(form.last), form.down, form.span), form.span
                )
            case f.Family():
                return sets.counted(sets.listed(self.layout.family(form.place.name)), form.span)
            case f.Only():
                return sets.only(self.value(form.item))
            case f.CardsIn():
                return self.cards_in(form)
            case f.Joined():
                return sets.joined([self.items(part) for part in form.sets])
            case f.Together():
                return sets.together([self.items(part) for part in form.sets])
            case f.EndsOf():
                return self.ends_of(form)
            case f.Few():
                return self.few(form)
            case f.Fitting():
                return self.fitting(form)
            case f.Subsets():
                return self.subsets(form)
            case f.Slot():
                return sets.counted(sets.in_slot(form.slot), form.span)
            case f.Defined() | f.If() | f.First() | f.Taken():
                found = self.value(form)
                return (lambda m: found(m) or sets.NOTHING) if may_be_absent(form) else found
            case _:
                assert_never(form)

    def cards_in(self, form: f.CardsIn) -> Items:
        if isinstance(form.places, f.Only):
            match form.places.item:
                case f.PlaceAt(place=place, key=f.Slot(slot=slot)) if place.key and place.key.kind != "number":
                    return sets.cards_of_slot(self.layout.place_base[place.name], slot, form.span)
            return sets.cards_in_one(self.value(form.places.item), form.span)
        return sets.counted(sets.cards_in(self.items(form.places)), form.span)

    def ends_of(self, form: f.EndsOf) -> Items:
        if isinstance(form.places, f.Only):
            return sets.counted(sets.ends_of_one(self.value(form.places.item)), form.span)
        return sets.counted(sets.ends_of(self.items(form.places)), form.span)

    def fitting(self, form: f.Fitting) -> Items:
        items, sift = self.items(form.items), self.sifting.sifter(form.condition, form.slot)
        return lambda m: sift(m, items(m))

    def few(self, form: f.Few) -> Items:
        return sets.counted(sets.few(self.items(form.items), self.value(form.amount), form.last), form.span)

    def subsets(self, form: f.Subsets) -> Subsets:
        return Subsets(form, self.rules, self.items(form.items), self.value)

    def least_left(self, form: f.LeastLeft) -> Function:
        return least_left(self.subsets(form.sets), self.value(form.by), form.slot)

    def nth(self, form: f.Nth) -> Function:
        spot = self.spot(form)
        if spot:
            return sets.nth_always_there(*spot)
        return sets.nth(self.lying_ready(form.items) or self.items(form.items), form.position)

    def lying_ready(self, form: f.Items) -> Items | None:
        """A list that lies ready: how long it is, and what stands where in it, is known without going through it."""
        match form:
            case f.CardsIn(places=f.Only(item=item)):
                return sets.lying(self.value(item))
            case f.Slot():
                return sets.in_slot(form.slot)
        return None

    def count(self, form: f.Count) -> Function:
        items = self.lying_ready(form.items) or self.items(form.items)
        return lambda m: len(items(m))

    def some(self, form: f.Some) -> Function:
        match form.items:
            case f.Fitting(items=inner, slot=slot, condition=condition):
                if self.sifting.quick(condition, slot) is None and not leaves_traces(condition):
                    return sets.some_fitting(self.items(inner), slot, self.value(condition))
        items = self.lying_ready(form.items) or self.items(form.items)
        return lambda m: len(items(m)) > 0

    def extreme(self, form: f.Extreme) -> Function:
        items, table = self.items(form.items), self.on_each(form.by, form.slot)
        if table is not None:
            return sets.extreme_on_cards(items, table, form.highest)
        return sets.extreme(items, self.value(form.by), form.slot, form.highest)

    def total(self, form: f.Sum) -> Function:
        items, table = self.items(form.items), self.on_each(form.by, form.slot)
        if table is not None:
            return sets.total_on_cards(items, table)
        return sets.total(items, self.value(form.by), form.slot)

    def drawn(self, form: f.Drawn) -> Function:
        return sets.drawn(self.items(form.items))
