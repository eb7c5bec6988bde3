"""A position of one game → the same position in another one that has the same places and cards."""

from __future__ import annotations

from collections.abc import Iterator

from teufelswerk.game import Game
from teufelswerk.machine import BOX, Machine


def differing(first: Game, a: Machine, second: Game, b: Machine) -> Iterator[tuple[str, str, str]]:
    """What differs between two positions: how many cards lie where, and what is kept."""
    one, other = first.layout, second.layout
    for name in one.place_base:
        if name in other.place_base and name != "box":
            cards = [
                [[layout.model.cards[c].id for c in m.places[index]] for index in layout.family(name)]
                for m, layout in ((a, one), (b, other))
            ]
            if cards[0] != cards[1]:
                ours, theirs = ("/".join(str(len(ids)) for ids in places) for places in cards)
                yield name, ours, theirs
    for name in one.keep_base:
        if name in other.keep_base:
            kept = [
                "/".join(str(m.keeps[base + i]) for i in range(len(layout.keys(layout.model.keeps[name].key))))
                for m, layout, base in ((a, one, one.keep_base[name]), (b, other, other.keep_base[name]))
            ]
            if kept[0] != kept[1]:
                yield name, kept[0], kept[1]


def transplant(first: Game, a: Machine, second: Game, b: Machine) -> bool:
    """Gives the second game the position of the first; False if it does not know all that is there."""
    one, other = first.layout, second.layout
    ids = {card.id: card.index for card in other.model.cards}
    places: list[list[int]] = [[] for _ in other.place_names]
    owners = [-1] * len(ids)
    for index, cards in enumerate(a.places):
        name = one.place_names[index]
        if index == BOX or not cards:
            continue
        if name not in other.by_name or any(one.model.cards[card].id not in ids for card in cards):
            return False
        for card in cards:
            places[other.by_name[name]].append(ids[one.model.cards[card].id])
            owners[ids[one.model.cards[card].id]] = a.owners[card]
    placed = {card for cards in places for card in cards}
    places[BOX] = [card for card in range(len(ids)) if card not in placed]
    b.places, b.owners = places, owners
    for index, cards in enumerate(places):
        for card in cards:
            b.where[card] = index
    for index, keep in enumerate(one.keep_of):
        theirs = other.keep_base.get(keep.name)
        offset = index - one.keep_base[keep.name]
        if theirs is not None and offset < len(other.keys(other.model.keeps[keep.name].key)):
            b.keeps[theirs + offset] = a.keeps[index]
    b.rng = a.rng
    return True
