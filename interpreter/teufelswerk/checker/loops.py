"""The line of a loop → the set that it goes through."""

from __future__ import annotations

from teufelswerk import model
from teufelswerk.base.texts import Text
from teufelswerk.checker.expressions import Expressions
from teufelswerk.checker.scope import Scope
from teufelswerk.model import NUMBER, PLAYER, Expr
from teufelswerk.syntax import nodes


class Loops:
    """Finds what `each …` goes through."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.symbols = expressions.symbols

    def gone_through(self, node: nodes.Each, scope: Scope) -> Expr:
        """The set that a loop goes through."""
        made, noun = self.expressions, node.noun
        if node.at_table is not None and (node.source is not None or not made.thing(noun).same(PLAYER)):
            raise made.not_at_table(node.at_table)
        if node.source is not None:
            made.no_way_through(noun)
            return self.among(node, node.source, scope)
        base = self.stretch(node, node.first, scope) if node.first is not None else self.everything(node, scope)
        if node.where is None:
            return base
        slot = made.slot()
        condition = made.condition(node.where, base.type, slot, scope)
        return model.Members(base.type, node.span, base, condition, slot)

    def everything(self, node: nodes.Each, scope: Scope) -> Expr:
        """`each colour`: all there are."""
        made, noun = self.expressions, node.noun
        if self.symbols.things(noun.text) is None and (several := made.named_set(noun, scope)) is not None:
            self.not_kept(noun)
            return several
        made.no_way_through(noun)
        thing = made.thing(noun)
        if thing.kind not in ("player", "place", "name"):
            message = Text("one cannot go through {type}", type=made.type_name(thing.all()))
            help = Text("say where they are: `each {name} in …`", name=noun.text)
            raise made.fail("bad-each", message, noun.span, help=help)
        return model.Everything(thing.all(), noun.span, node.at_table is not None)

    def among(self, node: nodes.Each, source: nodes.Expr, scope: Scope) -> Expr:
        """`each card in hand`; numbers may have any name."""
        made, noun = self.expressions, node.noun
        if self.symbols.things(noun.text) is None:
            self.not_kept(noun)
            base = made.expr(source, scope)
            if base.type.same(NUMBER.all()):
                slot = made.slot()
                condition = made.condition(node.where, NUMBER, slot, scope) if node.where else None
                return model.Members(base.type, node.span, base, condition, slot)
        return made.members(noun, source, node.where, scope, node.span)

    def stretch(self, node: nodes.Each, first: nodes.Expr, scope: Scope) -> Expr:
        """`each player from A to B`, or the same with numbers, which may have any name."""
        made, noun = self.expressions, node.noun
        thing = self.symbols.things(noun.text)
        type = NUMBER if thing is None else PLAYER
        if thing is not None and not thing.same(PLAYER):
            raise made.fail("bad-each", Text("`from` and `to` go with `each player` and with numbers"), first.span)
        begin = made.expr(first, scope)
        if begin.type.many and node.last is None:
            message = Text("`from` says with which one to begin, and this is {found}", found=made.type_name(begin.type))
            words = first.span.source.lines[first.span.line - 1][first.span.column - 1 : first.span.end - 1]
            help = Text("write `{words}`", words=f"each {noun.text} in {words}")
            raise made.fail("wrong-type", message, first.span, help=help)
        begin = made.want(begin, type, first.span)
        end = made.want(made.expr(node.last, scope), type, node.last.span) if node.last else None
        if type is PLAYER and node.down:
            help = Text("write `each player from … to …`")
            raise made.fail("bad-each", Text("only numbers are gone through downwards"), first.span, help=help)
        if type is PLAYER:
            return model.Around(PLAYER.all(), noun.span, begin, end, node.at_table is not None)
        self.not_kept(noun)
        if end is None:
            help = Text("write `each {name} from 1 to 5`", name=noun.text)
            raise made.fail("bad-each", Text("up to which number?"), node.span, help=help)
        return model.Numbers(NUMBER.all(), noun.span, begin, end, node.down)

    def not_kept(self, noun: nodes.Word) -> None:
        """What the game keeps would be hidden by a number of the same name."""
        if (kept := self.symbols.keeps.get(noun.text)) is not None:
            message = Text("there are two things called `{name}`", name=noun.text)
            related = ((kept.name.span, Text("the first one")),)
            raise self.expressions.fail("declared-twice", message, noun.span, related=related)
