"""Instructions on plain integers: what rules become before they are written as Python or as machine code.

Everything is an object; nothing is ever read out of text again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from teufelswerk.compiled.expressions import *  # noqa: F403  one language: whoever writes it says `c.` to all of it
from teufelswerk.compiled.expressions import Array, Expr, Number, Question, Var


@dataclass(frozen=True, slots=True)
class Set:
    var: Var
    value: Expr


@dataclass(frozen=True, slots=True)
class Store:
    array: Array
    index: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class When:
    condition: Expr
    then: Body
    otherwise: Body


@dataclass(frozen=True, slots=True)
class Loop:
    """Again and again, until something inside it leaves it."""

    body: Body


@dataclass(frozen=True, slots=True)
class Leave:
    """Out of the innermost loop."""


@dataclass(frozen=True, slots=True)
class Count:
    """For every number from the first to the one before the last."""

    var: Var
    first: Expr
    stop: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class Cards:
    """For every card of a set, in order."""

    var: Var
    cards: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class Copy:
    """Writes a table into an array, from a position on."""

    array: Array
    start: Expr
    table: Array


@dataclass(frozen=True, slots=True)
class Shift:
    """So many numbers of an array, no masks, go to another position in it."""

    array: Array
    to: Expr
    first: Expr
    count: Expr


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr


@dataclass(frozen=True, slots=True)
class Fail:
    """The rules ask for something impossible: the reference interpreter says what."""


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Puts the first `needed` of so many numbers, from a position on, into an order that is drawn by lot."""

    row: Array
    start: Expr
    count: Expr
    needed: Expr


@dataclass(frozen=True, slots=True)
class ShuffleAndDeal:
    """Shuffles the first cards of a row and deals so many to each of the sets; the rest stays there, in order."""

    row: Array
    count: Expr
    size: Expr
    sets: Array


@dataclass(frozen=True, slots=True)
class DrawChance:
    """A number below another one, by the game's own lot."""

    var: Var
    below: Expr


@dataclass(frozen=True, slots=True)
class DrawChoice:
    """A number below another one, by the lot of whoever plays at random."""

    var: Var
    below: Expr


@dataclass(frozen=True, slots=True)
class Perform:
    """A routine is carried out: written once, or wherever it is called. `site` tells the places apart that call it."""

    routine: Routine
    site: int


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a game can be taken up again: a decision with its number."""

    number: int


@dataclass(frozen=True, slots=True)
class Note:
    text: str


Step: TypeAlias = (
    Set | Store | When | Loop | Leave | Count | Cards | Copy | Shift | Return | Fail | Shuffle | ShuffleAndDeal
    | DrawChance | DrawChoice | Perform | Mark | Note
)  # fmt: skip
Body: TypeAlias = list[Step]


@dataclass(eq=False, slots=True)
class Function(Question):
    """Answers a question about the position."""

    body: Body = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Routine:
    """Something that happens, wherever it is called for."""

    name: str
    number: int
    body: Body = field(default_factory=list)


def when(condition: Expr, then: Body, otherwise: Body | None = None) -> Body:
    """The instructions themselves where the condition is always the same."""
    otherwise = otherwise or []
    if isinstance(condition, Number):
        return then if condition.value else otherwise
    return [When(condition, then, otherwise)] if then or otherwise else []
