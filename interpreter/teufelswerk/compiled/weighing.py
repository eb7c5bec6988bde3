"""Learned weights → a function that says what the move made last promises: numbers of it, weighed and added up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import ABSENT, Several, Value, Writer
from teufelswerk.compiled.modes import WINNERS
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.features import WON, Feature, Features
from teufelswerk.core.walk import everything_in

Weighed: TypeAlias = Mapping[str, Iterable[str]]
"""By move, the names of the numbers that are weighed; all that there are if no move is named."""


class Weighing:
    """Where the weights stand, and the numbers that were weighed last; `rows` says which they are, move by move."""

    def __init__(self, w: Writer, description: c.Array | None, weighed: Weighed) -> None:
        assert description is not None
        self.w = w
        self.description = description
        self.weighed = weighed
        self.features = Features(w.core)
        self.rows: dict[str, list[str]] = {}
        self.first: dict[str, int] = {}
        """Where the weights of a move begin."""
        self.function = c.Function(w.name("score"), (w.temp("seat"),), "i")
        self.made: dict[str, c.Expr] = {}

    def write(self) -> None:
        w = self.w
        slots, lies, assigned, failing, stopping = w.slots, w.lies, w.assigned, w.failing, w.stopping
        (seat,) = self.function.parameters
        w.trusting = True
        total, verb = w.temp("total"), w.temp("verb")
        sums: list[tuple[int, c.Body, list[c.Expr]]] = []
        first = 0
        for number, move in enumerate(w.core.moves.values()):
            w.slots, w.lies = {self.features.me: Value(seat, None, 0, w.players - 1)}, {}
            w.assigned = frozenset(w.keeps)
            with w.body() as body:
                self.bind(move)
                found = self.numbers(move)
            self.rows[move.name], self.first[move.name] = list(found), first
            first += len(found)
            sums.append((number, body, list(found.values())))
        self.weights = w.scratch_array("weights", first)
        self.numbers_found = w.scratch_array("numbers", max((len(row) for row in self.rows.values()), default=0))
        with w.body() as whole:
            w.set(total, c.ZERO)
            w.set(verb, c.load(self.description, c.ONE))
            for (number, body, numbers), first in zip(sums, self.first.values(), strict=True):
                for index, value in enumerate(numbers):
                    weight = c.load(self.weights, c.Number(first + index))
                    body.append(c.Store(self.numbers_found, c.Number(index), value))
                    body.append(c.Set(total, c.add(total, c.binary("*", value, weight))))
                w.out += c.when(c.compare("==", verb, number), body)
            w.out.append(c.Return(total))
        self.function.body = whole
        w.slots, w.lies, w.assigned, w.trusting = slots, lies, assigned, False
        w.failing, w.stopping = failing, stopping

    def bind(self, move: s.Move) -> None:
        """What was chosen, as it was told."""
        w, at = self.w, self.w.temp("at")
        w.set(at, c.Number(2))
        for choice in move.choices:
            if choice.several:
                count = w.let("count", c.load(self.description, at))
                start = w.temp("start")
                w.set(start, c.add(at, 1))
                w.bind(choice.slot, Several(count, self.description, start))
                w.set(at, c.add(start, count))
            else:
                w.bind(choice.slot, w.thing(w.let("picked", c.load(self.description, at)), choice.type))
                w.set(at, c.add(at, 1))

    # ---- numbers ----------------------------------------------------------------------------------------------------

    def numbers(self, move: s.Move) -> dict[str, c.Expr]:
        """What is weighed of a move, worked out: whatever it can be said of."""
        every = self.features.of(move)
        wanted = self.weighed.get(move.name, ())
        names = list(every) if not self.weighed else [name for name in wanted if name in every]
        self.made = {}
        found: dict[str, c.Expr] = {}
        for name in names:
            value = self.number(every, every[name])
            if value is not None:
                found[name] = value
        return found

    def number(self, every: Mapping[str, Feature], feature: Feature) -> c.Expr | None:
        if feature.name in self.made:
            return self.made[feature.name]
        value: c.Expr | None
        if feature.parts:
            value = c.ONE
            for part in feature.parts:
                factor = self.number(every, every[part])
                if factor is None:
                    return None
                value = c.binary("*", value, factor)
        elif feature.name == WON:
            (seat,) = self.function.parameters
            bit = c.binary("&", c.binary(">>", WINNERS, seat), c.ONE)
            value = c.select(c.compare(">=", WINNERS, 0), bit, c.ZERO)
        elif feature.value is None:
            return c.ONE
        else:
            value = self.asked(feature.value)
        if value is not None:
            value = self.made[feature.name] = self.w.let("number", value)
        return value

    def asked(self, form: f.Expr) -> c.Expr | None:
        """The value of a form, 0 where there is none; None if to ask for it may find the rules at fault."""
        w = self.w
        functions, value = dict(w.functions), w.temp("value")
        w.failing = w.stopping = False
        with w.body() as body:
            found = w.value(form)
            w.out += c.when(found.is_there, [c.Set(value, found.expr)])
        if w.failing or w.stopping:
            w.functions = functions
            return None
        w.set(value, c.ZERO)
        w.out += c.when(c.both(*(c.compare("!=", kept, ABSENT) for kept in self.unset(form))), body)
        return value

    def unset(self, form: f.Expr) -> list[c.Expr]:
        """What is kept and may not have been set yet, of all that is asked for."""
        w = self.w
        found: list[c.Expr] = []
        for part in everything_in(form):
            if not isinstance(part, f.Kept) or part.keep.name in w.always_set:
                continue
            at = w.keeps[part.keep.name]
            if isinstance(at, c.Array):
                found += [c.load(at, c.Number(index)) for index in range(at.size)]
            elif at not in found:
                found.append(at)
        return found
