"""Masks that are kept up to date beside the places: which cards fit somewhere, as far as that place alone decides.

A condition such as "value of card must be above value of end", for an end of the place that the card's own colour
names, asks only what lies in that place. So for every colour there is an answer that changes only when its place does,
and since no card has two colours, one mask holds the answers for all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from teufelswerk import model
from teufelswerk.compiled.emit import Code
from teufelswerk.compiled.places import Family
from teufelswerk.compiled.values import Values
from teufelswerk.diagnostics import Span
from teufelswerk.model import Expr
from teufelswerk.order import walk
from teufelswerk.values import NOT_CONSTANT

KEY, CARD, END = -7, -8, -9
"""Slots: the value of the attribute, which names the place; the card; an end of the place."""
Tree = TypeVar("Tree")
LOCAL = (
    model.Const, model.Local, model.AttributeOf, model.PlaceOf, model.CardAt, model.Members, model.Quantify,
    model.Compare, model.Logic, model.Not, model.Arith, model.Count, model.Total, model.Exists, model.Nth, model.Type,
)  # fmt: skip


@dataclass(frozen=True)
class Kept:
    """A mask that is kept: the cards that fit by a condition about a place that their attribute names."""

    name: str
    family: str
    attribute: str
    side: int | None
    """Which end the condition is about, if it is about one."""
    condition: Expr | None


class Planes(Values):
    """Writes the masks that are kept, where they are used and where they change."""

    def __init__(self, *given: Any, kept: tuple[Kept, ...] = (), **more: Any) -> None:
        super().__init__(*given, **more)
        self.kept_before = kept
        self.kept: list[Kept] = []
        for mask in kept:
            self.out.name(mask.name)
        self.places.changed = self.place_changed
        self.nowhere = self.rules.steps["game"].span

    def keyed_by(self, expr: Expr, slot: int) -> tuple[Family, str] | None:
        """The family of places, and the attribute of the card in the slot that names one of them."""
        if not isinstance(expr, model.PlaceOf) or not isinstance(expr.key, model.AttributeOf):
            return None
        card = expr.key.card
        if not isinstance(card, model.Local) or card.slot != slot:
            return None
        key = expr.place.key
        if key is None or key.kind != "name":
            return None
        return self.places.families[expr.place.name], expr.key.attribute

    def kept_mask(
        self, condition: Expr | None, slot: int, end_slot: int | None, where: tuple[Family, str]
    ) -> list[str] | None:
        """The kept masks for a condition, one for each end if it is about ends; None if more than the place decides."""
        family, attribute = where

        def general(part: Any) -> Any:
            """The same for all conditions that say the same: with slots of its own, and at no place in the file."""
            match part:
                case model.AttributeOf(attribute=name, card=model.Local(slot=number)):
                    if name == attribute and number == slot:
                        return model.Local(part.type, self.nowhere, KEY, "")
                case model.Local(slot=number):
                    place = CARD if number == slot else END if number == end_slot else number
                    return model.Local(part.type, self.nowhere, place, "")
                case model.Members(where=None) if part.slot:
                    return rewritten(replace(part, slot=0), general)
                case Span():
                    return self.nowhere
            return None

        condition = rewritten(condition, general)
        own = {part.slot for part in walk([condition]) if isinstance(part, model.Members)}
        if not all(self.is_local(part, family, {KEY, CARD, END} | own) for part in walk([condition])):
            return None
        names = []
        for side in (None,) if end_slot is None else (0, 1):
            mask = Kept("", family.place.name, attribute, side, condition)
            known = [k for k in (*self.kept, *self.kept_before) if replace(k, name="") == mask]
            if not known:
                known = [replace(mask, name=self.out.name(f"fits_{family.place.name}"))]
            if known[0] not in self.kept:
                self.kept.append(known[0])
            names.append(known[0].name)
        return names

    def is_local(self, part: Any, family: Family, slots: set[int]) -> bool:
        """Whether a part of a condition asks for nothing but the one place, the card and what is always the same."""
        if not isinstance(part, model.Typed):
            return True
        if isinstance(part, model.Local):
            return part.slot in slots
        if isinstance(part, model.PlaceOf):
            return part.place.name == family.place.name and isinstance(part.key, model.Local) and part.key.slot == KEY
        return isinstance(part, LOCAL) or self.evaluator.constant(part) is not NOT_CONSTANT  # type: ignore[arg-type]

    # ---- keeping up to date -----------------------------------------------------------------------------------------

    def declare_kept(self) -> None:
        for mask in self.kept_before:
            self.out(f"{mask.name} = 0")
        for family in {mask.family: None for mask in self.kept_before}:
            for index in range(self.places.families[family].size):
                self.place_changed(self.places.families[family], str(index), False)

    def place_changed(self, family: Family, index: str, some: bool | None) -> None:
        """Writes what brings the masks up to date after a change in a place."""
        masks = [mask for mask in self.kept_before if mask.family == family.place.name]
        if not masks:
            return
        high = family.size - 1
        key = Code(index, None, 0, high)
        owns: dict[str, str] = {}
        for attribute in dict.fromkeys(mask.attribute for mask in masks):
            owns[attribute] = self.own_cards(attribute, key)
        if some is not None:
            self.places.certain[family.place.name, index] = some
        if some:
            for side in dict.fromkeys(mask.side for mask in masks if mask.side is not None):
                card = self.out.let("lies", self.places.end(family, index, str(side)).text)
                self.places.seen[family.place.name, index, str(side)] = card
        for mask in masks:
            self.bring_up_to_date(mask, family, key, owns[mask.attribute])
        self.places.certain.clear()
        self.places.seen.clear()

    def own_cards(self, attribute: str, key: Code) -> str:
        """The cards whose attribute names the place."""
        if key.number is None:
            table = self.tables.comparison_with(attribute, "is", 0, key.high or 0)
            return self.out.let("own", f"{table}[{key.text}]")
        values = self.tables.values(attribute)
        return hex(self.tables.mask(lambda card: values[card] == key.number))

    def bring_up_to_date(self, mask: Kept, family: Family, key: Code, own: str) -> None:
        end = Code(f"({key.text} * 2 + {mask.side})", None, None, None, key.text, str(mask.side))
        some = self.places.some(family, key.text) if mask.side is not None else "True"
        fitting = own
        if some == "False":
            fitting = "0"
        elif mask.condition is not None:
            with self.bound(KEY, key), self.bound(END, end):
                fitting = self.fitting(mask.condition, CARD, own)
        if fitting == "0":
            self.out(f"{mask.name} &= ~{own}")
        elif fitting == own and some == "True":
            self.out(f"{mask.name} |= {own}")
        else:
            fitting = fitting if some == "True" else f"({fitting} if {some} else 0)"
            self.out(f"{mask.name} = {mask.name} & ~{own} | {fitting}")


def rewritten(tree: Tree, change: Callable[[Any], Any]) -> Tree:
    """A copy of a part of the model in which the parts that `change` gives something for are replaced by it."""
    changed = change(tree)
    if changed is not None:
        return changed  # type: ignore[no-any-return]
    if isinstance(tree, tuple):
        return tuple(rewritten(item, change) for item in tree)  # type: ignore[return-value]
    if not is_dataclass(tree) or not isinstance(tree, model.Typed) or isinstance(tree, model.Defined):
        return tree
    return replace(tree, **{f.name: rewritten(getattr(tree, f.name), change) for f in fields(tree) if f.init})
