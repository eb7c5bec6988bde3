"""What happens, as an author says it: statements, the steps that they make up, and moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from teufelswerk.base.diagnostics import Span
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.model.expressions import Expr, KeepOf, Sentence
from teufelswerk.model.types import Type

if TYPE_CHECKING:
    from teufelswerk.syntax.nodes import Extreme


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
    source: Expr
    """A set of things; for numbers, the lowest."""
    upper: Expr | None
    amount: tuple[Expr, Expr | None] | None
    """Of several things, how many at least and at most; as many as there are, where nothing is said."""


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
class Turns(Statement):
    """Cards are turned face up or face down where they lie."""

    what: Expr
    up: bool
    slot: int


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
    chosen: int = -1
    """The slot that notes which move was chosen, if somebody asks for it."""


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
    chosen: int = -1
    """The slot that notes which move was chosen in it, if the condition asks for that."""


@dataclass(frozen=True)
class Each(Statement):
    slot: int
    over: Expr
    """A set."""
    at_once: bool
    body: Block


@dataclass(frozen=True)
class GoRound(Statement):
    slot: int
    first: Expr
    condition: Expr
    body: Block
    chosen: int = -1


@dataclass(frozen=True)
class If(Statement):
    condition: Expr
    then: Block
    otherwise: Block
    else_id: int


@dataclass(frozen=True)
class Wins(Statement):
    who: Expr | None
    """A player or several; without it, everyone at the table."""
    criteria: tuple[tuple[Extreme, Expr], ...]
    """What decides among them, and then what decides between players who have equally much, one after the other."""
    lose: bool
    """Whether these lose, and all others win."""
    slot: int


Doing: TypeAlias = (
    Goes | Turns | Becomes | Pays | Deal | Shuffle | SetLocal | Tell | Turn | Call | Repeat | Until | Each | GoRound
    | If | Wins
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


NEXT = "next"
"""What is kept in a lap of whose turn comes after this one."""
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
