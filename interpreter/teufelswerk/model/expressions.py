"""Values as an author says them, each with its type; sentences; and what values declare: definitions, kept things."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from teufelswerk.base.diagnostics import Span
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.model.types import Key, Place, Type

if TYPE_CHECKING:
    from teufelswerk.syntax.nodes import Extreme, Operation, Quantity, Relation


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
class Nobody(Typed):
    """No player at all."""


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
class Pair(Typed):
    """Which member of a family of two things is meant."""

    key: Key
    first: Expr
    second: Expr


@dataclass(frozen=True)
class Defined(Typed):
    definition: Definition
    argument: Expr | None


@dataclass(frozen=True)
class Applied(Typed):
    """A definition of two things, written out for these two."""

    definition: Definition
    value: Expr
    owners: tuple[Expr, ...] = ()
    """What it is asked of; the value says them once more."""


@dataclass(frozen=True)
class KeyOf(Typed):
    """For which player, name or number a place of a family is there: of two of these, for the first or the second."""

    place: Expr
    part: int


@dataclass(frozen=True)
class Neighbour(Typed):
    side: Literal["left", "right"]
    player: Expr
    at_table: bool = False
    """Whether it may be somebody who is out."""


@dataclass(frozen=True)
class PlayerOf(Typed):
    """In whose place a card lies, or lay last."""

    card: Expr


@dataclass(frozen=True)
class PlaceHolding(Typed):
    """The place of a family, which the type names, in which a card lies."""

    card: Expr


@dataclass(frozen=True)
class Nth(Typed):
    """The card at a position in a place, or one of a set: 0 is the first, -1 the last."""

    position: int
    of: Expr


@dataclass(frozen=True)
class NthOfEach(Typed):
    """The card at a position of each of some places. The slots hold a place, and a card of which it is asked."""

    position: int
    places: Expr
    place_slot: int
    slot: int


@dataclass(frozen=True)
class EndOf(Typed):
    """The bottom or the top of a place with two ends, whether a card lies there or not."""

    place: Expr
    top: bool


@dataclass(frozen=True)
class CardAt(Typed):
    """The card lying at an end."""

    end: Expr


@dataclass(frozen=True)
class Everything(Typed):
    """All cards, players, places of a family, names of an attribute."""

    at_table: bool = False
    """Whether players who are out are among them."""


@dataclass(frozen=True)
class Listing(Typed):
    """Numbers or names, listed one by one."""

    values: tuple[int, ...]


@dataclass(frozen=True)
class Joined(Typed):
    """The cards in several places, place by place."""

    places: tuple[Expr, ...]


@dataclass(frozen=True)
class Together(Typed):
    """Cards, sets of cards and the cards in places, one after the other, and each of them once."""

    parts: tuple[Expr, ...]


@dataclass(frozen=True)
class Around(Typed):
    """The players clockwise from one to another, or once round."""

    first: Expr
    last: Expr | None
    at_table: bool = False


@dataclass(frozen=True)
class Numbers(Typed):
    """The numbers from one up to another, or down to it."""

    first: Expr
    last: Expr
    down: bool = False


@dataclass(frozen=True)
class Members(Typed):
    """Those of `base` (places' cards or ends, or a set) that are of the right kind and fit the condition."""

    base: Expr
    where: Expr | None
    slot: int


@dataclass(frozen=True)
class SetsOf(Typed):
    """All sets of some cards (or of the cards in a place) for which a condition holds, which finds each in the slot."""

    source: Expr
    slot: int
    condition: Expr


@dataclass(frozen=True)
class LeastLeft(Typed):
    """The least that a number of the cards adds up to which are left after some of the sets, none of them twice."""

    by: Expr
    slot: int
    sets: SetsOf


@dataclass(frozen=True)
class Few(Typed):
    """The first or the last so many of a set, or all if there are no more."""

    last: bool
    amount: Expr
    members: Members


@dataclass(frozen=True)
class Best(Typed):
    extreme: Extreme
    by: Expr
    members: Members


@dataclass(frozen=True)
class Random(Typed):
    members: Members | Numbers


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
class WasChosen(Typed):
    """Whether that move was chosen in a turn before, which has noted its choice in the slot."""

    verb: str
    slot: int


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
    op: Operation
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
    Const | Person | Nobody | Local | AttributeOf | PlaceOf | KeepOf | Pair | Defined | Applied | KeyOf | Neighbour
    | PlayerOf | PlaceHolding | Nth | NthOfEach | EndOf | CardAt | Everything | Listing | Joined | Together | Around
    | Numbers | Members | SetsOf | Few | Best | Random | Total | Count | LeastLeft | Quantify | Compare | Exists
    | AllPass | WasChosen | Logic | Not | Arith | Alternatives | Decision
)  # fmt: skip


@dataclass(eq=False)
class Sentence:
    """A sentence for people, with what its placeholders stand for (found once all definitions are known)."""

    msgid: str
    context: str
    figures: tuple[tuple[str, Expr], ...]
    span: Span


# ---- declared by values -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CardKind:
    name: str
    attributes: tuple[str, ...]
    back: tuple[str, ...]
    """Attributes that its back shows; its own name if the back shows only that."""
    called: Sentence | None
    span: Span


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
    seen_by: Literal["all", "owner", "nobody"]
    shown: bool
    """Whether screens and reports show it, or it is there for the rules alone."""

    @property
    def counts(self) -> bool:
        """Whether it is a number of each player, or of each side, that people are shown."""
        return self.shown and self.key is not None and self.key.of_players and self.type.kind == "number"


@dataclass
class Definition:
    """A name for a value, computed whenever it is used."""

    name: str
    parameter: Type | None
    slot: int
    value: Expr
    span: Span
    section: int
    second: Type | None = None
    """What it is also a value of. Such a definition is written out wherever it is used."""
