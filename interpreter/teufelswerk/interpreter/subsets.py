"""All sets of some cards for which a condition holds, and the least that is left when some of them are taken out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.limits import MAX_CARDS_IN_GROWING_SETS, MAX_CARDS_IN_SETS
from teufelswerk.base.texts import Text
from teufelswerk.core import forms as f
from teufelswerk.core.set_growth import growth_of
from teufelswerk.interpreter.growing_sets import Cards, Growing, asked_of
from teufelswerk.interpreter.machine import Machine, RuleError
from teufelswerk.interpreter.values import Function


class Subsets:
    """The sets of one form, looked for among whatever cards there are."""

    def __init__(
        self, form: f.Subsets, rules: model.Model, items: Function, value: Callable[[f.Expr], Function]
    ) -> None:
        growth = growth_of(form, rules)
        self.items = items
        self.span = form.span
        self.most = MAX_CARDS_IN_SETS if growth.condition is None else MAX_CARDS_IN_GROWING_SETS
        self.growing = Growing(growth, value, form.span)
        self.holds = asked_of(form.condition, (form.slot,), value)

    def __call__(self, m: Machine) -> Sequence[Any]:
        return self.among(m, self.cards(m))

    def cards(self, m: Machine) -> Cards:
        return tuple(self.items(m))

    def among(self, m: Machine, cards: Cards) -> list[Cards]:
        if len(cards) > self.most:
            raise too_many(self.span, self.most)
        found = []
        for some in self.growing.all(m, cards):
            m.meter.spend(1, self.span)
            if self.holds(m, some):
                found.append(some)
        return found


def least_left(sets: Subsets, by: Function, slot: int) -> Function:
    """The least of a number that is left on cards when sets without a common card are taken out."""

    def value(m: Machine) -> int:
        cards = sets.cards(m)
        if len(cards) > MAX_CARDS_IN_SETS:
            raise too_many(sets.span, MAX_CARDS_IN_SETS)
        worth = {}
        for card in cards:
            m.slots[slot] = card
            worth[card] = by(m) or 0
        covered = {0: 0}
        for some in sets.among(m, cards):
            these, amount = sum(1 << card for card in some), sum(worth[card] for card in some)
            m.meter.spend(len(covered), sets.span)
            covered |= {those | these: n + amount for those, n in covered.items() if not those & these}
        return sum(worth.values()) - max(covered.values())

    return value


def too_many(span: Span, limit: int) -> RuleError:
    message = Text("sets are looked for among at most {limit} cards", limit=limit)
    return RuleError("too-many-cards", message, span, Text("look among fewer cards, with a `where` behind them"))
