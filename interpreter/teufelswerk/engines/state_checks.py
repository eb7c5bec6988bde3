"""A state that may come from anywhere → nothing, or what keeps compiled rules from being put into it.

The reference interpreter looks at every number before it uses it; compiled rules trust theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, assert_never

from teufelswerk.base.chance import MASK
from teufelswerk.base.limits import MAX_NUMBER
from teufelswerk.base.texts import Text
from teufelswerk.compiled.context import Writer
from teufelswerk.core import statements as s
from teufelswerk.core.walk import all_statements
from teufelswerk.interpreter.state import Move, State, Unreadable
from teufelswerk.model import NUMBER, PLAYER, Type


@dataclass(frozen=True)
class Decision:
    """What a state holds that stands at a decision."""

    moves: list[s.Move]
    """Those that there are, in the order of their numbers."""
    slots: frozenset[int]
    keeps: frozenset[str]
    """What surely has a value."""


class StateChecks:
    """What a state of a game can hold."""

    def __init__(self, w: Writer) -> None:
        self.w = w
        self.cards = list(range(w.cards))
        self.seats = range(w.players)
        types: dict[int, Type] = {}
        for statement in all_statements(w.core):
            types |= slot_types(statement)
        self.slots = [(slot, types.get(slot, NUMBER)) for slot in w.core.persistent]

    def check(self, state: State, decision: Decision | None) -> None:
        """Raises Unreadable. Without a decision the game has to be over."""
        wrong: str | None
        try:
            wrong = next((name for name, holds in self.parts(state, decision).items() if not holds), None)
        except TypeError as problem:
            wrong = str(problem)
        if wrong is not None:
            raise Unreadable(Text("the position cannot be read: {what}", what=wrong))

    def parts(self, state: State, decision: Decision | None) -> dict[str, bool]:
        if state.winners is not None:
            decision = Decision([], frozenset(), self.w.always_set)
        keeps, places, cards = self.w.layout.keep_of, self.w.layout.place_names, self.cards
        if decision is None or len(state.slots) != len(self.slots) or len(state.keeps) != len(keeps):
            return {"pc": False}
        return {
            "slots": all(
                self.fits(type, value, slot in decision.slots)
                for (slot, type), value in zip(self.slots, state.slots, strict=True)
            ),
            "places": len(state.places) == len(places) and sorted(x for place in state.places for x in place) == cards,
            "owners": len(state.owners) == len(cards) and all(x == -1 or x in self.seats for x in state.owners),
            "keeps": all(
                self.fits(keep.type, value, keep.name in decision.keeps)
                for keep, value in zip(keeps, state.keeps, strict=True)
            ),
            "pending": len(state.pending) < self.w.players
            and all(self.is_possible(move, decision.moves) for move in state.pending),
            "winners": all(seat in self.seats for seat in state.winners or ()),
            "rng": isinstance(state.rng, int) and 0 <= state.rng <= MASK,
        }

    def fits(self, type: Type, value: Any, needed: bool) -> bool:
        """Whether something can be of a type. What adds up may go beyond what a rule can name."""
        if value is None:
            return not needed
        if type.many:
            one, is_list = type.one(), isinstance(value, tuple) and len(value) <= self.w.choosable(type.one())
            return is_list and all(self.fits(one, item, True) for item in value)
        low, high = self.w.bounds(type) if type.kind != "number" else (-(MAX_NUMBER**2), MAX_NUMBER**2)
        return isinstance(value, int) and low is not None and high is not None and low <= value <= high

    def is_possible(self, move: Move, moves: list[s.Move]) -> bool:
        made = next((possible for possible in moves if possible.name == move.verb), None)
        if made is None or move.player not in self.seats or len(move.picks) != len(made.choices):
            return False
        types = [choice.type.all() if choice.several else choice.type for choice in made.choices]
        return all(self.fits(type, pick, True) for type, pick in zip(types, move.picks, strict=True))


def slot_types(statement: s.Doing) -> dict[int, Type]:
    """What the slots hold that a statement fills and that may live on to the next decision; others hold numbers."""
    match statement:
        case s.Let():
            return {statement.slot: statement.value.type}
        case s.Each():
            return {statement.slot: statement.items.type.one(), statement.rest: statement.items.type.all()}
        case s.AtOnce() | s.GoRound():
            return {statement.slot: PLAYER}
        case s.Call(step=step, argument=argument) if argument is not None:
            return {step.slot: argument.type}
        case s.Call() | s.Repeat() | s.Until() | s.Branch() | s.Turn() | s.Wins():
            return {}
        case s.Goes() | s.Deal() | s.Shuffle() | s.Becomes() | s.Pays() | s.Tell():
            return {}
        case _:
            assert_never(statement)
