"""A position that leaves cards open, and how many usually lie where → one way in which they may lie, drawn by lot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from teufelswerk.examples.open_cards import clone
from teufelswerk.interpreter.machine import BOX, Layout, Machine
from teufelswerk.model import UP


@dataclass(frozen=True)
class Usual:
    """A position of the same kind in which everything is known: there lies in each place what usually lies there."""

    layout: Layout
    m: Machine

    @property
    def sizes(self) -> list[int]:
        return [len(place) for place in self.m.places]

    def lies_up(self, place: int, index: int) -> bool:
        """Whether the card at an index of a place lies face up there."""
        cards = self.m.places[place]
        return index < len(cards) and self.layout.lies_up(self.m.keeps, cards[index])


def dealt_out(m: Machine, usual: Usual, wanted: Sequence[int], rng: Random) -> Machine | None:
    """A machine in which every open card lies somewhere; None if they cannot lie so.

    Places hold as many cards as is `wanted`, as far as that can be. What is left over lies where cards are kept that
    are nobody's, if any are there, and else in the box.
    """
    assert m.open is not None
    cards = list(m.open)
    rng.shuffle(cards)
    room = _room(m, usual.layout, wanted)
    lying = _matched(m.open, cards, room)
    if any(list(lying.values()).count(place) < size for place, size in m.sizes.items()):
        return None
    for card in cards:
        if card not in lying:
            lying[card] = _elsewhere(m, m.open[card], usual)
    return _laid(m, usual, lying, cards)


def _room(m: Machine, layout: Layout, wanted: Sequence[int]) -> list[int]:
    """A place for each open card that it still lacks: first where it is known how many there are, then what players
    have, then the rest."""
    lacking = {place: max(0, size - len(m.places[place])) for place, size in enumerate(wanted) if place != BOX}
    lacking |= m.sizes
    order = sorted(lacking, key=lambda place: (place not in m.sizes, layout.owner[place] < 0, place))
    return [place for place in order for _ in range(lacking[place])]


def _matched(possible: dict[int, int], cards: Sequence[int], room: Sequence[int]) -> dict[int, int]:
    """As many of the cards as can be, each in a place of its own where it may lie."""
    holder: dict[int, int] = {}

    def find(unit: int, tried: set[int]) -> bool:
        for card in cards:
            if card in tried or not possible[card] >> room[unit] & 1:
                continue
            tried.add(card)
            if card not in holder or find(holder[card], tried):
                holder[card] = unit
                return True
        return False

    for unit in range(len(room)):
        find(unit, set())
    return {card: room[unit] for card, unit in holder.items()}


def _elsewhere(m: Machine, mask: int, usual: Usual) -> int:
    """Where a card lies for which there is no room."""
    nobodys = [
        place
        for place, size in enumerate(usual.sizes)
        if mask >> place & 1 and size and usual.layout.owner[place] < 0 and place not in m.sizes
    ]
    return max(nobodys, key=lambda place: usual.sizes[place], default=BOX)


def _laid(m: Machine, usual: Usual, lying: dict[int, int], cards: Sequence[int]) -> Machine:
    """The position with every card where it lies, the open ones below those that are known to lie there."""
    found, layout = clone(m), usual.layout
    untouched = {place for place in lying.values() if not found.places[place]}
    found.open, found.sizes, found.fired = None, {}, None
    for card in cards:
        place = lying[card]
        found.where[card], found.owners[card] = place, layout.owner[place]
        found.places[place].insert(0, card)
        if place != BOX:
            layout.lie(found.keeps, place, [card])
    for place in {lying[card] for card in cards}:
        if not layout.ordered[place]:
            found.places[place].sort()
        elif layout.faces is not None and place in untouched and place != BOX:
            for index, card in enumerate(found.places[place]):
                if usual.lies_up(place, index):
                    found.keeps[layout.faces + card] = UP
    return found
