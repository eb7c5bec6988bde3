"""Move nodes → typed moves: choices and conditions come first, and then what happens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from teufelswerk import model
from teufelswerk.base import limits
from teufelswerk.base.diagnostics import Span, nearest
from teufelswerk.base.texts import Text, placeholders
from teufelswerk.checker.scope import Scope, Skip, spoiled_by
from teufelswerk.checker.statements import Statements
from teufelswerk.model import NUMBER, PLAYER, TRUTH, Expr
from teufelswerk.model.walk import expressions, sentences
from teufelswerk.syntax import nodes
from teufelswerk.syntax.build import whole

Guards: TypeAlias = tuple[tuple[Expr, bool], ...]
"""The conditions of the `if`s around something, each with whether it has to hold."""


@dataclass
class _Parts:
    """A block of a move on the way: its statements sorted into choices, conditions and effects."""

    choices: list[model.Choose] = field(default_factory=list)
    musts: list[tuple[model.Must, Guards]] = field(default_factory=list)
    effects: list[model.Doing] = field(default_factory=list)
    outer: tuple[tuple[str, model.SetLocal], ...] = ()
    named: list[tuple[str, model.SetLocal]] = field(default_factory=list)
    """Names given before anything happens, around the block and in it. Until then each stands for what it is worked
    out from; for what happens then it is worked out once."""
    unseen: set[str] = field(default_factory=set)
    """Those of these names that stand for what was chosen blindly."""
    invitation: model.Sentence | None = None

    def below(self) -> _Parts:
        """The parts of a block inside this one."""
        return _Parts(self.choices, self.musts, outer=(*self.outer, *self.named))

    def happening(self) -> model.Block:
        """All that happens, after the names that it needs have been given."""
        used = {part.slot for part in expressions(self.effects) if isinstance(part, model.Local)}
        said = words_said(self.effects)  # what a sentence speaks of is looked up when all definitions are known
        unseen = self.unseen if said else ()  # of a card in sight, a sentence may tell something by its bare name
        needed = (
            local for name, local in self.named if local.told or local.slot in used or name in said or name in unseen
        )
        return (*needed, *self.effects)

    def settled(self, scope: Scope) -> Scope:
        """The scope for what happens."""
        for name, local in (*self.outer, *self.named):
            if scope.locals.get(name) is local.value:
                settled = model.Local(local.value.type, local.span, local.slot, name)
                scope = scope.with_local(name, settled, in_sight=any(word == name for word, _ in scope.sight))
        return scope


def words_said(effects: Sequence[model.Doing]) -> set[str]:
    """Every word in the braces of what is told while something happens."""
    names = (name for sentence in sentences(effects) for name, _ in placeholders(sentence.msgid))
    return {word for name in names for word in name.split(" of ")}


class Moves:
    """Turns the bodies of moves into choices, conditions and statements."""

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self.expressions = statements.expressions
        self.symbols = statements.symbols
        self.name = ""
        self.size = 0
        """How many parts its choices, names and conditions have so far."""

    def move(self, node: nodes.Move, section: int) -> model.Move:
        self.statements.section, self.statements.in_move, self.name = section, True, node.name.text
        self.size = 0
        slot = self.expressions.slot()
        scope = Scope(happening=True).with_local("player", model.Local(PLAYER, node.who.span, slot, "player"))
        parts = _Parts()
        self.block(node.body, scope, parts, ())
        return model.Move(
            node.name.text,
            slot,
            parts.invitation,
            tuple(parts.choices),
            tuple(parts.musts),
            parts.happening(),
            node.name.span,
            section,
        )

    def block(self, body: Sequence[nodes.Statement], scope: Scope, parts: _Parts, guards: Guards) -> None:
        """Sorts a move's statements; `guards` are the conditions of the `if`s around them."""
        for statement in body:
            try:
                scope = self.statement(statement, scope, parts, guards)
            except Skip:
                self.symbols.spoiled_moves.add(self.name)
                scope = spoiled_by(statement, scope)

    def statement(self, node: nodes.Statement, scope: Scope, parts: _Parts, guards: Guards) -> Scope:
        if isinstance(node, (nodes.Choose, nodes.Must)) and parts.effects:
            message = Text("choices and conditions stand before anything happens")
            related = ((parts.effects[0].span, Text("this happens before")),)
            raise self.expressions.fail("order", message, node.span, related=related)
        if isinstance(node, nodes.Choose):
            if guards:
                help = Text("write two moves, and let the turn offer the one that fits")
                raise self.expressions.fail("order", Text("a choice cannot stand below an `if`"), node.span, help=help)
            if isinstance(node.source, nodes.Members) and (name := self.expressions.sets_called(node.source)):
                return self.one_set(node, node.source, name, scope, parts)
            return self.blind(node, scope, parts) if node.blindly else self.chosen(node, scope, parts)
        if isinstance(node, nodes.Must):
            condition = self.expressions.truth(node.condition, scope)
            if not node.told:
                message = Text("a condition needs a sentence below it that tells a player why a move is refused")
                self.symbols.report("no-refusal", message, node.span, help=Text('write it in quotes: `"You must …"`'))
            self.measure(condition, node.span)
            told = self.statements.tell(node.told, scope)
            parts.musts.append((model.Must(self.expressions.id(), node.span, told, condition, node.if_able), guards))
            return scope
        if (
            isinstance(node, nodes.Tell)
            and not parts.invitation
            and not parts.choices
            and not parts.effects
            and not guards
        ):
            parts.invitation = self.statements.tell(node.told, scope)[0]
            return scope
        if isinstance(node, nodes.If) and self.holds_must(node):
            return self.if_(node, scope, parts, guards)
        if isinstance(node, nodes.Local) and not parts.effects:
            return self.give_name(node, scope, parts)
        statement, scope = self.statements.statement(node, parts.settled(scope))
        parts.effects.append(statement)
        return scope

    def chosen(self, node: nodes.Choose, scope: Scope, parts: _Parts) -> Scope:
        choice = self.choose(node, scope)
        self.measure(choice, node.span)
        parts.choices.append(choice)
        type = choice.source.type.one() if choice.upper is None and choice.amount is None else choice.source.type
        local = model.Local(type, node.noun.span, choice.slot, choice.name)
        return scope.with_local(choice.name, local)

    def one_set(self, node: nodes.Choose, source: nodes.Members, name: str, scope: Scope, parts: _Parts) -> Scope:
        """One of the sets that fit a definition: so many cards as there are in it, of which it must hold."""
        made, span = self.expressions, node.span
        if node.amount or node.blindly or self.symbols.things(node.noun.text) is not None:
            message = Text("of sets of cards, one is chosen, under a name of its own")
            help = Text("write `choose {name} from {words}`", name=name, words=f"{source.noun.text} in …")
            raise made.fail("one-set", message, node.noun.span, help=help)
        sets = made.sets_in(source.noun, name, source.source, source.where, scope, span)
        assert isinstance(sets.base, model.SetsOf)
        cards = made.those_cards(sets.base.source, span)
        told, slot = self.statements.tell(node.told, scope), sets.base.slot
        amount = (model.Const(NUMBER, span, 1), None)
        choice = model.Choose(made.id(), span, (), node.noun.text, slot, cards, None, amount)
        self.measure(choice, span)
        parts.choices.append(choice)
        holds = sets.base.condition
        if sets.where is not None:
            holds = model.Logic(TRUTH, span, "and", holds, sets.where)
        self.measure(holds, span)
        parts.musts.append((model.Must(made.id(), span, told, holds, False), ()))
        return scope.with_local(choice.name, model.Local(cards.type, node.noun.span, slot, choice.name))

    def blind(self, node: nodes.Choose, scope: Scope, parts: _Parts) -> Scope:
        """A position is chosen, and the name stands for the card that lies there."""
        cards = self.choice_source(node, scope)
        if node.amount or cards.type.kind != "card" or node.source is None:
            message = Text("blindly one chooses one card, from a place or a set of cards")
            help = Text("write `choose card blindly from hand of left`")
            raise self.expressions.fail("blind-choice", message, node.span, help=help)
        made, span = self.expressions, node.span
        members = (
            cards if isinstance(cards, model.Members) else model.Members(cards.type, span, cards, None, made.slot())
        )
        first, last = model.Const(NUMBER, span, 1), model.Count(NUMBER, span, members)
        told = self.statements.tell(node.told, scope)
        choice = model.Choose(made.id(), span, told, node.noun.text, made.slot(), first, last, None)
        parts.choices.append(choice)
        position = model.Local(NUMBER, span, choice.slot, choice.name)
        few = model.Few(members.type, span, False, position, members)
        card = model.Nth(members.type.one().maybe(), span, -1, few)
        local = model.SetLocal(made.id(), span, (), made.slot(), card)
        parts.named.append((choice.name, local))
        parts.unseen.add(choice.name)
        return scope.with_local(choice.name, card)

    def if_(self, node: nodes.If, scope: Scope, parts: _Parts, guards: Guards) -> Scope:
        """Conditions of the move that count only where another holds; what happens may stand beside them."""
        condition = self.expressions.truth(node.condition, scope)
        then, otherwise = parts.below(), parts.below()
        self.block(node.then, scope, then, (*guards, (condition, True)))
        self.block(node.otherwise, scope, otherwise, (*guards, (condition, False)))
        if then.effects or otherwise.effects:
            id, else_id = self.expressions.id(), self.expressions.id()
            blocks = then.happening(), otherwise.happening()
            parts.effects.append(model.If(id, node.span, (), condition, *blocks, else_id))
        return scope

    def give_name(self, node: nodes.Local, scope: Scope, parts: _Parts) -> Scope:
        """A name for a value before anything happens, which choices and conditions may use."""
        local, inner = self.statements.statement(node, scope)
        assert isinstance(local, model.SetLocal)
        self.measure(local.value, node.span)
        parts.named.append((node.name.text, local))
        return inner.with_local(node.name.text, local.value, in_sight=False)

    def measure(self, value: object, span: Span) -> None:
        """Refuses a move that grows beyond bounds with all that its names stand for put in their places."""
        before, self.size = self.size, self.size + sum(1 for _ in expressions(value))
        if before > limits.MAX_MOVE_SIZE:
            raise Skip  # that has been said
        if self.size > limits.MAX_MOVE_SIZE:
            message = Text("with all that its names stand for, the move `{name}` is too long", name=self.name)
            help = Text("name the same thing less often, or keep it with `keep`")
            raise self.expressions.fail("too-long", message, span, help=help)

    def holds_must(self, node: nodes.If) -> bool:
        inner = [*node.then, *node.otherwise]
        asks = (nodes.Must, nodes.Choose)
        return any(isinstance(s, asks) or (isinstance(s, nodes.If) and self.holds_must(s)) for s in inner)

    def choose(self, node: nodes.Choose, scope: Scope) -> model.Choose:
        told = self.statements.tell(node.told, scope)
        amount = self.amount(node, scope)
        slot = self.expressions.slot()
        if node.source and node.upper:
            low = self.expressions.want(self.expressions.expr(node.source, scope), NUMBER, node.source.span)
            high = self.expressions.want(self.expressions.expr(node.upper, scope), NUMBER, node.upper.span)
            return model.Choose(self.expressions.id(), node.span, told, node.noun.text, slot, low, high, None)
        source = self.choice_source(node, scope)
        name = node.noun.text if amount else self.spelt(node.noun, source.type.kind)
        return model.Choose(self.expressions.id(), node.span, told, name, slot, source, None, amount)

    def spelt(self, noun: nodes.Word, kind: str) -> str:
        """What is chosen may have any name; but one that nothing speaks of and that is nearly `card` was meant so."""
        source = noun.span.source.text
        if noun.text == kind or len(re.findall(rf"(?<![\w-]){noun.text}(?![\w-])", source)) > 1:
            return noun.text
        if kind not in ("card", "player") or nearest(noun.text, [kind]) is None:
            return noun.text
        message = Text("`{name}` is chosen here, and nothing speaks of it", name=noun.text)
        self.symbols.report("misspelt", message, noun.span, help=Text("write `{name}`", name=kind))
        return kind

    def amount(self, node: nodes.Choose, scope: Scope) -> tuple[Expr, Expr | None] | None:
        """How many things are chosen, at least and at most."""
        if node.amount is None:
            return None
        low, high = node.amount
        least = self.how_many(low, scope) if low else model.Const(NUMBER, node.noun.span, 1)
        most = least if high is low and low else self.how_many(high, scope) if high else None
        if isinstance(least, model.Const) and isinstance(most, model.Const) and least.value > most.value and high:
            message = Text("the range from {low} to {high} is empty or too long", low=least.value, high=most.value)
            help = Text("a range goes upwards and has at most {limit} numbers", limit=limits.MAX_CARDS)
            raise self.expressions.fail("bad-range", message, high.span, help=help)
        return least, most

    def how_many(self, word: nodes.Word, scope: Scope) -> Expr:
        number: nodes.Expr = (
            nodes.Number(word.span, whole(word.text)) if word.text.isdigit() else nodes.Name(word.span, word.text)
        )
        return self.expressions.want(self.expressions.expr(number, scope), NUMBER, word.span)

    def choice_source(self, node: nodes.Choose, scope: Scope) -> Expr:
        """The set that is chosen from: `card from hand`, `end from row of red`, `row where …`, `x from players`."""
        thing = self.symbols.things(node.noun.text)
        if node.source is None:
            return self.expressions.members(node.noun, None, node.where, scope, node.span)
        source = self.expressions.expr(node.source, scope, thing if isinstance(node.source, nodes.Listing) else None)
        if source.type.many:
            if node.amount and source.type.kind == "number":
                message = Text("numbers are chosen one by one")
                raise self.expressions.fail("wrong-type", message, node.source.span)
            if thing and not (thing.kind == source.type.kind):
                raise self.expressions.mismatch(source, model.Everything(thing.all(), node.noun.span), node.noun.span)
            return source
        if source.type.kind == "place":
            noun = node.noun if thing else nodes.Word("card", node.noun.span)
            return self.expressions.members(noun, node.source, None, scope, node.span)
        message = Text("one cannot choose from {type}", type=self.expressions.type_name(source.type))
        raise self.expressions.fail("wrong-type", message, node.source.span)
