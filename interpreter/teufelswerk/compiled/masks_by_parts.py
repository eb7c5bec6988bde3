"""Conditions on cards → those of some cards that fit: part by part where no mask tells of the whole condition."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Origin, Value, Writer
from teufelswerk.core import forms as f
from teufelswerk.core.walk import everything_in
from teufelswerk.model import TRUTH


def looks_for_sets(form: f.Expr) -> bool:
    return any(isinstance(part, f.Subsets | f.LeastLeft) for part in everything_in(form))


class AllAtOnce(Protocol):
    """Tells of all cards at once, if it can, for which a condition holds."""

    def fitting(self, cards: c.Expr, condition: f.Expr, slot: int, lies: Origin | None) -> c.Expr: ...

    def quietly(self, condition: f.Expr, slot: int) -> tuple[c.Body, c.Expr | None, bool]: ...


def depends(form: f.Expr, slot: int) -> bool:
    return any(isinstance(part, f.Slot) and part.slot == slot for part in everything_in(form))


def draws(form: f.Expr) -> bool:
    return any(isinstance(part, f.Drawn) for part in everything_in(form))


class ByParts:
    """Writes what is left of some cards, condition by condition."""

    def __init__(self, w: Writer, masks: AllAtOnce) -> None:
        self.w = w
        self.masks = masks

    def fitting(self, cards: c.Expr, condition: f.Expr, slot: int, lies: Origin | None) -> c.Expr:
        """Those of some cards for which a condition holds, part by part as far as one of them tells of all at once."""
        w, condition = self.w, self.plain(condition)
        match condition:
            case f.Logic() if self.tells(condition.left, slot) or self.tells(condition.right, slot):
                first = w.let("cards", self.masks.fitting(cards, condition.left, slot, lies))
                if condition.op == "and":
                    return self.masks.fitting(first, condition.right, slot, lies)
                others = w.let("cards", c.binary("&~", cards, first))
                return c.binary("|", first, self.masks.fitting(others, condition.right, slot, lies))
            case f.Not() if self.tells(condition.operand, slot):
                return c.binary("&~", cards, self.masks.fitting(cards, condition.operand, slot, lies))
            case f.If() if not depends(condition.condition, slot) and not draws(condition):
                return self.as_decided(cards, condition, slot, lies)
            case f.Defined(argument=f.Slot(slot=asked), definition=definition) if asked == slot and self.tells(
                definition.value, definition.slot
            ):
                return self.masks.fitting(cards, definition.value, definition.slot, lies)
        kept = w.temp("fitting", "m")
        w.set(kept, c.NOBODY)
        w.look(c.size(cards))
        with w.each_card(cards) as card, w.bound(slot, Value(card, None, 0, w.cards - 1), lies):
            w.out += c.when(w.condition(condition), [c.Set(kept, c.binary("|", kept, c.bit(card)))])
        return kept

    def as_decided(self, cards: c.Expr, choice: f.If, slot: int, lies: Origin | None) -> c.Expr:
        """… where something else decides what is asked of them."""
        w, kept = self.w, self.w.temp("fitting", "m")
        w.set(kept, c.NOBODY)
        with w.body() as whole:
            decides = w.condition(choice.condition)
            with w.body() as then:
                w.set(kept, self.masks.fitting(cards, choice.then, slot, lies))
            with w.body() as otherwise:
                if choice.otherwise is not None:
                    w.set(kept, self.masks.fitting(cards, choice.otherwise, slot, lies))
            w.out += c.when(decides, then, otherwise)
        w.out += c.when(c.some(cards), whole)
        return kept

    def plain(self, condition: f.Expr) -> f.Expr:
        """A condition that has alternatives as one that is decided by another one."""
        match condition:
            case f.Taken() if not self.w.counted:
                return self.plain(condition.value)
            case f.First(options=(f.If(otherwise=None, then=then) as choice, *others)) if others:
                if not then.type.optional:
                    rest = others[0] if len(others) == 1 else replace(condition, options=tuple(others))
                    return replace(choice, type=TRUTH, otherwise=rest)
        return condition

    def tells(self, condition: f.Expr, slot: int) -> bool:
        """Whether a condition, or a part of it, can be told of all cards at once."""
        condition = self.plain(condition)
        if draws(condition):
            return False
        if self.masks.quietly(condition, slot)[1] is not None:
            return True
        match condition:
            case f.Logic():
                return self.tells(condition.left, slot) or self.tells(condition.right, slot)
            case f.Not():
                return self.tells(condition.operand, slot)
            case f.If():
                return not depends(condition.condition, slot)
            case f.Defined(argument=f.Slot(slot=asked), definition=definition) if asked == slot:
                return condition.type.kind == "truth" and self.tells(definition.value, definition.slot)
        return False
