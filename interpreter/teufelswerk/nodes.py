"""What a rule file says, as it says it: one node for each construct, names not yet looked up."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from teufelswerk.diagnostics import Span
from teufelswerk.quick_dataclass import dataclass


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
class Members(Node):
    noun: Word
    source: Expr | None
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
class Total(Node):
    by: Word
    source: Expr
    where: Expr | None


@dataclass(frozen=True)
class Count(Node):
    noun: Word
    source: Expr | None
    where: Expr | None


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


Relation: TypeAlias = Literal["is", "is_not", "above", "below", "at_least", "at_most"]


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
class AllPass(Node):
    pass


@dataclass(frozen=True)
class Logic(Node):
    op: Literal["and", "or"]
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Not(Node):
    operand: Expr


@dataclass(frozen=True)
class Arith(Node):
    op: Literal["+", "-", "*", "/down", "/up"]
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
    Name | Person | Number | Of | Members | Best | Random | Total | Count | Quantify | Compare | Exists | AllPass
    | Logic | Not | Arith | Alternatives | Decision
)  # fmt: skip


# ---- statements ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Statement:
    span: Span
    told: tuple[Sentence, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class Tell(Statement):
    """A sentence that stands by itself in a block; `told` holds it."""


@dataclass(frozen=True)
class Choose(Statement):
    noun: Word
    amount: Word | None
    source: Expr | None
    upper: Expr | None
    """`from LOW to HIGH`: source is LOW, upper is HIGH."""
    where: Expr | None


@dataclass(frozen=True)
class Must(Statement):
    condition: Expr
    if_able: bool


@dataclass(frozen=True)
class Local(Statement):
    name: Word
    value: Expr


@dataclass(frozen=True)
class Goes(Statement):
    what: Expr
    to: Expr


@dataclass(frozen=True)
class Becomes(Statement):
    target: Expr
    value: Expr


@dataclass(frozen=True)
class Pays(Statement):
    payer: Expr
    amount: Expr
    what: Word
    receiver: Expr


@dataclass(frozen=True)
class Deal(Statement):
    portion: Literal["exact", "up_to", "evenly"]
    amount: Expr | None
    source: Expr
    each: bool
    to: Expr


@dataclass(frozen=True)
class Shuffle(Statement):
    place: Expr


@dataclass(frozen=True)
class Turn(Statement):
    player: Expr
    groups: tuple[tuple[Word, ...], ...]


@dataclass(frozen=True)
class Call(Statement):
    name: Word
    argument: Expr | None


@dataclass(frozen=True)
class Repeat(Statement):
    times: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Until(Statement):
    condition: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Each(Statement):
    noun: Word
    first: Expr | None
    last: Expr | None
    at_once: bool
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class GoRound(Statement):
    first: Expr
    condition: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class If(Statement):
    condition: Expr
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True)
class Wins(Statement):
    extreme: Extreme
    by: Word
    ties: tuple[tuple[Extreme, Word], ...] = ()
    """What decides between players who have equally much, one after the other."""


# ---- declarations -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Clause:
    span: Span


@dataclass(frozen=True)
class Variant(Clause):
    base: Word


@dataclass(frozen=True)
class Players(Clause):
    low: int
    high: int


@dataclass(frozen=True)
class Stretch:
    """`7`, `red` or `1 to 9` in a list of values."""

    first: str
    last: str | None
    span: Span


@dataclass(frozen=True)
class Attribute:
    name: Word
    values: tuple[Stretch, ...]


@dataclass(frozen=True)
class TableRow:
    value: str
    """A number, or the name of one."""
    keys: tuple[Stretch, ...]
    span: Span


@dataclass(frozen=True)
class Table:
    name: Word
    by: Word
    rows: tuple[TableRow, ...]


@dataclass(frozen=True)
class Cards(Clause):
    kind: Word | None
    attributes: tuple[Attribute | Table, ...]
    back: tuple[Word, ...]
    called: Sentence | None


@dataclass(frozen=True)
class Family:
    """`of each player`, `of each colour`, `of each 1 to 4`."""

    of: Word | None
    low: int = 0
    high: int = 0


@dataclass(frozen=True)
class Place(Clause):
    name: Word
    family: Family | None
    seen_by: tuple[Word, ...]
    backs_by: tuple[Word, ...]
    two_ended: bool


@dataclass(frozen=True)
class Keep(Clause):
    name: Word
    family: Family | None
    names: tuple[Word, ...]
    initial: Expr | None


@dataclass(frozen=True)
class Definition(Clause):
    name: Word
    parameter: Word | None
    value: Expr


@dataclass(frozen=True)
class Step(Clause):
    name: Word
    parameter: Word | None
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Move(Clause):
    who: Word
    name: Word
    body: tuple[Statement, ...]


# ---- examples -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Argument:
    """A thing by its id (`22`, `red-7`, `Tom`, `top`), or each thing of a kind that fits a condition."""

    text: str
    where: Expr | None
    span: Span


@dataclass(frozen=True)
class Act:
    person: Word
    verb: Word
    arguments: tuple[Argument, ...]
    span: Span


@dataclass(frozen=True)
class Scene(Clause):
    step: Word
    argument: Word | None
    people: tuple[Word, ...]


@dataclass(frozen=True)
class GivenIs(Clause):
    target: Expr
    values: tuple[Argument, ...]


@dataclass(frozen=True)
class Given(Clause):
    condition: Expr


@dataclass(frozen=True)
class ActLine(Clause):
    act: Act
    edition: Word | None
    edition_arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Claim(Clause):
    modal: Literal["now", "always", "never"]
    condition: Expr


@dataclass(frozen=True)
class LegalClaim(Clause):
    allowed: bool
    act: Act


@dataclass(frozen=True)
class WinnersClaim(Clause):
    people: tuple[Word, ...]


SceneLine: TypeAlias = Scene | GivenIs | Given | ActLine | Claim | LegalClaim | WinnersClaim
