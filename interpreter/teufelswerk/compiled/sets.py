"""Sets → loops: what is done with each of their members, in the order of the reference."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import assert_never

from teufelswerk.base.limits import MAX_REPEATS
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Several, Use, Value, Writer
from teufelswerk.compiled.masks import Masks
from teufelswerk.compiled.masks_by_parts import looks_for_sets
from teufelswerk.compiled.places import Family, Places
from teufelswerk.compiled.sets_of_cards import SetsOfCards
from teufelswerk.core import forms as f
from teufelswerk.core.absence import may_be_absent


class Sets:
    """Writes loops over sets."""

    def __init__(self, w: Writer, places: Places) -> None:
        self.w = w
        self.places = places
        self.masks = Masks(w, places)
        self.sets_of_cards = SetsOfCards(w, self.masks)
        w.each = self.each

    def each(self, items: f.Items, use: Use, any_order: bool = False) -> None:
        """Writes what is done with each member of a set, in order. `Leave` inside it leaves only the innermost loop."""
        w = self.w
        mask = self.masks.mask(items, any_order) if not isinstance(items, (f.Slot, f.Only)) else None
        if mask is not None:
            self.each_of_mask(mask, use)
            return
        match items:
            case f.Listed():
                self.listed(items.values, use)
            case f.Players():
                w.look(c.Number(w.players))
                with w.count("seat", c.ZERO, c.Number(w.players)) as seat:
                    self.unless_out(items.out, seat, use)
            case f.Around():
                self.around(items, use)
            case f.Numbers():
                self.numbers(items, use)
            case f.Family():
                base = w.layout.place_base[items.place.name]
                count = self.places.families[items.place.name].count
                w.look(c.Number(count))
                with w.count("place", c.Number(base), c.Number(base + count)) as place:
                    use(place)
            case f.Only():
                item = w.value(items.item)
                with w.when(item.is_there):
                    use(w.let("item", item.expr))
            case f.CardsIn():
                self.cards_in(items, use)
            case f.Joined():
                for part in items.sets:
                    self.each(part, use, any_order)
            case f.Together():
                self.together(items, use)
            case f.EndsOf():
                self.ends(items, use)
            case f.Few():
                self.few(items, use)
            case f.Fitting():
                self.fitting(items, use, any_order)
            case f.Subsets():
                self.subsets(items, use)
            case f.Slot():
                found = w.slots[items.slot]
                assert isinstance(found, Several)
                w.look(found.count)
                with w.count("position", c.ZERO, found.count) as position:
                    use(w.let("item", c.load(found.row, c.add(found.start, position))))
            case f.Defined():
                self.defined(items, use, any_order)
            case f.If() | f.First() | f.Taken():
                found = self.listed_now(items)
                with w.count("position", c.ZERO, found.count) as position:
                    use(w.let("item", c.load(found.row, position)))
            case _:
                assert_never(items)

    def each_of_mask(self, cards: c.Expr, use: Use) -> None:
        these = self.w.let("cards", cards)
        self.w.look(c.size(these))
        with self.w.each_card(these) as card:
            use(card)

    def named(self, several: Several) -> c.Expr:
        """A set of cards as a member of a set."""
        name = self.w.temp("set")
        self.w.sets[name] = several
        return name

    def listed(self, values: tuple[int, ...], use: Use) -> None:
        w = self.w
        w.look(c.Number(len(values)))
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
        w.look(length)
        with w.count("distance", c.ZERO, length) as distance:
            seat = w.let("seat", c.add(first, distance))
            if isinstance(seat, c.Var):
                w.out += c.when(c.compare(">=", seat, n), [c.Set(seat, c.minus(seat, n))])
            self.unless_out(items.out, seat, use)

    def cards_in(self, items: f.CardsIn, use: Use) -> None:
        w, family = self.w, self.places.families[items.places.type.of]
        if isinstance(items.places, f.Only):
            index, present = w.place(items.places.item)
            with w.when(c.YES if present is None else present):
                self.lying(family, c.ZERO if family.single else w.let("index", index), use)
        else:
            self.each(items.places, lambda place: self.lying(family, w.let("index", c.minus(place, family.base)), use))

    def lying(self, family: Family, index: c.Expr, use: Use) -> None:
        """Each card of a place."""
        w = self.w
        if not family.ordered:
            self.each_of_mask(family.set_of(index), use)
            return
        n = w.let("n", family.size_of(index))
        w.look(n)
        with w.count("position", c.ZERO, n) as position:
            use(w.let("card", family.card_at(index, position)))

    def numbers(self, items: f.Numbers, use: Use) -> None:
        w = self.w
        first, last = w.value(items.first), w.value(items.last)
        if items.down:
            highest = w.let("highest", first.expr)
            count = w.let("count", c.add(c.minus(highest, last.expr), 1))
            w.fail_if(c.compare(">", count, MAX_REPEATS))
            w.look(c.select(c.compare(">", count, 0), count, c.ZERO))
            with w.count("distance", c.ZERO, count) as distance:
                use(w.let("number", c.minus(highest, distance)))
            return
        begin, stop = w.let("first", first.expr), w.let("stop", c.add(last.expr, 1))
        w.fail_if(c.compare(">", c.minus(stop, begin), MAX_REPEATS))
        w.look(c.select(c.compare(">", stop, begin), c.minus(stop, begin), c.ZERO))
        with w.count("number", begin, stop) as number:
            use(number)

    def ends(self, items: f.EndsOf, use: Use) -> None:
        w = self.w
        family = self.places.families[items.places.type.of]

        def both_ends(position: c.Expr) -> None:
            index = w.let("place", position)
            some = c.compare(">", family.size_of(index), 0)
            with w.when(some), w.count("side", c.ZERO, c.Number(2)) as side:
                end = w.let("end", c.add(c.add(c.times(index, 2), 2 * family.base), side))
                w.ends[end] = index, side
                use(end)

        match items.places:
            case f.Only(item=place):
                index, present = w.place(place)
                with w.when(c.YES if present is None else present):
                    w.look(c.ONE)
                    both_ends(index)
            case f.Family():
                with w.count("place", c.ZERO, c.Number(family.count)) as index:
                    w.look(c.ONE)
                    both_ends(index)
            case _:
                self.each(items.places, lambda place: both_ends(c.minus(place, family.base)))

    def together(self, items: f.Together, use: Use) -> None:
        """The cards of each set, unless they have been in one before."""
        w = self.w
        seen = w.temp("seen", "m")
        w.set(seen, c.NOBODY)

        def once(card: c.Expr) -> None:
            item = w.let("item", card)
            with w.when(c.inverse(c.some(c.binary("&", seen, c.bit(item))))):
                w.set(seen, c.binary("|", seen, c.bit(item)))
                use(item)

        for part in items.sets:
            self.each(part, once)

    def few(self, items: f.Few, use: Use) -> None:
        w, found = self.w, self.listed_now(items.items)
        amount = w.let("amount", w.uncounted(lambda: w.value(items.amount)).expr)
        rest = w.let("rest", c.minus(found.count, amount))
        first: c.Expr = c.select(c.compare(">", rest, 0), rest, c.ZERO) if items.last else c.ZERO
        stop: c.Expr = found.count if items.last else c.select(c.compare(">", rest, 0), amount, found.count)
        with w.count("position", first, stop) as position:
            use(w.let("item", c.load(found.row, position)))

    def fitting(self, items: f.Fitting, use: Use, any_order: bool) -> None:
        w = self.w
        type, lies = items.items.type.one(), self.masks.lies(items.items)

        def if_it_fits(item: c.Expr) -> None:
            with w.bound(items.slot, w.thing(item, type), lies), w.when(w.condition(items.condition)):
                use(item)

        if isinstance(items.items, f.Subsets) and not looks_for_sets(items.condition):
            self.subsets(items.items, use, items)
        else:
            self.each(items.items, if_it_fits, any_order)

    def subsets(self, items: f.Subsets, use: Use, fitting: f.Fitting | None = None) -> None:
        """Sets of cards; what is asked of those that fit is asked of each before, if that is less to ask."""
        several = self.several(items.items)
        self.sets_of_cards.each(items, several, lambda several: use(self.named(several)), fitting)

    def defined(self, items: f.Defined, use: Use, any_order: bool) -> None:
        w, definition = self.w, items.definition
        value: f.Items = definition.value  # type: ignore[assignment]
        if items.argument is None:
            self.each(value, use, any_order)
        elif items.argument.type.many:
            with self.asked_of(items):
                self.each(value, use, any_order)
        else:
            argument = w.value(items.argument)
            with w.when(argument.is_there):
                given = Value(w.let("given", argument.expr), None, argument.low, argument.high)
                with w.bound(definition.slot, given):
                    self.each(value, use, any_order)

    # ---- sets that something is asked of ----------------------------------------------------------------------------

    @contextmanager
    def asked_of(self, form: f.Defined) -> Iterator[None]:
        """While a definition is asked of a set of cards."""
        argument: f.Items = form.argument  # type: ignore[assignment]
        with self.w.bound(form.definition.slot, self.several(argument), self.masks.lies(argument)):
            yield

    def several(self, items: f.Items) -> Several:
        """The members of a set, in a row: that of a slot which holds them already, or a new one."""
        held = self.w.slots[items.slot] if isinstance(items, f.Slot) else None
        if isinstance(held, Several):
            return held
        return self.lying_there(items) or self.listed_now(items)

    def lying_there(self, items: f.Items) -> Several | None:
        """The cards of a place that keeps them in order, where they lie."""
        match items:
            case f.CardsIn(places=f.Only(item=place)):
                family = self.places.families[items.places.type.of]
                if family.row is None:
                    return None
                index, present = self.w.place(place)
                if present is not None:
                    return None
                at = self.w.let("place", index)
                return Several(
                    self.w.let("count", family.size_of(at)), family.row, self.w.let("start", family.start(at))
                )
        return None

    # ---- lists ------------------------------------------------------------------------------------------------------

    def listed_now(self, items: f.Items) -> Several:
        """The members of a set, written down in order."""
        w = self.w
        count, row = w.temp("count"), w.scratch_array("list", w.choosable(items.type.one()))
        self.write_down(items, count, row)
        if may_be_absent(items):
            w.out += c.when(c.compare("<", count, 0), [c.Set(count, c.ZERO)])
        return Several(count, row, c.ZERO)

    def write_down(self, items: f.Expr, count: c.Var, row: c.Array) -> None:
        """Fills a row with the members of a set; their number is -1 if the set is not there."""
        w, absent = self.w, [c.Set(count, c.Number(-1))]
        match items:
            case f.If():
                condition = w.condition(items.condition)
                with w.body() as then:
                    self.write_down(items.then, count, row)
                with w.body() as otherwise:
                    if items.otherwise is not None:
                        self.write_down(items.otherwise, count, row)
                w.out += c.when(condition, then, otherwise if items.otherwise is not None else [*absent])
            case f.First():
                option, *others = items.options
                self.write_down(option, count, row)
                if others and may_be_absent(option):
                    with w.when(c.compare("<", count, 0)):
                        self.write_down(replace(items, options=tuple(others)), count, row)
            case f.Taken():
                self.write_down(items.value, count, row)
            case f.Defined() if items.argument is None:
                self.write_down(items.definition.value, count, row)
            case f.Defined() if items.argument is not None and items.argument.type.many:
                with self.asked_of(items):
                    self.write_down(items.definition.value, count, row)
            case f.Defined():
                assert items.argument is not None
                given = w.value(items.argument)
                with w.body() as there:
                    value = Value(w.let("given", given.expr), None, given.low, given.high)
                    with w.bound(items.definition.slot, value):
                        self.write_down(items.definition.value, count, row)
                w.out += c.when(given.is_there, there, [*absent])
            case (
                f.Listed() | f.Players() | f.Around() | f.Family() | f.Only() | f.CardsIn() | f.EndsOf() | f.Few()
                | f.Fitting() | f.Joined() | f.Together() | f.Numbers() | f.Slot()
            ):  # fmt: skip
                w.set(count, c.ZERO)

                def one_more(item: c.Expr) -> None:
                    w.store(row, count, item)
                    w.set(count, c.add(count, 1))

                self.each(items, one_more)
            case (
                f.Constant() | f.Attribute() | f.PlaceAt() | f.Kept() | f.Neighbour() | f.OwnerOf() | f.Nth()
                | f.PlaceHolding() | f.EndAt() | f.CardAt() | f.Extreme() | f.Drawn() | f.Sum() | f.LeastLeft()
                | f.Count() | f.Arith() | f.Needed() | f.Compare() | f.OneOf() | f.Present() | f.Some() | f.Logic()
                | f.Not() | f.Subsets()
            ):  # fmt: skip
                raise AssertionError("this is no set")
            case _:
                assert_never(items)
