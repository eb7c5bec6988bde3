"""Statements that need no decision → instructions that change the places and what is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from teufelswerk.base.limits import MAX_NUMBER
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.card_moves import CardMoves
from teufelswerk.compiled.context import ABSENT, Several, Value, Writer
from teufelswerk.compiled.count_events import Ticks
from teufelswerk.compiled.dealing import Dealing
from teufelswerk.compiled.places import Places
from teufelswerk.compiled.values import Values
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s


class Actions:
    """Writes what happens."""

    def __init__(self, w: Writer, places: Places, values: Values, ticks: Ticks) -> None:
        self.w = w
        self.places = places
        self.values = values
        self.sets = values.sets
        self.ticks = ticks
        self.card_moves = CardMoves(w, places, values, ticks)
        self.dealing = Dealing(w, places, values, ticks)
        self.variables: dict[int, c.Var] = {}
        self.lists: dict[int, tuple[c.Var, c.Array]] = {}

    # ---- slots ------------------------------------------------------------------------------------------------------

    def variable(self, slot: int, hint: str) -> c.Var:
        """The variable of a slot; part of the position if it lives on from one decision to the next."""
        if slot not in self.variables:
            kept = self.w.resumable and slot in self.w.core.persistent
            self.variables[slot] = self.w.keep(hint) if kept else self.w.temp(hint)
        return self.variables[slot]

    def list_of(self, slot: int, hint: str, room: int) -> tuple[c.Var, c.Array]:
        """A number and an array for a slot that holds a list."""
        if slot not in self.lists:
            kept = self.w.resumable and slot in self.w.core.persistent
            make = self.w.keep_array if kept else self.w.scratch_array
            count = self.w.keep(f"{hint}_n") if kept else self.w.temp(f"{hint}_n")
            self.lists[slot] = count, make(hint, room)
        return self.lists[slot]

    def forget(self, slot: int) -> None:
        """What a slot held is no longer part of the position."""
        if slot in self.variables and self.variables[slot].kept:
            self.w.set(self.variables[slot], c.Number(ABSENT))

    def kept(self) -> list[c.Var]:
        """What tells of each slot that is part of the position whether it holds anything."""
        return [var for var in (*self.variables.values(), *(n for n, _ in self.lists.values())) if var.kept]

    # ---- statements -------------------------------------------------------------------------------------------------

    def block(self, body: s.Block) -> None:
        """Statements one after the other; a place that is dealt out right after it was shuffled is both in one go."""
        index = 0
        while index < len(body):
            statement, following = body[index], body[index + 1] if index + 1 < len(body) else None
            if (
                isinstance(statement, s.Shuffle)
                and isinstance(following, s.Deal)
                and self.dealing.shuffled_and_dealt(statement, following)
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
                self.card_moves.goes(statement)
            case s.Deal():
                self.dealing.deal(statement)
            case s.Shuffle():
                self.dealing.shuffle(statement)
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
            case s.Call():
                self.call(statement)
            case s.Turn() | s.AtOnce() | s.GoRound() | s.Wins() | s.Repeat() | s.Until():
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

    def call(self, statement: s.Call) -> None:
        """A step that a move calls: nobody decides anything in it, so it is written out there."""
        w, step = self.w, statement.step
        self.ticks.step(step.name)
        if statement.argument is not None:
            argument, variable = self.values.needed(statement.argument), self.variable(step.slot, step.name)
            w.set(variable, argument.expr)
            w.bind(step.slot, w.thing(variable, statement.argument.type))
        self.block(step.body)
        if statement.argument is not None:
            self.forget(step.slot)

    def each(self, statement: s.Each, body: Callable[[], None]) -> None:
        """A loop in which nobody decides. Who takes part in it is settled before it begins."""
        w, type = self.w, statement.items.type.one()
        w.lies, assigned = {}, w.assigned  # what happens in the loop may have moved a card before it begins anew
        variable = self.variable(statement.slot, type.kind)

        def one(item: c.Expr) -> None:
            w.set(variable, item)
            with w.bound(statement.slot, w.thing(variable, type)):
                body()

        if self.stays_as_it_is(statement.items):
            self.sets.each(statement.items, one)
        else:
            found = self.sets.listed_now(statement.items)
            with w.count("position", c.ZERO, found.count) as position:
                one(c.load(found.row, position))
        w.assigned = assigned
        self.forget(statement.slot)

    @staticmethod
    def stays_as_it_is(items: f.Items) -> bool:
        """Whether nothing that happens in a loop can change what it goes through."""
        match items:
            case f.Listed() | f.Numbers() | f.Family():
                return True
            case f.Players() | f.Around():
                return items.out is None
            case f.Only() | f.CardsIn() | f.Joined() | f.Together() | f.EndsOf() | f.Few() | f.Fitting() | f.Subsets():
                return False
            case f.Slot() | f.Defined() | f.If() | f.First() | f.Taken():
                return False
            case _:
                assert_never(items)

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
        is_needed = not statement.target.keep.type.optional
        value = self.ticks.counted(lambda: (self.values.needed if is_needed else self.values.value)(statement.value))
        expr = value.expr if value.present is None else c.select(value.present, value.expr, c.Number(ABSENT))
        if value.low is None or value.high is None or value.low < -MAX_NUMBER or value.high > MAX_NUMBER:
            expr = w.let("value", expr)
            w.fail_if(c.either(c.compare(">", expr, MAX_NUMBER), c.compare("<", expr, -MAX_NUMBER)))
        self.put(statement.target, index, expr)
        if statement.target.key is None and is_needed:
            w.assigned |= {statement.target.keep.name}

    def pays(self, statement: s.Pays) -> None:
        w = self.w
        giver, taker = self.target(statement.payer), self.target(statement.receiver)
        amount = w.let("amount", self.ticks.counted(lambda: self.values.needed(statement.amount)).expr)
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
        value = self.ticks.counted(lambda: self.values.needed(statement.value))
        variable = self.variable(statement.slot, "local")
        w.set(variable, value.expr)
        # a loop may come back to whatever reads a plain value, and find another one there
        known = not isinstance(statement.value, f.Constant)
        w.bind(statement.slot, Value(variable, None, value.low, value.high) if known else w.thing(variable, type))

    def copy(self, found: Several, count: c.Var, row: c.Array) -> None:
        w = self.w
        w.set(count, found.count)
        with w.count("position", c.ZERO, count) as position:
            w.store(row, position, c.load(found.row, c.add(found.start, position)))
