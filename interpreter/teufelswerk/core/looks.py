"""A form → every look that it takes at cards which somebody may not see, and at what nobody has been told.

How many cards lie in a place is known to everyone, and what is kept, unless it is secret; so is every card in a place
that all see. Whatever else a value depends on is a look: the face of a hidden card, the holder of a card that is out
of sight, a lot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, assert_never

from teufelswerk import model
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.pairs import whose
from teufelswerk.core.walk import parts

Hidden: TypeAlias = model.Place | model.Keep


class Look(NamedTuple):
    """A form, and the place that it looks into, if it is one place, or what it reads that is kept in secret."""

    form: f.Expr
    place: Hidden | None


@dataclass(frozen=True)
class Known:
    """What whoever looks knows about the slots that a form reads."""

    seers: frozenset[int] = frozenset()
    """Slots that hold the very player who looks. Without any, it is everyone who looks."""
    unknown: Mapping[int, Hidden | None] = field(default_factory=dict)
    """Slots whose value cannot be told, with the place that it was found in."""
    backs: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Slots that hold a card of which only the back is seen, with what it shows."""
    others: frozenset[int] = frozenset()
    """Slots that hold somebody else."""
    in_sight: frozenset[int] = frozenset()
    """Slots that hold a card that lies where it is seen."""
    lying: frozenset[int] = frozenset()
    """Slots that hold one card after the other of those that lie somewhere, whoever sees them."""


EVERYONE = Known()


class Looks:
    """Finds the looks of the forms of one game."""

    def __init__(self, core: s.Core) -> None:
        self.rules = core.rules
        self._defined: dict[tuple[Any, ...], tuple[Hidden | None, ...]] = {}

    def into(self, form: f.Expr, known: Known = EVERYONE) -> Iterator[Look]:
        """Every look that the value of the form depends on."""
        match form:
            case f.Slot():
                if form.slot in known.unknown:
                    yield Look(form, known.unknown[form.slot])
            case f.Attribute(card=f.Slot(slot=slot)) if form.attribute in known.backs.get(slot, ()):
                return
            case f.Players() | f.Around() | f.Neighbour():
                yield from self.below(form, known)
                yield from self.who_is_out(form, form.out)
            case f.Defined():
                yield from self.definition(form, known)
            case f.Kept(keep=keep, key=card) if keep.name == model.FACES:
                yield from self.turned(card, known)
            case f.Kept():
                yield from self.below(form, known)
                if form.keep.seen_by != "all" and not self.own(form, known):
                    yield Look(form, form.keep)
            case f.OwnerOf():
                yield from self.into(form.card, known)
                if self.hidden_places and not self.in_sight(form.card, known):
                    yield Look(form, None)
            case f.PlaceHolding():
                yield from self.where_it_lies(form, known)
            case f.Nth(items=f.CardsIn(places=places)):
                yield from self.into(places, known)
                if not self.sees(places, known):
                    yield Look(form, self.family(places))
            case f.CardAt():
                yield from self.into(form.end, known)
                if (place := self.rules.places[form.end.type.of]).seen_by != "all":
                    yield Look(form, place)
            case f.Few() | f.Fitting() | f.CardsIn() | f.EndsOf() | f.Joined():
                yield from self.members(form, known, counted=False)
            case f.Subsets():
                yield from self.members(form.items, known, counted=False)
                yield from self.asked_of(form.condition, form.slot, form.items, known)
            case f.LeastLeft():
                yield from self.into(form.sets, known)
                yield from self.asked_of(form.by, form.slot, form.sets.items, known)
            case f.Extreme() | f.Sum():
                yield from self.members(form.items, known, counted=False, by=(form.slot, form.by))
            case f.Drawn():
                yield from self.members(form.items, known, counted=False)
                yield Look(form, None)
            case f.Count() | f.Some() | f.Present(value=f.Extreme() | f.Drawn()):
                counted = form.value if isinstance(form, f.Present) else form
                assert isinstance(counted, f.Count | f.Some | f.Extreme | f.Drawn)
                yield from self.members(counted.items, known, counted=True)
            case f.Present(value=f.Nth(items=f.CardsIn(places=places))):
                yield from self.into(places, known)
            case f.Constant() | f.Attribute() | f.PlaceAt() | f.Kept() | f.Nth() | f.Arith() | f.If() | f.First():
                yield from self.below(form, known)
            case f.Taken() | f.Needed() | f.Compare() | f.OneOf() | f.Present() | f.Logic() | f.Not():
                yield from self.below(form, known)
            case f.Listed() | f.Numbers() | f.Family() | f.Only() | f.Together() | f.EndAt():
                yield from self.below(form, known)
            case _:
                assert_never(form)

    def where_it_lies(self, form: f.PlaceHolding, known: Known) -> Iterator[Look]:
        yield from self.into(form.card, known)
        place = self.rules.places[form.type.of]
        if place.seen_by != "all" and not self.in_sight(form.card, known):
            yield Look(form, place)

    @staticmethod
    def own(form: f.Kept, known: Known) -> bool:
        """Whether it is kept for the very player who looks, or for their side."""
        key = whose(form)
        key = key.argument if isinstance(key, f.Defined) else key
        return form.keep.seen_by == "owner" and isinstance(key, f.Slot) and key.slot in known.seers

    def turned(self, card: f.Expr | None, known: Known) -> Iterator[Look]:
        """Everyone sees how a card lies, if it is known which one is meant by where it lies."""
        match card:
            case f.Slot(slot=slot) if slot in known.lying:
                return
            case f.Nth(items=items):
                while isinstance(items, f.Few):
                    yield from self.into(items.amount, known)
                    items = items.items
                yield from self.into(items.places if isinstance(items, f.CardsIn) else items, known)
            case None:
                return
            case _:
                yield from self.into(card, known)

    def below(self, form: f.Expr, known: Known) -> Iterator[Look]:
        for part in parts(form):
            yield from self.into(part, known)

    def definition(self, form: f.Defined, known: Known) -> Iterator[Look]:
        """A definition reads nothing but what it is a value of; so it is gone through once for each kind of that."""
        looks = tuple(self.into(form.argument, known)) if form.argument else ()
        yield from looks
        slot, given = form.definition.slot, form.argument.slot if isinstance(form.argument, f.Slot) else None
        is_seer = given in known.seers
        placed = form.argument is not None and self.in_sight(form.argument, known)
        backs = known.backs.get(given) if given is not None else None
        inner = Known(
            frozenset({slot}) if is_seer else frozenset(),
            {slot: looks[0].place} if looks else {},
            {slot: backs} if backs is not None else {},
            in_sight=frozenset({slot}) if placed else frozenset(),
        )
        key = (form.definition, is_seer, looks[0].place and looks[0].place.name if looks else "", backs, placed)
        if key not in self._defined:
            self._defined[key] = ()
            places = (look.place for look in self.into(form.definition.value, inner))
            self._defined[key] = tuple(dict.fromkeys(places))
        yield from (Look(form, place) for place in self._defined[key])

    def asked_of(self, question: f.Expr, slot: int, items: f.Items, known: Known) -> Iterator[Look]:
        """What is asked of some cards together, or of one of them."""
        hidden = next(iter(self.into(items, known)), None)
        unknown = {**known.unknown, slot: hidden.place} if hidden else known.unknown
        in_sight = known.in_sight | {slot} if self.in_sight(items, known) else known.in_sight
        yield from self.into(question, replace(known, unknown=unknown, in_sight=in_sight))

    def who_is_out(self, form: f.Expr, out: f.Definition | None) -> Iterator[Look]:
        if out is not None:
            yield from (Look(form, place) for _, place in self.into(out.value))

    def members(
        self, form: f.Items, known: Known, counted: bool, by: tuple[int, f.Expr] | None = None
    ) -> Iterator[Look]:
        """Those that fit; `counted`, where only their number matters; `by`, what else is asked of each of them."""
        asked, base = [by] if by else [], form
        while isinstance(base, (f.Few, f.Fitting)):
            if isinstance(base, f.Few):
                yield from self.into(base.amount, known)
                counted = False  # which ones they are depends on the order of all
            elif not isinstance(base.condition, f.OneOf):  # of which kind a card is, its type says
                asked.append((base.slot, base.condition))
            base = base.items
        slots = frozenset(slot for slot, _ in asked)
        if isinstance(base, f.Joined):
            for cards in base.sets:
                part: f.Items = cards
                for slot, condition in reversed(asked[1:] if by else asked):
                    part = f.Fitting(form.type, form.span, part, slot, condition)
                yield from self.members(part, known, counted, by)
            return
        if not isinstance(base, (f.CardsIn, f.EndsOf)):
            looks = list(self.into(base, known))
            yield from looks
            unknown = dict.fromkeys(slots, looks[0].place) if looks else {}
            inner = replace(known, unknown={**known.unknown, **unknown})
        else:
            yield from self.into(base.places, known)
            known = replace(known, lying=known.lying | slots)
            if self.sees(base.places, known) or any(is_face_up(question, slot) for slot, question in asked):
                inner = replace(known, in_sight=known.in_sight | slots)
            elif asked and all(is_face(question, slot) for slot, question in asked) and counted:
                inner = known
            else:
                place, kinds = self.family(base.places), form.type.card_kinds
                shown = self.back_shows(place, kinds)
                if not counted or (shown is None and len(kinds) < len(self.rules.kinds)):
                    yield Look(form, place)
                unknown, backs = dict.fromkeys(slots, place), dict.fromkeys(slots, shown or frozenset())
                inner = replace(known, unknown={**known.unknown, **unknown}, backs={**known.backs, **backs})
        for _, question in reversed(asked):
            yield from self.into(question, inner)

    def back_shows(self, place: model.Place, card_kinds: frozenset[str]) -> frozenset[str] | None:
        """What everyone sees on the backs there; None if not even of which kind the cards are."""
        kinds = self.rules.kinds
        if place.backs_by != "all" or not all(kind.back for kind in kinds.values()):
            return None
        shown = [frozenset(kinds[name].back) for name in card_kinds]
        return frozenset.intersection(*shown) if shown else frozenset()

    # ---- places in sight ------------------------------------------------------------------------------------------

    @cached_property
    def hidden_places(self) -> bool:
        return any(place.seen_by != "all" for place in self.rules.places.values() if place.name != "box")

    def family(self, places: f.Items) -> model.Place:
        """The place, or family of places, that some places belong to."""
        return self.rules.places[places.type.of]

    def sees(self, places: f.Items, known: Known) -> bool:
        """Whether whoever looks sees the fronts of the cards there."""
        place = self.family(places)
        match whose(places.item) if isinstance(places, f.Only) and isinstance(places.item, f.PlaceAt) else None:
            case f.Slot(slot=slot) if place.seen_by == "owner":
                return slot in known.seers
            case f.Slot(slot=slot) if place.seen_by == "others":
                return slot in known.others
            case f.Neighbour(player=f.Slot(slot=slot), out=None):
                if place.seen_by == "others" and self.rules.min_players > 1:
                    return slot in known.seers
        return place.seen_by == "all"

    def in_sight(self, form: f.Expr, known: Known) -> bool:
        """Whether the card, or each of the cards, lies where whoever looks sees it."""
        match form:
            case f.Slot():
                return form.slot in known.in_sight
            case f.CardAt():
                return self.rules.places[form.end.type.of].seen_by == "all"
            case f.CardsIn():
                return self.sees(form.places, known)
            case f.Joined() | f.Together():
                return all(self.in_sight(part, known) for part in form.sets)
            case f.Fitting() if is_face_up(form.condition, form.slot):
                return True
            case f.Nth() | f.Extreme() | f.Drawn() | f.Few() | f.Fitting() | f.Subsets():
                return self.in_sight(form.items, known)
            case f.Defined(argument=None):
                return self.in_sight(form.definition.value, EVERYONE)
            case f.First():
                return all(self.in_sight(option, known) for option in form.options)
            case f.If():
                return all(part is None or self.in_sight(part, known) for part in (form.then, form.otherwise))
            case f.Taken() | f.Needed():
                return self.in_sight(form.value, known)
            case f.Only():
                return form.type.kind == "card" and self.in_sight(form.item, known)
            case f.Constant() | f.Attribute() | f.PlaceAt() | f.Kept() | f.Defined() | f.Neighbour() | f.OwnerOf():
                return False
            case (
                f.Sum()
                | f.LeastLeft()
                | f.Count()
                | f.Arith()
                | f.Compare()
                | f.OneOf()
                | f.Present()
                | f.Some()
                | f.Logic()
                | f.Not()
            ):
                return False
            case f.Listed() | f.Players() | f.Around() | f.Numbers() | f.Family() | f.EndsOf():
                return False
            case f.EndAt() | f.PlaceHolding():
                return False
            case _:
                assert_never(form)


def is_face(form: f.Expr, slot: int) -> bool:
    """Whether a condition asks nothing but how the card in a slot lies."""
    match form:
        case f.Compare(left=f.Kept(keep=keep, key=f.Slot(slot=asked)), right=f.Constant()):
            return keep.name == model.FACES and asked == slot
    return False


def is_face_up(form: f.Expr, slot: int) -> bool:
    """Whether a condition holds only for a card that lies face up, so that everyone sees it."""
    match form:
        case f.Logic(op="and"):
            return is_face_up(form.left, slot) or is_face_up(form.right, slot)
        case f.Compare(relation="at_least", right=f.Constant(value=value)):
            return value >= model.UP and is_face(form, slot)
    return False
