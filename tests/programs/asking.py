"""Words for conditions and for sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from programs.speaking import Impossible, Maker
from programs.values import Values
from programs.words import (
    CARD,
    CLOSED,
    NUMBER,
    OPEN,
    PLAIN,
    PLAYER,
    PRIMARY,
    SIDE,
    SIZED,
    TRUTH,
    Phrase,
    Scope,
    Type,
    conjunction,
)  # fmt: skip

RELATIONS = ("above", "below", "at least", "at most", "just above", "just below")


class Asking(Values):
    def makers(self, type: Type) -> Sequence[Maker]:
        if type == TRUTH:
            return (
                self.comparison, self.comparison, self.comparison, self.quantity, self.quantity, self.quantity,
                self.existence, self.logic, self.logic, self.negation, self.local, self.belonging, self.definition,
                self.alternatives, self.facing, self.being_in,
            )  # fmt: skip
        if type.many:
            ways: list[Maker] = [self.everything, self.members, self.members, self.local, self.definition]
            ways += [self.alternatives, self.belonging, self.few]
            if type == CARD.all():
                return [*ways, self.place_where, self.place_where, self.joined, self.of_each]
            return [*ways, self.fellows, self.fellows] if type == PLAYER.all() else ways
        return super().makers(type)

    # ---- conditions -------------------------------------------------------------------------------------------------

    def comparison(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        left, relation, right = self.compared(scope, depth)
        return Phrase(f"{left} is {relation} {right}".replace("  ", " "), TRUTH, PLAIN)

    def compared(self, scope: Scope, depth: int, musts: bool = False) -> tuple[str, str, str]:
        """Two sides, and what is said between them."""
        rng, world = self.rng, self.world
        named = [Type("name", name) for name in world.names]
        places = [Type("place", name) for name in world.places if world.places[name].key]
        thing = rng.choice([NUMBER, NUMBER, NUMBER, NUMBER, PLAYER, CARD, *named, *places])
        ended = [name for name in world.places if world.places[name].two_ended]
        left = self.phrase(thing, scope, depth)
        right = self.phrase(thing, scope, depth)
        if thing == CARD and ended and rng.random() < 0.2:
            right = self.phrase(Type("end", rng.choice(ended)), scope, depth)
        if thing.kind == "name" and thing != SIDE and rng.random() < 0.4:
            right = Phrase(rng.choice(world.names[thing.of]), thing)
        if left.at(SIZED) == right.at(SIZED) or (left.text.isdigit() and right.text.isdigit()):
            raise Impossible
        ordered = thing == NUMBER or thing.kind == "name"
        relation = rng.choice(("", *RELATIONS) if ordered else ("",))
        if not musts and rng.random() < 0.25:
            relation = f"not {relation}".strip()
        return left.at(SIZED), relation, right.at(SIZED)

    def facing(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """Whether a card lies face up, or any of some cards."""
        place, way = self.turned(scope), self.rng.choice(("up", "down"))
        if self.rng.random() < 0.5:
            return Phrase(f"{self.rng.choice(('first', 'last'))} of {place} is face {way}", TRUTH, PLAIN)
        return Phrase(f"some cards in {place} where it is face {way}", TRUTH, OPEN)

    def turned(self, scope: Scope) -> str:
        """A place in which cards are turned."""
        names = [name for name, place in self.world.places.items() if place.turned]
        if not names:
            raise Impossible
        return self.plain(Type("place", self.rng.choice(names)), scope).at(CLOSED)

    def being_in(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """`first of hand is in trick`"""
        thing, source = self.one_of_several(scope, depth)
        return Phrase(f"{thing} is {self.rng.choice(('', 'not '))}in {source}", TRUTH, PLAIN)

    def one_of_several(self, scope: Scope, depth: int) -> tuple[str, str]:
        """Something, and several things of which it may be one."""
        thing = self.rng.choice([CARD, CARD, PLAYER])
        one = self.phrase(thing, scope.without_chance(), depth)  # it is looked for among all of them
        return one.at(SIZED), self.phrase(thing.all(), scope, depth).at(CLOSED)

    def existence(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        world = self.world
        ended = [Type("end", name) for name in world.places if world.places[name].two_ended]
        named = [Type("name", name) for name in world.names]
        thing = self.rng.choice([CARD, CARD, PLAYER, NUMBER, CARD.all(), PLAYER.all(), *named, *ended])
        if self.rng.random() < 0.15:
            one = self.phrase(PLAYER, scope, depth).at(SIZED)
            return Phrase(f"{one} is {self.rng.choice(('', 'not '))}nobody".replace("  ", " "), TRUTH, PLAIN)
        no = self.rng.choice(("", "no "))
        return Phrase(f"there is {no}{self.phrase(thing, scope, depth).at(SIZED)}", TRUTH, PLAIN)

    def quantity(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        rng, world = self.rng, self.world
        how_many = rng.choice(("some", "no", "at least", "at most", "exactly"))
        if how_many not in ("some", "no"):
            how_many += f" {self.within(0, 9, scope, depth - 1).at(0)}"
        if rng.random() < 0.03:
            return Phrase(f"{how_many} players at the table", TRUTH, PLAIN)
        families = [name for name, place in world.places.items() if place.key]
        if rng.random() < 0.3:
            family = rng.choice(families)
            ended = world.places[family].two_ended and rng.random() < 0.4
            thing = Type("end", family) if ended else CARD
            noun, kinds = self.noun(thing)
            found = Phrase(f"{how_many} {noun} in {rng.choice(('every', 'some'))} {family}", TRUTH, PLAIN)
        else:
            thing = self.thing(ends=True)
            noun, kinds = self.noun(thing)
            found = Phrase(f"{how_many} {noun}", TRUTH, PLAIN)
            if thing.kind == "end" or rng.random() < 0.7:
                source = self.among(thing, scope, depth)
                kinds &= source.kinds
                if thing == CARD and not kinds:
                    return None
                found = replace(found, text=f"{found.text} in {source.at(CLOSED)}")
            else:
                found = replace(found, text=found.text + self.seated(thing))
        if depth <= 0 or rng.random() < 0.5:
            return found
        condition = self.looking(thing, kinds, scope, depth)
        return replace(found, text=f"{found.text} where {condition}", level=OPEN)

    def logic(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        word = self.rng.choice(("and", "or"))
        return conjunction(word, self.phrase(TRUTH, scope, depth), self.phrase(TRUTH, scope, depth))

    def negation(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        return Phrase(f"not {self.phrase(TRUTH, scope, depth).at(PLAIN)}", TRUTH, PLAIN)

    # ---- sets -------------------------------------------------------------------------------------------------------

    def everything(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        if type.kind == "end":
            return None
        noun, kinds = self.noun(type.one())
        seated = self.seated(type.one())
        return Phrase(noun + seated, type, CLOSED if seated else 0, kinds=kinds)

    def members(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """`cards in hand where …`"""
        noun, kinds = self.noun(type.one())
        found = Phrase(noun, type, kinds=kinds)
        if type.kind == "end" or self.rng.random() < 0.8:
            source = self.among(type.one(), scope, depth)
            kinds &= source.kinds
            if type == CARD.all() and not kinds:
                return None
            found = Phrase(f"{noun} in {source.at(CLOSED)}", type, CLOSED, kinds=kinds)
        elif depth <= 0:
            return found
        else:
            found = replace(found, text=noun + self.seated(type.one()))
        if depth <= 0 or (found.level == CLOSED and self.rng.random() < 0.4):
            return found
        condition = self.looking(type.one(), kinds, scope, depth)
        return Phrase(f"{found.text} where {condition}", type, OPEN, kinds=kinds, follows=True)

    def of_each(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """`last of each pile where …`"""
        families = [name for name, place in self.world.places.items() if place.key and place.ordered]
        if not families:
            return None
        kinds = frozenset(self.world.kinds)
        which, family = self.rng.choice(("first", "last", "last", "second")), self.rng.choice(families)
        found = Phrase(f"{which} of each {family}", type, CLOSED, kinds=kinds)
        if depth <= 0 or self.rng.random() < 0.6:
            return found
        condition = self.looking(CARD, kinds, scope, depth)
        return Phrase(f"{found.text} where {condition}", type, OPEN, kinds=kinds, follows=True)

    def few(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """`last 2 cards in hand where …`"""
        noun, kinds = self.noun(type.one())
        source = self.among(type.one(), scope, depth)
        kinds &= source.kinds
        if type == CARD.all() and not kinds:
            return None
        amount = self.within(-1, 3, scope, 1).at(PRIMARY)
        text = f"{self.rng.choice(('first', 'last'))} {amount} {noun} in {source.at(CLOSED)}"
        if depth <= 0 or self.rng.random() < 0.5:
            return Phrase(text, type, CLOSED, kinds=kinds)
        condition = self.looking(type.one(), kinds, scope, depth)
        return Phrase(f"{text} where {condition}", type, OPEN, kinds=kinds, follows=True)

    def place_where(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """`hand where …`, `hand of leader where …`: the cards there."""
        name = self.rng.choice([*self.world.places])
        key, kinds = self.world.places[name].key, frozenset(self.world.kinds)
        if key is not None and not self.bare(name, key.type, scope):
            owners = [phrase for phrase in (self.plain_key(key, scope),) if not phrase.text.isdigit()]
            if not owners or " " in owners[0].text or owners[0].text in self.world.names.get(key.type.of, ()):
                return None
            name = f"{name} of {owners[0].text}"
        elif name in scope.locals:
            return None
        condition = self.looking(CARD, kinds, scope, depth)
        return Phrase(f"{name} where {condition}", type, OPEN, kinds=kinds, follows=True)
