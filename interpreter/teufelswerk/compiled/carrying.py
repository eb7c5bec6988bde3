"""Cards that go somewhere, are shuffled or dealt → lines that change the places."""

from __future__ import annotations

from typing import Any

from teufelswerk import model
from teufelswerk.compiled.context import BAIL
from teufelswerk.compiled.emit import Code, NotCompiled, constant
from teufelswerk.compiled.movements import owners_read_in
from teufelswerk.compiled.places import Family
from teufelswerk.compiled.planes import Planes
from teufelswerk.texts import Text


class Carrying(Planes):
    """Writes what moves cards."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.remembers_owner = owners_read_in(self) if self.asks_owner else frozenset()

    def is_owned(self, family: Family) -> bool:
        return family.place.key is not None and family.place.key.kind == "player"

    def _Goes(self, s: model.Goes) -> None:
        what = s.what
        if what.type.kind == "card" and not what.type.many:
            self.card_goes(s)
            return
        if s.to.type.kind == "end":
            raise NotCompiled(Text("several cards laid at an end"), s.span)
        target, family = self.needed(s.to), self.family(s.to.type)
        if what.type.kind == "place":
            if what.type.many:
                with self.each(what) as place:
                    self.place_goes(s, self.family(what.type), place.text, family, target.text)
            else:
                self.place_goes(s, self.family(what.type), self.needed(what).text, family, target.text)
            return
        origin = self.family_of(what)
        if (origin is None or origin.ordered) and family.ordered and not self.is_everything(what):
            raise NotCompiled(Text("some cards out of a place that keeps order into another such place"), s.span)
        if self.owner_matters(origin, family):
            raise NotCompiled(Text("cards that go together, of which it matters whose they were"), s.span)
        moving = self.out.named("moving", Code(self.mask(what))).text
        self.ticks.cards_go(family, moving)
        self.places.remove_everywhere(moving) if origin is None else self.remove_from(what, origin, moving)
        self.places.add_mask(family, target.text, moving)

    def owner_matters(self, origin: Family | None, target: Family) -> bool:
        """Whether it has to be noted whose place the cards come from."""
        if target.place.name not in self.remembers_owner or self.is_owned(target):
            return False
        return origin is None or self.is_owned(origin)

    def is_everything(self, what: model.Expr) -> bool:
        if isinstance(what, model.Members) and what.base.type.kind == "card":
            return self.is_everything(what.base)
        return isinstance(what, model.Everything)

    def remove_from(self, what: model.Expr, origin: Family, mask: str) -> None:
        if isinstance(what, model.Members) and not what.base.type.many and what.base.type.kind == "place":
            self.places.remove_mask(origin, self.needed(what.base).text, mask)
            return
        for index in range(origin.size):
            self.places.remove_mask(origin, str(index), mask)

    def place_goes(self, s: model.Goes, origin: Family, index: str, family: Family, target: str) -> None:
        """All cards of a place go to another, in their order."""
        if self.owner_matters(origin, family):
            raise NotCompiled(Text("cards that go together, of which it matters whose they were"), origin.place.span)
        if self.ticks.follows(origin, family):
            going = self.out.let("going", self.places.mask(origin, index))
            self.ticks.cards_go(family, going)
            self.ticks.taken(s, origin, index, going, target)
        if not family.ordered:
            if self.places.keeps(family, "set"):
                moving = self.out.let("moving", self.places.mask(origin, index))
                self.places.clear(origin, index)
                self.places.add_mask(family, target, moving)
            else:
                self.places.clear(origin, index)
            return
        if not origin.ordered:
            moving = self.out.let("moving", self.places.mask(origin, index))
            self.places.clear(origin, index)
            self.places.add_mask(family, target, moving)
            return
        if origin is family:
            raise NotCompiled(Text("cards that go to another place of the same family"), origin.place.span)
        position = self.out.name("position")
        with self.out.block(f"for {position} in range({self.places.count(origin, index).text}):"):
            card = self.out.let("card", self.places.card_at(origin, index, position))
            self.places.add_card(family, target, card)
        self.places.clear(origin, index)

    def card_goes(self, s: model.Goes) -> None:
        what, to = s.what, s.to
        card = self.out.named("card", self.needed(what))
        family, target = self.family(to.type), self.needed(to)
        known = self.origin.get(what.slot) if isinstance(what, model.Local) else self.only_place(what)
        if family.place.name in self.remembers_owner and not self.is_owned(family):
            if known is None:
                raise NotCompiled(Text("a card that may come from anywhere, of which it matters whose it was"), to.span)
            if self.is_owned(known[0]):
                self.out(f"owner[{card.text}] = {known[1]}")
        place, side = target.text, ""
        if to.type.kind == "end":
            place, side = self.split_end(target)
        place = self.out.named("place", Code(place)).text
        self.ticks.card_goes(s, family, place, card.text, self.slots)
        is_set = known and self.places.keeps(known[0], "set") and self.places.keeps(family, "set")
        if is_set and card.text not in self.places.chosen:
            self.places.bits[card.text] = self.out.let("bit", f"1 << {card.text}")
        if known is None:
            self.places.remove_everywhere(f"({self.places.bit(card.text)})")
        else:
            self.places.remove_card(*known, card.text)
        self.origin.clear()
        if to.type.kind != "end":
            self.places.add_card(family, place, card.text)
        elif side in ("0", "1"):
            self.places.add_card(family, place, card.text, bottom=side == "0")
        else:
            with self.out.block(f"if {side}:"):
                self.places.add_card(family, place, card.text)
            with self.out.block("else:"):
                self.places.add_card(family, place, card.text, bottom=True)
        self.places.bits.clear()

    def only_place(self, what: model.Expr) -> tuple[Family, str] | None:
        """The place that a card comes from, if it is one that has no others beside it."""
        family = self.family_of(what)
        return (family, "0") if family is not None and family.single else None

    # ---- dealing ----------------------------------------------------------------------------------------------------

    def is_dealt(self, s: model.Shuffle, following: model.Statement | None) -> bool:
        """Whether a place is dealt into sets right after it was shuffled."""
        return (
            isinstance(following, model.Deal)
            and following.portion == "exact"
            and isinstance(following.to, model.Everything)
            and following.source.type.of == s.place.type.of
            and self.family(s.place.type).single
            and not self.family(s.place.type).two_ended
            and s.place.type.of not in self.remembers_owner
            and not self.family(following.to.type).ordered
            and not self.family(following.to.type).single
        )

    def shuffle_and_deal(self, shuffle: model.Shuffle, deal: model.Deal) -> None:
        """Both in one go: of the last cards, where they all go to one place, the order need not be drawn."""
        self.note(shuffle)
        self.ticks.unit(shuffle.id, f"rule in line {shuffle.span.line}")
        self.note(deal)
        self.ticks.unit(deal.id, f"rule in line {deal.span.line}")
        stock, takers = self.family(shuffle.place.type), self.family(deal.to.type)
        assert deal.amount is not None
        size, n = self.out.named("size", self.needed(deal.amount)), self.places.count(stock, "0").text
        with self.out.block(f"if not 0 <= {size.text} * {takers.size} <= {n}:"):
            self.out(BAIL)
        self.places.read |= {(stock.place.name, "cards"), (takers.place.name, "set")}
        self.out(f"chance = shuffled_and_dealt(chance, {stock.name}_row, {n}, {size.text}, {takers.name})")
        if self.places.keeps(stock, "set"):
            self.out(f"{stock.name}_set = dealt({stock.name}_row, 0, {n} - {size.text} * {takers.size})")
        self.out(f"{n} -= {size.text} * {takers.size}")
        self.places.least.pop(stock.place.name, None)
        self.places.changed(stock, "0", None)
        for seat in range(takers.size):
            self.places.changed(takers, str(seat), None)

    def shuffled(self, family: Family, index: str, needed: str) -> None:
        n = self.places.count(family, index).text
        start = self.places.card_at(family, index, "0").partition("[")[2][:-1]
        self.out(f"chance = shuffle(chance, {family.name}_row, {start}, {n}, {needed})")
        self.places.changed(family, index, None)
        if family.place.name in self.remembers_owner:
            raise NotCompiled(Text("shuffled cards of which it matters whose they are"), family.place.span)

    def _Shuffle(self, s: model.Shuffle) -> None:
        family, index = self.family(s.place.type), self.needed(s.place).text
        self.shuffled(family, index, f"{self.places.count(family, index).text} - 1")

    def _Deal(self, s: model.Deal) -> None:
        stock, index = self.family(s.source.type), self.needed(s.source).text
        takers, n = self.family(s.to.type), self.places.count(stock, index).text
        if not stock.single or stock.two_ended or takers.ordered or self.owner_matters(stock, takers):
            raise NotCompiled(Text("dealing from or to places of this kind"), s.span)
        if isinstance(s.to, model.Everything):
            targets = [str(i) for i in range(takers.size)]
        elif not s.to.type.many:
            targets = [self.needed(s.to).text]
        else:
            raise NotCompiled(Text("dealing to some of several places"), s.span)
        if s.amount is None:
            size = Code(self.out.let("size", f"{n} // {len(targets)}"))
        else:
            size = self.out.named("size", self.needed(s.amount))
            if size.low is None or size.low < 0:
                size = Code(self.out.let("size", f"max({size.text}, 0)"))
        if s.portion == "exact":
            with self.out.block(f"if {size.text} * {len(targets)} > {n}:"):
                self.out(BAIL)
        row = f"{stock.name}_row"
        self.places.read.add((stock.place.name, "cards"))
        first = constant(0)
        for target in targets:
            last = f"{first.text} + {size.text}"
            if size.number is not None and first.number is not None:
                last = str(first.number + size.number)
            if s.portion == "up_to":
                last = f"min({last}, {n})"
            after = Code(last) if s.portion == "exact" and Code(last).number is not None else None
            after = after or Code(self.out.let("after", last))
            dealt = self.out.let("dealt", f"dealt({row}, {first.text}, {after.text})")
            if self.places.keeps(stock, "set"):
                self.out(f"{self.places.at(stock, index, '_set')} ^= {dealt}")
            self.places.add_mask(takers, target, dealt)
            first = after
        self.places.least.pop(stock.place.name, None)
        self.out(f"{n} = left_over({row}, {first.text}, {n})")
        self.places.changed(stock, index, None)
