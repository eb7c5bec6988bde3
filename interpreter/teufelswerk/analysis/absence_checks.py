"""A model → where something needed may be absent: how many cards a place surely holds is followed along the flow."""

from __future__ import annotations

from typing import TypeAlias, TypeGuard, assert_never

from teufelswerk import model
from teufelswerk.base.diagnostics import Diagnostic
from teufelswerk.base.texts import Text

ENOUGH = 10
"""No rule can name a position beyond the tenth."""
UNSAID = ("span", "type", "id", "told")
"""What two expressions that say the same may differ in."""
Known: TypeAlias = dict[str, int]
"""For each place that there is one of: how many cards it surely holds, as far as that matters."""


def check_presence(rules: model.Model) -> list[Diagnostic]:
    """Warnings for values that a statement or sentence needs and that may not be there when it comes to it."""
    walker = _Walker(rules)
    walker.block(rules.steps["game"].body, {name: 0 for name, p in rules.places.items() if p.key is None})
    return list(dict.fromkeys(walker.found))


def _join(first: Known, second: Known) -> Known:
    return {name: min(first[name], second[name]) for name in first}


def _assumed(condition: model.Expr | None, holds: bool, known: Known) -> Known:
    """What is known where a condition about the cards of a place holds, or does not."""
    match condition:
        case model.Quantify(quantity="some" | "none", members=model.Members(base=model.PlaceOf() as base)):
            if base.place.name in known and (condition.quantity == "some") is holds:
                return {**known, base.place.name: max(known[base.place.name], 1)}
        case model.Not():
            return _assumed(condition.operand, not holds, known)
        case model.Logic() if (condition.op == "and") is holds:
            return _assumed(condition.right, holds, _assumed(condition.left, holds, known))
    return known


def _fits_itself(members: model.Members) -> bool:
    """`… in pile where colour is colour of first of pile`: the card that is asked about fits, if there is one."""
    match members.where:
        case model.Compare(relation="is", left=model.AttributeOf() as left, right=model.AttributeOf() as right):
            card = right.card
            while isinstance(card, model.Defined) and card.argument is None:
                card = card.definition.value
            same = isinstance(card, model.Nth) and _shape(card.of) == _shape(members.base)
            looked_at = isinstance(left.card, model.Local) and left.card.slot == members.slot
            return same and looked_at and left.attribute == right.attribute
    return False


def _is_there(condition: model.Expr) -> TypeGuard[model.Exists]:
    return isinstance(condition, model.Exists) and not condition.negated


def _shape(item: object) -> object:
    """An expression without its place in the file, to tell whether two say the same."""
    if isinstance(item, tuple):
        return tuple(_shape(part) for part in item)
    if isinstance(item, (model.Typed, model.Branch)):
        parts = tuple(_shape(value) for key, value in vars(item).items() if key not in UNSAID)
        return (type(item).__name__, *parts)
    if isinstance(item, (model.Definition, model.Place, model.Keep)):
        return item.name
    return item


class _Walker:
    def __init__(self, rules: model.Model) -> None:
        self.rules = rules
        self.found: list[Diagnostic] = []
        self.compared: set[object] = set()
        """What the conditions of the move at hand have compared, so that it is surely there when the move is made."""

    # ---- along the flow ---------------------------------------------------------------------------------------------

    def block(self, body: model.Block, known: Known) -> Known:
        for statement in body:
            known = self.statement(statement, known)
        return known

    def loop(self, body: model.Block, known: Known, at_least_once: bool, until: model.Expr | None = None) -> Known:
        """The body again and again, until what is surely known no longer shrinks."""
        for _ in range(ENOUGH + 1):
            silent, self.found = self.found, []
            after = self.block(body, _assumed(until, False, known))
            self.found = silent
            joined = _join(known, after)
            if joined == known:
                break
            known = joined
        after = self.block(body, _assumed(until, False, known))
        return after if at_least_once else _join(known, after)

    def statement(self, s: model.Doing, known: Known) -> Known:
        match s:
            case model.Goes():
                self.need(s.what, known)
                self.need(s.to, known)
                known = self.goes(s, known)
            case model.Deal():
                self.need(s.source, known)
                if s.amount:
                    self.need(s.amount, known)
                known = dict(known)
                if isinstance(s.source, model.PlaceOf) and s.source.place.name in known:
                    known[s.source.place.name] = 0
            case model.Becomes():
                self.need(s.value, known)
                self.need(s.target, known)
            case model.Pays():
                for expr in (s.amount, s.payer, s.receiver):
                    self.need(expr, known)
            case model.SetLocal():
                self.need(s.value, known)
            case model.Call():
                if s.argument:
                    self.need(s.argument, known)
                known = self.block(self.rules.steps[s.step].body, known)
            case model.Turn():
                self.need(s.player, known)
                known = self.turn(s, known)
            case model.Wins():
                if s.who and not s.who.type.many:
                    self.need(s.who, known)
            case model.If():
                self.decide(s.condition, bool(s.otherwise), known)
                there = {_shape(s.condition.thing)} if _is_there(s.condition) else set()
                self.compared |= there
                then = self.block(s.then, _assumed(s.condition, True, known))
                self.compared -= there
                known = _join(then, self.block(s.otherwise, _assumed(s.condition, False, known)))
            case model.Repeat():
                known = self.loop(s.body, known, isinstance(s.times, model.Const) and s.times.value > 0)
            case model.Until():
                known = self.loop(s.body, known, False, s.condition)
            case model.Each():
                for bound in (s.first, s.last):
                    if bound:
                        self.need(bound, known)
                known = self.loop(s.body, known, "out" not in self.rules.definitions)
            case model.GoRound():
                self.need(s.first, known)
                known = self.loop(s.body, known, False)
            case model.Shuffle() | model.Tell() | model.Wins():
                pass
            case _:
                assert_never(s)
        for sentence in s.told:
            self.tell(sentence, known)
        return known

    def goes(self, s: model.Goes, known: Known) -> Known:
        known = dict(known)
        moved = s.what
        if isinstance(moved, model.PlaceOf):
            if moved.place.name in known:
                known[moved.place.name] = 0
        elif moved.type.many:
            known = dict.fromkeys(known, 0)
        elif not isinstance(moved, model.Local):
            known = {name: max(count - 1, 0) for name, count in known.items()}
        if isinstance(s.to, model.PlaceOf) and s.to.place.name in known:
            added = (
                ENOUGH
                if isinstance(moved, model.Everything)
                else int(moved.type.kind == "card" and not moved.type.many)
            )
            known[s.to.place.name] = min(known[s.to.place.name] + added, ENOUGH, len(self.rules.cards))
        return known

    def turn(self, s: model.Turn, known: Known) -> Known:
        results = []
        for verb in (verb for group in s.groups for verb in group):
            move = self.rules.moves[verb]
            if move.invitation:
                self.tell(move.invitation, known)
            for must, guards in move.musts:
                self.decide(must.condition, True, known)
                for guard, _ in guards:
                    self.decide(guard, True, known)
                for sentence in must.told:
                    self.tell(sentence, known)
                if not must.if_able and not guards and isinstance(must.condition, model.Compare):
                    self.compared |= {_shape(must.condition.left), _shape(must.condition.right)}
            results.append(self.block(move.effects, known))
            self.compared = set()
        joined = results[0]
        for result in results[1:]:
            joined = _join(joined, result)
        return joined

    # ---- what may be absent -----------------------------------------------------------------------------------------

    def warn(self, missing: model.Expr, wanted: model.Expr) -> None:
        words = missing.span.source.lines[missing.span.line - 1][missing.span.column - 1 : missing.span.end - 1]
        message = Text("there may be no `{words}` here", words=words)
        help = Text("say what holds then with `else`, or ask first: `if there is …`")
        related = ((missing.span, Text("this may be absent")),) if missing.span != wanted.span else ()
        self.found.append(Diagnostic("may-be-absent", message, wanted.span, None, related, help, "warning"))

    def need(self, expr: model.Expr, known: Known) -> None:
        missing = self.missing(expr, known)
        if missing is not None:
            self.warn(missing, expr)

    def decide(self, condition: model.Expr, otherwise_matters: bool, known: Known) -> None:
        """A comparison with something absent does not hold: worth a word where the contrary decides as well."""
        match condition:
            case model.Logic():
                self.decide(condition.left, otherwise_matters, known)
                self.decide(condition.right, otherwise_matters, known)
            case model.Defined(argument=None):
                self.decide(condition.definition.value, otherwise_matters, known)
            case model.Compare() if otherwise_matters:
                for side in (condition.left, condition.right):
                    missing = self.missing(side, known)
                    if isinstance(missing, model.Nth):
                        self.warn(missing, condition)

    def tell(self, sentence: model.Sentence, known: Known) -> None:
        for _, figure in sentence.figures:
            missing = self.missing(figure, known)
            if missing is not None:
                self.warn(missing, figure)

    def held(self, base: model.Expr, known: Known) -> int:
        """At least so many things a place or a set surely holds."""
        match base:
            case model.PlaceOf():
                return known.get(base.place.name, 0)
            case model.Everything() if base.type.kind == "player":
                return 1 if "out" in self.rules.definitions else self.rules.min_players
            case model.Everything() if base.type.kind == "card":
                return len(self.rules.cards)
            case _:
                return 0  # of anything else nothing is sure

    def missing(self, expr: model.Expr, known: Known) -> model.Expr | None:
        """The part of the expression that may be absent, or None if the value is surely there."""
        if self.compared and _shape(expr) in self.compared:
            return None
        match expr:
            case model.Nth():
                wanted = max(expr.position + 1, 1)
                return None if self.held(expr.of, known) >= wanted else expr
            case model.Best():
                sure = self.held(expr.members.base, known) > 0
                return None if sure and (expr.members.where is None or _fits_itself(expr.members)) else expr
            case model.AttributeOf():
                part = self.missing(expr.card, known)
                return expr if part is None and expr.type.optional and not expr.card.type.optional else part
            case model.PlayerOf():
                return self.missing(expr.card, known)
            case model.Neighbour():
                return self.missing(expr.player, known)
            case model.PlaceOf() | model.KeepOf():
                return self.missing(expr.key, known) if expr.key else None
            case model.Defined():
                part = self.missing(expr.argument, known) if expr.argument else None
                return part or self.missing(expr.definition.value, known)
            case model.Arith():
                return self.missing(expr.left, known) or self.missing(expr.right, known)
            case model.Alternatives():
                last = expr.branches[-1]
                return expr if last.condition else self.missing(last.value, known)
            case model.Decision():
                if expr.otherwise is None:
                    return expr
                return self.missing(expr.then, known) or self.missing(expr.otherwise, known)
            case model.CardAt():
                return self.missing(expr.end, known)
            case model.Few():
                return self.missing(expr.amount, known)
            case model.Const() | model.Person() | model.Local() | model.Random() | model.Total() | model.Count():
                return None
            case model.Everything() | model.Members() | model.Quantify() | model.Compare() | model.Exists():
                return None
            case model.AllPass() | model.Logic() | model.Not():
                return None
            case _:
                assert_never(expr)
