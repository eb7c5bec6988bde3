"""The game after checking: every name looked up, every type known. All that runs or shows a game reads this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Literal, TypeAlias

from teufelswerk.diagnostics import Source, Span
from teufelswerk.quick_dataclass import dataclass
from teufelswerk.source import Paragraph

if TYPE_CHECKING:
    from teufelswerk.nodes import Extreme, Quantity, Relation

# ---- types --------------------------------------------------------------------------------------------------------

Kind: TypeAlias = Literal["number", "truth", "card", "player", "place", "end", "name"]


@dataclass(frozen=True)
class Type:
    """What a value is. `of` is the family of a place or an end, or the attribute or keep that a name belongs to."""

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


# ---- what there is ------------------------------------------------------------------------------------------------


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

    def __hash__(self) -> int:
        return self.index


@dataclass(frozen=True)
class CardKind:
    name: str
    attributes: tuple[str, ...]
    back: tuple[str, ...]
    """Attributes that its back shows; its own name if the back shows only that."""
    called: Sentence | None
    span: Span


@dataclass(frozen=True)
class Key:
    """What a family has one place, or one kept thing, for: each player, each name of an attribute, each number."""

    kind: Literal["player", "name", "number"]
    of: str = ""
    low: int = 0
    high: int = 0

    @property
    def type(self) -> Type:
        if self.kind == "player":
            return PLAYER
        return Type("name", self.of) if self.kind == "name" else NUMBER


@dataclass(frozen=True)
class Place:
    """A place, or a family of places. The first is always the box, where all cards start."""

    name: str
    index: int
    key: Key | None
    seen_by: Literal["all", "owner", "nobody"]
    backs_by: Literal["all", "nobody"]
    two_ended: bool
    span: Span | None


@dataclass(frozen=True)
class Keep:
    """What the game remembers. `names`: one of some names, the first at the start."""

    name: str
    index: int
    key: Key | None
    type: Type
    names: tuple[str, ...]
    initial: Expr | None
    span: Span


@dataclass
class Definition:
    """A name for a value, computed whenever it is used."""

    name: str
    parameter: Type | None
    slot: int
    value: Expr
    span: Span
    section: int


# ---- expressions --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Typed:
    type: Type
    span: Span


@dataclass(frozen=True)
class Const(Typed):
    """A number, a name's index, a card's index, or for a person of an example the seat."""

    value: int


@dataclass(frozen=True)
class Person(Typed):
    """A player of an example, by name."""

    name: str


@dataclass(frozen=True)
class Local(Typed):
    slot: int
    name: str


@dataclass(frozen=True)
class AttributeOf(Typed):
    attribute: str
    card: Expr


@dataclass(frozen=True)
class PlaceOf(Typed):
    place: Place
    key: Expr | None


@dataclass(frozen=True)
class KeepOf(Typed):
    keep: Keep
    key: Expr | None


@dataclass(frozen=True)
class Defined(Typed):
    definition: Definition
    argument: Expr | None


@dataclass(frozen=True)
class Neighbour(Typed):
    side: Literal["left", "right"]
    player: Expr


@dataclass(frozen=True)
class PlayerOf(Typed):
    """In whose place a card lies, or lay last."""

    card: Expr


@dataclass(frozen=True)
class Nth(Typed):
    """The first, second or last card of a place, or of some cards."""

    which: Literal["first", "second", "last"]
    of: Expr


@dataclass(frozen=True)
class CardAt(Typed):
    """The card lying at an end."""

    end: Expr


@dataclass(frozen=True)
class Everything(Typed):
    """All cards, players, places of a family, names of an attribute."""


@dataclass(frozen=True)
class Members(Typed):
    """Those of `base` (places' cards or ends, or a set) that are of the right kind and fit the condition."""

    base: Expr
    where: Expr | None
    slot: int


@dataclass(frozen=True)
class Best(Typed):
    extreme: Extreme
    by: Expr
    members: Members


@dataclass(frozen=True)
class Random(Typed):
    members: Members


@dataclass(frozen=True)
class Total(Typed):
    by: Expr
    members: Members


@dataclass(frozen=True)
class Count(Typed):
    members: Members


@dataclass(frozen=True)
class Quantify(Typed):
    """Whether some, no, at least so many … of the members exist; with `every`, in each of the places by itself."""

    quantity: Quantity
    amount: Expr | None
    members: Members
    every: tuple[Expr, int] | None
    """The places, and the slot that holds the one looked at."""


@dataclass(frozen=True)
class Compare(Typed):
    relation: Relation
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Exists(Typed):
    negated: bool
    thing: Expr


@dataclass(frozen=True)
class AllPass(Typed):
    pass


@dataclass(frozen=True)
class Logic(Typed):
    op: Literal["and", "or"]
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Not(Typed):
    operand: Expr


@dataclass(frozen=True)
class Arith(Typed):
    op: Literal["+", "-", "*", "/down", "/up"]
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Branch:
    id: int
    value: Expr
    condition: Expr | None
    told: tuple[Sentence, ...]
    span: Span


@dataclass(frozen=True)
class Alternatives(Typed):
    branches: tuple[Branch, ...]


@dataclass(frozen=True)
class Decision(Typed):
    condition: Expr
    then: Expr
    otherwise: Expr | None


Expr: TypeAlias = (
    Const | Person | Local | AttributeOf | PlaceOf | KeepOf | Defined | Neighbour | PlayerOf | Nth | CardAt
    | Everything | Members | Best | Random | Total | Count | Quantify | Compare | Exists | AllPass | Logic | Not
    | Arith | Alternatives | Decision
)  # fmt: skip


@dataclass(eq=False)
class Sentence:
    """A sentence for people, with what its placeholders stand for (found once all definitions are known)."""

    msgid: str
    context: str
    figures: tuple[tuple[str, Expr], ...]
    span: Span


# ---- statements ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Statement:
    """`id` numbers what can happen or decide, for explanations and coverage."""

    id: int
    span: Span
    told: tuple[Sentence, ...]


@dataclass(frozen=True)
class Choose(Statement):
    name: str
    slot: int
    amount: Expr | None
    source: Expr
    """A set of things; for numbers, the lowest."""
    upper: Expr | None


@dataclass(frozen=True)
class Must(Statement):
    condition: Expr
    if_able: bool


@dataclass(frozen=True)
class SetLocal(Statement):
    slot: int
    value: Expr


@dataclass(frozen=True)
class Goes(Statement):
    what: Expr
    to: Expr


@dataclass(frozen=True)
class Becomes(Statement):
    target: KeepOf
    value: Expr


@dataclass(frozen=True)
class Pays(Statement):
    payer: KeepOf
    amount: Expr
    receiver: KeepOf
    paid_slot: int


@dataclass(frozen=True)
class Deal(Statement):
    portion: Literal["exact", "up_to", "evenly"]
    amount: Expr | None
    source: Expr
    to: Expr
    """A place, or all places of a family, each of which gets the portion."""


@dataclass(frozen=True)
class Shuffle(Statement):
    place: Expr


@dataclass(frozen=True)
class Tell(Statement):
    pass


@dataclass(frozen=True)
class Turn(Statement):
    player: Expr
    groups: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Call(Statement):
    step: str
    argument: Expr | None


@dataclass(frozen=True)
class Repeat(Statement):
    times: Expr
    body: Block


@dataclass(frozen=True)
class Until(Statement):
    condition: Expr
    body: Block


@dataclass(frozen=True)
class Each(Statement):
    slot: int
    over: Everything
    first: Expr | None
    last: Expr | None
    at_once: bool
    body: Block


@dataclass(frozen=True)
class GoRound(Statement):
    slot: int
    first: Expr
    condition: Expr
    body: Block


@dataclass(frozen=True)
class If(Statement):
    condition: Expr
    then: Block
    otherwise: Block
    else_id: int


@dataclass(frozen=True)
class Wins(Statement):
    extreme: Extreme
    by: Expr
    ties: tuple[tuple[Extreme, Expr], ...]
    """What decides between players who have equally much, one after the other."""
    slot: int

    @property
    def criteria(self) -> tuple[tuple[Extreme, Expr], ...]:
        return ((self.extreme, self.by), *self.ties)


Doing: TypeAlias = (
    Goes | Becomes | Pays | Deal | Shuffle | SetLocal | Tell | Turn | Call | Repeat | Until | Each | GoRound | If | Wins
)  # fmt: skip
Block: TypeAlias = tuple[Doing, ...]


@dataclass
class Step:
    name: str
    parameter: Type | None
    slot: int
    body: Block
    span: Span
    section: int


PASSES = "passes"
"""What `all pass` asks for."""


@dataclass
class Move:
    """A verb: what is chosen, what must hold, what then happens."""

    name: str
    slot: int
    """Holds the player who makes the move."""
    invitation: Sentence | None
    choices: tuple[Choose, ...]
    musts: tuple[tuple[Must, tuple[tuple[Expr, bool], ...]], ...]
    """Each with the conditions under which it counts."""
    effects: Block
    span: Span
    section: int

    @property
    def is_pass(self) -> bool:
        """A move without choice or effect is a pass; so is the move `passes`, whatever it costs."""
        return self.name == PASSES or (not self.choices and all(isinstance(s, Tell) for s in self.effects))


# ---- the whole ----------------------------------------------------------------------------------------------------


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
    variant: str | None = None

    @property
    def family(self) -> str:
        """The name of the game that this is, or is a variant of: translations of its words are shared."""
        return self.sources[-1].name

    def section_at(self, span: Span) -> Section:
        """The section that a place in a file belongs to. In a variant they stand in another order than in the file."""
        above = [s for s in self.sections if s.span.source is span.source and s.span.line <= span.line]
        return max(above, key=lambda section: section.span.line, default=self.sections[0])
