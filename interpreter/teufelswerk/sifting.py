"""A condition → the things of a list for which it holds; what does not depend on them is worked out once."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from teufelswerk import model
from teufelswerk.machine import Machine
from teufelswerk.order import walk
from teufelswerk.values import Function, Values

Sifter: TypeAlias = Callable[[Machine, Sequence[Any]], Sequence[Any]]
RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "is": operator.eq,
    "above": operator.gt,
    "below": operator.lt,
    "at_least": operator.ge,
    "at_most": operator.le,
}


def sifter(values: Values, condition: model.Expr, slot: int) -> Sifter:
    """Keeps what fits, in its order; the condition finds each thing in the slot."""
    match condition:
        case model.Compare(relation=relation, left=model.AttributeOf(card=model.Local(slot=asked)) as left):
            if asked == slot and relation in RELATIONS and not _asks(condition.right, slot):
                return _by_table(values, condition, values.tables[left.attribute])
    return by_trial(values.function(condition), slot)


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


def _by_table(values: Values, condition: model.Compare, table: Sequence[Any]) -> Sifter:
    bound, holds = values.function(condition.right), RELATIONS[condition.relation]

    def sift(m: Machine, items: Sequence[Any]) -> list[Any]:
        limit = bound(m) if items else None
        if limit is None:
            return []
        return [item for item in items if (value := table[item]) is not None and holds(value, limit)]

    return sift


def _asks(expr: model.Expr, slot: int) -> bool:
    return any(isinstance(part, model.Local) and part.slot == slot for part in walk(expr))
