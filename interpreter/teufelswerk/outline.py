"""A model → the flow of the game as a tree of lines, each with the line of the rule file that it comes from."""

from __future__ import annotations

from collections.abc import Iterator

from teufelswerk import model


def outline_of(rules: model.Model) -> Iterator[str]:
    """The steps as they follow one another, with loops, decisions and moves."""
    yield from _step(rules, "game", "", rules.steps["game"].span.line)


def _line(number: int, indent: str, words: str) -> str:
    return f"{number:5}  {indent}{words}"


def _step(rules: model.Model, name: str, indent: str, line: int) -> Iterator[str]:
    yield _line(line, indent, name)
    yield from _block(rules, rules.steps[name].body, indent + "  ")


def _block(rules: model.Model, body: model.Block, indent: str) -> Iterator[str]:
    for statement in body:
        words = statement.span.source.lines[statement.span.line - 1].strip()
        line = statement.span.line
        match statement:
            case model.Call():
                yield from _step(rules, statement.step, indent, line)
            case model.Turn():
                yield _line(line, indent, words)
                for verb in dict.fromkeys(verb for group in statement.groups for verb in group):
                    move = rules.moves[verb]
                    chosen = ", ".join(choice.name for choice in move.choices)
                    yield _line(move.span.line, indent + "  ", f"{verb}({chosen})")
            case model.If():
                yield _line(line, indent, words)
                yield from _block(rules, statement.then, indent + "  ")
                if statement.otherwise:
                    yield _line(line, indent, "else")
                    yield from _block(rules, statement.otherwise, indent + "  ")
            case model.Repeat() | model.Until() | model.Each() | model.GoRound():
                yield _line(line, indent, words)
                yield from _block(rules, statement.body, indent + "  ")
            case model.Tell():
                pass
            case _:
                yield _line(line, indent, words)
