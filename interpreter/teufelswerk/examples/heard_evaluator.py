"""Forms → functions of positions at a real table: where an open card decides, its people are asked, or both ways are
followed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from teufelswerk.core import forms as f
from teufelswerk.core.looks import is_face, is_face_up
from teufelswerk.core.walk import everything_in
from teufelswerk.examples.hearing import SHOWN, Question, Wanted, impossible
from teufelswerk.examples.open_cards import exclude, hold, left, may_lie, open_size
from teufelswerk.examples.open_evaluator import OpenEvaluator, Possible
from teufelswerk.examples.worlds import Forked, Split, SplitMany, Uncertain
from teufelswerk.interpreter import values
from teufelswerk.interpreter.machine import Machine
from teufelswerk.interpreter.sets import Items
from teufelswerk.interpreter.values import Function
from teufelswerk.model import DOWN

MOST_DOUBTS = 5
"""Of more cards it is not tried out whether each of them is there."""


class HeardEvaluator(OpenEvaluator):
    """Reads positions of a table whose people hold the cards themselves.

    In a place with an order, the cards of which it is known what they are lie behind those of which it is not.
    """

    def deciding(self, condition: f.Expr) -> Function:
        """What hangs on too many hidden cards is followed both ways: what people do next tells which one it was."""
        plain = super().deciding(condition)

        def deciding(m: Machine) -> bool:
            try:
                return bool(plain(m))
            except Wanted as wanted:
                if not asks_for_hidden(wanted):
                    raise
                return bool(m.hearing.suppose(2))

        return deciding

    def settled(self, plain: Items, form: f.CardsIn | f.Fitting) -> Items:
        settled, possible = super().settled(plain, form), self.possible(form)
        if possible is None:
            return settled
        find = possible

        def members(m: Machine) -> Sequence[int]:
            if m.open and m.hearing is not None:
                doubts = [doubt for _, doubt in find(m) if doubt]
                if len(doubts) > MOST_DOUBTS:
                    self.show(m, doubts[0][1])
            return settled(m)

        return members

    def possible(self, form: f.Expr) -> Possible | None:
        """… also where it depends on something which cards these are."""
        if isinstance(form, f.Defined):
            return self.possibly_defined(form)
        if isinstance(form, f.Taken):
            return self.possible(form.value)
        if isinstance(form, (f.If, f.First)):
            ways = [way for way in self.ways(form) if way is not None]
            return lambda m: next((list(found) for way in ways if (found := way(m)) is not None), [])
        return super().possible(cast(f.Items, form))

    def ways(self, form: f.Expr) -> list[Callable[[Machine], list[tuple[int, Uncertain | None]] | None] | None]:
        """The sets that a set may be, the first one that is there."""
        if isinstance(form, f.If):
            condition, then = self.value(form.condition), self.possible(form.then)
            others = self.ways(form.otherwise) if form.otherwise is not None else []
            return [(lambda m: then(m) if condition(m) else None) if then is not None else None, *others]
        if isinstance(form, f.First):
            return [way for option in form.options for way in self.ways(option)]
        return self.ways(form.value) if isinstance(form, f.Taken) else [self.possible(form)]

    def possibly_defined(self, form: f.Defined) -> Possible | None:
        inner, slot = self.possible(form.definition.value), form.definition.slot
        if inner is None or form.argument is None:
            return inner
        find, argument = inner, self.value(form.argument)

        def possible(m: Machine) -> list[tuple[int, Uncertain | None]]:
            m.slots[slot] = argument(m)
            return find(m)

        return possible

    # ---- how cards lie ----------------------------------------------------------------------------------------------

    def possibly_fitting(self, inner: Possible, form: f.Fitting) -> Possible:
        """Of cards that lie face up it is known which they are."""
        plain = super().possibly_fitting(inner, form)
        if not is_face_up(form.condition, form.slot) or not isinstance(form.items, f.CardsIn):
            return plain
        places, condition, slot = self.items(form.items.places), self.value(form.condition), form.slot

        def lying_up(m: Machine) -> list[tuple[int, Uncertain | None]]:
            there = places(m)
            if m.hearing is None or any(self.layout.place_of[place].seen_by == "all" for place in there):
                return plain(m)
            found: list[tuple[int, Uncertain | None]] = []
            for card in [card for place in there for card in m.places[place]]:
                m.slots[slot] = card
                if condition(m):
                    found.append((card, None))
            return found

        return lying_up

    def some(self, form: f.Some) -> Function:
        """Whether any card lies face down is known without knowing which."""
        plain, items = super().some(form), form.items
        if not isinstance(items, f.Fitting) or not isinstance(items.items, f.CardsIn):
            return plain
        condition, other = items.condition, values.always(True)
        down: f.Expr = condition
        if isinstance(condition, f.Logic) and condition.op == "and" and not names(condition.right, items.slot):
            down, other = condition.left, self.value(condition.right)
        if not is_face_down(down, items.slot):
            return plain
        places, faces = self.items(items.items.places), self.layout.faces
        assert faces is not None

        def some(m: Machine) -> bool:
            there = places(m)
            sizes = [open_size(m, place) for place in there]
            if m.hearing is None or any(size is None or self.layout.place_of[place].seen_by == "all"
                                        for size, place in zip(sizes, there, strict=True)):  # fmt: skip
                return bool(plain(m))
            known = [card for place in there for card in m.places[place] if m.keeps[faces + card] == DOWN]
            return bool(any(sizes) or known) and bool(other(m))

        return some

    # ---- what people say --------------------------------------------------------------------------------------------

    def show(self, m: Machine, place: int) -> None:
        """The cards in a place are shown, as far as they were hidden."""
        cards = m.hearing.cards(place, SHOWN, open_size(m, place), may_lie(m, place))
        others = [card for card in may_lie(m, place) if card not in cards]
        if not all(hold(m, card, place) for card in cards) or not all(exclude(m, card, place) for card in others):
            raise Forked(impossible)

    def settle_place(self, m: Machine, place: int) -> None:
        """Where the order means nothing, it is enough to know which cards there are."""
        if m.hearing is None or self.layout.ordered[place]:
            super().settle_place(m, place)

    def nth(self, form: f.Nth) -> Function:
        """The first card of a hidden place may be any of them; the last one is known, or people name it."""
        plain, where, items = super().nth(form), self.one_place(form.items), self.items(form.items)
        if where is None or form.position not in (0, -1):
            return plain

        def nth(m: Machine) -> int | None:
            place = where(m) if m.open and m.hearing is not None else None
            hidden = may_lie(m, place) if place is not None else []
            if place is None or not hidden or open_size(m, place) == 0:
                return plain(m)  # type: ignore[no-any-return]
            if not self.layout.ordered[place] or open_size(m, place) == 1:
                there = items(m)
                return there[form.position] if there else None
            if form.position == 0:
                return self.first_of(m, place)
            if not m.places[place]:
                self.turned(m, place)
            return int(m.places[place][-1])

        return nth

    def first_of(self, m: Machine, place: int) -> int:
        card = m.hearing.first.get(place)
        if card is None:
            hidden = may_lie(m, place)
            card = m.hearing.first[place] = hidden[m.hearing.suppose(len(hidden))]
            if not hold(m, card, place):
                raise Forked(impossible)
        return int(card)

    def turned(self, m: Machine, place: int) -> None:
        """The last card of a hidden place becomes known."""
        (card,) = m.hearing.cards(place, place, 1, may_lie(m, place))
        if not hold(m, card, place):
            raise Forked(impossible)
        self.put(m, card, place, 0)

    def put(self, m: Machine, card: int, place: int, at: int) -> None:
        """It is known from now on that a card lies there."""
        left(m, card)
        m.places[place].insert(at, card)
        m.where[card] = place
        self.layout.lie(m.keeps, place, [card])

    def few(self, form: f.Few) -> Items:
        """The last cards of a hidden place: as far as they are not known, people name them."""
        plain, where = super().few(form), self.one_place(form.items)
        if where is None or not form.last:
            return plain
        amount = self.value(form.amount)

        def few(m: Machine) -> Sequence[int]:
            place = where(m) if m.open and m.hearing is not None else None
            if place is None or not may_lie(m, place) or not self.layout.ordered[place]:
                return plain(m)
            wanted = amount(m)
            while len(m.places[place]) < wanted and open_size(m, place):
                self.turned(m, place)
            return m.places[place][-wanted:] if wanted > 0 else ()

        return few

    def one_place(self, items: f.Items) -> Callable[[Machine], int | None] | None:
        if isinstance(items, f.CardsIn) and isinstance(items.places, f.Only) and items.places.item.type.kind == "place":
            return self.value(items.places.item)
        return None

    def extreme(self, form: f.Extreme) -> Function:
        """Of players, that one of whom people say so later; of cards in hidden places, the one that they name."""
        plain = super().extreme(form)
        if form.type.kind == "card":
            possible = self.possible(form.items)
            if possible is None:
                return plain
            find = possible

            def best(m: Machine) -> int | None:
                if m.open and m.hearing is not None:
                    doubts = [doubt for _, doubt in find(m) if doubt]
                    if len(doubts) > MOST_DOUBTS:
                        return self.named(m, doubts[0][1])
                return plain(m)  # type: ignore[no-any-return]

            return best
        if form.type.kind != "player":
            return plain
        items = self.items(form.items)

        def leading(m: Machine) -> int | None:
            try:
                return plain(m)  # type: ignore[no-any-return]
            except (Split, SplitMany, Wanted):
                if m.hearing is None:
                    raise
                seats = tuple(items(m))
                return int(seats[m.hearing.suppose(len(seats))])

        return leading

    def named(self, m: Machine, place: int) -> int:
        """A card in a hidden place that people have to name."""
        (card,) = m.hearing.cards(place, place, 1, may_lie(m, place))
        if not hold(m, card, place):
            raise Forked(impossible)
        return int(card)


def names(form: f.Expr, slot: int) -> bool:
    """Whether a condition is about what a slot holds."""
    return any(isinstance(part, f.Slot) and part.slot == slot for part in everything_in(form))


def is_face_down(form: f.Expr, slot: int) -> bool:
    """Whether a condition asks nothing but whether the card in a slot lies face down."""
    return is_face(form, slot) and isinstance(form, f.Compare) and form.relation in ("is", "at_most") and (
        isinstance(form.right, f.Constant) and form.right.value == DOWN
    )  # fmt: skip


def asks_for_hidden(wanted: Wanted) -> bool:
    """Whether it is asked what lies in a hidden place."""
    return isinstance(wanted.question, Question) and wanted.question.to == SHOWN
