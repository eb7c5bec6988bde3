"""A move's choices and conditions → instructions that count its legal choices, in the order of the reference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from teufelswerk.base.limits import MAX_CHOICES
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.actions import Actions
from teufelswerk.compiled.choices.identical_cards import first_of_each, identical_before, unless_seen
from teufelswerk.compiled.choices.numbered_sets import LARGEST_TABLE, NumberedSets
from teufelswerk.compiled.context import Several, Value, Writer
from teufelswerk.compiled.growing_sets import Growing
from teufelswerk.compiled.masks_by_parts import draws
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.set_growth import growth_of_choice
from teufelswerk.core.walk import everything_in


@dataclass(frozen=True)
class Listing:
    """The legal choices of a move: how many there are, and what takes the one with a number."""

    move: s.Move
    count: c.Expr
    take: Callable[[c.Expr], None]


class Listings:
    """Writes what is legal."""

    def __init__(self, w: Writer, actions: Actions) -> None:
        self.w = w
        self.actions = actions
        self.sets = actions.sets
        self._chosen: dict[int, c.Var] = {}

    def listing(self, move: s.Move, player: c.Expr) -> Listing:
        w = self.w
        w.bind(move.slot, Value(player, None, 0, w.players - 1))
        if not move.choices:
            return self.without_choice(move)
        if len(move.choices) == 1:
            choice = move.choices[0]
            if choice.items is not None and not choice.several and choice.type.kind == "card":
                cards = self.sets.masks.mask(choice.items, False)
                if cards is not None:
                    return self.single_card(move, choice, cards, None)
                lying = self.in_one_row(choice)
                cards = self.sets.masks.mask(choice.items, True) if lying is not None else None
                if cards is not None:
                    return self.single_card(move, choice, cards, lying)
            if choice.items is None and choice.low is not None and choice.high is not None and not move.conditions:
                return self.number(move, choice, choice.low, choice.high)
            if choice.several and not choice.alike and not move.conditions:
                numbered = self.numbered(move, choice)
                if numbered is not None:
                    return numbered
        return self.listed(move)

    def hard(self, move: s.Move) -> list[s.Condition]:
        return [condition for condition in move.conditions if not condition.if_able]

    def soft(self, move: s.Move) -> list[s.Condition]:
        return [condition for condition in move.conditions if condition.if_able]

    def without_choice(self, move: s.Move) -> Listing:
        w = self.w
        holds = w.temp("holds", "b")
        w.set(holds, c.YES)
        for condition in self.hard(move):
            with w.when(holds):
                w.set(holds, w.condition(condition.holds))
        return Listing(move, c.select(holds, c.ONE, c.ZERO) if self.hard(move) else c.ONE, lambda pick: None)

    def in_one_row(self, choice: s.Choice) -> f.PlaceAt | None:
        """The one place that keeps its cards in order from which a card is chosen."""
        items = choice.items
        while isinstance(items, f.Fitting) and not draws(items.condition):
            items = items.items
        match items:
            case f.CardsIn(places=f.Only(item=f.PlaceAt() as place)) if not choice.alike:
                return place
        return None

    def single_card(self, move: s.Move, choice: s.Choice, cards: c.Expr, lying: f.PlaceAt | None) -> Listing:
        """A card from a set, or from a place in the order in which the cards lie there."""
        w = self.w
        assert choice.items is not None
        lies = self.sets.masks.lies(choice.items)
        w.known = {}
        left = w.let("cards", first_of_each(w, cards) if choice.alike else cards)
        for condition in self.hard(move):
            left = w.let("cards", self.sets.masks.fitting(left, condition.holds, choice.slot, lies))
        for condition in self.soft(move):
            fitting = w.let("fitting", self.sets.masks.fitting(left, condition.holds, choice.slot, lies))
            left = w.let("cards", c.select(c.some(fitting), fitting, left))
        w.known = None

        def take(pick: c.Expr) -> None:
            variable = self.actions.variable(choice.slot, choice.name)
            if lying is None:
                w.set(variable, c.NthCard(left, pick))
            else:
                w.set(variable, self.nth_lying(lying, left, pick))
            w.bind(choice.slot, Value(variable, None, 0, w.cards - 1), lies)

        return Listing(move, w.let("options", c.size(left)), take)

    def nth_lying(self, place: f.PlaceAt, cards: c.Expr, number: c.Expr) -> c.Var:
        """Of some of the cards in a place the one before which so many of them lie."""
        w, family = self.w, self.actions.places.families[place.type.of]
        index, position, rest, card = (
            w.let("index", w.place(place)[0]),
            w.temp("position"),
            w.temp("rest"),
            w.temp("card"),
        )
        w.set(position, c.ZERO)
        w.set(rest, number)
        with w.loop():
            w.set(card, family.card_at(index, position))
            with w.when(c.some(c.binary("&", cards, c.bit(card)))):
                w.out += c.when(c.compare("==", rest, 0), [c.Leave()])
                w.set(rest, c.minus(rest, 1))
            w.set(position, c.add(position, 1))
        return card

    def number(self, move: s.Move, choice: s.Choice, low: f.Expr, high: f.Expr) -> Listing:
        w = self.w
        first, last = w.let("low", w.value(low).expr), w.value(high).expr
        count = w.let("options", c.add(c.minus(last, first), 1))
        w.fail_if(c.compare(">", count, MAX_CHOICES))

        def take(pick: c.Expr) -> None:
            variable = self.actions.variable(choice.slot, choice.name)
            w.set(variable, c.add(first, pick))
            w.bind(choice.slot, w.thing(variable, choice.type))

        return Listing(move, c.select(c.compare("<", count, 0), c.ZERO, count), take)

    def numbered(self, move: s.Move, choice: s.Choice) -> Listing | None:
        """Any of some things together: the set that has a number can be told, so none of them is written down."""
        w, items = self.w, choice.items
        assert items is not None and choice.low is not None
        room = most = w.choosable(choice.type)
        if choice.high is not None:
            bound = w.aside_value(partial(w.value, choice.high))[1].high
            most = room if bound is None else min(max(bound, 0), room)
        if (room + 1) * (most + 1) > LARGEST_TABLE:
            return None
        sets, lies = NumberedSets(w, room, most), self.sets.masks.lies(items)
        found = self.sets.listed_now(items)
        least = self.not_below_zero(w.value(choice.low).expr)
        high = least if choice.high is choice.low else w.value(choice.high).expr if choice.high else found.count
        stop = w.let("stop", c.add(smaller(w.let("high", high), found.count), 1))
        count = sets.count(found.count, least, stop)

        def take(pick: c.Expr) -> None:
            into = self.actions.list_of(choice.slot, choice.name, room)
            sets.take(pick, self.sets.listed_now(items), least, into)
            w.bind(choice.slot, Several(*into, c.ZERO), lies)

        return Listing(move, count, take)

    # ---- anything else ----------------------------------------------------------------------------------------------

    def listed(self, move: s.Move) -> Listing:
        """All combinations of choices, written down as they are found."""
        w = self.w
        room = 1
        for choice in move.choices:
            room *= self.most(choice)
        room = min(room, MAX_CHOICES + 1)
        lists = [
            w.scratch_array(f"{move.name}_{choice.name}", room, "m" if choice.several else "i")
            for choice in move.choices
        ]
        count, tried = w.temp("count"), self.tries(move)
        w.set(count, c.ZERO)
        if tried is not None:
            w.set(tried, c.ZERO)
        ready = self.by_choice(move)
        self.checked(ready[0], lambda: self.level(move, ready, lists, count, tried, 0))
        for condition in self.soft(move):
            self.sift(move, condition, lists, count)
        return Listing(move, count, lambda pick: self.take(move, lists, pick))

    def most(self, choice: s.Choice) -> int:
        """How many things a choice can offer at most."""
        if choice.low is not None:
            return MAX_CHOICES
        return self.w.choosable(choice.type)

    def tries(self, move: s.Move) -> c.Var | None:
        """Counts what is tried, if that can be too much."""
        most, tried = 1, 0
        for choice in move.choices:
            most *= self.most(choice)
            tried += most
        return self.w.temp("tried") if tried >= MAX_CHOICES else None

    def one_more(self, tried: c.Var | None) -> None:
        if tried is not None:
            self.w.set(tried, c.add(tried, 1))
            self.w.fail_if(c.compare(">", tried, MAX_CHOICES))

    def by_choice(self, move: s.Move) -> list[list[f.Expr]]:
        """The conditions that must hold, by the number of choices that have to be made before they can be judged.

        Where there is one choice, they are asked of what can be chosen: if that is nothing, none of them can fail.
        """
        ready: list[list[f.Expr]] = [[] for _ in range(len(move.choices) + 1)]
        least = 1 if len(move.choices) == 1 else 0
        for condition in self.hard(move):
            asked = {form.slot for form in everything_in(condition.holds) if isinstance(form, f.Slot)}
            last = max((number for number, choice in enumerate(move.choices, 1) if choice.slot in asked), default=least)
            ready[last].append(condition.holds)
        return ready

    def checked(self, conditions: list[f.Expr], write: Callable[[], None]) -> None:
        """What is written where all of some conditions hold."""
        if not conditions:
            write()
            return
        with self.w.when(self.w.condition(conditions[0])):
            self.checked(conditions[1:], write)

    def level(
        self,
        move: s.Move,
        ready: list[list[f.Expr]],
        lists: list[c.Array],
        count: c.Var,
        tried: c.Var | None,
        depth: int,
    ) -> None:
        """Goes through one choice after the other; a condition is judged as early as it can be."""
        w, choice = self.w, move.choices[depth]
        last = depth + 1 == len(move.choices)
        lies = self.sets.masks.lies(choice.items) if choice.items is not None else None

        def written() -> None:
            if not last:
                self.level(move, ready, lists, count, tried, depth + 1)
                return
            self.write(move, lists, count)
            w.set(count, c.add(count, 1))

        def one(item: c.Expr) -> None:
            self.one_more(tried)
            with w.bound(choice.slot, w.thing(w.let(choice.name, item), choice.type), lies):
                if not last or not self.written_if(ready[depth + 1], move, lists, count):
                    self.checked(ready[depth + 1], written)

        if choice.several:
            self.combinations(move, choice, tried, lambda: self.checked(ready[depth + 1], written))
        elif choice.items is None:
            assert choice.low is not None and choice.high is not None
            low, high = w.let("low", w.value(choice.low).expr), w.value(choice.high).expr
            stop = w.let("stop", c.add(high, 1))
            w.fail_if(c.compare(">", c.minus(stop, low), MAX_CHOICES + 1))
            with w.count(choice.name, low, stop) as number:
                one(number)
        else:
            self.sets.each(choice.items, unless_seen(w, one) if choice.alike else one)

    def write(self, move: s.Move, lists: list[c.Array], count: c.Var) -> None:
        for choice, row in zip(move.choices, lists, strict=True):
            self.w.store(row, count, self.noted(choice))

    def written_if(self, conditions: list[f.Expr], move: s.Move, lists: list[c.Array], count: c.Var) -> bool:
        """What is written in any case, and stays where a simple condition holds: no processor can guess which do."""
        w = self.w
        body, holds = w.aside(lambda: c.both(*map(w.condition, conditions)))
        if body or not isinstance(holds, c.Compare):
            return False
        self.write(move, lists, count)
        w.set(count, c.add(count, c.select(holds, c.ONE, c.ZERO)))
        return True

    def noted(self, choice: s.Choice) -> c.Expr:
        """What is written down of a choice: the thing, or several of them as a mask."""
        if choice.several:
            return self.chosen_set(choice)
        found = self.w.slots.get(choice.slot)
        assert isinstance(found, Value)
        return found.expr

    def chosen_set(self, choice: s.Choice) -> c.Var:
        if choice.slot not in self._chosen:
            self._chosen[choice.slot] = self.w.temp(f"{choice.name}_set", "m")
        return self._chosen[choice.slot]

    def combinations(self, move: s.Move, choice: s.Choice, tried: c.Var | None, use: Callable[[], None]) -> None:
        """Every way to choose so many that may fit, fewer before more, each in the order of the cards."""
        w = self.w
        assert choice.items is not None and choice.low is not None
        low = self.not_below_zero(w.value(choice.low).expr)
        high = low if choice.high is choice.low else w.value(choice.high).expr if choice.high else None
        found = self.sets.listed_now(choice.items)
        n = w.let("n", found.count)
        most = n if high is None else w.let("most", smaller(high, n))
        reached, first = w.temp("reached", "b"), w.let("least", low)
        growing = self.growing(move, choice, found)
        before = identical_before(w, found, n, w.choosable(choice.type)) if choice.alike else None
        with w.count("k", low, w.let("stop", c.add(most, 1))) as k:
            w.set(reached, c.NO)

            def one(several: Several) -> None:
                w.set(reached, c.YES)
                self.one_more(tried)
                assert several.cards is not None
                w.set(self.chosen_set(choice), several.cards)
                with w.bound(choice.slot, several, growing.lies):
                    use()

            with w.body() as none:
                one(Several(c.ZERO, growing.own, c.ZERO, c.NOBODY))
            with w.body() as some:
                growing.of_size(k, before, c.compare("==", k, first), one)
            w.out += c.when(c.compare("==", k, 0), none, some)
            w.out += c.when(c.inverse(reached), [c.Leave()])

    def growing(self, move: s.Move, choice: s.Choice, found: Several) -> Growing:
        assert choice.items is not None
        growth, lies = growth_of_choice(move, choice, self.w.rules), self.sets.masks.lies(choice.items)
        return Growing(self.w, found, growth, lies, self.w.choosable(choice.type))

    def not_below_zero(self, number: c.Expr) -> c.Expr:
        amount = self.w.let("amount", number)
        return self.w.let("low", c.select(c.compare("<", amount, 0), c.ZERO, amount))

    def take(self, move: s.Move, lists: list[c.Array], pick: c.Expr) -> None:
        """Puts what was chosen into its slots."""
        w = self.w
        for choice, row in zip(move.choices, lists, strict=True):
            lies = self.sets.masks.lies(choice.items) if choice.items is not None else None
            if not choice.several:
                variable = self.actions.variable(choice.slot, choice.name)
                w.set(variable, c.load(row, pick))
                w.bind(choice.slot, w.thing(variable, choice.type), lies)
                continue
            assert choice.items is not None
            chosen = w.let("chosen", c.load(row, pick))
            count, own = self.actions.list_of(choice.slot, choice.name, w.choosable(choice.type))
            found = self.sets.listed_now(choice.items)
            w.set(count, c.ZERO)
            with w.count("position", c.ZERO, found.count) as position:
                item = w.let("item", c.load(found.row, position))
                with w.when(c.some(c.binary("&", chosen, c.bit(item)))):
                    w.store(own, count, item)
                    w.set(count, c.add(count, 1))
            w.bind(choice.slot, Several(count, own, c.ZERO), lies)

    def sift(self, move: s.Move, condition: s.Condition, lists: list[c.Array], count: c.Var) -> None:
        """Keeps the choices that fit, unless none does."""
        w = self.w
        kept = w.temp("kept")
        w.set(kept, c.ZERO)
        with w.count("position", c.ZERO, count) as position:
            self.take(move, lists, position)
            with w.when(w.condition(condition.holds)):
                for row in lists:
                    w.store(row, kept, c.load(row, position))
                w.set(kept, c.add(kept, 1))
        w.out += c.when(c.compare(">", kept, 0), [c.Set(count, kept)])


def smaller(one: c.Expr, other: c.Expr) -> c.Expr:
    return c.select(c.compare("<", one, other), one, other)
