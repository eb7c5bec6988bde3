"""The forms that everything which runs a game gives a meaning to: values, sets, conditions.

A value may be absent where its type says `optional`. What needs it says so with `Needed`; `First` takes the first of
several that is there; a comparison with something absent does not hold. A set is a list in an order: cards in the order
of their place, seats clockwise, everything else as the rule file lists it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.model import Type

Relation: TypeAlias = Literal["is", "above", "below", "at_least", "at_most", "just_above", "just_below"]
"""The last two: exactly one more, and one less."""
Operation: TypeAlias = Literal["+", "-", "*", "/down", "/up", "remainder", "larger", "smaller"]


@dataclass(frozen=True)
class Form:
    type: Type
    span: Span


# ---- values ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Constant(Form):
    """A number, a seat, or the number of a name or a card."""

    value: int


@dataclass(frozen=True)
class Slot(Form):
    """What a slot of the machine holds: one thing, or several chosen ones."""

    slot: int


@dataclass(frozen=True)
class Attribute(Form):
    """What is on a card under a name; absent where its kind does not have that."""

    attribute: str
    card: Expr


@dataclass(frozen=True)
class PlaceAt(Form):
    """A place, or the member of a family that the key names."""

    place: model.Place
    key: Expr | None


@dataclass(frozen=True)
class Kept(Form):
    """What is remembered. To read it before it was set is an error of the rules."""

    keep: model.Keep
    key: Expr | None


@dataclass(eq=False)
class Definition:
    """A name for a value: one function, shared by all that use it. `value` is filled in once all are known."""

    name: str
    slot: int
    """Holds what it is asked of, if it has a parameter."""
    value: Expr


@dataclass(frozen=True)
class Defined(Form):
    """The value of a definition; absent if what it is asked of is absent. A set of cards is never absent."""

    definition: Definition
    argument: Expr | None


@dataclass(frozen=True)
class Neighbour(Form):
    """The next seat in a direction (1 is clockwise) whose player is not out; the same seat if all others are."""

    step: Literal[1, -1]
    player: Expr
    out: Definition | None


@dataclass(frozen=True)
class OwnerOf(Form):
    """In whose place a card lies, or lay last; absent if it never lay in anybody's since it was shuffled."""

    card: Expr


@dataclass(frozen=True)
class PlaceHolding(Form):
    """The place of a family, which the type names, in which a card lies; absent if it lies in none of them."""

    card: Expr


@dataclass(frozen=True)
class Nth(Form):
    """One of a set by its position, from 0, or from the end with -1; absent if there are not so many."""

    position: int
    items: Items


@dataclass(frozen=True)
class EndAt(Form):
    """An end of a place, whether a card lies there or not."""

    place: Expr
    top: bool


@dataclass(frozen=True)
class CardAt(Form):
    """The card that lies at an end of a place."""

    end: Expr


@dataclass(frozen=True)
class Extreme(Form):
    """The first of those in a set for which a number is highest or lowest; those without the number do not count."""

    highest: bool
    by: Expr
    items: Items
    slot: int


@dataclass(frozen=True)
class Drawn(Form):
    """One of a set by lot."""

    items: Items


@dataclass(frozen=True)
class Sum(Form):
    """A number of each in a set, added up; an absent one counts nothing."""

    by: Expr
    items: Items
    slot: int


@dataclass(frozen=True)
class LeastLeft(Form):
    """Of some cards, the least sum of a number of those left when sets are taken out that have no card in common."""

    by: Expr
    slot: int
    sets: Subsets


@dataclass(frozen=True)
class Count(Form):
    items: Items


@dataclass(frozen=True)
class Arith(Form):
    """Both sides are there; the result is within bounds, or the rules are at fault."""

    op: Operation
    left: Expr
    right: Expr


@dataclass(frozen=True)
class If(Form):
    """One of two values by a condition; absent without an `otherwise`."""

    condition: Expr
    then: Expr
    otherwise: Expr | None


@dataclass(frozen=True)
class First(Form):
    """The first of several values that is there."""

    options: tuple[Expr, ...]


@dataclass(frozen=True)
class Taken(Form):
    """A value that, where it is there, comes from a branch which counts, and which may have words for its reason."""

    branch: model.Branch
    value: Expr


@dataclass(frozen=True)
class Needed(Form):
    """A value that has to be there: its absence is an error of the rules."""

    value: Expr


# ---- conditions -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Compare(Form):
    """Holds only if both sides are there."""

    relation: Relation
    left: Expr
    right: Expr


@dataclass(frozen=True)
class OneOf(Form):
    """Whether a card is one of those named."""

    card: Expr
    cards: frozenset[int]


@dataclass(frozen=True)
class Present(Form):
    """Whether a value is there."""

    value: Expr


@dataclass(frozen=True)
class Some(Form):
    """Whether a set has any members."""

    items: Items


@dataclass(frozen=True)
class Logic(Form):
    """`and`, `or`: the right side is asked only where the left one does not decide."""

    op: Literal["and", "or"]
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Not(Form):
    operand: Expr


# ---- sets -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Listed(Form):
    """Always the same: all cards of some kinds, all names of an attribute."""

    values: tuple[int, ...]


@dataclass(frozen=True)
class Players(Form):
    """The seats of all who are not out, from the first one on."""

    out: Definition | None


@dataclass(frozen=True)
class Around(Form):
    """The seats of all who are not out, clockwise from one seat to another, or once round."""

    first: Expr
    last: Expr | None
    out: Definition | None


@dataclass(frozen=True)
class Numbers(Form):
    """The numbers from one up to another, or down to it; more than a loop can have passes are an error of the rules."""

    first: Expr
    last: Expr
    down: bool = False


@dataclass(frozen=True)
class Family(Form):
    """All places of a family."""

    place: model.Place


@dataclass(frozen=True)
class Only(Form):
    """One thing by itself, or nothing if it is absent."""

    item: Expr


@dataclass(frozen=True)
class CardsIn(Form):
    """The cards in some places, place by place."""

    places: Items


@dataclass(frozen=True)
class Joined(Form):
    """The cards in places of several families, one after the other; no place is among them twice."""

    sets: tuple[CardsIn, ...]


@dataclass(frozen=True)
class Together(Form):
    """The cards of several sets, one after the other, and each of them once."""

    sets: tuple[Items, ...]


@dataclass(frozen=True)
class EndsOf(Form):
    """The ends of those places in which a card lies: the bottom, then the top."""

    places: Items


@dataclass(frozen=True)
class Few(Form):
    """The first or the last so many of a set, or all if there are no more; none if the number is below 0."""

    items: Items
    amount: Expr
    last: bool


@dataclass(frozen=True)
class Fitting(Form):
    """Those of a set for which a condition holds, which finds each of them in the slot."""

    items: Items
    slot: int
    condition: Expr


@dataclass(frozen=True)
class Subsets(Form):
    """All sets of one or more of some cards for which a condition holds, which finds each of them in the slot.

    They stand in no order: whoever asks for them counts them, adds something up, or wants any.
    """

    items: Items
    slot: int
    condition: Expr


Items: TypeAlias = (
    Listed | Players | Around | Numbers | Family | Only | CardsIn | Joined | Together | EndsOf | Few | Fitting
    | Subsets | Slot | Defined | If | First | Taken
)  # fmt: skip
"""A set. A slot holds several things where several were chosen; a definition may name a set, or one of several."""
Expr: TypeAlias = (
    Constant | Slot | Attribute | PlaceAt | Kept | Defined | Neighbour | OwnerOf | PlaceHolding | Nth | EndAt | CardAt
    | Extreme | Drawn | Sum | Count | Arith | If | First | Taken | Needed | Compare | OneOf | Present | Some | Logic
    | Not | Listed | Players | Around | Numbers | Family | Only | CardsIn | Joined | Together | EndsOf | Few | Fitting
    | Subsets | LeastLeft
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence for people, with the values of its figures."""

    msgid: str
    context: str
    figures: tuple[tuple[str, Expr], ...]
    span: Span
