"""A condition → the things of a list for which it holds; what does not depend on them is worked out once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from teufelswerk.core import forms as f
from teufelswerk.core.walk import everything_in
from teufelswerk.interpreter.machine import Machine
from teufelswerk.interpreter.values import Function

Sifter: TypeAlias = Callable[[Machine, Sequence[Any]], Sequence[Any]]
FLIPPED: dict[f.Relation, f.Relation] = {
    "is": "is", "above": "below", "below": "above", "at_least": "at_most", "at_most": "at_least",
    "just_above": "just_below", "just_below": "just_above",
}  # fmt: skip


FITTING: dict[f.Relation, Callable[[Sequence[Any], Sequence[Any], Any], list[Any]]] = {
    "is": lambda items, table, limit: [x for x in items if table[x] == limit],
    "above": lambda items, table, limit: [x for x in items if (n := table[x]) is not None and n > limit],
    "below": lambda items, table, limit: [x for x in items if (n := table[x]) is not None and n < limit],
    "at_least": lambda items, table, limit: [x for x in items if (n := table[x]) is not None and n >= limit],
    "at_most": lambda items, table, limit: [x for x in items if (n := table[x]) is not None and n <= limit],
    "just_above": lambda items, table, limit: [x for x in items if table[x] == limit + 1],
    "just_below": lambda items, table, limit: [x for x in items if table[x] == limit - 1],
}
"""For each relation, those of which a table holds something that is so beside a limit."""


class Sifting:
    """Makes sifters of conditions."""

    def __init__(self, value: Callable[[f.Expr], Function], tables: dict[str, list[int | None]]) -> None:
        self.value = value
        self.tables = tables

    def sifter(self, condition: f.Expr, slot: int) -> Sifter:
        """Keeps what fits, in its order; the condition finds each thing in the slot."""
        return self.quick(condition, slot) or by_trial(self.value(condition), slot)

    def quick(self, condition: f.Expr, slot: int) -> Sifter | None:
        """A sifter that does not ask the condition of each thing, if there can be one."""
        if draws(condition):
            return None
        match condition:
            case f.Compare(relation=relation, left=left, right=right):
                found = self.compared(relation, left, right, slot)
                found = found or self.compared(FLIPPED[relation], right, left, slot)
                if found:
                    return found
        if leaves_traces(condition):
            return None
        if not depends(condition, slot):
            return self.all_or_none(condition)
        match condition:
            case f.OneOf(card=f.Slot(slot=asked), cards=cards) if asked == slot:
                return lambda m, items: [item for item in items if item in cards]
            case f.Not(operand=f.Compare(relation="is", left=left, right=right)):
                return self.unequal(left, right, slot) or self.unequal(right, left, slot)
            case f.Logic(op="or", left=f.Not(operand=left), right=right) if not depends(left, slot):
                guard, sift = self.value(left), self.sifter(right, slot)
                return lambda m, items: sift(m, items) if guard(m) else items
            case f.Logic(op="or", left=left, right=right) if not depends(left, slot):
                guard, sift = self.value(left), self.sifter(right, slot)
                return lambda m, items: items if guard(m) else sift(m, items)
            case f.Logic(op="and", left=left, right=right):
                return self.both(left, right, slot)
        return None

    def all_or_none(self, condition: f.Expr) -> Sifter:
        holds = self.value(condition)
        return lambda m, items: items if items and holds(m) else ()

    def both(self, left: f.Expr, right: f.Expr, slot: int) -> Sifter | None:
        """One after the other, if one of the two is quick."""
        if self.quick(left, slot) is None and self.quick(right, slot) is None:
            return None
        first, second = self.sifter(left, slot), self.sifter(right, slot)
        return lambda m, items: second(m, first(m, items))

    def compared(self, relation: f.Relation, left: f.Expr, right: f.Expr, slot: int) -> Sifter | None:
        """What is on each of some cards beside something that is the same for all of them."""
        beside = self.beside(left, right, slot)
        if beside is None:
            return None
        (table, bound), fitting = beside, FITTING[relation]

        def sift(m: Machine, items: Sequence[Any]) -> Sequence[Any]:
            limit = bound(m) if items else None
            return () if limit is None else fitting(items, table, limit)

        return sift

    def unequal(self, left: f.Expr, right: f.Expr, slot: int) -> Sifter | None:
        """The same where the two must differ; what is absent is equal to nothing."""
        beside = self.beside(left, right, slot)
        if beside is None:
            return None
        table, bound = beside

        def sift(m: Machine, items: Sequence[Any]) -> Sequence[Any]:
            refused = bound(m) if items else None
            return items if refused is None else [item for item in items if table[item] != refused]

        return sift

    def beside(self, left: f.Expr, right: f.Expr, slot: int) -> tuple[list[int | None], Function] | None:
        """What is on each card, and what is the same for all cards, if the two sides are that."""
        match left:
            case f.Attribute(attribute=name, card=f.Slot(slot=asked)) if asked == slot and not depends(right, slot):
                return self.tables[name], self.value(right)
        return None


def by_trial(holds: Function, slot: int) -> Sifter:
    """Tries each thing in turn."""

    def sift(m: Machine, items: Sequence[Any]) -> list[Any]:
        found, slots = [], m.slots
        for item in items:
            slots[slot] = item
            if holds(m):
                found.append(item)
        return found

    return sift


def depends(form: f.Expr, slot: int) -> bool:
    """Whether a form asks what a slot holds."""
    return any(isinstance(part, f.Slot) and part.slot == slot for part in everything_in(form))


def draws(form: f.Expr) -> bool:
    """Whether a form draws lots: then it is asked of each thing, no more and no less often."""
    return any(isinstance(part, f.Drawn) for part in everything_in(form))


def leaves_traces(form: f.Expr) -> bool:
    """Whether it can be told how often a form is asked: it draws lots, or notes which branch of a value counts."""
    return any(isinstance(part, f.Drawn | f.Taken) for part in everything_in(form))
