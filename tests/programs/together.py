"""Words for what belongs together: the players of a side, values of two things, places joined by `or`."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from programs.speaking import Impossible, Speaker
from programs.words import CARD, CLOSED, NUMBER, OPEN, OPEN_OR, OR, PLAYER, SIDE, SUM, Phrase, Scope, Type, plural
from programs.world import ANY_NUMBER, Definition


class Together(Speaker):
    @abstractmethod
    def source(self, thing: Type, scope: Scope, depth: int) -> Phrase:
        """Where to look for things of a type."""

    @abstractmethod
    def looking(self, thing: Type, kinds: frozenset[str], scope: Scope, depth: int) -> str:
        """What stands behind a `where`."""

    # ---- sides ------------------------------------------------------------------------------------------------------

    def side_of(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """The side of a player."""
        if self.bare("side", PLAYER, scope) and self.rng.random() < 0.6:
            return Phrase("side", SIDE)
        return self.of("side", self.phrase(PLAYER, scope, depth), Phrase("side", SIDE))

    def fellows(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """The players of a side."""
        if not self.world.sides:
            return None
        text = f"players in {self.phrase(SIDE, scope, depth).at(CLOSED)}"
        if depth <= 0 or self.rng.random() < 0.6:
            return Phrase(text, type, CLOSED)
        return Phrase(f"{text} where {self.looking(PLAYER, frozenset(), scope, depth)}", type, OPEN, follows=True)

    def among(self, thing: Type, scope: Scope, depth: int) -> Phrase:
        """Where to look for things that are named right before."""
        if thing == PLAYER and self.world.sides and self.rng.random() < 0.3:
            return self.phrase(SIDE, scope, depth)
        return self.source(thing, scope, depth)

    # ---- values of numbers and of two things ------------------------------------------------------------------------

    def argument(self, type: Type, scope: Scope, depth: int) -> Phrase:
        """What a value is asked of."""
        return self.within(*ANY_NUMBER, scope, depth) if type == NUMBER else self.phrase(type, scope, depth)

    def of_two(self, definition: Definition, value: Phrase, scope: Scope, depth: int) -> Phrase:
        """A value of two things, one or both of which are left out where they are in sight."""
        assert definition.parameter is not None and definition.second is not None
        name, both = definition.name, (definition.parameter, definition.second)
        alike = both[0] == both[1]
        seen = [not alike and self.bare(name, type, scope) for type in both]
        if all(seen) and self.rng.random() < 0.4:
            return replace(value, text=name)
        for given, known in ((0, 1), (1, 0)):
            if seen[known] and self.rng.random() < 0.4:
                return self.of(name, self.argument(both[given], scope, depth), value)
        first, second = (self.argument(type, scope, depth) for type in both)
        sure = value.sure and first.sure and second.sure
        return replace(value, text=f"{name} of ({first.at(SUM)} and {second.at(SUM)})", level=CLOSED, sure=sure)

    def other_in_sight(self, definition: Definition, thing: Type, scope: Scope) -> bool:
        """Whether of a value of two things one is of the type, and the other is in sight."""
        assert definition.parameter is not None and definition.second is not None
        both = (definition.parameter, definition.second)
        if both[0] == both[1]:
            return False
        ways = (both,) if CARD in both else (both, both[::-1])  # places stand for their cards where these come first
        others = [other for one, other in ways if one == thing]
        return any(self.bare(definition.name, other, scope) for other in others)

    # ---- places -----------------------------------------------------------------------------------------------------

    def joined(self, type: Type, scope: Scope, depth: int) -> Phrase:
        """The cards in several places."""
        rng, world = self.rng, self.world
        names = rng.sample([*world.places], rng.choice((2, 2, 2, 3)))
        paired = [place.name for place in world.places.values() if place.key and place.key.parts]
        if paired and not set(paired) & set(names):
            names[0] = rng.choice(paired)
        places = [self.one_or_all(name, scope, depth) for name in names]
        families = [place for place in world.places.values() if place.key]
        if rng.random() < 0.2:  # two of a family, which may turn out to be the same
            family = rng.choice(families)
            assert family.key is not None
            keys = {self.key(family.key, scope, depth).at(CLOSED) for _ in range(2)}
            places = [f"{family.name} of {key}" for key in sorted(keys)]
        if len(places) < 2:
            raise Impossible
        kinds = frozenset(world.kinds)
        plain = [number for number, name in enumerate(places) if name in world.places]
        if plain and rng.random() < 0.3:
            number = rng.choice(plain)
            places[number] = self.part_of(places[number], scope, depth)
        if depth <= 0 or rng.random() < 0.7 or not places[-1].isalpha() or places[-1] in scope.locals:
            return Phrase(" or ".join(places), type, OR, kinds=kinds)
        condition = self.looking(CARD, kinds, scope, depth)
        return Phrase(f"{' or '.join(places)} where {condition}", type, OPEN_OR, kinds=kinds)

    def part_of(self, name: str, scope: Scope, depth: int) -> str:
        """One card in a place, or some."""
        if self.world.places[name].ordered and self.rng.random() < 0.7:
            return f"{self.rng.choice(('first of', 'last of', 'last 1 card in', 'first 2 cards in'))} {name}"
        return f"(cards in {name} where {self.looking(CARD, frozenset(self.world.kinds), scope, depth)})"

    def one_or_all(self, name: str, scope: Scope, depth: int) -> str:
        """A place, or a whole family."""
        key = self.world.places[name].key
        if key is None or (self.bare(name, key.type, scope) and self.rng.random() < 0.5):
            if name in scope.locals:
                raise Impossible
            return name
        if self.rng.random() < (0.8 if key.parts else 0.4) and plural(name) not in scope.locals:
            if key.parts and self.rng.random() < 0.9 and key.parts[0].type != key.parts[1].type:
                return f"{plural(name)} of {self.key(self.rng.choice(key.parts), scope, depth).at(CLOSED)}"
            return plural(name)
        return f"{name} of {self.key(key, scope, depth).at(CLOSED)}"
