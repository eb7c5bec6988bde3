"""Positions that leave cards open: every question splits them only as far as its answer depends on where a card lies.

An open card may lie in any of some hidden places, whatever the others do. When an answer depends on whether a card
lies in a place, `Split` is raised, and whoever asked tries again in both worlds: with the card there, and without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TypeVar

from teufelswerk import model
from teufelswerk.budget import Budgeted
from teufelswerk.effects import Action, Effects
from teufelswerk.limits import MAX_WORLDS
from teufelswerk.machine import Machine, RuleError
from teufelswerk.open_cards import clone, dealt, exclude, hold, left, may_lie, open_size
from teufelswerk.texts import Text
from teufelswerk.values import Function

Result = TypeVar("Result")
COPYING = 8
"""So many cards of a world are copied in the time in which one thing is looked at."""
Uncertain = tuple[int, int]
"""A card, and the place in which it would have to lie."""


class Split(Exception):
    """The answer depends on whether a card lies in a place."""

    def __init__(self, card: int, place: int) -> None:
        super().__init__(card, place)
        self.card = card
        self.place = place


class SplitMany(Exception):
    """The answer depends on whether any of some cards lies where it would matter; which one makes no difference."""

    def __init__(self, doubts: list[Uncertain]) -> None:
        super().__init__(doubts)
        self.doubts = doubts


class TooOpen(RuleError):
    """A question that cannot be answered in all the worlds that an example leaves open."""

    def __init__(self, place: int | None = None) -> None:
        message = Text("the example leaves too much open to be searched")
        super().__init__("too-open", message, None, Text("give more of the cards, with `given`"))
        self.place = place
        """Where the cards lie on which it depends most."""


class Explorer:
    """Runs questions in every world that their answers tell apart, within a budget."""

    def __init__(self, evaluator: Budgeted) -> None:
        self.evaluator = evaluator
        self.worlds = 0
        self.asked: Counter[int] = Counter()
        """How often it mattered whether a card lies in a place."""

    def explore(self, m: Machine, work: Callable[[Machine], Result]) -> Iterator[tuple[Result, Machine]]:
        """Each result with the world, as the work left it, in which it holds."""
        stack = [m]
        while stack:
            world = stack.pop()
            self.worlds += 1
            if self.worlds > MAX_WORLDS:
                raise TooOpen(self.asked.most_common(1)[0][0] if self.asked else None)
            trial = clone(world)
            self.evaluator.work += len(world.where) // COPYING
            try:
                result = work(trial)
            except Split as split:
                self.asked[split.place] += 1
                inside, outside = clone(world), clone(world)
                could = hold(inside, split.card, split.place), exclude(outside, split.card, split.place)
                if could == (False, False) or (
                    could != (True, True) and world.open == (inside if could[0] else outside).open
                ):
                    raise TooOpen(split.place) from None
                stack += [w for w, possible in zip((outside, inside), reversed(could), strict=True) if possible]
                continue
            except SplitMany as split:
                self.asked[split.doubts[0][1]] += 1
                some, none = clone(world), clone(world)
                if not hold(some, *split.doubts[0]):
                    raise TooOpen(split.doubts[0][1]) from None
                stack.append(some)
                if all(exclude(none, card, place) for card, place in split.doubts):
                    stack.append(none)
                continue
            yield result, trial


class OpenEvaluator(Budgeted):
    """Reads positions with open cards; on positions without any it is the plain evaluator."""

    def settle(self, m: Machine, card: int) -> None:
        if m.open and card in m.open and m.open[card] & (m.open[card] - 1):
            raise Split(card, m.open[card].bit_length() - 1)

    def settle_place(self, m: Machine, place: int) -> None:
        if (
            m.open
            and self.layout.place_of[place].seen_by != "all"
            and any(mask >> place & 1 for mask in m.open.values())
        ):
            raise TooOpen(place)

    def _Random(self, expr: model.Random) -> Function:
        """Lots fall on the first."""
        members = self.function(expr.members)

        def first(m: Machine) -> int | None:
            items = members(m)
            return int(items[0]) if items else None

        return first

    # ---- sets of cards in places ------------------------------------------------------------------------------------

    def possible(self, expr: model.Members) -> Callable[[Machine], list[tuple[int, Uncertain | None]]]:
        """The cards that may be members: surely (None), or if they lie in a certain place."""
        places, where, slot = self.places(expr.base), self.function(expr.where) if expr.where else None, expr.slot
        fits = [card.kind in expr.type.card_kinds for card in self.model.cards]

        def possible(m: Machine) -> list[tuple[int, Uncertain | None]]:
            found: list[tuple[int, Uncertain | None]] = []
            for place in places(m):
                found += [(card, None) for card in m.places[place] if fits[card]]
                for card, mask in (m.open or {}).items():
                    if mask >> place & 1 and fits[card]:
                        found.append((card, None if mask == 1 << place else (card, place)))
            self.work += len(found) + 1
            if self.work > self.next_look:
                self.look(expr.span)
            if where is None:
                return found
            return [(card, doubt) for card, doubt in found if self._tried(m, slot, card, where)]

        return possible

    @staticmethod
    def _tried(m: Machine, slot: int, item: int, where: Function) -> bool:
        m.slots[slot] = item
        return bool(where(m))

    def looks_into_places(self, expr: model.Members) -> bool:
        return expr.type.kind == "card" and expr.base.type.kind == "place"

    def _Members(self, expr: model.Members) -> Function:
        plain = super()._Members(expr)
        if not self.looks_into_places(expr):
            return plain
        possible = self.possible(expr)

        def members(m: Machine) -> list[int]:
            if not m.open:
                return list(plain(m))
            found = possible(m)
            for _, doubt in found:
                if doubt:
                    raise Split(*doubt)
            return [card for card, _ in found]

        return members

    def known_size(self, members: model.Members) -> Callable[[Machine], int | None]:
        """How many cards lie in some places, if that is known even though nobody knows which."""
        if members.where is not None or len(members.type.card_kinds) < len(self.model.kinds):
            return lambda m: None
        places = self.places(members.base)

        def known_size(m: Machine) -> int | None:
            total = 0
            for place in places(m):
                size = open_size(m, place)
                if size is None:
                    return None
                total += len(m.places[place]) + size
            return total

        return known_size

    def _Count(self, expr: model.Count) -> Function:
        plain = super()._Count(expr)
        if not self.looks_into_places(expr.members):
            return plain
        known_size = self.known_size(expr.members)

        def count(m: Machine) -> int:
            size = known_size(m) if m.open else None
            return int(plain(m)) if size is None else size

        return count

    def enough(self, expr: model.Quantify) -> Function:
        plain = super().enough(expr)
        if not self.looks_into_places(expr.members):
            return self.any_will_do(expr, plain)
        possible, known_size = self.possible(expr.members), self.known_size(expr.members)
        amount = self.needed(expr.amount) if expr.amount else (lambda m: 1)

        def enough(m: Machine) -> bool:
            if not m.open:
                return bool(plain(m))
            found, wanted, size = possible(m), amount(m), known_size(m)
            sure, most = (sum(doubt is None for _, doubt in found), len(found)) if size is None else (size, size)
            if expr.quantity in ("some", "at_least_n", "none", "at_most_n"):
                bound = wanted + 1 if expr.quantity == "at_most_n" else wanted
                if sure >= bound or most < bound:
                    return (sure >= bound) is (expr.quantity in ("some", "at_least_n"))
            elif sure > wanted or most < wanted or sure == most:
                return sure == wanted == most
            raise Split(*next(doubt for _, doubt in found if doubt))

        return enough

    def any_will_do(self, expr: model.Quantify, plain: Function) -> Function:
        """Among players or places, one for which it is sure decides; the doubts about the others matter no more."""
        if expr.quantity not in ("some", "none") or expr.members.where is None:
            return plain
        candidates, where, slot = self.candidates(expr.members), self.function(expr.members.where), expr.members.slot

        def any_will_do(m: Machine) -> bool:
            doubt: Exception | None = None
            for item in candidates(m):
                m.slots[slot] = item
                try:
                    if where(m):
                        return expr.quantity == "some"
                except (Split, SplitMany) as split:
                    doubt = doubt or split
            if doubt:
                raise doubt
            return expr.quantity == "none"

        return any_will_do

    def _Best(self, expr: model.Best) -> Function:
        plain = super()._Best(expr)
        if not self.looks_into_places(expr.members):
            return plain
        possible, by, slot = self.possible(expr.members), self.function(expr.by), expr.members.slot
        sign = -1 if expr.extreme == "highest" else 1

        def best(m: Machine) -> int | None:
            if not m.open:
                return plain(m)  # type: ignore[no-any-return]
            ranked = []
            for card, doubt in possible(m):
                m.slots[slot] = card
                value = by(m)
                if value is not None:
                    ranked.append((sign * value, card, doubt))
            ranked.sort(key=lambda entry: entry[0])
            if not ranked:
                return None
            if ranked[0][2]:
                raise Split(*ranked[0][2])
            return ranked[0][1]

        return best


class OpenEffects(Effects):
    """Changes positions with open cards, and notes every statement that happens."""

    def action(self, statement: model.Statement) -> Action:
        act = super().action(statement)
        if isinstance(statement, (model.If, model.Each)):
            return act

        def noted(m: Machine) -> None:
            if m.fired is not None:
                m.fired.append(statement.id)
            act(m)

        return noted

    def move_cards(self, m: Machine, cards: list[int], to: int, bottom: bool, cause: int) -> None:
        if not m.open:
            super().move_cards(m, cards, to, bottom, cause)
            return
        hidden = self.layout.place_of[to].seen_by != "all"
        for card in cards:
            mask = m.open.get(card)
            if mask is None:
                super().move_cards(m, [card], to, bottom, cause)
                continue
            if not hidden or mask & (mask - 1) == 0:
                self.evaluator.settle(m, card)
                holder = self.layout.owner[m.where[card]]
            else:
                holder = -1
            left(m, card)
            m.places[to].insert(0 if bottom else len(m.places[to]), card)
            if not self.layout.ordered[to]:
                m.places[to].sort()
            m.where[card] = to
            m.owners[card] = self.layout.owner[to] if self.layout.owner[to] >= 0 else holder

    def _Goes(self, s: model.Goes) -> Action:
        """A whole place that goes out of sight takes its open cards along without anybody looking at them."""
        plain, to = super()._Goes(s), self.evaluator.needed(s.to)
        if s.what.type.kind != "place" or s.to.type.kind == "end":
            return plain
        places = self.evaluator.places(s.what)

        def goes(m: Machine) -> None:
            origins, target = places(m), to(m)
            for place in origins:
                sizes = open_size(m, place), open_size(m, target)
                for card in may_lie(m, place):
                    assert m.open is not None
                    mask = m.open[card]
                    if self.layout.place_of[target].seen_by != "all":
                        m.open[card] = mask & ~(1 << place) | 1 << target
                        m.where[card] = target if m.open[card] == 1 << target else -1
                    elif mask != 1 << place:
                        raise Split(card, place)
                    else:
                        self.move_cards(m, [card], target, False, s.id)
                if self.layout.place_of[target].seen_by != "all":
                    self.joined(m, place, target, sizes)
            plain(m)

        return goes

    @staticmethod
    def joined(m: Machine, place: int, target: int, sizes: tuple[int | None, int | None]) -> None:
        """All open cards of one place lie in another now."""
        m.sizes.pop(place, None)
        m.sizes.pop(target, None)
        if sizes[0] is not None and sizes[1] is not None and m.open:
            m.sizes[target] = sizes[0] + sizes[1]

    def _Deal(self, s: model.Deal) -> Action:
        plain, amount = super()._Deal(s), self.evaluator.needed(s.amount) if s.amount else None
        source, targets = self.evaluator.needed(s.source), self.evaluator.places(s.to)

        def deal(m: Machine) -> None:
            origin = source(m)
            if may_lie(m, origin):
                dealt(m, origin, targets(m), max(amount(m), 0) if amount else None, s.portion == "exact")
            else:
                plain(m)

        return deal

    def _Shuffle(self, s: model.Shuffle) -> Action:
        plain, place = super()._Shuffle(s), self.evaluator.needed(s.place)

        def shuffle(m: Machine) -> None:
            plain(m)
            if m.open is not None:
                target = place(m)
                size = open_size(m, target)
                for card in m.places[target]:
                    m.open[card] = 1 << target
                if size is not None:
                    m.sizes[target] = size + len(m.places[target])
                m.places[target].clear()

        return shuffle
