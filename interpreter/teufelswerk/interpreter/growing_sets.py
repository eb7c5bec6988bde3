"""Cards → sets of them, found card by card: what cannot become one that fits is not gone on with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from teufelswerk.base.diagnostics import Span
from teufelswerk.base.limits import MAX_BEGINNINGS, MAX_CHOICES
from teufelswerk.core import forms as f
from teufelswerk.core.set_growth import Growth, looks_at_cards_alone
from teufelswerk.interpreter.machine import Machine
from teufelswerk.interpreter.values import Function

Cards: TypeAlias = tuple[int, ...]
Asked: TypeAlias = Callable[[Machine, Cards], bool]
MOST_REMEMBERED = 100_000


class Growing:
    """Sets of which a condition is known that their beginnings fit."""

    def __init__(self, growth: Growth, value: Callable[[f.Expr], Function], span: Span) -> None:
        self.begins = None if growth.condition is None else asked_of(growth.condition, growth.slots, value)
        self.span = span

    def all(self, m: Machine, cards: Cards) -> Iterator[Cards]:
        """Every set that may fit, each right behind the one that it begins with."""
        yield from self._behind(m, (), cards)

    def _behind(self, m: Machine, begun: Cards, others: Cards) -> Iterator[Cards]:
        fitting = self._fitting(m, begun, others)
        for number, card in enumerate(fitting, 1):
            found = (*begun, card)
            yield found
            yield from self._behind(m, found, fitting[number:])

    def _fitting(self, m: Machine, begun: Cards, others: Cards) -> Cards:
        """The cards that may be added to a set, and to any that it grows to."""
        m.meter.spend(len(others), self.span)
        if self.begins is None:
            return others
        begins = self.begins
        return tuple(card for card in others if begins(m, (*begun, card)))

    def of_sizes(self, m: Machine, cards: Cards, sizes: range, before: Mapping[int, int]) -> Sequence[Cards] | None:
        """Those of some sizes, fewer before more, each in the order of the cards; None if there are too many.

        A card before which an identical one lies is added only to that one.
        """
        place = {card: number for number, card in enumerate(cards)}
        level: list[tuple[Cards, Cards]] = [((), cards)]
        found: list[Cards] = [()] if 0 in sizes else []
        begun = 0
        for size in range(1, sizes.stop):
            longer: list[tuple[Cards, Cards]] = []
            last = len(cards) - max(sizes.start - size, 0)
            for some, others in level:
                fitting = self._fitting(m, some, others)
                for number, card in enumerate(fitting, 1):
                    if place[card] >= last:
                        break
                    if card not in before or before[card] in some:
                        longer.append(((*some, card), fitting[number:]))
                if len(longer) > MAX_BEGINNINGS:
                    return None
            level = longer
            if size >= sizes.start:
                found += [some for some, _ in level]
            else:
                begun += len(level)
            if len(found) > MAX_CHOICES or begun > MAX_BEGINNINGS:
                return None
            if not level:
                break
        return found


def asked_of(condition: f.Expr, slots: Sequence[int], value: Callable[[f.Expr], Function]) -> Asked:
    """Asks a condition of a set. What depends on its cards alone is remembered, and counts as work nevertheless."""
    holds = value(condition)
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

    return remember if looks_at_cards_alone(condition, slots) else ask
