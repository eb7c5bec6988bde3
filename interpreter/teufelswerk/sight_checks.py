"""A model → what is wrong with who sees what: cards chosen unseen, moves and sentences that depend on hidden cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from teufelswerk import model
from teufelswerk.diagnostics import Diagnostic
from teufelswerk.looks import EVERYONE, Known, Look, Looks
from teufelswerk.texts import Text
from teufelswerk.walk import statements


def check_sight(rules: model.Model) -> list[Diagnostic]:
    """An error for each choice of a card that its player may not see; warnings for other looks into hidden cards."""
    looks = Looks(rules)
    found: list[Diagnostic] = []
    for move in rules.moves.values():
        known = replace(EVERYONE, seers=frozenset({move.slot}))
        for choice in move.choices:
            unseen = _unseen(looks, choice.source, known) if choice.source.type.kind == "card" else None
            if unseen is not None:
                found.append(_blind(unseen))
            else:
                found += _peeks(looks, (choice.source, choice.amount, choice.upper), known)
                if choice.source.type.kind == "card" and looks.in_sight(choice.source, known):
                    known = replace(known, in_sight=known.in_sight | {choice.slot})
        for must, guards in move.musts:
            found += _peeks(looks, (must.condition, *(guard for guard, _ in guards)), known)
        found += _unknown_to_all(looks, move.effects)
    for step in rules.steps.values():
        found += _unknown_to_all(looks, step.body)
    return list(dict.fromkeys(found))


def _blind(unseen: Look) -> Diagnostic:
    """A card is chosen by its face; who may not see it cannot choose it."""
    expr, place = unseen
    related = ((place.span, Text("who sees them is said here")),) if place and place.span else ()
    words = expr.span.source.lines[expr.span.line - 1][expr.span.column - 1 : expr.span.end - 1]
    message = (
        Text("the player may not see the cards in `{place}`, and so cannot choose one of them", place=place.name)
        if place
        else Text("the player may not see these cards, and so cannot choose one of them")
    )
    help = Text("let a step draw one: `drawn = random card in {words}`, and then `drawn goes to …`", words=words)
    return Diagnostic("unseen-choice", message, expr.span, None, related, help if place else None)


def _unseen(looks: Looks, source: Any, known: Known) -> Look | None:
    """The place that cards are chosen from, if whoever chooses does not see them."""
    match source:
        case model.Members():
            place = looks.place(source.base)
            if place is None:
                return _unseen(looks, source.base, known)
            return None if looks.sees(source.base, place, known) else Look(source.base, place)
        case model.Defined():
            mine = isinstance(source.argument, model.Local) and source.argument.slot in known.seers
            inner = replace(EVERYONE, seers=frozenset({source.definition.slot} if mine else ()))
            found = _unseen(looks, source.definition.value, inner)
            return Look(source, found.place) if found else None
        case model.Alternatives():
            parts: Iterable[Any] = (branch.value for branch in source.branches)
            return next(filter(None, (_unseen(looks, part, known) for part in parts)), None)
        case model.Decision():
            return _unseen(looks, source.then, known) or _unseen(looks, source.otherwise, known)
    return None


def _peeks(looks: Looks, root: Any, known: Known) -> Iterator[Diagnostic]:
    for expr, place in looks.into(root, known):
        if place is None:
            message = Text("this depends on where a card lies that the player may not see")
        else:
            message = Text("this depends on cards in `{place}` that the player may not see", place=place.name)
        related = ((place.span, Text("who sees them is said here")),) if place and place.span else ()
        yield Diagnostic("hidden-cards", message, expr.span, None, related, None, "warning")


def _unknown_to_all(looks: Looks, body: model.Block) -> Iterator[Diagnostic]:
    """Sentences that name a card which nobody sees where they are told: everyone is told `a card`."""
    for statement in statements(body):
        for sentence in statement.told:
            for _, figure in sentence.figures:
                if figure.type.kind != "card":
                    continue
                named: model.Expr = figure
                if isinstance(statement, model.SetLocal) and isinstance(figure, model.Local):
                    named = statement.value if figure.slot == statement.slot else figure
                places = [look.place for look in looks.into(named)]
                if any(place is not None and place.seen_by == "nobody" for place in places):
                    message = Text("nobody may see this card, so everyone is told only that it is a card")
                    help = Text("let it go to a place that all see, or keep it, before its name is told")
                    yield Diagnostic("nobody-sees", message, sentence.span, help=help, severity="warning")
