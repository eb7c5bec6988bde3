"""An evaluator that counts what it looks at: a decision that takes too much of it ends with a diagnostic, not never."""

from __future__ import annotations

from teufelswerk import model
from teufelswerk.diagnostics import Span
from teufelswerk.evaluate import Evaluator
from teufelswerk.limits import MAX_WORK_IN_PLAY
from teufelswerk.machine import Layout, Machine, RuleError
from teufelswerk.texts import Text
from teufelswerk.values import Function


class Budgeted(Evaluator):
    """Looks at so many things from one rest to the next, and at no more."""

    def __init__(self, layout: Layout, limit: int = MAX_WORK_IN_PLAY) -> None:
        super().__init__(layout)
        self.limit = limit
        self.work = 0
        self.next_look = self.first_look = limit

    def rest(self) -> None:
        self.work, self.next_look = 0, self.first_look

    def look(self, span: Span) -> None:
        """Some work has been done: is it too much?"""
        if self.work > self.limit:
            message = Text("from one decision to the next, more than {limit} things are looked at", limit=self.limit)
            raise RuleError("too-slow", message, span, Text("put fewer loops and `where` inside one another"))

    def watched(self, items: Function, span: Span) -> Function:
        def looked_at(m: Machine) -> list[int]:
            found: list[int] = items(m)
            self.work += len(found) + 1
            if self.work > self.next_look:
                self.look(span)
            return found

        return looked_at

    def everything(self, expr: model.Everything) -> Function:
        return self.watched(super().everything(expr), expr.span)

    _Everything = everything

    def candidates(self, members: model.Members) -> Function:
        return self.watched(super().candidates(members), members.span)
