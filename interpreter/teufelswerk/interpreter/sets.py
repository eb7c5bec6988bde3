"""Functions of the machine → functions of the machine: what each form that lists things, or asks about them, does.

A list that is found may be the very one that a place holds: whoever changes places copies it first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from teufelswerk.base import chance
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.limits import MAX_REPEATS
from teufelswerk.base.texts import Text
from teufelswerk.interpreter.machine import Machine, RuleError
from teufelswerk.interpreter.values import Function, IsOut, least_for

Items: TypeAlias = Callable[[Machine], Sequence[int]]
NOTHING: tuple[int, ...] = ()


# ---- lists ----------------------------------------------------------------------------------------------------------


def counted(items: Items, span: Span) -> Items:
    """The list, whose length counts as work."""

    def looked_at(m: Machine) -> Sequence[int]:
        found = items(m)
        meter = m.meter
        meter.work += len(found) + 1
        if meter.work > meter.next_look:
            meter.look(span)
        return found

    return looked_at


def listed(values: Sequence[int]) -> Items:
    return lambda m: values


def in_slot(slot: int) -> Items:
    return lambda m: m.slots[slot]


def joined(parts: Sequence[Items]) -> Items:
    return lambda m: [item for part in parts for item in part(m)]


def together(parts: Sequence[Items]) -> Items:
    """… and each of them once."""
    return lambda m: list(dict.fromkeys(item for part in parts for item in part(m)))


def players(everyone: Sequence[int], is_out: IsOut | None) -> Items:
    """Those of some seats whose players are not out."""
    if is_out is None:
        return listed(everyone)
    return lambda m: _still_in(m, everyone, is_out)


def _still_in(m: Machine, seats: Sequence[int], is_out: IsOut) -> list[int]:
    (out, slot), found = is_out, []
    for seat in seats:
        m.slots[slot] = seat
        if not out(m):
            found.append(seat)
    return found


def around(first: Function, last: Function | None, number: int, is_out: IsOut | None) -> Items:
    """Seats clockwise from one to another, or once round."""
    twice_round = (*range(number), *range(number))

    def seats(m: Machine) -> Sequence[int]:
        begin = first(m)
        length = (last(m) - begin) % number + 1 if last else number
        found = twice_round[begin : begin + length]
        return found if is_out is None else _still_in(m, found, is_out)

    return seats


def numbers(first: Function, last: Function, down: bool, span: Span) -> Items:
    """From one number up to another, or down to it."""
    step = -1 if down else 1

    def in_order(m: Machine) -> Sequence[int]:
        begin, end = first(m), last(m)
        if (end - begin) * step >= MAX_REPEATS:
            message = Text("this would be repeated more than {limit} times", limit=MAX_REPEATS)
            raise RuleError("endless", message, span)
        return range(begin, end + step, step)

    return in_order


def only(item: Function) -> Items:
    def single(m: Machine) -> Sequence[int]:
        found = item(m)
        return NOTHING if found is None else (found,)

    return single


def lying(place: Function) -> Items:
    """The cards in one place."""

    def cards(m: Machine) -> Sequence[int]:
        where = place(m)
        return NOTHING if where is None else m.places[where]

    return cards


def cards_in_one(place: Function, span: Span) -> Items:
    """The same, which counts as work."""

    def cards(m: Machine) -> Sequence[int]:
        where = place(m)
        found = NOTHING if where is None else m.places[where]
        meter = m.meter
        meter.work += len(found) + 1
        if meter.work > meter.next_look:
            meter.look(span)
        return found

    return cards


def cards_of_slot(base: int, slot: int, span: Span) -> Items:
    """The same for the place of whomever or whatever a slot holds."""

    def cards(m: Machine) -> Sequence[int]:
        member = m.slots[slot]
        found = NOTHING if member is None else m.places[base + member]
        meter = m.meter
        meter.work += len(found) + 1
        if meter.work > meter.next_look:
            meter.look(span)
        return found

    return cards


def cards_in(places: Items) -> Items:
    return lambda m: [card for place in places(m) for card in m.places[place]]


def ends_of(places: Items) -> Items:
    return lambda m: [place * 2 + side for place in places(m) if m.places[place] for side in (0, 1)]


def ends_of_one(place: Function) -> Items:
    def ends(m: Machine) -> Sequence[int]:
        where = place(m)
        return NOTHING if where is None or not m.places[where] else (where * 2, where * 2 + 1)

    return ends


def few(items: Items, amount: Function, last: bool) -> Items:
    def some(m: Machine) -> Sequence[int]:
        found, number = items(m), max(amount(m), 0)
        return found[max(len(found) - number, 0) :] if last else found[:number]

    return some


def as_it_is_now(items: Items) -> Items:
    """A list that stays as it is, whatever becomes of the places that it was found in; empty, if there is none."""
    return lambda m: tuple(items(m) or NOTHING)


# ---- what is asked about a list -------------------------------------------------------------------------------------


def nth(items: Items, position: int) -> Function:
    least = least_for(position)

    def value(m: Machine) -> int | None:
        found = items(m)
        return found[position] if len(found) > least else None

    return value


def nth_always_there(place: int, position: int) -> Function:
    """In a place that is always the same one."""
    least = least_for(position)

    def value(m: Machine) -> int | None:
        cards = m.places[place]
        return cards[position] if len(cards) > least else None

    return value


def extreme(items: Items, by: Function, slot: int, highest: bool) -> Function:
    """The first of those for which a number is highest or lowest."""

    def best(m: Machine) -> int | None:
        chosen, record, slots = None, None, m.slots
        for item in items(m):
            slots[slot] = item
            value = by(m)
            if value is not None and (record is None or (value > record if highest else value < record)):
                chosen, record = item, value
        return chosen

    return best


def extreme_on_cards(items: Items, table: Sequence[Any], highest: bool) -> Function:
    """The same where the number is on every card."""
    number_on, best = table.__getitem__, max if highest else min

    def chosen(m: Machine) -> int | None:
        found = items(m)
        return best(found, key=number_on) if found else None

    return chosen


def total(items: Items, by: Function, slot: int) -> Function:
    def value(m: Machine) -> int:
        amount, slots = 0, m.slots
        for item in items(m):
            slots[slot] = item
            amount += by(m) or 0
        return amount

    return value


def total_on_cards(items: Items, table: Sequence[Any]) -> Function:
    """The same where the number is on every card."""
    number_on = table.__getitem__
    return lambda m: sum(map(number_on, items(m)))


def drawn(items: Items) -> Function:
    def value(m: Machine) -> int | None:
        found = items(m)
        if not found:
            return None
        if m.lots is not None:
            return found[m.lots.below(len(found))]
        m.rng, index = chance.below(m.rng, len(found))
        return found[index]

    return value


def some_fitting(items: Items, slot: int, condition: Function) -> Function:
    """Whether a condition holds for any; no more of them are tried than it takes."""

    def some(m: Machine) -> bool:
        slots = m.slots
        for item in items(m):
            slots[slot] = item
            if condition(m):
                return True
        return False

    return some
