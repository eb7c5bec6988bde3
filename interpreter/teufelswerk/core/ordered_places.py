"""A core → the places that keep their cards in order. All others are sets, kept in the order of the card indices.

Order is kept where it can be seen or asked for: in places that everyone sees or whose cards are turned, in places with
two ends, in those that are shuffled or dealt from, and in those whose first, third or last card, or last few cards, a
rule names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.walk import all_forms, all_statements, everything_in


def ordered_places(core: s.Core) -> frozenset[str]:
    """The names of the places, or families of places, in which the order of the cards is kept."""
    places = core.rules.places.values()
    asked = (family for form in _asking(core) for family in families(form))
    return frozenset(
        {*(place.name for place in places if place.two_ended or place.seen_by == "all" or place.turned), *asked}
    )


def _asking(core: s.Core) -> Iterator[f.Expr]:
    """What names places in whose order somebody is interested."""
    for form in all_forms(core):
        match form:
            case f.Nth() | f.Few():
                yield form.items
            case f.Constant() | f.Slot() | f.Attribute() | f.PlaceAt() | f.Kept() | f.Defined() | f.Neighbour():
                pass
            case f.OwnerOf() | f.CardAt() | f.Extreme() | f.Drawn() | f.Sum() | f.Count() | f.Arith() | f.Needed():
                pass
            case f.EndAt() | f.PlaceHolding():
                pass
            case f.Numbers() | f.If() | f.First() | f.Taken() | f.Compare() | f.OneOf():
                pass
            case f.Present() | f.Some() | f.Logic() | f.Not():
                pass
            case f.Listed() | f.Players() | f.Around() | f.Family() | f.Only() | f.CardsIn() | f.EndsOf() | f.Fitting():
                pass
            case f.Joined() | f.Together() | f.Subsets() | f.LeastLeft():
                pass
            case _:
                assert_never(form)
    for statement in all_statements(core):
        match statement:
            case s.Deal():
                yield statement.source
            case s.Shuffle():
                yield statement.place
            case s.Goes() | s.Becomes() | s.Pays() | s.Let() | s.Tell() | s.Turn() | s.AtOnce() | s.Call():
                pass
            case s.Repeat() | s.Until() | s.Each() | s.GoRound() | s.Branch() | s.Wins():
                pass
            case _:
                assert_never(statement)


def families(form: f.Expr) -> set[str]:
    """The families of the places that a form names."""
    return {part.type.of for part in everything_in(form) if part.type.kind == "place"}
