"""All sets of some cards for which a condition holds, and the least that is left when some of them are taken out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations
from typing import Any, TypeAlias

from teufelswerk.base.diagnostics import Span
from teufelswerk.base.limits import MAX_CARDS_IN_SETS
from teufelswerk.base.texts import Text
from teufelswerk.core import forms as f
from teufelswerk.core.set_ways import Ways, looks_at_cards_alone, ways_of
from teufelswerk.interpreter.machine import Machine, RuleError
from teufelswerk.interpreter.values import Function

Cards: TypeAlias = tuple[int, ...]
Asked: TypeAlias = Callable[[Machine, Cards], bool]
MOST_REMEMBERED = 100_000


class Subsets:
    """The sets of one form, looked for among whatever cards there are."""

    def __init__(self, form: f.Subsets, items: Function, value: Callable[[f.Expr], Function]) -> None:
        self.items = items
        self.span = form.span
        ways = ways_of(form)
        self.ways = [
            (asked_of(way.condition, ways, value), [asked_of(pair, ways, value) for pair in way.pairs])
            for way in ways.each
        ]

    def __call__(self, m: Machine) -> Sequence[Any]:
        return self.among(m, self.cards(m))

    def cards(self, m: Machine) -> Cards:
        return tuple(self.items(m))

    def among(self, m: Machine, cards: Cards) -> list[Cards]:
        if len(cards) > MAX_CARDS_IN_SETS:
            raise too_many(self.span)
        found = []
        for number, (holds, pairs) in enumerate(self.ways):
            earlier = [before for before, _ in self.ways[:number]]
            fitting = (some for some in self.tried(m, cards, pairs) if holds(m, some))
            found += [some for some in fitting if not any(before(m, some) for before in earlier)]
        m.meter.spend(len(found), self.span)
        return found

    def tried(self, m: Machine, cards: Cards, pairs: Sequence[Asked]) -> Iterator[Cards]:
        """The sets that can be among those looked for."""
        for position, first in enumerate(cards):
            one, others = (first,), cards[position + 1 :]
            for goes_together in pairs:
                others = tuple(card for card in others if goes_together(m, (first, card)))
            if all(alone(m, one) for alone in pairs):
                m.meter.spend(1 << len(others), self.span)
                for more in chain.from_iterable(combinations(others, number) for number in range(len(others) + 1)):
                    yield (first, *more)


def asked_of(condition: f.Expr, ways: Ways, value: Callable[[f.Expr], Function]) -> Asked:
    """Asks a condition of a set. What depends on its cards alone is remembered, and counts as work nevertheless."""
    holds, slots = value(condition), ways.slots
    remembered: dict[Cards, tuple[bool, int]] = {}

    def ask(m: Machine, cards: Cards) -> bool:
        for slot in slots:
            m.slots[slot] = cards
        return bool(holds(m))

    def remember(m: Machine, cards: Cards) -> bool:
        known = remembered.get(cards)
        if known is not None:
            m.meter.work += known[1]
            return known[0]
        before = m.meter.work
        found = ask(m, cards)
        if len(remembered) >= MOST_REMEMBERED:
            remembered.clear()
        remembered[cards] = found, m.meter.work - before
        return found

    return remember if looks_at_cards_alone(condition) else ask


def least_left(sets: Subsets, by: Function, slot: int) -> Function:
    """The least of a number that is left on cards when sets without a common card are taken out."""

    def value(m: Machine) -> int:
        cards = sets.cards(m)
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


def too_many(span: Span) -> RuleError:
    message = Text("sets are looked for among at most {limit} cards", limit=MAX_CARDS_IN_SETS)
    return RuleError("too-many-cards", message, span, Text("look among fewer cards, with a `where` behind them"))
