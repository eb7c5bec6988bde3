"""Sentences and paragraphs → texts with figures: every placeholder looked up, no bare digits."""

from __future__ import annotations

import re
from collections.abc import Iterable

from teufelswerk import model
from teufelswerk.base import limits
from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import PLACEHOLDER, Text
from teufelswerk.checker.expressions import Expressions
from teufelswerk.checker.scope import Scope, Skip
from teufelswerk.checker.symbols import singulars
from teufelswerk.model import NUMBER, Expr, Type
from teufelswerk.syntax import nodes
from teufelswerk.syntax.source import Paragraph

PLAYER_FIGURES = ("players", "min-players", "max-players")


class Sentences:
    """Finds what the placeholders of a text stand for."""

    def __init__(self, expressions: Expressions, contexts: list[str]) -> None:
        self.expressions = expressions
        self.symbols = expressions.symbols
        self.contexts = contexts
        """For each section the file's name and the heading: what a translator sees, the same in every variant."""
        self.waiting: list[tuple[model.Sentence, nodes.Sentence, Scope]] = []
        expressions.sentence = self.sentence

    def context(self, section: int) -> str:
        return self.contexts[section]

    def sentence(self, node: nodes.Sentence, scope: Scope, section: int) -> model.Sentence:
        sentence = model.Sentence(node.text, self.context(section), (), node.span)
        self.waiting.append((sentence, node, scope))
        return sentence

    def finish(self) -> None:
        """Looks up the figures of all sentences: a reason may name the very thing that it decides."""
        for sentence, node, scope in self.waiting:
            sentence.figures = self.figures([(node.text, node.span)], scope, told_at_once=True)
        self.waiting = []

    def prose(
        self, paragraph: Paragraph, context: str, people: Iterable[str], lines: Iterable[int], base: str | None = None
    ) -> model.Prose:
        scope = Scope(people=frozenset(people), happening=bool(people) and model.NEXT in self.expressions.keeps)
        return model.Prose(paragraph, context, self.figures(paragraph.pieces, scope), tuple(lines), base)

    def figures(
        self, pieces: Iterable[tuple[str, Span]], scope: Scope, told_at_once: bool = False
    ) -> tuple[tuple[str, Expr], ...]:
        """The placeholders of a text given line by line, with what they stand for; digits outside them are refused."""
        offset = 1 if told_at_once else 0  # a sentence stands in quotes
        found: dict[str, Expr] = {}
        missing: set[str] = set()
        for text, span in pieces:
            for match in PLACEHOLDER.finditer(text):
                if match[1] in missing:
                    continue
                place = self.part(span, match.start() + offset, match.end() + offset)
                try:
                    value = self.figure(match[1], scope, place)
                except Skip:
                    missing.add(match[1])
                    continue
                if told_at_once and match[1] not in found:
                    self.some_in_particular(match[1], value, scope, place)
                found[match[1]] = value
                if match[2] and "|" in match[2] and not (value.type.many or value.type.kind == "number"):
                    message = Text("`{name}` is no number, so it cannot choose between words", name=match[1])
                    self.symbols.report("bad-figure", message, place)
            blank = PLACEHOLDER.sub(lambda m: " " * len(m[0]), text)
            for brace in re.finditer(r"\{[^{}]+\}|[{}]", blank):
                place = self.part(span, brace.start() + offset, brace.end() + offset)
                message = Text("braces hold the name of a figure, as in `{example}`", example="{name}")
                if len(brace[0]) > 1:
                    blank = blank.replace(brace[0], " " * len(brace[0]), 1)
                    line = f"figure = {brace[0][1:-1].strip()}"
                    help = Text("give it a name in the clauses, as in `{line}`, and put that name in braces", line=line)
                    self.symbols.report("bad-figure", message, place, help=help)
                    continue
                help = (
                    Text("close the brace behind the name")
                    if brace[0] == "{"
                    else Text("open the brace before the name")
                )
                self.symbols.report("bad-figure", message, place, help=help)
            for digits in re.finditer(r"\d+", blank):
                place = self.part(span, digits.start() + offset, digits.end() + offset)
                message = Text("a bare number in a text goes stale when the rules change")
                help = Text("give it a name in the clauses and write the name in braces, or write it out in letters")
                self.symbols.report("bare-digits", message, place, help=help)
        return tuple(found.items())

    def some_in_particular(self, name: str, value: Expr, scope: Scope, span: Span) -> None:
        """Refuses to tell of all the cards that there are where those of this moment must be meant."""
        if not (isinstance(value, model.Everything) and value.type.kind == "card"):
            return
        message = Text("no `{name}` have been chosen here, so it means all that there are", name=name)
        one = next((word for word in singulars(name) if word in scope.locals), None)
        help = (
            Text("write `{name}`", name="{" + one + "}")
            if one
            else Text(
                "give those that are meant a name, as in `taken = cards in …`, and write `{taken}` here",
                taken="{taken}",
            )
        )
        self.symbols.report("all-there-are", message, span, help=help)

    def part(self, span: Span, start: int, end: int) -> Span:
        return Span(span.source, span.line, span.column + start, span.column + end)

    def figure(self, name: str, scope: Scope, span: Span) -> Expr:
        if name in PLAYER_FIGURES:
            assert self.symbols.players
            if name == "players":
                everyone = model.Everything(Type("player", many=True), span, at_table=True)  # also those who are out
                members = model.Members(everyone.type, span, everyone, None, self.expressions.slot())
                return model.Count(NUMBER, span, members)
            bound = self.symbols.players.low if name == "min-players" else self.symbols.players.high
            return model.Const(NUMBER, span, min(bound, limits.MAX_PLAYERS))
        *whose, owner = name.split(" of ")
        if whose:
            asked: nodes.Expr = nodes.Person(span, owner) if owner[0].isupper() else nodes.Name(span, owner)
            for word in reversed(whose):
                asked = nodes.Of(span, nodes.Word(word, span), asked)
            return self.expressions.expr(asked, scope)
        if name[0].isupper():
            return self.expressions.expr(nodes.Person(span, name), scope)
        if name in scope.spoiled:
            raise Skip
        known = name in scope.locals or name in self.symbols.all_names()
        if not known:
            similar = self.symbols.nearest(name, {*scope.locals, *self.symbols.all_names(), *PLAYER_FIGURES})
            message = Text("there is no figure called `{name}`", name=name)
            help = Text("write `{name}`", name="{" + similar + "}") if similar else None
            raise self.expressions.fail("unknown-figure", message, span, help=help)
        return self.expressions.expr(nodes.Name(span, name), scope)
