"""A move's choices and conditions → its legal choices, and the condition that refuses any other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, TypeAlias

from teufelswerk.base.limits import MAX_CHOICES
from teufelswerk.base.texts import Text
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.set_growth import Growth, growth_of_choice
from teufelswerk.core.walk import everything_in
from teufelswerk.interpreter.effects import Effects
from teufelswerk.interpreter.evaluate import Evaluator
from teufelswerk.interpreter.filters import Sifter
from teufelswerk.interpreter.growing_sets import Growing
from teufelswerk.interpreter.machine import Machine, RuleError
from teufelswerk.interpreter.values import Function

Picks: TypeAlias = tuple[Any, ...]
Source: TypeAlias = Callable[[Machine], Sequence[Any]]
Meant: TypeAlias = Callable[[s.Choice, Any], bool]
"""Whether a choice of several is about one thing."""


class Condition:
    """What must hold for a choice, ready to be asked."""

    def __init__(self, condition: s.Condition, evaluator: Evaluator, slots: list[int]) -> None:
        self.must = condition.must
        self.told = condition.told
        self.if_able = condition.if_able
        self.holds: Function = evaluator.value(condition.holds)
        self.sift: Sifter | None = None
        """What it leaves of the choices, where a move has only one."""
        if len(slots) == 1:
            self.sift = evaluator.sifting.sifter(condition.holds, slots[0])
        asked = {part.slot for part in everything_in(condition.holds) if isinstance(part, f.Slot)}
        self.last_asked = max((number for number, slot in enumerate(slots, 1) if slot in asked), default=0)
        """How many choices have to be made before it can be answered."""


class MoveCode:
    """One verb, ready to be asked and made."""

    def __init__(self, move: s.Move, evaluator: Evaluator, effects: Effects) -> None:
        self.move = move
        self.evaluator = evaluator
        self.player_slot, self.is_pass = move.slot, move.is_pass
        self.slots = [choice.slot for choice in move.choices]
        self.single = len(self.slots) == 1
        self.faces = [card.face for card in evaluator.rules.cards]
        self.sources = [self.source(choice) for choice in move.choices]
        conditions = [Condition(condition, evaluator, self.slots) for condition in move.conditions]
        self.hard = [c for c in conditions if not c.if_able]
        self.soft = [c for c in conditions if c.if_able]
        self.conditions = [*self.hard, *self.soft]
        self.sifts = [(c.sift, c.if_able) for c in self.conditions if c.sift is not None]
        self.judged: list[list[Function]] = [[] for _ in range(len(self.slots) + 1)]
        """The conditions, by the number of choices that have to be made before they can be judged."""
        for condition in self.hard:
            self.judged[condition.last_asked].append(condition.holds)
        self.tried = 0
        """How many choices were looked at when it was asked last what is legal."""
        self.effect = effects.block(move.effects) if move.effects else None

    def source(self, choice: s.Choice) -> Source:
        """What there is to choose from."""
        if choice.items is None:
            return self.numbers(choice)
        if choice.low is not None:
            return self.several(choice, growth_of_choice(self.move, choice, self.evaluator.rules))
        items = self.evaluator.items(choice.items)
        return self.each_face(items) if choice.alike else items

    def each_face(self, items: Source) -> Source:
        """Of identical cards only the first."""
        faces = self.faces

        def each_face(m: Machine) -> Sequence[int]:
            first: dict[int, int] = {}
            for card in items(m):
                first.setdefault(faces[card], card)
            return list(first.values())

        return each_face

    def numbers(self, choice: s.Choice) -> Source:
        assert choice.low is not None and choice.high is not None
        low, high = self.evaluator.value(choice.low), self.evaluator.value(choice.high)

        def numbers(m: Machine) -> Sequence[int]:
            first, last = low(m), high(m)
            if last - first > MAX_CHOICES:
                raise self.too_many()
            return range(first, last + 1)

        return numbers

    def several(self, choice: s.Choice, growth: Growth) -> Source:
        """Sets of things: all, but for those that what is known of their beginnings rules out."""
        assert choice.items is not None
        items, sizes = self.evaluator.items(choice.items), self.sizes(choice)
        growing = Growing(growth, self.evaluator.value, choice.span)

        def several(m: Machine) -> Sequence[Any]:
            things = tuple(items(m))
            if growth.condition is None and not choice.alike:
                return self.every_combination(things, sizes(m, len(things)))
            before = self.before(things) if choice.alike else {}
            found = growing.of_sizes(m, things, sizes(m, len(things)), before)
            if found is None:
                raise self.too_many()
            return found

        return several

    def every_combination(self, things: Sequence[Any], sizes: range) -> Sequence[Any]:
        found: list[Any] = []
        for size in sizes:
            for combination in combinations(things, size):
                found.append(combination)
                if len(found) > MAX_CHOICES:
                    raise self.too_many()
        return found

    def before(self, cards: Sequence[int]) -> dict[int, int]:
        """For each card that is identical with some before it, the last one of them."""
        found: dict[int, int] = {}
        last: dict[int, int] = {}
        for card in cards:
            face = self.faces[card]
            if face in last:
                found[card] = last[face]
            last[face] = card
        return found

    def sizes(self, choice: s.Choice) -> Callable[[Machine, int], range]:
        """How many of so many things may be chosen."""
        assert choice.low is not None
        low = self.evaluator.value(choice.low)
        high = low if choice.high is choice.low else self.evaluator.value(choice.high) if choice.high else None

        def sizes(m: Machine, there: int) -> range:
            least = max(low(m), 0)
            most = there if high is None else max(high(m), 0) if high is low else high(m)
            return range(least, min(most, there) + 1)

        return sizes

    def too_many(self) -> RuleError:
        message = Text("the move offers more than {limit} choices", limit=MAX_CHOICES)
        return RuleError("too-many-choices", message, self.move.span)

    # ---- what is legal ----------------------------------------------------------------------------------------------

    def legal(self, m: Machine, player: int) -> Sequence[Any]:
        """All choices that the conditions leave, in the order of the file and of the cards.

        Where a single thing is chosen, it stands for itself: see `picks`. The list may be the one that a place holds.
        """
        m.slots[self.player_slot] = player
        if not self.single:
            return self.legal_picks(m)
        left = self.sources[0](m)
        self.tried = len(left)
        for sift, if_able in self.sifts:
            fitting = sift(m, left)
            if fitting or not if_able:
                left = fitting
        return left

    def picks(self, choices: Sequence[Any]) -> Sequence[Picks]:
        """Legal choices as moves have them."""
        return [(choice,) for choice in choices] if self.single else choices

    def legal_picks(self, m: Machine) -> list[Picks]:
        """… where several things are chosen, or none."""
        left: list[Picks] = []
        self.tried = 0
        for holds in self.judged[0]:
            if not holds(m):
                return left
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
        return [picks for picks in left if self.holds(m, condition, picks)]

    def combinations(self, m: Machine, meant: Meant | None = None) -> list[Picks]:
        """All combinations of choices, before any condition; a later choice may depend on an earlier one.

        Where several things are chosen together, `meant` may tell which of them it is about.
        """
        found: list[Picks] = [()]
        for choice, source in zip(self.move.choices, self.sources, strict=True):
            longer: list[Picks] = []
            for picks in found:
                self.assign(m, picks)
                items = self.sets(m, choice, meant) if choice.several else source(m)
                longer += [(*picks, item) for item in items]
                if len(longer) > MAX_CHOICES:
                    raise self.too_many()
            found = longer
        return found

    def sets(self, m: Machine, choice: s.Choice, meant: Meant | None = None) -> Sequence[Any]:
        """Sets of things that can be chosen together, whether a condition refuses them or not."""
        assert choice.items is not None
        things = self.evaluator.items(choice.items)(m)
        sizes = self.sizes(choice)(m, len(things))
        some = tuple(things if meant is None else [thing for thing in things if meant(choice, thing)])
        growing = Growing(Growth(None, ()), self.evaluator.value, choice.span)
        found = growing.of_sizes(m, some, sizes, self.before(some) if choice.alike else {})
        if found is None:
            raise self.too_many()
        return found

    def assign(self, m: Machine, picks: Picks) -> None:
        for slot, pick in zip(self.slots, picks, strict=False):
            m.slots[slot] = pick

    def holds(self, m: Machine, condition: Condition, picks: Picks) -> bool:
        self.assign(m, picks)
        return bool(condition.holds(m))

    def offered(self, m: Machine, picks: Picks) -> Picks | None:
        """The choice that is meant, whichever of identical cards it names; None if there is nothing like that."""
        if len(picks) != len(self.slots):
            return None
        found: Picks = ()
        for number, (choice, pick) in enumerate(zip(self.move.choices, picks, strict=True)):
            self.assign(m, found)
            meant = self.together(m, choice, pick) if choice.several else self.alone(m, number, pick)
            if meant is None:
                return None
            found = (*found, meant)
        return found

    def alone(self, m: Machine, number: int, pick: Any) -> Any:
        items = self.sources[number](m)
        if pick in items or not self.move.choices[number].alike or not isinstance(pick, int):
            return pick if pick in items else None
        face = self.faces[pick] if 0 <= pick < len(self.faces) else None
        return next((card for card in items if self.faces[card] == face), None)

    def together(self, m: Machine, choice: s.Choice, picks: Any) -> Picks | None:
        """Several things in their order: of identical cards the first, as many of each face as are named."""
        assert choice.items is not None
        things = self.evaluator.items(choice.items)(m)
        if not isinstance(picks, tuple) or len(picks) not in self.sizes(choice)(m, len(things)):
            return None
        if not choice.alike:
            found = tuple(thing for thing in things if thing in picks)
        else:
            known = [card for card in picks if isinstance(card, int) and 0 <= card < len(self.faces)]
            wanted, taken = Counter(self.faces[card] for card in known), list[Any]()
            for card in things:
                if wanted[self.faces[card]] > 0:
                    wanted[self.faces[card]] -= 1
                    taken.append(card)
            found = tuple(taken)
        return found if len(found) == len(picks) else None

    def refusal(self, m: Machine, player: int, picks: Picks) -> Condition | None:
        """The condition that takes this choice away, or None if it is legal or no choice at all."""
        m.slots[self.player_slot] = player
        meant = self.offered(m, picks)
        if meant is None:
            return None
        for condition in self.hard:
            if not self.holds(m, condition, meant):
                return condition
        left: list[Picks] = []
        if self.soft:
            self.extend(m, (), left)
        for condition in self.soft:
            fitting = self.fitting(m, condition, left)
            if fitting and meant not in fitting:
                self.assign(m, meant)
                return condition
            left = fitting or left
        return None

    def make(self, m: Machine, player: int, picks: Picks) -> None:
        """Makes the move."""
        if not self.is_pass:
            m.passing = False
        slots = m.slots
        slots[self.player_slot] = player
        if self.single:
            slots[self.slots[0]] = picks[0]
        else:
            self.assign(m, picks)
        if self.effect:
            self.effect(m)
