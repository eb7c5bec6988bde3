"""Typed statements that need no decision → lines that change the places and what is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from teufelswerk import model
from teufelswerk.compiled.context import BAIL
from teufelswerk.compiled.emit import Code, NotCompiled, constant
from teufelswerk.compiled.movements import left_in, owners_read_in
from teufelswerk.compiled.places import Family
from teufelswerk.compiled.planes import Planes
from teufelswerk.limits import MAX_NUMBER
from teufelswerk.order import walk
from teufelswerk.texts import Text


class Actions(Planes):
    """Writes statements one after the other."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.remembers_owner = owners_read_in(self) if self.asks_owner else frozenset()

    def block(self, body: model.Block) -> None:
        skip = False
        for statement, following in zip(body, [*body[1:], None], strict=True):
            if skip:
                skip = False
            elif isinstance(statement, model.Shuffle) and self.is_dealt(statement, following):
                assert isinstance(following, model.Deal)
                self.shuffle_and_deal(statement, following)
                skip = True
            else:
                self.statement(statement)

    def statement(self, s: model.Statement) -> None:
        if not self.matters(s):
            return
        self.note(s)
        method: Callable[[Any], None] | None = getattr(self, "_" + type(s).__name__, None)
        if method is None:
            raise NotCompiled(Text("a statement of this kind"), s.span)
        method(s)

    def matters(self, s: model.Statement) -> bool:
        """Whether a statement can change anything: telling something does not."""
        if isinstance(s, model.Tell):
            return False
        if isinstance(s, model.If) and not any(isinstance(part, model.Random) for part in walk(s.condition)):
            return any(map(self.matters, (*s.then, *s.otherwise)))
        return True

    # ---- cards ------------------------------------------------------------------------------------------------------

    def is_owned(self, family: Family) -> bool:
        return family.place.key is not None and family.place.key.kind == "player"

    def _Goes(self, s: model.Goes) -> None:
        what = s.what
        if what.type.kind == "card" and not what.type.many:
            self.card_goes(what, s.to)
            return
        if s.to.type.kind == "end":
            raise NotCompiled(Text("several cards laid at an end"), s.span)
        target, family = self.needed(s.to), self.family(s.to.type)
        if what.type.kind == "place":
            if what.type.many:
                with self.each(what) as place:
                    self.place_goes(self.family(what.type), place.text, family, target.text)
            else:
                self.place_goes(self.family(what.type), self.needed(what).text, family, target.text)
            return
        origin = self.origin_of(what)
        if (origin is None or origin.ordered) and family.ordered and not self.is_everything(what):
            raise NotCompiled(Text("some cards out of a place that keeps order into another such place"), s.span)
        if self.owner_matters(origin, family):
            raise NotCompiled(Text("cards that go together, of which it matters whose they were"), s.span)
        moving = self.out.named("moving", Code(self.mask(what))).text
        self.places.remove_everywhere(moving) if origin is None else self.remove_from(what, origin, moving)
        self.places.add_mask(family, target.text, moving)

    def owner_matters(self, origin: Family | None, target: Family) -> bool:
        """Whether it has to be noted whose place the cards come from."""
        if target.place.name not in self.remembers_owner or self.is_owned(target):
            return False
        return origin is None or self.is_owned(origin)

    def is_everything(self, what: model.Expr) -> bool:
        return isinstance(what, model.Everything) or (
            isinstance(what, model.Members) and isinstance(what.base, model.Everything) and what.base.type.kind == "card"
        )

    def origin_of(self, what: model.Expr) -> Family | None:
        return self.family_of(what)

    def remove_from(self, what: model.Expr, origin: Family, mask: str) -> None:
        if isinstance(what, model.Members) and not what.base.type.many and what.base.type.kind == "place":
            self.places.remove_mask(origin, self.needed(what.base).text, mask)
            return
        for index in range(origin.size):
            self.places.remove_mask(origin, str(index), mask)

    def place_goes(self, origin: Family, index: str, family: Family, target: str) -> None:
        """All cards of a place go to another, in their order."""
        if self.owner_matters(origin, family):
            raise NotCompiled(Text("cards that go together, of which it matters whose they were"), origin.place.span)
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

    def card_goes(self, what: model.Expr, to: model.Expr) -> None:
        card = self.out.named("card", self.needed(what))
        family, target = self.family(to.type), self.needed(to)
        known = self.origin.get(what.slot) if isinstance(what, model.Local) else None
        if family.place.name in self.remembers_owner and not self.is_owned(family):
            if known is None:
                raise NotCompiled(Text("a card that may come from anywhere, of which it matters whose it was"), to.span)
            if self.is_owned(known[0]):
                self.out(f"owner[{card.text}] = {known[1]}")
        place, side = target.text, ""
        if to.type.kind == "end":
            place, side = self.split_end(target)
        place = self.out.named("place", Code(place)).text
        if known and self.places.keeps(known[0], "set") and self.places.keeps(family, "set"):
            self.places.bits[card.text] = self.out.let("bit", f"1 << {card.text}")
        if known is None:
            self.places.remove_everywhere(f"(1 << {card.text})")
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
        self.note(deal)
        deck, hands = self.family(shuffle.place.type), self.family(deal.to.type)
        assert deal.amount is not None
        size, n = self.out.named("size", self.needed(deal.amount)), self.places.count(deck, "0").text
        with self.out.block(f"if not 0 <= {size.text} * {hands.size} <= {n}:"):
            self.out(BAIL)
        self.places.read |= {(deck.place.name, "cards"), (hands.place.name, "set")}
        self.out(f"chance = shuffled_and_dealt(chance, {deck.name}_row, {n}, {size.text}, {hands.name})")
        if self.places.keeps(deck, "set"):
            self.out(f"{deck.name}_set = dealt({deck.name}_row, 0, {n} - {size.text} * {hands.size})")
        self.out(f"{n} -= {size.text} * {hands.size}")
        self.places.least.pop(deck.place.name, None)
        self.places.changed(deck, "0", None)
        for seat in range(hands.size):
            self.places.changed(hands, str(seat), None)

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
        deck, index = self.family(s.source.type), self.needed(s.source).text
        hands, n = self.family(s.to.type), self.places.count(deck, index).text
        if not deck.single or deck.two_ended or hands.ordered or self.owner_matters(deck, hands):
            raise NotCompiled(Text("dealing from or to places of this kind"), s.span)
        if isinstance(s.to, model.Everything):
            targets = [str(i) for i in range(hands.size)]
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
        row = f"{deck.name}_row"
        self.places.read.add((deck.place.name, "cards"))
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
            if self.places.keeps(deck, "set"):
                self.out(f"{self.places.at(deck, index, '_set')} ^= {dealt}")
            self.places.add_mask(hands, target, dealt)
            first = after
        self.places.least.pop(deck.place.name, None)
        self.out(f"{n} = left_over({row}, {first.text}, {n})")
        self.places.changed(deck, index, None)

    # ---- what is kept -----------------------------------------------------------------------------------------------

    def keep_text(self, target: model.KeepOf) -> str:
        index = self.index(target.key, target.keep.key)
        if index.present:
            with self.out.block(f"if not ({index.present}):"):
                self.out(BAIL)
        name = self.keep_names[target.keep.name]
        return name if target.keep.key is None else f"{name}[{index.text}]"

    def _Becomes(self, s: model.Becomes) -> None:
        target, keep = self.keep_text(s.target), s.target.keep
        value = self.needed(s.value)
        self.out(f"{target} = {value.text}")
        if keep.key is None:
            self.assigned.add(keep.name)
        if keep.type.kind == "number" and (value.low is None or value.high is None or max(-value.low, value.high) > MAX_NUMBER):
            with self.out.block(f"if not -{MAX_NUMBER} <= {target} <= {MAX_NUMBER}:"):
                self.out(BAIL)

    def _Pays(self, s: model.Pays) -> None:
        payer, receiver = self.keep_text(s.payer), self.keep_text(s.receiver)
        if s.payer.keep.initial is None or s.receiver.keep.initial is None:
            raise NotCompiled(Text("paying from what may not have been set yet"), s.span)
        paid = self.variable(s.paid_slot, "paid")
        self.out(f"{paid} = max(0, min({self.needed(s.amount).text}, {payer}))")
        self.out(f"{payer} -= {paid}")
        self.out(f"{receiver} += {paid}")

    def _SetLocal(self, s: model.SetLocal) -> None:
        value = self.needed(s.value)
        name = self.out.let("value", value.text)
        self.slots[s.slot] = Code(name, None, value.low, value.high)

    # ---- blocks -----------------------------------------------------------------------------------------------------

    def _If(self, s: model.If) -> None:
        condition = self.test(s.condition)
        with self.branches() as branch:
            with branch(), self.out.block(f"if {condition}:"):
                self.block(s.then)
            with branch():
                if any(map(self.matters, s.otherwise)):
                    with self.out.block("else:"):
                        self.block(s.otherwise)

    @contextmanager
    def branches(self) -> Iterator[Callable[[], Any]]:
        """Several ways to go on from here: what is sure afterwards is what is sure after each of them."""
        assigned, least = set(self.assigned), dict(self.places.least)
        ends: list[tuple[set[str], dict[str, int]]] = []

        @contextmanager
        def branch() -> Iterator[None]:
            self.assigned, self.places.least = set(assigned), dict(least)
            yield
            ends.append((self.assigned, self.places.least))
            self.origin.clear()

        yield branch
        self.assigned = set.intersection(*(one for one, _ in ends))
        self.places.least = {name: min(some.get(name, 0) for _, some in ends) for name in least}

    @contextmanager
    def loop(self, body: model.Block, certain: bool = False) -> Iterator[None]:
        """A body that may run again, and unless it is certain maybe not at all."""
        assigned, leaving = set(self.assigned), left_in(self, body)
        least = {name: number for name, number in self.places.least.items() if name not in leaving}
        self.places.least = dict(least)
        self.origin.clear()
        yield
        after = self.places.least
        self.places.least = {name: min(number, after.get(name, 0)) for name, number in least.items()}
        if not certain:
            self.assigned = assigned

    def _Each(self, s: model.Each) -> None:
        if s.at_once:
            raise NotCompiled(Text("decisions that are made at once"), s.span)
        if s.first is None:
            with self.loop(s.body), self.each(s.over) as item:
                self.slots[s.slot] = item
                self.block(s.body)
            return
        first = self.out.let("seat", self.needed(s.first).text)
        length = self.distance(s.first, s.last)
        if length is None:
            assert s.last is not None
            length = f"({self.needed(s.last).text} - {first}) % {self.players} + 1"
        turn = self.out.name("turn")
        with self.loop(s.body), self.out.block(f"for {turn} in range({length}):"):
            self.slots[s.slot] = Code(first, None, 0, self.players - 1)
            self.block(s.body)
            self.out(f"{first} = {self.tables.neighbour('left')}[{first}]")

    def distance(self, first: model.Expr, last: model.Expr | None) -> str | None:
        """How many players there are from the first to the last, if that is always the same."""
        if last is None:
            return str(self.players)
        (start, offset), (other, end) = self.seat(first), self.seat(last)
        return str((end - offset) % self.players + 1) if start == other else None

    def seat(self, player: model.Expr) -> tuple[Any, int]:
        """A seat as so many to the left of another."""
        match player:
            case model.Neighbour():
                base, offset = self.seat(player.player)
                return base, offset + (1 if player.side == "left" else -1)
            case model.Defined(argument=None):
                return self.seat(player.definition.value)
            case model.KeepOf(key=None):
                return player.keep.name, 0
            case model.Local():
                return player.slot, 0
        return player, 0
