"""Values as a rule file says them: one node for each construct, names not yet looked up."""

from __future__ import annotations

from typing import Literal, TypeAlias

from teufelswerk.base.diagnostics import Span
from teufelswerk.base.quick_dataclass import dataclass


@dataclass(frozen=True)
class Word:
    """A name in the file, and where it stands."""

    text: str
    span: Span


@dataclass(frozen=True)
class Sentence:
    """A sentence in quotes: told when the line above it decides."""

    text: str
    span: Span


Extreme: TypeAlias = Literal["highest", "lowest"]

# ---- expressions --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Node:
    span: Span


@dataclass(frozen=True)
class Name(Node):
    name: str


@dataclass(frozen=True)
class Person(Node):
    name: str


@dataclass(frozen=True)
class Number(Node):
    value: int


@dataclass(frozen=True)
class Of(Node):
    name: Word
    owner: Expr


@dataclass(frozen=True)
class OfEach(Node):
    """`last of each pile`: one card of each place, by its order there."""

    name: Word
    places: Expr


@dataclass(frozen=True)
class Members(Node):
    noun: Word
    source: Expr | None
    where: Expr | None


@dataclass(frozen=True)
class Few(Node):
    """`last 3 cards in hand`."""

    last: bool
    amount: Expr
    noun: Word
    source: Expr
    where: Expr | None


@dataclass(frozen=True)
class Best(Node):
    extreme: Extreme
    by: Word
    source: Expr
    where: Expr | None


@dataclass(frozen=True)
class Random(Node):
    noun: Word
    source: Expr | None
    where: Expr | None


@dataclass(frozen=True)
class Thrown(Node):
    """A number by lot."""

    low: Expr
    high: Expr


@dataclass(frozen=True)
class Total(Node):
    by: Word
    source: Expr
    where: Expr | None


@dataclass(frozen=True)
class Count(Node):
    noun: Word
    source: Expr | None
    where: Expr | None


@dataclass(frozen=True)
class LeastLeft(Node):
    """`least points left in hand after melds`."""

    by: Word
    source: Expr
    sets: Word


Quantity: TypeAlias = Literal["some", "none", "at_least_n", "at_most_n", "exactly_n"]


@dataclass(frozen=True)
class Quantify(Node):
    quantity: Quantity
    amount: Expr | None
    noun: Word
    which: Literal["every", "some"] | None
    """`in every hand` asks each place of a family by itself, `in some hand` whether one of them will do."""
    source: Expr | None
    where: Expr | None


Relation: TypeAlias = Literal[
    "is", "is_not", "above", "below", "at_least", "at_most", "just_above", "just_below"
]  # fmt: skip


@dataclass(frozen=True)
class Compare(Node):
    relation: Relation
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Exists(Node):
    negated: bool
    thing: Expr


@dataclass(frozen=True)
class AtTable(Node):
    """Everyone `at the table`, also who is out."""


@dataclass(frozen=True)
class AllPass(Node):
    pass


@dataclass(frozen=True)
class WasChosen(Node):
    """`draws was chosen`: that move, in the turn above."""

    verb: Word
    negated: bool


@dataclass(frozen=True)
class Listing(Node):
    """`18, 20, 22 to 24`: each a value, or a number and the last one of a stretch."""

    items: tuple[tuple[Expr, Expr | None], ...]


@dataclass(frozen=True)
class Stretch:
    """`7`, `red` or `1 to 9` in a list of values."""

    first: str
    last: str | None
    span: Span


@dataclass(frozen=True)
class TableRow:
    value: str
    """A number, or the name of one."""
    keys: tuple[Stretch, ...]
    span: Span
    last: str | None = None
    """In `1 to 13: others`, the highest number: each key has one of its own, in their order."""


@dataclass(frozen=True)
class Lookup(Node):
    """The rows below `base by suit:`, for one of these names or numbers."""

    name: Word
    by: Word
    rows: tuple[TableRow, ...]


@dataclass(frozen=True)
class Face(Node):
    """Whether a card lies face up, or face down."""

    card: Expr
    up: bool


@dataclass(frozen=True)
class Within(Node):
    """Whether something is one of several: `card is in hand`."""

    thing: Expr
    source: Expr


@dataclass(frozen=True)
class Logic(Node):
    op: Literal["and", "or"]
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Not(Node):
    operand: Expr


Operation: TypeAlias = Literal["+", "-", "*", "/down", "/up", "remainder", "larger", "smaller"]


@dataclass(frozen=True)
class Arith(Node):
    op: Operation
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Branch:
    """One alternative: a value (perhaps only under a condition), and the sentences that give the reason."""

    value: Expr
    condition: Expr | None
    told: tuple[Sentence, ...]
    span: Span


@dataclass(frozen=True)
class Alternatives(Node):
    """The first branch whose condition holds and whose value is there."""

    branches: tuple[Branch, ...]


@dataclass(frozen=True)
class Decision(Node):
    """`if C` with alternatives below it, and perhaps an `else`."""

    condition: Expr
    then: Expr
    otherwise: Expr | None


Expr: TypeAlias = (
    Name | Person | Number | Of | OfEach | Members | Few | Best | Random | Thrown | Total | Count | LeastLeft | Quantify
    | Compare | Exists | AllPass | AtTable | WasChosen | Listing | Lookup | Face | Within | Logic | Not | Arith
    | Alternatives | Decision
)  # fmt: skip
