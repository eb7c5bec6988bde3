"""What can be known of the cards before any game: their attributes as tables, their comparisons as masks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise

from teufelswerk.model import Model
from teufelswerk.nodes import Relation

NONE = -(1 << 40)
"""Stands for a number that is absent; every other absent thing is -1."""

MANY = 10_000
"""A number above this is shown as the mask that it is."""


def compare(relation: Relation, left: int | None, right: int | None) -> bool:
    """A comparison as the reference interpreter makes it: what is absent is unlike everything."""
    if left is None or right is None:
        return relation == "is_not"
    match relation:
        case "is":
            return left == right
        case "is_not":
            return left != right
        case "above":
            return left > right
        case "below":
            return left < right
        case "at_least":
            return left >= right
    return left <= right


FLIPPED: dict[Relation, Relation] = {
    "is": "is", "is_not": "is_not", "above": "below", "below": "above", "at_least": "at_most", "at_most": "at_least",
}  # fmt: skip
SIGNS: dict[Relation, str] = {
    "is": "==", "is_not": "!=", "above": ">", "below": "<", "at_least": ">=", "at_most": "<=",
}  # fmt: skip


class Tables:
    """The tables that a game's source uses, each written once at its head."""

    def __init__(self, rules: Model, players: int) -> None:
        self.rules = rules
        self.players = players
        self.lines: list[str] = []
        self._tables: dict[str, tuple[int, ...]] = {}
        self.all = (1 << len(rules.cards)) - 1

    def _table(self, hint: str, values: Iterable[int], comment: str) -> str:
        """The name of a table with these values, which is written if it is not there yet."""
        found = tuple(values)
        name = re.sub(r"\W", "_", hint).upper()
        while self._tables.get(name, found) != found:
            name += "_"
        if name not in self._tables:
            self._tables[name] = found
            masks = max(found, default=0) > MANY
            shown = ", ".join(hex(value) if masks and value >= 0 else str(value) for value in found)
            self.lines.append(f"{name} = table({shown})  # {comment}")
        return name

    # ---- attributes -------------------------------------------------------------------------------------------------

    def values(self, attribute: str) -> list[int | None]:
        return [card.values.get(attribute) for card in self.rules.cards]

    def attribute(self, attribute: str) -> str:
        values = [NONE if value is None else value for value in self.values(attribute)]
        return self._table(f"{attribute}_of", values, f"{attribute} of each card")

    def rises(self, attribute: str, mask: int | None = None) -> bool:
        """Whether the attribute rises from card to card (of those in the mask), so that the cards compare like it."""
        found = [v for i, v in enumerate(self.values(attribute)) if mask is None or mask >> i & 1]
        return None not in found and all(a < b for a, b in pairwise(found))  # type: ignore[operator]

    def mask(self, fits: Callable[[int], bool]) -> int:
        return sum(1 << card.index for card in self.rules.cards if fits(card.index))

    def cards_of(self, mask: int) -> str:
        """The cards of a mask, one by one."""
        cards = [card.index for card in self.rules.cards if mask >> card.index & 1]
        return self._table(f"cards_{len(cards)}_{mask:x}", cards, f"{len(cards)} cards in their order")

    def kinds(self, kinds: frozenset[str]) -> int:
        return self.mask(lambda card: self.rules.cards[card].kind in kinds)

    def comparison(self, attribute: str, relation: Relation, other: str) -> str:
        """For each card, the cards whose attribute compares so with its other attribute."""
        left, right = self.values(attribute), self.values(other)
        masks = [self.mask(lambda card, v=v: compare(relation, left[card], v)) for v in right]  # type: ignore[misc]
        name = f"{attribute}_{relation}" + (f"_{other}" if other != attribute else "") + "_of"
        return self._table(name, masks, f"cards whose {attribute} {relation} that card's {other}")

    def comparison_with(self, attribute: str, relation: Relation, low: int, high: int) -> str:
        """For each value from low to high, the cards whose attribute compares so with it."""
        left = self.values(attribute)
        masks = [
            self.mask(lambda card, v=v: compare(relation, left[card], v))  # type: ignore[misc]
            for v in range(low, high + 1)
        ]
        name = f"{attribute}_{relation}" + (f"_from_{low}" if low else "") + f"_to_{high}"
        return self._table(name, masks, f"cards whose {attribute} {relation} the value, from {low} to {high}")

    # ---- seats ------------------------------------------------------------------------------------------------------

    def neighbour(self, side: str) -> str:
        step = 1 if side == "left" else -1
        seats = [(seat + step) % self.players for seat in range(self.players)]
        return self._table(side, seats, f"the seat to the {side} of each")
