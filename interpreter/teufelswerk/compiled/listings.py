"""A move's choices and conditions → lines that count its legal choices, in the order of the reference interpreter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

from teufelswerk import model
from teufelswerk.compiled.actions import Actions
from teufelswerk.compiled.context import BAIL
from teufelswerk.compiled.emit import Code, NotCompiled
from teufelswerk.limits import MAX_CHOICES
from teufelswerk.model import Expr
from teufelswerk.order import walk
from teufelswerk.texts import Text
from teufelswerk.values import NOT_CONSTANT


@dataclass
class Listing:
    """The legal choices of one verb: the variable with their number, and how the chosen one is taken."""

    move: model.Move
    count: str
    take: Callable[[], None]
    """Gives the slots of the choices their values, from the variable `pick`, the number of the choice."""


class Listings(Actions):
    """Writes what is legal."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.heads: list[str] = []
        """Arrays that live as long as the game."""
        self.shared: dict[str, str] = {}
        """Names for masks that several verbs of a turn begin with."""

    def listing(self, move: model.Move, player: Code, count: str) -> Listing:
        self.slots[move.slot] = player
        self.note(move)
        hard = [self.guarded(must, guards) for must, guards in move.musts if not must.if_able]
        if not move.choices:
            holds = " and ".join(f"({self.test(condition)})" for condition in hard)
            self.out(f"{count} = 1 if {holds} else 0" if hard else f"{count} = 1")
            return Listing(move, count, lambda: None)
        for choice in move.choices:
            if choice.amount is not None:
                return self.several_cards(move, choice, choice.amount, count)
        if len(move.choices) == 1 and self.is_mask(move.choices[0].source):
            return self.one_card(move, count)
        return self.card_and_end(move, hard, count) or self.listed(move, hard, count)

    def guarded(self, must: model.Must, guards: tuple[tuple[Expr, bool], ...]) -> Expr:
        """A condition that holds anyway where the `if` around it does not."""
        condition = must.condition
        for guard, wanted in reversed(guards):
            other: Expr = model.Not(model.TRUTH, guard.span, guard) if wanted else guard
            condition = model.Logic(model.TRUTH, must.span, "or", other, condition)
        return condition

    def is_mask(self, source: Expr) -> bool:
        """Whether the cards are offered in the order of their indices."""
        if not isinstance(source, model.Members) or source.type.kind != "card" or source.base.type.many:
            return False
        return source.base.type.kind == "place" and not self.family(source.base.type).ordered

    def offered(self, source: Expr) -> str:
        """The cards that a choice starts from, under a name."""
        mask = self.mask(source)
        if mask not in self.shared:
            self.shared[mask] = self.out.let("cards", mask)
        return self.shared[mask]

    def one_card(self, move: model.Move, count: str) -> Listing:
        """A card out of a set: conditions narrow a mask."""
        choice = move.choices[0]
        legal = self.offered(choice.source)
        if move.musts:
            legal = self.out.let("legal", legal)
        tests: dict[int, str] = {}
        latest: list[tuple[int, bool]] = []
        for must, guards in sorted(move.musts, key=lambda entry: entry[0].if_able):
            self.note(must)
            with ExitStack() as stack:
                condition = must.condition
                before, latest = latest, [(id(guard), not wanted) for guard, wanted in guards]
                for guard, wanted in guards:
                    if self.depends(guard, choice.slot):
                        condition, latest = self.guarded(must, guards), []
                        continue
                    if id(guard) not in tests:
                        tests[id(guard)] = self.out.let("when", self.test(guard))
                    test = f"if {'' if wanted else 'not '}{tests[id(guard)]}:"
                    alternative = len(guards) == 1 and before == [(id(guard), wanted)]
                    stack.enter_context(self.out.block("else:" if alternative else test))
                kept = self.kept_for(condition, choice.slot)
                if must.if_able:
                    fitting = f"{legal} & {kept}" if kept else self.fitting(condition, choice.slot, legal)
                    fit = self.out.let("fit", fitting)
                    with self.out.block(f"if {fit}:"):
                        self.out(f"{legal} = {fit}")
                elif kept:
                    self.out(f"{legal} &= {kept}")
                else:
                    stack.enter_context(self.out.block(f"if {legal}:"))
                    self.out(f"{legal} = {self.fitting(condition, choice.slot, legal)}")
        self.out(f"{count} = {legal}.bit_count()")

        def take() -> None:
            card = self.variable(choice.slot, choice.name, choice.source.type.one())
            bit = self.out.let("bit", f"nth({legal}, {count}, pick)")
            self.out(f"{card} = {bit}.bit_length() - 1")
            self.places.chosen[card] = bit

        return Listing(move, count, take)

    def several_cards(self, move: model.Move, choice: model.Choose, amount: Expr, count: str) -> Listing:
        """So many cards out of a set: the choice is a number, and the cards a mask."""
        if len(move.choices) > 1 or move.musts or not self.is_mask(choice.source):
            raise NotCompiled(Text("a choice of several things with conditions or other choices"), choice.span)
        cards, size = self.offered(choice.source), self.needed(amount).text
        number = self.out.let("size", f"max({size}, 0)")
        self.out(f"{count} = ways({cards}.bit_count(), {number})")
        with self.out.block(f"if {count} > {MAX_CHOICES}:"):
            self.out(BAIL)

        def take() -> None:
            chosen = self.out.let(choice.name, f"combination({cards}, {number}, pick)")
            self.slots[choice.slot] = Code(chosen)

        return Listing(move, count, take)

    def kept_for(self, condition: Expr, slot: int) -> str | None:
        """A kept mask for a condition about the place that an attribute of the card names."""
        for part in walk(condition):
            where = self.keyed_by(part, slot) if isinstance(part, model.PlaceOf) else None
            if where is not None:
                masks = self.kept_mask(condition, slot, None, where)
                return masks[0] if masks else None
        return None

    def card_and_end(self, move: model.Move, hard: list[Expr], count: str) -> Listing | None:
        """A card out of a set and an end of the place that it names: one kept mask for each of the two ends."""
        if len(move.choices) != 2 or len(hard) < len(move.musts):
            return None
        card, end = move.choices
        if not self.is_mask(card.source) or not isinstance(end.source, model.Members) or end.source.where is not None:
            return None
        where = self.keyed_by(end.source.base, card.slot) if end.source.type.kind == "end" else None
        condition = reduce(lambda a, b: model.Logic(model.TRUTH, a.span, "and", a, b), hard) if hard else None
        masks = where and self.kept_mask(condition, card.slot, end.slot, where)
        if not masks or where is None:
            return None
        cards, base = self.offered(card.source), end.source.base
        bottom, top = self.out.let("bottom", f"{cards} & {masks[0]}"), self.out.let("top", f"{cards} & {masks[1]}")
        self.out(f"{count} = {bottom}.bit_count() + {top}.bit_count()")

        def take() -> None:
            name = self.variable(card.slot, card.name, card.source.type.one())
            side = self.out.name("side")
            self.out(f"{name}, {side} = nth_of_two({bottom}, {top}, pick)")
            place = self.out.let("place", self.value(base).text)
            high = self.bounds(end.source.type.one())[1]
            self.slots[end.slot] = Code(f"({place} * 2 + {side})", None, 0, high, place, side)

        return Listing(move, count, take)

    def listed(self, move: model.Move, hard: list[Expr], count: str) -> Listing:
        """Anything else: all combinations of choices, written down as they are found."""
        room = 1
        for choice in move.choices:
            room *= self.most(choice)
        if room > MAX_CHOICES:
            raise NotCompiled(Text("so many combinations of choices"), move.span)
        lists = [self.out.name(f"{move.name}_{choice.name}") for choice in move.choices]
        self.heads += [f"{name} = array({room})" for name in lists]
        self.out(f"{count} = 0")
        self.level(move, hard, lists, count, 0)
        for must, guards in move.musts:
            if must.if_able:
                self.note(must)
                self.sift(move, self.guarded(must, guards), lists, count)
        return Listing(move, count, partial(self.take, move, lists, "pick"))

    def most(self, choice: model.Choose) -> int:
        """How many things a choice can offer at most."""
        source = choice.source
        if choice.upper is not None:
            low, high = self.evaluator.constant(source), self.evaluator.constant(choice.upper)
            if low is NOT_CONSTANT or high is NOT_CONSTANT:
                raise NotCompiled(Text("a choice of numbers that are not always the same"), choice.span)
            return max(0, int(high) - int(low) + 1)
        if source.type.kind == "card":
            return self.tables.kinds(source.type.card_kinds).bit_count()
        if isinstance(source, model.Members) and source.type.kind == "end" and not source.base.type.many:
            return 2
        return (self.bounds(source.type.one())[1] or 0) + 1

    @contextmanager
    def each_offered(self, choice: model.Choose) -> Iterator[Code]:
        """Goes through what a choice offers."""
        if choice.upper is None:
            with self.each(choice.source) as item:
                yield item
            return
        low, high, number = self.needed(choice.source), self.needed(choice.upper), self.out.name(choice.name)
        with self.out.block(f"for {number} in range({low.text}, {high.text} + 1):"):
            yield Code(number, None, low.low, high.high)

    def level(self, move: model.Move, hard: list[Expr], lists: list[str], count: str, depth: int) -> None:
        """Goes through one choice after the other; a condition stands as far out as it can."""
        choices = move.choices
        if depth == len(choices):
            for choice, name in zip(choices, lists, strict=True):
                self.out(f"{name}[{count}] = {self.slots[choice.slot].text}")
            self.out(f"{count} += 1")
            return
        source, later = choices[depth].source, [choice.slot for choice in choices[depth + 1 :]]
        with ExitStack() as stack:
            if depth == 0:
                if self.is_mask(source):
                    cards = self.offered(source)
                    stack.enter_context(self.out.block(f"if {cards}:"))
                fixed = [c for c in hard if not any(self.depends(c, choice.slot) for choice in choices)]
                for condition in fixed:
                    stack.enter_context(self.out.block(f"if {self.test(condition)}:"))
                hard = [c for c in hard if c not in fixed]
                item = stack.enter_context(self.bits(cards) if self.is_mask(source) else self.each_offered(choices[0]))
            else:
                item = stack.enter_context(self.each_offered(choices[depth]))
            self.slots[choices[depth].slot] = item
            ready = [c for c in hard if not any(self.depends(c, slot) for slot in later)]
            for condition in ready:
                stack.enter_context(self.out.block(f"if {self.test(condition)}:"))
            self.level(move, [c for c in hard if c not in ready], lists, count, depth + 1)

    def take(self, move: model.Move, lists: list[str], position: str) -> None:
        for choice, name in zip(move.choices, lists, strict=True):
            variable = self.variable(choice.slot, choice.name, choice.source.type.one())
            self.out(f"{variable} = {name}[{position}]")

    def sift(self, move: model.Move, condition: Expr, lists: list[str], count: str) -> None:
        """Keeps the choices that fit, unless none does."""
        kept, position = self.out.let("kept", "0"), self.out.name("position")
        with self.out.block(f"for {position} in range({count}):"):
            self.take(move, lists, position)
            with self.out.block(f"if {self.test(condition)}:"):
                for name in lists:
                    self.out(f"{name}[{kept}] = {name}[{position}]")
                self.out(f"{kept} += 1")
        with self.out.block(f"if {kept}:"):
            self.out(f"{count} = {kept}")
