"""Statements that need no decision → functions that change the machine and log what happened."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, assert_never

from teufelswerk.base import chance
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.limits import MAX_NUMBER
from teufelswerk.base.texts import Text
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.absence import may_be_absent
from teufelswerk.interpreter.evaluate import Evaluator
from teufelswerk.interpreter.machine import END_NAMES, TOP, Event, Layout, Machine, RuleError
from teufelswerk.interpreter.sets import Items, as_it_is_now
from teufelswerk.interpreter.show import Teller
from teufelswerk.interpreter.values import Function, needed
from teufelswerk.model import UP

Action: TypeAlias = Callable[[Machine], None]


class Effects:
    """Makes a function for each statement without decisions."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.layout: Layout = evaluator.layout
        self.owner, self.ordered = self.layout.owner, self.layout.ordered
        self.faces = self.layout.faces
        self.teller = Teller(evaluator)
        self.steps: dict[str, Action] = {}
        """Those that moves call."""

    def block(self, body: s.Block) -> Action:
        actions = [self.action(statement) for statement in body]
        if len(actions) == 1:
            return actions[0]

        def run(m: Machine) -> None:
            for action in actions:
                action(m)

        return run

    def action(self, statement: s.Doing) -> Action:
        """What happens, and then what is told about it; of a step, what is told comes first."""
        announce = self.teller.announcement(statement)
        if isinstance(statement, s.Call):
            return self.call(statement, announce)
        act = self.effect(statement)
        if announce is None:
            return act

        def act_and_tell(m: Machine) -> None:
            act(m)
            if m.log is not None:
                announce(m)

        return act_and_tell

    def effect(self, statement: s.Doing) -> Action:
        match statement:
            case s.Goes():
                return self.goes(statement)
            case s.Deal():
                return self.deal(statement)
            case s.Shuffle():
                return self.shuffle(statement)
            case s.Becomes():
                return self.becomes(statement)
            case s.Pays():
                return self.pays(statement)
            case s.Let():
                return self.let(statement)
            case s.Tell():
                return lambda m: None
            case s.Branch():
                return self.branch(statement)
            case s.Each():
                return self.each(statement)
            case s.Turn() | s.AtOnce() | s.Call() | s.GoRound() | s.Wins() | s.Repeat() | s.Until():
                raise AssertionError("this belongs to the flow of the game")
            case _:
                assert_never(statement)

    # ---- cards ------------------------------------------------------------------------------------------------------

    def move_cards(self, m: Machine, cards: Sequence[int], to: int, bottom: bool, cause: int) -> None:
        """Takes cards from wherever they are and puts them, in their order, onto a place."""
        if m.log is not None:
            self.log_cards(m, cards, to, bottom, cause)
        places, where, owners = m.places, m.where, m.owners
        target, ordered, owns = places[to], self.ordered[to], self.owner[to]
        for card in cards:
            places[where[card]].remove(card)
            where[card] = to
            if not ordered:
                insort(target, card)
            elif bottom:
                target.insert(0, card)
            else:
                target.append(card)
        if owns >= 0:
            for card in cards:
                owners[card] = owns
        if self.faces is not None:
            self.layout.lie(m.keeps, to, cards)

    def log_cards(self, m: Machine, cards: Sequence[int], to: int, bottom: bool, cause: int) -> None:
        assert m.log is not None
        names, ids, there = self.layout.place_names, self.layout.model.cards, self.layout.place_of
        groups: dict[tuple[int, str | None], list[int]] = {}
        for card in cards:
            origin, face = m.where[card], None
            if there[origin].turned or there[to].turned:
                assert self.faces is not None
                face = "up" if (m.keeps[self.faces + card] or 0) >= UP else "down"
            groups.setdefault((origin, face), []).append(card)
        for (origin, face), group in groups.items():
            if origin == to and not self.layout.place_of[to].two_ended:
                continue  # they lie there already
            named = [ids[card].id for card in group]
            record: dict[str, Any] = {"event": "cards", "cards": named, "from": names[origin], "to": names[to]}
            if face is not None:
                record["face"] = face
            if self.layout.place_of[to].two_ended:
                record["end"] = END_NAMES[0 if bottom else TOP]
            m.log.append(Event(record, cause, cards=tuple(group)))

    def goes(self, statement: s.Goes) -> Action:
        cards, to, id = self.going(statement.cards), self.evaluator.value(statement.to), statement.id
        move_cards = self.move_cards
        match statement.cards, statement.to:
            case f.Only(item=f.Slot(slot=slot)), f.PlaceAt(key=None, place=place):
                always = self.layout.place_base[place.name]
                return lambda m: move_cards(m, (m.slots[slot],), always, False, id)
        if statement.to.type.kind != "end":
            return lambda m: move_cards(m, cards(m), to(m), False, id)

        def to_an_end(m: Machine) -> None:
            moving, end = cards(m), to(m)
            move_cards(m, moving, end >> 1, end & 1 != TOP, id)

        return to_an_end

    def going(self, cards: f.Items) -> Items:
        """The cards that go, as a list of their own."""
        items = self.evaluator.items(cards)
        return items if isinstance(cards, f.Only) else lambda m: list(items(m))

    def deal(self, statement: s.Deal) -> Action:
        source, targets = self.evaluator.value(statement.source), self.evaluator.items(statement.to)
        amount = self.evaluator.value(statement.amount) if statement.amount is not None else None
        exact, id, span = amount is not None and not statement.up_to, statement.id, statement.span

        def deal(m: Machine) -> None:
            origin, places = source(m), targets(m)
            stock = m.places[origin]
            size = len(stock) // max(len(places), 1) if amount is None else max(amount(m), 0)
            if exact and size * len(places) > len(stock):
                message = Text(
                    "{needed} {needed:card is|cards are} to be dealt, but only {n} {n:is|are} there",
                    needed=size * len(places),
                    n=len(stock),
                )
                raise RuleError("too-few-cards", message, span, Text("deal fewer, or write `deal up to …`"))
            for place in places:
                self.move_cards(m, stock[:size], place, False, id)

        return deal

    def shuffle(self, statement: s.Shuffle) -> Action:
        place, owner, there = self.evaluator.value(statement.place), self.layout.owner, self.layout.place_of

        def shuffle(m: Machine) -> None:
            where = place(m)
            cards = m.places[where]
            if m.lots is None:
                m.rng = chance.shuffle(m.rng, cards)
            else:
                m.places[where] = cards = m.lots.shuffle(cards, there[where].is_hidden)
            if owner[where] < 0:
                for card in list.__iter__(cards):
                    m.owners[card] = -1

        return shuffle

    # ---- what is kept -----------------------------------------------------------------------------------------------

    def log_keep(self, m: Machine, index: int, cause: int) -> None:
        assert m.log is not None
        if self.faces is not None and index >= self.faces:
            card = index - self.faces
            turned = self.layout.model.cards[card].id, self.layout.place_names[m.where[card]]
            way = "up" if m.keeps[index] == UP else "down"
            m.log.append(
                Event({"event": "turn", "cards": [turned[0]], "place": turned[1], "way": way}, cause, cards=(card,))
            )
            return
        m.log.append(Event(self.teller.keep_record(index, m.keeps[index]), cause))

    def kept_at(self, form: f.Kept, span: Span) -> Function:
        """The number of something kept that has to be there."""
        index = self.evaluator.kept_at(form)
        return needed(index, span) if form.key is not None and may_be_absent(form.key) else index

    def with_reasons(self, m: Machine, value: Function) -> Any:
        """The value, after telling why it is that one, where its alternatives give reasons."""
        outer, m.fired = m.fired, []
        result = value(m)
        fired, m.fired = m.fired, outer
        if outer is not None:
            outer.extend(fired)
        self.teller.tell_reasons(m, fired)
        return result

    def becomes(self, statement: s.Becomes) -> Action:
        index = self.kept_at(statement.target, statement.target.span)
        value, id, span = self.evaluator.value(statement.value), statement.id, statement.span

        def becomes(m: Machine) -> None:
            number = index(m)
            if m.log is None:
                kept = m.keeps[number] = value(m)
            else:
                kept = m.keeps[number] = self.with_reasons(m, value)
                self.log_keep(m, number, id)
            if kept is not None and not -MAX_NUMBER <= kept <= MAX_NUMBER:
                raise RuleError("large-number", Text("a number is at most {limit}", limit=MAX_NUMBER), span)

        return becomes

    def set_silently(self, statement: s.Becomes) -> Action:
        """What goes without saying, and so is not recorded."""
        index, value = self.kept_at(statement.target, statement.target.span), self.evaluator.value(statement.value)

        def become(m: Machine) -> None:
            m.keeps[index(m)] = value(m)

        return become

    def pays(self, statement: s.Pays) -> Action:
        payer, receiver = (
            self.kept_at(statement.payer, statement.span),
            self.kept_at(statement.receiver, statement.span),
        )
        amount, slot, id = self.evaluator.value(statement.amount), statement.slot, statement.id

        def pays(m: Machine) -> None:
            giver, taker = payer(m), receiver(m)
            paid = max(0, min(amount(m), m.keeps[giver] or 0))
            m.keeps[giver] = (m.keeps[giver] or 0) - paid
            m.keeps[taker] = (m.keeps[taker] or 0) + paid
            m.slots[slot] = paid
            if m.log is not None:
                self.log_keep(m, giver, id)
                self.log_keep(m, taker, id)

        return pays

    def let(self, statement: s.Let) -> Action:
        value, slot = self.evaluator.value(statement.value), statement.slot
        if statement.value.type.many:
            value = as_it_is_now(value)

        def let(m: Machine) -> None:
            m.slots[slot] = value(m) if m.log is None else self.with_reasons(m, value)

        return let

    # ---- blocks -----------------------------------------------------------------------------------------------------

    def call(self, statement: s.Call, announce: Action | None) -> Action:
        """A step that a move calls: nobody decides anything in it."""
        step, argument, id = statement.step, statement.argument, statement.id
        given = self.evaluator.value(argument) if argument is not None else None
        if step.name not in self.steps:
            self.steps[step.name] = self.block(step.body)
        body, name, slot = self.steps[step.name], step.name, step.slot

        def call(m: Machine) -> None:
            if given is not None:
                m.slots[slot] = given(m)
            if m.log is not None:
                m.log.append(Event({"event": "step", "name": name}, id))
                if announce is not None:
                    announce(m)
            body(m)
            if given is not None:
                m.slots[slot] = None

        return call

    def branch(self, statement: s.Branch) -> Action:
        condition, id, else_id = self.evaluator.deciding(statement.condition), statement.id, statement.else_id
        then, otherwise = self.block(statement.then), self.block(statement.otherwise)

        def decide(m: Machine) -> None:
            holds = condition(m)
            if m.fired is not None:
                m.fired.append(id if holds else else_id)
            (then if holds else otherwise)(m)

        return decide

    def each(self, statement: s.Each) -> Action:
        items, body, slot = self.evaluator.items(statement.items), self.block(statement.body), statement.slot

        def each(m: Machine) -> None:
            for item in tuple(items(m)):
                m.slots[slot] = item
                body(m)
            m.slots[slot] = None

        return each
