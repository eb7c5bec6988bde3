"""All sets of some cards for which a condition holds → loops over bits, one for each card; what the sets leave."""

from __future__ import annotations

from teufelswerk.base.limits import MAX_CARDS_IN_SETS
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Origin, Several, Use, Value, Writer
from teufelswerk.compiled.masks import Masks
from teufelswerk.core import forms as f
from teufelswerk.core.set_ways import Way, Ways, ways_of


class SetsOfCards:
    """Writes loops over sets of cards."""

    def __init__(self, w: Writer, masks: Masks) -> None:
        self.w = w
        self.masks = masks

    def each(self, form: f.Subsets, found: Several, use: Use) -> None:
        """Writes what is done with each set: a number, with a bit for every card by its position, tells which it is."""
        w, ways, lies = self.w, ways_of(form), self.masks.lies(form.items)
        w.fail_if(c.compare(">", found.count, MAX_CARDS_IN_SETS))
        others = w.scratch_array("others", MAX_CARDS_IN_SETS)
        for number, way in enumerate(ways.each):
            with w.count("first", c.ZERO, found.count) as first:
                fits_alone, count = self.that_go_with(first, found, way, ways, lies, others)
                with w.when(fits_alone), w.count("bits", c.ZERO, c.binary("<<", c.ONE, count)) as bits:
                    w.look_at_set()
                    chosen, several = self.chosen(first, found, others, count, bits)
                    fits = self.holds(way.condition, several, ways, lies)
                    with w.when(fits):
                        for earlier in ways.each[:number]:
                            known = self.holds(earlier.condition, several, ways, lies)
                            w.out += c.when(known, [c.Set(chosen, c.ZERO)])
                        with w.when(c.compare("!=", chosen, 0)):
                            w.sets[chosen] = several
                            use(chosen)

    def that_go_with(
        self, first: c.Expr, found: Several, way: Way, ways: Ways, lies: Origin | None, others: c.Array
    ) -> tuple[c.Expr, c.Expr]:
        """Writes down which of the cards behind the first one may be in a set with it.

        Gives whether the first one may be in any, and the number of the others.
        """
        w = self.w
        count, pair = w.temp("count"), w.scratch_array("pair", 2)
        w.set(count, c.ZERO)
        card = w.let("card", c.load(found.row, c.add(found.start, first)))
        w.store(pair, c.ZERO, card)
        alone = Several(c.ONE, pair, c.ZERO, c.bit(card))
        fits = w.temp("fits", "b")
        w.set(fits, c.YES)
        for question in way.pairs:
            w.set(fits, c.both(fits, self.holds(question, alone, ways, lies)))
        with w.when(fits), w.count("other", c.add(first, 1), found.count) as other:
            second = w.let("card", c.load(found.row, c.add(found.start, other)))
            w.store(pair, c.ONE, second)
            both = Several(c.Number(2), pair, c.ZERO, c.binary("|", c.bit(card), c.bit(second)))
            together = w.temp("together", "b")
            w.set(together, c.YES)
            for question in way.pairs:
                w.set(together, c.both(together, self.holds(question, both, ways, lies)))
            with w.when(together):
                w.store(others, count, other)
                w.set(count, c.add(count, 1))
        return fits, count

    def chosen(
        self, first: c.Expr, found: Several, others: c.Array, count: c.Expr, bits: c.Expr
    ) -> tuple[c.Var, Several]:
        """The first card with those others whose bits are set."""
        w = self.w
        row, number, chosen = w.scratch_array("set", MAX_CARDS_IN_SETS), w.temp("number"), w.temp("chosen")
        cards = w.temp("cards", "m")
        card = w.let("card", c.load(found.row, c.add(found.start, first)))
        w.store(row, c.ZERO, card)
        w.set(number, c.ONE)
        w.set(chosen, c.binary("<<", c.ONE, first))
        w.set(cards, c.bit(card))
        with w.count("next", c.ZERO, count) as following:
            bit = c.binary("&", c.binary(">>", bits, following), c.ONE)
            with w.when(c.compare("!=", bit, 0)):
                at = w.let("at", c.load(others, following))
                other = w.let("card", c.load(found.row, c.add(found.start, at)))
                w.store(row, number, other)
                w.set(number, c.add(number, 1))
                w.set(chosen, c.binary("|", chosen, c.binary("<<", c.ONE, at)))
                w.set(cards, c.binary("|", cards, c.bit(other)))
        return chosen, Several(number, row, c.ZERO, cards)

    def holds(self, condition: f.Expr, several: Several, ways: Ways, lies: Origin | None) -> c.Expr:
        """Whether a condition holds for a set."""
        w, before = self.w, (dict(self.w.slots), dict(self.w.lies))
        for slot in ways.slots:
            w.bind(slot, several, lies)
        found = w.let("holds", w.condition(condition))
        w.slots, w.lies = before
        return found

    def least_left(self, form: f.LeastLeft, found: Several) -> Value:
        """What is left of all when the best of the sums that sets without a common card can have is taken away."""
        w, sets, type = self.w, form.sets, form.sets.items.type.one()
        lies, low, high = self.masks.lies(sets.items), 0, 0

        def sum_of(several: Several) -> c.Var:
            nonlocal low, high
            total = w.temp("sum")
            w.set(total, c.ZERO)
            with w.count("position", c.ZERO, several.count) as position:
                card = w.let("card", c.load(several.row, c.add(several.start, position)))
                with w.bound(form.slot, w.thing(card, type), lies):
                    value = w.value(form.by)
                    with w.when(value.is_there):
                        w.set(total, c.add(total, value.expr))
            low, high = min(0, (value.low or 0) * w.cards), max(0, (value.high or 0) * w.cards)
            return total

        total, best, number = sum_of(found), w.temp("best"), w.temp("number")
        most = 1 << MAX_CARDS_IN_SETS
        reached, unions = w.scratch_array("reached", most), w.scratch_array("unions", most)
        covered = w.scratch_array("covered", most)
        w.fail_if(c.compare(">", found.count, MAX_CARDS_IN_SETS))
        with w.count("cards", c.ZERO, c.binary("<<", c.ONE, found.count)) as these:
            w.store(reached, these, c.ZERO)
        w.store(unions, c.ZERO, c.ZERO)
        w.store(covered, c.ZERO, c.ZERO)
        w.set(number, c.ONE)
        w.set(best, c.ZERO)

        def also(chosen: c.Expr) -> None:
            several = w.sets[chosen]
            amount, before = sum_of(several), w.temp("before")
            w.set(before, number)
            with w.count("known", c.ZERO, before) as known:
                w.look_at_set()
                those = w.let("those", c.load(unions, known))
                union = w.let("union", c.binary("|", those, chosen))
                apart = c.compare("==", c.binary("&", those, chosen), 0)
                with w.when(apart), w.when(c.compare("==", c.load(reached, union), 0)):
                    sum = w.let("sum", c.add(c.load(covered, known), amount))
                    w.store(reached, union, c.ONE)
                    w.store(unions, number, union)
                    w.store(covered, number, sum)
                    w.set(number, c.add(number, 1))
                    w.out += c.when(c.compare(">", sum, best), [c.Set(best, sum)])

        self.each(sets, found, also)
        return Value(w.let("left", c.minus(total, best)), None, low, high - low)
