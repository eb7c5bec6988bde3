"""An evaluator that counts what it looks at: what takes too much of it, or too long, ends with a word about that.

Whatever has to come out the same on every machine is bounded by this count; what may stop anywhere also has a deadline,
which is asked where the work is counted, in the innermost loops.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from teufelswerk import model
from teufelswerk.diagnostics import Span
from teufelswerk.evaluate import Evaluator
from teufelswerk.limits import MAX_WORK_IN_PLAY
from teufelswerk.machine import Layout, Machine, RuleError
from teufelswerk.texts import Text
from teufelswerk.values import Function

LOOKS_AT_THE_CLOCK = 2_000
"""So many things are looked at between two looks at the clock."""


class OutOfTime(Exception):
    """The time that was given is over. No fault of the rules, so that nobody who looks for one takes it for that."""


class Deadline:
    """So many seconds of this thread's work, whatever else the machine does meanwhile."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.until = time.thread_time() + seconds

    def extend(self, seconds: float) -> None:
        """So many seconds from now on, whatever was left."""
        self.until = time.thread_time() + seconds

    @property
    def left(self) -> float:
        return self.until - time.thread_time()

    @property
    def passed(self) -> bool:
        return self.left < 0

    def check(self) -> None:
        if self.passed:
            raise OutOfTime


class Budgeted(Evaluator):
    """Looks at so many things from one rest to the next, and at no more."""

    def __init__(self, layout: Layout, limit: int = MAX_WORK_IN_PLAY, deadline: Deadline | None = None) -> None:
        super().__init__(layout)
        self.limit = limit
        self.deadline = deadline
        self.work = 0
        """All that has been looked at since it was made."""
        self.begun = 0
        """… and how much of it before the last rest."""
        self.next_look = limit
        self.rest()

    def rest(self) -> None:
        self.begun = self.work
        if self.deadline is None:
            self.next_look = self.work + self.limit
        else:
            self.next_look = self.work + min(self.limit, LOOKS_AT_THE_CLOCK)
            self.deadline.check()

    @contextmanager
    def limited(self, limit: int) -> Iterator[None]:
        """Meanwhile less is looked at for one decision, if that is less."""
        before, self.limit = self.limit, min(limit, self.limit)
        try:
            yield
        finally:
            self.limit = before

    def spend(self, amount: int, span: Span) -> None:
        """Counts what somebody else has looked at."""
        self.work += amount
        if self.work > self.next_look:
            self.look(span)

    def look(self, span: Span) -> None:
        """Some work has been done: is it too much, or too late?"""
        if self.work - self.begun > self.limit:
            message = Text("from one decision to the next, more than {limit} things are looked at", limit=self.limit)
            raise RuleError("too-slow", message, span, Text("put fewer loops and `where` inside one another"))
        if self.deadline is not None:
            self.next_look = self.work + LOOKS_AT_THE_CLOCK
            self.deadline.check()

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
