"""All sets of some cards for which a condition holds → loops over them; what the sets leave."""

from __future__ import annotations

from collections.abc import Callable

from teufelswerk.base.limits import MAX_CARDS_IN_GROWING_SETS, MAX_CARDS_IN_SETS
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Several, Value, Writer
from teufelswerk.compiled.growing_sets import Growing
from teufelswerk.compiled.masks import Masks
from teufelswerk.compiled.masks_by_parts import looks_for_sets
from teufelswerk.core import forms as f
from teufelswerk.core.set_growth import growth_of


class SetsOfCards:
    """Writes loops over sets of cards."""

    def __init__(self, w: Writer, masks: Masks) -> None:
        self.w = w
        self.masks = masks

    def each(
        self, form: f.Subsets, found: Several, use: Callable[[Several], None], fitting: f.Fitting | None = None
    ) -> None:
        """Writes what is done with each set, or with each of which something else holds as well."""
        w, growth, lies = self.w, growth_of(form, self.w.rules), self.masks.lies(form.items)
        most = MAX_CARDS_IN_SETS if growth.condition is None else MAX_CARDS_IN_GROWING_SETS
        w.fail_if(c.compare(">", found.count, most))

        def one(several: Several) -> None:
            if fitting is None:
                fits(several, lambda: use(several))
                return
            with w.bound(fitting.slot, several, lies):
                first = looks_for_sets(form.condition) and w.is_harmless(fitting.condition)
            if first:
                also(several, lambda: fits(several, lambda: use(several)))
            else:
                fits(several, lambda: also(several, lambda: use(several)))

        def fits(several: Several, then: Callable[[], None]) -> None:
            with w.bound(form.slot, several, lies), w.when(w.condition(form.condition)):
                then()

        def also(several: Several, then: Callable[[], None]) -> None:
            assert fitting is not None
            with w.bound(fitting.slot, several, lies), w.when(w.condition(fitting.condition)):
                then()

        Growing(w, found, growth, lies, min(most, w.choosable(form.items.type.one()))).all(one)

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

        def also(several: Several) -> None:
            amount, before, chosen = sum_of(several), w.temp("before"), self.positions(several, found)
            w.set(before, number)
            with w.count("known", c.ZERO, before) as known:
                w.look_at_sets(c.ONE)
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

    def positions(self, several: Several, found: Several) -> c.Var:
        """A number with a bit for every card of a set, by its position among those that are looked at."""
        w, chosen = self.w, self.w.temp("chosen")
        assert several.cards is not None
        cards = w.let("cards", several.cards)
        w.set(chosen, c.ZERO)
        with w.count("position", c.ZERO, found.count) as position:
            card = c.load(found.row, c.add(found.start, position))
            there = c.some(c.binary("&", cards, c.bit(card)))
            bit = c.binary("<<", c.ONE, position)
            w.out += c.when(there, [c.Set(chosen, c.binary("|", chosen, bit))])
        return chosen
