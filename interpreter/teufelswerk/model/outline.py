"""A model → the flow of the game as a tree of lines, each with the line of the rule file that it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from teufelswerk import model
from teufelswerk.base.diagnostics import Span


def outline_of(rules: model.Model) -> Iterator[str]:
    """The steps as they follow one another, with loops, decisions and moves; lines of a base name its file."""
    return _Outline(rules).step("game", "", rules.steps["game"].span)


class _Outline:
    def __init__(self, rules: model.Model) -> None:
        self.rules = rules

    def line(self, span: Span, indent: str, words: str) -> str:
        file = "" if span.source is self.rules.source else f"  [{span.source.name}]"
        return f"{span.line:5}  {indent}{words}{file}"

    def step(self, name: str, indent: str, span: Span) -> Iterator[str]:
        yield self.line(span, indent, name)
        yield from self.block(self.rules.steps[name].body, indent + "  ")

    def block(self, body: model.Block, indent: str) -> Iterator[str]:
        for statement in body:
            span = statement.span
            words = span.source.lines[span.line - 1].strip()
            match statement:
                case model.Call():
                    yield from self.step(statement.step, indent, span)
                case model.Turn():
                    yield self.line(span, indent, words)
                    for verb in dict.fromkeys(verb for group in statement.groups for verb in group):
                        move = self.rules.moves[verb]
                        chosen = ", ".join(choice.name for choice in move.choices)
                        yield self.line(move.span, indent + "  ", f"{verb}({chosen})")
                case model.If():
                    yield self.line(span, indent, words)
                    yield from self.block(statement.then, indent + "  ")
                    if statement.otherwise:
                        yield self.line(span, indent, "else")
                        yield from self.block(statement.otherwise, indent + "  ")
                case model.Repeat() | model.Until() | model.Each() | model.GoRound():
                    yield self.line(span, indent, words)
                    yield from self.block(statement.body, indent + "  ")
                case model.Tell():
                    pass
                case model.Goes() | model.Turns() | model.Becomes() | model.Pays() | model.Deal() | model.Shuffle():
                    yield self.line(span, indent, words)
                case model.SetLocal() | model.Wins():
                    yield self.line(span, indent, words)
                case _:
                    assert_never(statement)
