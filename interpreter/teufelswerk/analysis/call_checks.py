"""A model → steps that a move calls and that do what no move can do: ask somebody, draw lots, end the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from teufelswerk import model
from teufelswerk.base import limits
from teufelswerk.base.diagnostics import Diagnostic, Span
from teufelswerk.base.texts import Text
from teufelswerk.model.walk import called_steps, expressions, own_values, statements


def check_calls(rules: model.Model) -> list[Diagnostic]:
    """For each call in a move: what there is in the step, or in one that it calls, that has to happen elsewhere."""
    found: list[Diagnostic] = []
    sizes: dict[str, int] = {}
    for move in rules.moves.values():
        for call in called_steps(rules, move.effects):
            problem = next(_out_of_place(rules, call.step, set()), None)
            if problem is not None:
                message, at, what = problem
                help = Text("let the step that asks for the move call it, after the move")
                found.append(Diagnostic("not-in-move", message, call.span, None, ((at, what),), help))
            elif _size(rules, call.step, sizes) > limits.MAX_MOVE_SIZE:
                message = Text("with all steps that it calls, the move `{name}` is too long", name=move.name)
                help = Text("call the same step less often")
                found.append(Diagnostic("too-long", message, call.span, help=help))
    return found


def _out_of_place(rules: model.Model, name: str, seen: set[str]) -> Iterator[tuple[Text, Span, Text]]:
    """What a step does that no move can do, where, and in a few words."""
    seen.add(name)
    chance = Text("a move leaves nothing to chance, and the step `{name}` does", name=name), Text("this is drawn")
    for statement in statements(rules.steps[name].body):
        match statement:
            case model.Turn():
                message = Text("somebody chooses in the step `{name}`, so no move can call it", name=name)
                yield message, statement.span, Text("here somebody chooses")
            case model.Wins():
                message = Text("the game ends in the step `{name}`, so no move can call it", name=name)
                yield message, statement.span, Text("here the game ends")
            case model.Repeat() | model.Until() | model.GoRound():
                message = Text(
                    "a move repeats things only with `each …`, and the step `{name}` does otherwise", name=name
                )
                yield message, statement.span, Text("here it is repeated")
            case model.Shuffle():
                yield chance[0], statement.span, chance[1]
            case model.Call():
                if statement.step not in seen:
                    yield from _out_of_place(rules, statement.step, seen)
            case model.Goes() | model.Becomes() | model.Pays() | model.Deal() | model.SetLocal() | model.Tell():
                pass
            case model.Turns() | model.Each() | model.If():
                pass
            case _:
                assert_never(statement)
        for expr in expressions(own_values(statement)):
            if isinstance(expr, model.Random):
                yield chance[0], expr.span, chance[1]


def _size(rules: model.Model, name: str, sizes: dict[str, int]) -> int:
    """How many lines a step has with all that it calls written out."""
    if name not in sizes:
        inner = list(statements(rules.steps[name].body))
        calls = (s.step for s in inner if isinstance(s, model.Call))
        sizes[name] = len(inner) + sum(_size(rules, step, sizes) for step in calls)
    return sizes[name]
