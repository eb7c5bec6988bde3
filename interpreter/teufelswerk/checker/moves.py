"""Move nodes → typed moves: choices and conditions come first, and then what happens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from teufelswerk import model
from teufelswerk.base.texts import Text
from teufelswerk.checker.scope import Scope, Skip
from teufelswerk.checker.statements import Statements, spoiled_by
from teufelswerk.model import NUMBER, PLAYER, Expr
from teufelswerk.syntax import nodes
from teufelswerk.syntax.build import whole


@dataclass
class _Parts:
    """A move on the way: its statements sorted into choices, conditions and effects."""

    choices: list[model.Choose]
    musts: list[tuple[model.Must, tuple[tuple[Expr, bool], ...]]]
    effects: list[model.Doing]
    invitation: model.Sentence | None = None


class Moves:
    """Turns the bodies of moves into choices, conditions and statements."""

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self.expressions = statements.expressions
        self.symbols = statements.symbols
        self.name = ""

    def move(self, node: nodes.Move, section: int) -> model.Move:
        self.statements.section, self.statements.in_move, self.name = section, True, node.name.text
        slot = self.expressions.slot()
        scope = Scope().with_local("player", model.Local(PLAYER, node.who.span, slot, "player"))
        parts = _Parts([], [], [])
        self.block(node.body, scope, parts, ())
        return model.Move(
            node.name.text,
            slot,
            parts.invitation,
            tuple(parts.choices),
            tuple(parts.musts),
            tuple(parts.effects),
            node.name.span,
            section,
        )

    def block(
        self, body: Sequence[nodes.Statement], scope: Scope, parts: _Parts, guards: tuple[tuple[Expr, bool], ...]
    ) -> Scope:
        """Sorts a move's statements; `guards` are the conditions of the `if`s around them."""
        for statement in body:
            try:
                scope = self.statement(statement, scope, parts, guards)
            except Skip:
                self.symbols.spoiled_moves.add(self.name)
                scope = spoiled_by(statement, scope)
        return scope

    def statement(
        self, node: nodes.Statement, scope: Scope, parts: _Parts, guards: tuple[tuple[Expr, bool], ...]
    ) -> Scope:
        if isinstance(node, (nodes.Choose, nodes.Must)) and parts.effects:
            message = Text("choices and conditions stand before anything happens")
            related = ((parts.effects[0].span, Text("this happens before")),)
            raise self.expressions.fail("order", message, node.span, related=related)
        if isinstance(node, nodes.Choose):
            if guards:
                raise self.expressions.fail("order", Text("a choice cannot stand below an `if`"), node.span)
            choice = self.choose(node, scope)
            parts.choices.append(choice)
            type = choice.source.type.one() if choice.upper is None and choice.amount is None else choice.source.type
            local = model.Local(type, node.noun.span, choice.slot, choice.name)
            return scope.with_local(choice.name, local)
        if isinstance(node, nodes.Must):
            condition = self.expressions.truth(node.condition, scope)
            if not node.told:
                message = Text("a condition needs a sentence below it that tells a player why a move is refused")
                self.symbols.report("no-refusal", message, node.span, help=Text('write it in quotes: `"You must …"`'))
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
            condition = self.expressions.truth(node.condition, scope)
            self.block(node.then, scope, parts, (*guards, (condition, True)))
            self.block(node.otherwise, scope, parts, (*guards, (condition, False)))
            return scope
        statement, scope = self.statements.statement(node, scope)
        parts.effects.append(statement)
        return scope

    def holds_must(self, node: nodes.If) -> bool:
        inner = [*node.then, *node.otherwise]
        return any(isinstance(s, nodes.Must) or (isinstance(s, nodes.If) and self.holds_must(s)) for s in inner)

    def choose(self, node: nodes.Choose, scope: Scope) -> model.Choose:
        told = self.statements.tell(node.told, scope)
        amount: Expr | None = None
        if node.amount:
            word = node.amount
            amount_node: nodes.Expr = (
                nodes.Number(word.span, whole(word.text)) if word.text.isdigit() else nodes.Name(word.span, word.text)
            )
            amount = self.expressions.want(self.expressions.expr(amount_node, scope), NUMBER, word.span)
        slot = self.expressions.slot()
        if node.source and node.upper:
            low = self.expressions.want(self.expressions.expr(node.source, scope), NUMBER, node.source.span)
            high = self.expressions.want(self.expressions.expr(node.upper, scope), NUMBER, node.upper.span)
            return model.Choose(self.expressions.id(), node.span, told, node.noun.text, slot, None, low, high)
        source = self.choice_source(node, scope)
        return model.Choose(self.expressions.id(), node.span, told, node.noun.text, slot, amount, source, None)

    def choice_source(self, node: nodes.Choose, scope: Scope) -> Expr:
        """The set that is chosen from: `card from hand`, `end from row of red`, `row where …`, `x from players`."""
        thing = self.symbols.things(node.noun.text)
        if node.source is None:
            return self.expressions.members(node.noun, None, node.where, scope, node.span)
        source = self.expressions.expr(node.source, scope)
        if source.type.many:
            if thing and not (thing.kind == source.type.kind):
                raise self.expressions.mismatch(source, model.Everything(thing.all(), node.noun.span), node.noun.span)
            return source
        if source.type.kind == "place":
            noun = node.noun if thing else nodes.Word("card", node.noun.span)
            return self.expressions.members(noun, node.source, None, scope, node.span)
        message = Text("one cannot choose from {type}", type=self.expressions.type_name(source.type))
        raise self.expressions.fail("wrong-type", message, node.source.span)
