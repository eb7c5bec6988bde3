"""Words for one thing: numbers, cards, players, names, places and ends."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from programs.speaking import Impossible, Maker
from programs.together import Together
from programs.words import (
    CARD,
    CHOICE,
    CLOSED,
    LARGE,
    NUMBER,
    OPEN,
    PLAYER,
    PRIMARY,
    PRODUCT,
    SIDE,
    SIZED,
    SUM,
    TRUTH,
    Phrase,
    Scope,
    Type,
    plural,
)  # fmt: skip
from programs.world import OFFERED, Definition

ORDINALS = ("first", "first", "first", "last", "last", "last", "second", "third", "tenth")


class Values(Together):
    def makers(self, type: Type) -> Sequence[Maker]:
        if type == NUMBER:
            return (
                self.belonging, self.belonging, self.belonging, self.arithmetic, self.arithmetic, self.division,
                self.total, self.count, self.count, self.alternatives, self.local, self.definition, self.figure_of,
                self.remainder, self.sized, self.negative, self.best, self.drawn,
                self.ordinal_of_some, self.key_of_place,
            )  # fmt: skip
        if type.kind == "place" and self.world.places[type.of].key is None:
            return [self.constant]
        ways: list[Maker] = [self.belonging, self.belonging, self.belonging, self.alternatives, self.local]
        ways += [self.definition, self.best, self.best, self.drawn, self.drawn, self.key_of_place]
        if type.kind == "place":
            ways += [self.ordinal_of_some, self.holding]
        if type.kind == "end":
            ways += [self.end_of_place] * 2
        if type == CARD:
            ways += [self.ordinal, self.ordinal, self.constant]
        if type == PLAYER:
            ways += [self.neighbour, self.neighbour, self.owner, self.ordinal_of_some]
        if type.kind == "name":
            ways += [self.side_of] * 3 if type == SIDE else [self.constant, self.ordinal_of_some]
        return ways

    def key_of_place(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """What a place of a family is there for."""
        found: list[tuple[str, str, int, int]] = []
        for place in self.world.places.values():
            keys = (place.key.parts or (place.key,)) if place.key else ()
            same = [key for key in keys if key.type == type]
            for number, key in enumerate(same):
                word = type.of if type.kind == "name" else type.kind
                if not number or type == NUMBER:
                    found.append((place.name, f"{'other-' * number}{word}", key.low, key.high))
        if not found:
            return None
        name, word, low, high = self.rng.choice(found)
        there = self.phrase(Type("place", name), scope, depth)
        return Phrase(f"{'side' if type == SIDE else word} of {there.at(CLOSED)}", type, CLOSED, there.sure, low, high)

    def holding(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """`row of card`: the one in which it lies."""
        card = self.phrase(CARD, scope, depth)
        return None if card.text.isdigit() else Phrase(f"{type.of} of {card.at(CLOSED)}", type, CLOSED, sure=False)

    def end_of_place(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """`top of row`"""
        place = self.phrase(Type("place", type.of), scope, depth)
        end = self.rng.choice(("bottom", "top"))
        return Phrase(f"{end} of {place.at(CLOSED)}", type, CLOSED, place.sure, kinds=frozenset(self.world.kinds))

    # ---- names for things -------------------------------------------------------------------------------------------

    def local(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        known = scope.of_type(type)
        return self.rng.choice(known) if known else None

    def constant(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        return self.plain(type, replace(scope, locals={}, sight=()))

    def figure_of(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        return self.figure(self.rng.randint(0, 12))

    def definition(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        fitting = [d for d in self.world.definitions.values() if d.parameter is None and d.value.type == type]
        if not fitting:
            return None
        found = self.rng.choice(fitting)
        return replace(found.value, text=found.name, level=0, follows=False)

    def belonging(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """Something that belongs to something else: what is on a card, what is kept or lies somewhere of somebody."""
        rng, world = self.rng, self.world
        ways: list[str] = [name for name, attribute in world.attributes.items() if attribute.type == type] * 2
        ways += [k.name for k in world.keeps.values() if k.value.type == type]
        ways += [d.name for d in world.definitions.values() if d.parameter and d.value.type == type] * 2
        ways += [place.name for place in world.places.values() if Type("place", place.name) == type]
        if not ways:
            return None
        name = rng.choice(ways)
        if name in world.attributes:
            return self.on_a_card(name, scope, depth)
        if name in world.keeps:
            keep = world.keeps[name]
            if keep.key is None:
                return replace(keep.value, text=name) if name not in scope.locals else None
            if self.bare(name, keep.key.type, scope) and rng.random() < 0.6:
                return replace(keep.value, text=name)
            return self.of(name, self.key(keep.key, scope, depth), keep.value)
        if name in world.places:
            key, place = world.places[name].key, Phrase(name, type)
            if key is None or (self.bare(name, key.type, scope) and rng.random() < 0.6):
                return place
            return self.of(name, self.key(key, scope, depth), place)
        return self.defined_of(world.definitions[name], scope, depth)

    def on_a_card(self, name: str, scope: Scope, depth: int) -> Phrase | None:
        attribute, kinds = self.world.attributes[name], self.world.kinds
        value = Phrase(name, attribute.type, low=attribute.low, high=attribute.high)
        owner = self.bare(name, CARD, scope)
        if owner and self.rng.random() < 0.6:
            thing = scope.locals[owner]
            return replace(value, sure=all(name in kinds[kind] for kind in thing.kinds or kinds))
        ended = [place.name for place in self.world.places.values() if place.two_ended]
        if ended and self.rng.random() < 0.15:
            card = replace(self.phrase(Type("end", self.rng.choice(ended)), scope, depth), kinds=frozenset(kinds))
        else:
            card = self.phrase(CARD, scope, depth)
        having = [kind for kind in card.kinds if name in kinds[kind]]
        return self.of(name, card, replace(value, sure=len(having) == len(card.kinds))) if having else None

    def defined_of(self, definition: Definition, scope: Scope, depth: int) -> Phrase | None:
        assert definition.parameter is not None
        value = replace(definition.value, follows=False, level=0)
        if definition.second is not None:
            return self.of_two(definition, value, scope.without_chance(), depth)
        if self.bare(definition.name, definition.parameter, scope) and self.rng.random() < 0.5:
            return replace(value, text=definition.name)
        return self.of(definition.name, self.argument(definition.parameter, scope, depth), value)

    def neighbour(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        side = self.rng.choice(("left", "right", *(["partner"] * 2 if self.world.partners else [])))
        seated = " at the table" if side != "partner" and self.rng.random() < 0.15 else ""
        if self.bare(side, PLAYER, scope) and self.rng.random() < 0.6:
            return Phrase(side + seated, PLAYER, CLOSED if seated else PRIMARY)
        owner = self.phrase(PLAYER, scope, depth)
        if seated and owner.text.isalpha():
            return replace(owner, text=f"{side} of {owner.text}{seated}", level=CLOSED)
        return self.of(side, owner, Phrase(side, PLAYER))

    def owner(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        return self.of("player", self.phrase(CARD, scope, depth), Phrase("player", PLAYER, sure=False))

    def ordinal(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """`first of`, `second of`, `last of` a place whose order matters, or of some cards in such places."""
        which, kinds = self.rng.choice(ORDINALS), frozenset(self.world.kinds)
        ordered = [place.name for place in self.world.places.values() if place.ordered]
        if not ordered or self.rng.random() < 0.15:
            cards = self.phrase(CARD.all(), scope, depth)
            return self.of(which, replace(cards, sure=True), Phrase(which, CARD, sure=False, kinds=cards.kinds))
        place = self.phrase(Type("place", self.rng.choice(ordered)), scope, depth)
        if place.follows:  # the `where` would be one of the place
            place = replace(place, follows=False)
        return self.of(which, place, Phrase(which, CARD, sure=False, kinds=kinds))

    def ordinal_of_some(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """The first or last of some players, or of a list."""
        if type == NUMBER and not self.offers():
            return None
        which, (low, high) = self.rng.choice(ORDINALS), self.span(type)
        some = self.phrase(type.all(), scope, depth)
        return self.of(which, some, Phrase(which, type, sure=False, low=low, high=high))

    # ---- one of some ------------------------------------------------------------------------------------------------

    def best(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """`highest number in hand`: the card itself."""
        if type == NUMBER and not self.offers():
            return None
        ends = type.kind == "end"
        source = self.phrase(type.all(), scope, depth) if ends else self.source(type, scope, depth)
        by = self.measure(type, source.kinds, scope, numbers=False)
        start = f"{self.rng.choice(('highest', 'lowest'))} {by} in {source.at(CLOSED)}"
        found = Phrase(start, type, CLOSED, False, *self.span(type), kinds=source.kinds)
        return self.narrowed(found, type, scope, depth)

    def drawn(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        if not scope.chance or (type == NUMBER and not self.offers()):
            return None
        noun, kinds = self.noun(type, singular=True)
        if type.kind == "end" or (type == CARD and self.rng.random() < 0.9) or self.rng.random() < 0.3:
            source = self.among(type, scope, depth)
            kinds &= source.kinds
            if type == CARD and not kinds:
                return None
            found = Phrase(f"random {noun} in {source.at(CLOSED)}", type, CLOSED, False, *self.span(type), kinds=kinds)
        else:
            low, high = self.span(type)
            found = Phrase(f"random {noun}{self.seated(type)}", type, CLOSED, low=low, high=high, kinds=kinds)
        return self.narrowed(found, type, scope, depth)

    def total(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        thing = self.thing()
        source = self.source(thing, scope, depth)
        by = self.measure(thing, source.kinds, scope, numbers=True)
        most = self.most(by) * self.extent(thing)
        if most > LARGE:
            return None
        low = -most if self.least(by) < 0 else 0
        found = Phrase(f"sum {by} in {source.at(CLOSED)}", NUMBER, CLOSED, low=low, high=most)
        return self.narrowed(found, thing, scope, depth, source.kinds)

    def count(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        thing = self.thing(ends=True)
        noun, kinds = self.noun(thing)
        found = Phrase(f"count {noun}", NUMBER, CLOSED, high=self.extent(thing))
        if thing.kind == "end" or self.rng.random() < 0.7:
            source = self.among(thing, scope, depth)
            kinds &= source.kinds
            if thing == CARD and not kinds:
                return None
            found = replace(found, text=f"count {noun} in {source.at(CLOSED)}")
        else:
            found = replace(found, text=found.text + self.seated(thing))
        return self.narrowed(found, thing, scope, depth, kinds)

    def narrowed(
        self, found: Phrase, thing: Type, scope: Scope, depth: int, kinds: frozenset[str] | None = None
    ) -> Phrase:
        """The same with a `where`, now and then."""
        if depth <= 0 or self.rng.random() < 0.6:
            return found
        condition = self.looking(thing, found.kinds if kinds is None else kinds, scope, depth)
        sure = found.type == NUMBER and found.text.startswith(("count", "sum"))
        return replace(found, text=f"{found.text} where {condition}", level=OPEN, sure=sure, follows=True)

    def looking(self, thing: Type, kinds: frozenset[str], scope: Scope, depth: int) -> str:
        """What stands behind a `where`."""
        low, high = self.span(thing)
        it = Phrase("it", thing, low=low, high=high, kinds=kinds or frozenset(self.world.kinds))
        inner = scope.with_local("it", it)
        if thing == CARD and any(place.turned for place in self.world.places.values()) and self.rng.random() < 0.2:
            return f"it is face {self.rng.choice(('up', 'down'))}"
        return self.phrase(TRUTH, inner, depth).at(OPEN + 1)

    def thing(self, ends: bool = False) -> Type:
        """A type of which there are several."""
        world = self.world
        families = [place for place in world.places.values() if place.key]
        kinds = [CARD, CARD, CARD, PLAYER, *(Type("name", name) for name in world.names)]
        kinds += [Type("place", place.name) for place in families]
        kinds += [Type("end", place.name) for place in world.places.values() if place.two_ended and ends]
        kinds += [NUMBER] * 2 if self.offers() else []
        return self.rng.choice(kinds)

    def offers(self) -> bool:
        """Whether there is a list of numbers, the only things of which there are several."""
        return "offers" in self.world.definitions

    def span(self, thing: Type) -> tuple[int, int]:
        """What a number of several lies between."""
        return (OFFERED[0], OFFERED[-1]) if thing == NUMBER else (0, 0)

    def seated(self, thing: Type) -> str:
        """That players who are out are meant too, now and then."""
        return " at the table" if thing == PLAYER and self.rng.random() < 0.3 else ""

    def noun(self, thing: Type, singular: bool = False) -> tuple[str, frozenset[str]]:
        """The word for things of a type, and the kinds of cards that it means."""
        words = {"name": thing.of, "place": thing.of, "number": "offer"}
        word, kinds = words.get(thing.kind, thing.kind), frozenset(self.world.kinds)
        favours = self.world.definitions.get("favours")
        if favours is not None and favours.value.type == thing.all() and self.rng.random() < 0.4:
            word = "favour"
        if thing == CARD and "card" not in kinds and self.rng.random() < 0.5:
            word = self.rng.choice(sorted(kinds))
            kinds = frozenset({word})
        return word if singular else plural(word), kinds

    def source(self, thing: Type, scope: Scope, depth: int) -> Phrase:
        """Where to look for things of a type."""
        rng, kinds = self.rng, frozenset(self.world.kinds)
        if thing == CARD:
            if rng.random() < 0.1:
                with suppress(Impossible):
                    return self.joined(CARD.all(), scope, depth)
            if rng.random() < 0.7:
                place = self.phrase(Type("place", rng.choice([*self.world.places])), scope, depth)
                return replace(place, kinds=kinds)
            return self.phrase(thing.all(), scope, depth)
        if thing.kind == "end":
            place = self.phrase(Type("place", thing.of), scope, depth)
            return replace(place, kinds=kinds)
        return self.phrase(thing.all(), scope, depth)

    def measure(self, thing: Type, kinds: frozenset[str], scope: Scope, numbers: bool) -> str:
        """What things of a type are compared by, or what is added up."""
        world = self.world
        fit = (lambda t: t == NUMBER) if numbers else (lambda t: t.kind in ("number", "name") and not t.many)
        owners = (thing, SIDE) if thing == PLAYER else (thing,)
        defined = [d for d in world.definitions.values() if fit(d.value.type)]
        names = [d.name for d in defined if d.second is None and d.parameter in owners]
        names += ["offer"] * 2 if thing == NUMBER else [thing.of] if thing.kind == "name" and not numbers else []
        names += [d.name for d in defined if d.second is not None and self.other_in_sight(d, thing, scope)]
        names += [k.name for k in world.keeps.values() if k.key and k.key.type in owners and fit(k.value.type)]
        if thing == CARD or thing.kind == "end":
            having = {name for kind in kinds or world.kinds for name in world.kinds[kind]}
            names += [name for name, attribute in world.attributes.items() if name in having and fit(attribute.type)]
        if not names:
            raise Impossible
        return self.rng.choice(names)

    def most(self, name: str) -> int:
        """How large a number with a name can be, its sign left aside."""
        value = self.bounds(name)
        return max(abs(value[0]), abs(value[1]))

    def least(self, name: str) -> int:
        return self.bounds(name)[0]

    def bounds(self, name: str) -> tuple[int, int]:
        world = self.world
        if name == "offer":
            return self.span(NUMBER)
        if name in world.attributes:
            return world.attributes[name].low, world.attributes[name].high
        value = world.keeps[name].value if name in world.keeps else world.definitions[name].value
        return value.low, value.high

    def extent(self, thing: Type) -> int:
        """How many things of a type there can be."""
        world = self.world
        if thing == CARD:
            return world.size
        if thing == PLAYER:
            return world.players[1]
        if thing == NUMBER:
            return len(OFFERED)
        if thing.kind == "name":
            return len(world.names[thing.of])
        key = world.places[thing.of].key
        size = 1
        for part in () if key is None else key.parts or (key,):
            size *= part.high - part.low + 1 if part.type == NUMBER else self.extent(part.type)
        return size * (2 if thing.kind == "end" else 1)

    # ---- calculations -----------------------------------------------------------------------------------------------

    def arithmetic(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        left, right = self.sure(NUMBER, scope, depth), self.sure(NUMBER, scope, depth)
        op = self.rng.choice("+-*")
        ends = [_calculated(op, a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
        if max(map(abs, ends)) > LARGE:
            return None
        tight = (PRODUCT, CLOSED) if op == "*" else (SUM, PRODUCT)
        text = f"{left.at(tight[0])} {op} {right.at(tight[1])}"
        return Phrase(text, NUMBER, tight[0], low=min(ends), high=max(ends))

    def division(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        left, by = self.sure(NUMBER, scope, depth), self.figure(self.rng.randint(1, 4))
        if self.rng.random() < 0.3:
            by = self.sure(NUMBER, scope, depth)
            if by.low <= 0 <= by.high and self.rng.random() > 0.02:
                return None
        most = max(abs(left.low), abs(left.high)) + 1
        text = f"{left.at(PRODUCT)} / {by.at(CLOSED)} rounded {self.rng.choice(('up', 'down'))}"
        return Phrase(text, NUMBER, PRODUCT, low=-most if left.low < 0 or by.low < 0 else 0, high=most)

    def remainder(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        whole, by = self.sure(NUMBER, scope, depth), self.rng.randint(1, 5)
        divisor = self.figure(by if self.rng.random() < 0.8 else -by)
        text = f"remainder of {whole.at(CLOSED)} / {divisor.at(CLOSED)}"
        return Phrase(text, NUMBER, CLOSED, low=-by, high=by)

    def sized(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        one, other = self.sure(NUMBER, scope, depth), self.sure(NUMBER, scope, depth)
        text = f"{self.rng.choice(('larger', 'smaller'))} of {one.at(SUM)} and {other.at(SUM)}"
        return Phrase(text, NUMBER, SIZED, low=min(one.low, other.low), high=max(one.high, other.high))

    def negative(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        value = self.sure(NUMBER, scope, depth)
        return Phrase(f"- {value.at(CLOSED)}", NUMBER, PRODUCT, low=-value.high, high=-value.low)

    def alternatives(self, type: Type, scope: Scope, depth: int) -> Phrase | None:
        """`A if C else B`, and its shorter kinds."""
        first = self.phrase(type, scope, depth)
        text, sure, found = first.at(OPEN + 1), first.sure, [first]
        if self.rng.random() < 0.8:
            text, sure = f"{text} if {self.phrase(TRUTH, scope, depth).at(OPEN + 1)}", False
        if (not sure and self.rng.random() < 0.8) or text == first.text:
            second = self.phrase(type, scope, depth)
            if text == first.text and first.sure:
                return None  # nothing but the first would ever count
            text, sure, found = f"{text} else {second.at(CHOICE)}", second.sure, [first, second]
        low, high = min(p.low for p in found), max(p.high for p in found)
        kinds = frozenset(kind for phrase in found for kind in phrase.kinds)
        return Phrase(text, type, CHOICE, sure, low, high, kinds)


def _calculated(op: str, a: int, b: int) -> int:
    return a + b if op == "+" else a - b if op == "-" else a * b
