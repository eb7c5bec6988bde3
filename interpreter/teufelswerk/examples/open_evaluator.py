"""Forms → functions of positions with open cards: each asks no more about where a card lies than its answer takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

from teufelswerk.core import forms as f
from teufelswerk.core.looks import is_face_up
from teufelswerk.examples.open_cards import open_size
from teufelswerk.examples.worlds import Split, SplitMany, TooOpen, Uncertain
from teufelswerk.interpreter import values
from teufelswerk.interpreter.evaluate import Evaluator
from teufelswerk.interpreter.machine import Machine
from teufelswerk.interpreter.sets import Items
from teufelswerk.interpreter.values import RELATIONS, Function
from teufelswerk.model import DOWN, FACES, face_after

Possible: TypeAlias = Callable[[Machine], list[tuple[int, Uncertain | None]]]
"""The cards that may be members of a set: surely (None), or if they lie in a certain place."""
Bounds: TypeAlias = Callable[[Machine], tuple[int, int, Uncertain | None]]
"""How many members a set surely has and how many it may have, and what would have to be known to tell better."""

STEPS: dict[f.Relation, int] = {"is": 0, "just_above": 1, "just_below": -1}
"""Relations to a single number, and how far that one is from the number compared with."""


class OpenEvaluator(Evaluator):
    """Reads positions with open cards; on positions without any it is the plain evaluator."""

    def settle(self, m: Machine, card: int) -> None:
        """A card's place is about to be looked at."""
        if m.open and card in m.open and m.open[card] & (m.open[card] - 1):
            raise Split(card, m.open[card].bit_length() - 1)

    def settle_place(self, m: Machine, place: int) -> None:
        """The order of the cards in a place is about to be looked at."""
        if (
            m.open
            and self.layout.place_of[place].seen_by != "all"
            and any(mask >> place & 1 for mask in m.open.values())
        ):
            raise TooOpen(place)

    def owner_of(self, form: f.OwnerOf) -> Function:
        return values.owner_of(self.settled_card(form.card), self.layout.owner)

    def place_holding(self, form: f.PlaceHolding) -> Function:
        return values.place_holding(self.settled_card(form.card), self.layout.family(form.type.of))

    def settled_card(self, form: f.Expr) -> Function:
        """A card of which it is known where it lies."""
        card = self.value(form)

        def settled(m: Machine) -> int | None:
            index: int | None = card(m)
            if index is not None:
                self.settle(m, index)
            return index

        return settled

    def kept(self, form: f.Kept) -> Function:
        """How an open card lies follows from where it lies."""
        plain = super().kept(form)
        if form.keep.name != FACES or form.key is None:
            return plain
        card, there = self.value(form.key), self.layout.place_of

        def face(m: Machine) -> int | None:
            index: int | None = card(m)
            if index is None or not m.open or index not in m.open:
                return plain(m)  # type: ignore[no-any-return]
            self.settle(m, index)
            return face_after(there[m.where[index]], DOWN)

        return face

    def drawn(self, form: f.Drawn) -> Function:
        """Lots fall on the first."""
        items = self.items(form.items)

        def first(m: Machine) -> int | None:
            found = items(m)
            return found[0] if found else None

        return first

    # ---- sets of cards in places ------------------------------------------------------------------------------------

    def possible(self, form: f.Items) -> Possible | None:
        """The cards that may be members, if the set looks into places."""
        match form:
            case f.CardsIn():
                return self.possibly_in(form)
            case f.Fitting():
                inner = self.possible(form.items)
                return self.possibly_fitting(inner, form) if inner is not None else None
            case f.Joined():
                parts = [self.possibly_in(part) for part in form.sets]
                return lambda m: [found for part in parts for found in part(m)]
            case f.Together():
                return None  # which of them are there twice depends on where each lies
            case f.Few():
                return None  # which ones they are depends on the order, so it has to be known where each card lies
            case f.Listed() | f.Players() | f.Around() | f.Numbers() | f.Family() | f.Only() | f.EndsOf() | f.Slot():
                return None
            case f.Subsets():
                return None  # it has to be known which cards there are
            case f.Defined() | f.If() | f.First() | f.Taken():
                return None  # what they stand for looks for itself
            case _:
                assert_never(form)

    def possibly_in(self, form: f.CardsIn) -> Possible:
        places = self.items(form.places)

        def possible(m: Machine) -> list[tuple[int, Uncertain | None]]:
            found: list[tuple[int, Uncertain | None]] = []
            for place in places(m):
                found += [(card, None) for card in m.places[place]]
                for card, mask in (m.open or {}).items():
                    if mask >> place & 1:
                        found.append((card, None if mask == 1 << place else (card, place)))
            m.meter.spend(len(found) + 1, form.span)
            return found

        return possible

    def possibly_fitting(self, inner: Possible, form: f.Fitting) -> Possible:
        condition, slot = self.value(form.condition), form.slot

        def possible(m: Machine) -> list[tuple[int, Uncertain | None]]:
            found = []
            for card, doubt in inner(m):
                m.slots[slot] = card
                if condition(m):
                    found.append((card, doubt))
            return found

        return possible

    def cards_in(self, form: f.CardsIn) -> Items:
        return self.settled(super().cards_in(form), form)

    def fitting(self, form: f.Fitting) -> Items:
        return self.settled(super().fitting(form), form)

    def settled(self, plain: Items, form: f.CardsIn | f.Fitting) -> Items:
        """The members, where it has to be known of each card whether it is one."""
        possible = self.possible(form)
        if possible is None:
            return plain

        def members(m: Machine) -> Sequence[int]:
            if not m.open:
                return plain(m)
            found = possible(m)
            for _, doubt in found:
                if doubt:
                    raise Split(*doubt)
            return [card for card, _ in found]

        return members

    def spot(self, form: f.Expr) -> tuple[int, int] | None:
        """… where no example leaves anything open."""
        spot = super().spot(form)
        return spot if spot and self.layout.place_of[spot[0]].seen_by == "all" else None

    def nth(self, form: f.Nth) -> Function:
        plain, settle = super().nth(form), self.settle_order(form.items)
        if settle is None:
            return plain

        def nth(m: Machine) -> int | None:
            settle(m)
            return plain(m)  # type: ignore[no-any-return]

        return nth

    def card_at(self, form: f.CardAt) -> Function:
        plain, end = super().card_at(form), self.value(form.end)

        def card_at(m: Machine) -> int | None:
            at: int | None = end(m)
            if at is not None:
                self.settle_place(m, at >> 1)
            return plain(m)  # type: ignore[no-any-return]

        return card_at

    def ends_of(self, form: f.EndsOf) -> Items:
        plain, places = super().ends_of(form), self.items(form.places)

        def ends_of(m: Machine) -> Sequence[int]:
            for place in places(m) if m.open else ():
                self.settle_place(m, place)
            return plain(m)

        return ends_of

    def few(self, form: f.Few) -> Items:
        plain, settle = super().few(form), self.settle_order(form.items)
        if settle is None:
            return plain

        def few(m: Machine) -> Sequence[int]:
            settle(m)
            return plain(m)

        return few

    def settle_order(self, items: f.Items) -> Callable[[Machine], None] | None:
        """What has to be done before the order of a set is looked at."""
        face_up = False
        while isinstance(items, (f.Few, f.Fitting)):
            face_up |= isinstance(items, f.Fitting) and is_face_up(items.condition, items.slot)
            items = items.items
        if face_up and isinstance(items, f.CardsIn) and self.rules.places[items.places.type.of].turned:
            return None  # it is known of every card that lies face up where it lies
        match items:
            case f.CardsIn(places=f.Only(item=f.PlaceAt(place=place))) if place.seen_by == "all":
                return None  # no example leaves anything open there
            case f.CardsIn() | f.Joined():
                sets = [self.items(part.places) for part in (items.sets if isinstance(items, f.Joined) else (items,))]

                def settle(m: Machine) -> None:
                    for place in (place for places in sets for place in places(m)) if m.open else ():
                        self.settle_place(m, place)

                return settle
            case f.Listed() | f.Players() | f.Around() | f.Numbers() | f.Family() | f.Only() | f.EndsOf() | f.Slot():
                return None
            case f.Together() | f.Subsets() | f.Defined() | f.If() | f.First() | f.Taken():
                return None
            case _:
                assert_never(items)

    # ---- how many there are -----------------------------------------------------------------------------------------

    def known_size(self, form: f.Items) -> Callable[[Machine], int | None]:
        """How many cards lie in some places, if that is known even though nobody knows which."""
        if not isinstance(form, (f.CardsIn, f.Joined)):
            return lambda m: None
        sets = [self.items(part.places) for part in (form.sets if isinstance(form, f.Joined) else (form,))]

        def known_size(m: Machine) -> int | None:
            total = 0
            for place in (place for places in sets for place in places(m)):
                size = open_size(m, place)
                if size is None:
                    return None
                total += len(m.places[place]) + size
            return total

        return known_size

    def count(self, form: f.Count) -> Function:
        plain = super().count(form)
        if self.possible(form.items) is None:
            return plain
        known_size, items = self.known_size(form.items), self.items(form.items)

        def count(m: Machine) -> int:
            if not m.open:
                return int(plain(m))
            size = known_size(m)
            return len(items(m)) if size is None else size

        return count

    def bounds(self, form: f.Items) -> Bounds | None:
        """How many members a set of cards in places has, as far as that is known."""
        possible, known_size = self.possible(form), self.known_size(form)
        if possible is None:
            return None
        find = possible

        def bounds(m: Machine) -> tuple[int, int, Uncertain | None]:
            size = known_size(m)
            if size is not None:
                return size, size, None
            found = find(m)
            doubts = [doubt for _, doubt in found if doubt]
            return len(found) - len(doubts), len(found), doubts[0] if doubts else None

        return bounds

    def some(self, form: f.Some) -> Function:
        plain, bounds = super().some(form), self.bounds(form.items)
        if bounds is not None:
            return self.enough("at_least", bounds, values.always(1), plain)
        return self.any_will_do(form.items) if isinstance(form.items, f.Fitting) else plain

    def face(self, form: f.Compare, plain: Function) -> Function | None:
        """Whether a card lies face up: an open one does if it lies in sight, wherever that is."""
        if not (isinstance(form.left, f.Kept) and form.left.keep.name == FACES and form.left.key is not None):
            return None
        if form.relation == "is":
            return plain
        card, is_up = self.value(form.left.key), form.relation == "at_least"
        shown = sum(1 << index for index, place in enumerate(self.layout.place_of) if place.seen_by == "all")

        def face(m: Machine) -> bool:
            index: int | None = card(m)
            mask = (m.open or {}).get(-1 if index is None else index)
            if mask is None or (mask & shown and mask & ~shown):
                return bool(plain(m))
            return bool(mask & shown) is is_up

        return face

    def compare(self, form: f.Compare) -> Function:
        plain = super().compare(form)
        if (face := self.face(form, plain)) is not None:
            return face
        bounds = self.bounds(form.left.items) if isinstance(form.left, f.Count) else None
        return plain if bounds is None else self.enough(form.relation, bounds, self.value(form.right), plain)

    @staticmethod
    def enough(relation: f.Relation, bounds: Bounds, amount: Function, plain: Function) -> Function:
        """Whether a number compares like that; decided as soon as what is sure and what is possible decide it."""

        def enough(m: Machine) -> bool:
            if not m.open:
                return bool(plain(m))
            wanted = amount(m)
            if wanted is None:
                return False
            least, most, doubt = bounds(m)
            holds = RELATIONS[relation]
            if relation in STEPS:
                wanted += STEPS[relation]
                holds = RELATIONS["is"]
                decided = not least <= wanted <= most or least == most
            else:
                decided = holds(least, wanted) == holds(most, wanted)
            if not decided:
                assert doubt is not None
                raise Split(*doubt)
            return holds(least, wanted) and holds(most, wanted)

        return enough

    def any_will_do(self, form: f.Fitting) -> Function:
        """Among players or places, one for which it is sure decides; the doubts about the others matter no more."""
        items, condition, slot = self.items(form.items), self.value(form.condition), form.slot

        def any_will_do(m: Machine) -> bool:
            doubt: Exception | None = None
            for item in items(m):
                m.slots[slot] = item
                try:
                    if condition(m):
                        return True
                except (Split, SplitMany) as split:
                    doubt = doubt or split
            if doubt:
                raise doubt
            return False

        return any_will_do

    def extreme(self, form: f.Extreme) -> Function:
        plain, possible = super().extreme(form), self.possible(form.items)
        if possible is None:
            return plain
        find, by, slot, sign = possible, self.value(form.by), form.slot, -1 if form.highest else 1

        def best(m: Machine) -> int | None:
            if not m.open:
                return plain(m)  # type: ignore[no-any-return]
            ranked = []
            for card, doubt in find(m):
                m.slots[slot] = card
                value = by(m)
                if value is not None:
                    ranked.append((sign * value, card, doubt))
            if not ranked:
                return None
            _, card, doubt = min(ranked, key=lambda entry: entry[0])
            if doubt:
                raise Split(*doubt)
            return card

        return best
