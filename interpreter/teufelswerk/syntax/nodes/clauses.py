"""Declarations and the lines of examples, as a rule file says them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from teufelswerk.base.diagnostics import Span
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.syntax.nodes.expressions import Expr, Sentence, Stretch, TableRow, Word
from teufelswerk.syntax.nodes.statements import Statement


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
    sides: int | None = None


@dataclass(frozen=True)
class Attribute:
    name: Word
    values: tuple[Stretch, ...]


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
    without: tuple[Stretch, ...]
    """Combinations of which there is no card, from one to another in the order of the pack."""
    called: Sentence | None


@dataclass(frozen=True)
class Family:
    """`of each player`, `of each colour`, `of each 1 to 4`, and `of each player and colour`."""

    of: Word | None
    low: int = 0
    high: int = 0
    second: Family | None = None


@dataclass(frozen=True)
class Place(Clause):
    name: Word
    family: Family | None
    seen_by: tuple[Word, ...]
    backs_by: tuple[Word, ...]
    two_ended: bool
    turned: bool = False
    """Whether its cards are turned face up and down, so that it only says who sees them face down."""


@dataclass(frozen=True)
class Keep(Clause):
    name: Word
    family: Family | None
    names: tuple[Word, ...]
    initial: Expr | None
    seen_by: tuple[Word, ...] = ()
    shown: bool = True
    or_nobody: bool = False


@dataclass(frozen=True)
class Definition(Clause):
    name: Word
    parameter: Word | None
    value: Expr
    second: Word | None = None
    """`worth of player and colour`: what it is also a value of."""


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
    up: bool = False
    """Whether the card is given face up."""


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
    lose: bool
    """Whether these have lost, and all others have won."""


LineOfScene: TypeAlias = GivenIs | Given | ActLine | Claim | LegalClaim | WinnersClaim
SceneLine: TypeAlias = Scene | LineOfScene
