"""Some cards → loops over sets of them, grown card by card: what cannot become one that fits is not gone on with."""

from __future__ import annotations

from collections.abc import Callable

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Origin, Several, Writer
from teufelswerk.core import forms as f
from teufelswerk.core.set_growth import Growth


class Growing:
    """Writes the way from set to set: cards are added in their order, and the last one is taken away again.

    At every depth there are the cards of the set so far, and those that may be added to it or to any that it grows to.
    """

    def __init__(self, w: Writer, found: Several, growth: Growth, lies: Origin | None, room: int) -> None:
        self.w = w
        self.found = found
        self.growth = growth
        self.lies = lies
        self.at, self.next, self.fresh = w.temp("at"), w.temp("next"), w.temp("fresh", "b")
        self.index = w.scratch_array("index", room + 1)
        self.own = w.scratch_array("set", room + 1)
        self.gathered = w.scratch_array("gathered", room + 1, "m")
        self.open = w.scratch_array("open", room + 1, "m") if growth.condition is not None else None

    def all(self, use: Callable[[Several], None]) -> None:
        """Every set that may fit, each right behind the one that it begins with."""

        def one(size: c.Expr) -> None:
            use(self.several(size))
            self.deeper()

        self.go_through(None, None, self.w.look_at_sets, one)

    def of_size(self, size: c.Expr, before: c.Array | None, is_least: c.Expr, use: Callable[[Several], None]) -> None:
        """Every set of a size above 0 that may fit, in the order of its cards.

        A card before which an identical one lies is added only to that one. `is_least`: whether no smaller sets were
        gone through before, whose cards have been counted already.
        """
        w = self.w

        def one(now: c.Expr) -> None:
            with w.body() as whole:
                use(self.several(now))
            with w.body() as part:
                self.deeper()
            w.out += c.when(c.compare("==", now, size), whole, part)

        def look(amount: c.Expr) -> None:
            with w.when(c.either(is_least, c.compare("==", c.add(self.at, 1), size))):
                w.look_at_sets(amount)

        self.go_through(size, before, look, one)

    def several(self, size: c.Expr) -> Several:
        return Several(size, self.own, c.ZERO, c.load(self.gathered, size))

    def deeper(self) -> None:
        w = self.w
        w.set(self.at, c.add(self.at, 1))
        w.set(self.fresh, c.YES)

    def go_through(
        self,
        size: c.Expr | None,
        before: c.Array | None,
        look: Callable[[c.Expr], None],
        use: Callable[[c.Expr], None],
    ) -> None:
        w, at, following = self.w, self.at, self.next
        w.set(at, c.ZERO)
        w.set(following, c.ZERO)
        w.set(self.fresh, c.YES)
        w.store(self.gathered, c.ZERO, c.NOBODY)
        stop = self.found.count if size is None else c.add(c.minus(self.found.count, size), c.add(at, 1))
        with w.loop():
            with w.when(self.fresh):
                w.set(self.fresh, c.NO)
                self.note_open(look)
            with w.body() as back:
                w.out += c.when(c.compare("==", at, 0), [c.Leave()])
                w.set(at, c.minus(at, 1))
                w.set(following, c.add(c.load(self.index, at), 1))
            with w.body() as on:
                self.add_card(before, use)
            w.out += c.when(c.compare(">=", following, stop), back, on)

    def note_open(self, look: Callable[[c.Expr], None]) -> None:
        """Writes down which cards behind the last one may be added to the set."""
        w, at, condition = self.w, self.at, self.growth.condition
        gathered = w.let("gathered", c.load(self.gathered, at))
        if self.open is None or condition is None:
            look(c.minus(self.found.count, self.next))
            return
        may, there = w.temp("may", "m"), w.temp("there", "b")
        w.set(may, c.NOBODY)
        with w.count("position", self.next, self.found.count) as position:
            card = self.card(position)
            w.set(there, c.YES)
            with w.when(c.compare(">", at, 0)):
                above = c.load(self.open, c.minus(at, 1))
                w.set(there, c.some(c.binary("&", above, c.bit(card))))
            with w.when(there):
                look(c.ONE)
                w.store(self.own, at, card)
                both = w.let("both", c.binary("|", gathered, c.bit(card)))
                several = Several(w.let("size", c.add(at, 1)), self.own, c.ZERO, both)
                with w.when(self.holds(condition, several)):
                    w.set(may, c.binary("|", may, c.bit(card)))
        w.store(self.open, at, may)

    def add_card(self, before: c.Array | None, use: Callable[[c.Expr], None]) -> None:
        w, at = self.w, self.at
        position = w.let("position", self.next)
        card, gathered = self.card(position), w.let("gathered", c.load(self.gathered, at))
        fits: c.Expr = c.YES
        if self.open is not None:
            fits = c.some(c.binary("&", c.load(self.open, at), c.bit(card)))
        if before is not None:
            lacking = c.binary("&~", c.load(before, position), gathered)
            fits = c.both(fits, c.inverse(c.some(lacking)))
        with w.when(fits):
            w.store(self.index, at, position)
            w.store(self.own, at, card)
            size = w.let("size", c.add(at, 1))
            w.store(self.gathered, size, c.binary("|", gathered, c.bit(card)))
            use(size)
        w.set(self.next, c.add(self.next, 1))

    def card(self, position: c.Expr) -> c.Expr:
        return self.w.let("card", c.load(self.found.row, c.add(self.found.start, position)))

    def holds(self, condition: f.Expr, several: Several) -> c.Expr:
        """Whether what is known of beginnings holds for a set."""
        w, before = self.w, (dict(self.w.slots), dict(self.w.lies))
        for slot in self.growth.slots:
            w.bind(slot, several, self.lies)
        found = w.let("holds", w.condition(condition))
        w.slots, w.lies = before
        return found
