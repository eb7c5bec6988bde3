"""Typed expressions → functions of the machine: names, things and what belongs to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from teufelswerk import model
from teufelswerk.diagnostics import Span
from teufelswerk.limits import MAX_NUMBER
from teufelswerk.machine import TOP, Layout, Machine, RuleError
from teufelswerk.model import Expr
from teufelswerk.texts import Text

Function: TypeAlias = Callable[[Machine], Any]
NOT_CONSTANT = object()


def absent(span: Span) -> RuleError:
    words = span.source.lines[span.line - 1][span.column - 1 : span.end - 1]
    message = Text("`{words}` is needed here, but there is none in this position", words=words)
    help = Text("it may lie elsewhere by then, or not have happened yet: use it before, or remember it with `keep`")
    return RuleError("absent", message, span, help)


class Values:
    """Makes a function for each expression that names something; definitions are made once and shared."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.model = layout.model
        self.players = layout.players
        self.definitions: dict[tuple[str, bool], Function] = {}
        self.tables = {name: [card.values.get(name) for card in self.model.cards] for name in self.model.attributes}
        self.seats: dict[str, int] = {}
        """In an example: where each person sits."""
        self.out = self.model.definitions.get("out")
        self.asking_who_is_out = False

    # ---- entry points -----------------------------------------------------------------------------------------------

    def function(self, expr: Expr) -> Function:
        """The expression's value, or None if it is absent."""
        value = self.constant(expr)
        if value is not NOT_CONSTANT:
            return lambda m: value
        method: Callable[[Any], Function] = getattr(self, "_" + type(expr).__name__)
        return method(expr)

    def needed(self, expr: Expr) -> Function:
        """The expression's value; being absent is an error of the rules."""
        function = self.function(expr)
        if not expr.type.optional and not isinstance(expr, model.KeepOf):
            return function

        def present(m: Machine) -> Any:
            value = function(m)
            if value is None:
                raise absent(expr.span)
            return value

        return present

    def constant(self, expr: Expr) -> Any:
        """The value, if it is the same in every position."""
        match expr:
            case model.Const():
                return expr.value
            case model.Person():
                return self.seats.get(expr.name, NOT_CONSTANT)
            case model.Defined(argument=None):
                return self.constant(expr.definition.value)
            case model.Arith():
                left, right = self.constant(expr.left), self.constant(expr.right)
                if left is NOT_CONSTANT or right is NOT_CONSTANT:
                    return NOT_CONSTANT
                return self.calculate(expr, left, right)
            case model.Count(members=model.Members(base=model.Everything(), where=None)):
                kind = expr.members.base.type.kind
                if kind == "player" and self.out is None:
                    return self.players
                if kind == "card":
                    return sum(card.kind in expr.members.type.card_kinds for card in self.model.cards)
        return NOT_CONSTANT

    def calculate(self, expr: model.Arith, left: int, right: int) -> int:
        if expr.op == "+":
            result = left + right
        elif expr.op == "-":
            result = left - right
        elif expr.op == "*":
            result = left * right
        elif right == 0:
            raise RuleError("division-by-zero", Text("this divides by zero"), expr.span)
        else:
            result = left // right if expr.op == "/down" else -(-left // right)
        if abs(result) > MAX_NUMBER:
            raise RuleError("large-number", Text("a number is at most {limit}", limit=MAX_NUMBER), expr.span)
        return result

    # ---- names and things -------------------------------------------------------------------------------------------

    def _Person(self, expr: model.Person) -> Function:
        raise RuleError("unknown-person", Text("`{name}` is nobody at this table", name=expr.name), expr.span)

    def _Local(self, expr: model.Local) -> Function:
        slot = expr.slot
        return lambda m: m.slots[slot]

    def _AttributeOf(self, expr: model.AttributeOf) -> Function:
        table = self.tables[expr.attribute]
        if isinstance(expr.card, model.Local):
            slot = expr.card.slot
            return lambda m: table[m.slots[slot]]
        card = self.function(expr.card)

        def attribute(m: Machine) -> int | None:
            index = card(m)
            return None if index is None else table[index]

        return attribute

    def _PlaceOf(self, expr: model.PlaceOf) -> Function:
        base = self.layout.place_base[expr.place.name]
        if expr.key is None:
            return lambda m: base
        return self.keyed(expr.key, base, expr.place.key, expr.span)

    def keyed(self, key: Expr, base: int, family: model.Key | None, span: Span) -> Function:
        """The number of a family's member."""
        assert family
        find = self.function(key)
        if family.kind != "number":

            def member(m: Machine) -> int | None:
                value = find(m)
                return None if value is None else base + value

            return member
        low, high = family.low, family.high

        def numbered(m: Machine) -> int | None:
            value = find(m)
            if value is not None and not low <= value <= high:
                raise RuleError("no-such-place", Text("there is none with the number {n}", n=value), span)
            return None if value is None else base + value - low

        return numbered

    def _KeepOf(self, expr: model.KeepOf) -> Function:
        index = self.keep_index(expr)
        keep, span = expr.keep, expr.span

        def kept(m: Machine) -> Any:
            number = index(m)
            if number is None:
                return None
            value = m.keeps[number]
            if value is None:
                raise RuleError("not-set-yet", Text("`{name}` is read before it has been set", name=keep.name), span)
            return value

        return kept

    def keep_index(self, expr: model.KeepOf) -> Function:
        base = self.layout.keep_base[expr.keep.name]
        if expr.key is None:
            return lambda m: base
        return self.keyed(expr.key, base, expr.keep.key, expr.span)

    def _Defined(self, expr: model.Defined) -> Function:
        definition = expr.definition
        value = self.defined(definition)
        if expr.argument is None:
            return value
        argument, slot = self.function(expr.argument), definition.slot

        def apply(m: Machine) -> Any:
            given = argument(m)
            if given is None:
                return None
            m.slots[slot] = given
            return value(m)

        return apply

    def defined(self, definition: model.Definition) -> Function:
        """The value of a definition. In `out`, and in all that it names, nobody is passed over: that is only asked."""
        outer = self.asking_who_is_out
        asking = outer or definition is self.out
        if (definition.name, asking) not in self.definitions:
            self.asking_who_is_out = asking
            try:
                self.definitions[definition.name, asking] = self.function(definition.value)
            finally:
                self.asking_who_is_out = outer
        return self.definitions[definition.name, asking]

    def is_out(self) -> Callable[[Machine, int], bool] | None:
        """Whether a player is out, if the game knows such a thing and is not just asking for it."""
        if self.out is None or self.out.parameter != model.PLAYER or self.asking_who_is_out:
            return None
        out, slot = self.defined(self.out), self.out.slot

        def is_out(m: Machine, seat: int) -> bool:
            # It is asked in the midst of other questions, and may name the same definitions as they do.
            outer = m.slots
            m.slots = outer.copy()
            m.slots[slot] = seat
            try:
                return bool(out(m))
            finally:
                m.slots = outer

        return is_out

    def next_player(self, step: int) -> Callable[[Machine, int], int]:
        """The next player in one direction who is not out."""
        n, out = self.players, self.is_out()
        if out is None:
            return lambda m, player: (player + step) % n

        def following(m: Machine, player: int) -> int:
            for distance in range(1, n + 1):
                seat = (player + step * distance) % n
                if not out(m, seat):
                    return seat
            return player

        return following

    def _Neighbour(self, expr: model.Neighbour) -> Function:
        player = self.function(expr.player)
        following = self.next_player(1 if expr.side == "left" else -1)

        def neighbour(m: Machine) -> int | None:
            seat = player(m)
            return None if seat is None else following(m, seat)

        return neighbour

    def _PlayerOf(self, expr: model.PlayerOf) -> Function:
        card, owner = self.function(expr.card), self.layout.owner

        def player(m: Machine) -> int | None:
            index = card(m)
            if index is None:
                return None
            self.settle(m, index)
            lies = owner[m.where[index]]
            if lies < 0:
                lies = m.owners[index]
            return None if lies < 0 else lies

        return player

    def settle(self, m: Machine, card: int) -> None:
        """Hook for examples: the card's place is about to be looked at."""

    def settle_place(self, m: Machine, place: int) -> None:
        """Hook for examples: the order of the cards in a place is about to be looked at."""

    def _Nth(self, expr: model.Nth) -> Function:
        of = self.function(expr.of)
        position = {"first": 0, "second": 1, "last": -1}[expr.which]
        least = max(position, 0)
        is_place = expr.of.type.kind == "place"
        settle_place = self.settle_place
        # In a place that everyone sees, no example leaves anything open.
        is_open = not (isinstance(expr.of, model.PlaceOf) and expr.of.place.seen_by == "all")
        if is_place and (not is_open or type(self).settle_place is Values.settle_place):
            if isinstance(expr.of, model.PlaceOf) and expr.of.key is None:
                always = self.layout.place_base[expr.of.place.name]

                def nth_always_there(m: Machine) -> int | None:
                    cards = m.places[always]
                    return cards[position] if len(cards) > least else None

                return nth_always_there

            def nth_there(m: Machine) -> int | None:
                place = of(m)
                cards = () if place is None else m.places[place]
                return cards[position] if len(cards) > least else None

            return nth_there

        def nth(m: Machine) -> int | None:
            cards = of(m)
            if cards is None:
                return None
            if is_place:
                settle_place(m, cards)
                cards = m.places[cards]
            return cards[position] if len(cards) > least else None

        return nth

    def _CardAt(self, expr: model.CardAt) -> Function:
        end = self.function(expr.end)

        def card(m: Machine) -> int | None:
            value = end(m)
            if value is None:
                return None
            cards = m.places[value >> 1]
            return (cards[-1] if value & 1 == TOP else cards[0]) if cards else None

        return card
