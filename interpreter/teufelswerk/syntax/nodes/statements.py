"""What happens, as a rule file says it."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias, assert_never

from teufelswerk.base.diagnostics import Span
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.syntax.nodes.expressions import Expr, Extreme, Sentence, Word


@dataclass(frozen=True)
class StatementNode:
    span: Span
    told: tuple[Sentence, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class Tell(StatementNode):
    """A sentence that stands by itself in a block; `told` holds it."""


@dataclass(frozen=True)
class Choose(StatementNode):
    noun: Word
    amount: tuple[Word | None, Word | None] | None
    """Of several things, how many at least and at most; None is one at least, and as many as there are at most."""
    source: Expr | None
    upper: Expr | None
    """`from LOW to HIGH`: source is LOW, upper is HIGH."""
    where: Expr | None
    blindly: bool
    """By its position, not by its face."""


@dataclass(frozen=True)
class Must(StatementNode):
    condition: Expr
    if_able: bool


@dataclass(frozen=True)
class Local(StatementNode):
    name: Word
    value: Expr


@dataclass(frozen=True)
class Goes(StatementNode):
    what: Expr
    to: Expr


@dataclass(frozen=True)
class Turns(StatementNode):
    what: Expr
    up: bool


@dataclass(frozen=True)
class Becomes(StatementNode):
    target: Expr
    value: Expr


@dataclass(frozen=True)
class Pays(StatementNode):
    payer: Expr
    amount: Expr
    what: Word
    receiver: Expr


@dataclass(frozen=True)
class Deal(StatementNode):
    portion: Literal["exact", "up_to", "evenly"]
    amount: Expr | None
    source: Expr
    each: bool
    to: Expr


@dataclass(frozen=True)
class Shuffle(StatementNode):
    place: Expr


@dataclass(frozen=True)
class Turn(StatementNode):
    player: Expr
    groups: tuple[tuple[Word, ...], ...]


@dataclass(frozen=True)
class Call(StatementNode):
    name: Word
    argument: Expr | None


@dataclass(frozen=True)
class Repeat(StatementNode):
    times: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Until(StatementNode):
    condition: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Each(StatementNode):
    noun: Word
    first: Expr | None
    last: Expr | None
    source: Expr | None
    where: Expr | None
    at_once: bool
    body: tuple[Statement, ...]
    at_table: Span | None = None
    """Where it says `at the table`: those who are out are gone through too."""
    down: bool = False
    """Whether numbers are gone through from the highest to the lowest."""


@dataclass(frozen=True)
class GoRound(StatementNode):
    first: Expr
    condition: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class If(StatementNode):
    condition: Expr
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True)
class Wins(StatementNode):
    who: Expr | None
    """Nobody in particular where it is everyone, or decided by numbers."""
    by: tuple[tuple[Extreme, Word], ...]
    """What decides, and then what decides between players who have equally much, one after the other."""
    lose: bool
    """Whether these lose, and all others win."""


Statement: TypeAlias = (
    Tell | Choose | Must | Local | Goes | Turns | Becomes | Pays | Deal | Shuffle | Turn | Call | Repeat | Until
    | Each | GoRound | If | Wins
)  # fmt: skip


def blocks(statement: Statement) -> tuple[tuple[Statement, ...], ...]:
    """The blocks below a statement."""
    match statement:
        case Repeat() | Until() | Each() | GoRound():
            return (statement.body,)
        case If():
            return (statement.then, statement.otherwise)
        case Tell() | Choose() | Must() | Local() | Goes() | Becomes() | Pays() | Deal() | Shuffle() | Turn() | Call():
            return ()
        case Turns() | Wins():
            return ()
        case _:
            assert_never(statement)
