"""Sets → masks and loops: which cards, ends, players, places and names belong to them, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import assert_never

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Origin, Several, Value, Writer
from teufelswerk.compiled.places import Places
from teufelswerk.core import forms as f
from teufelswerk.core.walk import everything_in

Use = Callable[[c.Expr], None]
"""What is written for each member of a set."""
MOST_VALUES = 256
"""A table of the cards that compare with a value has at most so many values."""


def depends(form: f.Expr, slot: int) -> bool:
    return any(isinstance(part, f.Slot) and part.slot == slot for part in everything_in(form))


def draws(form: f.Expr) -> bool:
    return any(isinstance(part, f.Drawn) for part in everything_in(form))


class Sets:
    """Writes what is asked of sets. A mask has the order of the cards, so it stands only where that is right."""

    def __init__(self, w: Writer, places: Places) -> None:
        self.w = w
        self.places = places

    # ---- where cards lie --------------------------------------------------------------------------------------------

    def lies(self, form: f.Expr) -> Origin | None:
        """Where a card, or all of some cards, surely lie."""
        match form:
            case f.Slot():
                return self.w.lies.get(form.slot)
            case f.CardsIn():
                return self.there(form.places)
            case f.Fitting() | f.Nth() | f.Extreme() | f.Drawn():
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
        return None

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
        if items.type.kind != "card" or w.work is not None:  # where work is counted, everything is looked at
            return None
        match items:
            case f.Listed():
                return c.Number(sum(1 << card for card in items.values), "m")
            case f.CardsIn():
                return self.mask_of_places(items.places, any_order)
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
                found = w.slots[items.slot]
                if not any_order or not isinstance(found, Several):
                    return None
                cards = w.temp("cards", "m")
                w.set(cards, c.NOBODY)
                self.each(items, lambda card: w.set(cards, c.binary("|", cards, c.bit(card))))
                return cards
        return None

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
        self.each(places, lambda p: w.set(cards, c.binary("|", cards, family.set_of(c.minus(p, family.base)))))
        return cards

    def fitting(self, cards: c.Expr, condition: f.Expr, slot: int, lies: Origin | None) -> c.Expr:
        """Those of some cards for which a condition holds."""
        w = self.w
        found = None if draws(condition) else self.fits(condition, slot)
        if isinstance(found, c.Select) and found.then == w.all:
            return c.select(found.condition, cards, c.binary("&", cards, found.otherwise))
        if found is not None:
            return c.binary("&", cards, found)
        kept = w.temp("fitting", "m")
        w.set(kept, c.NOBODY)
        with w.each_card(w.let("cards", cards)) as card, w.bound(slot, Value(card, None, 0, w.cards - 1), lies):
            w.out += c.when(w.condition(condition), [c.Set(kept, c.binary("|", kept, c.bit(card)))])
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
                body, found = self.quietly(condition.right, slot)
                if found is not None and not body:
                    if condition.op == "and":
                        return c.select(decides, found, c.NOBODY)
                    return c.select(decides, w.all, found)
            case f.Logic():
                # what must be written first is written before the left side decides, so nothing of it may fail
                left_body, first = self.quietly(condition.left, slot)
                right_body, second = self.quietly(condition.right, slot)
                if first is not None and second is not None and not right_body:
                    w.out += left_body
                    return c.binary("&" if condition.op == "and" else "|", first, second)
            case f.Not():
                body, found = self.quietly(condition.operand, slot)
                if found is not None:
                    w.out += body
                    return c.binary("&~", w.all, found)
            case f.Defined(argument=f.Slot(slot=asked)) if asked == slot and condition.type.kind == "truth":
                definition = condition.definition
                if w.is_small(definition):
                    return self.fits(definition.value, definition.slot)
        return None

    def quietly(self, condition: f.Expr, slot: int) -> tuple[c.Body, c.Expr | None]:
        with self.w.body() as body:
            found = self.fits(condition, slot)
        return body, found

    def compared(self, attribute: str, relation: f.Relation, other: f.Expr) -> c.Expr | None:
        """The cards whose attribute compares so with a value."""
        w, values = self.w, self.w.attribute(attribute)
        there = [value for value in values if value is not None]
        if not there:
            return c.NOBODY
        low, high = min(there) - 1, max(there) + 1
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

    # ---- loops ------------------------------------------------------------------------------------------------------

    def each(self, items: f.Items, use_it: Use, any_order: bool = False) -> None:
        """Writes what is done with each member of a set, in order. `Leave` inside it leaves only the innermost loop."""
        w = self.w

        def use(item: c.Expr) -> None:
            w.look()
            use_it(item)

        mask = self.mask(items, any_order) if not isinstance(items, (f.Slot, f.Only)) else None
        if mask is not None:
            with w.each_card(mask) as card:
                use(card)
            return
        match items:
            case f.Listed():
                self.listed(items.values, use)
            case f.Players():
                with w.count("seat", c.ZERO, c.Number(w.players)) as seat:
                    self.unless_out(items.out, seat, use)
            case f.Around():
                self.around(items, use)
            case f.Family():
                base = w.layout.place_base[items.place.name]
                count = self.places.families[items.place.name].count
                with w.count("place", c.Number(base), c.Number(base + count)) as place:
                    use(place)
            case f.Only():
                item = w.value(items.item)
                with w.when(item.is_there):
                    use(w.let("item", item.expr))
            case f.CardsIn():
                self.cards_in(items, use)
            case f.EndsOf():
                family = self.places.families[items.places.type.of]

                def both_ends(place: c.Expr) -> None:
                    some = c.compare(">", family.size_of(c.minus(place, family.base)), 0)
                    with w.when(some), w.count("side", c.ZERO, c.Number(2)) as side:
                        use(w.let("end", c.add(c.times(place, 2), side)))

                self.each(items.places, both_ends)
            case f.Fitting():
                type, lies = items.items.type.one(), self.lies(items.items)

                def if_it_fits(item: c.Expr) -> None:
                    with w.bound(items.slot, w.thing(item, type), lies), w.when(w.condition(items.condition)):
                        use(item)

                self.each(items.items, if_it_fits, any_order)
            case f.Slot():
                found = w.slots[items.slot]
                assert isinstance(found, Several)
                with w.count("position", c.ZERO, found.count) as position:
                    use(w.let("item", c.load(found.row, c.add(found.start, position))))
            case f.Defined():
                definition = items.definition
                value: f.Items = definition.value  # type: ignore[assignment]
                if items.argument is None:
                    self.each(value, use, any_order)
                else:
                    argument = w.value(items.argument)
                    with w.when(argument.is_there):
                        given = Value(w.let("given", argument.expr), None, argument.low, argument.high)
                        with w.bound(definition.slot, given):
                            self.each(value, use, any_order)
            case f.If() | f.First() | f.Taken():
                found = self.listed_now(items)
                with w.count("position", c.ZERO, found.count) as position:
                    use(w.let("item", c.load(found.row, position)))
            case _:
                assert_never(items)

    def listed(self, values: tuple[int, ...], use: Use) -> None:
        w = self.w
        if values == tuple(range(len(values))):
            with w.count("item", c.ZERO, c.Number(len(values))) as item:
                use(item)
            return
        table = w.table("listed", values)
        with w.count("position", c.ZERO, c.Number(len(values))) as position:
            use(w.let("item", c.load(table, position)))

    def unless_out(self, out: f.Definition | None, seat: c.Expr, use: Use) -> None:
        if out is None:
            use(seat)
            return
        with self.w.when(c.inverse(self.w.is_out(out, seat))):
            use(seat)

    def around(self, items: f.Around, use: Use) -> None:
        w, n = self.w, self.w.players
        first = w.let("first", w.value(items.first).expr)
        length: c.Expr = c.Number(n)
        if items.last is not None:
            far = c.minus(c.add(w.value(items.last).expr, n), first)
            length = w.let("length", c.add(c.binary("%", far, c.Number(n)), 1))
        with w.count("distance", c.ZERO, length) as distance:
            seat = w.let("seat", c.add(first, distance))
            if isinstance(seat, c.Var):
                w.out += c.when(c.compare(">=", seat, n), [c.Set(seat, c.minus(seat, n))])
            self.unless_out(items.out, seat, use)

    def cards_in(self, items: f.CardsIn, use: Use) -> None:
        w, family = self.w, self.places.families[items.places.type.of]

        def in_place(index: c.Expr) -> None:
            if family.ordered:
                with w.count("position", c.ZERO, w.let("n", family.size_of(index))) as position:
                    use(w.let("card", family.card_at(index, position)))
            else:
                with w.each_card(family.set_of(index)) as card:
                    use(card)

        if isinstance(items.places, f.Only):
            index, present = w.place(items.places.item)
            with w.when(c.YES if present is None else present):
                in_place(c.ZERO if family.single else w.let("index", index))
        else:
            self.each(items.places, lambda place: in_place(w.let("index", c.minus(place, family.base))))

    def listed_now(self, items: f.Items) -> Several:
        """The members of a set, written down in order."""
        w = self.w
        count, row = w.temp("count"), w.scratch_array("list", w.choosable(items.type.one()))
        w.set(count, c.ZERO)

        def write_down(item: c.Expr) -> None:
            w.store(row, count, item)
            w.set(count, c.add(count, 1))

        match items:
            case f.If():
                condition = w.condition(items.condition)
                with w.body() as then:
                    self.fill(items.then, count, row)
                with w.body() as otherwise:
                    if items.otherwise is not None:
                        self.fill(items.otherwise, count, row)
                w.out += c.when(condition, then, otherwise)
            case f.First():
                self.first_of(items.options, count, row)
            case f.Taken():
                self.fill(items.value, count, row)
            case _:
                self.each(items, write_down)
        return Several(count, row, c.ZERO)

    def fill(self, items: f.Expr, count: c.Var, row: c.Array) -> None:
        found = self.listed_now(items)  # type: ignore[arg-type]
        self.w.set(count, found.count)
        with self.w.count("position", c.ZERO, count) as position:
            self.w.store(row, position, c.load(found.row, position))

    def first_of(self, options: tuple[f.Expr, ...], count: c.Var, row: c.Array) -> None:
        """The first list whose condition holds."""
        option, *others = options
        if not isinstance(option, f.If):
            self.fill(option, count, row)
            return
        condition = self.w.condition(option.condition)
        with self.w.body() as then:
            self.fill(option.then, count, row)
        with self.w.body() as otherwise:
            if others:
                self.first_of(tuple(others), count, row)
        self.w.out += c.when(condition, then, otherwise)

    # ---- questions --------------------------------------------------------------------------------------------------

    def count(self, items: f.Items) -> Value:
        w, high = self.w, self.w.choosable(items.type.one())
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
        mask = self.mask(items, True)
        if mask is not None:
            return Value(c.size(mask), None, 0, high)
        counted = w.temp("count")
        w.set(counted, c.ZERO)
        self.each(items, lambda item: w.set(counted, c.add(counted, 1)), True)
        return Value(counted, None, 0, high)

    def some(self, items: f.Items) -> c.Expr:
        w = self.w
        in_one_place = isinstance(items, f.CardsIn) and isinstance(items.places, f.Only)
        if in_one_place or isinstance(items, (f.Players, f.Listed, f.Slot)):
            return c.compare(">", self.count(items).expr, 0)
        mask = self.mask(items, True)
        if mask is not None:
            return c.some(mask)
        found = w.temp("some", "b")
        w.set(found, c.NO)
        self.each(items, lambda item: self.found_it(found), True)
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
        mask = self.mask(items, False)
        if mask is not None:
            cards = w.let("cards", mask)
            if position in (0, -1):
                card: c.Expr = c.Lowest(cards) if position == 0 else c.Highest(cards)
                return Value(card, c.some(cards), low, high)
            n = w.let("n", c.size(cards))
            at = c.Number(position) if position >= 0 else c.minus(n, -position)
            least = position if position >= 0 else -position - 1
            return Value(c.NthCard(cards, at), c.compare(">", n, least), low, high)
        found = self.listed_now(items)
        at = c.Number(position) if position >= 0 else c.minus(found.count, -position)
        least = position if position >= 0 else -position - 1
        return Value(c.load(found.row, at), c.compare(">", found.count, least), low, high)

    def extreme(self, form: f.Extreme) -> Value:
        w, type = self.w, form.items.type.one()
        low, high = w.bounds(type)
        match form.by:
            case f.Attribute(card=f.Slot(slot=slot)) if slot == form.slot and self.rises(form.by.attribute):
                mask = self.mask(form.items, True)
                if mask is not None:
                    cards = w.let("cards", mask)
                    card: c.Expr = c.Highest(cards) if form.highest else c.Lowest(cards)
                    return Value(card, c.some(cards), low, high)
        best, record = w.temp("best"), w.temp("record")
        w.set(best, c.Number(-1))
        w.set(record, c.ZERO)

        def better(item: c.Expr) -> None:
            with w.bound(form.slot, w.thing(item, type), self.lies(form.items)):
                value = w.value(form.by)
                with w.when(value.is_there):
                    number = w.let("number", value.expr)
                    beats = c.compare(">" if form.highest else "<", number, record)
                    with w.when(c.either(c.compare("<", best, 0), beats)):
                        w.set(best, item)
                        w.set(record, number)

        self.each(form.items, better)
        return Value(best, c.compare(">=", best, 0), low, high)

    def rises(self, attribute: str) -> bool:
        """Whether the attribute rises from card to card, so that the cards compare like it."""
        values = self.w.attribute(attribute)
        return None not in values and all(a < b for a, b in pairwise(values))  # type: ignore[operator]

    def sum(self, form: f.Sum) -> Value:
        w, type = self.w, form.items.type.one()
        total = w.temp("sum")
        w.set(total, c.ZERO)
        low, high = 0, 0

        def more(item: c.Expr) -> None:
            nonlocal low, high
            with w.bound(form.slot, w.thing(item, type), self.lies(form.items)):
                value = w.value(form.by)
                with w.when(value.is_there):
                    w.set(total, c.add(total, value.expr))
                most = w.choosable(type)
                low, high = min(0, (value.low or 0) * most), max(0, (value.high or 0) * most)

        self.each(form.items, more, not draws(form.by))
        return Value(total, None, low, high)

    def drawn(self, form: f.Drawn) -> Value:
        w = self.w
        low, high = w.bounds(form.type)
        mask = self.mask(form.items, False)
        card, number = w.temp("drawn"), w.temp("number")
        w.set(card, c.Number(-1))
        if mask is not None:
            cards = w.let("cards", mask)
            with w.when(c.some(cards)):
                w.out.append(c.DrawChance(number, c.size(cards)))
                w.set(card, c.NthCard(cards, number))
        else:
            found = self.listed_now(form.items)
            with w.when(c.compare(">", found.count, 0)):
                w.out.append(c.DrawChance(number, found.count))
                w.set(card, c.load(found.row, number))
        return Value(card, c.compare(">=", card, 0), low, high)


def _common(origins: list[Origin | None]) -> Origin | None:
    first = origins[0]
    if first is None or any(origin is None or origin.family != first.family for origin in origins):
        return None
    return first if all(origin == first for origin in origins) else Origin(first.family)


FLIPPED: dict[f.Relation, f.Relation] = {
    "is": "is", "above": "below", "below": "above", "at_least": "at_most", "at_most": "at_least",
}  # fmt: skip
COMPARISONS: dict[f.Relation, Callable[[int, int], bool]] = {
    "is": lambda a, b: a == b, "above": lambda a, b: a > b, "below": lambda a, b: a < b,
    "at_least": lambda a, b: a >= b, "at_most": lambda a, b: a <= b,
}  # fmt: skip
