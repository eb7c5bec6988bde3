"""Questions about sets → values: how many, which is first, which is best, what they add up to, one by lot."""

from __future__ import annotations

from itertools import pairwise

from teufelswerk.base.limits import MAX_CARDS_IN_SETS
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Several, Value, Writer
from teufelswerk.compiled.masks_by_parts import draws
from teufelswerk.compiled.places import Places
from teufelswerk.compiled.sets import Sets
from teufelswerk.core import forms as f

FEW = 8
"""Numbers with so many binary digits are added up digit by digit instead of card by card."""


class Answers:
    """Writes what is asked of sets."""

    def __init__(self, w: Writer, places: Places, sets: Sets) -> None:
        self.w = w
        self.places = places
        self.sets = sets
        self.masks = sets.masks

    def least_left(self, form: f.LeastLeft) -> Value:
        return self.sets.sets_of_cards.least_left(form, self.sets.several(form.sets.items))

    def count(self, items: f.Items) -> Value:
        w = self.w
        high = 1 << MAX_CARDS_IN_SETS if items.type.kind == "set" else w.choosable(items.type.one())
        if isinstance(items, f.Players) and items.out is None:
            return Value(c.Number(w.players), None, w.players, w.players)
        if isinstance(items, f.Listed):
            return Value(c.Number(len(items.values)), None, len(items.values), len(items.values))
        if isinstance(items, f.CardsIn) and isinstance(items.places, f.Only):
            family = self.places.families[items.places.type.of]
            index, present = w.place(items.places.item)
            number = c.select(c.YES if present is None else present, family.size_of(index), c.ZERO)
            return Value(number, None, 0, high)
        if isinstance(items, f.Slot):
            found = w.slots[items.slot]
            assert isinstance(found, Several)
            return Value(found.count, None, 0, high)
        mask = self.masks.mask(items, True)
        if mask is not None:
            return Value(c.size(mask), None, 0, high)
        counted = w.temp("count")
        w.set(counted, c.ZERO)
        w.each(items, lambda item: w.set(counted, c.add(counted, 1)), True)
        return Value(counted, None, 0, high)

    def some(self, items: f.Items) -> c.Expr:
        w = self.w
        in_one_place = isinstance(items, f.CardsIn) and isinstance(items.places, f.Only)
        if in_one_place or isinstance(items, (f.Players, f.Listed, f.Slot)):
            return c.compare(">", self.count(items).expr, 0)
        mask = self.masks.mask(items, True)
        if mask is not None:
            return c.some(mask)
        found = w.temp("some", "b")
        w.set(found, c.NO)
        w.each(items, lambda item: self.found_it(found), True)
        return found

    def found_it(self, found: c.Var) -> None:
        self.w.set(found, c.YES)
        self.w.out.append(c.Leave())

    def nth(self, form: f.Nth) -> Value:
        w, items, position = self.w, form.items, form.position
        low, high = w.bounds(form.type)
        if isinstance(items, f.CardsIn) and isinstance(items.places, f.Only):
            family = self.places.families[items.places.type.of]
            if family.ordered:
                index, present = w.place(items.places.item)
                if not family.single:
                    index = w.guarded(index, present)
                n = family.size_of(index)
                at = c.Number(position) if position >= 0 else c.minus(n, -position)
                least = position if position >= 0 else -position - 1
                there = c.both(present, c.compare(">", n, least))
                return Value(family.card_at(index, at), there, low, high)
        mask = self.masks.mask(items, False)
        if mask is not None:
            cards = w.let("cards", mask)
            if position in (0, -1):
                card: c.Expr = c.Lowest(cards) if position == 0 else c.Highest(cards)
                return Value(card, c.some(cards), low, high)
            n = w.let("n", c.size(cards))
            at = c.Number(position) if position >= 0 else c.minus(n, -position)
            least = position if position >= 0 else -position - 1
            return Value(c.NthCard(cards, at), c.compare(">", n, least), low, high)
        found = self.sets.several(items)
        at = c.Number(position) if position >= 0 else c.minus(found.count, -position)
        least = position if position >= 0 else -position - 1
        return Value(c.load(found.row, c.add(found.start, at)), c.compare(">", found.count, least), low, high)

    def extreme(self, form: f.Extreme) -> Value:
        w, type = self.w, form.items.type.one()
        low, high = w.bounds(type)
        match form.by:
            case f.Attribute(card=f.Slot(slot=slot)) if slot == form.slot and self.rises(form.by.attribute):
                mask = self.masks.mask(form.items, True)
                if mask is not None:
                    cards = w.let("cards", mask)
                    card: c.Expr = c.Highest(cards) if form.highest else c.Lowest(cards)
                    return Value(card, c.some(cards), low, high)
        best, record = w.temp("best"), w.temp("record")
        w.set(best, c.Number(-1))
        w.set(record, c.ZERO)

        def better(item: c.Expr) -> None:
            with w.bound(form.slot, w.thing(item, type), self.masks.lies(form.items)):
                value = w.value(form.by)
                with w.when(value.is_there):
                    number = w.let("number", value.expr)
                    beats = c.compare(">" if form.highest else "<", number, record)
                    with w.when(c.either(c.compare("<", best, 0), beats)):
                        w.set(best, item)
                        w.set(record, number)

        w.each(form.items, better)
        return Value(best, c.compare(">=", best, 0), low, high)

    def rises(self, attribute: str) -> bool:
        """Whether the attribute rises from card to card, so that the cards compare like it."""
        values = self.w.attribute(attribute)
        return None not in values and all(a < b for a, b in pairwise(values))  # type: ignore[operator]

    def sum(self, form: f.Sum) -> Value:
        w, type = self.w, form.items.type.one()
        match form.by:
            case f.Attribute(attribute=name, card=f.Slot(slot=slot)) if (
                slot == form.slot and len(self.digits(name)) <= FEW
            ):
                mask = self.masks.mask(form.items, True)
                if mask is not None:
                    return self.sum_on_cards(w.let("cards", mask), name)
        total = w.temp("sum")
        w.set(total, c.ZERO)
        low, high = 0, 0

        def more(item: c.Expr) -> None:
            nonlocal low, high
            with w.bound(form.slot, w.thing(item, type), self.masks.lies(form.items)):
                value = w.value(form.by)
                with w.when(value.is_there):
                    w.set(total, c.add(total, value.expr))
                most = 1 << MAX_CARDS_IN_SETS if type.kind == "set" else w.choosable(type)
                low, high = min(0, (value.low or 0) * most), max(0, (value.high or 0) * most)

        w.each(form.items, more, not draws(form.by))
        return Value(total, None, low, high)

    def digits(self, attribute: str) -> list[tuple[int, int]]:
        """The binary digits of what is on the cards: what each counts, and the cards that have it."""
        values = self.w.attribute(attribute)
        found = []
        for sign in (1, -1):
            numbers = [max(sign * (value or 0), 0) for value in values]
            for digit in range(max(numbers).bit_length()):
                cards = sum(1 << card for card, number in enumerate(numbers) if number >> digit & 1)
                if cards:
                    found.append((sign << digit, cards))
        return found

    def sum_on_cards(self, cards: c.Expr, attribute: str) -> Value:
        """What is on some cards, added up: of each digit, how many of them have it."""
        total: c.Expr = c.ZERO
        for worth, having in self.digits(attribute):
            total = c.add(total, c.times(c.size(c.binary("&", cards, c.Number(having, "m"))), worth))
        values = [value or 0 for value in self.w.attribute(attribute)]
        return Value(total, None, sum(min(value, 0) for value in values), sum(max(value, 0) for value in values))

    def drawn(self, form: f.Drawn) -> Value:
        w = self.w
        low, high = w.bounds(form.type)
        mask = self.masks.mask(form.items, False)
        card, number = w.temp("drawn"), w.temp("number")
        w.set(card, c.Number(-1))
        if mask is not None:
            cards = w.let("cards", mask)
            with w.when(c.some(cards)):
                w.before_chance()
                w.out.append(c.DrawChance(number, c.size(cards)))
                w.set(card, c.NthCard(cards, number))
        else:
            found = self.sets.listed_now(form.items)
            with w.when(c.compare(">", found.count, 0)):
                w.before_chance()
                w.out.append(c.DrawChance(number, found.count))
                w.set(card, c.load(found.row, number))
        return Value(card, c.compare(">=", card, 0), low, high)
