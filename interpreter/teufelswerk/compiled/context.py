"""What all parts of the compiler share: the instructions being written, what each slot holds, tables, functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar

from teufelswerk.analysis.cost_bound import heavy
from teufelswerk.base.limits import MAX_LISTED, MAX_NUMBER, MAX_REPEATS, MAX_WORK_IN_PLAY
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.modes import EFFORT, LOOKS, stop_before_chance
from teufelswerk.core import forms as f
from teufelswerk.core.set_growth import growth_of_choice
from teufelswerk.core.statements import Core
from teufelswerk.core.walk import all_forms, everything_in
from teufelswerk.interpreter.machine import Layout
from teufelswerk.model import Type

Result = TypeVar("Result")
ABSENT = -(1 << 40)
"""Stands for something absent wherever a single number has to tell."""


@dataclass(frozen=True)
class Value:
    """A value of the rules as an expression. `present` tells whether it is there; None: it always is."""

    expr: c.Expr
    present: c.Expr | None = None
    low: int | None = None
    high: int | None = None

    @property
    def is_there(self) -> c.Expr:
        return c.YES if self.present is None else self.present


@dataclass(frozen=True)
class Several:
    """A list in a slot: how many things, and an array that holds them from a position on."""

    count: c.Expr
    row: c.Array
    start: c.Expr
    cards: c.Expr | None = None
    """The same as a mask, if that is known too."""


@dataclass(frozen=True)
class Origin:
    """Where a card surely lies: a family of places, and which of them, if that is known too."""

    family: str
    index: c.Expr | None = None


@dataclass
class Features:
    """What has to be kept up to date because something asks for it. Found by writing the game, then written anew."""

    masks: frozenset[str] = frozenset()
    """Families whose cards lie in order and are also asked for as a set."""
    where: bool = False
    owners: frozenset[str] = frozenset()
    """Families of nobody's places in which it is remembered whose each card was."""


Use: TypeAlias = Callable[[c.Expr], None]
"""What is written for each member of a set."""


class Each(Protocol):
    def __call__(self, items: f.Items, use: Use, any_order: bool = False) -> None: ...


class Writer:
    """One compilation, for one number of players."""

    value: Callable[[f.Expr], Value]
    condition: Callable[[f.Expr], c.Expr]
    place: Callable[[f.Expr], tuple[c.Expr, c.Expr | None]]
    """The position of a place in its family, and whether there is such a place."""
    is_out: Callable[[f.Definition, c.Expr], c.Expr]
    is_small: Callable[[f.Definition], bool]
    guarded: Callable[[c.Expr, c.Expr | None], c.Expr]
    each: Each

    def __init__(self, core: Core, layout: Layout, features: Features, resumable: bool) -> None:
        self.core = core
        self.rules = core.rules
        self.layout = layout
        self.players = layout.players
        self.cards = len(core.rules.cards)
        self.all = c.Number((1 << self.cards) - 1, "m")
        self.features = features
        self.asked = Features()
        """What this writing asks for."""
        self.resumable = resumable
        self.counts_all = heavy(core.rules) is not None
        sets = any(isinstance(form, f.Subsets) for form in all_forms(core)) or any(
            choice.several and growth_of_choice(move, choice, core.rules).condition is not None
            for move in core.moves.values()
            for choice in move.choices
        )
        self.work = c.Array("work", 1, kept=True) if self.counts_all or sets else None
        """Counts what is looked at for one decision, in games where that can be too much; or only sets of cards."""
        self.out: c.Body = []
        self.slots: dict[int, Value | Several] = {}
        self.kept: dict[str, c.Var | c.Array] = {"work": self.work} if self.work else {}
        """Everything that is part of a position, by name."""
        self.scratch: dict[str, c.Array] = {}
        self.tables: dict[tuple[c.Kind, tuple[int, ...]], c.Array] = {}
        self.functions: dict[f.Definition, c.Function] = {}
        self.routines: list[c.Routine] = []
        self.failing = False
        """Whether what is being written may find the rules at fault."""
        self.stopping = False
        """Whether what is being written may be too much work, which is no fault where it is asked early."""
        self.trusting = False
        """Whether what is being written is only asked for to judge a position: nothing of it is checked or counted."""
        self.positions: dict[int, c.Var] = {}
        """How far a loop that can be taken up has come, by the slot of those whose turn is still to come."""
        self.known: dict[f.Definition, c.Expr] | None = None
        """While nothing changes: conditions that have been worked out already."""
        self.told: dict[tuple[f.Definition, Several], Value] | None = None
        """While a value is worked out: what has been told already of sets of cards."""
        self.counted = False
        """Whether what is being written is a value whose branches are counted."""
        self.count_branch: Callable[[int], None] = lambda id: None
        self.assigned: frozenset[str] = frozenset()
        """What is kept once, and surely has a value where something is being written."""
        self._names: dict[str, int] = {}
        self.lies: dict[int, Origin] = {}
        """For slots that hold a card: where it surely lies. For those that hold an end: a card surely lies there."""
        self.ends: dict[c.Expr, tuple[c.Expr, c.Expr]] = {}
        """For ends that are gone through: the position of the place in its family, and the side."""
        self.sets: dict[c.Expr, Several] = {}
        """For sets of cards that are gone through: their cards."""
        self.keeps = {
            keep.name: self.keep(keep.name)
            if keep.key is None
            else self.keep_array(keep.name, len(layout.keys(keep.key)))
            for keep in core.rules.remembered.values()
        }
        self.always_set = frozenset(
            keep.name for keep in core.rules.remembered.values() if keep.names or keep.initial is not None
        )

    def before_chance(self) -> None:
        """A game that is played on in somebody's head ends where nobody can know how it goes on."""
        if self.resumable:
            self.out += stop_before_chance()

    # ---- names ------------------------------------------------------------------------------------------------------

    def name(self, hint: str) -> str:
        base = re.sub(r"[^a-z0-9_]", "_", hint.lower())
        number = self._names.get(base, 0)
        self._names[base] = number + 1
        return f"{base}_{number}" if number else f"{base}_"

    def temp(self, hint: str, kind: c.Kind = "i") -> c.Var:
        return c.Var(self.name(hint), kind)

    def keep(self, hint: str, kind: c.Kind = "i") -> c.Var:
        found = c.Var(self.name(hint), kind, True)
        self.kept[found.name] = found
        return found

    def keep_array(self, hint: str, size: int, kind: c.Kind = "i", first: int = 0) -> c.Array:
        found = c.Array(self.name(hint), max(size, 1), kind, True, first=first)
        self.kept[found.name] = found
        return found

    def scratch_array(self, hint: str, size: int, kind: c.Kind = "i") -> c.Array:
        found = c.Array(self.name(hint), max(size, 1), kind)
        self.scratch[found.name] = found
        return found

    def table(self, hint: str, values: Iterable[int], kind: c.Kind = "i") -> c.Array:
        """A table with these values; the same one for the same values."""
        found = tuple(values)
        if (kind, found) not in self.tables:
            self.tables[kind, found] = c.Array(self.name(f"t_{hint}"), len(found), kind, values=found)
        return self.tables[kind, found]

    # ---- writing ----------------------------------------------------------------------------------------------------

    def set(self, var: c.Var, value: c.Expr) -> None:
        if var != value:
            self.out.append(c.Set(var, value))

    def store(self, array: c.Array, index: c.Expr, value: c.Expr) -> None:
        self.out.append(c.Store(array, index, value))

    def let(self, hint: str, value: c.Expr) -> c.Expr:
        """The same value, worked out now, and cheap to say again."""
        if c.is_simple(value):
            return value
        var = self.temp(hint, value.kind)
        self.set(var, value)
        return var

    def aside(self, write: Callable[[], c.Expr]) -> tuple[c.Body, c.Expr]:
        """What has to be done to get a value, not written yet, and the value."""
        with self.body() as inner:
            found = write()
        return inner, found

    def aside_value(self, write: Callable[[], Value]) -> tuple[c.Body, Value]:
        with self.body() as inner:
            found = write()
        return inner, found

    @contextmanager
    def body(self) -> Iterator[c.Body]:
        """Instructions that the caller puts somewhere; what is worked out there is not known elsewhere."""
        outer, self.out = self.out, []
        known = None if self.known is None else dict(self.known)
        told = None if self.told is None else dict(self.told)
        try:
            yield self.out
        finally:
            self.out, self.known, self.told = outer, known, told

    @contextmanager
    def when(self, condition: c.Expr) -> Iterator[None]:
        with self.body() as inside:
            yield
        self.out += c.when(condition, inside)

    @contextmanager
    def loop(self) -> Iterator[None]:
        with self.body() as inside:
            yield
        self.out.append(c.Loop(inside))

    @contextmanager
    def count(self, hint: str, first: c.Expr, stop: c.Expr) -> Iterator[c.Var]:
        var = self.temp(hint)
        with self.body() as inside:
            yield var
        self.out.append(c.Count(var, first, stop, inside))

    @contextmanager
    def each_card(self, cards: c.Expr) -> Iterator[c.Var]:
        var = self.temp("card")
        with self.body() as inside:
            yield var
        self.out.append(c.Cards(var, cards, inside))

    def look(self, amount: c.Expr) -> None:
        """So many things are gone through. The reference counts more than this, so it finds the same fault."""
        if self.counts_all:
            self.look_at_sets(amount)

    def look_at_sets(self, amount: c.Expr) -> None:
        """More sets of cards are tried: how many there are is not told by how many cards there are."""
        if self.work is not None and not self.trusting:
            self.store(self.work, c.ZERO, c.add(c.load(self.work, c.ZERO), amount))
            self.out += c.when(c.compare(">", c.load(self.work, c.ZERO), MAX_WORK_IN_PLAY), [c.Fail()])
            self.stopping = True

    def rest(self) -> None:
        """A decision begins, or is made: what is looked at is counted anew."""
        if self.work is None:
            return
        if self.resumable:
            self.set(EFFORT, c.add(EFFORT, c.binary("//", c.load(self.work, c.ZERO), c.Number(LOOKS))))
        self.store(self.work, c.ZERO, c.ZERO)

    def fail_if(self, condition: c.Expr) -> None:
        self.out += c.when(condition, [c.Fail()])
        self.failing = True

    def is_harmless(self, form: f.Expr) -> bool:
        """Whether to ask for a condition is never a fault, and draws no lot."""
        if any(isinstance(part, f.Drawn) for part in everything_in(form)):
            return False
        failing, self.failing = self.failing, False
        with self.body():
            self.condition(form)
        harmless, self.failing = not self.failing, failing
        return harmless

    def uncounted(self, write: Callable[[], Result]) -> Result:
        """Something whose branches are not counted: how often it is tried is up to the engine."""
        outer, self.counted = self.counted, False
        found = write()
        self.counted = outer
        return found

    @contextmanager
    def bound(self, slot: int, value: Value | Several, lies: Origin | None = None) -> Iterator[None]:
        """While a slot holds something."""
        before, lay = self.slots.get(slot), self.lies.get(slot)
        self.bind(slot, value, lies)
        yield
        if before is None:
            self.slots.pop(slot, None)
        else:
            self.slots[slot] = before
        self.lies.pop(slot, None)
        if lay is not None:
            self.lies[slot] = lay

    def bind(self, slot: int, value: Value | Several, lies: Origin | None = None) -> None:
        self.slots[slot] = value
        self.lies.pop(slot, None)
        if lies is not None:
            self.lies[slot] = lies

    # ---- what values can be -----------------------------------------------------------------------------------------

    def bounds(self, type: Type) -> tuple[int | None, int | None]:
        match type.kind:
            case "player":
                return 0, self.players - 1
            case "card":
                return 0, self.cards - 1
            case "name":
                return 0, len(self.rules.names[type.of]) - 1
            case "number":
                return -MAX_NUMBER, MAX_NUMBER
            case "place":
                return 0, len(self.layout.place_names) - 1
            case "end":
                return 0, 2 * len(self.layout.place_names) - 1
            case "truth":
                return 0, 1
            case "set":
                return None, None

    def thing(self, expr: c.Expr, type: Type) -> Value | Several:
        """Something of a type, which is there."""
        if type.kind == "set":
            return self.sets[expr]
        return Value(expr, None, *self.bounds(type))

    def choosable(self, type: Type) -> int:
        """How many things of a type there can be in a set."""
        if type.kind == "number":
            return max(MAX_LISTED, MAX_REPEATS)
        high = self.bounds(type)[1]
        assert high is not None
        return high + 1

    def attribute(self, name: str) -> list[int | None]:
        return self.rules.on_cards(name)


def joined(first: Value, second: Value | None) -> tuple[int | None, int | None]:
    """Between what one of two values lies."""
    if second is None:
        return first.low, first.high
    low = None if first.low is None or second.low is None else min(first.low, second.low)
    high = None if first.high is None or second.high is None else max(first.high, second.high)
    return low, high
