"""The two things that a member of a family is for → its number, and back."""

from __future__ import annotations

from dataclasses import replace

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.core import forms as f
from teufelswerk.core.absence import may_be_absent
from teufelswerk.model import NUMBER, TRUTH

NONE = -1
"""No member of any family of two things."""


def pair(rules: model.Model, key: model.Key, first: f.Expr, second: f.Expr, span: Span) -> f.Expr:
    """Which member of a family of two things is meant; absent, if one of the two is."""
    other = key.parts[1]
    size = len(rules.names[other.of]) if other.kind == "name" else other.high - other.low + 1
    there = [f.Present(TRUTH, span, part) for part in (first, second) if may_be_absent(part)]
    conditions: list[f.Expr] = []
    places = []
    for part, given in zip(key.parts, (first, second), strict=True):
        sure = f.Needed(given.type.maybe(False), given.span, given) if may_be_absent(given) else given
        places.append(_less(sure, part.low, span) if part.kind == "number" else sure)
        if part.kind == "number" and not (isinstance(given, f.Constant) and part.low <= given.value <= part.high):
            for relation, bound in (("at_least", part.low), ("at_most", part.high)):
                limit = f.Constant(NUMBER, span, bound)
                conditions.append(f.Compare(TRUTH, span, relation, sure, limit))  # type: ignore[arg-type]
    number = _numbered(places[0], size, places[1], span)
    if conditions:
        number = f.If(NUMBER, span, _all(conditions, span), number, f.Constant(NUMBER, span, NONE))
    return f.If(NUMBER.maybe(), span, _all(list(there), span), number, None) if there else number


def key_of(rules: model.Model, expr: model.KeyOf, place: f.Expr) -> f.Expr:
    """For whom or what a place is there: its distance from the first of its family, with two things divided up."""
    span, family = expr.span, rules.places[expr.place.type.of]
    key = family.key
    assert key is not None
    own = key.parts[expr.part] if key.parts else key
    sure = f.Needed(place.type.maybe(False), span, place) if may_be_absent(place) else place
    low = key.low if key.kind == "number" else 0
    first = f.PlaceAt(place.type.maybe(False), span, family, f.Constant(key.type, span, low))
    number: f.Expr = f.Arith(NUMBER, span, "-", sure, first)
    if key.parts:
        other = key.parts[1]
        size = len(rules.names[other.of]) if other.kind == "name" else other.high - other.low + 1
        divided: f.Operation = "/down" if expr.part == 0 else "remainder"
        number = f.Arith(NUMBER, span, divided, number, f.Constant(NUMBER, span, size))
    if own.kind == "number" and own.low:
        number = f.Arith(NUMBER, span, "+", number, f.Constant(NUMBER, span, own.low))
    number = replace(number, type=expr.type.maybe(False))
    if sure is place:
        return number
    return f.If(expr.type, span, f.Present(TRUTH, span, place), number, None)


def whose(form: f.PlaceAt | f.Kept) -> f.Expr | None:
    """The one thing that the member of a family is for, or the first of two, as far as the form shows it."""
    family = form.place.key if isinstance(form, f.PlaceAt) else form.keep.key
    return form.key if family is None or family.kind != "pair" else _first_of(form.key)


def _first_of(key: f.Expr | None) -> f.Expr | None:
    match key:
        case f.If(then=then):
            return _first_of(then)
        case f.Arith(op="+", left=f.Arith(op="*", left=first, right=f.Constant())):
            return first.value if isinstance(first, f.Needed) else first
        case _:
            return None


def _numbered(first: f.Expr, size: int, second: f.Expr, span: Span) -> f.Expr:
    if isinstance(first, f.Constant) and isinstance(second, f.Constant):
        return f.Constant(NUMBER, span, first.value * size + second.value)
    whole = f.Arith(NUMBER, span, "*", first, f.Constant(NUMBER, span, size))
    return f.Arith(NUMBER, span, "+", whole, second)


def _less(form: f.Expr, low: int, span: Span) -> f.Expr:
    if isinstance(form, f.Constant):
        return f.Constant(NUMBER, span, form.value - low)
    return f.Arith(NUMBER, span, "-", form, f.Constant(NUMBER, span, low)) if low else form


def _all(conditions: list[f.Expr], span: Span) -> f.Expr:
    first, *rest = conditions
    for condition in rest:
        first = f.Logic(TRUTH, span, "and", first, condition)
    return first
