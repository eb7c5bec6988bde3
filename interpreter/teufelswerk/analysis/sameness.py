"""Forms → numbers, one for all forms that say the same, and what the value of each depends on.

A definition is entered with what it is asked of, so `able of leader` and what it stands for get one number. In which
slot a set finds its members does not matter either.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import count
from typing import TypeAlias, assert_never

from teufelswerk import model
from teufelswerk.core import forms as f
from teufelswerk.core.absence import may_be_absent
from teufelswerk.core.walk import parts

Given: TypeAlias = Mapping[int, int]
"""For slots whose value is known by another name: the number of that."""
WITHIN = frozenset(form.__name__ for form in (f.Fitting, f.Subsets, f.Extreme, f.Sum, f.LeastLeft))
"""The forms that look at each of a set."""
Tags: TypeAlias = frozenset[str]
"""Names of what can change: places, kept things, slots, owners."""
UNSURE = "unsure"
"""Depends on chance, or is too large to be followed: never the same as anything said later."""
OWNERS = "owners"
NOTHING = Tags()
MOST_NUMBERS = 20_000
CONTRARY = {"above": "at_most", "below": "at_least"}


class Sameness:
    """Gives numbers to the forms of one game."""

    def __init__(self) -> None:
        self.nodes: list[tuple[str, tuple[Hashable, ...], tuple[int, ...]]] = []
        self.reads: list[Tags] = []
        self._numbers: dict[tuple[str, tuple[Hashable, ...], tuple[int, ...]], int] = {}
        self._defined: dict[tuple[f.Definition, int | None], int] = {}

    def node(self, kind: str, said: tuple[Hashable, ...] = (), below: tuple[int, ...] = (), own: Tags = NOTHING) -> int:
        key = kind, said, below
        if key not in self._numbers:
            self._numbers[key] = len(self.nodes)
            self.nodes.append(key)
            bound = {f"it {said[0]}"} if kind in WITHIN else set()
            self.reads.append(own.union(*(self.reads[part] for part in below)) - bound)
        return self._numbers[key]

    def it(self, given: Given) -> tuple[int, int]:
        """What a set looks at, with a name that nothing else in sight has, and its depth."""
        in_sight = NOTHING.union(*(self.reads[number] for number in given.values()))
        depth = next(n for n in count() if f"it {n}" not in in_sight)
        return self.node("it", (depth,), own=frozenset({f"it {depth}"})), depth

    def of(self, form: f.Expr, given: Given) -> int:
        match form:
            case f.Slot():
                own = frozenset({slot_tag(form.slot)})
                return given[form.slot] if form.slot in given else self.node("Slot", (form.slot,), own=own)
            case f.Taken() | f.Needed():
                return self.of(form.value, given)
            case f.First(options=(condition, f.Constant(value=0))) if form.type.kind == "truth":
                return self.of(condition, given)  # what is absent does not hold
            case f.Defined():
                return self.defined(form.definition, self.of(form.argument, given) if form.argument else None)
            case f.Fitting() | f.Subsets() | f.Extreme() | f.Sum() | f.LeastLeft():
                it, depth = self.it(given)
                asked = form.condition if isinstance(form, f.Fitting | f.Subsets) else form.by
                said = (depth, form.highest) if isinstance(form, f.Extreme) else (depth,)
                base = form.sets if isinstance(form, f.LeastLeft) else form.items
                items, question = self.of(base, given), self.of(asked, {**given, form.slot: it})
                kind, _, within = self.nodes[items]
                if isinstance(form, f.Fitting) and kind == "Fitting" and within[1] == question:
                    return items  # asked twice
                return self.node(type(form).__name__, said, (items, question))
            case f.Compare():
                left, right = self.of(form.left, given), self.of(form.right, given)
                if form.relation == "is":
                    return self.node("Compare", ("is",), (min(left, right), max(left, right)))
                if form.relation in CONTRARY and not may_be_absent(form.left) and not may_be_absent(form.right):
                    return self.node("Not", (), (self.node("Compare", (CONTRARY[form.relation],), (left, right)),))
                return self.node("Compare", (form.relation,), (left, right))
        below = tuple(self.of(part, given) for part in parts(form))
        return self.node(type(form).__name__, _said(form), below, self.own(form))

    def defined(self, definition: f.Definition, argument: int | None) -> int:
        key = definition, argument
        if key not in self._defined:
            if len(self.nodes) > MOST_NUMBERS:
                return self.node("Defined", (definition.name,), own=frozenset({UNSURE}))
            given = inside(definition, argument)
            self._defined[key] = self.of(definition.value, given)
        return self._defined[key]

    def own(self, form: f.Expr) -> Tags:
        """What the value of a form depends on beside that of its parts."""
        match form:
            case f.CardsIn() | f.EndsOf():
                return frozenset({place_tag(form.places.type.of)})
            case f.CardAt():
                return frozenset({place_tag(form.end.type.of)})
            case f.Kept():
                return frozenset({keep_tag(form.keep)})
            case f.OwnerOf():
                return frozenset({OWNERS})
            case f.PlaceHolding():
                return frozenset({place_tag(form.type.of)})
            case f.Drawn():
                return frozenset({UNSURE})
            case f.Neighbour(out=f.Definition() as out) | f.Players(out=out) | f.Around(out=out) if out is not None:
                return self.reads[self.defined(out, self.it({})[0])] - {"it 0"}
            case f.Neighbour() | f.Players() | f.Around():
                return NOTHING
            case f.Constant() | f.Slot() | f.Attribute() | f.PlaceAt() | f.Defined() | f.Nth() | f.Extreme() | f.Sum():
                return NOTHING
            case f.EndAt() | f.LeastLeft() | f.Count() | f.Arith() | f.If() | f.First() | f.Taken() | f.Needed():
                return NOTHING
            case f.Compare() | f.OneOf() | f.Present() | f.Some() | f.Logic() | f.Not():
                return NOTHING
            case (
                f.Listed()
                | f.Numbers()
                | f.Family()
                | f.Only()
                | f.Joined()
                | f.Together()
                | f.Few()
                | f.Fitting()
                | f.Subsets()
            ):
                return NOTHING
            case _:
                assert_never(form)

    def listing(self, number: int) -> tuple[Tags, Tags]:
        """The places whose cards a set lists, and what else decides who is in it."""
        kind, said, below = self.nodes[number]
        match kind:
            case "CardsIn":
                return self.reads[number] - self.reads[below[0]], self.reads[below[0]]
            case "every":
                return self.reads[number], NOTHING
            case "Fitting":
                places, others = self.listing(below[0])
                return places, others | self.reads[below[1]] - {f"it {said[0]}"}
        return NOTHING, self.reads[number]


def inside(definition: f.Definition, argument: int | None) -> Given:
    """What is given inside a definition."""
    return {} if argument is None else {definition.slot: argument}


def place_tag(name: str) -> str:
    return f"place {name}"


def keep_tag(keep: model.Keep) -> str:
    return f"keep {keep.name}"


def slot_tag(slot: int) -> str:
    return f"slot {slot}"


def _said(form: f.Expr) -> tuple[Hashable, ...]:
    """What a form says beside its parts."""
    match form:
        case f.PlaceAt() | f.Family():
            return (form.place.name,)
        case f.Kept():
            return (form.keep.name,)
    plain = (value for name, value in vars(form).items() if name not in ("type", "span"))
    return tuple(v for v in plain if isinstance(v, (int, str, frozenset)) or isinstance(form, f.Listed))
