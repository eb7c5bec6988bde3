"""Where cards lie, as integers: a set is a mask; a place that keeps order is an array, a number and maybe a mask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from teufelswerk.compiled.emit import Code, Source
from teufelswerk.compiled.tables import Tables
from teufelswerk.machine import Layout
from teufelswerk.model import Place


@dataclass(frozen=True)
class Family:
    """A place or a family of places, with the names of the variables that hold it."""

    place: Place
    name: str
    size: int
    ordered: bool

    @property
    def single(self) -> bool:
        return self.place.key is None

    @property
    def two_ended(self) -> bool:
        return self.place.two_ended


class Places:
    """Writes what reads and changes the places. Only what some rule reads is kept at all: `read` says what that is."""

    def __init__(self, out: Source, tables: Tables, layout: Layout, read: frozenset[tuple[str, str]] | None) -> None:
        self.out = out
        self.tables = tables
        self.cards = len(layout.model.cards)
        self.known = read
        self.changed: Callable[[Family, str, bool | None], None] = lambda family, index, some: None
        """Told after every change in a place, and whether there are cards now if that is sure."""
        self.least: dict[str, int] = {}
        """How many cards at least lie in each place that is not of a family, as far as that is sure here."""
        self.bits: dict[str, str] = {}
        """Names for the bits of cards."""
        self.chosen: dict[str, str] = {}
        """The same for cards that were chosen: their bits come first."""
        self.certain: dict[tuple[str, str], bool] = {}
        """Of which places it is sure here whether there are cards."""
        self.seen: dict[tuple[str, str, str], str] = {}
        """Names for cards at the ends, while nothing changes."""
        self.read: set[tuple[str, str]] = set()
        self.families = {
            place.name: Family(
                place,
                out.name(place.name),
                len(layout.keys(place.key)),
                layout.ordered[layout.place_base[place.name]],
            )
            for place in layout.model.places.values()
        }

    def keeps(self, family: Family, aspect: str) -> bool:
        """Whether the mask, the cards in their order or the number is read anywhere."""
        return self.known is None or (family.place.name, aspect) in self.known

    def room(self, family: Family) -> int:
        return 2 * self.cards + 1 if family.two_ended else self.cards

    # ---- variables --------------------------------------------------------------------------------------------------

    def at(self, family: Family, index: str, suffix: str = "") -> str:
        name = family.name + suffix
        return name if family.single else f"{name}[{index}]"

    def _base(self, family: Family, index: str) -> str:
        """Where the first position of a place lies in the array of its family."""
        if family.two_ended:
            return self.at(family, index, "_at")
        if family.single:
            return "0"
        number = Code(index).number
        return f"{index} * {self.cards}" if number is None else str(number * self.cards)

    def position(self, family: Family, index: str, offset: str) -> str:
        base = self._base(family, index)
        where = offset if base == "0" else base if offset == "0" else f"{base} + {offset}"
        return f"{family.name}_row[{where}]"

    def declare(self) -> None:
        """All places, empty but for the box, which holds all cards."""
        for family in self.families.values():
            size, single = family.size, family.single
            if self.keeps(family, "set"):
                suffix = "_set" if family.ordered else ""
                start = hex(self.tables.all) if family.place.index == 0 else "0"
                self.out(f"{family.name}{suffix} = {start if single else f'array({size})'}")
            if not family.ordered:
                continue
            if self.keeps(family, "cards"):
                self.out(f"{family.name}_row = array({self.room(family) * size})")
            self.out(f"{family.name}_n = {'0' if single else f'array({size})'}")
            if family.place.index == 0:
                if self.keeps(family, "cards"):
                    self.out(f"{family.name}_row[0:{self.cards}] = {self.tables.cards_of(self.tables.all)}")
                self.out(f"{family.name}_n = {self.cards}")
            if family.two_ended:
                if single:
                    self.out(f"{family.name}_at = {self.cards}")
                else:
                    self.out(f"{family.name}_at = array({size})")
                    for index in range(size):
                        self._middle(family, str(index))

    def _start(self, family: Family, index: str) -> str:
        number = Code(index).number
        return f"{index} * {self.room(family)}" if number is None else str(number * self.room(family))

    def _middle(self, family: Family, index: str) -> None:
        if not family.two_ended:
            return
        start = self._start(family, index)
        middle = f"{start} + {self.cards}" if Code(start).number is None else str(int(start) + self.cards)
        self.out(f"{self.at(family, index, '_at')} = {middle}")

    # ---- reading ----------------------------------------------------------------------------------------------------

    def mask(self, family: Family, index: str) -> str:
        self.read.add((family.place.name, "set"))
        return self.at(family, index, "_set" if family.ordered else "")

    def count(self, family: Family, index: str) -> Code:
        if family.ordered:
            return Code(self.at(family, index, "_n"), None, 0, self.cards)
        return Code(f"{self.mask(family, index)}.bit_count()", None, 0, self.cards)

    def some(self, family: Family, index: str) -> str:
        """Whether there is a card."""
        sure = self.certain.get((family.place.name, index))
        if sure is not None:
            return str(sure)
        return f"{self.at(family, index, '_n')} > 0" if family.ordered else f"{self.mask(family, index)} != 0"

    def card(self, family: Family, index: str, which: str) -> Code:
        """The first, second or last card of a place that keeps order."""
        self.read.add((family.place.name, "cards"))
        n = self.at(family, index, "_n")
        offset, more = {"first": "0", "second": "1"}.get(which, f"{n} - 1"), 1 if which == "second" else 0
        sure = self.least.get(family.place.name, 0) > more
        return Code(self.position(family, index, offset), None if sure else f"{n} > {more}")

    def card_at(self, family: Family, index: str, position: str) -> str:
        """The card at a position of a place that keeps order."""
        self.read.add((family.place.name, "cards"))
        return self.position(family, index, position)

    def bit(self, card: str) -> str:
        return self.bits.get(card) or self.chosen.get(card) or f"1 << {card}"

    def _at_least(self, family: Family, change: int) -> None:
        if family.single:
            self.least[family.place.name] = max(0, self.least.get(family.place.name, 0) + change)

    # ---- changing ---------------------------------------------------------------------------------------------------

    def clear(self, family: Family, index: str) -> None:
        self.least.pop(family.place.name, None)
        if self.keeps(family, "set"):
            self.out(f"{self.at(family, index, '_set' if family.ordered else '')} = 0")
        if family.ordered:
            self.out(f"{self.at(family, index, '_n')} = 0")
            self._middle(family, index)
        self.changed(family, index, False)

    def remove_card(self, family: Family, index: str, card: str) -> None:
        """Takes a card out of the place in which it is known to lie."""
        self.read.add((family.place.name, "less"))
        self._at_least(family, -1)
        if self.keeps(family, "set"):
            self.out(f"{self.at(family, index, '_set' if family.ordered else '')} ^= {self.bit(card)}")
        if family.ordered:
            n, base = self.at(family, index, "_n"), self._base(family, index)
            if self.keeps(family, "cards"):
                self.out(f"{n} = taken({family.name}_row, {base}, {n}, {self.bit(card)})")
            else:
                self.out(f"{n} -= 1")
        self.changed(family, index, None)

    def remove_mask(self, family: Family, index: str, mask: str) -> None:
        """Takes the cards of a mask out of a place, as far as they lie there."""
        self.least.pop(family.place.name, None)
        if mask == hex(self.tables.all):
            self.clear(family, index)
            return
        self.read.add((family.place.name, "less"))
        if self.keeps(family, "set"):
            self.out(f"{self.at(family, index, '_set' if family.ordered else '')} &= ~{mask}")
        if family.ordered:
            self.read.add((family.place.name, "cards"))
            n, base = self.at(family, index, "_n"), self._base(family, index)
            self.out(f"{n} = taken({family.name}_row, {base}, {n}, {mask})")
        self.changed(family, index, None)

    def remove_everywhere(self, mask: str) -> None:
        for family in self.families.values():
            if family.ordered or self.keeps(family, "set"):
                for index in range(family.size):
                    self.remove_mask(family, str(index), mask)

    def add_card(self, family: Family, index: str, card: str, bottom: bool = False) -> None:
        """Puts a card onto a place, on top or at the bottom."""
        if self.keeps(family, "set"):
            self.out(f"{self.at(family, index, '_set' if family.ordered else '')} |= {self.bit(card)}")
        self._at_least(family, 1)
        if not family.ordered:
            self.changed(family, index, True)
            return
        n = self.at(family, index, "_n")
        if bottom:
            at = self.at(family, index, "_at")
            if self.keeps(family, "less"):
                with self.out.block(f"if {at} == {self._start(family, index)}:"):
                    self.out("return -1")
            self.out(f"{at} -= 1")
            if self.keeps(family, "cards"):
                self.out(f"{self.position(family, index, '0')} = {card}")
        elif self.keeps(family, "cards"):
            self.out(f"{self.position(family, index, n)} = {card}")
        self.out(f"{n} += 1")
        self.changed(family, index, True)

    def add_mask(self, family: Family, index: str, mask: str) -> None:
        """Puts the cards of a mask onto a place, in the order of the cards."""
        if not family.ordered:
            if self.keeps(family, "set"):
                self.out(f"{self.at(family, index)} |= {mask}")
            self.changed(family, index, None)
            return
        n, number = self.at(family, index, "_n"), Code(mask).number
        if self.keeps(family, "set"):
            self.out(f"{self.at(family, index, '_set')} |= {mask}")
        if number is not None and family.single and not family.two_ended:
            table, size = self.tables.cards_of(number), number.bit_count()
            if self.keeps(family, "cards"):
                self.out(f"{family.name}_row[{n}:{n} + {size}] = {table}")
            self.out(f"{n} += {size}")
        elif self.keeps(family, "cards"):
            self.out(f"{n} = laid({family.name}_row, {self._base(family, index)}, {n}, {mask})")
        else:
            self.out(f"{n} += {mask}.bit_count()" if number is None else f"{n} += {number.bit_count()}")
        self.changed(family, index, None)

    def end(self, family: Family, index: str, side: str) -> Code:
        """The card at one end, where a number says which: 0 is the bottom, 1 the top."""
        self.read.add((family.place.name, "cards"))
        n = self.at(family, index, "_n")
        offset = {"0": "0", "1": f"{n} - 1"}.get(side, f"({n} - 1) * {side}")
        found = self.seen.get((family.place.name, index, side), self.position(family, index, offset))
        return Code(found, f"{n} > 0")
