"""A condition on sets of cards → the ways in which it can hold, each with what may be asked of two cards already.

All sets of a dozen cards are thousands. But where a condition says of each card how it goes with the first one, as `no
cards where suit is not suit of first of cards` does, only those that go with it can be in a set with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.core import forms as f
from teufelswerk.core.walk import everything_in, parts

MOST_WAYS = 8
"""An `and` between more than so many ways is left as it is."""


@dataclass(frozen=True)
class Way:
    """One of several conditions, any of which may hold."""

    condition: f.Expr
    pairs: tuple[f.Expr, ...]
    """Conditions that hold for a set if they hold for its first card, and for its first card with any other."""


@dataclass(frozen=True)
class Ways:
    each: tuple[Way, ...]
    slots: tuple[int, ...]
    """All slots in which a set is found by whatever is asked of it."""


def ways_of(sets: f.Subsets) -> Ways:
    slots = [sets.slot]
    each = tuple(Way(condition, tuple(_pairs(condition, slots))) for condition in _any_of(sets.condition, slots))
    return Ways(each, tuple(slots))


def _any_of(condition: f.Expr, slots: list[int]) -> list[f.Expr]:
    """Conditions of which one holds where the whole does: the parts of an `or`, those in definitions as well."""
    match condition:
        case f.Logic(op="or", left=left, right=right):
            return [*_any_of(left, slots), *_any_of(right, slots)]
        case f.Logic(op="and", left=left, right=right):
            lefts, rights = _any_of(left, slots), _any_of(right, slots)
            if not 1 < len(lefts) * len(rights) <= MOST_WAYS:
                return [condition]
            return [f.Logic(condition.type, condition.span, "and", one, other) for one in lefts for other in rights]
        case f.Defined(argument=f.Slot(slot=slot), definition=definition) if slot in slots:
            if definition.slot not in slots:
                slots.append(definition.slot)
            return _any_of(definition.value, slots)
    return [condition]


def _pairs(condition: f.Expr, slots: list[int]) -> Iterator[f.Expr]:
    match condition:
        case f.Logic(op="and", left=left, right=right):
            yield from _pairs(left, slots)
            yield from _pairs(right, slots)
        case f.Defined(argument=f.Slot(slot=slot), definition=definition) if slot in slots:
            if definition.slot not in slots:
                slots.append(definition.slot)
            yield from _pairs(definition.value, slots)
        case f.Not(operand=f.Some(items=f.Fitting(items=f.Slot(slot=slot), condition=asked))) if slot in slots:
            if _beside_first(asked, slots) and not any(isinstance(part, f.Drawn) for part in everything_in(asked)):
                yield condition


def _beside_first(form: f.Expr, slots: list[int]) -> bool:
    """Whether no more of a set is looked at than its first card."""
    match form:
        case f.Nth(position=0, items=f.Slot()):
            return True
        case f.Slot(slot=slot):
            return slot not in slots
    return all(_beside_first(part, slots) for part in parts(form))


def looks_at_cards_alone(form: f.Expr) -> bool:
    """Whether a condition on some cards depends on nothing but what is on them."""
    known = (
        f.Constant, f.Slot, f.Attribute, f.Nth, f.Extreme, f.Sum, f.Count, f.Arith, f.If, f.First, f.Needed, f.Compare,
        f.OneOf, f.Present, f.Some, f.Logic, f.Not, f.Only, f.Few, f.Fitting, f.Listed,
    )  # fmt: skip
    asked = list(everything_in(form))
    return all(isinstance(part, known) or (isinstance(part, f.Defined) and part.argument) for part in asked)
