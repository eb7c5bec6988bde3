"""Sets that can be chosen freely → how many there are, and the one that has a number: none of them is listed."""

from __future__ import annotations

from math import comb

from teufelswerk.base.limits import MAX_CHOICES
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Several, Writer

LARGEST_TABLE = 4_096
"""So many numbers tell at most how many sets of a size some things have."""


class NumberedSets:
    """Writes the way from numbers to sets: fewer things before more, each size in the order of the things."""

    def __init__(self, w: Writer, room: int, most: int) -> None:
        """Sets of at most so many of at most so many things."""
        self.w = w
        self.width = most + 1
        counts = [min(comb(n, k), MAX_CHOICES + 1) for n in range(room + 1) for k in range(self.width)]
        self.counts = w.table("sets_of_size", counts)

    def of_size(self, things: c.Expr, size: c.Expr) -> c.Expr:
        """How many sets of a size some things have, if that is no more than can be chosen from."""
        return c.load(self.counts, c.add(c.times(things, self.width), size))

    def count(self, things: c.Expr, least: c.Expr, stop: c.Expr) -> c.Var:
        """How many sets there are of these sizes."""
        w, total = self.w, self.w.temp("count")
        w.set(total, c.ZERO)
        with w.count("size", least, stop) as size:
            w.set(total, c.add(total, self.of_size(things, size)))
            w.fail_if(c.compare(">", total, MAX_CHOICES))
        return total

    def take(self, number: c.Expr, found: Several, least: c.Expr, into: tuple[c.Var, c.Array]) -> None:
        """Writes down the set that has the number."""
        w, (taken, row) = self.w, into
        rest, left, others = w.temp("rest"), w.temp("left"), w.temp("others")
        w.set(rest, number)
        w.set(left, least)
        with w.loop():
            of_size = w.let("of_size", self.of_size(found.count, left))
            w.out += c.when(c.compare("<", rest, of_size), [c.Leave()])
            w.set(rest, c.minus(rest, of_size))
            w.set(left, c.add(left, 1))
        w.set(taken, c.ZERO)
        w.set(others, found.count)
        with w.loop():
            w.out += c.when(c.compare("==", left, 0), [c.Leave()])
            w.set(others, c.minus(others, 1))
            beginning = w.let("beginning", self.of_size(others, c.minus(left, 1)))
            with w.body() as with_it:
                position = c.minus(c.minus(found.count, others), 1)
                w.store(row, taken, c.load(found.row, c.add(found.start, position)))
                w.set(taken, c.add(taken, 1))
                w.set(left, c.minus(left, 1))
            without_it: c.Body = [c.Set(rest, c.minus(rest, beginning))]
            w.out += c.when(c.compare("<", rest, beginning), with_it, without_it)
