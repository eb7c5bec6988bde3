"""Typed expressions → functions of the machine, for one number of players: sets, conditions, alternatives."""

from __future__ import annotations

from typing import Any

from teufelswerk import chance, model
from teufelswerk.machine import Machine
from teufelswerk.model import Expr
from teufelswerk.sifting import sifter
from teufelswerk.values import Function, Values


class Evaluator(Values):
    """Makes a function for every expression; one for each kind of expression, named after it."""

    def rest(self) -> None:
        """A decision begins: whoever counts the work counts anew."""

    # ---- sets -------------------------------------------------------------------------------------------------------

    def everything(self, expr: model.Everything) -> Function:
        kind = expr.type.kind
        if kind == "card":
            cards = [card.index for card in self.model.cards if card.kind in expr.type.card_kinds]
            return lambda m: cards
        if kind == "player":
            seats, out = list(range(self.players)), self.is_out()
            if out is None:
                return lambda m: seats
            return lambda m: [seat for seat in seats if not out(m, seat)]
        if kind == "place":
            places = list(self.layout.family(expr.type.of))
            return lambda m: places
        values = list(range(len(self.model.names[expr.type.of])))
        return lambda m: values

    _Everything = everything

    def places(self, base: Expr) -> Function:
        """The places that a set of cards or ends is looked for in, as a list of numbers."""
        find = self.function(base)
        if base.type.many:
            return find

        def single(m: Machine) -> list[int]:
            place = find(m)
            return [] if place is None else [place]

        return single

    def candidates(self, members: model.Members) -> Function:
        """What the condition of a set is tried on, in order."""
        base, type = members.base, members.type
        if type.kind == "end":
            if not base.type.many:
                find = self.function(base)

                def both(m: Machine) -> list[int]:
                    place = find(m)
                    return [place * 2, place * 2 + 1] if place is not None and m.places[place] else []

                return both
            places = self.places(base)

            def ends(m: Machine) -> list[int]:
                return [place * 2 + side for place in places(m) if m.places[place] for side in (0, 1)]

            return ends
        if type.kind == "card" and base.type.kind == "place":
            return self.of_kind(self.cards_in(base), type)
        if type.kind == "card":
            return self.of_kind(self.function(base), type)
        return self.function(base)

    def cards_in(self, base: Expr) -> Function:
        find = self.function(base)
        if not base.type.many:

            def contents(m: Machine) -> list[int]:
                place = find(m)
                return [] if place is None else m.places[place]

            return contents
        return lambda m: [card for place in find(m) for card in m.places[place]]

    def of_kind(self, cards: Function, type: model.Type) -> Function:
        if len(type.card_kinds) == len(self.model.kinds):
            return cards
        fits = [card.kind in type.card_kinds for card in self.model.cards]
        return lambda m: [card for card in cards(m) if fits[card]]

    def _Members(self, expr: model.Members) -> Function:
        candidates = self.candidates(expr)
        if expr.where is None:
            return candidates
        sift = sifter(self, expr.where, expr.slot)
        return lambda m: sift(m, candidates(m))

    def _Best(self, expr: model.Best) -> Function:
        members, by, slot = self.function(expr.members), self.function(expr.by), expr.members.slot
        highest = expr.extreme == "highest"

        def best(m: Machine) -> int | None:
            chosen, record = None, None
            for item in members(m):
                m.slots[slot] = item
                value = by(m)
                if value is not None and (record is None or (value > record if highest else value < record)):
                    chosen, record = item, value
            return chosen

        return best

    def _Random(self, expr: model.Random) -> Function:
        members = self.function(expr.members)

        def drawn(m: Machine) -> int | None:
            items = members(m)
            if not items:
                return None
            m.rng, index = chance.below(m.rng, len(items))
            return int(items[index])

        return drawn

    def _Total(self, expr: model.Total) -> Function:
        members, by, slot = self.function(expr.members), self.function(expr.by), expr.members.slot

        def total(m: Machine) -> int:
            amount = 0
            for item in members(m):
                m.slots[slot] = item
                amount += by(m) or 0
            return amount

        return total

    def _Count(self, expr: model.Count) -> Function:
        members = self.function(expr.members)
        return lambda m: len(members(m))

    def _Quantify(self, expr: model.Quantify) -> Function:
        enough = self.enough(expr)
        if expr.every is None:
            return enough
        places, slot = self.function(expr.every[0]), expr.every[1]

        def everywhere(m: Machine) -> bool:
            for place in places(m):
                m.slots[slot] = place
                if not enough(m):
                    return False
            return True

        return everywhere

    def enough(self, expr: model.Quantify) -> Function:
        members = self.function(expr.members)
        if expr.amount is None:
            some = expr.quantity == "some"
            return lambda m: bool(members(m)) is some
        amount = self.needed(expr.amount)
        match expr.quantity:
            case "at_least_n":
                return lambda m: len(members(m)) >= amount(m)
            case "at_most_n":
                return lambda m: len(members(m)) <= amount(m)
        return lambda m: len(members(m)) == amount(m)

    # ---- conditions, arithmetic, alternatives -----------------------------------------------------------------------

    def _Compare(self, expr: model.Compare) -> Function:
        left, right = self.function(expr.left), self.function(expr.right)
        match expr.relation:
            case "is":

                def equal(m: Machine) -> bool:
                    value = left(m)
                    return value is not None and value == right(m)

                return equal
            case "is_not":

                def different(m: Machine) -> bool:
                    value = left(m)
                    return value is None or value != right(m)

                return different
            case "above":

                def above(m: Machine) -> bool:
                    a, b = left(m), right(m)
                    return a is not None and b is not None and a > b

                return above
            case "below":

                def below(m: Machine) -> bool:
                    a, b = left(m), right(m)
                    return a is not None and b is not None and a < b

                return below
            case "at_least":

                def at_least(m: Machine) -> bool:
                    a, b = left(m), right(m)
                    return a is not None and b is not None and a >= b

                return at_least

        def at_most(m: Machine) -> bool:
            a, b = left(m), right(m)
            return a is not None and b is not None and a <= b

        return at_most

    def _Exists(self, expr: model.Exists) -> Function:
        thing, negated, many = self.function(expr.thing), expr.negated, expr.thing.type.many

        def exists(m: Machine) -> bool:
            value = thing(m)
            return bool(value if many else value is not None) is not negated

        return exists

    def _AllPass(self, expr: model.AllPass) -> Function:
        raise AssertionError("`all pass` is worked out by the loop around it")

    def _Logic(self, expr: model.Logic) -> Function:
        left, right = self.function(expr.left), self.function(expr.right)
        if expr.op == "and":
            return lambda m: left(m) and right(m)
        return lambda m: left(m) or right(m)

    def _Not(self, expr: model.Not) -> Function:
        operand = self.function(expr.operand)
        return lambda m: not operand(m)

    def _Arith(self, expr: model.Arith) -> Function:
        left, right = self.needed(expr.left), self.needed(expr.right)
        return lambda m: self.calculate(expr, left(m), right(m))

    def _Alternatives(self, expr: model.Alternatives) -> Function:
        branches = [
            (self.function(b.condition) if b.condition else None, self.function(b.value), b) for b in expr.branches
        ]

        def first(m: Machine) -> Any:
            for condition, value, branch in branches:
                if condition is None or condition(m):
                    found = value(m)
                    if found is not None:
                        if m.fired is not None:
                            m.fired.append(branch)
                        return found
            return None

        return first

    def _Decision(self, expr: model.Decision) -> Function:
        condition, then = self.function(expr.condition), self.function(expr.then)
        otherwise = self.function(expr.otherwise) if expr.otherwise else None

        def decide(m: Machine) -> Any:
            if condition(m):
                return then(m)
            return otherwise(m) if otherwise else None

        return decide
