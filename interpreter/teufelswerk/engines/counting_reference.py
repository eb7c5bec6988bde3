"""The reference interpreter, which counts what happens while it plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from teufelswerk.compiled.counter_layout import Counters
from teufelswerk.compiled.value_branches import Reasons, reasons, value_of
from teufelswerk.core import statements as s
from teufelswerk.core.lower_game import core_of
from teufelswerk.interpreter.effects import Action, Effects
from teufelswerk.interpreter.evaluate import Evaluator
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.legal import MoveCode, Picks
from teufelswerk.interpreter.machine import Machine, layout_of
from teufelswerk.interpreter.program import Program
from teufelswerk.interpreter.random_play import Offers


class Watch:
    """What has been counted in the game that is being played."""

    def __init__(self, counters: Counters) -> None:
        self.counters = counters
        self.begin()

    def begin(self) -> None:
        self.counts = [0] * self.counters.size
        self.put: dict[tuple[int, int], int] = {}
        """For a place and a seat, the card that the player has put there last."""

    def unit(self, id: int) -> None:
        position = self.counters.units.get(id)
        if position is not None:
            self.counts[position] += 1


class Fired(list[Any]):
    """Gets the ids of branches of statements, and of the statement that ends the game; branches of values, which are
    also tried to find out other things, are counted where a statement needs the value."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self.watch = watch

    def append(self, item: Any) -> None:
        if isinstance(item, int):
            self.watch.unit(item)

    def extend(self, items: Any) -> None:
        for item in items:
            self.append(item)


class WatchedEffects(Effects):
    """Statements that count."""

    def __init__(self, evaluator: Evaluator, watch: Watch) -> None:
        super().__init__(evaluator)
        self.watch = watch

    def action(self, statement: s.Doing) -> Action:
        act = super().action(statement)
        if isinstance(statement, (s.Branch, s.Each, s.Tell)):
            return act
        watch, id, value = self.watch, statement.id, value_of(statement)
        why = reasons(self.evaluator, value) if value is not None else None
        payment = self.payment(statement) if isinstance(statement, s.Pays) else None

        def counted(m: Machine) -> None:
            watch.unit(id)
            if why:
                self.count_reasons(m, why)
            act(m)
            if payment:
                payment(m)

        return counted

    def call(self, statement: s.Call, announce: Action | None) -> Action:
        begin, watch = super().call(statement, announce), self.watch
        position = watch.counters.steps.get(statement.step.name)
        if position is None:
            return begin

        def counted(m: Machine) -> None:
            watch.counts[position] += 1
            begin(m)

        return counted

    def count_reasons(self, m: Machine, branches: Reasons) -> None:
        """Counts the branches that a value will come from; whatever is drawn for it will be drawn again."""
        rng = m.rng
        for branch in branches(m):
            self.watch.unit(branch)
        m.rng = rng

    def payment(self, statement: s.Pays) -> Action | None:
        if statement.id not in self.watch.counters.payments:
            return None
        card, times, total = self.watch.counters.payments[statement.id]

        def count(m: Machine) -> None:
            paid, chosen = m.slots[statement.slot], m.slots[card]
            if paid > 0:
                self.watch.counts[times + chosen] += 1
                self.watch.counts[total + chosen] += paid

        return count

    def move_cards(self, m: Machine, cards: Sequence[int], to: int, bottom: bool, cause: int) -> None:
        watch, counters = self.watch, self.watch.counters
        if cause in counters.goes:
            first = counters.moved.get(self.layout.place_of[to].name)
            if first is not None:
                for card in cards:
                    watch.counts[first + card] += 1
            if cause in counters.emptying:
                self.taken(m, cards, to, cause)
        super().move_cards(m, cards, to, bottom, cause)
        if cause in counters.puts:
            watch.put[to, m.slots[counters.puts[cause]]] = cards[0]

    def taken(self, m: Machine, cards: Sequence[int], to: int, cause: int) -> None:
        """All cards leave a place; the player who gets them may have put one there."""
        watch, taker = self.watch, self.layout.owner[to]
        for origin in {m.where[card] for card in cards}:
            own = watch.put.get((origin, taker))
            if cause in watch.counters.took and own is not None and m.where[own] == origin:
                watch.counts[watch.counters.took[cause] + own] += 1
            for seat in range(self.layout.players):
                watch.put.pop((origin, seat), None)


class WatchedProgram(Program):
    """Steps that count."""

    effects: WatchedEffects

    def _call(self, statement: s.Call) -> None:
        start, watch = len(self.code), self.effects.watch
        position = watch.counters.steps.get(statement.step.name)
        super()._call(statement)
        if position is None:
            return
        begin = self.code[start]

        def counted(m: Machine) -> int | None:
            watch.counts[position] += 1
            return begin(m)

        self.code[start] = counted


class WatchedGame(Game):
    """A game that counts. Only `random_game` does: what it has counted is in `watch` until the next one begins."""

    def __init__(self, counters: Counters) -> None:
        self.watch = Watch(counters)
        super().__init__(counters.rules, counters.players)

    def make_program(self) -> Program:
        evaluator = Evaluator(core_of(self.rules), layout_of(self.rules, self.players))
        return WatchedProgram(WatchedEffects(evaluator, self.watch))

    def machine(self, seed: int) -> Machine:
        self.watch.begin()
        machine = super().machine(seed)
        machine.fired = Fired(self.watch)
        return machine

    def offers(self, m: Machine) -> Offers:
        player, number, found = super().offers(m)
        decisions, forced, options = self.watch.counters.decisions[self.turn(m).turn.id]
        counts, counters = self.watch.counts, self.watch.counters
        if not any(counts[counters.began : counters.began + counters.players]):
            counts[counters.began + player] += 1
        seat = (player - counters.beginner(counts)) % counters.players
        counts[decisions + seat] += 1
        counts[options + seat] += number
        counts[forced + seat] += number == 1
        return player, number, found

    def decide(self, m: Machine, player: int, code: MoveCode, picks: Picks) -> bool:
        self.watch.counts[self.watch.counters.moves[code.move.name]] += 1
        return super().decide(m, player, code, picks)
