"""A move's choices and conditions → its legal choices, and the condition that refuses any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

from teufelswerk import model
from teufelswerk.effects import Effects
from teufelswerk.evaluate import Evaluator
from teufelswerk.limits import MAX_CHOICES
from teufelswerk.machine import Machine, RuleError
from teufelswerk.order import walk
from teufelswerk.sifting import Sifter, by_trial, sifter
from teufelswerk.texts import Text
from teufelswerk.values import Function

Picks: TypeAlias = tuple[Any, ...]
Guards: TypeAlias = Sequence[tuple[model.Expr, bool]]
"""Each `if` around a condition, and whether it has to hold."""


class Condition(NamedTuple):
    must: model.Must
    holds: Function
    sift: Sifter
    """What it leaves of the choices, where a move has only one."""


class MoveCode:
    """One verb, ready to be asked and made."""

    def __init__(self, move: model.Move, evaluator: Evaluator, effects: Effects) -> None:
        self.move = move
        self.evaluator = evaluator
        self.slots = [choice.slot for choice in move.choices]
        self.sources = [self.source(choice) for choice in move.choices]
        conditions = [
            Condition(must, self.guarded(must, guards), self.sifter(must, guards)) for must, guards in move.musts
        ]
        self.hard = [c for c in conditions if not c.must.if_able]
        self.soft = [c for c in conditions if c.must.if_able]
        self.conditions = [*self.hard, *self.soft]
        self.judged: list[list[Function]] = [[] for _ in range(len(self.slots) + 1)]
        """The conditions, by the number of choices that have to be made before they can be judged."""
        for (must, guards), condition in zip(move.musts, conditions, strict=True):
            if not must.if_able:
                self.judged[self.last_asked(must.condition, guards)].append(condition.holds)
        self.tried = 0
        """How many choices were looked at when it was asked last what is legal."""
        self.effect = effects.block(move.effects) if move.effects else None

    def guarded(self, must: model.Must, guards: Guards) -> Function:
        """The condition, which holds anyway where the `if` around it does not."""
        condition = self.evaluator.function(must.condition)
        for expr, wanted in reversed(guards):
            condition = self._under(self.evaluator.function(expr), wanted, condition)
        return condition

    def sifter(self, must: model.Must, guards: Guards) -> Sifter:
        """The condition for a move with one choice; an `if` around it that the choice does not change is asked once."""
        if len(self.slots) != 1 or len(guards) > 1 or (guards and self.last_asked(guards)):
            return by_trial(self.guarded(must, guards), self.slots[0] if self.slots else 0)
        sift = sifter(self.evaluator, must.condition, self.slots[0])
        if not guards:
            return sift
        (expr, wanted), evaluator = guards[0], self.evaluator
        guard = evaluator.function(expr)
        return lambda m, items: sift(m, items) if bool(guard(m)) is wanted else items

    def last_asked(self, *asking: Any) -> int:
        """How many choices have to be made before so much can be answered."""
        asked = {part.slot for part in walk(asking) if isinstance(part, model.Local)}
        return max((number for number, slot in enumerate(self.slots, 1) if slot in asked), default=0)

    @staticmethod
    def _under(guard: Function, wanted: bool, condition: Function) -> Function:
        if wanted:
            return lambda m: not guard(m) or condition(m)
        return lambda m: guard(m) or condition(m)

    def source(self, choice: model.Choose) -> Callable[[Machine], Sequence[Any]]:
        evaluator = self.evaluator
        if choice.upper is not None:
            low, high = evaluator.needed(choice.source), evaluator.needed(choice.upper)

            def numbers(m: Machine) -> Sequence[int]:
                first, last = low(m), high(m)
                if last - first > MAX_CHOICES:
                    raise self.too_many()
                return range(first, last + 1)

            return numbers
        items = evaluator.function(choice.source)
        if choice.amount is None:
            return items
        amount = evaluator.needed(choice.amount)

        def several(m: Machine) -> Sequence[Any]:
            found: list[Any] = []
            for combination in combinations(items(m), max(amount(m), 0)):
                found.append(combination)
                if len(found) > MAX_CHOICES:
                    raise self.too_many()
            return found

        return several

    def too_many(self) -> RuleError:
        message = Text("the move offers more than {limit} choices", limit=MAX_CHOICES)
        return RuleError("too-many-choices", message, self.move.span)

    # ---- what is legal ----------------------------------------------------------------------------------------------

    def legal(self, m: Machine, player: int) -> list[Picks]:
        """All choices that the conditions leave, in the order of the file and of the cards."""
        m.slots[self.move.slot] = player
        if len(self.slots) == 1:
            return self._legal_single(m)
        left: list[Picks] = []
        self.tried = 0
        if all(holds(m) for holds in self.judged[0]):
            self.extend(m, (), left)
        for condition in self.soft:
            left = self.fitting(m, condition, left) or left
        return left

    def extend(self, m: Machine, begun: Picks, found: list[Picks]) -> None:
        """Finds all that can still be chosen, one choice after the other; what fails early is followed no further."""
        number = len(begun)
        if number == len(self.slots):
            found.append(begun)
            return
        slot, slots, judged, last = self.slots[number], m.slots, self.judged[number + 1], number + 1 == len(self.slots)
        items = self.sources[number](m)
        self.tried += len(items)
        if self.tried > MAX_CHOICES:
            raise self.too_many()
        for item in items:
            slots[slot] = item
            for holds in judged:
                if not holds(m):
                    break
            else:
                if last:
                    found.append((*begun, item))
                else:
                    self.extend(m, (*begun, item), found)

    def fitting(self, m: Machine, condition: Condition, left: list[Picks]) -> list[Picks]:
        """The choices for which a condition holds."""
        holds, own, slots = condition.holds, self.slots, m.slots
        found = []
        for picks in left:
            for slot, pick in zip(own, picks, strict=False):
                slots[slot] = pick
            if holds(m):
                found.append(picks)
        return found

    def _legal_single(self, m: Machine) -> list[Picks]:
        left: Sequence[Any] = self.sources[0](m)
        self.tried = len(left)
        for condition in self.conditions:
            fitting = condition.sift(m, left)
            if fitting or not condition.must.if_able:
                left = fitting
        return [(item,) for item in left]

    def combinations(self, m: Machine) -> list[Picks]:
        """All combinations of choices, before any condition; a later choice may depend on an earlier one."""
        found: list[Picks] = [()]
        for source in self.sources:
            longer: list[Picks] = []
            for picks in found:
                self.assign(m, picks)
                longer += [(*picks, item) for item in source(m)]
                if len(longer) > MAX_CHOICES:
                    raise self.too_many()
            found = longer
        return found

    def assign(self, m: Machine, picks: Picks) -> None:
        for slot, pick in zip(self.slots, picks, strict=False):
            m.slots[slot] = pick

    def holds(self, m: Machine, condition: Condition, picks: Picks) -> bool:
        self.assign(m, picks)
        return bool(condition.holds(m))

    def refusal(self, m: Machine, player: int, picks: Picks) -> model.Must | None:
        """The condition that takes this choice away, or None if it is legal or no choice at all."""
        m.slots[self.move.slot] = player
        left = self.combinations(m)
        if picks not in left:
            return None
        for condition in self.conditions:
            fitting = self.fitting(m, condition, left)
            if condition.must.if_able and not fitting:
                continue
            if picks not in fitting:
                self.assign(m, picks)
                return condition.must
            left = fitting
        return None

    def make(self, m: Machine, player: int, picks: Picks) -> None:
        """Makes the move."""
        m.slots[self.move.slot] = player
        self.assign(m, picks)
        if self.effect:
            self.effect(m)
