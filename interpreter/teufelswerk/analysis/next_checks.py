"""A model → where it is said who is next though nobody goes round, or two laps at once would be meant."""

from __future__ import annotations

from teufelswerk import model
from teufelswerk.base.diagnostics import Diagnostic, Span
from teufelswerk.base.texts import Text
from teufelswerk.model.walk import all_statements, blocks, expressions, laps_with_next, own_values


def check_next(rules: model.Model) -> list[Diagnostic]:
    """Every place that speaks of who is next and can be come to outside a lap, or in a lap within such a lap."""
    if model.NEXT not in rules.keeps:
        return []
    walker = _Walker(rules)
    called = {call.step for call in all_statements(rules) if isinstance(call, model.Call)}
    for name, step in rules.steps.items():
        if name not in called:
            walker.block(step.body, None, None)
    return list(walker.found.values())


class _Walker:
    """Goes through everything that can happen, once with each lap that it can happen in."""

    def __init__(self, rules: model.Model) -> None:
        self.rules = rules
        self.laps = laps_with_next(rules)
        self.found: dict[Span, Diagnostic] = {}
        self.seen: set[tuple[str, int | None]] = set()

    def block(self, body: model.Block, lap: model.GoRound | None, at: Span | None) -> None:
        for statement in body:
            self.said(own_values(statement), lap, at)
            inner, within = blocks(statement), lap
            if isinstance(statement, model.GoRound):
                within = statement
                if statement.id in self.laps and lap is not None and lap.id in self.laps:
                    self.nested(statement, lap)
            elif isinstance(statement, model.Call):
                self.enter(statement.step, self.rules.steps[statement.step].body, lap, statement.span)
            elif isinstance(statement, model.Turn):
                for verb in (verb for group in statement.groups for verb in group):
                    move = self.rules.moves[verb]
                    self.said([move.invitation, move.choices, move.musts], lap, statement.span)
                    self.enter(f"player {verb}", move.effects, lap, statement.span)
            for block in inner:
                self.block(block, within, at)

    def enter(self, name: str, body: model.Block, lap: model.GoRound | None, at: Span) -> None:
        key = name, None if lap is None else lap.id
        if key not in self.seen:
            self.seen.add(key)
            self.block(body, lap, at)

    def said(self, values: list[object], lap: model.GoRound | None, at: Span | None) -> None:
        if lap is not None:
            return
        for expr in expressions(values):
            if isinstance(expr, model.KeepOf) and expr.keep.name == model.NEXT:
                message = Text("nobody goes round here, so `next` means nobody")
                help = Text("let it come about below `go round from … until …` only; elsewhere, say who is meant")
                related = ((at, Text("it comes about here, outside such a lap")),) if at is not None else ()
                self.found.setdefault(expr.span, Diagnostic("no-next", message, expr.span, None, related, help))

    def nested(self, inner: model.GoRound, outer: model.GoRound) -> None:
        message = Text("two laps, one within the other, both say who is next")
        help = Text("let the inner one go through `each player from …`, or repeat something in which nobody is next")
        related = ((outer.span, Text("the outer lap")),)
        self.found.setdefault(inner.span, Diagnostic("no-next", message, inner.span, None, related, help))
