"""What is surely known at a point of the flow → what follows: how many there are, what is there, what holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import assert_never

from teufelswerk import model
from teufelswerk.analysis.sameness import UNSURE, Given, Sameness, Tags, inside
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.core import forms as f
from teufelswerk.core.walk import everything_in

ALL = 1_000_000
"""More than there are of anything."""


@dataclass(frozen=True)
class Known:
    """What is known, by the numbers of forms."""

    least: Mapping[int, int] = field(default_factory=dict)
    """How many a set has at least."""
    holds: Mapping[int, bool] = field(default_factory=dict)
    """Which conditions hold, and which do not."""
    given: Given = field(default_factory=dict)
    """What slots stand for."""
    origins: Mapping[int, Tags] = field(default_factory=dict)
    """For slots that hold cards: in which places they lie."""

    def also(self, number: int, holds: bool) -> Known:
        return replace(self, holds={**self.holds, number: holds})

    def at_least(self, number: int, amount: int) -> Known:
        return replace(self, least={**self.least, number: amount}) if amount > self.least.get(number, 0) else self

    def standing(self, slot: int, number: int) -> Known:
        return replace(self, given={**self.given, slot: number})


def join(first: Known, second: Known) -> Known:
    """What is known if one of the two is."""
    return Known(
        {key: min(n, second.least[key]) for key, n in first.least.items() if key in second.least},
        dict(first.holds.items() & second.holds.items()),
        dict(first.given.items() & second.given.items()),
        {slot: tags | second.origins[slot] for slot, tags in first.origins.items() if slot in second.origins},
    )


class Reasoning:
    """What follows from what is known, for the forms of one game."""

    def __init__(self, rules: model.Model) -> None:
        self.rules = rules
        self.same = Sameness()

    def changed(self, known: Known, tags: Tags, lost: Mapping[str, int] | None = None) -> Known:
        """What is still known when something has changed, and places have lost so many cards."""
        least = {}
        for number, amount in known.least.items():
            places, others = self.same.listing(number)
            left = amount - max((lost.get(tag, 0) for tag in places), default=0) if lost else amount
            if left > 0 and not others & tags:
                least[number] = left
        reads = self.same.reads
        holds = {number: held for number, held in known.holds.items() if not reads[number] & tags}
        given = {slot: number for slot, number in known.given.items() if not reads[number] & tags}
        return replace(known, least=least, holds=holds, given=given)

    # ---- what a condition tells -------------------------------------------------------------------------------------

    def assume(self, condition: f.Expr, holds: bool, known: Known, given: Given | None = None) -> Known:
        """What is known where a condition holds, or does not."""
        given = known.given if given is None else given
        match condition:
            case f.Not():
                known = self.assume(condition.operand, not holds, known, given)
            case f.Logic() if (condition.op == "and") is holds:
                known = self.assume(condition.left, holds, known, given)
                known = self.assume(condition.right, holds, known, given)
            case f.Logic():
                left = self.assume(condition.left, holds, known, given)
                contrary = self.assume(condition.left, not holds, known, given)
                known = join(left, self.assume(condition.right, holds, contrary, given))
            case f.Defined():
                known = self.assume(condition.definition.value, holds, known, self.inside(condition, given))
            case f.First(options=(value, f.Constant(value=0))) | f.Taken(value=value) | f.Needed(value=value):
                known = self.assume(value, holds, known, given)
            case f.Some() if holds:
                known = self.some(condition.items, 1, known, given)
            case f.Present() if holds:
                known = self.there(condition.value, known, given)
            case f.If(otherwise=None) if holds:  # what belongs to things that may not be there
                known = self.assume(condition.condition, True, known, given)
                known = self.assume(condition.then, True, known, given)
            case f.Compare():
                if holds:
                    known = self.there(condition.right, self.there(condition.left, known, given), given)
                known = self.counted(condition, holds, known, given)
        number = self.same.of(condition, given)
        return known if UNSURE in self.same.reads[number] else known.also(number, holds)

    def counted(self, condition: f.Compare, holds: bool, known: Known, given: Given) -> Known:
        """A count that is compared with a number tells how many there are; so does a sum that is not nothing."""
        number = constant(condition.right)
        if number is None or not isinstance(condition.left, f.Count | f.Sum):
            return known
        match condition.relation, holds:
            case ("at_least" | "is", True) | ("below", False):
                amount = number
            case ("above" | "just_above", True) | ("at_most", False):
                amount = number + 1
            case ("just_below", True):
                amount = number - 1
            case ("is", False):
                amount = int(number == 0)
            case _:
                amount = 0
        amount = amount if isinstance(condition.left, f.Count) else min(amount, 1)
        return self.some(condition.left.items, amount, known, given) if amount > 0 else known

    def some(self, items: f.Items, amount: int, known: Known, given: Given) -> Known:
        """There are so many in a set, and so in the set that they were taken from."""
        number = self.same.of(items, given)
        if UNSURE not in self.same.reads[number]:
            known = known.at_least(number, amount)
        match items:
            case f.Fitting() | f.Few():
                return self.some(items.items, amount, known, given)
            case f.Defined(definition=f.Definition(value=f.Fitting() as value)):
                return self.some(value, amount, known, self.inside(items, given))
        return known

    def there(self, value: f.Expr, known: Known, given: Given) -> Known:
        """A value is there, and so is what it is a value of."""
        match value:
            case f.Attribute() | f.OwnerOf() | f.PlaceHolding():
                known = self.there(value.card, known, given)
            case f.Nth():
                known = self.some(value.items, max(value.position + 1, -value.position), known, given)
            case f.Extreme():
                known = self.some(value.items, 1, known, given)
            case f.Defined():
                known = self.there(value.definition.value, known, self.inside(value, given))
        number = self.same.node("Present", (), (self.same.of(value, given),))
        return known if UNSURE in self.same.reads[number] else known.also(number, True)

    # ---- what is surely so ------------------------------------------------------------------------------------------

    def inside(self, form: f.Defined, given: Given) -> Given:
        return inside(form.definition, self.same.of(form.argument, given) if form.argument else None)

    def truth(self, condition: f.Expr, known: Known, given: Given) -> bool | None:
        """Whether a condition surely holds, or surely does not."""
        said = known.holds.get(self.same.of(condition, given))
        if said is not None:
            return said
        match condition:
            case f.Constant():
                return bool(condition.value)
            case f.Not():
                inner = self.truth(condition.operand, known, given)
                return None if inner is None else not inner
            case f.Logic():
                decides = condition.op == "or"
                sides = {self.truth(side, known, given) for side in (condition.left, condition.right)}
                return decides if decides in sides else None if None in sides else not decides
            case f.Defined():
                return self.truth(condition.definition.value, known, self.inside(condition, given))
            case f.Some():
                return self.least(condition.items, known, given) > 0 or None
            case f.Present():
                return self.missing(condition.value, known, given) is None or None
            case f.Compare(relation="is" | "at_least" | "at_most"):
                same = self.same.of(condition.left, given) == self.same.of(condition.right, given)
                return (same and self.missing(condition.left, known, given) is None) or None
        return None

    def least(self, items: f.Items, known: Known, given: Given) -> int:
        """How many a set has at least."""
        said = known.least.get(self.same.of(items, given), 0)
        match items:
            case f.Listed():
                return len(items.values)
            case f.Players():
                return max(said, self.rules.min_players if items.out is None else 1)
            case f.Around() | f.Family():
                return max(said, 1)
            case f.Numbers():
                first, last = constant(items.first), constant(items.last)
                first, last = (last, first) if items.down else (first, last)
                return said if first is None or last is None else max(last - first + 1, 0)
            case f.Only():
                return int(self.missing(items.item, known, given) is None)
            case f.CardsIn():
                return max(said, known.least.get(self.every(items.places.type.of), 0))
            case f.Joined():
                return max(said, sum(self.least(part, known, given) for part in items.sets))
            case f.Together():
                return max(said, *(self.least(part, known, given) for part in items.sets))
            case f.EndsOf():
                return max(said, 2 * min(known.least.get(self.every(items.places.type.of), 0), 1))
            case f.Fitting():
                return max(said, self.fitting(items, known, given))
            case f.Few():
                return max(said, min(constant(items.amount) or 0, self.least(items.items, known, given)))
            case f.Defined():
                value = items.definition.value
                if not isinstance(value, f.CardsIn | f.Fitting | f.Listed):
                    return said  # one of several sets
                return max(said, self.least(value, known, self.inside(items, given)))
            case f.Subsets() | f.Slot() | f.If() | f.First() | f.Taken():
                return said
            case _:
                assert_never(items)

    def every(self, place: str) -> int:
        """The number for: what each place of a family has at least."""
        return self.same.node("every", (place,), own=frozenset({f"place {place}"}))

    def fitting(self, form: f.Fitting, known: Known, given: Given) -> int:
        """`where it is not X` leaves out one; `where colour is colour of first of …` has one that fits itself."""
        there, condition = self.least(form.items, known, given), form.condition
        match condition:
            case f.Not(operand=f.Compare(relation="is", left=f.Slot() as it, right=other)) if it.slot == form.slot:
                own = (isinstance(part, f.Slot) and part.slot == form.slot for part in everything_in(other))
                return 0 if any(own) else there - 1
        number = self.same.of(form.items, given)
        for position in range(-1, min(there, 2)) if there else ():
            one = self.same.node("Nth", (position,), (number,))
            if self.truth(condition, known, {**given, form.slot: one}):
                return 1
        return 0

    def missing(self, form: f.Expr, known: Known, given: Given) -> f.Expr | None:
        """The part of a value that may be absent, or None if the value is surely there."""
        if known.holds.get(self.same.node("Present", (), (self.same.of(form, given),))):
            return None
        match form:
            case f.Nth():
                wanted = max(form.position + 1, -form.position)
                return None if self.least(form.items, known, given) >= wanted else form
            case f.Extreme():
                return None if self.least(form.items, known, given) else form
            case f.Attribute():
                part = self.missing(form.card, known, given)
                return form if part is None and form.type.optional and not form.card.type.optional else part
            case f.OwnerOf() | f.PlaceHolding():
                return self.missing(form.card, known, given)
            case f.EndAt():
                return self.missing(form.place, known, given)
            case f.CardAt():
                return self.missing(form.end, known, given)
            case f.Neighbour():
                return self.missing(form.player, known, given)
            case f.Kept() if form.keep.type.optional:
                return form
            case f.PlaceAt() | f.Kept():
                return self.missing(form.key, known, given) if form.key else None
            case f.Defined():
                part = self.missing(form.argument, known, given) if form.argument else None
                return part or self.missing(form.definition.value, known, self.inside(form, given))
            case f.Arith():
                return self.missing(form.left, known, given) or self.missing(form.right, known, given)
            case f.If() | f.First():
                return self.chosen(form, known, given)
            case f.Taken() | f.Needed():
                return self.missing(form.value, known, given)
            case f.Only():
                return self.missing(form.item, known, given)
            case f.CardsIn() | f.EndsOf():
                return self.missing(form.places, known, given)
            case f.Joined() | f.Together():  # a card by itself that is not there is none of them
                sets = [cards for cards in form.sets if not isinstance(cards, f.Only)]
                return next((part for cards in sets if (part := self.missing(cards, known, given))), None)
            case f.Fitting() | f.Subsets():
                return self.missing(form.items, known, given)
            case f.Few():
                return self.missing(form.items, known, given) or self.missing(form.amount, known, given)
            case f.Around():
                last = self.missing(form.last, known, given) if form.last else None
                return self.missing(form.first, known, given) or last
            case f.Numbers():
                return self.missing(form.first, known, given) or self.missing(form.last, known, given)
            case f.Constant() | f.Slot() | f.Drawn() | f.Sum() | f.Count() | f.Listed() | f.Players() | f.Family():
                return None
            case f.LeastLeft():
                return self.missing(form.sets, known, given)
            case f.Compare() | f.OneOf() | f.Present() | f.Some() | f.Logic() | f.Not():
                return None
            case _:
                assert_never(form)

    def chosen(self, form: f.If | f.First, known: Known, given: Given) -> f.Expr | None:
        """One of several values: each is asked where the conditions before it do not hold."""
        if isinstance(form, f.If):
            decided = self.truth(form.condition, known, given)
            then = self.missing(form.then, self.assume(form.condition, True, known, given), given)
            if decided:
                return then
            other: f.Expr | None = form
            if form.otherwise is not None:
                other = self.missing(form.otherwise, self.assume(form.condition, False, known, given), given)
            return other if decided is False else then or other
        part: f.Expr | None = form
        for option in form.options:
            part = self.missing(option, known, given)
            if part is None:
                return None
            if isinstance(option, f.If) and option.otherwise is None:
                part = form
                if self.missing(option.then, self.assume(option.condition, True, known, given), given) is None:
                    known = self.assume(option.condition, False, known, given)
        return part


def constant(form: f.Expr) -> int | None:
    """The number that a value always is, if it has been given one."""
    match form:
        case f.Constant():
            return form.value
        case f.Defined(argument=None):
            return constant(form.definition.value)
        case f.Taken() | f.Needed():
            return constant(form.value)
        case f.First(options=(only,)):
            return constant(only)
    return None
