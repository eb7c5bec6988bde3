"""A model → what is wrong with who sees what: cards chosen unseen, moves and sentences that depend on hidden cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from teufelswerk import model
from teufelswerk.base.diagnostics import Diagnostic
from teufelswerk.base.texts import Text
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.looks import EVERYONE, Known, Look, Looks, is_face_up
from teufelswerk.core.lower_game import core_of
from teufelswerk.core.walk import statements_in


def check_sight(rules: model.Model) -> list[Diagnostic]:
    """An error for each choice of a card that its player may not see; warnings for other looks into hidden cards."""
    core = core_of(rules)
    looks, found = Looks(core), list[Diagnostic]()
    for move in core.moves.values():
        known = replace(EVERYONE, seers=frozenset({move.slot}))
        for choice in move.choices:
            cards = choice.items if choice.type.kind == "card" else None
            unseen = _unseen(looks, cards, known)
            if unseen is not None:
                found.append(_blind(unseen))
                continue
            for form in (choice.items, choice.low, choice.high):
                found += _peeks(looks, form, known)
            if cards is not None and looks.in_sight(cards, known):
                known = replace(known, in_sight=known.in_sight | {choice.slot})
            if _somebody_else(choice.items, move.slot):
                known = replace(known, others=known.others | {choice.slot})
        for condition in move.conditions:
            found += _peeks(looks, condition.holds, known)
        found += _unknown_to_all(looks, move.effects)
    for step in core.steps.values():
        found += _unknown_to_all(looks, step.body)
    return list(dict.fromkeys(found))


def _somebody_else(items: f.Items | None, player: int) -> bool:
    """Whether a player is chosen who is not the one that chooses: `… where it is not player`."""
    match items:
        case f.Fitting(
            slot=it, condition=f.Not(operand=f.Compare(relation="is", left=f.Slot() as a, right=f.Slot() as b))
        ):
            return {a.slot, b.slot} == {it, player}
        case f.Fitting():
            return _somebody_else(items.items, player)
    return False


def _blind(unseen: Look) -> Diagnostic:
    """A card is chosen by its face; who may not see it cannot choose it."""
    cards, place = unseen
    related = ((place.span, Text("who sees them is said here")),) if place and place.span else ()
    words = cards.span.source.lines[cards.span.line - 1][cards.span.column - 1 : cards.span.end - 1]
    message = (
        Text("the player may not see the cards in `{place}`, and so cannot choose one of them", place=place.name)
        if place
        else Text("the player may not see these cards, and so cannot choose one of them")
    )
    help = Text("to choose it by its position, write `choose card blindly from {words}`", words=words)
    return Diagnostic("unseen-choice", message, cards.span, None, related, help if place else None)


def _unseen(looks: Looks, cards: f.Expr | None, known: Known) -> Look | None:
    """The place that cards are chosen from, if whoever chooses does not see them."""
    match cards:
        case f.Fitting() if is_face_up(cards.condition, cards.slot):
            return None
        case f.Few() | f.Fitting():
            return _unseen(looks, cards.items, known)
        case f.CardsIn():
            return None if looks.sees(cards.places, known) else Look(cards, looks.family(cards.places))
        case f.Joined() | f.Together():
            return next(filter(None, (_unseen(looks, part, known) for part in cards.sets)), None)
        case f.Defined():
            mine = isinstance(cards.argument, f.Slot) and cards.argument.slot in known.seers
            inner = replace(EVERYONE, seers=frozenset({cards.definition.slot} if mine else ()))
            found = _unseen(looks, cards.definition.value, inner)
            return Look(cards, found.place) if found else None
        case f.First():
            return next(filter(None, (_unseen(looks, option, known) for option in cards.options)), None)
        case f.If():
            return _unseen(looks, cards.then, known) or _unseen(looks, cards.otherwise, known)
        case f.Taken():
            return _unseen(looks, cards.value, known)
        case None | f.Listed() | f.Only() | f.Slot():
            return None
        case f.Players() | f.Around() | f.Numbers() | f.Family() | f.EndsOf() | f.Subsets():
            return None
        case f.Constant() | f.Attribute() | f.PlaceAt() | f.Kept() | f.Neighbour() | f.OwnerOf() | f.Nth() | f.CardAt():
            return None
        case f.EndAt() | f.Extreme() | f.Drawn() | f.Sum() | f.LeastLeft() | f.Count() | f.Arith() | f.Needed():
            return None
        case f.PlaceHolding():
            return None
        case f.Compare() | f.OneOf() | f.Present() | f.Some() | f.Logic() | f.Not():
            return None
        case _:
            assert_never(cards)


def _peeks(looks: Looks, root: f.Expr | None, known: Known) -> Iterator[Diagnostic]:
    for form, place in looks.into(root, known) if root is not None else ():
        if isinstance(place, model.Keep):
            message = Text("this depends on `{name}`, which the player may not know", name=place.name)
        elif place is None:
            message = Text("this depends on where a card lies that the player may not see")
        else:
            message = Text("this depends on cards in `{place}` that the player may not see", place=place.name)
        related = ((place.span, Text("who sees them is said here")),) if place and place.span else ()
        yield Diagnostic("hidden-cards", message, form.span, None, related, None, "warning")


def _unknown_to_all(looks: Looks, body: s.Block) -> Iterator[Diagnostic]:
    """Sentences that name a card which nobody sees where they are told: everyone is told `a card`."""
    for statement in statements_in(body):
        for sentence in statement.told:
            for _, figure in sentence.figures:
                if figure.type.kind != "card":
                    continue
                named: f.Expr = figure
                if isinstance(statement, s.Let) and isinstance(figure, f.Slot):
                    named = statement.value if figure.slot == statement.slot else figure
                places = [look.place for look in looks.into(named)]
                if any(place is not None and place.seen_by == "nobody" for place in places):
                    message = Text("nobody may see this card, so everyone is told only that it is a card")
                    help = Text("let it go to a place that all see, or keep it, before its name is told")
                    yield Diagnostic("nobody-sees", message, sentence.span, help=help, severity="warning")
