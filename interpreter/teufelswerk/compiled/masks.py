"""Sets of cards → masks, where the order of the cards is right or makes no difference; where cards surely lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Origin, Several, Value, Writer
from teufelswerk.compiled.masks_by_parts import ByParts, depends, draws
from teufelswerk.compiled.places import Places
from teufelswerk.core import forms as f
from teufelswerk.core.walk import everything_in

MOST_VALUES = 256
"""A table of the cards that compare with a value has at most so many values."""
ONE_WORD = 64
"""A mask of so many cards is one number for the machine."""
FEW_KINDS = 8
"""So many kinds of cards are asked for one by one, instead of each card."""


def _common(origins: list[Origin | None]) -> Origin | None:
    first = origins[0]
    if first is None or any(origin is None or origin.family != first.family for origin in origins):
        return None
    return first if all(origin == first for origin in origins) else Origin(first.family)


FLIPPED: dict[f.Relation, f.Relation] = {
    "is": "is", "above": "below", "below": "above", "at_least": "at_most", "at_most": "at_least",
    "just_above": "just_below", "just_below": "just_above",
}  # fmt: skip
COMPARISONS: dict[f.Relation, Callable[[int, int], bool]] = {
    "is": lambda a, b: a == b, "above": lambda a, b: a > b, "below": lambda a, b: a < b,
    "at_least": lambda a, b: a >= b, "at_most": lambda a, b: a <= b,
    "just_above": lambda a, b: a == b + 1, "just_below": lambda a, b: a == b - 1,
}  # fmt: skip


def is_slot(form: f.Expr, slot: int) -> bool:
    return isinstance(form, f.Slot) and form.slot == slot


class Masks:
    """Writes sets of cards as masks."""

    def __init__(self, w: Writer, places: Places) -> None:
        self.w = w
        self.places = places
        self.trying = False
        self.by_parts = ByParts(w, self)

    # ---- where cards lie --------------------------------------------------------------------------------------------

    def lies(self, form: f.Expr) -> Origin | None:
        """Where a card, or all of some cards, surely lie; of ends, the family in which a card surely lies at each."""
        match form:
            case f.Slot():
                return self.w.lies.get(form.slot)
            case f.CardsIn():
                return self.there(form.places)
            case f.EndsOf():
                return Origin(self.places.families[form.places.type.of].name)
            case f.Few() | f.Fitting() | f.Nth() | f.Extreme() | f.Drawn() | f.Subsets():
                return self.lies(form.items)
            case f.Needed() | f.Taken():
                return self.lies(form.value)
            case f.Only():
                return self.lies(form.item) if form.type.kind == "card" else None
            case f.CardAt():
                family = self.places.families[form.end.type.of]
                return Origin(family.name, c.ZERO if family.single else None)
            case f.Defined():
                return self.lies(form.definition.value) if form.argument is None else None
            case f.First():
                return _common([self.lies(option) for option in form.options])
            case f.If():
                return _common([self.lies(form.then), *([self.lies(form.otherwise)] if form.otherwise else [])])
            case f.Constant() | f.Attribute() | f.PlaceAt() | f.Kept() | f.EndAt() | f.PlaceHolding():
                return None
            case f.Neighbour() | f.OwnerOf() | f.Sum() | f.LeastLeft() | f.Count():
                return None
            case f.Arith() | f.Compare() | f.OneOf() | f.Present() | f.Some() | f.Logic() | f.Not():
                return None
            case f.Listed() | f.Players() | f.Around() | f.Numbers() | f.Family() | f.Joined() | f.Together():
                return None
            case _:
                assert_never(form)

    def there(self, places: f.Items) -> Origin:
        """Some places, or the one that is named."""
        family = self.places.families[places.type.of]
        if family.single:
            return Origin(family.name, c.ZERO)
        match places:
            case f.Only(item=f.PlaceAt(key=f.Constant() | f.Slot() as key)) if family.place.key is not None:
                low = family.place.key.low if family.place.key.kind == "number" else 0
                return Origin(family.name, c.minus(self.w.value(key).expr, low))
        return Origin(family.name)

    # ---- masks ------------------------------------------------------------------------------------------------------

    def mask(self, items: f.Items, any_order: bool) -> c.Expr | None:
        """Some cards as a mask, if their order is that of the cards or makes no difference."""
        w = self.w
        if items.type.kind != "card":
            return None
        match items:
            case f.Listed():
                return c.Number(sum(1 << card for card in items.values), "m")
            case f.CardsIn():
                return self.mask_of_places(items.places, any_order)
            case f.Joined() | f.Together() if any_order:
                found: c.Expr = c.NOBODY
                for part in items.sets:
                    there = self.mask(part, any_order)
                    if there is None:
                        return None
                    found = c.binary("|", found, there)
                return found
            case f.Only():
                card = w.value(items.item)
                return c.select(card.is_there, c.bit(card.expr), c.NOBODY)
            case f.Fitting():
                cards = self.mask(items.items, any_order)
                return (
                    None if cards is None else self.fitting(cards, items.condition, items.slot, self.lies(items.items))
                )
            case f.Defined() if items.argument is None:
                definition: f.Items = items.definition.value  # type: ignore[assignment]
                return self.mask(definition, any_order)
            case f.Slot():
                held = w.slots[items.slot]
                if not any_order or not isinstance(held, Several):
                    return None
                if held.cards is not None or w.cards > ONE_WORD:
                    return held.cards  # larger masks cost more to make than the cards to go through
                cards = w.temp("cards", "m")
                w.set(cards, c.NOBODY)
                w.each(items, lambda card: w.set(cards, c.binary("|", cards, c.bit(card))))
                return cards
            case f.Joined() | f.Together() | f.Few() | f.Defined() | f.If() | f.First() | f.Taken():
                return None  # they are gone through
            case f.Players() | f.Around() | f.Numbers() | f.Family() | f.EndsOf() | f.Subsets():
                raise AssertionError("these are no cards")
            case _:
                assert_never(items)

    def mask_of_places(self, places: f.Items, any_order: bool) -> c.Expr | None:
        w, family = self.w, self.places.families[places.type.of]
        if family.ordered and not any_order:
            return None
        if isinstance(places, f.Only):
            index, present = w.place(places.item)
            return c.select(c.YES if present is None else present, family.set_of(index), c.NOBODY)
        if not any_order:
            return None
        if isinstance(places, f.Family):
            found: c.Expr = c.NOBODY
            for number in range(family.count):
                found = c.binary("|", found, family.set_of(c.Number(number)))
            return found
        cards = w.temp("cards", "m")
        w.set(cards, c.NOBODY)
        w.each(places, lambda p: w.set(cards, c.binary("|", cards, family.set_of(c.minus(p, family.base)))))
        return cards

    def fitting(self, cards: c.Expr, condition: f.Expr, slot: int, lies: Origin | None) -> c.Expr:
        """Those of some cards for which a condition holds."""
        w = self.w
        known = None if w.known is None else dict(w.known)
        told = None if w.told is None else dict(w.told)
        before, failing, w.failing = len(w.out), w.failing, False
        found = None if draws(condition) else self.fits(condition, slot)
        fails, w.failing = w.failing, failing or w.failing
        if found is not None and not fails:
            if isinstance(found, c.Select) and found.then == w.all:
                return c.select(found.condition, cards, c.binary("&", cards, found.otherwise))
            return c.binary("&", cards, found)
        asked, w.known, w.told = w.out[before:], known, told
        del w.out[before:]
        if found is None:
            return self.by_parts.fitting(w.let("cards", cards), condition, slot, lies)
        kept = w.temp("fitting", "m")
        w.set(kept, c.NOBODY)  # what may fail is asked only if it is asked of any card
        cards = w.let("cards", cards)
        w.out += c.when(c.some(cards), [*asked, c.Set(kept, c.binary("&", cards, found))])
        return kept

    def fits(self, condition: f.Expr, slot: int) -> c.Expr | None:
        """All cards for which a condition holds, as a mask that can be told without trying them."""
        w = self.w
        if not depends(condition, slot):
            return c.select(w.condition(condition), w.all, c.NOBODY)
        match condition:
            case f.OneOf(card=f.Slot(slot=asked)) if asked == slot:
                return c.Number(sum(1 << card for card in condition.cards), "m")
            case f.Compare(left=f.Attribute(card=f.Slot(slot=asked)) as left) if asked == slot:
                if not depends(condition.right, slot):
                    return self.compared(left.attribute, condition.relation, condition.right)
            case f.Compare(right=f.Attribute(card=f.Slot(slot=asked)) as right) if asked == slot:
                if not depends(condition.left, slot):
                    return self.compared(right.attribute, FLIPPED[condition.relation], condition.left)
            case f.Compare(relation="is", left=f.Slot(slot=asked), right=other) if asked == slot:
                if not depends(other, slot):
                    card = w.value(other)
                    return c.select(card.is_there, c.bit(card.expr), c.NOBODY)
            case f.Logic() if not depends(condition.left, slot):
                decides = w.condition(condition.left)
                body, found, _ = self.quietly(condition.right, slot)
                if found is not None:
                    return self.either(condition.op, decides, body, found)
            case f.Logic():
                # what must be written first is written before the left side decides, so nothing of it may fail
                left_body, first, _ = self.quietly(condition.left, slot)
                right_body, second, fails = self.quietly(condition.right, slot)
                if first is not None and second is not None and not fails:
                    w.out += [*left_body, *right_body]
                    return c.binary("&" if condition.op == "and" else "|", first, second)
            case f.Not():
                body, found, _ = self.quietly(condition.operand, slot)
                if found is not None:
                    w.out += body
                    return c.binary("&~", w.all, found)
            case f.Defined(argument=f.Slot(slot=asked)) if asked == slot and condition.type.kind == "truth":
                return self.fitting_definition(condition.definition)
            case f.Some(items=f.Fitting(items=others) as fitting) if not depends(others, slot):
                return self.once(lambda: self.for_any(fitting, slot)) or self.once(lambda: self.alike(condition, slot))
        return self.once(lambda: self.alike(condition, slot))

    def once(self, write: Callable[[], c.Expr | None]) -> c.Expr | None:
        """A mask for which conditions are written more than once: not within one another, or there would be no end."""
        w = self.w
        if self.trying:
            return None
        self.trying, failing, w.failing = True, w.failing, False
        with w.body() as body:
            found = write()
        harmless, self.trying, w.failing = not w.failing, False, failing
        if found is None or not harmless:  # whatever may be at fault is asked only where the reference asks it
            return None
        w.out += body
        return found

    def for_any(self, fitting: f.Fitting, slot: int) -> c.Expr | None:
        """The cards for which a condition holds with any of some other things: each of those is gone through once."""
        w, type, told = self.w, fitting.items.type.one(), True
        cards = w.temp("cards", "m")
        w.set(cards, c.NOBODY)

        def more(item: c.Expr) -> None:
            nonlocal told
            with w.bound(fitting.slot, w.thing(item, type), self.lies(fitting.items)):
                found = self.fits(fitting.condition, slot)
            told = told and found is not None
            w.set(cards, c.binary("|", cards, found or c.NOBODY))

        w.each(fitting.items, more, True)
        return cards if told else None

    def alike(self, condition: f.Expr, slot: int) -> c.Expr | None:
        """The cards for which a condition holds that looks at a few things on them: one of each kind is tried."""
        w, parts = self.w, list(everything_in(condition))
        asked = [part for part in parts if isinstance(part, f.Attribute) and is_slot(part.card, slot)]
        if len(asked) < sum(is_slot(part, slot) for part in parts):
            return None  # it looks at more than what is on the card
        kinds: dict[tuple[int | None, ...], int] = {}
        for card, values in enumerate(zip(*(w.attribute(part.attribute) for part in asked), strict=True)):
            if all(value is not None or part.type.optional for part, value in zip(asked, values, strict=True)):
                kinds[values] = kinds.get(values, 0) | 1 << card
        found: c.Expr = c.NOBODY
        for cards in kinds.values() if len(kinds) <= FEW_KINDS else ():
            first = (cards & -cards).bit_length() - 1
            with w.bound(slot, Value(c.Number(first), None, first, first)):
                holds = w.condition(condition)
            if w.out:
                return None  # it takes more than an expression
            found = c.binary("|", found, c.select(holds, c.Number(cards, "m"), c.NOBODY))
        return found if len(kinds) <= FEW_KINDS else None

    def quietly(self, condition: f.Expr, slot: int) -> tuple[c.Body, c.Expr | None, bool]:
        """All cards for which a condition holds, what is written for that, and whether something of it may fail."""
        w = self.w
        failing, w.failing = w.failing, False
        with w.body() as body:
            found = self.fits(condition, slot)
        fails, w.failing = w.failing, failing or (found is not None and w.failing)
        return body, found, fails

    def either(self, op: str, decides: c.Expr, body: c.Body, found: c.Expr) -> c.Expr:
        """All cards or none, as the left side of a condition decides, or else those that fit the right side."""
        w, decided = self.w, c.NOBODY if op == "and" else self.w.all
        goes_on = decides if op == "and" else c.inverse(decides)
        if not body:
            return c.select(goes_on, found, decided)
        fitting = w.temp("fitting", "m")
        w.set(fitting, decided)
        w.out += c.when(goes_on, [*body, c.Set(fitting, found)])
        return fitting

    def fitting_definition(self, definition: f.Definition) -> c.Expr | None:
        """All cards for which a condition with a name holds."""
        w = self.w
        if w.is_small(definition):
            return self.fits(definition.value, definition.slot)
        body, found, _ = self.quietly(definition.value, definition.slot)
        if found is None:
            return None
        w.out += body
        return w.let("fitting", found)

    def compared(self, attribute: str, relation: f.Relation, other: f.Expr) -> c.Expr | None:
        """The cards whose attribute compares so with a value."""
        w, values = self.w, self.w.attribute(attribute)
        there = [value for value in values if value is not None]
        if not there:
            return c.NOBODY
        low, high = min(there) - 2, max(there) + 2  # beyond these nothing is so much as just above or below
        if high - low >= MOST_VALUES:
            return None
        value = w.value(other)
        holds = COMPARISONS[relation]
        masks = [
            sum(1 << card for card, own in enumerate(values) if own is not None and holds(own, limit))
            for limit in range(low, high + 1)
        ]
        expr = value.expr
        if isinstance(expr, c.Number):
            limit = min(max(expr.value, low), high)
            found: c.Expr = c.Number(masks[limit - low], "m")
        else:
            if value.low is None or value.high is None or value.low < low or value.high > high:
                expr = w.guarded(expr, value.present)
                above, below = c.compare(">", expr, high), c.compare("<", expr, low)
                expr = c.select(above, c.Number(high), c.select(below, c.Number(low), expr))
                found = c.load(w.table(f"{attribute}_{relation}", masks, "m"), c.minus(expr, low))
            else:  # only the values that there can be
                first = value.low
                masks = masks[first - low : value.high + 1 - low]
                found = c.load(w.table(f"{attribute}_{relation}", masks, "m"), c.minus(expr, first))
        return c.select(value.is_there, found, c.NOBODY)
