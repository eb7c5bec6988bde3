"""A position of one game → the same position in another one that has the same places and cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import BOX, Machine
from teufelswerk.model import UP


@dataclass(frozen=True)
class Beginning:
    """Something with which two games begin differently: how many cards lie in some places, or what is kept."""

    sort: Literal["place", "keep"]
    name: str
    first: tuple[Any, ...]
    second: tuple[Any, ...]
    """A number or value for each of a family. If they are the same, other cards lie there."""


def differing(first: Game, a: Machine, second: Game, b: Machine) -> Iterator[Beginning]:
    """What differs between two positions: how many cards lie where, and what is kept in both."""
    one, other = first.layout, second.layout
    for name in one.place_base:
        if name in other.place_base and name != "box":
            cards = [
                [[layout.model.cards[c].id for c in m.places[index]] for index in layout.family(name)]
                for m, layout in ((a, one), (b, other))
            ]
            if cards[0] != cards[1] and any(ids for family in cards for ids in family):
                ours, theirs = (tuple(len(ids) for ids in family) for family in cards)
                yield Beginning("place", name, ours, theirs)
    for name in first.rules.keeps:
        if name in second.rules.keeps:
            kept = [
                tuple(game.program.teller.raw(game.rules.keeps[name].type, m.keeps[i]) for i in _family(game, name))
                for game, m in ((first, a), (second, b))
            ]
            if kept[0] != kept[1] and not any(value is None for family in kept for value in family):
                yield Beginning("keep", name, kept[0], kept[1])


def _family(game: Game, name: str) -> range:
    """The numbers of all that is kept under a name."""
    base = game.layout.keep_base[name]
    return range(base, base + len(game.layout.keys(game.rules.keeps[name].key)))


def transplant(first: Game, a: Machine, second: Game, b: Machine) -> bool:
    """Gives the second game the position of the first; False if it does not know all that is there."""
    one, other = first.layout, second.layout
    ids = {card.own_id: card.index for card in other.model.cards}
    places: list[list[int]] = [[] for _ in other.place_names]
    owners = [-1] * len(ids)
    for index, cards in enumerate(a.places):
        name = one.place_names[index]
        if index == BOX or not cards:
            continue
        if name not in other.by_name or any(one.model.cards[card].own_id not in ids for card in cards):
            return False
        for card in cards:
            places[other.by_name[name]].append(ids[one.model.cards[card].own_id])
            owners[ids[one.model.cards[card].own_id]] = a.owners[card]
    placed = {card for cards in places for card in cards}
    places[BOX] = [card for card in range(len(ids)) if card not in placed]
    b.places, b.owners = places, owners
    for index, cards in enumerate(places):
        for card in cards:
            b.where[card] = index
    if other.faces is not None:
        for index, cards in enumerate(places):
            other.lie(b.keeps, index, cards)
        for known in one.model.cards:
            if known.id in ids and one.lies_up(a.keeps, known.index):
                b.keeps[other.faces + ids[known.id]] = UP
    for index, keep in one.declared:
        theirs = other.keep_base.get(keep.name)
        offset = index - one.keep_base[keep.name]
        if theirs is not None and offset < len(other.keys(other.model.keeps[keep.name].key)):
            b.keeps[theirs + offset] = a.keeps[index]
    b.rng = a.rng
    return True
