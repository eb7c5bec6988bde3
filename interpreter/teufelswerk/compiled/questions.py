"""Questions about sets → what is written to answer them: whether there are any, how many, the highest, the sum."""

from __future__ import annotations

from teufelswerk import model
from teufelswerk.compiled.emit import Code, NotCompiled
from teufelswerk.compiled.places import Family
from teufelswerk.compiled.sets import Sets
from teufelswerk.model import Expr
from teufelswerk.texts import Text

FEW_VALUES = 8
"""With no more values than this, a sum counts the cards of each value."""


class Questions(Sets):
    """Writes what is asked about sets."""

    def some(self, expr: Expr) -> str:
        """Whether a set has any members."""
        if expr.type.kind != "card":
            return f"{self.size(expr).text} > 0"
        whole = self.whole_place(expr)
        return f"{self.mask(expr)} != 0" if whole is None else self.places.some(*whole)

    def whole_place(self, expr: Expr) -> tuple[Family, str] | None:
        """The place, if a set is nothing but all cards of one."""
        if not isinstance(expr, model.Members) or expr.where is not None or expr.type.kind != "card":
            return None
        base = expr.base
        if base.type.kind != "place" or base.type.many:
            return None
        if self.tables.kinds(expr.type.card_kinds) != self.tables.all:
            return None
        index = self.value(base)
        return None if index.present else (self.family(base.type), index.text)

    def size(self, expr: Expr) -> Code:
        """How many members a set has."""
        if expr.type.kind == "card":
            return Code(f"{self.mask(expr)}.bit_count()", None, 0, len(self.rules.cards))
        number = self.out.let("number", "0")
        with self.each(expr):
            self.out(f"{number} += 1")
        return Code(number, None, 0, 2 * len(self.rules.cards) + self.players)

    def quantified(self, expr: model.Quantify) -> str:
        if expr.every is None:
            return self.enough(expr)
        places, slot = expr.every
        holds = self.out.let("holds", "True")
        with self.each(places) as place, self.bound(slot, place), self.out.block(f"if not ({self.enough(expr)}):"):
            self.out(f"{holds} = False")
        return holds

    def enough(self, expr: model.Quantify) -> str:
        if expr.amount is None:
            found = self.some(expr.members)
            return found if expr.quantity == "some" else f"not ({found})"
        amount, number = self.needed(expr.amount), self.count(expr.members)
        sign = {"at_least_n": ">=", "at_most_n": "<="}.get(expr.quantity, "==")
        return f"{number.text} {sign} {amount.text}"

    def count(self, members: model.Members) -> Code:
        whole = self.whole_place(members)
        return self.size(members) if whole is None else self.places.count(*whole)

    def _Count(self, expr: model.Count) -> Code:
        return self.count(expr.members)

    def _Best(self, expr: model.Best) -> Code:
        members, by, lowest = expr.members, expr.by, expr.extreme == "lowest"
        if members.type.kind == "card" and self.is_plain(by, members.slot):
            assert isinstance(by, model.AttributeOf)
            if self.tables.rises(by.attribute, self.tables.kinds(members.type.card_kinds)):
                found = self.out.let("found", self.mask(members))
                text = f"({found} & -{found}).bit_length() - 1" if lowest else f"{found}.bit_length() - 1"
                return Code(text, f"{found} != 0", 0, len(self.rules.cards) - 1)
        best, record = self.out.let("best", "-1"), self.out.let("record", "0")
        with self.each_member(members) as item:
            value = self.out.named("value", self.value(by))
            better = f"{value.text} {'<' if lowest else '>'} {record}"
            with self.out.block(f"if {f'{value.present} and ' if value.present else ''}({best} < 0 or {better}):"):
                self.out(f"{best}, {record} = {item.text}, {value.text}")
        return Code(best, f"{best} >= 0", *self.bounds(members.type.one()))

    def is_plain(self, by: Expr, slot: int) -> bool:
        return isinstance(by, model.AttributeOf) and isinstance(by.card, model.Local) and by.card.slot == slot

    def _Total(self, expr: model.Total) -> Code:
        members, by = expr.members, expr.by
        if members.type.kind == "card" and self.is_plain(by, members.slot):
            assert isinstance(by, model.AttributeOf)
            values = self.tables.values(by.attribute)
            reach = sum(abs(value) for value in values if value)
            different = sorted({value for value in values if value})
            if len(different) <= FEW_VALUES:
                cards = self.out.let("cards", self.mask(members))
                masks = [(v, self.tables.mask(lambda card, v=v: values[card] == v)) for v in different]  # type: ignore[misc]
                parts = [f"{'' if v == 1 else f'{v} * '}({cards} & {mask:#x}).bit_count()" for v, mask in masks]
                return Code(f"({' + '.join(parts) or '0'})", None, -reach, reach)
        total = self.out.let("total", "0")
        with self.each_member(members):
            value = self.value(by)
            if value.present is None:
                self.out(f"{total} += {value.text}")
            else:
                with self.out.block(f"if {value.present}:"):
                    self.out(f"{total} += {value.text}")
        return Code(total)

    def _Random(self, expr: model.Random) -> Code:
        members = expr.members
        if members.where is None and isinstance(members.base, model.Everything) and members.type.kind != "card":
            low, high = self.bounds(members.type.one())
            drawn = self.out.name("drawn")
            self.out(f"chance, {drawn} = below(chance, {(high or 0) + 1})")
            return Code(drawn, None, low, high)
        number = self.out.named("number", self.size(members)).text
        drawn, rest = self.out.let("drawn", "-1"), self.out.name("rest")
        with self.out.block(f"if {number} > 0:"):
            self.out(f"chance, {rest} = below(chance, {number})")
            with self.each_member(members) as item:
                with self.out.block(f"if {rest} == 0:"):
                    self.out(f"{drawn} = {item.text}")
                self.out(f"{rest} -= 1")
        return Code(drawn, f"{drawn} >= 0", *self.bounds(members.type.one()))

    def nth_of_set(self, expr: model.Nth) -> Code:
        """The first or last of some cards."""
        if expr.which == "second" or not isinstance(expr.of, model.Members):
            raise NotCompiled(Text("the second of some cards"), expr.span)
        found = self.out.let("found", "-1")
        with self.each_member(expr.of) as item:
            if expr.which == "last":
                self.out(f"{found} = {item.text}")
            else:
                with self.out.block(f"if {found} < 0:"):
                    self.out(f"{found} = {item.text}")
        return Code(found, f"{found} >= 0", 0, len(self.rules.cards) - 1)
