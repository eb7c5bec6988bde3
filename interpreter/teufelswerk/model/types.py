"""What values are, and what cards and places there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, TypeAlias

from teufelswerk.base.diagnostics import Span
from teufelswerk.base.quick_dataclass import dataclass

Kind: TypeAlias = Literal["number", "truth", "card", "player", "place", "end", "name", "set"]
NOTHING = "nothing"
"""Stands for no thing at all where several could be chosen."""


@dataclass(frozen=True)
class Type:
    """What a value is. `of` is the family of a place or an end, or the attribute or keep that a name belongs to.

    A `set` is one of many sets of cards; by itself, each is many cards.
    """

    kind: Kind
    of: str = ""
    card_kinds: frozenset[str] = frozenset()
    many: bool = False
    optional: bool = False

    def one(self) -> Type:
        return replace(self, many=False)

    def all(self) -> Type:
        return replace(self, many=True, optional=False)

    def maybe(self, optional: bool = True) -> Type:
        return replace(self, optional=optional)

    def same(self, other: Type) -> bool:
        """Whether values of the two types can be compared and stand for each other."""
        return self.kind == other.kind and self.of == other.of and self.many == other.many


NUMBER = Type("number")
TRUTH = Type("truth")
PLAYER = Type("player")


FACE = "face of a card"
"""A number on every card of a game with identical cards, by which these are compared; nothing else is called so."""
COPIES = "copies"
"""The attribute that says how many identical cards there are of each."""


SIDE = Type("name", "side of players")
"""In a game with sides, they are names: `1`, `2` and so on, which only records show. No other names are called so."""


@dataclass(frozen=True)
class Attribute:
    """What is on the cards under one name. With `names`, a value is an index into them; else it is the number."""

    name: str
    names: tuple[str, ...]
    span: Span

    @property
    def type(self) -> Type:
        return Type("name", self.name) if self.names else NUMBER

    def show(self, value: int) -> str:
        return self.names[value] if self.names else str(value)


@dataclass(frozen=True)
class Card:
    """One card. An attribute that its kind does not have is missing from `values`."""

    index: int
    id: str
    kind: str
    values: Mapping[str, int]
    back: str
    copy: int = 0
    """How many identical cards come before it; they have its id, and stand side by side."""

    @property
    def face(self) -> int:
        """The first of all cards that are identical with this one."""
        return self.index - self.copy

    @property
    def own_id(self) -> str:
        """A name that identical cards do not share, for positions as the engine knows them: nobody is shown it."""
        return f"{self.id}#{self.copy + 1}" if self.copy else self.id

    def __hash__(self) -> int:
        return self.index


@dataclass(frozen=True)
class Key:
    """What a family has one place, or one kept thing, for: each player, each name of an attribute, each number; or each
    of these together with each of something else, which are numbered through from 0 on."""

    kind: Literal["player", "name", "number", "pair"]
    of: str = ""
    low: int = 0
    high: int = 0
    parts: tuple[Key, ...] = ()
    """Of a pair: both of them. Only the first can be players, or sides."""

    @property
    def type(self) -> Type:
        if self.kind == "player":
            return PLAYER
        return Type("name", self.of) if self.kind == "name" else NUMBER

    @property
    def of_players(self) -> bool:
        """Whether everybody has one, of their own or together with their side."""
        return self.kind == "player" or self.type == SIDE

    @property
    def owner(self) -> Key | None:
        """What says whose it is, if it is somebody's."""
        first = self.parts[0] if self.parts else self
        return first if first.of_players else None

    @property
    def of_one_player(self) -> bool:
        """Whether each member is one player's own."""
        return self.owner is not None and self.owner.kind == "player"


@dataclass(frozen=True)
class Place:
    """A place, or a family of places. The first is always the box, where all cards start."""

    name: str
    index: int
    key: Key | None
    seen_by: Literal["all", "owner", "others", "nobody"]
    backs_by: Literal["all", "nobody"]
    two_ended: bool
    span: Span | None
    turned: bool = False
    """Whether its cards are turned face up and down: then everyone sees those that lie face up."""

    @property
    def is_hidden(self) -> bool:
        """Whether nobody sees anything of what lies there."""
        return self.seen_by == "nobody" and self.backs_by == "nobody" and not self.turned
