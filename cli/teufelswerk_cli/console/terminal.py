"""Words and styles → the terminal: the only way out, on which what a file says cannot steer it.

Whatever is written to the standard streams is made harmless on its way. Sequences of our own go round that: styles
through a `Display`, which makes the words between them harmless, and the few others through `steer`.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO, cast

from teufelswerk.base.hidden_characters import harmless


class NotHeard(Exception):
    """What was said did not get out, and why: the disk that it goes to is full, or a device gone."""


@contextlib.contextmanager
def _getting_out() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise NotHeard(problem.strerror or str(problem)) from None


class Unguarded:
    """A stream that says by NotHeard what it cannot write."""

    def __init__(self, below: TextIO) -> None:
        self.below = below

    def write(self, text: str) -> int:
        with _getting_out():
            return self.below.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        with _getting_out():
            self.below.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.below, name)


class Guarded(Unguarded):
    """One that names characters which cannot be seen. It has no `buffer`: nobody writes past it by chance."""

    def write(self, text: str) -> int:
        super().write(harmless(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        if name in ("buffer", "detach"):
            raise AttributeError(name)
        return super().__getattr__(name)


def guard() -> None:
    """From now on nothing but harmless words gets out, up to the last line of a traceback.

    Where somebody has closed a stream, nothing is read or heard; else the next file to be opened would take its place.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - it stays open to the end
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, Guarded):
            continue
        if stream.errors != "backslashreplace":
            with contextlib.suppress(AttributeError, ValueError):
                stream.reconfigure(errors="replace")  # a letter that the terminal lacks is no reason to end
        setattr(sys, name, Guarded(stream))


def unguarded(stream: TextIO) -> TextIO:
    return cast(TextIO, Unguarded(stream.below)) if isinstance(stream, Guarded) else stream


def steer(sequence: str) -> None:
    """Writes a sequence of our own, or what a `Display` has made."""
    unguarded(sys.stdout).write(sequence)
    unguarded(sys.stdout).flush()


def put(content: bytes) -> None:
    """Writes a file that was asked for on the standard output, as it is."""
    stream = unguarded(sys.stdout)
    stream.flush()
    with _getting_out():
        stream.buffer.write(content)
        stream.buffer.flush()
