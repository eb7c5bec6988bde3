"""What happens, as a rule file says it."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from teufelswerk.base.diagnostics import Span
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.syntax.nodes.expressions import Expr, Extreme, Sentence, Word


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
    who: Expr | None
    """Nobody in particular where it is everyone, or decided by numbers."""
    by: tuple[tuple[Extreme, Word], ...]
    """What decides, and then what decides between players who have equally much, one after the other."""
    lose: bool
    """Whether these lose, and all others win."""
