"""Instructions that count what happens in a compiled game; without counters there are none of them."""

from __future__ import annotations

from collections.abc import Callable

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Value, Writer
from teufelswerk.compiled.counter_layout import Counters
from teufelswerk.compiled.places import Family
from teufelswerk.core import statements as s


class Ticks:
    """Writes what adds to the vector `counts`."""

    def __init__(self, w: Writer, counters: Counters | None) -> None:
        self.w = w
        self.counters = counters
        self.counts = c.Array("counts", counters.size) if counters else c.Array("counts", 1)
        self.began = w.keep("began")
        self.puts: dict[str, c.Array] = {}
        """By family, the card that each player has put into each of its places last."""
        if counters:
            for name in sorted(counters.taken_from):
                places = len(w.layout.keys(w.rules.places[name].key))
                self.puts[name] = w.keep_array(f"put_{name}", places * w.players, first=-1)

    def begin(self) -> None:
        self.w.set(self.began, c.Number(-1))

    def _add(self, position: c.Expr, amount: c.Expr = c.ONE) -> None:
        self.w.store(self.counts, position, c.add(c.load(self.counts, position), amount))

    def unit(self, id: int) -> None:
        """A rule or a branch."""
        if self.counters is not None and id in self.counters.units:
            self._add(c.Number(self.counters.units[id]))

    def counted(self, write: Callable[[], Value]) -> Value:
        """A value whose branches are counted."""
        if self.counters is None:
            return write()
        self.w.counted, self.w.count_branch = True, self.unit
        found = write()
        self.w.counted = False
        return found

    def move(self, verb: str) -> None:
        if self.counters is not None:
            self._add(c.Number(self.counters.moves[verb]))

    def step(self, name: str) -> None:
        if self.counters is not None and name in self.counters.steps:
            self._add(c.Number(self.counters.steps[name]))

    def decision(self, id: int, player: c.Expr, options: c.Expr) -> None:
        """A player decides between so many choices."""
        if self.counters is None:
            return
        w, n = self.w, self.counters.players
        decisions, forced, offered = self.counters.decisions[id]
        with w.when(c.compare("<", self.began, 0)):
            w.set(self.began, player)
            self._add(c.add(player, self.counters.began))
        seat = w.let("seat", c.binary("%", c.minus(c.add(player, n), self.began), c.Number(n)))
        self._add(c.add(seat, decisions))
        self._add(c.add(seat, offered), options)
        with w.when(c.compare("==", options, 1)):
            self._add(c.add(seat, forced))

    # ---- cards ------------------------------------------------------------------------------------------------------

    def follows(self, statement: s.Goes) -> bool:
        """Whether the single cards that go are counted."""
        return self.counters is not None and statement.to.type.of in self.counters.moved

    def moved(self, statement: s.Goes, family: Family, card: c.Expr) -> None:
        if self.counters is not None and family.name in self.counters.moved:
            self._add(c.add(card, self.counters.moved[family.name]))

    def put(self, statement: s.Goes, to: c.Expr, card: c.Expr) -> None:
        """A player has put a card somewhere."""
        if self.counters is not None and statement.id in self.counters.puts:
            player = self.w.slots[self.counters.puts[statement.id]]
            assert isinstance(player, Value)
            self.w.store(self.puts[statement.to.type.of], c.add(c.times(to, self.w.players), player.expr), card)

    def watches(self, origin: Family) -> bool:
        """Whether it is remembered who has put what into these places."""
        return origin.name in self.puts

    def emptied_place(self, statement: s.Goes, origin: Family, index: c.Expr, to: c.Expr) -> None:
        """All cards leave a shared place; the player who gets them may have put one there."""
        if self.counters is None or not self.watches(origin):
            return
        w, put = self.w, self.puts[origin.name]
        with w.when(c.compare(">", origin.size_of(index), 0)):
            first = c.times(index, w.players)
            if statement.id in self.counters.took:
                own = w.let("own", c.load(put, c.add(first, to)))
                holds = c.compare("!=", c.binary("&", origin.set_of(index), c.bit(own)), 0)
                with w.when(c.both(c.compare(">=", own, 0), holds)):
                    self._add(c.add(own, self.counters.took[statement.id]))
            with w.count("seat", c.ZERO, c.Number(w.players)) as seat:
                w.store(put, c.add(first, seat), c.Number(-1))

    def paid(self, statement: s.Pays, amount: c.Expr) -> None:
        """Something is paid in a move, for the card that was chosen."""
        if self.counters is None or statement.id not in self.counters.payments:
            return
        slot, times, total = self.counters.payments[statement.id]
        card = self.w.slots[slot]
        assert isinstance(card, Value)
        with self.w.when(c.compare(">", amount, 0)):
            self._add(c.add(card.expr, times))
            self._add(c.add(card.expr, total), amount)
