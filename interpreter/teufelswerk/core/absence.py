"""A form → whether its value may be absent, as far as its shape tells."""

from __future__ import annotations

from typing import assert_never

from teufelswerk.core import forms as f


def may_be_absent(form: f.Expr) -> bool:
    """Whether there are positions in which the value is not there."""
    match form:
        case f.Attribute():
            return form.type.optional or may_be_absent(form.card)
        case f.Kept() if form.keep.type.optional:
            return True
        case f.PlaceAt() | f.Kept():
            return form.key is not None and may_be_absent(form.key)
        case f.EndAt():
            return may_be_absent(form.place)
        case f.Defined():
            asked = form.argument is not None and not form.argument.type.many and may_be_absent(form.argument)
            return asked or may_be_absent(form.definition.value)
        case f.Neighbour():
            return may_be_absent(form.player)
        case f.OwnerOf() | f.PlaceHolding() | f.Nth() | f.CardAt() | f.Extreme() | f.Drawn():
            return True
        case f.If():
            return form.otherwise is None or may_be_absent(form.then) or may_be_absent(form.otherwise)
        case f.First():
            return all(map(may_be_absent, form.options))
        case f.Taken():
            return may_be_absent(form.value)
        case f.Constant() | f.Slot() | f.Sum() | f.Count() | f.Arith() | f.Needed():
            return False
        case f.Joined() | f.Together():
            return False
        case f.Compare() | f.OneOf() | f.Present() | f.Some() | f.Logic() | f.Not():
            return False
        case f.Listed() | f.Players() | f.Around() | f.Family() | f.Only() | f.CardsIn() | f.EndsOf():
            return False
        case f.Numbers() | f.Few() | f.Fitting() | f.Subsets() | f.LeastLeft():
            return False
        case _:
            assert_never(form)
