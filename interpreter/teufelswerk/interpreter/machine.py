"""A game's working memory while it runs from one decision to the next, and the layout that numbers its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import prod
from typing import Any

from teufelswerk.base.budget import Meter
from teufelswerk.base.diagnostics import RuleError as RuleError
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text, Told
from teufelswerk.core.lower_game import core_of
from teufelswerk.core.ordered_places import ordered_places
from teufelswerk.interpreter.lots import Lots
from teufelswerk.model import FACES, UP, Keep, Key, Model, Place, face_after

BOX = 0
BOTTOM, TOP = 0, 1
END_NAMES = ("bottom", "top")


class RuleGap(RuleError):
    """A position in which the rules name no move for the player whose turn it is."""

    def __init__(self, message: Text, span: Span, player: int, tried: tuple[str, ...]) -> None:
        super().__init__("no-move", message, span)
        self.player = player
        self.tried = tried
        self.position = ""


@dataclass(frozen=True)
class Event:
    """Something that happened: its record, the statement that caused it, and the sentence that tells it."""

    record: dict[str, Any]
    cause: int | None = None
    told: Told | None = None
    cards: tuple[int, ...] = ()
    """Which cards have moved, in the engine's own numbers: the record does not tell identical ones apart."""


class Layout:
    """Which number each place and each kept thing has, for a number of players."""

    def __init__(self, model: Model, players: int) -> None:
        self.model = model
        self.players = players
        self.place_base: dict[str, int] = {}
        self.place_names: list[str] = []
        self.place_of: list[Place] = []
        self.place_key: list[int] = []
        for place in model.places.values():
            self.place_base[place.name] = len(self.place_names)
            for key in self.keys(place.key):
                self.place_names.append(self.member_name(place.name, place.key, key))
                self.place_of.append(place)
                self.place_key.append(key)
        self.owner: list[int] = [
            self.seat_of(place.key, key) for place, key in zip(self.place_of, self.place_key, strict=True)
        ]
        ordered = ordered_places(core_of(model))
        self.ordered: list[bool] = [place.name in ordered for place in self.place_of]
        self.keep_base: dict[str, int] = {}
        self.keep_of: list[Keep] = []
        self.keep_key: list[int] = []
        self.keep_numbers: dict[tuple[str, str], int] = {}
        """By the name and by whose it is, as records have it."""
        for keep in model.remembered.values():
            self.keep_base[keep.name] = len(self.keep_of)
            for key in self.keys(keep.key):
                of = self.member_ids(keep.key, key) if keep.key is not None else None
                self.keep_numbers[keep.name, str(of)] = len(self.keep_of)
                self.keep_of.append(keep)
                self.keep_key.append(key)
        self.faces = self.keep_base.get(FACES)
        """Where cards are turned: the number under which it is remembered how the first card lies."""
        self.by_name = {name: index for index, name in enumerate(self.place_names)}

    def keys(self, key: Key | None) -> range:
        """The values that a family has a member for."""
        if key is None:
            return range(1)
        if key.kind == "player":
            return range(self.players)
        if key.kind == "name":
            return range(len(self.model.names[key.of]))
        if key.kind == "pair":
            return range(prod(len(self.keys(part)) for part in key.parts))
        return range(key.low, key.high + 1)

    def split(self, key: Key, value: int) -> list[tuple[Key, int]]:
        """What a member of a family is for: one thing, or two of them."""
        if key.kind != "pair":
            return [(key, value)]
        first, second = key.parts
        ours, theirs = self.keys(first), self.keys(second)
        return [(first, ours[value // len(theirs)]), (second, theirs[value % len(theirs)])]

    def joined(self, key: Key, values: Sequence[int]) -> int | None:
        """The value of a member of a family that is for these, if it has one."""
        if key.kind != "pair":
            return values[0] if len(values) == 1 and values[0] in self.keys(key) else None
        ours, theirs = (self.keys(part) for part in key.parts)
        if len(values) != 2 or values[0] not in ours or values[1] not in theirs:
            return None
        return ours.index(values[0]) * len(theirs) + theirs.index(values[1])

    def seat_of(self, key: Key | None, value: int) -> int:
        """The seat that has a member of a family for itself, or -1."""
        if key is None or not key.of_one_player:
            return -1
        return self.split(key, value)[0][1]

    def of_seats(self, keep: Keep) -> list[int]:
        """Which number it has that each seat has of it, alone or together with its side; nothing if it is nobody's."""
        if keep.key is None or not keep.key.of_players:
            return []
        base, there = self.keep_base[keep.name], len(self.keys(keep.key))
        return [base + seat % there for seat in range(self.players)]

    def member_name(self, name: str, key: Key | None, value: int) -> str:
        if key is None:
            return name
        return name + "".join(f"[{self.member_id(part, one)}]" for part, one in self.split(key, value))

    def member_ids(self, key: Key, value: int) -> int | str | list[int | str]:
        """What records say that a member of a family is for."""
        ids = [self.member_id(part, one) for part, one in self.split(key, value)]
        return ids[0] if len(ids) == 1 else ids

    def member_id(self, key: Key, value: int) -> int | str:
        """What records call one of the things that there is a member for."""
        return self.model.names[key.of][value] if key.kind == "name" else value

    def seen_by(self, seat: int, index: int) -> bool:
        """Whether a seat sees the fronts of the cards in a place, also of those that lie face down."""
        match self.place_of[index].seen_by:
            case "all":
                return True
            case "owner":
                return self.owner[index] == seat
            case "others":
                return seat >= 0 and self.owner[index] != seat
            case "nobody":
                return False

    def sees_card(self, seat: int, keeps: Sequence[int | None], index: int, card: int) -> bool:
        """Whether a seat sees the front of a card that lies in a place."""
        return self.seen_by(seat, index) or (self.faces is not None and (keeps[self.faces + card] or 0) >= UP)

    @property
    def declared(self) -> Iterator[tuple[int, Keep]]:
        """What the rule file says is kept, with its numbers."""
        return islice(enumerate(self.keep_of), self.faces)

    def lies_up(self, keeps: Sequence[int | None], card: int) -> bool:
        """Whether a card lies face up where cards are turned."""
        return self.faces is not None and keeps[self.faces + card] == UP

    def shows(self, keeps: Sequence[int | None], index: int, cards: Sequence[int]) -> bool:
        """Whether everyone sees any of the cards that lie in a place."""
        return any(self.place_of[index].seen_by == "all" or self.lies_up(keeps, card) for card in cards)

    def lie(self, keeps: list[int | None], index: int, cards: Sequence[int]) -> None:
        """Cards have come to a place: face up or face down, where cards are turned in this game."""
        if self.faces is not None:
            for at in (self.faces + card for card in cards):
                keeps[at] = face_after(self.place_of[index], keeps[at] or 0)

    def keep_seen_by(self, seat: int, index: int) -> bool:
        """Whether a seat knows something that is kept. How cards lie it sees in the places."""
        keep, key = self.keep_of[index], self.keep_key[index]
        if keep.seen_by == "all":
            return keep.name != FACES
        return keep.seen_by == "owner" and seat >= 0 and seat in self.holders(keep, key)

    def holders(self, keep: Keep, key: int) -> range:
        """The seats that have it, of what is kept of each player or of each side."""
        if keep.key is None or keep.key.owner is None:
            return range(0)
        return range(self.split(keep.key, key)[0][1], self.players, len(self.keys(keep.key.owner)))

    def family(self, name: str) -> range:
        """The numbers of all places of a family."""
        base = self.place_base[name]
        return range(base, base + len(self.keys(self.model.places[name].key)))


def in_words(layout: Layout, index: int, people: Sequence[str]) -> str:
    """A place as a rule file would name it: `hand of Ida`, `row of red`, `expedition of (Ida and red)`."""
    place = layout.place_of[index]
    if place.key is None:
        return place.name
    return f"{place.name} of {members_in_words(layout, place.key, layout.place_key[index], people)}"


def members_in_words(layout: Layout, key: Key, value: int, people: Sequence[str]) -> str:
    """What a member of a family is for, as it stands behind `of`."""
    split = layout.split(key, value)
    words = [people[one] if part.of_players else str(layout.member_id(part, one)) for part, one in split]
    return words[0] if len(words) == 1 else f"({' and '.join(words)})"


def layout_of(rules: Model, players: int) -> Layout:
    """The layout for a number of players. It is worked out once and kept with the model."""
    layouts: dict[int, Layout] = vars(rules).setdefault("_layouts", {})
    if players not in layouts:
        layouts[players] = Layout(rules, players)
    return layouts[players]


@dataclass(slots=True)
class Machine:
    """Everything that changes while a game runs. `None` stands for what is absent or not yet set."""

    places: list[list[int]]
    where: list[int]
    owners: list[int]
    keeps: list[int | None]
    slots: list[Any]
    rng: int
    meter: Meter
    """What counts how much is looked at."""
    pc: int = 0
    pending: list[tuple[int, str, tuple[Any, ...]]] = field(default_factory=list)
    winners: tuple[int, ...] | None = None
    passing: bool = True
    """Whether nothing but passes has been made since a lap's turn began."""
    log: list[Event] | None = None
    fired: list[Any] | None = None
    """Branches and statements that decided, where somebody wants to know."""
    open: dict[int, int] | None = None
    """In an example: cards whose place is not known, with the places (as bits) where they may lie."""
    sizes: dict[int, int] = field(default_factory=dict)
    """… and how many of them lie in a place, where that is known."""
    hearing: Any = None
    """At a real table: what its people were asked, and answered."""
    lots: Lots | None = None
    """Who decides what is left to chance, if it is not drawn."""
