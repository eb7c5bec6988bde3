"""Typed expressions → integer expressions of the source; whatever takes more than one line is written before them."""

from __future__ import annotations

from typing import Any

from teufelswerk import model
from teufelswerk.compiled.context import BAIL
from teufelswerk.compiled.emit import Code, NotCompiled, both, constant
from teufelswerk.compiled.places import Family
from teufelswerk.compiled.questions import Questions
from teufelswerk.compiled.reasons import sources
from teufelswerk.compiled.tables import NONE, SIGNS
from teufelswerk.limits import MAX_NUMBER
from teufelswerk.machine import RuleError
from teufelswerk.model import Expr
from teufelswerk.texts import Text
from teufelswerk.values import NOT_CONSTANT

TRUTHS = (model.Compare, model.Quantify, model.Exists, model.Logic, model.Not)


class Values(Questions):
    """Writes single values and conditions."""

    def value(self, expr: Expr) -> Code:
        try:
            known = self.evaluator.constant(expr)
        except RuleError as problem:
            raise NotCompiled(problem.diagnostic.message, problem.diagnostic.span) from None
        if known is not NOT_CONSTANT:
            return constant(known)
        if isinstance(expr, TRUTHS):
            return Code(self.test(expr))
        method = getattr(self, "_" + type(expr).__name__, None)
        if method is None:
            raise NotCompiled(Text("a value of this kind"), expr.span)
        with self.ticks.value(self.ticks.in_value and bool(sources(expr))):
            code: Code = method(expr)
        return code

    def needed(self, expr: Expr) -> Code:
        """A value without which the game cannot go on."""
        code = self.value(expr)
        if code.present is None:
            return code
        with self.out.block(f"if not ({code.present}):"):
            self.out(BAIL)
        return Code(code.text, None, code.low, code.high)

    # ---- names and things -------------------------------------------------------------------------------------------

    def _Local(self, expr: model.Local) -> Code:
        if expr.slot not in self.slots:
            raise NotCompiled(Text("a name used outside of its place"), expr.span)
        return self.slots[expr.slot]

    def _AttributeOf(self, expr: model.AttributeOf) -> Code:
        card, table = self.value(expr.card), self.tables.attribute(expr.attribute)
        kinds = expr.card.type.card_kinds
        values = [c.values.get(expr.attribute) for c in self.rules.cards if not kinds or c.kind in kinds]
        found = [value for value in values if value is not None]
        if len(found) < len(values):
            card = self.out.named("card", card)
            present = both(card.present, f"{table}[{card.text}] != {NONE}")
        else:
            present = card.present
        return Code(f"{table}[{card.text}]", present, min(found, default=0), max(found, default=0))

    def _PlaceOf(self, expr: model.PlaceOf) -> Code:
        return self.index(expr.key, expr.place.key)

    def index(self, key: Expr | None, family: model.Key | None) -> Code:
        """Which member of a family is meant."""
        if key is None or family is None:
            return constant(0)
        code = self.value(key)
        if family.kind != "number":
            return code
        code = self.out.named("number", code)
        outside = f"{family.low} <= {code.text} <= {family.high}"
        with self.out.block(f"if not ({outside}){f' and {code.present}' if code.present else ''}:"):
            self.out(BAIL)
        if family.low == 0:
            return code
        return Code(f"({code.text} - {family.low})", code.present, 0, family.high - family.low)

    def _KeepOf(self, expr: model.KeepOf) -> Code:
        keep, index = expr.keep, self.index(expr.key, expr.keep.key)
        name = self.keep_names[keep.name]
        text = name if keep.key is None else f"{name}[{index.text}]"
        if keep.initial is None and not keep.names and keep.name not in self.assigned:
            with self.out.block(f"if {both(index.present, f'{text} == {self.absent(keep.type)}')}:"):
                self.out(BAIL)
        return Code(text, index.present, *self.bounds(keep.type))

    def _Defined(self, expr: model.Defined) -> Code:
        definition = expr.definition
        if expr.argument is None:
            return self.value(definition.value)
        argument = self.out.named(definition.name, self.value(expr.argument))
        with self.bound(definition.slot, Code(argument.text, None, argument.low, argument.high)):
            with self.out.aside() as lines:
                found = self.value(definition.value)
            if argument.present is None or not lines:
                self.out.lines += lines
                return Code(found.text, both(argument.present, found.present), found.low, found.high)
            target = self.out.let(definition.name, str(self.absent(expr.type)))
            with self.out.block(f"if {argument.present}:"):
                self.store(target, definition.value, self.absent(expr.type))
            return Code(target, f"{target} != {self.absent(expr.type)}", found.low, found.high)

    def _Neighbour(self, expr: model.Neighbour) -> Code:
        player = self.value(expr.player)
        return Code(f"{self.tables.neighbour(expr.side)}[{player.text}]", player.present, 0, self.players - 1)

    def _PlayerOf(self, expr: model.PlayerOf) -> Code:
        card = self.out.named("card", self.value(expr.card))
        family = self.family_of(expr.card)
        if family is None:
            raise NotCompiled(Text("the player of a card that may lie anywhere"), expr.span)
        if family.place.key is None or family.place.key.kind != "player":
            return Code(f"owner[{card.text}]", both(card.present, f"owner[{card.text}] >= 0"), 0, self.players - 1)
        holder, seat = self.out.let("holder", "-1"), self.out.name("seat")
        lies_there = both(card.present, f"{self.places.mask(family, seat)} >> {card.text} & 1")
        with self.out.block(f"for {seat} in range({self.players}):"), self.out.block(f"if {lies_there}:"):
            self.out(f"{holder} = {seat}")
        return Code(holder, both(card.present, f"{holder} >= 0"), 0, self.players - 1)

    def family_of(self, card: Expr) -> Family | None:
        """The family of places in which a card surely lies."""
        match card:
            case model.Best() | model.Random():
                return self.family_of(card.members)
            case model.Nth():
                return self.family(card.of.type) if card.of.type.kind == "place" else self.family_of(card.of)
            case model.CardAt():
                return self.family(card.end.type)
            case model.Members() if card.base.type.kind == "place":
                return self.family(card.base.type)
            case model.Members():
                return self.family_of(card.base)
            case model.Defined():
                return self.family_of(card.definition.value)
            case model.Local() if card.slot in self.origin:
                return self.origin[card.slot][0]
        return None

    def _Nth(self, expr: model.Nth) -> Code:
        if expr.of.type.kind != "place":
            return self.nth_of_set(expr)
        index = self.value(expr.of)
        code = self.places.card(self.family(expr.of.type), index.text, expr.which)
        return Code(code.text, both(index.present, code.present), 0, len(self.rules.cards) - 1)

    def _CardAt(self, expr: model.CardAt) -> Code:
        end = self.value(expr.end)
        family, place, side = self.family(expr.end.type), *self.split_end(end)
        code = self.places.end(family, place, side)
        present = end.present if not expr.type.optional else both(end.present, code.present)
        return Code(code.text, present, 0, len(self.rules.cards) - 1)

    def split_end(self, end: Code) -> tuple[str, str]:
        """An end's place, and 0 for its bottom or 1 for its top."""
        if end.place:
            return end.place, end.side
        if end.number is not None:
            return str(end.number >> 1), str(end.number & 1)
        return f"({end.text} >> 1)", f"({end.text} & 1)"

    # ---- arithmetic -------------------------------------------------------------------------------------------------

    def _Arith(self, expr: model.Arith) -> Code:
        left, right = self.needed(expr.left), self.needed(expr.right)
        low, high = self.reach(expr.op, left, right)
        if expr.op in ("/down", "/up"):
            if right.low is None or right.high is None or right.low <= 0 <= right.high:
                right = self.out.named("divisor", right)
                with self.out.block(f"if {right.text} == 0:"):
                    self.out(BAIL)
            text = f"({left.text} // {right.text})" if expr.op == "/down" else f"(-(-{left.text} // {right.text}))"
        else:
            text = f"({left.text} {expr.op} {right.text})"
        if low is None or high is None or max(-low, high) > MAX_NUMBER:
            text = self.out.let("number", text)
            with self.out.block(f"if not -{MAX_NUMBER} <= {text} <= {MAX_NUMBER}:"):
                self.out(BAIL)
            low, high = -MAX_NUMBER, MAX_NUMBER
        return Code(text, None, low, high)

    @staticmethod
    def reach(op: str, left: Code, right: Code) -> tuple[int | None, int | None]:
        """Between which numbers a result lies."""
        a, b, c, d = left.low, left.high, right.low, right.high
        if a is None or b is None or c is None or d is None:
            return None, None
        if op == "+":
            return a + c, b + d
        if op == "-":
            return a - d, b - c
        if op == "*":
            return min(a * c, a * d, b * c, b * d), max(a * c, a * d, b * c, b * d)
        most = max(abs(a), abs(b))
        return -most, most

    # ---- one of several ---------------------------------------------------------------------------------------------

    def _Alternatives(self, expr: model.Alternatives) -> Code:
        return self.stored(expr)

    def _Decision(self, expr: model.Decision) -> Code:
        return self.stored(expr)

    def stored(self, expr: Expr) -> Code:
        """A value that takes branches to find."""
        if expr.type.many:
            raise NotCompiled(Text("a choice between several sets"), expr.span)
        if expr.type.kind == "truth":
            target = self.out.let("holds", "False")
            self.store(target, expr, "False")
            return Code(target)
        none = self.absent(expr.type)
        target = self.out.let(expr.type.kind, str(none))
        self.store(target, expr, none)
        return Code(target, f"{target} != {none}" if expr.type.optional else None, *self.bounds(expr.type))

    def store(self, target: str, expr: Expr, none: Any) -> None:
        """Writes what gives the target the value of an expression."""
        match expr:
            case model.Defined(argument=None) if self.evaluator.constant(expr) is NOT_CONSTANT:
                self.store(target, expr.definition.value, none)
            case model.Decision():
                with self.out.block(f"if {self.test(expr.condition)}:"):
                    self.store(target, expr.then, none)
                with self.out.block("else:"):
                    if expr.otherwise:
                        self.store(target, expr.otherwise, none)
            case model.Alternatives():
                self.store_first(target, list(expr.branches), none)
            case _:
                code = self.value(expr)
                if code.present is None:
                    self.out(f"{target} = {code.text}")
                else:
                    with self.out.block(f"if {code.present}:"):
                        self.out(f"{target} = {code.text}")

    def store_first(self, target: str, branches: list[model.Branch], none: Any) -> None:
        branch, *rest = branches
        if branch.condition is not None:
            with self.out.block(f"if {self.test(branch.condition)}:"):
                self.store(target, branch.value, none)
                self.taken(branch, target, none)
        else:
            code = self.value(branch.value)
            if code.present is None:
                self.out(f"{target} = {code.text}")
                self.ticks.branch(branch)
                return
            with self.out.block(f"if {code.present}:"):
                self.out(f"{target} = {code.text}")
                self.ticks.branch(branch)
            if rest:
                with self.out.block("else:"):
                    self.store_first(target, rest, none)
            return
        if rest:
            if none == "False":
                raise NotCompiled(Text("several conditions with conditions"), branch.span)
            with self.out.block(f"if {target} == {none}:"):
                self.store_first(target, rest, none)

    def taken(self, branch: model.Branch, target: str, none: Any) -> None:
        """Counts a branch whose condition holds, if it has a value."""
        if self.ticks.in_value and self.ticks.counts(branch.id) and branch.value.type.optional:
            with self.out.block(f"if {target} != {none}:"):
                self.ticks.branch(branch)
        else:
            self.ticks.branch(branch)

    # ---- conditions -------------------------------------------------------------------------------------------------

    def test(self, expr: Expr) -> str:
        """A condition; it may be used once."""
        with self.ticks.value(counted=False):
            return self.condition(expr)

    def condition(self, expr: Expr) -> str:
        match expr:
            case model.Compare():
                return self.comparison(expr)
            case model.Logic():
                return self.logic(expr)
            case model.Not():
                return f"not ({self.test(expr.operand)})"
            case model.Exists():
                return self.exists(expr)
            case model.Quantify():
                return self.quantified(expr)
            case model.Defined(argument=None):
                return self.test(expr.definition.value)
            case model.AllPass():
                return self.all_pass(expr)
        code = self.value(expr)
        return both(code.present, code.text) or "True"

    def all_pass(self, expr: model.AllPass) -> str:
        raise NotCompiled(Text("`all pass` outside of a loop"), expr.span)

    def comparison(self, expr: model.Compare) -> str:
        left, right, sign = self.value(expr.left), self.value(expr.right), SIGNS[expr.relation]
        a, b = left.text, right.text
        if isinstance(expr.left, model.AttributeOf) and isinstance(expr.right, model.AttributeOf):
            attribute = expr.left.attribute
            if attribute == expr.right.attribute and self.tables.rises(attribute):
                a, b = (text.removeprefix(self.tables.attribute(attribute))[1:-1] for text in (a, b))
        present = both(left.present, right.present)
        if present is None:
            return f"{a} {sign} {b}"
        if expr.relation == "is_not":
            return f"(not ({present}) or {a} != {b})"
        return f"{present} and {a} {sign} {b}"

    def logic(self, expr: model.Logic) -> str:
        left = self.test(expr.left)
        with self.out.aside() as lines:
            right = self.test(expr.right)
        if not lines:
            return f"({left}) {expr.op} ({right})"
        holds = self.out.let("holds", left)
        with self.out.block(f"if {holds if expr.op == 'and' else f'not {holds}'}:"):
            self.out.lines += ["    " + line for line in lines]
            self.out(f"{holds} = {right}")
        return holds

    def exists(self, expr: model.Exists) -> str:
        many = expr.thing.type.many
        found = self.some(expr.thing) if many else self.value(expr.thing).present or "True"
        return f"not ({found})" if expr.negated else found
