"""Statements → functions that change positions with open cards."""

from __future__ import annotations

from collections.abc import Sequence

from teufelswerk import model
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.lower_game import core_of
from teufelswerk.examples.open_cards import dealt, left, may_lie, open_size
from teufelswerk.examples.open_evaluator import OpenEvaluator
from teufelswerk.examples.worlds import Split, TooOpen
from teufelswerk.interpreter.effects import Action, Effects
from teufelswerk.interpreter.machine import Machine, layout_of
from teufelswerk.interpreter.program import Program
from teufelswerk.interpreter.sets import Items


def open_program_of(rules: model.Model, players: int) -> Program:
    """The program for examples with a number of players. It is written once and kept with the model."""
    programs: dict[int, Program] = vars(rules).setdefault("_open_programs", {})
    if players not in programs:
        programs[players] = Program(OpenEffects(OpenEvaluator(core_of(rules), layout_of(rules, players))))
    return programs[players]


class OpenEffects(Effects):
    """Changes positions with open cards, and notes every statement that happens."""

    def __init__(self, evaluator: OpenEvaluator) -> None:
        super().__init__(evaluator)
        self.open_evaluator = evaluator

    def action(self, statement: s.Doing) -> Action:
        act, id = super().action(statement), statement.id
        if isinstance(statement, (s.Branch, s.Each)):
            return act

        def noted(m: Machine) -> None:
            if m.fired is not None:
                m.fired.append(id)
            act(m)

        return noted

    def move_cards(self, m: Machine, cards: Sequence[int], to: int, bottom: bool, cause: int) -> None:
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
                self.open_evaluator.settle(m, card)
                holder = self.layout.owner[m.where[card]]
            else:
                holder = -1
            left(m, card)
            m.places[to].insert(0 if bottom else len(m.places[to]), card)
            if not self.layout.ordered[to]:
                m.places[to].sort()
            m.where[card] = to
            m.owners[card] = self.layout.owner[to] if self.layout.owner[to] >= 0 else holder
            self.layout.lie(m.keeps, to, [card])

    def becomes(self, statement: s.Becomes) -> Action:
        """A card that is turned lies open from now on: its place has to be known, and its position there."""
        plain, turned = super().becomes(statement), statement.target
        if turned.keep.name != model.FACES or turned.key is None:
            return plain
        which = self.evaluator.value(turned.key)

        def becomes(m: Machine) -> None:
            card = which(m)
            if m.open and card in m.open:
                self.open_evaluator.settle(m, card)
                place = m.where[card]
                if m.places[place] or open_size(m, place) != 1:
                    raise TooOpen(place)
                left(m, card)
                m.places[place].append(card)
            plain(m)

        return becomes

    def going(self, cards: f.Items) -> Items:
        """Of cards in whole places, those that are known to lie there."""
        if not isinstance(cards, f.CardsIn):
            return super().going(cards)
        places = self.evaluator.items(cards.places)
        return lambda m: [card for place in places(m) for card in m.places[place]]

    def goes(self, statement: s.Goes) -> Action:
        """A whole place that goes out of sight takes its open cards along without anybody looking at them."""
        plain, to, id = super().goes(statement), self.evaluator.value(statement.to), statement.id
        if not isinstance(statement.cards, f.CardsIn) or statement.to.type.kind == "end":
            return plain
        places = self.evaluator.items(statement.cards.places)

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
                        self.move_cards(m, [card], target, False, id)
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

    def deal(self, statement: s.Deal) -> Action:
        plain = super().deal(statement)
        amount = self.evaluator.value(statement.amount) if statement.amount is not None else None
        source, targets = self.evaluator.value(statement.source), self.evaluator.items(statement.to)
        exact = amount is not None and not statement.up_to

        def deal(m: Machine) -> None:
            origin = source(m)
            if may_lie(m, origin):
                dealt(m, origin, targets(m), max(amount(m), 0) if amount else None, exact)
            else:
                plain(m)

        return deal

    def shuffle(self, statement: s.Shuffle) -> Action:
        plain, place = super().shuffle(statement), self.evaluator.value(statement.place)

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
