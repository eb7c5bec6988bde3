"""An expression → every look that it takes at cards which somebody may not see, and at what nobody has been told.

How many cards lie in a place is known to everyone, and what is kept; so is every card in a place that all see. Whatever
else a value depends on is a look: the face of a hidden card, the holder of a card that is out of sight, a lot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from teufelswerk import model


class Look(NamedTuple):
    """A part of an expression, and the place that it looks into, if it is one place."""

    expr: model.Typed
    place: model.Place | None


@dataclass(frozen=True)
class Known:
    """What whoever looks knows about the slots that an expression reads."""

    seers: frozenset[int] = frozenset()
    """Slots that hold the very player who looks. Without any, it is everyone who looks."""
    unknown: Mapping[int, model.Place | None] = field(default_factory=dict)
    """Slots whose value cannot be told, with the place that it was found in."""
    backs: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Slots that hold a card of which only the back is seen, with what it shows."""
    in_sight: frozenset[int] = frozenset()
    """Slots that hold a card that lies where it is seen."""


EVERYONE = Known()


class Looks:
    """Finds the looks of expressions of one game."""

    def __init__(self, rules: model.Model) -> None:
        self.rules = rules
        self._defined: dict[tuple[Any, ...], tuple[model.Place | None, ...]] = {}
        self._asking_who_is_out = False

    def into(self, expr: Any, known: Known = EVERYONE) -> Iterator[Look]:
        """Every look that the value of the expression depends on."""
        match expr:
            case model.Local():
                if expr.slot in known.unknown:
                    yield Look(expr, known.unknown[expr.slot])
            case model.AttributeOf(card=model.Local(slot=slot)) if expr.attribute in known.backs.get(slot, ()):
                return
            case model.Everything():
                if expr.type.kind == "player":
                    yield from self.who_is_out(expr)
            case model.Neighbour():
                yield from self.into(expr.player, known)
                yield from self.who_is_out(expr)
            case model.Defined():
                yield from self.definition(expr, known)
            case model.PlayerOf():
                yield from self.into(expr.card, known)
                if self.hidden_places and not self.in_sight(expr.card, known):
                    yield Look(expr, None)
            case model.Nth():
                yield from self.into(expr.of, known)
                place = self.place(expr.of)
                if place is not None and not self.sees(expr.of, place, known):
                    yield Look(expr, place)
            case model.CardAt():
                yield from self.into(expr.end, known)
                place = self.rules.places[expr.end.type.of]
                if place.seen_by != "all":
                    yield Look(expr, place)
            case model.Members():
                yield from self.members(expr, known, by=None, counted=False)
            case model.Best() | model.Total():
                yield from self.members(expr.members, known, by=expr.by, counted=False)
            case model.Random():
                yield from self.members(expr.members, known, by=None, counted=False)
                yield Look(expr, None)
            case model.Count():
                yield from self.members(expr.members, known, by=None, counted=True)
            case model.Quantify():
                yield from self.into((expr.amount, expr.every and expr.every[0]), known)
                yield from self.members(expr.members, known, by=None, counted=True)
            case model.Exists(thing=model.Nth(of=of)) if self.place(of) is not None:
                yield from self.into(of, known)
            case model.Exists(thing=model.Best(members=members) | model.Random(members=members)):
                yield from self.members(members, known, by=None, counted=True)
            case model.Typed() | model.Branch():
                skipped = ("type", "span", "keep", "place", "told")
                yield from self.into(tuple(value for key, value in vars(expr).items() if key not in skipped), known)
            case tuple():
                for part in expr:
                    yield from self.into(part, known)

    def definition(self, expr: model.Defined, known: Known) -> Iterator[Look]:
        """A definition reads nothing but what it is a value of; so it is gone through once for each kind of that."""
        looks = tuple(self.into(expr.argument, known)) if expr.argument else ()
        yield from looks
        slot = expr.definition.slot
        is_seer = isinstance(expr.argument, model.Local) and expr.argument.slot in known.seers
        placed = expr.argument is not None and self.in_sight(expr.argument, known)
        backs = known.backs.get(expr.argument.slot) if isinstance(expr.argument, model.Local) else None
        inner = Known(
            frozenset({slot}) if is_seer else frozenset(),
            {slot: looks[0].place} if looks else {},
            {slot: backs} if backs is not None else {},
            frozenset({slot}) if placed else frozenset(),
        )
        key = (expr.definition.name, is_seer, looks[0].place and looks[0].place.name if looks else "", backs, placed)
        if key not in self._defined:
            self._defined[key] = ()
            places = (look.place for look in self.into(expr.definition.value, inner))
            self._defined[key] = tuple(dict.fromkeys(places))
        yield from (Look(expr, place) for place in self._defined[key])

    def who_is_out(self, expr: model.Typed) -> Iterator[Look]:
        out = self.rules.definitions.get("out")
        if out is None or self._asking_who_is_out:
            return
        self._asking_who_is_out = True
        looks = list(self.into(out.value))
        self._asking_who_is_out = False
        yield from (Look(expr, place) for _, place in looks)

    def members(self, members: model.Members, known: Known, by: Any, counted: bool) -> Iterator[Look]:
        """Those that fit; `counted`, where only their number matters."""
        base, slot = members.base, members.slot
        place = self.place(base) if members.type.kind in ("card", "end") else None
        if place is None:
            looks = list(
                self.members(base, known, None, counted) if isinstance(base, model.Members) else self.into(base, known)
            )
            inner = replace(known, unknown={**known.unknown, slot: looks[0].place}) if looks else known
            if isinstance(base, model.Members) and self.in_sight(base, known):
                inner = replace(inner, in_sight=inner.in_sight | {slot})
            yield from looks
        elif self.sees(base, place, known):
            yield from self.into(base, known)
            inner = replace(known, in_sight=known.in_sight | {slot})
        else:
            yield from self.into(base, known)
            shown = self.back_shows(place, members)
            if not counted or (shown is None and len(members.type.card_kinds) < len(self.rules.kinds)):
                yield Look(members, place)
            inner = replace(
                known, unknown={**known.unknown, slot: place}, backs={**known.backs, slot: shown or frozenset()}
            )
        yield from self.into((members.where, by), inner)

    def back_shows(self, place: model.Place, members: model.Members) -> frozenset[str] | None:
        """What everyone sees on the backs there; None if not even of which kind the cards are."""
        kinds = self.rules.kinds
        if place.backs_by != "all" or not all(kind.back for kind in kinds.values()):
            return None
        shown = [frozenset(kinds[name].back) for name in members.type.card_kinds]
        return frozenset.intersection(*shown) if shown else frozenset()

    # ---- places in sight ------------------------------------------------------------------------------------------

    @cached_property
    def hidden_places(self) -> bool:
        return any(place.seen_by != "all" for place in self.rules.places.values() if place.name != "box")

    def place(self, base: model.Expr) -> model.Place | None:
        """The place, or family of places, that an expression names."""
        if isinstance(base, model.PlaceOf):
            return base.place
        return self.rules.places[base.type.of] if base.type.kind == "place" else None

    def sees(self, base: model.Expr, place: model.Place, known: Known) -> bool:
        """Whether whoever looks sees the fronts of the cards there."""
        if place.seen_by != "owner" or not isinstance(base, model.PlaceOf):
            return place.seen_by == "all"
        return isinstance(base.key, model.Local) and base.key.slot in known.seers

    def in_sight(self, expr: Any, known: Known) -> bool:
        """Whether the card, or each of the cards, lies where whoever looks sees it."""
        match expr:
            case model.Local():
                return expr.slot in known.in_sight
            case model.Nth():
                place = self.place(expr.of)
                return self.sees(expr.of, place, known) if place else self.in_sight(expr.of, known)
            case model.CardAt():
                return self.rules.places[expr.end.type.of].seen_by == "all"
            case model.Best() | model.Random():
                return self.in_sight(expr.members, known)
            case model.Members():
                place = self.place(expr.base)
                return self.sees(expr.base, place, known) if place else self.in_sight(expr.base, known)
            case model.Defined(argument=None):
                return self.in_sight(expr.definition.value, EVERYONE)
            case model.Alternatives():
                return all(self.in_sight(branch.value, known) for branch in expr.branches)
            case model.Decision():
                return all(part is None or self.in_sight(part, known) for part in (expr.then, expr.otherwise))
        return False
