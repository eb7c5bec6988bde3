"""A lot → what a file declares before anything happens: players, cards, places, and what is remembered."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product
from random import Random

from programs.words import CARD, NUMBER, PLAYER, SIDE, Phrase, Type

COLOURS = ("red", "blue", "gold", "green")
SHAPES = ("ring", "star", "leaf")
FACES = ("jack", "queen", "king")
MOODS = ("calm", "wild", "odd")
ANY_NUMBER = (-9, 20)
"""Between these lies what a value of a number is asked of."""
OFFERED = (1, 3, 4, 5, 7)
"""What a list of numbers holds."""


@dataclass(frozen=True)
class Attribute:
    name: str
    names: tuple[str, ...]
    low: int = 0
    high: int = 0

    @property
    def type(self) -> Type:
        return Type("name", self.name) if self.names else NUMBER


@dataclass(frozen=True)
class Key:
    """What a family has one member for."""

    type: Type
    words: str
    low: int = 0
    high: int = 0
    parts: tuple[Key, ...] = ()
    """Of a pair: what both are."""


@dataclass(frozen=True)
class Place:
    name: str
    key: Key | None
    seen: str
    two_ended: bool
    ordered: bool
    """Whether the file asks for its first or last card."""
    turned: bool = False
    """Whether cards are turned there; then `seen` says who sees them face down."""


@dataclass(frozen=True)
class Keep:
    name: str
    key: Key | None
    value: Phrase
    """What is known of what is kept; the words are those it begins with."""


@dataclass(frozen=True)
class Definition:
    name: str
    parameter: Type | None
    value: Phrase
    second: Type | None = None
    """What else it is a value of, if it is one of two things."""


@dataclass
class World:
    """All that can be named anywhere."""

    players: tuple[int, int] = (2, 3)
    sides: int = 0
    """How many sides there are, if players play together."""
    attributes: dict[str, Attribute] = field(default_factory=dict)
    kinds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What is on the cards of each kind."""
    cards: dict[str, str] = field(default_factory=dict)
    """The kind of each card, by its id."""
    copies: dict[str, int] = field(default_factory=dict)
    """How many identical ones there are, where it is not one."""
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    pairs: dict[str, Key] = field(default_factory=dict)
    keeps: dict[str, Keep] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    groups: bool = False
    """Whether the file says which cards are a group."""
    steps: dict[str, Type | None] = field(default_factory=dict)
    moves: dict[str, bool] = field(default_factory=dict)
    """Whether a move is always possible, by its verb."""

    def keys(self) -> list[Key]:
        named = [Key(Type("name", name), name) for name in self.names if name in self.attributes]
        named += [Key(SIDE, "side")] * 2 if self.sides else []
        return [Key(PLAYER, "player"), *named, Key(NUMBER, "1 to 3", 1, 3), Key(NUMBER, "0 to 1", 0, 1)]

    def pair(self, rng: Random, first: Key | None = None) -> Key:
        """Each of something together with each of something else, which is nobody."""
        keys = self.keys()
        first = first or rng.choice(keys)
        second = rng.choice([key for key in keys if key.type not in (PLAYER, SIDE)])
        found = Key(
            Type("pair", f"{first.words} and {second.words}"),
            f"{first.words} and {second.words}",
            parts=(first, second),
        )
        self.pairs[found.words] = found
        return found

    @property
    def size(self) -> int:
        """How many cards there are."""
        return sum(self.copies.get(card, 1) for card in self.cards)

    @property
    def single_cards(self) -> list[str]:
        """The cards that can be named anywhere."""
        return [card for card in self.cards if card[0].isalpha() and card not in self.copies]

    @property
    def partners(self) -> bool:
        """Whether two make a side."""
        return self.players[1] == 2 * self.sides


class Founder:
    """Writes the declarations."""

    def __init__(self, rng: Random, small: bool) -> None:
        self.rng = rng
        self.small = small
        self.world = World()
        self.figures: list[str] = []
        """Plain numbers with a name that the cards depend on."""

    def lines(self) -> list[str]:
        return [self.table_size(), *self.all_cards(), *self.all_places(), *self.all_keeps()]

    def table_size(self) -> str:
        rng, world = self.rng, self.world
        if rng.random() < 0.2:
            world.sides, size = rng.choice(((2, 2), (2, 2), (2, 2), (3, 2), (2, 3)))
            world.players = (world.sides * size,) * 2
            world.names["side"] = tuple(str(side + 1) for side in range(world.sides))
            return f"players {world.players[0]} in {world.sides} sides"
        low = rng.choice((1, 2, 2, 2, 3))
        world.players = (low, rng.choice((low, low + 1, low + 2)))
        return f"players {low}" if low == world.players[1] else f"players {low} to {world.players[1]}"

    # ---- cards ------------------------------------------------------------------------------------------------------

    def all_cards(self) -> list[str]:
        rng = self.rng
        number = rng.choice((1, 1, 1, 2, 2, 3))
        names = rng.sample(("rung", "cat", "fairy", "witch"), number) if number > 1 or rng.random() < 0.3 else [""]
        many = rng.random() < 0.05
        lines: list[str] = []
        for position, name in enumerate(names):
            lines += self.new_kind(name, position == 0, many)
        return lines + [f"{name} = {value}" for name, value in (figure.split() for figure in self.figures)]

    def new_kind(self, name: str, first: bool, many: bool) -> list[str]:
        """A kind of cards, none of which is called like another card, and not too many of them."""
        world, attributes, names = self.world, dict(self.world.attributes), dict(self.world.names)
        others, copies, figures = dict(world.cards), dict(world.copies), list(self.figures)
        while True:
            world.cards, world.copies = {}, dict(copies)
            lines = self.kind(name, first, many)
            most = 140 if many else 45
            named = bool(world.single_cards) or bool(others)
            if named and world.size <= most and not others.keys() & world.cards.keys():
                world.cards = others | world.cards
                return lines
            world.attributes, world.names, self.figures = dict(attributes), dict(names), list(figures)

    def kind(self, name: str, first: bool, many: bool) -> list[str]:
        rng, kind = self.rng, name or "card"
        chosen = ["colour"] if rng.random() < 0.85 or not name else []
        chosen += ["number"] if first or rng.random() < 0.6 else []
        chosen += [a for a in ("shape", "rank", "copy") if rng.random() < 0.2]
        chosen = chosen if len(chosen) > 1 else [*chosen, "copy"] if chosen != ["copy"] else ["copy", "colour"]
        rng.shuffle(chosen)
        # the name of a card begins with a letter, or it could be taken for a number
        chosen.sort(key=lambda attribute: attribute not in ("colour", "shape"))
        listed, lines, axes = [], [], []
        for attribute in chosen:
            words, values = self.listing(attribute, many and first)
            listed.append(attribute)
            axes.append(values)
            lines.append(f"{attribute}: {words}")
        tables = [t for t in ("worth", "weight") if rng.random() < 0.35]
        for table in tables:
            at = rng.randrange(len(listed))
            lines += self.table(table, listed[at], axes[at])
        alike, copies = self.copies(listed, axes, first)
        lines += copies
        without, left_out = self.without(list(self.called(name, axes)))
        lines += without
        if rng.random() < 0.4:
            lines += [f"back shows {word}" for word in rng.sample([*listed, *([name] if name else [])], 1)]
        if rng.random() < 0.7:
            lines.append('"' + " ".join(f"{{{a}}}" for a in listed) + '"')
        self.world.kinds[kind] = (*listed, *tables, *(["copies"] if copies else []))
        for card, combination in self.called(name, axes).items():
            number = next((alike[v] for v in combination if v in alike), 1)
            if number and card not in left_out:
                self.world.cards[card] = kind
            if number > 1 and card not in left_out:
                self.world.copies[card] = number
        return [f"cards {name}".rstrip(), *(f"    {line}" for line in lines)]

    def called(self, name: str, axes: list[list[str]]) -> dict[str, tuple[str, ...]]:
        """What the cards of a kind are called, and the values of each."""
        found = {}
        for combination in product(*axes):
            prefix = [name] if name and all(value.isdigit() for value in combination) else []
            found["-".join([*prefix, *combination])] = combination
        return found

    def without(self, cards: list[str]) -> tuple[list[str], set[str]]:
        """Which cards are left out, and the line that says so: one or two, or several one after the other."""
        rng = Random("".join(cards))  # of its own, so that the rest of a file does not depend on it
        if len(cards) < 6 or rng.random() < 0.75:
            return [], set()
        low = rng.randrange(len(cards) - 3)
        high = low + rng.randint(0, 2)
        listed = [f"{cards[low]} to {cards[high]}" if high > low else cards[low]]
        left_out = {*cards[low : high + 1]}
        if rng.random() < 0.5:
            listed.append(cards[-1])
            left_out.add(cards[-1])
        return [f"without {', '.join(listed)}"], left_out

    def copies(self, listed: list[str], axes: list[list[str]], first: bool) -> tuple[dict[str, int], list[str]]:
        """How many identical cards there are of those with some value, and the lines that say so."""
        rng, at = self.rng, self.rng.randrange(len(axes))
        if rng.random() < 0.7 or "copies" in listed:
            return {}, []
        self.world.attributes["copies"] = Attribute("copies", (), 0, 3)
        if not first and rng.random() < 0.4:
            return dict.fromkeys(axes[0], 2), ["copies: 2"]
        more = axes[at][:-1][: rng.randint(1, 2)]
        number = rng.choice((2, 2, 3, 3, 0) if listed[at] != "number" else (2, 3))
        alike = {value: number for value in more if sum(value in axis for axis in axes) == 1}
        rows = [f"    {number}: {', '.join(alike)}"] if alike else []
        return alike, [f"copies by {listed[at]}:", *rows, "    1: others"]

    def listing(self, name: str, many: bool) -> tuple[str, list[str]]:
        """The words behind an attribute, and its values; those of names are the same on all kinds."""
        rng, world = self.rng, self.world
        if name in world.names:
            return self.spans(world.names[name]), list(world.names[name])
        if name in ("number", "copy"):
            top = rng.randint(1, 3) if name == "copy" else rng.randint(3, 7) + (rng.randint(10, 25) if many else 0)
            low, values, words = 1, [str(n) for n in range(1, top + 1)], f"1 to {top}"
            if name == "number" and rng.random() < 0.2:
                low, values, words = 0, ["0", *values, str(top + 3)], f"0, 1 to {top}, {top + 3}"
            elif rng.random() < 0.15 and "top-value" not in "".join(self.figures):
                self.figures.append(f"top-value {top}")
                words = "1 to top-value"
            old = world.attributes.get(name)
            lowest = min(low, old.low) if old else low
            highest = max(int(values[-1]), old.high) if old else int(values[-1])
            world.attributes[name] = Attribute(name, (), lowest, highest)
            return words, values
        pool = {"colour": COLOURS, "shape": SHAPES, "rank": ("7", "8", *FACES)}[name]
        names = pool[: rng.randint(2, len(pool))] if name != "rank" else pool[rng.randint(0, 1) :]
        world.names[name] = tuple(names)
        world.attributes[name] = Attribute(name, tuple(names))
        return self.spans(names), list(names)

    def spans(self, names: tuple[str, ...]) -> str:
        return ", ".join(names).replace("7, 8", self.rng.choice(("7, 8", "7 to 8")))

    def table(self, name: str, by: str, keys: list[str]) -> list[str]:
        rng, world = self.rng, self.world
        rest, rows, values = list(dict.fromkeys(keys)), [], []
        for _ in range(rng.randint(0, 2)):
            if len(rest) > 1:
                taken = rng.sample(rest, rng.randint(1, len(rest) - 1))
                rest = [key for key in rest if key not in taken]
                values.append(rng.randint(-4, 12))
                rows.append(f"    {values[-1]}: {', '.join(taken)}")
        values.append(rng.randint(0, 12))
        worth = str(values[-1])
        if rng.random() < 0.2 and not any(figure.startswith("prize") for figure in self.figures):
            self.figures.append(f"prize {worth}")
            worth = "prize"
        rows.append(f"    {worth}: others")
        old = world.attributes.get(name)
        values += [old.low, old.high] if old else []
        world.attributes[name] = Attribute(name, (), min(values), max(values))
        return [f"{name} by {by}:", *rows]

    # ---- places and what is remembered ------------------------------------------------------------------------------

    def all_places(self) -> list[str]:
        rng, world = self.rng, self.world
        lines = []
        player, *others = world.keys()
        self.place("deck", None, "seen by nobody", rng.random() < 0.15)
        self.place("hand", player, rng.choice(("seen by owner", "seen by owner", "seen by all")), rng.random() < 0.1)
        self.place("table", None, "seen by all", rng.random() < 0.3)
        often = 0.4 if self.small else 0.7
        if rng.random() < often:
            self.place("row", rng.choice(others), rng.choice(("seen by all", "seen by all", "seen by nobody")), True)
        if rng.random() < often / 2:
            key = self.anybody()
            seen = ["seen by nobody", "seen by all"]
            seen += ["seen by owner", "seen by others"] if key.type == PLAYER else []
            key = world.pair(rng, key) if rng.random() < 0.6 else key
            self.place("pile", key, rng.choice(seen), False)
        if rng.random() < often / 3:
            key = world.pair(rng) if rng.random() < 0.6 else rng.choice(others)
            self.place("ditch", key, "seen by all", rng.random() < 0.4)
        if rng.random() < often / 4:
            self.place("vault", None, "seen by nobody", rng.random() < 0.5)
        for place in list(world.places.values()):
            family = f" of each {place.key.words}" if place.key else ""
            backs = ", backs seen by all" if rng.random() < 0.2 and place.seen != "seen by all" else ""
            ends = ", with two ends" if place.two_ended else ""
            until = ""
            if place.seen != "seen by all" and rng.random() < 0.25:
                world.places[place.name], until = replace(place, turned=True), " until turned up"
            lines.append(f"place {place.name}{family}, {place.seen}{until}{backs}{ends}")
        world.places["box"] = Place("box", None, "seen by nobody", False, rng.random() < 0.1)
        return lines

    def place(self, name: str, key: Key | None, seen: str, two_ended: bool) -> None:
        self.world.places[name] = Place(name, key, seen, two_ended, self.rng.random() < 0.35)

    def all_keeps(self) -> list[str]:
        rng, world = self.rng, self.world
        _, *others = world.keys()
        number = Phrase("0", NUMBER, low=-LOW_AND_HIGH, high=LOW_AND_HIGH)
        self.keep("score", self.anybody(), number)
        self.keep("leader", None, Phrase("player", PLAYER))
        if world.sides and rng.random() < 0.5:
            self.keep("camp", self.anybody() if rng.random() < 0.3 else None, Phrase("side", SIDE))
        if rng.random() < 0.5:
            self.keep("coins", self.anybody(), Phrase(str(rng.randint(1, 9)), NUMBER, low=0, high=LOW_AND_HIGH))
        if rng.random() < 0.5:
            self.keep("pot", None, Phrase(str(rng.randint(0, 9)), NUMBER, low=0, high=LOW_AND_HIGH))
        if rng.random() < 0.5:
            self.keep("price", world.pair(rng) if rng.random() < 0.3 else rng.choice(others), number)
        if rng.random() < 0.4:
            world.names["mood"] = MOODS[: rng.randint(2, 3)]
            key = self.anybody() if rng.random() < 0.4 else None
            self.keep("mood", key, Phrase(" or ".join(world.names["mood"]), Type("name", "mood")))
        if rng.random() < 0.4:
            key = self.anybody() if rng.random() < 0.3 else None
            self.keep("shown", key, Phrase("card", CARD, kinds=frozenset(world.kinds)))
        listed = [name for name in world.names if name in world.attributes]
        if listed and rng.random() < 0.5:
            name = rng.choice(listed)
            self.keep("called", self.anybody() if rng.random() < 0.3 else None, Phrase(name, Type("name", name)))
        families = [place.name for place in world.places.values() if place.key]
        if rng.random() < 0.25:
            name = rng.choice(families)
            self.keep("toll", Key(Type("place", name), name), number)
        if rng.random() < 0.25:
            name = rng.choice(families)
            self.keep("spot", self.anybody() if rng.random() < 0.3 else None, Phrase(name, Type("place", name)))
        if rng.random() < 0.2:
            self.keep("rival", self.anybody(), Phrase("player", PLAYER))
        if rng.random() < 0.4:
            key = self.anybody() if rng.random() < 0.5 else None
            self.keep("holder", key, Phrase("player or nobody", PLAYER, sure=False))
        lines = []
        for keep in world.keeps.values():
            family = f" of each {keep.key.words}" if keep.key else ""
            key = keep.key.parts[0] if keep.key and keep.key.parts else keep.key
            own = ["seen by owner"] if key and key.type in (PLAYER, SIDE) else []
            secret = rng.choice(("seen by nobody", "not shown", *own)) if rng.random() < 0.15 else ""
            lines.append(f"keep {keep.name}{family}: {keep.value.text}{', ' if secret else ''}{secret}")
        return lines

    def anybody(self) -> Key:
        """Each player, or each side."""
        return Key(SIDE, "side") if self.world.sides and self.rng.random() < 0.4 else Key(PLAYER, "player")

    def keep(self, name: str, key: Key | None, value: Phrase) -> None:
        self.world.keeps[name] = Keep(name, key, value)


LOW_AND_HIGH = 300
"""What is kept stays well within these."""
