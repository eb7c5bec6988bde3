"""How much may be looked at: what takes too much of it, or too long, ends with a word about that.

What counts is written here alone:

- a form that lists things (`CardsIn`, `EndsOf`, `Players`, `Around`, `Family`, `Listed`, a list in a slot) counts one,
  and one for each thing that it lists, whenever it is asked, however few of them matter to whoever asks;
- to ask how many cards lie in one place or things in a slot, whether any do, or for one by its position, lists nothing,
  nor does the number of all players where nobody can be out, or of things that are listed outright;
- a move that is asked for its legal choices counts each that is tried; a run from one decision to the next counts its
  instructions.

Compiled rules count what they go through one by one; what is told of all cards at once takes no time and counts not.
Where they find too much, the reference is asked.

Whatever has to come out the same on every machine is bounded by this count. What may stop anywhere also has a deadline,
which is asked where the work is counted, in the innermost loops.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from teufelswerk.base.diagnostics import RuleError, Span
from teufelswerk.base.limits import MAX_WORK_IN_PLAY
from teufelswerk.base.texts import Text

if TYPE_CHECKING:
    from threading import Event

LOOKS_AT_THE_CLOCK = 2_000
"""So many things are looked at between two looks at the clock."""


class OutOfTime(Exception):
    """The time that was given is over. No fault of the rules, so that nobody who looks for one takes it for that."""


_called_off: ContextVar[Event | None] = ContextVar("called_off", default=None)


@contextmanager
def until_called_off(event: Event) -> Iterator[None]:
    """What is done here is out of time as soon as another thread sets the event."""
    token = _called_off.set(event)
    try:
        yield
    finally:
        _called_off.reset(token)


class Deadline:
    """So many seconds of this thread's work, whatever else the machine does meanwhile."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.called_off = _called_off.get()
        self.until = time.thread_time() + seconds

    def extend(self, seconds: float) -> None:
        """So many seconds from now on, whatever was left."""
        self.until = time.thread_time() + seconds

    @property
    def left(self) -> float:
        if self.called_off is not None and self.called_off.is_set():
            return -1
        return self.until - time.thread_time()

    @property
    def passed(self) -> bool:
        return self.left < 0

    def check(self) -> None:
        if self.passed:
            raise OutOfTime


class Meter:
    """Counts what is looked at; allows so much from one rest to the next, and no more."""

    __slots__ = ("begun", "deadline", "limit", "next_look", "work")

    def __init__(self, limit: int = MAX_WORK_IN_PLAY, deadline: Deadline | None = None) -> None:
        self.limit = limit
        self.deadline = deadline
        self.work = 0
        """All that has been looked at since it was made."""
        self.begun = 0
        """… and how much of it before the last rest."""
        self.next_look = limit
        self.rest()

    def rest(self) -> None:
        """A decision begins: its work is counted anew."""
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
        """So much was looked at."""
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
