"""A condition on a set of cards → what has to hold already of the cards with which such a set begins.

All sets of two dozen cards are millions. But most conditions tell of a few cards already whether they can be in a
set: `no cards where suit is not suit of first of cards`, or a sum that must not be exceeded. So sets are looked for
card by card, in the order of the cards, and what cannot become one that fits is not gone on with.
"""

from __future__ import annotations

from collections.abc import Sequence

from teufelswerk import model
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.walk import everything_in, parts
from teufelswerk.model import TRUTH

GROWING_AMOUNTS: tuple[f.Relation, ...] = ("at_most", "below")
"""Where a sum that only grows is no longer so, it never will be again."""
EXACT_AMOUNTS: dict[f.Relation, f.Relation] = {"is": "at_most", "just_below": "below"}


@dataclass(frozen=True)
class Growth:
    """What holds for the first card, the first two … of every set that fits; None if nothing is known of these."""

    condition: f.Expr | None
    slots: tuple[int, ...]
    """All slots in which what is asked finds the set."""


def growth_of(sets: f.Subsets, rules: model.Model) -> Growth:
    """… of the sets that fit a definition."""
    return _Growing(rules, sets.slot).growth([sets.condition])


def growth_of_choice(move: s.Move, choice: s.Choice, rules: model.Model) -> Growth:
    """… of cards that are chosen together: whatever must hold of them and of what was chosen before."""
    later = {other.slot for other in move.choices[move.choices.index(choice) + 1 :]}
    judged = []
    for condition in move.conditions:
        asked = {form.slot for form in everything_in(condition.holds) if isinstance(form, f.Slot)}
        if not condition.if_able and choice.slot in asked and not asked & later:
            judged.append(condition.holds)
    return _Growing(rules, choice.slot).growth(judged)


def looks_at_cards_alone(form: f.Expr, slots: Sequence[int]) -> bool:
    """Whether a condition on the cards in some slots depends on nothing but what is on them.

    What was chosen before is in a slot as well, and a definition that is used may look at the table.
    """
    match form:
        case f.Slot(slot=slot):
            return slot in slots
        case f.Defined(definition=definition, argument=argument):
            if argument is None or not looks_at_cards_alone(argument, slots):
                return False
            return looks_at_cards_alone(definition.value, [*slots, definition.slot])
        case f.Extreme(slot=slot) | f.Sum(slot=slot) | f.Fitting(slot=slot):
            slots = [*slots, slot]
    known = (
        f.Constant, f.Attribute, f.Nth, f.Extreme, f.Sum, f.Count, f.Arith, f.If, f.First, f.Needed, f.Compare, f.OneOf,
        f.Present, f.Some, f.Logic, f.Not, f.Only, f.Few, f.Fitting, f.Listed,
    )  # fmt: skip
    return isinstance(form, known) and all(looks_at_cards_alone(part, slots) for part in parts(form))


class _Growing:
    def __init__(self, rules: model.Model, slot: int) -> None:
        self.rules = rules
        self.slots = [slot]

    def growth(self, conditions: Sequence[f.Expr]) -> Growth:
        condition = self.all_of([self.beginning(condition) for condition in conditions])
        return Growth(condition, tuple(self.slots))

    def all_of(self, conditions: Sequence[f.Expr | None]) -> f.Expr | None:
        """What is known by all that is known."""
        found: f.Expr | None = None
        for one in conditions:
            if one is not None:
                found = one if found is None else f.Logic(TRUTH, found.span, "and", found, one)
        return found

    def beginning(self, condition: f.Expr) -> f.Expr | None:
        """What the beginning of a set fits if the set fits a condition."""
        match condition:
            case f.Logic(op="and"):
                return self.all_of([self.beginning(condition.left), self.beginning(condition.right)])
            case f.Logic(op="or"):
                left, right = self.beginning(condition.left), self.beginning(condition.right)
                return f.Logic(TRUTH, condition.span, "or", left, right) if left and right else None
            case f.Defined(argument=f.Slot(slot=slot)) if slot in self.slots:
                return self.beginning(self.entered(condition.definition))
        found = self.lasting(condition)
        return found if found is not None and self.is_harmless(found) else None

    def entered(self, definition: f.Definition) -> f.Expr:
        """The value of a definition that is asked of the set."""
        if definition.slot not in self.slots:
            self.slots.append(definition.slot)
        return definition.value

    def lasting(self, condition: f.Expr) -> f.Expr | None:
        """What no more cards can mend where it does not hold of a few."""
        if self.beside_first(condition):
            return condition
        match condition:
            case f.Not(operand=f.Some(items=items)) if self.picks_out(items):
                return condition
            case f.Not(operand=f.Compare(relation="above" | "at_least", left=left, right=right)):
                return condition if self.grows(left) and self.beside_first(right) else None
            case f.Not(operand=f.Compare(relation="below" | "at_most", left=left, right=right)):
                return condition if self.grows(right) and self.beside_first(left) else None
            case f.Compare(relation=relation, left=left, right=right) if self.grows(left) and self.beside_first(right):
                if relation in GROWING_AMOUNTS:
                    return condition
                weaker = EXACT_AMOUNTS.get(relation)
                return f.Compare(TRUTH, condition.span, weaker, left, right) if weaker else None
            case f.Compare(relation="is", left=left, right=right) if self.grows(right) and self.beside_first(left):
                return f.Compare(TRUTH, condition.span, "at_most", right, left)
            case f.Compare(relation="at_least" | "above", left=left, right=right):
                return condition if self.grows(right) and self.beside_first(left) else None
        return None

    def beside_first(self, form: f.Expr) -> bool:
        """Whether no more of the set is looked at than its first card."""
        match form:
            case f.Nth(position=0, items=f.Slot()):
                return True
            case f.Slot(slot=slot):
                return slot not in self.slots
        return all(map(self.beside_first, parts(form)))

    def picks_out(self, items: f.Expr) -> bool:
        """Whether these are the cards of the set, or those of them which fit by themselves or beside the first."""
        match items:
            case f.Slot(slot=slot):
                return slot in self.slots
            case f.Fitting():
                return self.picks_out(items.items) and self.beside_first(items.condition)
        return False

    def grows(self, form: f.Expr) -> bool:
        """Whether an amount never becomes less when cards are added to the set."""
        match form:
            case f.Count():
                return self.picks_out(form.items)
            case f.Sum():
                return self.picks_out(form.items) and self.beside_first(form.by) and self.is_positive(form.by)
            case f.Defined(argument=f.Slot(slot=slot)) if slot in self.slots:
                return self.grows(self.entered(form.definition))
            case f.Arith(op="+" | "*"):
                either = self.grows(form.left), self.grows(form.right)
                same = self.beside_first(form.left), self.beside_first(form.right)
                both = all(grown or fixed for grown, fixed in zip(either, same, strict=True))
                return any(either) and both and self.is_positive(form.left) and self.is_positive(form.right)
        return False

    def is_positive(self, form: f.Expr) -> bool:
        """Whether a number is never below 0."""
        match form:
            case f.Constant():
                return form.value >= 0
            case f.Attribute():
                return all(value is None or value >= 0 for value in self.rules.on_cards(form.attribute))
            case f.Count():
                return True
            case f.Sum():
                return self.is_positive(form.by)
            case f.Arith(op="+" | "*" | "smaller" | "larger"):
                return self.is_positive(form.left) and self.is_positive(form.right)
            case f.Taken() | f.Needed():
                return self.is_positive(form.value)
            case f.First():
                return all(map(self.is_positive, form.options))
            case f.If():
                return self.is_positive(form.then) and (form.otherwise is None or self.is_positive(form.otherwise))
            case f.Defined():
                return self.is_positive(form.definition.value)
        return False

    @staticmethod
    def is_harmless(form: f.Expr) -> bool:
        """Whether it may be asked of cards that turn out to be in no set: no lot, and nothing that may be at fault."""
        for part in everything_in(form):
            match part:
                case f.Drawn() | f.Needed() | f.Subsets() | f.LeastLeft() | f.Numbers():
                    return False
                case f.Arith(op="/up" | "/down" | "remainder"):
                    return False
                case f.Kept(keep=keep) if not keep.names and keep.initial is None:
                    return False
                case f.PlaceAt(key=key) if key is not None and key.type.kind == "number":
                    return False
        return True
