"""A view → what one wants to know at a glance: who is ahead, what was collected, the round, the end, what a move costs.

All of it follows from declarations: a player whom the rules name by a card that lies in the middle is ahead there; what
the rules add up of a pile that everyone saw grow has been collected; the outermost loop tells the rounds, and what ends
it the target. Whatever depends on anything that the seat does not see is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from teufelswerk import model
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.aim import aim_of
from teufelswerk.core.looks import Known, Looks
from teufelswerk.core.pairs import whose
from teufelswerk.core.rounds import round_loop
from teufelswerk.core.walk import all_statements, asked, everything_in, happening
from teufelswerk.core.what_counts import Counting, what_counts
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Machine, RuleError
from teufelswerk.interpreter.seen_machine import seen_machine
from teufelswerk.interpreter.state import Move
from teufelswerk.interpreter.view import View
from teufelswerk.sessions.heaps import Heaps

REACHED = ("at_least", "at_most", "above", "below", "is")


class Fact(NamedTuple):
    """What something comes to now for which the rules have a name."""

    declared: model.Definition
    value: Any


@dataclass(frozen=True)
class Change:
    """What a move costs: of what, whose it is (nobody's: a pot), and by how much it changes."""

    keep: model.Keep
    seats: tuple[int, ...]
    by: int


class Glance:
    """Looks at the positions of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = game.rules
        self.core = game.program.core
        self.looks = Looks(self.core)

    def asked(self, form: f.Expr, m: Machine) -> Any:
        """A value as the machine has it, or None where the rules cannot tell."""
        try:
            self.game.meter.rest()
            return self.game.program.evaluator.value(form)(m)
        except (RuleError, TypeError):  # of what nobody has set, or the seat does not know
            return None

    # ---- what the cards in the middle come to -----------------------------------------------------------------------

    @cached_property
    def counting(self) -> list[Counting]:
        return what_counts(self.core)

    def counts(self, view: View, place: str) -> list[Fact]:
        """What the cards in a place come to as they lie now."""
        wanted = [each for each in self.counting if each.place == place]
        if not wanted or not view.places[place].count:
            return []
        m = seen_machine(self.game, view)
        values = [(each, self.asked(each.value, m)) for each in wanted]
        return [
            Fact(each.declared, value)
            for each, value in values
            if value is not None and (value is not False or self.decided(each, m))
        ]

    def decided(self, counting: Counting, m: Machine) -> bool:
        """Whether all the cards lie there that a condition compares, and it does not fail for want of one."""
        cards = [form for form in everything_in(counting.value) if isinstance(form, f.Nth)]
        return all(self.asked(card, m) is not None for card in cards)

    # ---- what has been collected ------------------------------------------------------------------------------------

    @cached_property
    def sum(self) -> tuple[str, int, f.Sum] | None:
        """What the rules add up of a pile of each player for their score, with the slot that holds the player."""
        for statement in all_statements(self.core):
            if not isinstance(statement, s.Becomes) or statement.target.keep.key is None:
                continue
            for form in everything_in(statement.value):
                cards = form.items if isinstance(form, f.Sum) else None
                while isinstance(cards, f.Fitting):
                    cards = cards.items
                if not isinstance(form, f.Sum) or not isinstance(cards, f.CardsIn):
                    continue
                item = cards.places.item if isinstance(cards.places, f.Only) else None
                holder = whose(item) if isinstance(item, f.PlaceAt) else None
                place = self.rules.places[cards.places.type.of]
                if isinstance(holder, f.Slot) and place.seen_by == "nobody":
                    return place.name, holder.slot, form
        return None

    def collected(self, view: View, heaps: Heaps) -> list[int | None]:
        """What each player's pile comes to so far, as everyone saw it grow; nothing as long as nobody has one."""
        if self.sum is None:
            return []
        place, slot, form = self.sum
        piles = [f"{place}[{seat}]" for seat in range(view.players)]
        if not any(heaps.get(pile) for pile in piles):
            return []
        m = seen_machine(self.game, view, heaps)
        numbers: list[int | None] = []
        for seat, pile in enumerate(piles):
            m.slots[slot] = seat
            known = view.places[pile].count == len(heaps.get(pile, ()))
            numbers.append(self.asked(form, m) if known else None)
        return numbers

    # ---- the round and the end --------------------------------------------------------------------------------------

    def round(self, view: View) -> tuple[int, int | None] | None:
        """Which round it is, and of how many, if that is known."""
        loop = round_loop(self.core)
        if loop is None or view.winners is not None:
            return None
        slot = loop.left if isinstance(loop, s.Repeat) else loop.laps
        value = view.flow.slots[self.core.persistent.index(slot)] if slot in self.core.persistent else None
        if value is None:
            return None
        if isinstance(loop, s.Until):
            return int(value), None
        times = self.asked(loop.times, seen_machine(self.game, view))
        return (int(times) - int(value), int(times)) if times is not None and times > 1 else None

    def target(self, view: View) -> tuple[model.Keep, int] | None:
        """What somebody has to have of something for the game to end."""
        loop = round_loop(self.core)
        if not isinstance(loop, s.Until):
            return None
        for form in everything_in(loop.condition):
            if not isinstance(form, f.Compare) or form.relation not in REACHED or not isinstance(form.left, f.Kept):
                continue
            keep = form.left.keep
            if keep.key is None or not keep.key.of_players or keep.seen_by != "all" or not keep.shown:
                continue
            number = self.asked(form.right, seen_machine(self.game, view))
            if isinstance(number, int):
                return keep, number
        return None

    # ---- what a move costs ------------------------------------------------------------------------------------------

    @cached_property
    def priced(self) -> frozenset[str]:
        """The moves that change what is kept by numbers which their player can tell beforehand."""
        found = set()
        for move in self.core.moves.values():
            changes = [each for each in happening(move.effects) if isinstance(each, s.Becomes | s.Pays)]
            known = Known(seers=frozenset({move.slot}))
            looks = (look for each in changes for form in asked(each) for look in self.looks.into(form, known))
            if changes and not any(True for _ in looks):
                found.add(move.name)
        return frozenset(found)

    @cached_property
    def bad(self) -> str | None:
        """The number that one wants little of."""
        aim = aim_of(self.core)
        return aim.by.keep.name if aim is not None and isinstance(aim.by, f.Kept) and not aim.highest else None

    def price(self, view: View, move: Move) -> list[Change]:
        """What a move takes from its player, and who gets it; nothing if it costs nothing."""
        if move.verb not in self.priced:
            return []
        layout, m = self.game.layout, seen_machine(self.game, view)
        before = list(m.keeps)
        try:
            self.game.meter.rest()
            self.game.code(move.verb).make(m, move.player, move.picks)
        except (RuleError, TypeError):  # it goes on to what only happens at the table
            return []
        changes = []
        for index, (then, now) in enumerate(zip(before, m.keeps, strict=True)):
            keep = layout.keep_of[index]
            if keep.type.kind == "number" and keep.shown and then is not None and now is not None and now != then:
                of = layout.holders(keep, layout.keep_key[index])
                changes.append(Change(keep, tuple(of), now - then))
        costs = [
            each for each in changes if move.player in each.seats and (each.by > 0) == (each.keep.name == self.bad)
        ]
        paid = {abs(cost.by) for cost in costs}
        return [*costs, *(each for each in changes if move.player not in each.seats and each.by in paid)]
