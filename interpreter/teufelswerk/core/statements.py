"""What happens, in the few forms that everything which runs a game gives a meaning to; and the whole of a game."""

from __future__ import annotations

from typing import TypeAlias

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.core.forms import Definition, Expr, Items, Kept, Sentence


@dataclass(frozen=True)
class Statement:
    """`id` numbers what can happen or decide; `told` is what everyone is told when it has happened."""

    id: int
    span: Span
    told: tuple[Sentence, ...]


@dataclass(frozen=True)
class Goes(Statement):
    """Cards go, in their order, onto a place or to an end of one."""

    cards: Items
    to: Expr


@dataclass(frozen=True)
class Deal(Statement):
    """From the front of a place, so many cards to each of some places; without an amount, as many as all can get."""

    amount: Expr | None
    up_to: bool
    """Whether fewer will do where there are not so many."""
    source: Expr
    to: Items


@dataclass(frozen=True)
class Shuffle(Statement):
    place: Expr


@dataclass(frozen=True)
class Becomes(Statement):
    target: Kept
    value: Expr


@dataclass(frozen=True)
class Pays(Statement):
    """An amount, or what there is of it, goes from one thing that is kept to another; the slot holds how much."""

    payer: Kept
    amount: Expr
    receiver: Kept
    slot: int


@dataclass(frozen=True)
class Let(Statement):
    slot: int
    value: Expr


@dataclass(frozen=True)
class Tell(Statement):
    pass


@dataclass(frozen=True)
class Turn(Statement):
    """A player decides: for one of the moves of the first group of which any is legal."""

    player: Expr
    groups: tuple[tuple[str, ...], ...]
    chosen: int
    """The slot that notes which of all moves was chosen, by its number; -1 if nobody asks."""


@dataclass(frozen=True)
class AtOnce(Statement):
    """Each of some players decides, found in the slot; then it all happens, one after the other."""

    slot: int
    players: Items
    turn: Turn


@dataclass(frozen=True)
class Call(Statement):
    """A step is carried out."""

    step: Step
    argument: Expr | None


@dataclass(frozen=True)
class Repeat(Statement):
    times: Expr
    left: int
    """The slot that counts how often it is still to be done."""
    body: Block


@dataclass(frozen=True)
class Until(Statement):
    condition: Expr
    laps: int
    """The slot that counts how often it was done."""
    body: Block


@dataclass(frozen=True)
class Each(Statement):
    slot: int
    items: Items
    rest: int
    """The slot that holds those whose turn is still to come."""
    body: Block


@dataclass(frozen=True)
class GoRound(Statement):
    """Turn after turn, clockwise, until the condition holds."""

    slot: int
    first: Expr
    condition: Expr
    laps: int
    idle: int
    """The slot that counts the turns since somebody did more than pass."""
    out: Definition | None
    begin: Becomes | None
    """What sets who is next back to the next one clockwise as a turn begins, where the rules say who is next."""
    following: Expr
    """Whose turn comes after one."""
    body: Block


@dataclass(frozen=True)
class Branch(Statement):
    condition: Expr
    then: Block
    otherwise: Block
    else_id: int


@dataclass(frozen=True)
class Wins(Statement):
    """The game ends: of these players, whoever has most (or least) by the first number wins, equal ones by the next."""

    players: Items
    criteria: tuple[tuple[bool, Expr], ...]
    """Whether the highest wins, and the number of the player in the slot. Without any, all of these players win."""
    lose: bool
    """Whether they lose instead, and everyone else at the table wins."""
    slot: int


Doing: TypeAlias = (
    Goes | Deal | Shuffle | Becomes | Pays | Let | Tell | Turn | AtOnce | Call | Repeat | Until | Each | GoRound
    | Branch | Wins
)  # fmt: skip
Block: TypeAlias = tuple[Doing, ...]


# ---- moves and the whole --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """What is chosen: without a set, a number from the lowest to the highest; else one of the set or, with a lowest
    number, so many of them: from the lowest to the highest number or, without that, as many as there are.

    Several are in the order of the set; fewer come before more. Of identical cards the first ones are offered: one, or
    so many of them, in one way only.
    """

    name: str
    slot: int
    items: Items | None
    low: Expr | None
    high: Expr | None
    type: model.Type
    """Of one of the things."""
    span: Span
    alike: bool = False
    """Whether there can be identical cards among what is offered."""

    @property
    def several(self) -> bool:
        return self.items is not None and self.low is not None


@dataclass(frozen=True)
class Condition:
    """What must hold for a choice, or rules others out as long as any fits it (`if_able`)."""

    holds: Expr
    if_able: bool
    must: model.Must
    told: tuple[Sentence, ...]


@dataclass(frozen=True, eq=False)
class Move:
    name: str
    slot: int
    """Holds the player who makes the move."""
    choices: tuple[Choice, ...]
    conditions: tuple[Condition, ...]
    effects: Block
    is_pass: bool
    span: Span


@dataclass(eq=False)
class Step:
    name: str
    slot: int
    body: Block
    span: Span


@dataclass(frozen=True, eq=False)
class Core:
    """All that a model means."""

    rules: model.Model
    game: Call
    steps: dict[str, Step]
    moves: dict[str, Move]
    definitions: dict[str, Definition]
    out: Definition | None
    initial: dict[str, Expr]
    """What is kept at the start, where the rules name it."""
    reasons: dict[int, tuple[Sentence, ...]]
    """What is told when a branch of a value decided, by its id."""
    slots: int
    persistent: tuple[int, ...]
    """Slots that live on from one decision to the next."""
    shared: dict[tuple[str, bool], Definition]
    """All definitions, also as they are asked in order to know who is out."""

    def __repr__(self) -> str:
        return f"<core of {self.rules.name}>"
