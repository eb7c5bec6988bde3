"""The whole of a game: what it declares, its sections with their paragraphs, the files that it comes from."""

from __future__ import annotations

import hashlib
import json
from dataclasses import field
from functools import cached_property
from itertools import takewhile
from math import prod
from typing import assert_never

from teufelswerk.base import texts
from teufelswerk.base.diagnostics import Source, Span
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.model.expressions import CardKind, Definition, Expr, Keep
from teufelswerk.model.faces import FACES, faces_in
from teufelswerk.model.statements import Move, Step
from teufelswerk.model.types import FACE, SIDE, Attribute, Card, Key, Place
from teufelswerk.syntax.source import Paragraph


@dataclass(frozen=True)
class Prose:
    """A paragraph for people, with its figures, and the lines of the clauses that it belongs to."""

    paragraph: Paragraph
    context: str
    figures: tuple[tuple[str, Expr], ...]
    clause_lines: tuple[int, ...]
    base: str | None = None
    """The title of the game whose introduction this is, in a variant of it."""


@dataclass
class Section:
    index: int
    heading: str
    level: int
    span: Span
    prose: list[Prose] = field(default_factory=list)
    is_example: bool = False

    @property
    def lines(self) -> list[str]:
        """What stands in the file below the heading."""
        return list(takewhile(lambda line: not line.startswith("#"), self.span.source.lines[self.span.line :]))


@dataclass
class Model:
    name: str
    title: str
    source: Source
    sources: tuple[Source, ...]
    min_players: int
    max_players: int
    cards: tuple[Card, ...]
    kinds: dict[str, CardKind]
    attributes: dict[str, Attribute]
    names: dict[str, tuple[str, ...]]
    """For each attribute or keep that has names: those names, in order."""
    places: dict[str, Place]
    keeps: dict[str, Keep]
    definitions: dict[str, Definition]
    steps: dict[str, Step]
    moves: dict[str, Move]
    sections: list[Section]
    persistent_slots: tuple[int, ...]
    """Those that live on from one decision to the next."""
    slots: int
    ids: int
    changed_values: dict[str, int]
    figures_of_cards: frozenset[str]
    """Plain numbers on which it depends what cards there are, and what is on them."""
    side: Definition | None = None
    """In a game with sides: which one a player belongs to."""
    variant: str | None = None

    @cached_property
    def faces(self) -> Keep | None:
        """What is remembered of each card in a game in whose places cards are turned."""
        return faces_in(self.places, len(self.cards))

    @cached_property
    def remembered(self) -> dict[str, Keep]:
        """All that is part of a position besides the places: what is kept, and how cards lie that are turned."""
        return self.keeps if self.faces is None else {**self.keeps, FACES: self.faces}

    @property
    def sides(self) -> int:
        """How many sides there are, or 0 where everyone plays for themselves."""
        return len(self.names.get(SIDE.of, ()))

    def together(self, players: int) -> list[range]:
        """The seats of each side or, where there are none, of each player."""
        sides = self.sides or players
        return [range(side, players, sides) for side in range(sides)]

    @cached_property
    def has_copies(self) -> bool:
        """Whether any cards are identical."""
        return any(card.copy for card in self.cards)

    def alike(self, face: int) -> list[int]:
        """All cards that are identical with one."""
        first = self.cards[face].face
        return [card.index for card in self.cards[first:] if card.face == first]

    def on_cards(self, name: str) -> list[int | None]:
        """What is under a name on each of the cards."""
        return [card.face if name == FACE else card.values.get(name) for card in self.cards]

    def __repr__(self) -> str:
        table = f"{self.min_players} to {self.max_players}" if self.min_players < self.max_players else self.min_players
        return f"<Model: {self.name}, {len(self.cards)} cards, {table} players>"

    @property
    def family(self) -> str:
        """The name of the game that this is, or is a variant of: translations of its words are shared."""
        return self.sources[-1].name

    @property
    def digest(self) -> str:
        """A short fingerprint of the rules in force."""
        text = json.dumps([[source.text for source in self.sources], sorted(self.changed_values.items())])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def section_at(self, span: Span) -> Section:
        """The section that a place in a file belongs to. In a variant they stand in another order than in the file."""
        above = [s for s in self.sections if s.span.source is span.source and s.span.line <= span.line]
        return max(above, key=lambda section: section.span.line, default=self.sections[0])


def most_members(rules: Model, key: Key | None) -> int:
    """How many members a family has at most, however many play."""
    if key is None:
        return 1
    match key.kind:
        case "player":
            return rules.max_players
        case "name":
            return len(rules.names[key.of])
        case "number":
            return key.high - key.low + 1
        case "pair":
            return prod(most_members(rules, part) for part in key.parts)
        case _:
            assert_never(key.kind)


def title_of(rules: Model) -> texts.Text:
    """A game's title, to be told in any language."""
    return texts.Text(rules.title, msgctxt=f"{rules.family}: heading")
