"""A model and its examples → mistakes with identical cards: one of them is named where it matters which one it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from teufelswerk import model
from teufelswerk.base.diagnostics import Diagnostic
from teufelswerk.base.texts import Text
from teufelswerk.model.walk import expressions


def check_copies(rules: model.Model, scenes: Sequence[Any]) -> list[Diagnostic]:
    """The name of a card of which there are several may stand where faces are compared, and nowhere else."""
    if not rules.has_copies:
        return []
    roots: list[Any] = [definition.value for definition in rules.definitions.values()]
    roots += [keep.initial for keep in rules.keeps.values() if keep.initial is not None]
    roots += [*(step.body for step in rules.steps.values()), *rules.moves.values()]
    roots += [part for scene in scenes for line in scene.lines for part in vars(line).values()]
    found = list(expressions(roots))
    of_a_face = {id(value) for asked in found for value in _asked_for_faces(asked)}
    named = [e for e in found if isinstance(e, model.Const) and e.type.kind == "card" and id(e) not in of_a_face]
    return [_not_one(rules, e) for e in named if len(rules.alike(e.value)) > 1]


def _asked_for_faces(expr: model.Expr) -> Iterator[model.Expr]:
    """Cards of which nothing but the face is asked."""
    if isinstance(expr, model.Compare):
        yield from _outcomes(expr.left)
        yield from _outcomes(expr.right)
    elif isinstance(expr, model.AttributeOf):
        yield from _outcomes(expr.card)


def _outcomes(expr: model.Expr) -> Iterable[model.Expr]:
    """What a value may turn out to be."""
    if isinstance(expr, model.Alternatives):
        return [value for branch in expr.branches for value in _outcomes(branch.value)]
    if isinstance(expr, model.Decision):
        return [*_outcomes(expr.then), *(_outcomes(expr.otherwise) if expr.otherwise is not None else ())]
    return [expr]


def _not_one(rules: model.Model, card: model.Const) -> Diagnostic:
    id, number = rules.cards[card.value].id, len(rules.alike(card.value))
    place = next((p.name for p in rules.places.values() if p.key is None and p.index), "…")
    message = Text("there are {n} cards `{card}`, and nothing says which of them is meant", n=number, card=id)
    help = Text(
        "say where it lies, as in `first of (cards in {place} where it is {card})`, or ask whether a card is one: "
        "`it is {card}`",
        place=place,
        card=id,
    )
    return Diagnostic("which-copy", message, card.span, help=help)
