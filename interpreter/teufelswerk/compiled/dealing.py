"""Shuffling and dealing → instructions."""

from __future__ import annotations

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Several, Writer
from teufelswerk.compiled.count_events import Ticks
from teufelswerk.compiled.places import Family, Places
from teufelswerk.compiled.values import Values
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s


class Dealing:
    """Writes how cards are shuffled and dealt out."""

    def __init__(self, w: Writer, places: Places, values: Values, ticks: Ticks) -> None:
        self.w = w
        self.places = places
        self.values = values
        self.sets = values.sets
        self.ticks = ticks

    def shuffle(self, statement: s.Shuffle) -> None:
        w, family = self.w, self.places.family(statement.place)
        index = w.let("index", self.values.needed_place(statement.place))
        n = w.let("n", family.size_of(index))
        assert family.row is not None
        w.before_chance()
        w.out.append(c.Shuffle(family.row, family.start(index), n, c.minus(n, 1)))
        self.forget_owners(family, index, n)

    def forget_owners(self, family: Family, index: c.Expr, n: c.Expr) -> None:
        """Nobody knows any more whose the shuffled cards were."""
        if family.name in self.w.features.owners and not family.owned:
            with self.w.count("position", c.ZERO, n) as position:
                self.places.set_owner(family.card_at(index, position), c.Number(-1))

    def shuffled_and_dealt(self, shuffle: s.Shuffle, deal: s.Deal) -> bool:
        """Both in one go, if the place is dealt into sets: of cards that all go to one place no order is drawn."""
        stock, takers = self.places.family(shuffle.place), self.places.families[deal.to.type.of]
        plain = (
            deal.amount is not None
            and not deal.up_to
            and isinstance(deal.to, f.Family)
            and deal.source.type.of == stock.name
            and stock.single
            and not stock.owned
            and not takers.ordered
            and not takers.single
            and self.places.where is None
            and takers.faces is None
        )
        if not plain:
            return False
        w = self.w
        assert deal.amount is not None and stock.row is not None and isinstance(takers.sets, c.Array)
        self.ticks.unit(shuffle.id)
        self.ticks.unit(deal.id)
        n = w.let("n", stock.size_of(c.ZERO))
        self.forget_owners(stock, c.ZERO, n)
        size = w.let("size", self.values.needed(deal.amount).expr)
        all_of_them = w.let("dealt", c.times(size, takers.count))
        w.fail_if(c.either(c.compare("<", size, 0), c.compare(">", all_of_them, n)))
        w.before_chance()
        w.out.append(c.ShuffleAndDeal(stock.row, n, size, takers.sets))
        left = w.let("left", c.minus(n, all_of_them))
        stock.put_size(c.ZERO, left)
        if stock.sets is not None:
            stock.put_set(c.ZERO, c.NOBODY)
            with w.count("position", c.ZERO, left) as position:
                stock.put_set(c.ZERO, c.binary("|", stock.set_of(c.ZERO), c.bit(stock.card_at(c.ZERO, position))))
        return True

    def deal(self, statement: s.Deal) -> None:
        w, stock = self.w, self.places.family(statement.source)
        takers = self.places.families[statement.to.type.of]
        index = w.let("index", self.values.needed_place(statement.source))
        n = w.let("n", stock.size_of(index))
        targets = self.sets.listed_now(statement.to)
        if statement.amount is None:
            everyone = c.select(c.compare("<", targets.count, 1), c.ONE, targets.count)
            size = w.let("size", c.binary("//", n, w.let("everyone", everyone)))
        else:
            asked = w.let("asked", self.values.needed(statement.amount).expr)
            size = w.let("size", c.select(c.compare("<", asked, 0), c.ZERO, asked))
            if not statement.up_to:
                w.fail_if(c.compare(">", c.times(size, targets.count), n))
        if takers is stock:
            self.deal_among(stock, index, size, targets)
            return
        notes = self.places.remembers(stock, takers)
        position = w.temp("at")
        w.set(position, c.ZERO)
        with w.count("target", c.ZERO, targets.count) as target:
            to = w.let("to", c.minus(c.load(targets.row, target), takers.base))
            with w.count("i", c.ZERO, size):
                w.out += c.when(c.compare(">=", position, n), [c.Leave()])
                card = w.let("card", stock.card_at(index, position))
                if notes:
                    self.places.set_owner(card, stock.owner(index))
                if stock.sets is not None:
                    stock.put_set(index, c.binary("^", stock.set_of(index), c.bit(card)))
                takers.add_card(to, card)
                w.set(position, c.add(position, 1))
        stock.drop_first(index, position)
        w.lies = {}

    def deal_among(self, family: Family, index: c.Expr, size: c.Expr, targets: Several) -> None:
        """Cards of a place that may be dealt some of them itself: what it gets comes last there."""
        w = self.w
        with w.count("target", c.ZERO, targets.count) as target:
            to = w.let("to", c.minus(c.load(targets.row, target), family.base))
            there = w.let("there", family.size_of(index))
            with w.count("i", c.ZERO, w.let("given", c.select(c.compare("<", there, size), there, size))):
                card = w.let("card", family.card_at(index, c.ZERO))
                family.remove_card(index, card)
                family.add_card(to, card)
        w.lies = {}
