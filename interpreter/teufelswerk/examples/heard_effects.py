"""Statements → functions that change positions at a real table: cards that come to lie in sight are asked for, and
cards that go from hand to hand go unseen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from teufelswerk import model
from teufelswerk.base.texts import Text
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.lower_game import core_of
from teufelswerk.examples.heard_evaluator import HeardEvaluator, asks_for_hidden
from teufelswerk.examples.hearing import Wanted, impossible
from teufelswerk.examples.open_cards import dealt, fitted, hold, may_lie, open_size
from teufelswerk.examples.open_effects import OpenEffects
from teufelswerk.examples.worlds import Forked, TooOpen
from teufelswerk.interpreter.effects import Action
from teufelswerk.interpreter.legal import Condition
from teufelswerk.interpreter.machine import Machine, layout_of
from teufelswerk.interpreter.program import Program
from teufelswerk.interpreter.show import Teller
from teufelswerk.interpreter.values import Function


def heard_program_of(rules: model.Model, players: int) -> Program:
    """The program for a real table with a number of players. It is written once and kept with the model."""
    programs: dict[int, Program] = vars(rules).setdefault("_heard_programs", {})
    if players not in programs:
        program = Program(HeardEffects(HeardEvaluator(core_of(rules), layout_of(rules, players))))
        for condition in [condition for code in program.moves.values() for condition in code.conditions]:
            condition.holds = lenient(condition)
        programs[players] = program
    return programs[players]


def lenient(condition: Condition) -> Function:
    """What hangs on a whole hidden hand is left to people's honesty."""
    plain = condition.holds

    def holds(m: Machine) -> bool:
        try:
            return bool(plain(m))
        except Wanted as wanted:
            if not asks_for_hidden(wanted):
                raise
            return True

    return holds


def unseen(place: int) -> int:
    """Stands for a card of a place of which nobody says which one it is."""
    return -1 - place


class HeardTeller(Teller):
    """Tells sentences in which cards may be that nobody has named."""

    def card(self, index: int) -> Any:
        return Text("a card") if index < 0 else super().card(index)

    def veil(self, m: Machine, cards: int | tuple[int, ...]) -> tuple[frozenset[int], Any]:
        several = cards if isinstance(cards, tuple) else (cards,)
        if any(card < 0 for card in several):
            return frozenset(), Text("some cards") if isinstance(cards, tuple) else Text("a card")
        return super().veil(m, cards)


class HeardEffects(OpenEffects):
    """Changes positions of a table whose people hold the cards themselves."""

    def __init__(self, evaluator: HeardEvaluator) -> None:
        super().__init__(evaluator)
        self.heard = evaluator
        self.teller = HeardTeller(evaluator)

    def in_sight(self, place: int) -> bool:
        """Whether all see what comes there, but perhaps for one of them, who has to look away."""
        return self.layout.place_of[place].seen_by in ("all", "others")

    def named(self, m: Machine, place: int, to: int, amount: int | None) -> tuple[int, ...]:
        """Cards that are seen to come from a hidden place, as people name them; they are known to lie there now."""
        cards: tuple[int, ...] = m.hearing.cards(place, to, amount, may_lie(m, place))
        for card in cards:
            if not hold(m, card, place):
                raise Forked(impossible)
        return cards

    def move_cards(self, m: Machine, cards: Sequence[int], to: int, bottom: bool, cause: int) -> None:
        nameless = [card for card in cards if card < 0]
        if nameless:
            self.pass_on(m, sorted({unseen(card) for card in nameless}), to, len(nameless))
            return
        if m.hearing is not None:
            for place in {m.where[card] for card in cards}:
                if m.hearing.first.get(place) in cards:
                    del m.hearing.first[place]
        super().move_cards(m, cards, to, bottom, cause)

    def pass_on(self, m: Machine, places: Sequence[int], to: int, amount: int) -> None:
        """So many cards go from some places, as a rule a hand, to a hidden one, and nobody says which."""
        assert m.open is not None
        for place in places:
            size = open_size(m, place)
            if size is not None:
                m.sizes[place] = size + len(m.places[place])
            for card in m.places[place]:
                m.open[card] = 1 << place
            m.places[place].clear()
        sizes = [open_size(m, place) for place in (*places, to)]
        for card in {card for place in places for card in may_lie(m, place)}:
            m.open[card] |= 1 << to
            m.where[card] = -1
        for place in (*places, to):
            m.sizes.pop(place, None)
        if len(places) == 1 and sizes[0] is not None:
            m.sizes[places[0]] = sizes[0] - amount
        if sizes[-1] is not None:
            m.sizes[to] = sizes[-1] + amount
        if not fitted(m):
            raise Forked(impossible)

    def deal(self, statement: s.Deal) -> Action:
        """Cards that are dealt face up are named, one place after the other."""
        plain, id = super().deal(statement), statement.id
        amount = self.evaluator.value(statement.amount) if statement.amount is not None else None
        source, targets = self.evaluator.value(statement.source), self.evaluator.items(statement.to)

        def deal(m: Machine) -> None:
            origin = source(m)
            places = targets(m)
            if m.hearing is None or not may_lie(m, origin):
                plain(m)
                return
            if not m.places[origin] and not any(map(self.in_sight, places)):
                plain(m)
                return
            stock = open_size(m, origin)
            if stock is None:
                raise TooOpen(origin)
            there = stock + len(m.places[origin])
            each = there // max(len(places), 1) if amount is None else max(amount(m), 0)
            for place in places:
                hidden = min(each, open_size(m, origin) or 0)
                if self.in_sight(place) and hidden:
                    self.move_cards(m, self.named(m, origin, place, hidden), place, False, id)
                elif hidden:
                    self.deal_unseen(m, origin, place, hidden)
                known = m.places[origin][: each - hidden]
                self.move_cards(m, known, place, False, id)

        return deal

    @staticmethod
    def deal_unseen(m: Machine, origin: int, place: int, amount: int) -> None:
        """From the front of a place, before the cards that are known to lie there."""
        known, m.places[origin] = m.places[origin], []
        dealt(m, origin, [place], amount, True)
        m.places[origin] = known

    def goes(self, statement: s.Goes) -> Action:
        """Hidden cards that come to lie in sight are named, a whole place or some of the cards in it."""
        plain = super().goes(statement)
        if statement.to.type.kind == "end":
            return plain
        if isinstance(statement.cards, (f.Few, f.Fitting)):
            return self.some_go(statement, plain)
        if not isinstance(statement.cards, f.CardsIn):
            return plain
        to, places, id = self.evaluator.value(statement.to), self.evaluator.items(statement.cards.places), statement.id

        def goes(m: Machine) -> None:
            if m.hearing is not None and m.open and self.in_sight(to(m)):
                for place in places(m):
                    doubtful = [card for card in may_lie(m, place) if (m.open or {})[card] != 1 << place]
                    if doubtful:
                        self.move_cards(m, self.named(m, place, to(m), open_size(m, place)), to(m), False, id)
            plain(m)

        return goes

    def some_go(self, statement: s.Goes, plain: Action) -> Action:
        """Some of the cards in a hidden place, all that fit or so many of them."""
        few = statement.cards if isinstance(statement.cards, f.Few) else None
        amount = self.evaluator.value(few.amount) if few is not None else None
        possible = self.heard.possible(few.items if few is not None else statement.cards)
        if possible is None or (few is not None and few.last):
            return plain
        find, to, id = possible, self.evaluator.value(statement.to), statement.id

        def some_go(m: Machine) -> None:
            found = find(m) if m.hearing is not None and m.open else []
            doubts = [doubt for _, doubt in found if doubt]
            if not doubts or not self.in_sight(to(m)):
                plain(m)
                return
            place = doubts[0][1]
            known = [card for card, doubt in found if not doubt]
            wanted = amount(m) if amount is not None else None
            if wanted is not None and len(known) >= wanted:
                self.move_cards(m, known[:wanted], to(m), False, id)
                return
            cards = m.hearing.cards(place, to(m), wanted, [card for card, _ in found])
            if not all(hold(m, card, place) for card in cards):
                raise Forked(impossible)
            self.move_cards(m, cards, to(m), False, id)

        return some_go

    def becomes(self, statement: s.Becomes) -> Action:
        """A card that is turned up may be the last one of a hidden place, which is known from now on."""
        plain, turned = super().becomes(statement), statement.target
        if turned.keep.name != model.FACES or turned.key is None:
            return plain
        which = self.evaluator.value(turned.key)

        def becomes(m: Machine) -> None:
            if m.hearing is not None and m.open:
                card = which(m)
                if card is not None and card in m.open:
                    self.open_evaluator.settle(m, card)
                    self.heard.put(m, card, m.where[card], len(m.places[m.where[card]]))
            plain(m)

        return becomes

    def each(self, statement: s.Each) -> Action:
        """Hidden cards that are turned up one by one are shown all together."""
        plain, cards = super().each(statement), statement.items
        while isinstance(cards, f.Fitting):
            cards = cards.items
        if not isinstance(cards, f.CardsIn) or not any(map(turns, statement.body)):
            return plain
        places = self.evaluator.items(cards.places)

        def each(m: Machine) -> None:
            for place in places(m) if m.hearing is not None and m.open else ():
                if any((m.open or {})[card] != 1 << place for card in may_lie(m, place)):
                    self.heard.show(m, place)
            plain(m)

        return each


def turns(statement: s.Doing) -> bool:
    """Whether a card is turned up, or down."""
    return isinstance(statement, s.Becomes) and statement.target.keep.name == model.FACES
