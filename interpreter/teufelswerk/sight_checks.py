"""A model → warnings where a move's choices or conditions depend on cards that its player may not see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from teufelswerk import model
from teufelswerk.diagnostics import Diagnostic
from teufelswerk.texts import Text
from teufelswerk.walk import expressions


def check_sight(rules: model.Model) -> list[Diagnostic]:
    """One warning for each look into hidden cards."""
    found: list[Diagnostic] = []
    for move in rules.moves.values():
        looks: list[Any] = [choice.source for choice in move.choices]
        looks += [part for must, guards in move.musts for part in (must.condition, *(guard for guard, _ in guards))]
        for look in looks:
            for expr, place in _hidden(rules, look, {move.slot}):
                message = Text("this depends on cards in `{place}` that the player may not see", place=place.name)
                related = ((place.span, Text("who sees them is said here")),) if place.span else ()
                found.append(Diagnostic("hidden-cards", message, expr.span, None, related, None, "warning"))
    return list(dict.fromkeys(found))


def _hidden(rules: model.Model, root: Any, movers: set[int]) -> Iterator[tuple[model.Typed, model.Place]]:
    """Every part that looks at hidden cards; `movers` are the slots that hold the player who looks."""
    for expr in expressions(root):
        if isinstance(expr, model.Defined):
            inner = set(movers)
            if isinstance(expr.argument, model.Local) and expr.argument.slot in movers:
                inner.add(expr.definition.slot)
            for _, place in _hidden(rules, expr.definition.value, inner):
                yield expr, place
        elif isinstance(expr, model.Nth):
            looked_at = _place(rules, expr.of)
            if looked_at and not _sees(expr.of, looked_at, movers):
                yield expr, looked_at
        elif isinstance(expr, (model.Best, model.Total, model.Quantify, model.Count)):
            by = getattr(expr, "by", None)
            yield from _looks(rules, expr, expr.members, [by, expr.members.where], movers)
        elif isinstance(expr, model.Members):
            yield from _looks(rules, expr, expr, [expr.where], movers)


def _looks(
    rules: model.Model, expr: model.Typed, members: model.Members, conditions: list[Any], movers: set[int]
) -> Iterator[tuple[model.Typed, model.Place]]:
    place = _place(rules, members.base)
    if place is None or _sees(members.base, place, movers):
        return
    shown = [set(kind.back) for kind in rules.kinds.values() if kind.name in members.type.card_kinds]
    kinds_shown = all(rules.kinds[kind].back for kind in rules.kinds)
    read = {e.attribute for e in expressions(conditions) if isinstance(e, model.AttributeOf) and _is_it(e, members)}
    by_kind = members.type.kind == "card" and len(members.type.card_kinds) < len(rules.kinds)
    if place.backs_by == "all" and all(read <= back for back in shown) and (kinds_shown or not by_kind):
        return
    if read or by_kind:
        yield expr, place


def _is_it(expr: model.AttributeOf, members: model.Members) -> bool:
    return isinstance(expr.card, model.Local) and expr.card.slot == members.slot


def _place(rules: model.Model, base: model.Expr) -> model.Place | None:
    if isinstance(base, model.PlaceOf):
        return base.place
    if base.type.kind == "place":
        return rules.places[base.type.of]
    return None


def _sees(base: model.Expr, place: model.Place, movers: set[int]) -> bool:
    if place.seen_by == "all":
        return True
    if place.seen_by == "nobody" or not isinstance(base, model.PlaceOf):
        return False
    return isinstance(base.key, model.Local) and base.key.slot in movers
