"""The moves of a turn → whether one of them can surely be made, whatever is not known.

A move can be made if what there is to choose from is there and its conditions hold. What the conditions say is put
together from questions that are answered or open; if one of the moves can be made however the open ones are answered,
the player finds a move. A card of which something is known may be the one that is chosen in each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from teufelswerk.analysis.known import Known, Reasoning, constant
from teufelswerk.analysis.sameness import Given
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s

MOST_QUESTIONS = 10


class Witness(NamedTuple):
    """A card, of which is known where it lies and what holds for it."""

    lies: int | None
    fits: tuple[int, ...] = ()


def finds_a_move(reason: Reasoning, moves: Sequence[tuple[s.Move, Known]]) -> bool:
    """Whether one of the moves can surely be made, each with what is known when it comes to it."""
    return any(
        _always(reason, [_can_be_made(reason, move, known, witness) for move, known in moves], witness, moves[0][1])
        for witness in dict.fromkeys(_witnesses(reason, moves))
    )


def _witnesses(reason: Reasoning, moves: Sequence[tuple[s.Move, Known]]) -> Iterator[Witness]:
    yield Witness(None)
    for move, known in moves:
        for number in known.least:
            lies, fits = number, list[int]()
            while reason.same.nodes[lies][0] == "Fitting":
                lies, condition = reason.same.nodes[lies][2]
                fits.append(condition)
            yield Witness(lies, tuple(fits))
        for choice in move.choices:
            if choice.items is not None:
                yield Witness(reason.same.of(_bare(choice.items)[0], known.given))


def _bare(items: f.Items) -> tuple[f.Items, list[f.Fitting]]:
    """A set without its conditions, and those."""
    conditions = []
    while isinstance(items, f.Fitting):
        conditions.append(items)
        items = items.items
    return items, conditions


def _can_be_made(reason: Reasoning, move: s.Move, known: Known, witness: Witness) -> int:
    """The condition, as a number, on which a move can be made."""
    same, given, wanted = reason.same, dict(known.given), []
    for choice in move.choices:
        if choice.items is None:
            continue
        base, conditions = _bare(choice.items)
        lies = same.of(base, given)
        if lies == witness.lies and not choice.several:
            given[choice.slot] = same.it({})[0]
        elif choice.type.kind == "name" and isinstance(base, f.Listed) and witness.lies is not None:
            first = same.node("Nth", (0,), (witness.lies,))
            given[choice.slot] = same.node("Attribute", (choice.type.of,), (first,))
        elif reason.least(choice.items, known, given) or all(isinstance(c.condition, f.OneOf) for c in conditions):
            continue
        else:
            return same.node("Constant", (0,))
        wanted += [_settled(reason, c.condition, known, {**given, c.slot: given[choice.slot]}) for c in conditions]
    spared = frozenset(c.slot for c in move.choices if c.several and c.low is not None and (constant(c.low) or 0) <= 1)
    wanted += [
        _settled(reason, c.holds, known, given)
        for c in move.conditions
        if not c.if_able and not _spares_one(c.holds, spared)
    ]
    whole = same.node("Constant", (1,))
    for condition in wanted:
        whole = same.node("Logic", ("and",), (whole, condition))
    return whole


def _spares_one(condition: f.Expr, several: frozenset[int]) -> bool:
    """`no cards where rank is not rank of first of cards`, asked of several chosen cards: it holds for a single one."""
    match condition:
        case f.Not(operand=f.Some(items=f.Fitting(items=f.Slot(slot=chosen), slot=it, condition=f.Not(operand=same)))):
            match same:
                case f.Compare(
                    relation="is",
                    left=f.Attribute(card=f.Slot(slot=slot)) as left,
                    right=f.Attribute(card=f.Nth(items=f.Slot(slot=first))) as right,
                ):
                    return slot == it and first == chosen and left.attribute == right.attribute and chosen in several
    return False


def _settled(reason: Reasoning, condition: f.Expr, known: Known, given: Given) -> int:
    """A condition as a number, with what is known about it put in."""
    truth = reason.truth(condition, known, given)
    if truth is not None:
        return reason.same.node("Constant", (int(truth),))
    match condition:
        case f.Not():
            return reason.same.node("Not", (), (_settled(reason, condition.operand, known, given),))
        case f.Logic():
            sides = _settled(reason, condition.left, known, given), _settled(reason, condition.right, known, given)
            return reason.same.node("Logic", (condition.op,), sides)
        case f.Defined():
            return _settled(reason, condition.definition.value, known, reason.inside(condition, given))
    return reason.same.of(condition, given)


def _always(reason: Reasoning, moves: list[int], witness: Witness, known: Known) -> bool:
    """Whether one of the moves can be made however the open questions are answered."""
    moves = [number for number in moves if len({*_questions(reason, number)}) <= MOST_QUESTIONS]
    questions = list(dict.fromkeys(q for number in (*moves, *witness.fits) for q in _questions(reason, number)))
    if len(questions) > MOST_QUESTIONS:
        return any(not [*_questions(reason, number)] and _answer(reason, number, {}) for number in moves)
    said = [(number, holds) for number, holds in known.holds.items() if {*_questions(reason, number)} <= {*questions}]
    said += [(number, True) for number in witness.fits]
    for answers in product((False, True), repeat=len(questions)):
        answered = dict(zip(questions, answers, strict=True))
        possible = all(_answer(reason, number, answered) is holds for number, holds in said)
        if possible and not any(_answer(reason, number, answered) for number in moves):
            return False
    return True


def _questions(reason: Reasoning, number: int) -> Iterator[int]:
    kind, _, below = reason.same.nodes[number]
    if kind in ("Not", "Logic"):
        for part in below:
            yield from _questions(reason, part)
    elif kind != "Constant":
        yield number


def _answer(reason: Reasoning, number: int, answered: dict[int, bool]) -> bool:
    kind, said, below = reason.same.nodes[number]
    match kind:
        case "Constant":
            return bool(said[0])
        case "Not":
            return not _answer(reason, below[0], answered)
        case "Logic":
            sides = (_answer(reason, part, answered) for part in below)
            return all(sides) if said == ("and",) else any(sides)
    return answered[number]
