"""A core → where something needed may be absent, and where a player may find no move: what is known, along the flow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import assert_never

from teufelswerk import model
from teufelswerk.analysis.known import ALL, Known, Reasoning, constant, join
from teufelswerk.analysis.move_checks import finds_a_move
from teufelswerk.analysis.sameness import OWNERS, UNSURE, Tags, keep_tag, place_tag, slot_tag
from teufelswerk.base.diagnostics import Diagnostic
from teufelswerk.base.texts import Text
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.lower_game import asked_of, core_of
from teufelswerk.core.walk import asked

FEW = 4
"""So often a loop is gone through as often as it says."""


def check_presence(rules: model.Model) -> list[Diagnostic]:
    """Warnings for values that are needed and may not be there when it comes to it, and for turns without a move."""
    walker = _Walker(core_of(rules))
    walker.block(walker.core.game.step.body, Known())
    return list(dict.fromkeys(walker.found))


def needed(statement: s.Doing) -> tuple[f.Expr, ...]:
    """The forms in a statement that have to be there; where nobody may be kept, nobody may come."""
    match statement:
        case s.Becomes(target=target) if target.keep.type.optional:
            return () if target.key is None else (target.key,)
        case _:
            return asked(statement)


class _Walker:
    def __init__(self, core: s.Core) -> None:
        self.core, self.rules = core, core.rules
        self.reason = Reasoning(core.rules)
        self.found: list[Diagnostic] = []
        self.trying = 0
        """How many loops are being gone through only to learn what is still known when they come round."""
        self._called: dict[object, Known] = {}

    # ---- along the flow ---------------------------------------------------------------------------------------------

    def block(self, body: s.Block, known: Known) -> Known:
        for statement in body:
            for form in needed(statement):
                self.need(form, known)
            known = self.statement(statement, known)
            for sentence in statement.told:
                self.tell(sentence, known)
        return known

    def statement(self, statement: s.Doing, known: Known) -> Known:
        reason = self.reason
        match statement:
            case s.Goes():
                return self.goes(statement, known)
            case s.Deal():
                return self.deal(statement, known)
            case s.Shuffle():
                return reason.changed(known, frozenset({place_tag(statement.place.type.of), OWNERS}))
            case s.Becomes():
                return self.becomes(statement, known)
            case s.Pays():
                keeps = keep_tag(statement.payer.keep), keep_tag(statement.receiver.keep)
                return reason.changed(known, frozenset({*keeps, slot_tag(statement.slot)}))
            case s.Let():
                origin = self.origin(statement.value, known)
                return self.bound(statement.slot, known, origin)
            case s.Turn():
                return self.turn(statement, known)
            case s.AtOnce():
                return self.loop((statement.turn,), known, lambda k: self.bound(statement.slot, k), False)
            case s.Call():
                return self.call(statement, known)
            case s.Repeat():
                return self.repeat(statement, known)
            case s.Until():
                after = self.loop(statement.body, known, lambda k: reason.assume(statement.condition, False, k), False)
                return reason.assume(statement.condition, True, after)
            case s.Each():
                surely = reason.least(statement.items, known, known.given) > 0
                return self.loop(statement.body, known, lambda k: self.bound(statement.slot, k), surely)
            case s.GoRound():
                return self.go_round(statement, known)
            case s.Branch():
                if statement.otherwise:
                    self.decide(statement.condition, True, known)
                then = self.block(statement.then, reason.assume(statement.condition, True, known))
                return join(then, self.block(statement.otherwise, reason.assume(statement.condition, False, known)))
            case s.Tell() | s.Wins():
                return known
            case _:
                assert_never(statement)

    def becomes(self, statement: s.Becomes, known: Known) -> Known:
        target = statement.target
        somebody = self.reason.missing(statement.value, known, known.given) is None
        known = self.reason.changed(known, frozenset({keep_tag(target.keep)}))
        if not somebody or not target.keep.type.optional:
            return known
        return self.reason.assume(f.Present(model.TRUTH, target.span, target), True, known)

    def go_round(self, statement: s.GoRound, known: Known) -> Known:
        said = frozenset() if statement.begin is None else frozenset({keep_tag(statement.begin.target.keep)})

        def turn(known: Known) -> Known:
            known = self.reason.changed(known, said)
            return self.bound(statement.slot, self.reason.assume(statement.condition, False, known))

        return self.reason.assume(statement.condition, True, self.loop(statement.body, known, turn, False))

    def bound(self, slot: int, known: Known, origin: Tags | None = None) -> Known:
        """A slot holds something new."""
        known = self.reason.changed(known, frozenset({slot_tag(slot)}))
        origins = {other: tags for other, tags in known.origins.items() if other != slot}
        given = {other: number for other, number in known.given.items() if other != slot}
        return replace(known, given=given, origins=origins if origin is None else {**origins, slot: origin})

    def named(self, slot: int, value: f.Expr, known: Known) -> Known:
        """A slot holds what a value is now, and stands for it until that changes."""
        number = self.reason.same.of(value, known.given)
        known = self.bound(slot, known)
        reads = self.reason.same.reads[number]
        return known if UNSURE in reads or slot_tag(slot) in reads else known.standing(slot, number)

    def loop(self, body: s.Block, known: Known, enter: Callable[[Known], Known], at_least_once: bool) -> Known:
        """The body again and again, until what is surely known no longer shrinks."""
        self.trying += 1
        for again in count():
            before, known = known, join(known, self.block(body, enter(known)))
            if known == before:
                break
            if again:  # whatever still shrinks may be nothing in the end
                kept = {number: n for number, n in known.least.items() if n == before.least[number]}
                known = replace(known, least=kept)
        self.trying -= 1
        after = self.block(body, enter(known))
        return after if at_least_once else join(known, after)

    def repeat(self, statement: s.Repeat, known: Known) -> Known:
        times = constant(statement.times)
        if times is not None and times <= FEW:
            for _ in range(times):
                known = self.block(statement.body, known)
            return known
        match statement.times:
            case f.Count(items=items):
                # as often as there are: if each pass takes away at most one of them, one is there in each
                self.trying += 1
                many = self.reason.some(items, ALL, known, known.given)
                after = self.block(statement.body, many)
                self.trying -= 1
                number = self.reason.same.of(items, known.given)
                if after.least.get(number, 0) >= ALL - 1:
                    return self.loop(statement.body, known, lambda k: k.at_least(number, 1), False)
        return self.loop(statement.body, known, lambda k: k, bool(times))

    def call(self, statement: s.Call, known: Known) -> Known:
        step = statement.step
        if statement.argument is not None:
            known = self.named(step.slot, statement.argument, known)
        met = tuple(frozenset(facts.items()) for facts in (known.least, known.holds, known.given, known.origins))
        key = (step.name, bool(self.trying), met)
        if key not in self._called:
            self._called[key] = self.block(step.body, known)
        return self._called[key]

    # ---- cards that go ----------------------------------------------------------------------------------------------

    def origin(self, cards: f.Expr, known: Known) -> Tags:
        """The places in which cards may lie."""
        match cards:
            case f.CardsIn():
                return frozenset({place_tag(cards.places.type.of)})
            case f.Joined():
                return frozenset(place_tag(part.places.type.of) for part in cards.sets)
            case f.Together():
                return frozenset().union(*(self.origin(part, known) for part in cards.sets))
            case f.Few() | f.Fitting() | f.Nth() | f.Extreme() | f.Drawn():
                return self.origin(cards.items, known)
            case f.Only():
                return self.origin(cards.item, known)
            case f.Needed() | f.Taken():
                return self.origin(cards.value, known)
            case f.Defined(argument=None):
                return self.origin(cards.definition.value, known)
            case f.CardAt():
                return frozenset({place_tag(cards.end.type.of)})
            case f.Slot() if cards.slot in known.origins:
                return known.origins[cards.slot]
        return frozenset(map(place_tag, self.rules.places))

    def goes(self, statement: s.Goes, known: Known) -> Known:
        cards, target = statement.cards, place_tag(statement.to.type.of)
        moved = self.reason.least(cards, known, known.given)
        origin = self.origin(cards, known)
        lost = dict.fromkeys(origin, 1 if isinstance(cards, f.Only) else ALL)
        to = self.contents(statement.to, known)
        known = self.reason.changed(known, frozenset({*origin, target, OWNERS}), lost)
        match cards:
            case f.Slot(slot=slot) | f.Only(item=f.Slot(slot=slot)):
                known = replace(known, origins={**known.origins, slot: frozenset({target})})
        return self.gained(to, moved, known)

    def deal(self, statement: s.Deal, known: Known) -> Known:
        source, amount = statement.source, constant(statement.amount) if statement.amount else None
        target = statement.to.type.of
        places, to = ALL, None
        match statement.to:
            case f.Only(item=item):
                places, to = 1, self.contents(item, known)
            case f.Family(place=place):
                places, to = self.members(place), self.reason.every(place.name)
        stock = self.contents(source, known)
        held = known.least.get(stock, 0) if stock is not None else 0
        exact = amount is not None and not statement.up_to
        share = amount if exact else min(held // places, ALL if amount is None else amount)
        lost = {place_tag(source.type.of): ALL if amount is None else amount * places}
        known = self.reason.changed(known, frozenset({*lost, place_tag(target), OWNERS}), lost)
        return self.gained(to, share or 0, known)

    def members(self, place: model.Place) -> int:
        """How many places a family has at most."""
        return model.most_members(self.rules, place.key)

    def contents(self, place: f.Expr, known: Known) -> int | None:
        """The number for the cards of one place."""
        if place.type.kind != "place":
            return None
        cards = f.CardsIn(place.type, place.span, f.Only(place.type.all(), place.span, place))
        return self.reason.same.of(cards, known.given)

    def gained(self, number: int | None, amount: int, known: Known) -> Known:
        if number is None or UNSURE in self.reason.same.reads[number]:
            return known
        return known.at_least(number, min(known.least.get(number, 0) + amount, len(self.rules.cards)))

    # ---- turns ------------------------------------------------------------------------------------------------------

    def turn(self, statement: s.Turn, known: Known) -> Known:
        player, results = statement.player, []
        entered = {}
        for verb in (verb for group in statement.groups for verb in group):
            move = self.core.moves[verb]
            entered[verb] = self.named(move.slot, player, known)
            results.append(self.made(move, entered[verb]))
        last = [(self.core.moves[verb], entered[verb]) for verb in statement.groups[-1]]
        if not self.trying and not finds_a_move(self.reason, last):
            move = last[0][0]
            first = next((c.must for c in move.conditions if not c.if_able), None)
            related = ((first.span, Text("this may refuse every choice")),) if first else ()
            if first is None and (choice := next((c for c in move.choices if c.items is not None), None)) is not None:
                related = ((choice.span, Text("there may be nothing to choose")),)
            message = Text("a player may find no move here")
            help = Text("add a last alternative that always works, as in `else passes`")
            self.found.append(Diagnostic("may-find-no-move", message, statement.span, None, related, help, "warning"))
        joined = results[0]
        for result in results[1:]:
            joined = join(joined, result)
        return joined

    def made(self, move: s.Move, known: Known) -> Known:
        """A move is made: its choices could be chosen, and its conditions hold."""
        invitation = self.rules.moves[move.name].invitation
        if invitation:
            self.tell(asked_of(self.rules).sentence(invitation), known)
        for choice in move.choices:
            known = self.picked(choice, known)
        for condition in sorted(move.conditions, key=lambda c: c.if_able):
            holds, inner = condition.holds, known
            while isinstance(holds, f.Logic) and holds.span == condition.must.span:  # below an `if`
                inner = self.reason.assume(holds.left, False, inner)
                holds = holds.right
            self.decide(holds, True, inner)
            for sentence in condition.told:
                self.tell(sentence, inner)
            if not condition.if_able:
                known = self.reason.assume(condition.holds, True, known)
        return self.block(move.effects, known)

    def picked(self, choice: s.Choice, known: Known) -> Known:
        """Something was chosen, so there is something to choose, and what was chosen fits."""
        items = choice.items
        if items is None:
            known = self.bound(choice.slot, known)
            return self.position(choice, choice.high.items, known) if isinstance(choice.high, f.Count) else known
        amount = 1 if choice.low is None else constant(choice.low)
        known = self.bound(choice.slot, known, self.origin(items, known) if choice.type.kind == "card" else None)
        if amount:
            known = self.reason.some(items, amount, known, known.given)
        if choice.several:  # whoever gives their number a name does not mean none
            chosen = self.reason.same.of(f.Slot(choice.type.all(), choice.span, choice.slot), known.given)
            return known.at_least(chosen, 1 if amount is None else amount)
        while isinstance(items, f.Fitting):
            chosen = self.reason.same.of(f.Slot(choice.type, choice.span, choice.slot), known.given)
            known = self.reason.assume(items.condition, True, known, {**known.given, items.slot: chosen})
            items = items.items
        return known

    def position(self, choice: s.Choice, items: f.Items, known: Known) -> Known:
        """A number was chosen, and there are as many things; so there is one with that number."""
        if choice.low is None or (constant(choice.low) or 0) < 1:
            return known
        few = f.Few(items.type, choice.span, items, f.Slot(choice.type, choice.span, choice.slot), False)
        known = self.reason.some(items, 1, known, known.given)
        return known.at_least(self.reason.same.of(few, known.given), 1)

    # ---- what may be absent -----------------------------------------------------------------------------------------

    def warn(self, missing: f.Expr, wanted: f.Expr) -> None:
        if self.trying:
            return
        words = missing.span.source.lines[missing.span.line - 1][missing.span.column - 1 : missing.span.end - 1]
        message = Text("there may be no `{words}` here", words=words)
        help = Text("say what holds then with `else`, or ask first: `if there is …`")
        related = ((missing.span, Text("this may be absent")),) if missing.span != wanted.span else ()
        self.found.append(Diagnostic("may-be-absent", message, wanted.span, None, related, help, "warning"))

    def need(self, form: f.Expr, known: Known) -> None:
        missing = self.reason.missing(form, known, known.given)
        if missing is not None:
            self.warn(missing, form)

    def tell(self, sentence: f.Sentence, known: Known) -> None:
        for _, figure in sentence.figures:
            self.need(figure, known)

    def decide(self, condition: f.Expr, holds: bool, known: Known) -> None:
        """A comparison with something absent does not hold: worth a word where that decides by itself."""
        match condition:
            case f.Not():
                self.decide(condition.operand, not holds, known)
            case f.Logic() if (condition.op == "and") is holds:
                self.decide(condition.left, holds, known)
                self.decide(condition.right, holds, self.reason.assume(condition.left, holds, known))
            case f.Defined(argument=None):
                self.decide(condition.definition.value, holds, known)
            case f.Compare():
                for side in (condition.left, condition.right):
                    missing = self.reason.missing(side, known, known.given)
                    if isinstance(missing, f.Nth):
                        self.warn(missing, condition)
