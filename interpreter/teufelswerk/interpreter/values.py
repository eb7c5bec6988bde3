"""Functions of the machine → functions of the machine: what each form that has one value makes of its parts."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, assert_never

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.limits import MAX_NUMBER
from teufelswerk.base.texts import Text
from teufelswerk.core.forms import Operation, Relation
from teufelswerk.interpreter.machine import TOP, Machine, RuleError

Function: TypeAlias = Callable[[Machine], Any]
"""A value in a position; None if it is absent."""
Noted: TypeAlias = tuple[Sequence[Any], int, int]
"""What is on each card under some name, and the place and the position of the card in question."""
IsOut: TypeAlias = tuple[Function, int]
"""Whether the player in a slot is out."""
RELATIONS: dict[Relation, Callable[[Any, Any], bool]] = {
    "is": operator.eq,
    "above": operator.gt,
    "below": operator.lt,
    "at_least": operator.ge,
    "at_most": operator.le,
    "just_above": lambda a, b: bool(a == b + 1),
    "just_below": lambda a, b: bool(a == b - 1),
}


def absent(span: Span) -> RuleError:
    words = span.source.lines[span.line - 1][span.column - 1 : span.end - 1]
    message = Text("`{words}` is needed here, but there is none in this position", words=words)
    help = Text("it may lie elsewhere by then, or not have happened yet: use it before, or remember it with `keep`")
    return RuleError("absent", message, span, help)


def always(value: Any) -> Function:
    return lambda m: value


def needed(find: Function, span: Span) -> Function:
    def present(m: Machine) -> Any:
        value = find(m)
        if value is None:
            raise absent(span)
        return value

    return present


def looked_up(table: Sequence[Any], key: Function) -> Function:
    """What a table holds for a key."""

    def value(m: Machine) -> Any:
        index = key(m)
        return None if index is None else table[index]

    return value


def on_nth(noted: Noted) -> Function:
    """The same for the card at a position of a place that is always the same one."""
    table, place, position = noted
    least = least_for(position)

    def value(m: Machine) -> Any:
        cards = m.places[place]
        return table[cards[position]] if len(cards) > least else None

    return value


def on_end(table: Sequence[Any], slot: int) -> Function:
    """The same for the card at the end that a slot holds."""

    def value(m: Machine) -> Any:
        end: int | None = m.slots[slot]
        if end is None:
            return None
        cards = m.places[end >> 1]
        return table[cards[-1] if end & 1 == TOP else cards[0]] if cards else None

    return value


def least_for(position: int) -> int:
    """How many there are at least before something stands at a position, counted from the front or from the back."""
    return position if position >= 0 else -position - 1


def member(find: Function, base: int, family: model.Key, keys: range, span: Span) -> Function:
    """The number of a family's member."""
    if family.kind in ("player", "name"):

        def plain(m: Machine) -> int | None:
            value = find(m)
            return None if value is None else base + value

        return plain
    low, high = keys.start, keys.stop - 1
    pair = family.kind == "pair"

    def numbered(m: Machine) -> int | None:
        value = find(m)
        if value is not None and not low <= value <= high:
            none = Text("there is none of these two") if pair else Text("there is none with the number {n}", n=value)
            raise RuleError("no-such-place", none, span)
        return None if value is None else base + value - low

    return numbered


def member_in_slot(base: int, slot: int) -> Function:
    """The same for what a slot holds."""

    def number(m: Machine) -> int | None:
        value = m.slots[slot]
        return None if value is None else base + value

    return number


def member_on_card(base: int, table: Sequence[int | None], slot: int) -> Function:
    """The same for what is on the card in a slot."""

    def number(m: Machine) -> int | None:
        value = table[m.slots[slot]]
        return None if value is None else base + value

    return number


def kept(index: Function, name: str, span: Span) -> Function:
    def value(m: Machine) -> Any:
        number = index(m)
        if number is None:
            return None
        found = m.keeps[number]
        if found is None:
            raise not_set(name, span)
        return found

    return value


def kept_once(index: int, name: str, span: Span) -> Function:
    """The same where it is kept of nothing and nobody."""

    def value(m: Machine) -> Any:
        found = m.keeps[index]
        if found is None:
            raise not_set(name, span)
        return found

    return value


def kept_or_nobody(index: Function) -> Function:
    """A player who is kept, if there is one."""

    def value(m: Machine) -> Any:
        number = index(m)
        return None if number is None else m.keeps[number]

    return value


def not_set(name: str, span: Span) -> RuleError:
    return RuleError("not-set-yet", Text("`{name}` is read before it has been set", name=name), span)


def applied(argument: Function, slot: int, value: Function) -> Function:
    """A definition, asked of something."""

    def apply(m: Machine) -> Any:
        given = argument(m)
        if given is None:
            return None
        m.slots[slot] = given
        return value(m)

    return apply


def following(step: int, players: int, is_out: IsOut | None) -> Callable[[Machine, int], int]:
    """The next player in one direction who is not out."""
    if is_out is None:
        return lambda m, seat: (seat + step) % players
    out, slot = is_out

    def follow(m: Machine, player: int) -> int:
        for distance in range(1, players + 1):
            m.slots[slot] = seat = (player + step * distance) % players
            if not out(m):
                return seat
        return player

    return follow


def next_seat(player: Function, step: int, players: int) -> Function:
    """The next seat in one direction, where nobody is ever out."""

    def value(m: Machine) -> int | None:
        seat = player(m)
        return None if seat is None else (seat + step) % players

    return value


def neighbour(player: Function, follow: Callable[[Machine, int], int]) -> Function:
    def value(m: Machine) -> int | None:
        seat = player(m)
        return None if seat is None else follow(m, seat)

    return value


def owner_of(card: Function, owners: Sequence[int]) -> Function:
    """Whose place the card lies in, or lay in last."""

    def value(m: Machine) -> int | None:
        index: int | None = card(m)
        if index is None:
            return None
        lies = owners[m.where[index]]
        owner = lies if lies >= 0 else m.owners[index]
        return None if owner < 0 else owner

    return value


def place_holding(card: Function, family: Sequence[int]) -> Function:
    """The place in which the card lies, if that is one of a family."""
    first, last = family[0], family[-1]

    def value(m: Machine) -> int | None:
        index: int | None = card(m)
        if index is None:
            return None
        place = m.where[index]
        return place if first <= place <= last else None

    return value


def end_at(place: Function, top: bool) -> Function:
    side = TOP if top else 0

    def value(m: Machine) -> int | None:
        number: int | None = place(m)
        return None if number is None else number << 1 | side

    return value


def card_at(end: Function) -> Function:
    def value(m: Machine) -> int | None:
        at: int | None = end(m)
        cards = () if at is None else m.places[at >> 1]
        if at is None or not cards:
            return None
        return cards[-1] if at & 1 == TOP else cards[0]

    return value


def calculation(op: Operation, span: Span) -> Callable[[int, int], int]:
    """An operation whose result is within bounds."""
    match op:
        case "+":
            operate: Callable[[int, int], int] = operator.add
        case "-":
            operate = operator.sub
        case "*":
            operate = operator.mul
        case "larger":
            operate = max
        case "smaller":
            operate = min
        case "/down" | "/up" | "remainder":

            def operate(a: int, b: int) -> int:
                if b == 0:
                    raise RuleError("division-by-zero", Text("this divides by zero"), span)
                return a // b if op == "/down" else a % b if op == "remainder" else -(-a // b)

        case _:
            assert_never(op)

    def calculate(a: int, b: int) -> int:
        result = operate(a, b)
        if not -MAX_NUMBER <= result <= MAX_NUMBER:
            raise RuleError("large-number", Text("a number is at most {limit}", limit=MAX_NUMBER), span)
        return result

    return calculate


def decided(condition: Function, then: Function, otherwise: Function | None) -> Function:
    if otherwise is None:
        return lambda m: then(m) if condition(m) else None
    return lambda m: then(m) if condition(m) else otherwise(m)


def first_of(options: Sequence[Function]) -> Function:
    *earlier, last = options

    def value(m: Machine) -> Any:
        for option in earlier:
            found = option(m)
            if found is not None:
                return found
        return last(m)

    return value


def taken(branch: model.Branch, find: Function) -> Function:
    def value(m: Machine) -> Any:
        found = find(m)
        if found is not None and m.fired is not None:
            m.fired.append(branch)
        return found

    return value


# ---- conditions -----------------------------------------------------------------------------------------------------


def compared(relation: Relation, left: Function, right: Function, sure: bool) -> Function:
    """Whether both sides are there and compare like that. `sure`: the left one is always there, or both are."""
    if relation == "is":
        if sure:
            return lambda m: left(m) == right(m)

        def equal(m: Machine) -> bool:
            value = left(m)
            return value is not None and value == right(m)

        return equal
    holds = RELATIONS[relation]
    if sure:
        return lambda m: holds(left(m), right(m))

    def compare(m: Machine) -> bool:
        a, b = left(m), right(m)
        return a is not None and b is not None and holds(a, b)

    return compare


def compared_on_cards(relation: Relation, left: Noted, right: Noted) -> Function:
    """The same of what is on two cards, each at a position of a place that is always the same one."""
    (table, place, position), (other_table, other_place, other_position) = left, right
    least, other_least, holds = least_for(position), least_for(other_position), RELATIONS[relation]

    def compare(m: Machine) -> bool:
        cards, others = m.places[place], m.places[other_place]
        if len(cards) <= least or len(others) <= other_least:
            return False
        a, b = table[cards[position]], other_table[others[other_position]]
        return a is not None and b is not None and holds(a, b)

    return compare


def both(left: Function, right: Function) -> Function:
    return lambda m: left(m) and right(m)


def either(left: Function, right: Function) -> Function:
    return lambda m: left(m) or right(m)
