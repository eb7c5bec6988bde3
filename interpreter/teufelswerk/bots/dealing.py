"""What is known of the unseen cards → ways to deal them at random to where they may lie, one after another."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeAlias

from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import BOX
from teufelswerk.interpreter.view import View

Choices: TypeAlias = dict[int, tuple[int, ...]]
"""For each card the bins that it may go into."""


class Known(Protocol):
    """What dealing asks of somebody's knowledge."""

    game: Game
    possible: list[int]
    excluded: list[int]

    def counts(self, view: View | None) -> list[int]: ...

    def visible(self, view: View) -> dict[int, int]: ...

    def seen(self, view: View) -> dict[str, list[int]]: ...


class Dealing:
    """Deals in accordance with a view. What is the same in all deals is worked out once.

    `forced` are cards whose places have become known later.
    """

    def __init__(self, known: Known, view: View, forced: dict[int, int]) -> None:
        self.names = known.game.layout.place_names
        self.lying = known.seen(view)
        self.faces = {
            index for index, name in enumerate(self.names) if index != BOX and view.places[name].faces is not None
        }
        """Places in which some cards are seen and others are not."""
        self.open: list[list[int]] = [[] for _ in self.names]
        self.bins: list[tuple[int, str | None, int]] = []
        """Each with its place, what the backs in it show, and how many cards it takes."""
        for index, count in enumerate(known.counts(view)):
            seen = view.places[self.names[index]] if index != BOX else None
            if seen is not None and seen.lying is not None:
                self.open[index] = self.lying[seen.name]
            if seen is not None and seen.cards is not None:
                continue
            if seen is not None and seen.backs is not None:
                self.bins += [(index, back, seen.backs.count(back)) for back in dict.fromkeys(seen.backs)]
            elif count:
                self.bins.append((index, None, count - len(seen.visible) if seen is not None else count))
        self.room = [room for _, _, room in self.bins]
        self.places = list(dict.fromkeys(place for place, _, _ in self.bins))
        """Those to which cards are dealt."""
        visible = known.visible(view)
        hidden = [card for card in known.game.rules.cards if card.index not in visible]
        self.cards = [(card.index, card.back) for card in hidden]
        self.forced = forced
        surely = [a & ~b or a for a, b in zip(known.possible, known.excluded, strict=True)]
        self.domains = [surely, known.possible, [-1] * len(surely)]
        """Where each card may lie; if nothing comes of the first of these, the next is tried."""
        self.choices: Choices | None = None

    def deal(self, rng: Random) -> list[list[int]]:
        """The cards in every place."""
        places = [list(cards) for cards in self.open]
        for place, cards in self.hidden(rng).items():
            if place in self.faces:
                down = iter(cards)
                places[place] = [next(down) if card < 0 else card for card in self.lying[self.names[place]]]
            else:
                places[place] = cards
        return places

    def hidden(self, rng: Random) -> dict[int, list[int]]:
        """The cards that are not seen, in each of the places that have any, in any order."""
        filled = None
        if self.choices is not None:
            filled = assign(self.choices, self.room, rng)
        while filled is None:
            self.choices = self.chosen(self.domains.pop(0))
            filled = assign(self.choices, self.room, rng)
        found: dict[int, list[int]] = {place: [] for place in self.places}
        for (place, _, _), cards in zip(self.bins, filled, strict=True):
            found[place] += cards
        for cards in found.values():
            shuffle(cards, rng)
        return found

    def chosen(self, domains: Sequence[int]) -> Choices:
        """Those with little choice come first."""
        found: Choices = {}
        for card, back in self.cards:
            domain = 1 << self.forced[card] if card in self.forced else domains[card]
            found[card] = tuple(
                number for number, (place, shown, _) in enumerate(self.bins)
                if domain >> place & 1 and (shown is None or shown == back)
            )  # fmt: skip
        return dict(sorted(found.items(), key=lambda each: len(each[1])))


def shuffle(cards: list[int], rng: Random) -> None:
    random = rng.random
    for i in range(len(cards) - 1, 0, -1):
        j = int(random() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]


def assign(choices: Choices, room: list[int], rng: Random) -> list[list[int]] | None:
    """Puts each card into one of its bins at random, none above its room; those with little choice go first."""
    bins: list[list[int]] = [[] for _ in room]
    cards, left, random = list(choices), list(room), rng.random
    shuffle(cards, rng)
    cards.sort(key=lambda card: len(choices[card]))
    for number, card in enumerate(cards):
        mine = choices[card]
        if len(mine) == len(room) and sum(left) == len(cards) - number:
            for b, amount in enumerate(left):  # all that are still to come may lie anywhere
                bins[b] += cards[number : number + amount]
                number += amount
            return bins
        total = 0
        for b in mine:
            total += left[b]
        if total:
            target = int(random() * total)
            for b in mine:
                target -= left[b]
                if target < 0:
                    bins[b].append(card)
                    left[b] -= 1
                    break
        elif not _make_room(card, choices, bins, left, set()):
            return None
    return bins


def _make_room(card: int, choices: Choices, bins: list[list[int]], left: list[int], tried: set[int]) -> bool:
    """Moves other cards on, from bin to bin, until this one has a place."""
    for b in choices[card]:
        if b in tried:
            continue
        tried.add(b)
        if left[b]:
            bins[b].append(card)
            left[b] -= 1
            return True
        for number, other in enumerate(bins[b]):
            if _make_room(other, choices, bins, left, tried):
                bins[b][number] = card
                return True
    return False
