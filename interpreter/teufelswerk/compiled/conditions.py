"""Forms that are true or not → conditions; whatever takes more than one expression is written before it."""

from __future__ import annotations

from typing import assert_never

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Value, Writer
from teufelswerk.compiled.masks_by_parts import looks_for_sets
from teufelswerk.compiled.set_questions import Answers
from teufelswerk.core import forms as f

SIGNS: dict[f.Relation, c.Comparison] = {
    "is": "==", "above": ">", "below": "<", "at_least": ">=", "at_most": "<=", "just_above": "==", "just_below": "==",
}  # fmt: skip


def truth(value: Value) -> c.Expr:
    return c.both(value.present, c.compare("!=", value.expr, 0))


def compared(relation: f.Relation, left: c.Expr, right: c.Expr) -> c.Expr:
    match relation:
        case "just_above":
            right = c.add(right, 1)
        case "just_below":
            right = c.minus(right, 1)
        case "is" | "above" | "below" | "at_least" | "at_most":
            pass
        case _:
            assert_never(relation)
    return c.compare(SIGNS[relation], left, right)


class Conditions:
    """Writes conditions."""

    def __init__(self, w: Writer, answers: Answers) -> None:
        self.w = w
        self.answers = answers
        w.condition = self.condition

    def condition(self, form: f.Expr) -> c.Expr:
        w = self.w
        match form:
            case f.Compare():
                return self.compare(form)
            case f.OneOf():
                card = w.value(form.card)
                table = w.table("one_of", (int(card in form.cards) for card in range(w.cards)))
                return c.both(card.present, c.compare("!=", c.load(table, card.expr), 0))
            case f.Present():
                return w.value(form.value).is_there
            case f.Some():
                return self.answers.some(form.items)
            case f.Logic():
                first, second = self.cheaper_first(form)
                left = self.condition(first)
                body, right = w.aside(lambda: self.condition(second))
                if not body:
                    return c.both(left, right) if form.op == "and" else c.either(left, right)
                if isinstance(left, c.Number):
                    if bool(left.value) is (form.op == "or"):
                        return left
                    w.out += body
                    return right
                holds = w.temp("holds", "b")
                w.set(holds, left)
                body.append(c.Set(holds, right))
                w.out += c.when(holds if form.op == "and" else c.inverse(holds), body)
                return holds
            case f.Not():
                return c.inverse(self.condition(form.operand))
            case f.Defined(argument=None) if w.is_small(form.definition):
                return self.named_condition(form.definition)
            case f.First(options=(option, f.Constant(value=0))):
                return truth(w.value(option))
            case _:
                return truth(w.value(form))

    def cheaper_first(self, form: f.Logic) -> tuple[f.Expr, f.Expr]:
        """Both sides of a condition, the one last that looks for sets of cards, if the other may be asked before it."""
        left, right = form.left, form.right
        if form.op == "and" and looks_for_sets(left) and not looks_for_sets(right) and self.w.is_harmless(right):
            return right, left
        return left, right

    def named_condition(self, definition: f.Definition) -> c.Expr:
        """A condition that has a name; as long as nothing changes, it is worked out once."""
        known = self.w.known
        if known is None:
            return self.condition(definition.value)
        if definition not in known:
            known[definition] = self.w.let("holds", self.condition(definition.value))
        return known[definition]

    def compare(self, form: f.Compare) -> c.Expr:
        w = self.w
        left = w.value(form.left)
        if left.present is None:
            right = w.value(form.right)
            return c.both(right.present, compared(form.relation, left.expr, right.expr))

        # the reference asks the right side of `is` only where the left one is there
        def write() -> c.Expr:
            right = w.value(form.right)
            return c.both(right.present, compared(form.relation, left.expr, right.expr))

        if form.relation != "is":
            return c.both(left.present, write())
        body, holds = w.aside(write)
        if not body:
            return c.both(left.present, holds)
        found = w.temp("holds", "b")
        w.set(found, c.NO)
        w.out += c.when(left.present, [*body, c.Set(found, holds)])
        return found
