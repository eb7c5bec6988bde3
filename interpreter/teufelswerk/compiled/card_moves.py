"""Cards that go from places to others → instructions."""

from __future__ import annotations

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Origin, Writer
from teufelswerk.compiled.count_events import Ticks
from teufelswerk.compiled.places import Family, Places
from teufelswerk.compiled.values import Values
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s


class CardMoves:
    """Writes how cards go."""

    def __init__(self, w: Writer, places: Places, values: Values, ticks: Ticks) -> None:
        self.w = w
        self.places = places
        self.values = values
        self.sets = values.sets
        self.masks = values.masks
        self.ticks = ticks

    def goes(self, statement: s.Goes) -> None:
        w, cards = self.w, statement.cards
        if isinstance(cards, f.Only) and cards.type.kind == "card":
            self.one_goes(statement, cards.item)
            return
        if isinstance(cards, f.CardsIn) and isinstance(cards.places, f.Only):
            self.one_place_goes(statement, cards.places)
            return
        known = self.masks.lies(cards)
        everywhere = self.masks.mask(cards, False) if known is None else None
        if everywhere is not None:
            self.from_everywhere(statement, w.let("cards", everywhere))
            return
        found = self.sets.listed_now(cards)
        family, to, side = self.destination(statement.to)
        if isinstance(cards, f.CardsIn):
            self.emptied(statement, cards, to)
        with w.count("position", c.ZERO, found.count) as position:
            card = w.let("card", c.load(found.row, c.add(found.start, position)))
            self.ticks.moved(statement, family, card)
            self.take(card, known, family)
            self.lay(family, to, side, card)
        w.lies = {}

    def one_place_goes(self, statement: s.Goes, place: f.Only) -> None:
        """All cards of a place go; which place it is, is asked once, since lots may be drawn for it."""
        w, origin = self.w, self.places.families[place.type.of]
        index, present = w.place(place.item)
        index = w.let("from", index)
        family, to, side = self.destination(statement.to)
        with w.when(c.YES if present is None else present):
            if side is None and not family.ordered:
                self.all_go(statement, origin, index, family, to)
            else:
                self.in_order(statement, origin, index, (family, to, side))
        w.lies = {}

    def in_order(
        self, statement: s.Goes, origin: Family, index: c.Expr, destination: tuple[Family, c.Expr, c.Expr | None]
    ) -> None:
        """All cards of a place go to one where the order counts."""
        w, (family, to, side) = self.w, destination
        count, row = w.temp("count"), w.scratch_array("going", w.cards)
        w.set(count, c.ZERO)

        def write_down(card: c.Expr) -> None:
            w.store(row, count, card)
            w.set(count, c.add(count, 1))

        self.sets.lying(origin, index, write_down)
        self.ticks.emptied_place(statement, origin, index, to)
        with w.count("position", c.ZERO, count) as position:
            card = w.let("card", c.load(row, position))
            self.ticks.moved(statement, family, card)
            self.take(card, Origin(origin.name, index), family)
            self.lay(family, to, side, card)

    def one_goes(self, statement: s.Goes, form: f.Expr) -> None:
        w = self.w
        known = self.masks.lies(form)
        card = w.let("card", self.values.needed(form).expr)
        family, to, side = self.destination(statement.to)
        self.ticks.moved(statement, family, card)
        self.take(card, known, family)
        self.lay(family, to, side, card)
        self.ticks.put(statement, to, card)
        # the same card may be known by another name, which must not be looked for where it lay
        w.lies = {slot: lies for slot, lies in w.lies.items() if known is not None and lies.family != known.family}
        if isinstance(form, f.Slot):
            w.lies[form.slot] = Origin(family.name, to)

    def all_go(self, statement: s.Goes, origin: Family, index: c.Expr, family: Family, to: c.Expr) -> None:
        """All cards of a place go to a place that is a set."""
        w = self.w
        notes = self.places.remembers(origin, family)
        single = self.places.where is not None or family.faces is not None
        follow = notes or single or self.ticks.follows(statement)
        self.ticks.emptied_place(statement, origin, index, to)
        if follow or (origin.ordered and origin.sets is None):
            cards = w.temp("cards", "m")
            w.set(cards, c.NOBODY)

            def one(card: c.Expr) -> None:
                w.set(cards, c.binary("|", cards, c.bit(card)))
                self.ticks.moved(statement, family, card)
                if notes:
                    self.places.set_owner(card, origin.owner(index))
                family.arrived(to, card)

            if origin.ordered:
                with w.count("position", c.ZERO, w.let("n", origin.size_of(index))) as position:
                    one(w.let("card", origin.card_at(index, position)))
            else:
                with w.each_card(w.let("all", origin.set_of(index))) as card:
                    one(card)
            found: c.Expr = cards
        else:
            found = w.let("cards", origin.set_of(index))
        origin.put_set(index, c.NOBODY)
        origin.put_size(index, c.ZERO)
        family.put_set(to, c.binary("|", family.set_of(to), found))
        w.lies = {}

    def emptied(self, statement: s.Goes, cards: f.CardsIn, to: c.Expr) -> None:
        """All cards of some places are about to go."""
        origin = self.places.families[cards.places.type.of]
        if self.ticks.watches(origin):
            base = origin.base
            self.sets.each(
                cards.places, lambda place: self.ticks.emptied_place(statement, origin, c.minus(place, base), to)
            )

    def from_everywhere(self, statement: s.Goes, cards: c.Expr) -> None:
        """Cards go, in their order, from wherever they lie."""
        w = self.w
        family, to, side = self.destination(statement.to)
        self.places.take_all(cards, family)
        if (
            isinstance(cards, c.Number)
            and side is None
            and family.takes_all_at_once
            and not self.ticks.follows(statement)
        ):
            family.add_all(to, cards)
            w.lies = {}
            return
        with w.each_card(cards) as card:
            self.ticks.moved(statement, family, card)
            self.lay(family, to, side, card)
        w.lies = {}

    def destination(self, form: f.Expr) -> tuple[Family, c.Expr, c.Expr | None]:
        """A family, which of its places, and for an end whether it is the top one."""
        w, family = self.w, self.places.family(form)
        if form.type.kind == "end":
            index, side, _ = self.values.end(form)
            return family, w.let("to", index), w.let("side", side)
        index, _ = w.place(form)
        return family, w.let("to", index), None

    def take(self, card: c.Expr, known: Origin | None, to: Family) -> None:
        if known is not None and known.index is not None:
            family = self.places.families[known.family]
            self.places.take(card, family, known.index, to)
        else:
            self.places.take_from_anywhere(card, to)

    def lay(self, family: Family, to: c.Expr, side: c.Expr | None, card: c.Expr) -> None:
        w = self.w
        if side is None or (isinstance(side, c.Number) and side.value == 1):
            family.add_card(to, card)
            return
        with w.body() as top:
            family.add_card(to, card)
        with w.body() as bottom:
            family.add_card(to, card, bottom=True)
        w.out += c.when(c.compare("==", side, 1), top, bottom)
