"""Statements that need no decision → instructions that change the places and what is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import ABSENT, Origin, Several, Value, Writer
from teufelswerk.compiled.places import Family, Places
from teufelswerk.compiled.ticks import Ticks
from teufelswerk.compiled.values import Values
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.limits import MAX_NUMBER


class Actions:
    """Writes what happens."""

    def __init__(self, w: Writer, places: Places, values: Values, ticks: Ticks) -> None:
        self.w = w
        self.places = places
        self.values = values
        self.sets = values.sets
        self.ticks = ticks
        self._variables: dict[int, c.Var] = {}
        self._lists: dict[int, tuple[c.Var, c.Array]] = {}

    # ---- slots ------------------------------------------------------------------------------------------------------

    def variable(self, slot: int, hint: str) -> c.Var:
        """The variable of a slot; part of the position if it lives on from one decision to the next."""
        if slot not in self._variables:
            kept = self.w.resumable and slot in self.w.core.persistent
            self._variables[slot] = self.w.keep(hint) if kept else self.w.temp(hint)
        return self._variables[slot]

    def list_of(self, slot: int, hint: str, room: int) -> tuple[c.Var, c.Array]:
        """A number and an array for a slot that holds a list."""
        if slot not in self._lists:
            kept = self.w.resumable and slot in self.w.core.persistent
            make = self.w.keep_array if kept else self.w.scratch_array
            count = self.w.keep(f"{hint}_n") if kept else self.w.temp(f"{hint}_n")
            self._lists[slot] = count, make(hint, room)
        return self._lists[slot]

    def forget(self, slot: int) -> None:
        """What a slot held is no longer part of the position."""
        if slot in self._variables and self._variables[slot].kept:
            self.w.set(self._variables[slot], c.Number(ABSENT))

    # ---- statements -------------------------------------------------------------------------------------------------

    def block(self, body: s.Block) -> None:
        """Statements one after the other; a place that is dealt out right after it was shuffled is both in one go."""
        index = 0
        while index < len(body):
            statement, following = body[index], body[index + 1] if index + 1 < len(body) else None
            if (
                isinstance(statement, s.Shuffle)
                and isinstance(following, s.Deal)
                and self.shuffled_and_dealt(statement, following)
            ):
                index += 1
            else:
                self.statement(statement)
            index += 1

    def statement(self, statement: s.Doing) -> None:
        if not isinstance(statement, (s.Branch, s.Each, s.Tell)):
            self.ticks.unit(statement.id)
        match statement:
            case s.Goes():
                self.goes(statement)
            case s.Deal():
                self.deal(statement)
            case s.Shuffle():
                self.shuffle(statement)
            case s.Becomes():
                self.becomes(statement)
            case s.Pays():
                self.pays(statement)
            case s.Let():
                self.let(statement)
            case s.Tell():
                pass
            case s.Branch():
                self.branch(statement, self.block)
            case s.Each():
                self.each(statement, lambda: self.block(statement.body))
            case s.Turn() | s.AtOnce() | s.Call() | s.GoRound() | s.Wins() | s.Repeat() | s.Until():
                raise AssertionError("this belongs to the flow of the game")
            case _:
                assert_never(statement)

    def branch(self, statement: s.Branch, block: Callable[[s.Block], None]) -> None:
        w = self.w
        condition = w.condition(statement.condition)
        lies, assigned = dict(w.lies), w.assigned
        with w.body() as then:
            self.ticks.unit(statement.id)
            block(statement.then)
        w.lies, w.assigned, after = lies, assigned, w.assigned
        with w.body() as otherwise:
            self.ticks.unit(statement.else_id)
            block(statement.otherwise)
        w.assigned &= after
        w.out += c.when(condition, then, otherwise)
        w.lies = {}

    def each(self, statement: s.Each, body: Callable[[], None]) -> None:
        """A loop in which nobody decides. Who takes part in it is settled before it begins."""
        w, type = self.w, statement.items.type.one()
        w.lies, assigned = {}, w.assigned  # what happens in the loop may have moved a card before it begins anew
        variable = self.variable(statement.slot, type.kind)

        def one(item: c.Expr) -> None:
            w.set(variable, item)
            with w.bound(statement.slot, w.thing(variable, type)):
                body()

        items = statement.items
        if isinstance(items, (f.Players, f.Around)) and items.out is not None:
            found = self.sets.listed_now(items)
            with w.count("position", c.ZERO, found.count) as position:
                one(c.load(found.row, position))
        else:
            self.sets.each(items, one)
        w.assigned = assigned
        self.forget(statement.slot)

    # ---- what is kept -----------------------------------------------------------------------------------------------

    def put(self, target: f.Kept, index: c.Expr | None, value: c.Expr) -> None:
        at = self.w.keeps[target.keep.name]
        if isinstance(at, c.Var):
            self.w.set(at, value)
        else:
            assert index is not None
            self.w.store(at, index, value)

    def target(self, form: f.Kept) -> c.Expr | None:
        index, present = self.values.keep_index(form)
        if present is not None:
            self.w.fail_if(c.inverse(present))
        return None if index is None else self.w.let("index", index)

    def becomes(self, statement: s.Becomes) -> None:
        w = self.w
        index = self.target(statement.target)
        value = self.ticks.counted(self.values, lambda: self.values.needed(statement.value))
        expr = value.expr
        if value.low is None or value.high is None or value.low < -MAX_NUMBER or value.high > MAX_NUMBER:
            expr = w.let("value", expr)
            w.fail_if(c.either(c.compare(">", expr, MAX_NUMBER), c.compare("<", expr, -MAX_NUMBER)))
        self.put(statement.target, index, expr)
        if statement.target.key is None:
            w.assigned |= {statement.target.keep.name}

    def pays(self, statement: s.Pays) -> None:
        w = self.w
        giver, taker = self.target(statement.payer), self.target(statement.receiver)
        amount = w.let("amount", self.ticks.counted(self.values, lambda: self.values.needed(statement.amount)).expr)
        has = w.let("has", self.held(statement.payer, giver))
        paid = self.variable(statement.slot, "paid")
        w.set(paid, c.select(c.compare("<", amount, has), amount, has))
        w.out += c.when(c.compare("<", paid, 0), [c.Set(paid, c.ZERO)])
        self.put(statement.payer, giver, c.minus(has, paid))
        self.put(statement.receiver, taker, c.add(self.held(statement.receiver, taker), paid))
        w.bind(statement.slot, Value(paid, None, 0, MAX_NUMBER))
        self.ticks.paid(statement, paid)

    def held(self, form: f.Kept, index: c.Expr | None) -> c.Expr:
        """A number that is kept; one that was never set counts nothing."""
        expr = self.values.kept_at(form.keep.name, index)
        if form.keep.name in self.w.always_set:
            return expr
        return c.select(c.compare("==", expr, ABSENT), c.ZERO, expr)

    def let(self, statement: s.Let) -> None:
        w, type = self.w, statement.value.type
        if type.many:
            count, row = self.list_of(statement.slot, "list", w.choosable(type.one()))
            found = self.sets.listed_now(statement.value)  # type: ignore[arg-type]
            self.copy(found, count, row)
            w.bind(statement.slot, Several(count, row, c.ZERO))
            return
        value = self.ticks.counted(self.values, lambda: self.values.needed(statement.value))
        variable = self.variable(statement.slot, "local")
        w.set(variable, value.expr)
        w.bind(statement.slot, Value(variable, None, value.low, value.high))

    def copy(self, found: Several, count: c.Var, row: c.Array) -> None:
        w = self.w
        w.set(count, found.count)
        with w.count("position", c.ZERO, count) as position:
            w.store(row, position, c.load(found.row, c.add(found.start, position)))

    # ---- cards ------------------------------------------------------------------------------------------------------

    def destination(self, form: f.Expr) -> tuple[Family, c.Expr, c.Expr | None]:
        """A family, which of its places, and for an end whether it is the top one."""
        w, family = self.w, self.places.family(form)
        if form.type.kind == "end":
            index, side, _ = self.values.end(form)
            return family, w.let("to", index), w.let("side", side)
        index, _ = w.place(form)
        return family, w.let("to", index), None

    def goes(self, statement: s.Goes) -> None:
        w, cards = self.w, statement.cards
        if isinstance(cards, f.Only) and cards.type.kind == "card":
            self.one_goes(statement, cards.item)
            return
        if isinstance(cards, f.CardsIn) and isinstance(cards.places, f.Only):
            origin = self.places.families[cards.places.type.of]
            index = w.let("from", self.needed_place(cards.places.item))
            family, to, side = self.destination(statement.to)
            if side is None and not family.ordered:
                self.all_go(statement, origin, index, family, to)
                return
        known = self.sets.lies(cards)
        everywhere = self.sets.mask(cards, False) if known is None else None
        if everywhere is not None:
            self.from_everywhere(statement, w.let("cards", everywhere))
            return
        found = self.sets.listed_now(cards)
        family, to, side = self.destination(statement.to)
        if isinstance(cards, f.CardsIn):
            self.emptied(statement, cards, to)
        with w.count("position", c.ZERO, found.count) as position:
            card = w.let("card", c.load(found.row, c.add(found.start, position)))
            self.ticks.moved(statement, family, card)
            self.take(card, known, family)
            self.lay(family, to, side, card)
        w.lies = {}

    def emptied(self, statement: s.Goes, cards: f.CardsIn, to: c.Expr) -> None:
        """All cards of some places are about to go."""
        origin = self.places.families[cards.places.type.of]
        if self.ticks.watches(origin):
            base = origin.base
            self.sets.each(
                cards.places, lambda place: self.ticks.emptied_place(statement, origin, c.minus(place, base), to)
            )

    def from_everywhere(self, statement: s.Goes, cards: c.Expr) -> None:
        """Cards go, in their order, from wherever they lie."""
        w = self.w
        family, to, side = self.destination(statement.to)
        self.places.take_all(cards, family)
        with w.each_card(cards) as card:
            self.ticks.moved(statement, family, card)
            self.lay(family, to, side, card)
        w.lies = {}

    def needed_place(self, form: f.Expr) -> c.Expr:
        index, present = self.w.place(form)
        if present is not None:
            self.w.fail_if(c.inverse(present))
        return index

    def one_goes(self, statement: s.Goes, form: f.Expr) -> None:
        w = self.w
        known = self.sets.lies(form)
        card = w.let("card", self.values.needed(form).expr)
        family, to, side = self.destination(statement.to)
        self.ticks.moved(statement, family, card)
        self.take(card, known, family)
        self.lay(family, to, side, card)
        self.ticks.put(statement, to, card)
        # the same card may be known by another name, which must not be looked for where it lay
        w.lies = {slot: lies for slot, lies in w.lies.items() if known is not None and lies.family != known.family}
        if isinstance(form, f.Slot):
            w.lies[form.slot] = Origin(family.name, to)

    def take(self, card: c.Expr, known: Origin | None, to: Family) -> None:
        if known is not None and known.index is not None:
            family = self.places.families[known.family]
            self.places.take(card, family, known.index, to)
        else:
            self.places.take_from_anywhere(card, to)

    def lay(self, family: Family, to: c.Expr, side: c.Expr | None, card: c.Expr) -> None:
        w = self.w
        if side is None or (isinstance(side, c.Number) and side.value == 1):
            family.add_card(to, card)
            return
        with w.body() as top:
            family.add_card(to, card)
        with w.body() as bottom:
            family.add_card(to, card, bottom=True)
        w.out += c.when(c.compare("==", side, 1), top, bottom)

    def all_go(self, statement: s.Goes, origin: Family, index: c.Expr, family: Family, to: c.Expr) -> None:
        """All cards of a place go to a place that is a set."""
        w = self.w
        notes = self.places.remembers(origin, family)
        follow = notes or self.places.where is not None or self.ticks.follows(statement)
        self.ticks.emptied_place(statement, origin, index, to)
        if follow or (origin.ordered and origin.sets is None):
            cards = w.temp("cards", "m")
            w.set(cards, c.NOBODY)

            def one(card: c.Expr) -> None:
                w.set(cards, c.binary("|", cards, c.bit(card)))
                self.ticks.moved(statement, family, card)
                if notes:
                    self.places.set_owner(card, index)
                family.arrived(to, card)

            if origin.ordered:
                with w.count("position", c.ZERO, w.let("n", origin.size_of(index))) as position:
                    one(w.let("card", origin.card_at(index, position)))
            else:
                with w.each_card(w.let("all", origin.set_of(index))) as card:
                    one(card)
            found: c.Expr = cards
        else:
            found = w.let("cards", origin.set_of(index))
        origin.put_set(index, c.NOBODY)
        origin.put_size(index, c.ZERO)
        family.put_set(to, c.binary("|", family.set_of(to), found))
        w.lies = {}

    # ---- shuffling and dealing --------------------------------------------------------------------------------------

    def shuffle(self, statement: s.Shuffle) -> None:
        w, family = self.w, self.places.family(statement.place)
        index = w.let("index", self.needed_place(statement.place))
        n = w.let("n", family.size_of(index))
        assert family.row is not None
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
        index = w.let("index", self.needed_place(statement.source))
        n = w.let("n", stock.size_of(index))
        size: c.Expr | None = None
        if statement.amount is not None:
            asked = w.let("asked", self.values.needed(statement.amount).expr)
            size = w.let("size", c.select(c.compare("<", asked, 0), c.ZERO, asked))
        targets = self.sets.listed_now(statement.to)
        if size is None:
            everyone = c.select(c.compare("<", targets.count, 1), c.ONE, targets.count)
            size = w.let("size", c.binary("//", n, w.let("everyone", everyone)))
        elif not statement.up_to:
            w.fail_if(c.compare(">", c.times(size, targets.count), n))
        notes = self.places.remembers(stock, takers)
        cards, position = w.scratch_array("dealt", w.cards), w.temp("at")
        with w.count("i", c.ZERO, n) as i:
            w.store(cards, i, stock.card_at(index, i))
        w.set(position, c.ZERO)
        if stock.sets is not None:
            stock.put_set(index, c.NOBODY)
        stock.put_size(index, c.ZERO)
        with w.count("target", c.ZERO, targets.count) as target:
            to = w.let("to", c.minus(c.load(targets.row, target), takers.base))
            with w.count("i", c.ZERO, size):
                w.out += c.when(c.compare(">=", position, n), [c.Leave()])
                card = w.let("card", c.load(cards, position))
                if notes:
                    self.places.set_owner(card, index)
                takers.add_card(to, card)
                w.set(position, c.add(position, 1))
        with w.count("i", position, n) as i:  # what is left over
            stock.add_card(index, c.load(cards, i))
        w.lies = {}
