"""Definitions → values: written out where they are used, or functions that are written once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import ABSENT, Several, Value, Writer
from teufelswerk.compiled.sets import Sets
from teufelswerk.core import forms as f
from teufelswerk.core.absence import may_be_absent
from teufelswerk.core.walk import all_forms, called, everything_in, parts

SMALL = 14
"""A definition of at most so many forms is written out where it is used."""
LARGE = 300
"""... where functions that check what they do are of no use."""


class Definitions:
    """Writes what has a name."""

    def __init__(self, w: Writer, sets: Sets) -> None:
        self.w = w
        self.sets = sets
        self.sizes: dict[f.Definition, int] = {}
        self.uses = Counter(definition for form in all_forms(w.core) for definition in called(form))
        w.is_small = self.written_out

    def defined(self, form: f.Defined) -> Value:
        definition = form.definition
        if form.argument is not None and form.argument.type.many:
            return self.of_set(form)
        argument = self.w.value(form.argument) if form.argument is not None else None
        if argument is None or argument.present is None:
            return self.call(definition, argument)
        return self.only_if(argument.present, lambda: self.call(definition, argument))

    def of_set(self, form: f.Defined) -> Value:
        """What is asked of a set of cards; of the same set in the same position it is worked out once."""
        w, definition = self.w, form.definition
        begins = w.told is None
        if w.told is None:
            w.told = {}
        with self.sets.asked_of(form):
            several = w.slots[definition.slot]
            assert isinstance(several, Several)
            found = w.told.get((definition, several))
            if found is None:
                found = w.value(definition.value)
                if not w.counted and not any(isinstance(part, f.Drawn) for part in everything_in(definition.value)):
                    there = None if found.present is None else w.let("there", found.present)
                    found = Value(w.let("told", found.expr), there, found.low, found.high)
                    w.told[definition, several] = found
        if begins:
            w.told = None
        return found

    def only_if(self, present: c.Expr, write: Callable[[], Value]) -> Value:
        """A value that is there only where something else is."""
        w = self.w
        inside, found = w.aside_value(write)
        if not inside:
            return Value(found.expr, c.both(present, found.present), found.low, found.high)
        var, there = w.temp("value", found.expr.kind), w.temp("there", "b")
        w.set(there, c.NO)
        w.set(var, c.Number(0, found.expr.kind))
        inside += [*c.when(found.is_there, [c.Set(var, found.expr), c.Set(there, c.YES)])]
        w.out += c.when(present, inside)
        return Value(var, there, found.low, found.high)

    def size(self, definition: f.Definition) -> int:
        """How many forms a definition has, those that it names included."""
        if definition not in self.sizes:
            self.sizes[definition] = 0
            total, stack = 0, [definition.value]
            while stack:
                form = stack.pop()
                total += 1
                stack += parts(form)
                if isinstance(form, f.Defined):
                    total += self.size(form.definition)
            self.sizes[definition] = total
        return self.sizes[definition]

    def call(self, definition: f.Definition, argument: Value | None) -> Value:
        """The value of a definition: written out if it is small, else asked of a function that is written once."""
        counts = self.w.counted and any(isinstance(part, f.Taken) for part in everything_in(definition.value))
        draws = any(isinstance(part, f.Drawn) for part in everything_in(definition.value))
        if counts or draws or self.written_out(definition):
            if argument is None:
                return self.w.value(definition.value)
            given = Value(self.w.let("given", argument.expr), None, argument.low, argument.high)
            with self.w.bound(definition.slot, given):
                return self.w.value(definition.value)
        function = self.function(definition)
        self.w.failing = self.w.failing or function.fails
        self.w.stopping = self.w.stopping or function.stops
        answer = self.w.temp(definition.name)
        self.w.set(answer, c.Ask(function, () if argument is None else (argument.expr,)))
        low, high = self.w.bounds(definition.value.type)
        present = c.compare("!=", answer, ABSENT) if may_be_absent(definition.value) else None
        return Value(answer, present, low, high)

    def written_out(self, definition: f.Definition) -> bool:
        most = LARGE if self.w.trusting else SMALL
        return self.size(definition) <= most or self.uses[definition] == 1

    def function(self, definition: f.Definition) -> c.Function:
        w = self.w
        if definition not in w.functions:
            has_parameter = definition.slot >= 0
            parameter = w.temp(definition.name)
            function = c.Function(w.name(definition.name), (parameter,) if has_parameter else (), "i")
            w.functions[definition] = function
            slots, lies, counted, assigned = w.slots, w.lies, w.counted, w.assigned
            failing, stopping, w.failing, w.stopping = w.failing, w.stopping, False, False
            w.slots, w.lies, w.counted, w.assigned = {}, {}, False, frozenset()
            if has_parameter:
                w.slots[definition.slot] = Value(parameter)
            told, w.told = w.told, {}
            with w.body() as body:
                found = self.w.value(definition.value)
                expr = found.expr
                if found.present is not None:
                    expr = c.select(found.present, expr, c.Number(ABSENT))
                w.out.append(c.Return(expr))
            function.body, function.fails, function.stops, w.told = body, w.failing, w.stopping, told
            w.slots, w.lies, w.counted, w.assigned = slots, lies, counted, assigned
            w.failing, w.stopping = failing, stopping
        return w.functions[definition]
