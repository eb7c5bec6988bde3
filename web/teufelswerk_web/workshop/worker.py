"""A process beside the server: texts as lines → what they mean, as lines; only the newest text counts."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from threading import Condition, Event, Thread
from typing import IO, Any

from teufelswerk.base.budget import OutOfTime, until_called_off

Job = dict[str, Any]
Message = dict[str, Any]
Work = Callable[[Job], Iterator[Message]]
WORKS = {"reading": "teufelswerk_web.workshop.reading", "figures": "teufelswerk_web.workshop.figures"}


class Inbox:
    """Keeps the newest job alone, and calls off the one that it takes the place of."""

    def __init__(self, lines: IO[bytes]) -> None:
        self.lines = lines
        self.news = Condition()
        self.newest: Job | None = None
        self.called_off = Event()
        self.closed = False
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.lines:
            with self.news:
                self.newest = json.loads(line)
                self.called_off.set()
                self.news.notify()
        with self.news:
            self.closed = True
            self.called_off.set()
            self.news.notify()

    def next(self) -> tuple[Job, Event] | None:
        """Waits for a job; None when nobody is there any more."""
        with self.news:
            while self.newest is None and not self.closed:
                self.news.wait()
            if self.newest is None or self.closed:
                return None
            job, self.newest, self.called_off = self.newest, None, Event()
            return job, self.called_off


def serve(work: Work, lines: IO[bytes], out: IO[bytes]) -> None:
    """Works until the input ends."""

    def put(message: Message) -> None:
        out.write(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode(errors="replace") + b"\n")
        out.flush()

    inbox = Inbox(lines)
    while (found := inbox.next()) is not None:
        job, called_off = found
        with until_called_off(called_off):
            try:
                for message in work(job):
                    if called_off.is_set():
                        break
                    put({"n": job["n"], **message})
            except OutOfTime:
                pass
        put({"n": job["n"], "type": "done"})


def main() -> None:
    work: Work = import_module(WORKS[sys.argv[1]]).work
    try:
        serve(work, sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:  # nobody is there any more
        os._exit(0)


if __name__ == "__main__":
    main()
