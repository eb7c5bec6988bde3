"""What is wanted, and what can be named → a phrase for it: plain ones here, and the way to all others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TypeAlias

from programs.words import (
    CARD,
    CHOICE,
    CLOSED,
    NUMBER,
    OPEN,
    PLAIN,
    PLAYER,
    PRIMARY,
    PRODUCT,
    SIDE,
    TRUTH,
    Phrase,
    Scope,
    Type,
    plural,
)
from programs.world import Key, World

Maker: TypeAlias = Callable[[Type, Scope, int], Phrase | None]
RISK = 0.004
"""How often something is needed of which it is not sure that it is there."""
LONGEST = 220
"""Characters of a phrase: a clause with some of them is still short enough to be read."""


class Impossible(Exception):
    """There is nothing to say about this here."""


class Speaker(ABC):
    """Finds words for what is wanted."""

    def __init__(self, rng: Random, world: World) -> None:
        self.rng = rng
        self.world = world

    @abstractmethod
    def makers(self, type: Type) -> Sequence[Maker]:
        """Ways to speak of something of a type."""

    def phrase(self, type: Type, scope: Scope, depth: int) -> Phrase:
        """Something of the type."""
        for _ in range(12 if depth > 0 else 0):
            try:
                found = self.rng.choice(self.makers(type))(type, scope, depth - 1)
            except Impossible:
                continue
            if found is not None and len(found.text) <= LONGEST:
                return found
        return self.plain(type, scope)

    def sure(self, type: Type, scope: Scope, depth: int) -> Phrase:
        """Something that is always there, or nearly."""
        found = self.phrase(type, scope, depth)
        if found.sure or self.rng.random() < RISK:
            return found
        rest = self.plain(type, scope)
        low, high = min(found.low, rest.low), max(found.high, rest.high)
        text = f"{found.at(OPEN + 1)} else {rest.text}"
        return Phrase(text, type, CHOICE, low=low, high=high, kinds=found.kinds | rest.kinds)

    def within(self, low: int, high: int, scope: Scope, depth: int) -> Phrase:
        """A number that lies between two others."""
        for _ in range(6):
            found = self.sure(NUMBER, scope, depth)
            if low <= found.low and found.high <= high:
                return found
        return self.figure(self.rng.randint(low, high))

    def figure(self, number: int) -> Phrase:
        return Phrase(str(number), NUMBER, PRIMARY if number >= 0 else PRODUCT, low=number, high=number)

    # ---- plain words ------------------------------------------------------------------------------------------------

    def plain(self, type: Type, scope: Scope, kept: bool = True) -> Phrase:
        """The simplest words for something of the type, which is always there."""
        rng, world = self.rng, self.world
        known = scope.of_type(type)
        if known and rng.random() < 0.7:
            return rng.choice(known)
        if type.many:
            return self.plain_set(type, scope)
        keeps = [k for k in world.keeps.values() if k.value.type == type and k.key is None]
        keeps = [k for k in keeps if k.name not in scope.locals and k.value.sure]
        if kept and keeps and (rng.random() < 0.3 or type == PLAYER):
            keep = rng.choice(keeps)
            return replace(keep.value, text=keep.name)
        match type.kind:
            case "number":
                return self.figure(rng.randint(0, 5))
            case "truth":
                asked = [f"score of {self.plain(PLAYER, scope).text}", "count cards in table", "count cards in deck"]
                asked += [phrase.text for phrase in scope.of_type(NUMBER)]
                relation = rng.choice(("", "above ", "below ", "at least ", "not ", "just above ", "just below "))
                return Phrase(f"{rng.choice(asked)} is {relation}{rng.randint(0, 4)}", TRUTH, PLAIN)
            case "player":
                return Phrase("leader", PLAYER)
            case "card":
                card = rng.choice(world.single_cards)
                return Phrase(card, CARD, kinds=frozenset({world.cards[card]}))
            case "name" if type == SIDE:
                return Phrase(f"side of {self.plain(PLAYER, scope).text}", type, CLOSED)
            case "name":
                return Phrase(rng.choice([name for name in world.names[type.of] if not name.isdigit()]), type)
            case "place":
                key = world.places[type.of].key
                if key is None:
                    return Phrase(type.of, type)
                return Phrase(f"{type.of} of {self.plain_key(key, scope).at(CLOSED)}", type, CLOSED)
        raise Impossible

    def plain_key(self, key: Key, scope: Scope) -> Phrase:
        if key.parts:
            return both(*(self.plain_key(part, scope) for part in key.parts))
        return self.figure(self.rng.randint(key.low, key.high)) if key.type == NUMBER else self.plain(key.type, scope)

    def plain_set(self, type: Type, scope: Scope) -> Phrase:
        match type.kind:
            case "card":
                everything = frozenset(self.world.kinds)
                return Phrase(self.rng.choice(("cards in deck", "cards in table")), type, CLOSED, kinds=everything)
            case "player":
                return Phrase("players", type)
            case "name" | "place":
                return Phrase(plural(type.of), type)
            case "number" if "offers" in self.world.definitions:
                return self.world.definitions["offers"].value
            case "end":
                place = self.plain(Type("place", type.of), scope)
                return Phrase(f"ends in {place.text}", type, CLOSED)
        raise Impossible

    # ---- whose ------------------------------------------------------------------------------------------------------

    def key(self, key: Key, scope: Scope, depth: int) -> Phrase:
        """Whose, or which one of a family."""
        if key.parts:
            return both(*(self.key(part, scope, depth) for part in key.parts))
        if key.type == NUMBER:
            return self.within(key.low, key.high, scope, depth)
        return self.phrase(key.type, scope, depth)

    def bare(self, name: str, owner: Type, scope: Scope) -> str | None:
        """To whom a bare name belongs, if there is one such thing in sight."""
        if owner.kind == "pair":
            words = [self.bare(name, part.type, scope) for part in self.world.pairs[owner.of].parts]
            return " and ".join(filter(None, words)) if all(words) else None
        fitting = [word for word in scope.sight if self.can_own(name, owner, scope.locals[word])]
        if len(fitting) != 1 or name in scope.locals or not self.is_number_of(name, scope.locals[fitting[0]]):
            return None
        return fitting[0]

    def is_number_of(self, name: str, thing: Phrase) -> bool:
        """Whether a family surely has a member for what is in sight, if that is a number."""
        family = self.world.places.get(name) or self.world.keeps.get(name)
        key = family.key if family else None
        numbers = [part for part in (key.parts or (key,)) if part.type == NUMBER] if key else []
        return thing.type != NUMBER or all(part.low <= thing.low and thing.high <= part.high for part in numbers)

    def can_own(self, name: str, owner: Type, thing: Phrase) -> bool:
        if thing.type.many:
            return False
        if owner == CARD:
            if thing.type.kind == "end":
                return True
            if thing.type != CARD:
                return False
            return name not in self.world.attributes or any(name in self.world.kinds[kind] for kind in thing.kinds)
        return owner == thing.type or (owner == SIDE and thing.type == PLAYER)

    def of(self, name: str, owner: Phrase, value: Phrase) -> Phrase:
        """`name of owner`."""
        sure = value.sure and owner.sure
        if owner.follows:
            return replace(value, text=f"{name} of {owner.text}", level=OPEN, sure=sure, follows=True)
        return replace(value, text=f"{name} of {owner.at(CLOSED)}", level=CLOSED, sure=sure, follows=False)


def both(first: Phrase, second: Phrase) -> Phrase:
    """Two things to which something belongs."""
    text = f"({first.at(CLOSED)} and {second.at(CLOSED)})"
    return Phrase(text, Type("pair"), sure=first.sure and second.sure)
