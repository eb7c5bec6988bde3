"""Typed statements that need no decision → functions that change the machine and log what happened."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from teufelswerk import chance, model
from teufelswerk.evaluate import Evaluator
from teufelswerk.limits import MAX_NUMBER
from teufelswerk.machine import END_NAMES, TOP, Event, Layout, Machine, RuleError
from teufelswerk.show import Teller
from teufelswerk.texts import Text
from teufelswerk.values import Function, absent

Action: TypeAlias = Callable[[Machine], None]


def is_simple(statement: model.Statement) -> bool:
    """Whether a statement neither asks a player nor runs another step."""
    match statement:
        case model.Turn() | model.Call() | model.GoRound() | model.Wins() | model.Repeat() | model.Until():
            return False
        case model.If():
            return all(map(is_simple, (*statement.then, *statement.otherwise)))
        case model.Each():
            return all(map(is_simple, statement.body))
    return True


class Effects:
    """Makes a function for each statement without decisions."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.layout: Layout = evaluator.layout
        self.teller = Teller(evaluator)

    def block(self, statements: Sequence[model.Statement]) -> Action:
        actions = [self.action(statement) for statement in statements]
        if len(actions) == 1:
            return actions[0]

        def run(m: Machine) -> None:
            for action in actions:
                action(m)

        return run

    def action(self, statement: model.Statement) -> Action:
        method: Callable[[Any], Action] = getattr(self, "_" + type(statement).__name__)
        act = method(statement)
        announce = self.teller.announce(statement)
        if announce is None:
            return act

        def act_and_tell(m: Machine) -> None:
            act(m)
            if m.log is not None:
                announce(m)

        return act_and_tell

    # ---- cards ------------------------------------------------------------------------------------------------------

    def move_cards(self, m: Machine, cards: list[int], to: int, bottom: bool, cause: int) -> None:
        """Takes cards from wherever they are and puts them, in their order, onto a place."""
        places, where, owner, ordered = m.places, m.where, self.layout.owner, self.layout.ordered[to]
        if m.log is not None:
            self.log_cards(m, cards, to, bottom, cause)
        owns = owner[to]
        for card in cards:
            origin = where[card]
            places[origin].remove(card)
            if not ordered:
                insort(places[to], card)
            elif bottom:
                places[to].insert(0, card)
            else:
                places[to].append(card)
            where[card] = to
            holder = owner[origin]
            if owns >= 0:
                m.owners[card] = owns
            elif holder >= 0:
                m.owners[card] = holder

    def log_cards(self, m: Machine, cards: list[int], to: int, bottom: bool, cause: int) -> None:
        assert m.log is not None
        names, ids = self.layout.place_names, self.layout.model.cards
        groups: dict[int, list[str]] = {}
        for card in cards:
            groups.setdefault(m.where[card], []).append(ids[card].id)
        for origin, group in groups.items():
            if origin == to and not self.layout.place_of[to].two_ended:
                continue  # they lie there already
            record: dict[str, Any] = {"event": "cards", "cards": group, "from": names[origin], "to": names[to]}
            if self.layout.place_of[to].two_ended:
                record["end"] = END_NAMES[0 if bottom else TOP]
            m.log.append(Event(record, cause))

    def _Goes(self, s: model.Goes) -> Action:
        cards = self.goers(s.what)
        to, is_end, id = self.evaluator.needed(s.to), s.to.type.kind == "end", s.id

        def goes(m: Machine) -> None:
            moving = cards(m)
            target = to(m)
            if is_end:
                self.move_cards(m, moving, target >> 1, target & 1 != TOP, id)
            else:
                self.move_cards(m, moving, target, False, id)

        return goes

    def goers(self, what: model.Expr) -> Function:
        """The cards that go, as a list of their own."""
        find = self.evaluator.needed(what)
        if what.type.kind == "place" and not what.type.many:
            return lambda m: list(m.places[find(m)])
        if what.type.kind == "place":
            return lambda m: [card for place in find(m) for card in m.places[place]]
        if what.type.many:
            return lambda m: list(find(m))
        return lambda m: [find(m)]

    def _Deal(self, s: model.Deal) -> Action:
        source, targets = self.evaluator.needed(s.source), self.evaluator.places(s.to)
        amount = self.evaluator.needed(s.amount) if s.amount else None
        id, span, portion = s.id, s.span, s.portion

        def deal(m: Machine) -> None:
            origin, places = source(m), targets(m)
            stock = m.places[origin]
            size = len(stock) // max(len(places), 1) if amount is None else max(amount(m), 0)
            if portion == "exact" and size * len(places) > len(stock):
                message = Text(
                    "{needed} {needed:card is|cards are} to be dealt, but only {n} {n:is|are} there",
                    needed=size * len(places),
                    n=len(stock),
                )
                raise RuleError("too-few-cards", message, span, Text("deal fewer, or write `deal up to …`"))
            for place in places:
                self.move_cards(m, stock[:size], place, False, id)

        return deal

    def _Shuffle(self, s: model.Shuffle) -> Action:
        place = self.evaluator.needed(s.place)

        def shuffle(m: Machine) -> None:
            cards = m.places[place(m)]
            m.rng = chance.shuffle(m.rng, cards)
            for card in cards:
                m.owners[card] = -1

        return shuffle

    # ---- what is kept -----------------------------------------------------------------------------------------------

    def log_keep(self, m: Machine, index: int, cause: int) -> None:
        assert m.log is not None
        m.log.append(Event(self.teller.keep_record(index, m.keeps[index]), cause))

    def with_reasons(self, m: Machine, value: Function) -> Any:
        """The value, after telling why it is that one, where its alternatives give reasons."""
        outer, m.fired = m.fired, []
        result = value(m)
        fired, m.fired = m.fired, outer
        if outer is not None:
            outer.extend(fired)
        self.teller.reasons(m, fired)
        return result

    def _Becomes(self, s: model.Becomes) -> Action:
        index, value = self.evaluator.keep_index(s.target), self.evaluator.needed(s.value)
        id, span = s.id, s.span

        def becomes(m: Machine) -> None:
            number = index(m)
            if number is None:
                raise absent(s.target.span)
            if m.log is None:
                m.keeps[number] = value(m)
            else:
                m.keeps[number] = self.with_reasons(m, value)
                self.log_keep(m, number, id)
            kept = m.keeps[number]
            if kept is not None and abs(kept) > MAX_NUMBER:
                raise RuleError("large-number", Text("a number is at most {limit}", limit=MAX_NUMBER), span)

        return becomes

    def _Pays(self, s: model.Pays) -> Action:
        payer, receiver = self.evaluator.keep_index(s.payer), self.evaluator.keep_index(s.receiver)
        amount, slot, id = self.evaluator.needed(s.amount), s.paid_slot, s.id

        def pays(m: Machine) -> None:
            giver, taker = payer(m), receiver(m)
            if giver is None or taker is None:
                raise absent(s.span)
            paid = max(0, min(amount(m), m.keeps[giver] or 0))
            m.keeps[giver] = (m.keeps[giver] or 0) - paid
            m.keeps[taker] = (m.keeps[taker] or 0) + paid
            m.slots[slot] = paid
            if m.log is not None:
                self.log_keep(m, giver, id)
                self.log_keep(m, taker, id)

        return pays

    def _SetLocal(self, s: model.SetLocal) -> Action:
        value, slot = self.evaluator.needed(s.value), s.slot

        def set_local(m: Machine) -> None:
            m.slots[slot] = value(m) if m.log is None else self.with_reasons(m, value)

        return set_local

    # ---- blocks -----------------------------------------------------------------------------------------------------

    def _Tell(self, s: model.Tell) -> Action:
        return lambda m: None

    def _If(self, s: model.If) -> Action:
        condition = self.evaluator.function(s.condition)
        then, otherwise = self.block(s.then), self.block(s.otherwise)

        def decide(m: Machine) -> None:
            holds = condition(m)
            if m.fired is not None:
                m.fired.append(s.id if holds else s.else_id)
            (then if holds else otherwise)(m)

        return decide

    def _Each(self, s: model.Each) -> Action:
        items = self.items(s)
        body, slot = self.block(s.body), s.slot

        def each(m: Machine) -> None:
            for item in items(m):
                m.slots[slot] = item
                body(m)
            m.slots[slot] = None

        return each

    def items(self, s: model.Each) -> Callable[[Machine], list[int]]:
        """What a loop goes through, in order; players clockwise from first to last, without those who are out."""
        everything = self.evaluator.everything(s.over)
        if s.first is None:
            return lambda m: list(everything(m))
        first = self.evaluator.needed(s.first)
        last = self.evaluator.needed(s.last) if s.last else None
        n = self.layout.players

        def around(m: Machine) -> list[int]:
            begin = first(m)
            length = (last(m) - begin) % n + 1 if last else n
            inside = set(everything(m))
            return [seat for i in range(length) if (seat := (begin + i) % n) in inside]

        return around
