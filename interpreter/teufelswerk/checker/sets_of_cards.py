"""Sets of cards → typed expressions: all sets of which something holds, and what they leave of a hand."""

from __future__ import annotations

from abc import abstractmethod

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text
from teufelswerk.checker.lists import Lists
from teufelswerk.checker.scope import Scope, Skip
from teufelswerk.checker.symbols import singulars
from teufelswerk.model import NUMBER, Expr, Type
from teufelswerk.model.walk import expressions
from teufelswerk.syntax import nodes

SETS = Type("set", many=True)


class SetsOfCards(Lists):
    """Finds the sets that a definition `of cards` tells, by its name in the plural."""

    @abstractmethod
    def members(
        self, noun: nodes.Word, source: nodes.Expr | None, where: nodes.Expr | None, scope: Scope, span: Span
    ) -> model.Members:
        """Those of some things that fit."""

    def is_of_cards(self, name: str) -> bool:
        """Whether a name is that of a definition that is asked of a set of cards."""
        if name not in self.symbols.definitions:
            return False
        node, _ = self.symbols.definitions[name]
        return node.parameter is not None and node.parameter.text == "cards" and node.second is None

    def stands_for_cards(self, name: str, scope: Scope) -> bool:
        """Whether a `where` behind a name asks for cards: those of a place, or of a definition of several."""
        if name in self.symbols.places:
            return True
        if name in scope.locals or name not in self.symbols.definitions or self.symbols.things(name) is not None:
            return False
        if self.is_of_cards(name) or self.symbols.definitions[name][0].second is not None:
            return False
        type = self.definition(name).value.type
        return type.kind == "card" and type.many

    def condition_called(self, noun: str) -> str | None:
        """The condition on a set of cards of which a noun is the plural, or after a number the singular."""
        if self.symbols.things(noun) is not None:
            return None
        found = (name for name in singulars(noun) if self.is_of_cards(name))
        return next((name for name in found if self.definition(name).value.type.kind == "truth"), None)

    def sets_called(self, node: nodes.Members) -> str | None:
        """The condition on a set of cards of which a set of things is the plural: `melds in hand`."""
        return self.condition_called(node.noun.text) if node.source is not None else None

    def sets_in(
        self, noun: nodes.Word, name: str, source: nodes.Expr | None, where: nodes.Expr | None, scope: Scope, span: Span
    ) -> model.Members:
        """All the sets of some cards for which a condition holds."""
        if source is None:
            message = Text("among which cards are these `{name}`?", name=noun.text)
            raise self.fail("needs-in", message, span, help=Text("say where they are: `{name} in …`", name=noun.text))
        base = self.expr(source, scope)
        if base.type.kind != "place" and not (base.type.kind == "card" and base.type.many):
            message = Text("there are no such things in {found}", found=self.type_name(base.type))
            raise self.fail("wrong-type", message, source.span)
        slot = it = self.slot()
        holds = self.apply(name, model.Local(self.some_cards(), span, slot, "it"), span)
        sets = model.SetsOf(SETS, span, base, slot, holds)
        condition = self.condition(where, SETS, it, scope) if where else None
        return model.Members(SETS, span, sets, condition, it)

    def least_left(self, node: nodes.LeastLeft, scope: Scope) -> Expr:
        needed = self.owner_type(node.by.text)
        if needed is None or needed.many or needed.kind != "card":
            numbers = [name for name, attribute in self.symbols.attributes.items() if not attribute.names]
            if needed is None and node.by.text not in self.symbols.declared:
                self.symbols.unknown(node.by.text, node.by.span, {*self.symbols.attributes, *self.symbols.definitions})
                raise Skip
            message = Text("`{name}` is no number of a card", name=node.by.text)
            help = Text("write `{words}`", words=numbers[0]) if numbers else None
            raise self.fail("wrong-type", message, node.by.span, help=help)
        name = self.condition_called(node.sets.text)
        if name is None:
            known = [f"{name}s" for name in self.symbols.definitions if self.is_of_cards(name)]
            message = Text("`{name}` is the plural of no condition on cards", name=node.sets.text)
            similar = self.symbols.nearest(node.sets.text, known) or next(iter(known), None)
            help = (
                Text("write `{name}`", name=similar)
                if similar
                else Text("say what such a set is: `{name} of cards = …`", name=singulars(node.sets.text)[-1])
            )
            raise self.fail("no-sets", message, node.sets.span, help=help)
        members = self.sets_in(node.sets, name, node.source, None, scope, node.span)
        assert isinstance(members.base, model.SetsOf)
        slot = self.slot()
        it = model.Local(Type("card", card_kinds=frozenset(self.symbols.kinds)), node.by.span, slot, "it")
        by = self.want(self.apply(node.by.text, it, node.by.span), NUMBER, node.by.span)
        return model.LeastLeft(NUMBER, node.span, by, slot, members.base)

    def swallowed(self, node: nodes.Quantify, members: model.Members) -> None:
        """Warns of an `or` that belongs to the `where` before it, though nothing behind it looks at the same thing."""
        said, typed = node.where, members.where
        while isinstance(said, nodes.Logic) and isinstance(typed, model.Logic) and said.op == "or":
            line, begin = said.span.source.lines[said.span.line - 1], said.span.column - 1
            if self.copying or line[:begin].rstrip().endswith("("):
                return
            if not any(
                isinstance(part, model.Local) and part.slot == members.slot for part in expressions(typed.right)
            ):
                start, end = node.span.column - 1, said.right.span.column - 1
                words = line[start:end].rstrip().removesuffix("or").rstrip("( ")
                message = Text("this belongs to the `where` before it, which reaches to the end of the line")
                help = Text("if it does not, write `{words}`", words=f"({words}) or …")
                self.symbols.report("where-swallows", message, said.right.span, help=help, severity="warning")
                return
            said, typed = said.right, typed.right

    def no_way_through(self, noun: nodes.Word) -> None:
        """Refuses a loop through sets of cards."""
        if self.condition_called(noun.text) is not None:
            message = Text("one cannot go through {type}", type=self.type_name(SETS))
            help = Text("say where they are: `each {name} in …`", name="card")
            raise self.fail("bad-each", message, noun.span, help=help)

    def no_sets(self, value: Expr, span: Span) -> Expr:
        """Refuses sets of cards where only one thing, or one set, can be meant."""
        if value.type.kind == "set":
            message = Text("of sets of cards one can ask how many there are, and add something up")
            help = Text("write `some …`, `no …`, `count …` or `sum … in …`")
            raise self.fail("wrong-type", message, span, help=help)
        return value
