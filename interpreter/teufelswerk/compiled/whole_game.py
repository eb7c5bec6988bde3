"""A core → instructions that play a whole game: steps, loops, turns, the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import assert_never

from teufelswerk.base.limits import MAX_REPEATS, MAX_STEPS
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.actions import Actions
from teufelswerk.compiled.context import ABSENT, Features, Value, Writer
from teufelswerk.compiled.count_events import Ticks
from teufelswerk.compiled.counter_layout import Counters
from teufelswerk.compiled.modes import EFFORT, LOOKED_AT, PASSING, PC, STEPS, WINNERS
from teufelswerk.compiled.places import Places
from teufelswerk.compiled.turns import Turns
from teufelswerk.compiled.values import Values
from teufelswerk.compiled.weighing import Weighed, Weighing
from teufelswerk.compiled.written import Written
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.aim import aim_of
from teufelswerk.core.rounds import round_slot
from teufelswerk.core.walk import all_statements, is_simple
from teufelswerk.interpreter.machine import Layout
from teufelswerk.model import Type


def written(
    core: s.Core,
    layout: Layout,
    resumable: bool = False,
    trail: bool = False,
    counters: Counters | None = None,
    weighed: Weighed | None = None,
) -> Written:
    """A game as instructions. It is written anew until nothing is asked for that is not kept up to date."""
    features = Features(owners=frozenset(core.rules.places) if resumable else frozenset())
    while True:
        flow = Flow(core, layout, features, resumable, trail, counters)
        if weighed is not None:
            flow.turns.tells_moves = True
        flow.whole()
        if weighed is not None:
            flow.weighing = Weighing(flow.w, flow.turns.description, weighed)
            flow.weighing.write()
        asked = flow.w.asked
        found = Features(features.masks | asked.masks, features.where or asked.where, features.owners | asked.owners)
        if found == features:
            standing, weighing = flow.standing, flow.weighing
            return Written(core, layout, flow.w, flow.w.out, flow.places, flow.turns, flow.sites, standing, weighing)
        features = found


class Flow:
    """Writes the flow of the game."""

    def __init__(
        self, core: s.Core, layout: Layout, features: Features, resumable: bool, trail: bool, counters: Counters | None
    ) -> None:
        self.w = w = Writer(core, layout, features, resumable)
        for var in (PC, WINNERS, PASSING, LOOKED_AT, STEPS, *([EFFORT] if resumable else [])):
            w.kept[var.name] = var
        self.places = Places(w)
        self.values = Values(w, self.places)
        self.ticks = Ticks(w, counters)
        self.actions = Actions(w, self.places, self.values, self.ticks)
        slot = round_slot(core) if resumable else None
        self.turns = Turns(w, self.actions, trail, None if slot is None else self.actions.variable(slot, "round"))
        self.sets = self.values.sets
        self._routines: dict[str, c.Routine] = {}
        self._sets: dict[str, frozenset[str]] = {}
        """What has a value after a step, by the step's name."""
        self.calls = Counter(x.step.name for x in all_statements(core) if isinstance(x, s.Call))
        self.weighing: Weighing | None = None
        self.sites: dict[int, tuple[int, int]] = {}
        """By the id of a call: the routine, and how many calls of it were written before."""

    def whole(self) -> None:
        w = self.w
        w.set(PASSING, c.ONE)
        w.set(WINNERS, c.Number(-1))
        self.ticks.begin()
        self.places.begin()
        self.keeps()
        self.call(w.core.game)
        w.set(WINNERS, c.ZERO)
        w.out.append(c.Return(c.ZERO))
        w.out[:0] = [c.Set(held, c.Number(ABSENT)) for held in self.actions.kept()]
        self.standing = self.how_far() if w.resumable else None

    def how_far(self) -> c.Function | None:
        """Gives how far a player has come in what decides the end."""
        aim = aim_of(self.w.core)
        if aim is None:
            return None
        return self.values.definitions.function(f.Definition("standing", aim.slot, aim.by))

    def keeps(self) -> None:
        """What is kept, as it is at the start."""
        w = self.w
        for keep in w.rules.remembered.values():
            at = w.keeps[keep.name]
            initial: c.Expr = c.ZERO if keep.names else c.Number(ABSENT)
            if keep.initial is not None:
                initial = w.let("initial", self.values.needed(w.core.initial[keep.name]).expr)
            if isinstance(at, c.Var):
                w.set(at, initial)
            else:
                with w.count("key", c.ZERO, c.Number(at.size)) as key:
                    w.store(at, key, initial)

    # ---- statements -------------------------------------------------------------------------------------------------

    def block(self, body: s.Block) -> None:
        index = 0
        while index < len(body):
            end = index
            while end < len(body) and is_simple(body[end]):
                end += 1
            if end > index:
                self.actions.block(body[index:end])
                index = end
            else:
                self.statement(body[index])
                index += 1

    def statement(self, statement: s.Doing) -> None:
        match statement:
            case s.Call():
                self.ticks.unit(statement.id)
                self.call(statement)
            case s.Turn():
                self.ticks.unit(statement.id)
                self.turns.turn(statement)
            case s.AtOnce():
                self.turns.at_once(statement)
            case s.Repeat():
                self.repeat(statement)
            case s.Until():
                self.until(statement)
            case s.Each():
                self.each(statement)
            case s.GoRound():
                self.go_round(statement)
            case s.Branch():
                self.actions.branch(statement, self.block)
            case s.Wins():
                self.ticks.unit(statement.id)
                self.wins(statement)
            case s.Goes() | s.Deal() | s.Shuffle() | s.Becomes() | s.Pays() | s.Let() | s.Tell():
                raise AssertionError("this needs no decision")
            case _:
                assert_never(statement)

    def call(self, statement: s.Call) -> None:
        w, step, before = self.w, statement.step, self.w.assigned
        self.ticks.step(step.name)
        if statement.argument is not None:
            argument = self.values.needed(statement.argument)
            variable = self.actions.variable(step.slot, step.name)
            w.set(variable, argument.expr)
        if step.slot >= 0:
            variable = self.actions.variable(step.slot, step.name)
            w.bind(step.slot, w.thing(variable, self.type_of(step)))
        if step.name not in self._routines:
            if self.calls[step.name] > 1:  # it is written once, for wherever it is called
                w.assigned = frozenset()
            routine = c.Routine(w.name(step.name), len(w.routines))
            w.routines.append(routine)
            self._routines[step.name] = routine
            w.lies = {}
            with w.body() as body:
                self.block(step.body)
            routine.body = body
            self._sets[step.name] = w.assigned
            w.assigned |= before
        else:
            w.assigned |= self._sets[step.name]
        routine = self._routines[step.name]
        site = sum(number == routine.number for number, _ in self.sites.values())
        self.sites[statement.id] = routine.number, site
        w.out.append(c.Perform(routine, site))
        w.lies = {}
        self.actions.forget(step.slot)

    def type_of(self, step: s.Step) -> Type:
        parameter = self.w.rules.steps[step.name].parameter
        assert parameter is not None
        return parameter

    # ---- loops ------------------------------------------------------------------------------------------------------

    def repeat(self, statement: s.Repeat) -> None:
        w = self.w
        w.lies, assigned = {}, w.assigned
        times = self.values.needed(statement.times)
        if not w.resumable:
            often = w.let("times", times.expr)
            if times.high is None or times.high > MAX_REPEATS:
                w.fail_if(c.compare(">", often, MAX_REPEATS))
            with w.count("time", c.ZERO, often):
                self.once_more()
                self.block(statement.body)
            w.assigned = assigned
            return
        left = self.actions.variable(statement.left, "left")
        w.set(left, times.expr)
        if times.high is None or times.high > MAX_REPEATS:
            w.fail_if(c.compare(">", left, MAX_REPEATS))
        with w.loop():
            w.out += c.when(c.compare("<=", left, 0), [c.Leave()])
            w.set(left, c.minus(left, 1))
            self.once_more()
            self.block(statement.body)
        w.assigned = assigned
        self.actions.forget(statement.left)

    def until(self, statement: s.Until) -> None:
        w = self.w
        w.lies, assigned = {}, w.assigned
        laps = self.actions.variable(statement.laps, "laps")
        w.set(laps, c.ZERO)
        with w.loop():
            w.out += c.when(w.condition(statement.condition), [c.Leave()])
            self.lap(laps)
            self.block(statement.body)
        w.assigned = assigned
        self.actions.forget(statement.laps)

    def lap(self, laps: c.Var) -> None:
        """Counts the repeats of a loop, which may not go on for ever."""
        self.w.set(laps, c.add(laps, 1))
        self.w.fail_if(c.compare(">", laps, MAX_REPEATS))
        self.once_more()

    def once_more(self) -> None:
        """Loops within loops may not go on for ever either, as long as nobody decides."""
        if not self.turns.counts_steps:
            return
        self.w.set(STEPS, c.add(STEPS, 1))
        self.w.fail_if(c.compare(">", STEPS, MAX_STEPS))

    def each(self, statement: s.Each) -> None:
        w = self.w
        if not w.resumable:
            self.actions.each(statement, lambda: self.block(statement.body))
            return
        w.lies, assigned = {}, w.assigned
        type = statement.items.type.one()
        variable = self.actions.variable(statement.slot, type.kind)
        count, row = self.actions.list_of(statement.rest, "rest", self.members(statement.items))
        position = w.keep("position")
        self.positions[statement.rest] = position
        self.actions.copy(self.sets.listed_now(statement.items), count, row)
        w.set(position, c.ZERO)
        with w.loop():
            w.out += c.when(c.compare(">=", position, count), [c.Leave()])
            w.set(variable, c.load(row, position))
            w.set(position, c.add(position, 1))
            with w.bound(statement.slot, w.thing(variable, type)):
                self.block(statement.body)
        w.assigned = assigned
        w.set(count, c.Number(ABSENT))
        self.actions.forget(statement.slot)

    @property
    def positions(self) -> dict[int, c.Var]:
        """How far a loop that can be taken up has come, by the slot of those whose turn is still to come."""
        return self.w.positions

    def members(self, items: f.Items) -> int:
        """How many members a set can have."""
        if isinstance(items, f.Family):
            return self.places.families[items.place.name].count
        return self.w.choosable(items.type.one())

    def go_round(self, statement: s.GoRound) -> None:
        w = self.w
        w.lies, assigned = {}, w.assigned
        player = self.actions.variable(statement.slot, "player")
        idle, laps = self.actions.variable(statement.idle, "idle"), self.actions.variable(statement.laps, "laps")
        first = self.values.needed(statement.first)
        w.set(player, first.expr)
        w.set(idle, c.ZERO)
        w.set(laps, c.ZERO)
        seat = Value(player, None, 0, w.players - 1)
        w.bind(statement.slot, seat)
        w.bind(statement.idle, Value(idle, None, 0, None))
        with w.loop():
            w.out += c.when(w.condition(statement.condition), [c.Leave()])
            self.lap(laps)
            w.set(PASSING, c.ONE)
            if statement.begin is not None:
                self.actions.becomes(statement.begin)
            self.block(statement.body)
            w.set(idle, c.select(c.compare("!=", PASSING, 0), c.add(idle, 1), c.ZERO))
            w.set(player, self.values.needed(statement.following).expr)
        w.assigned = assigned
        for slot in (statement.slot, statement.idle, statement.laps):
            self.actions.forget(slot)

    # ---- the end ----------------------------------------------------------------------------------------------------

    def wins(self, statement: s.Wins) -> None:
        w = self.w
        best = [w.temp("best") for _ in statement.criteria]
        for so_far in best:
            w.set(so_far, c.ZERO)
        winners = w.temp("winners")
        w.set(winners, c.ZERO)

        def consider(seat: c.Expr) -> None:
            with w.bound(statement.slot, Value(seat, None, 0, w.players - 1)):
                self.consider(statement, seat, best, winners)

        w.each(statement.players, consider)
        everyone = c.Number((1 << w.players) - 1)
        w.set(WINNERS, c.minus(everyone, winners) if statement.lose else winners)
        w.out.append(c.Return(c.ZERO))

    def consider(self, statement: s.Wins, seat: c.Expr, best: Sequence[c.Var], winners: c.Var) -> None:
        """Takes a player among those found so far, or in their place, if nobody has been better."""
        w = self.w
        values = [w.let("value", self.values.needed(by).expr) for _, by in statement.criteria]
        equal: c.Expr = c.compare("!=", winners, 0)
        better: c.Expr = c.compare("==", winners, 0)
        for (highest, _), value, so_far in zip(statement.criteria, values, best, strict=True):
            better = c.either(better, c.both(equal, c.compare(">" if highest else "<", value, so_far)))
            equal = c.both(equal, c.compare("==", value, so_far))
        seat_bit = c.binary("<<", c.ONE, seat)
        then: c.Body = [c.Set(so_far, value) for so_far, value in zip(best, values, strict=True)]
        then.append(c.Set(winners, seat_bit))
        also: c.Body = [c.Set(winners, c.binary("|", winners, seat_bit))]
        w.out += c.when(better, then, c.when(equal, also))
