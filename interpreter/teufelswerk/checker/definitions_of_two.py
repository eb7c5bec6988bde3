"""Definitions of two things → their values, written out for the two that are named or in sight."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text
from teufelswerk.checker.declared import Declared
from teufelswerk.checker.scope import Scope
from teufelswerk.model import TRUTH, Expr, Type
from teufelswerk.model.walk import expressions
from teufelswerk.syntax import nodes


class OfTwo(Declared):
    """Finds what `worth of (Ida and red)` stands for, also where one of the two, or both, are left out."""

    @abstractmethod
    def owner_in_sight(self, name: str, needed: Type, scope: Scope, span: Span) -> Expr:
        """The one thing in sight that a name can belong to."""

    def is_of_two(self, name: str) -> bool:
        return name in self.symbols.definitions and self.symbols.definitions[name][0].second is not None

    def of_two(self, name: str, given: Sequence[nodes.Expr], scope: Scope, span: Span) -> Expr:
        """The value for two things; what is not given is the one thing of its type in sight."""
        definition = self.definition(name)
        first, second = definition.parameter, definition.second
        assert first is not None and second is not None
        if len(given) == 2:
            left, right = given
            pair = (
                self.want(self.expr(left, scope, first), first, left.span),
                self.want(self.expr(right, scope, second), second, right.span),
            )
            return self.written_out(definition, pair, span)
        if not given:
            owners = (self.owner_in_sight(name, first, scope, span), self.owner_in_sight(name, second, scope, span))
            return self.written_out(definition, owners, span)
        return self.of_one(definition, self.expr(given[0], scope), scope, span)

    def of_one(self, definition: model.Definition, value: Expr, scope: Scope, span: Span) -> Expr:
        """… where one of the two is known."""
        first, second = definition.parameter, definition.second
        assert first is not None and second is not None
        if first.same(second):
            node, _ = self.symbols.definitions[definition.name]
            words = f"{definition.name} of (… and …)"
            message = Text("`{name}` belongs to two things of the same kind", name=definition.name)
            related = ((node.name.span, Text("declared here")),)
            raise self.fail("needs-of", message, span, related=related, help=Text("write `{words}`", words=words))
        if value.type.same(first):
            return self.written_out(
                definition, (value, self.owner_in_sight(definition.name, second, scope, span)), span
            )
        value = self.want(value, second, value.span)
        return self.written_out(definition, (self.owner_in_sight(definition.name, first, scope, span), value), span)

    def written_out(self, definition: model.Definition, owners: tuple[Expr, Expr], span: Span) -> Expr:
        node, section = self.symbols.definitions[definition.name]
        assert node.parameter is not None and node.second is not None
        if any(isinstance(part, model.Random) for owner in owners for part in expressions(owner)):
            message = Text("chance is asked once here, and would be asked again and again")
            raise self.fail("random-here", message, span, help=Text("give it a name before, as in `drawn = random …`"))
        scope, types = self.everywhere(), (definition.parameter, definition.second)
        for word, owner, type in zip((node.parameter, node.second), owners, types, strict=True):
            assert type is not None
            scope = scope.with_local(word.text, replace(owner, type=type.maybe(owner.type.optional)))
        self.copying += 1
        value = self.expr(node.value, scope, section=section)
        self.copying -= 1
        for owner in owners:
            if owner.type.optional:
                there = model.Exists(TRUTH, span, False, owner)
                value = model.Decision(value.type.maybe(), span, there, value, None)
        return model.Applied(value.type, span, definition, value)
