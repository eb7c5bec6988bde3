"""Sets → masks and loops: which cards, ends, players, places and names belong to them, and in which order."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from teufelswerk import model
from teufelswerk.compiled.context import Context
from teufelswerk.compiled.emit import Code, NotCompiled
from teufelswerk.compiled.places import Family
from teufelswerk.compiled.tables import FLIPPED, compare
from teufelswerk.model import Expr
from teufelswerk.texts import Text
from teufelswerk.values import NOT_CONSTANT


class Sets(Context):
    """Writes sets of cards as masks, and goes through all other sets in the order of the reference interpreter."""

    @abstractmethod
    def value(self, expr: Expr) -> Code: ...

    @abstractmethod
    def needed(self, expr: Expr) -> Code: ...

    @abstractmethod
    def test(self, expr: Expr) -> str: ...

    # ---- cards as masks ---------------------------------------------------------------------------------------------

    def mask(self, expr: Expr) -> str:
        """The cards of a set, or in a place or in several, as a mask."""
        match expr:
            case model.Members():
                found = self.mask(expr.base)
                kinds = self.tables.kinds(expr.type.card_kinds)
                if kinds != self.tables.all:
                    found = self.narrowed(found, hex(kinds))
                return found if expr.where is None else self.fitting(expr.where, expr.slot, found)
            case model.Everything() if expr.type.kind == "card":
                return hex(self.tables.kinds(expr.type.card_kinds))
            case model.Defined(argument=None):
                return self.mask(expr.definition.value)
            case model.Local() if expr.type.kind == "card" and expr.type.many:
                return self.value(expr).text
        if expr.type.kind != "place":
            raise NotCompiled(Text("a set of this kind"), expr.span)
        if not expr.type.many:
            index = self.value(expr)
            found = self.places.mask(self.family(expr.type), index.text)
            return found if index.present is None else f"({found} if {index.present} else 0)"
        cards = self.out.let("cards", "0")
        with self.each(expr) as place:
            self.out(f"{cards} |= {self.places.mask(self.family(expr.type), place.text)}")
        return cards

    @staticmethod
    def narrowed(within: str, mask: str) -> str:
        a, b = Code(within).number, Code(mask).number
        if a is not None and b is not None:
            return hex(a & b)
        return f"({within} & {mask})"

    def fitting(self, condition: Expr, slot: int, within: str) -> str:
        """Those cards of a mask for which a condition about the slot holds."""
        if not self.depends(condition, slot):
            test = self.test(condition)
            if test in ("True", "not (False)"):
                return within
            return "0" if test in ("False", "not (True)") else f"({within} if {test} else 0)"
        match condition:
            case model.Logic(op="and"):
                return self.fitting(condition.right, slot, self.fitting(condition.left, slot, within))
            case model.Logic():
                within = self.out.named("cards", Code(within)).text
                left = self.fitting(condition.left, slot, within)
                return f"({left} | {self.fitting(condition.right, slot, within)})"
            case model.Not():
                within = self.out.named("cards", Code(within)).text
                return f"({within} & ~{self.fitting(condition.operand, slot, within)})"
            case model.Defined(argument=None):
                return self.fitting(condition.definition.value, slot, within)
            case model.Compare():
                mask = self.compared(condition, slot)
                if mask is not None:
                    return self.narrowed(within, mask)
            case model.Quantify(amount=None, every=None) if self.is_about(condition, slot):
                within = self.out.named("cards", Code(within)).text
                found = self.out.let("found", "0")
                self.gather(condition.members, slot, within, found)
                return found if condition.quantity == "some" else f"({within} & ~{found})"
        return self.one_by_one(condition, slot, within)

    def gather(self, members: model.Members, slot: int, within: str, found: str) -> None:
        """Adds to a mask, for each of the members, the cards for which their condition holds."""
        assert members.where is not None
        if members.type.kind != "end":
            with self.each_member(members, plain=True):
                self.out(f"{found} |= {self.fitting(members.where, slot, within)}")
            return
        family = self.family(members.base.type)
        with self.each(members.base) as place, self.out.block(f"if {self.places.some(family, place.text)}:"):
            for side in ("0", "1"):
                with self.bound(members.slot, Code("", None, None, None, place.text, side)):
                    self.out(f"{found} |= {self.fitting(members.where, slot, within)}")

    def is_about(self, condition: model.Quantify, slot: int) -> bool:
        """Whether only the condition of the members, and not where they are, is about the slot."""
        members = condition.members
        return members.where is not None and not self.depends(members.base, slot)

    def compared(self, expr: model.Compare, slot: int) -> str | None:
        """The cards whose attribute compares so with something that does not depend on them."""
        left, relation, right = expr.left, expr.relation, expr.right
        if self.depends(right, slot):
            left, relation, right = right, FLIPPED[relation], left
        if self.depends(right, slot) or not isinstance(left, model.AttributeOf):
            return None
        if not isinstance(left.card, model.Local) or left.card.slot != slot:
            return None
        known = self.evaluator.constant(right)
        if known is not NOT_CONSTANT:
            values = self.tables.values(left.attribute)
            return hex(self.tables.mask(lambda card: compare(relation, values[card], known)))
        if isinstance(right, model.AttributeOf):
            card = self.value(right.card)
            table = self.tables.comparison(left.attribute, relation, right.attribute)
        else:
            card = self.value(right)
            if card.low is None or card.high is None or card.high - card.low > len(self.rules.cards):
                return None
            table = self.tables.comparison_with(left.attribute, relation, card.low, card.high)
            if card.low:
                card = Code(f"{card.text} - {card.low}", card.present)
        if card.present is None:
            return f"{table}[{card.text}]"
        otherwise = hex(self.tables.all) if relation == "is_not" else "0"
        return f"({table}[{card.text}] if {card.present} else {otherwise})"

    def one_by_one(self, condition: Expr, slot: int, within: str) -> str:
        found = self.out.let("found", "0")
        with self.bits(within) as card, self.bound(slot, card), self.out.block(f"if {self.test(condition)}:"):
            self.out(f"{found} |= 1 << {card.text}")
        return found

    @contextmanager
    def bits(self, mask: str) -> Iterator[Code]:
        """Goes through the cards of a mask, lowest first."""
        rest = self.out.let("rest", mask)
        with self.out.block(f"while {rest}:"):
            card = self.out.let("card", f"({rest} & -{rest}).bit_length() - 1")
            self.out(f"{rest} &= {rest} - 1")
            yield Code(card, None, 0, len(self.rules.cards) - 1)

    # ---- going through sets -----------------------------------------------------------------------------------------

    @contextmanager
    def each(self, expr: Expr) -> Iterator[Code]:
        """Goes through a set of players, places or names."""
        if isinstance(expr, model.Members):
            with self.each_member(expr) as item:
                yield item
            return
        if isinstance(expr, model.Defined) and expr.argument is None:
            with self.each(expr.definition.value) as item:
                yield item
            return
        if not expr.type.many and expr.type.kind == "place":
            index = self.value(expr)
            with self.out.block(f"if {index.present}:") if index.present else nullcontext():
                yield Code(index.text, None, index.low, index.high)
            return
        if not isinstance(expr, model.Everything) or expr.type.kind not in ("player", "place", "name"):
            raise NotCompiled(Text("a set of this kind"), expr.span)
        low, high = self.bounds(expr.type.one())
        name = self.out.name(expr.type.of or expr.type.kind)
        with self.out.block(f"for {name} in range({(high or 0) + 1}):"):
            yield Code(name, None, low, high)

    @contextmanager
    def each_member(self, members: model.Members, plain: bool = False) -> Iterator[Code]:
        """Goes through the members in order; `plain` leaves their condition to the caller."""
        where = None if plain else members.where
        with self.candidate(members) as item, self.bound(members.slot, item):
            if where is None:
                yield item
            else:
                with self.out.block(f"if {self.test(where)}:"):
                    yield item

    @contextmanager
    def candidate(self, members: model.Members) -> Iterator[Code]:
        base, kind = members.base, members.type.kind
        if kind == "card" and base.type.kind == "place":
            with self.each(base) as place, self.each_card(self.family(base.type), place, members.type) as card:
                yield card
        elif kind == "card":
            with self.bits(self.mask(model.Members(members.type, members.span, base, None, members.slot))) as card:
                yield card
        elif kind == "end":
            family = self.family(base.type)
            with self.each(base) as place, self.out.block(f"if {self.places.some(family, place.text)}:"):
                side = self.out.name("side")
                with self.out.block(f"for {side} in range(2):"):
                    end = self.out.let("end", f"{place.text} * 2 + {side}")
                    yield Code(end, None, 0, 2 * family.size - 1, place.text, side)
        else:
            with self.each(base) as item:
                yield item

    @contextmanager
    def each_card(self, family: Family, place: Code, type: model.Type) -> Iterator[Code]:
        """Goes through the cards in a place in their order."""
        kinds = self.tables.kinds(type.card_kinds)
        if not family.ordered:
            mask = self.places.mask(family, place.text)
            with self.bits(mask if kinds == self.tables.all else f"{mask} & {kinds:#x}") as card:
                yield card
            return
        position = self.out.name("position")
        with self.out.block(f"for {position} in range({self.places.count(family, place.text).text}):"):
            found = self.out.let("card", self.places.card_at(family, place.text, position))
            card = Code(found, None, 0, len(self.rules.cards) - 1)
            if kinds == self.tables.all:
                yield card
            else:
                with self.out.block(f"if {kinds:#x} >> {found} & 1:"):
                    yield card
