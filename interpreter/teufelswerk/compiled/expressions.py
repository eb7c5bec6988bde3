"""Expressions on plain integers. A value is a number (`i`), a set of cards as bits (`m`) or a truth (`b`).

Small things that are always the same are worked out where the objects are made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["i", "m", "b"]
Operator: TypeAlias = Literal["+", "-", "*", "//", "%", "&", "|", "^", "&~", "<<", ">>"]
Comparison: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    kind: Kind = "i"


@dataclass(frozen=True, slots=True)
class Var:
    """`kept`: it is part of the position, and lives on from one decision to the next."""

    name: str
    kind: Kind = "i"
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Array:
    """Numbers in a row. With `values` it is a table that never changes."""

    name: str
    size: int
    kind: Kind = "i"
    kept: bool = False
    values: tuple[int, ...] | None = None
    first: int = 0
    """What every element is at the start of a game."""


@dataclass(frozen=True, slots=True)
class Load:
    array: Array
    index: Expr

    @property
    def kind(self) -> Kind:
        return self.array.kind


@dataclass(frozen=True, slots=True)
class Binary:
    op: Operator
    left: Expr
    right: Expr

    @property
    def kind(self) -> Kind:
        return self.left.kind


@dataclass(frozen=True, slots=True)
class Compare:
    op: Comparison
    left: Expr
    right: Expr
    kind: Kind = "b"


@dataclass(frozen=True, slots=True)
class Both:
    left: Expr
    right: Expr
    kind: Kind = "b"


@dataclass(frozen=True, slots=True)
class Either:
    left: Expr
    right: Expr
    kind: Kind = "b"


@dataclass(frozen=True, slots=True)
class Inverse:
    value: Expr
    kind: Kind = "b"


@dataclass(frozen=True, slots=True)
class Select:
    """One of two values; only that one is worked out."""

    condition: Expr
    then: Expr
    otherwise: Expr

    @property
    def kind(self) -> Kind:
        return self.then.kind


@dataclass(frozen=True, slots=True)
class Bit:
    """The set of one card."""

    card: Expr
    kind: Kind = "m"


@dataclass(frozen=True, slots=True)
class Size:
    """How many cards are in a set."""

    cards: Expr
    kind: Kind = "i"


@dataclass(frozen=True, slots=True)
class Lowest:
    """The first card of a set that is not empty."""

    cards: Expr
    kind: Kind = "i"


@dataclass(frozen=True, slots=True)
class Highest:
    cards: Expr
    kind: Kind = "i"


@dataclass(frozen=True, slots=True)
class NthCard:
    """The card of a set that has so many before it."""

    cards: Expr
    n: Expr
    kind: Kind = "i"


@dataclass(eq=False, slots=True)
class Question:
    """What a function is asked, without how it answers.

    `fails`: it may find the rules at fault; `stops`: it may find that too much is looked at.
    """

    name: str
    parameters: tuple[Var, ...]
    kind: Kind
    fails: bool = False
    stops: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """What a function answers."""

    function: Question
    arguments: tuple[Expr, ...]
    kind: Kind = "i"


Expr: TypeAlias = (
    Number | Var | Load | Binary | Compare | Both | Either | Inverse | Select | Bit | Size | Lowest | Highest | NthCard
    | Ask
)  # fmt: skip


# ---- making them ----------------------------------------------------------------------------------------------------

NO, YES = Number(0, "b"), Number(1, "b")
ZERO, ONE = Number(0), Number(1)
NOBODY = Number(0, "m")


def fold(op: Operator, left: int, right: int) -> int:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "//":
            return left // right if right else 0  # the rules are found at fault before it comes to this
        case "%":
            return left % right if right else 0
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "&~":
            return left & ~right
        case "<<":
            return left << right
        case ">>":
            return left >> right


def binary(op: Operator, left: Expr, right: Expr) -> Expr:
    if isinstance(left, Number) and isinstance(right, Number):
        return Number(fold(op, left.value, right.value), left.kind)
    nothing = isinstance(right, Number) and right.value == 0
    if nothing and op in ("+", "-", "|", "^", "<<", ">>", "&~"):
        return left
    if isinstance(left, Number) and left.value == 0:
        if op in ("+", "|", "^"):
            return right
        if op in ("*", "&", "&~", "<<", ">>"):
            return left
    if nothing and op in ("*", "&"):
        return right
    if isinstance(right, Number) and right.value == 1 and op in ("*", "//"):
        return left
    return Binary(op, left, right)


def add(left: Expr, right: Expr | int) -> Expr:
    return binary("+", left, Number(right) if isinstance(right, int) else right)


def minus(left: Expr, right: Expr | int) -> Expr:
    return binary("-", left, Number(right) if isinstance(right, int) else right)


def times(left: Expr, right: Expr | int) -> Expr:
    return binary("*", left, Number(right) if isinstance(right, int) else right)


def compare(op: Comparison, left: Expr, right: Expr | int) -> Expr:
    if isinstance(right, int):
        right = Number(right, left.kind)
    if isinstance(left, Number) and isinstance(right, Number):
        a, b = left.value, right.value
        holds = {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
        return YES if holds else NO
    match left, op, right:
        case Size(), ">", Number(value=0):  # whether there are any is sooner told than how many
            return some(left.cards)
    return Compare(op, left, right)


def some(cards: Expr) -> Expr:
    return compare("!=", cards, 0)


def both(*conditions: Expr | None) -> Expr:
    """All of them; what follows from one that stands before it is left out."""
    found: Expr = YES
    known: list[Expr] = []
    for condition in (part for given in conditions if given is not None for part in _parts(given)):
        if condition == YES or any(_follows(condition, other) for other in known):
            continue
        known.append(condition)
        if condition == NO:
            return NO
        found = condition if found == YES else Both(found, condition)
    return found


def _parts(condition: Expr) -> list[Expr]:
    return [*_parts(condition.left), *_parts(condition.right)] if isinstance(condition, Both) else [condition]


def _follows(condition: Expr, other: Expr) -> bool:
    match condition, other:
        case Compare(op=">", right=Number() as less), Compare(op=">", right=Number() as more):
            return condition.left == other.left and more.value >= less.value
    return condition == other


def either(left: Expr, right: Expr) -> Expr:
    if left == NO or right == YES:
        return right
    if right == NO or left == YES:
        return left
    return Either(left, right)


OPPOSITE: dict[Comparison, Comparison] = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def inverse(value: Expr) -> Expr:
    match value:
        case Number():
            return NO if value.value else YES
        case Inverse():
            return value.value
        case Compare():
            return Compare(OPPOSITE[value.op], value.left, value.right)
    return Inverse(value)


def select(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    if isinstance(condition, Number):
        return then if condition.value else otherwise
    if then == otherwise:
        return then
    if then.kind == "b":
        if then == YES:
            return either(condition, otherwise)
        if otherwise == NO:
            return both(condition, then)
        if then == NO:
            return both(inverse(condition), otherwise)
    return Select(condition, then, otherwise)


def bit(card: Expr) -> Expr:
    return Number(1 << card.value, "m") if isinstance(card, Number) else Bit(card)


def size(cards: Expr) -> Expr:
    return Number(cards.value.bit_count()) if isinstance(cards, Number) else Size(cards)


def load(array: Array, index: Expr) -> Expr:
    if array.values is not None and isinstance(index, Number):
        return Number(array.values[index.value], array.kind)
    return Load(array, index)


def is_simple(value: Expr) -> bool:
    """Whether it costs nothing to say it again, and it stays the same."""
    return isinstance(value, Number) or (isinstance(value, Var) and not value.kept)
