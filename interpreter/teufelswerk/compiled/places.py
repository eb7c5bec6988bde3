"""Where cards lie, as numbers: a set is a mask; a place with an order is a row, a count and, if asked for, a mask."""

from __future__ import annotations

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Writer
from teufelswerk.core import forms as f
from teufelswerk.model import DOWN, FACES, UP, Place, face_after


class Family:
    """The places of one name. Where there is only one, what is kept of it are single variables."""

    def __init__(self, w: Writer, place: Place, where: c.Array | None) -> None:
        self.w = w
        self.where = where
        self.place = place
        self.name = place.name
        self.base = w.layout.place_base[place.name]
        self.count = len(w.layout.keys(place.key))
        self.ordered = w.layout.ordered[self.base]
        self.owned = w.layout.owner[self.base] >= 0
        self.single = self.count == 1
        faces = w.keeps.get(FACES)
        self.faces = faces if isinstance(faces, c.Array) else None
        """Where cards are turned: how each card lies."""
        self.sets: c.Var | c.Array | None = None
        self.sizes: c.Var | c.Array | None = None
        self.row: c.Array | None = None
        if not self.ordered or place.name in w.features.masks:
            self.sets = (
                w.keep(f"{place.name}_set", "m") if self.single else w.keep_array(f"{place.name}_set", self.count, "m")
            )
        if self.ordered:
            self.sizes = w.keep(f"{place.name}_n") if self.single else w.keep_array(f"{place.name}_n", self.count)
            self.row = w.keep_array(f"{place.name}_row", self.count * w.cards)

    # ---- reading ----------------------------------------------------------------------------------------------------

    def set_of(self, index: c.Expr) -> c.Expr:
        """The cards there as a mask."""
        if self.sets is None:
            self.w.asked.masks |= {self.name}
            return c.NOBODY  # written anew, with the mask
        return self.sets if isinstance(self.sets, c.Var) else c.load(self.sets, index)

    def size_of(self, index: c.Expr) -> c.Expr:
        if self.sizes is None:
            return c.size(self.set_of(index))
        return self.sizes if isinstance(self.sizes, c.Var) else c.load(self.sizes, index)

    def start(self, index: c.Expr) -> c.Expr:
        """Where the row of a place begins."""
        return c.ZERO if self.single else c.times(index, self.w.cards)

    def card_at(self, index: c.Expr, position: c.Expr) -> c.Expr:
        assert self.row is not None
        return c.load(self.row, c.add(self.start(index), position))

    def owner(self, index: c.Expr) -> c.Expr:
        """The seat whose place it is."""
        if not self.owned:
            return c.Number(-1)
        each = self.count // self.w.players
        return index if each == 1 else c.binary("//", index, c.Number(each))

    # ---- changing ---------------------------------------------------------------------------------------------------

    def put_set(self, index: c.Expr, cards: c.Expr) -> None:
        if isinstance(self.sets, c.Var):
            self.w.set(self.sets, cards)
        elif self.sets is not None:
            self.w.store(self.sets, index, cards)

    def put_size(self, index: c.Expr, number: c.Expr) -> None:
        if isinstance(self.sizes, c.Var):
            self.w.set(self.sizes, number)
        elif self.sizes is not None:
            self.w.store(self.sizes, index, number)

    def add_card(self, index: c.Expr, card: c.Expr, bottom: bool = False) -> None:
        if self.sets is not None:
            self.put_set(index, c.binary("|", self.set_of(index), c.bit(card)))
        if self.row is not None:
            w, n = self.w, self.size_of(index)
            start = self.start(index)
            if bottom:
                n = w.let("n", n)
                position = w.temp("position")
                w.set(position, n)
                with w.loop():
                    w.out += c.when(c.compare("==", position, 0), [c.Leave()])
                    before = c.load(self.row, c.minus(c.add(start, position), 1))
                    w.store(self.row, c.add(start, position), before)
                    w.set(position, c.minus(position, 1))
                w.store(self.row, start, card)
            else:
                w.store(self.row, c.add(start, n), card)
            self.put_size(index, c.add(n, 1))
        self.arrived(index, card)

    @property
    def takes_all_at_once(self) -> bool:
        """Whether nothing has to be done for each card that comes."""
        return self.row is not None and self.where is None and self.faces is None

    def add_all(self, index: c.Expr, cards: c.Number) -> None:
        """Cards that are always the same ones come, in their order."""
        w = self.w
        assert self.row is not None
        if self.sets is not None:
            self.put_set(index, c.binary("|", self.set_of(index), cards))
        table = w.table("cards", (card for card in range(w.cards) if cards.value >> card & 1))
        n = w.let("n", self.size_of(index))
        w.out.append(c.Copy(self.row, c.add(self.start(index), n), table))
        self.put_size(index, c.add(n, table.size))

    def drop_first(self, index: c.Expr, number: c.Expr) -> None:
        """So many cards lie there no longer, the first ones of the row."""
        w = self.w
        assert self.row is not None
        start, left = w.let("start", self.start(index)), w.let("left", c.minus(self.size_of(index), number))
        w.out.append(c.Shift(self.row, start, c.add(start, number), left))
        self.put_size(index, left)

    def remove_card(self, index: c.Expr, card: c.Expr) -> None:
        if self.sets is not None:
            self.put_set(index, c.binary("^", self.set_of(index), c.bit(card)))
        if self.row is not None:
            w = self.w
            start, n = w.let("start", self.start(index)), w.let("n", c.minus(self.size_of(index), 1))
            position = w.temp("position")
            w.set(position, start)
            with w.loop():
                w.out += c.when(c.compare("==", c.load(self.row, position), card), [c.Leave()])
                w.set(position, c.add(position, 1))
            with w.loop():
                w.out += c.when(c.compare(">=", position, c.add(start, n)), [c.Leave()])
                w.store(self.row, position, c.load(self.row, c.add(position, 1)))
                w.set(position, c.add(position, 1))
            self.put_size(index, n)

    def arrived(self, index: c.Expr, card: c.Expr) -> None:
        if self.where is not None:
            self.w.store(self.where, card, c.add(index, self.base))
        if self.faces is not None:
            was_down: c.Expr = c.Number(face_after(self.place, DOWN))
            if self.place.turned:
                was_down = c.select(c.compare("<", c.load(self.faces, card), UP), was_down, c.Number(UP))
            self.w.store(self.faces, card, was_down)


class Places:
    """All places of a game, and what is known of single cards."""

    def __init__(self, w: Writer) -> None:
        self.w = w
        self.where = w.keep_array("where", w.cards) if w.features.where else None
        self.families = {name: Family(w, place, self.where) for name, place in w.rules.places.items()}
        self.owners = w.keep_array("owner", w.cards, first=-1) if w.features.owners else None

    def family(self, form: f.Expr) -> Family:
        """The family of a place, some places or an end."""
        return self.families[form.type.of]

    def place_of(self, card: c.Expr) -> c.Expr:
        """The number of the place in which a card lies."""
        self.w.asked.where = True
        return c.load(self.where, card) if self.where is not None else c.ZERO

    def owner_of(self, card: c.Expr, lies: str | None) -> c.Expr:
        """Whose a card was last, where it lies in nobody's place."""
        unowned = {family.name for family in self.families.values() if not family.owned}
        self.w.asked.owners |= unowned if lies is None else {lies}
        return c.load(self.owners, card) if self.owners is not None else c.ZERO

    def remembers(self, origin: Family, to: Family) -> bool:
        """Whether it has to be written down whose a card was that goes from one place to another."""
        if to.owned or to.name not in self.w.features.owners:
            return False
        if not origin.owned:  # it was written down before, if it was somebody's
            self.w.asked.owners |= {origin.name}
        return origin.owned

    def set_owner(self, card: c.Expr, seat: c.Expr) -> None:
        assert self.owners is not None
        self.w.store(self.owners, card, seat)

    def take(self, card: c.Expr, family: Family, index: c.Expr, to: Family) -> None:
        """A card leaves a place for another; whose it was is remembered."""
        family.remove_card(index, card)
        if self.remembers(family, to):
            self.set_owner(card, family.owner(index))

    def take_from_anywhere(self, card: c.Expr, to: Family) -> None:
        """A card leaves the place in which it lies, whichever that is."""
        w = self.w
        place = w.let("place", self.place_of(card))
        families = list(self.families.values())

        def branch(rest: list[Family]) -> c.Body:
            family, *others = rest
            with w.body() as inside:
                index = c.ZERO if family.single else w.let("index", c.minus(place, family.base))
                self.take(card, family, index, to)
            if not others:
                return inside
            return c.when(c.compare("<", place, others[0].base), inside, branch(others))

        w.out += branch(families)

    def take_all(self, cards: c.Expr, to: Family) -> None:
        """The cards of a set leave the places in which they lie, wherever that is."""
        w = self.w
        for family in self.families.values():
            notes = self.remembers(family, to)
            if family.single:
                self.take_set(family, c.ZERO, cards, notes)
            else:
                with w.count("index", c.ZERO, c.Number(family.count)) as index:
                    self.take_set(family, index, cards, notes)

    def take_set(self, family: Family, index: c.Expr, cards: c.Expr, notes: bool) -> None:
        w = self.w
        if family.row is None:
            if notes:
                with w.each_card(w.let("taken", c.binary("&", family.set_of(index), cards))) as leaving:
                    self.set_owner(leaving, family.owner(index))
            family.put_set(index, c.binary("&~", family.set_of(index), cards))
            return
        if cards == w.all and not notes:
            family.put_set(index, c.NOBODY)
            family.put_size(index, c.ZERO)
            return
        kept = w.temp("kept")
        w.set(kept, c.ZERO)
        with w.count("position", c.ZERO, w.let("n", family.size_of(index))) as position:
            card = w.let("card", family.card_at(index, position))
            with w.body() as taken:
                if notes:
                    self.set_owner(card, family.owner(index))
            with w.body() as stays:
                w.store(family.row, c.add(family.start(index), kept), card)
                w.set(kept, c.add(kept, 1))
            w.out += c.when(c.some(c.binary("&", cards, c.bit(card))), taken, stays)
        if family.sets is not None:
            family.put_set(index, c.binary("&~", family.set_of(index), cards))
        family.put_size(index, kept)

    # ---- the start --------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """All cards lie in the box."""
        w = self.w
        box = next(iter(self.families.values()))
        if box.sets is not None:
            box.put_set(c.ZERO, w.all)
        if box.row is not None:
            box.put_size(c.ZERO, c.Number(w.cards))
            with w.count("card", c.ZERO, c.Number(w.cards)) as card:
                w.store(box.row, card, card)
