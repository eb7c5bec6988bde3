"""Words and styles → the terminal: the only way out, on which what a file says cannot steer it.

Whatever is written to the standard streams is made harmless on its way. Sequences of our own go round that: styles
through a `Display`, which makes the words between them harmless, and the few others through `steer`.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable
from typing import Any, TextIO

from teufelswerk.base.hidden_characters import harmless


class Guarded:
    """A stream that names characters which cannot be seen. It has no `buffer`: nobody writes past it by chance."""

    def __init__(self, below: TextIO) -> None:
        self.below = below

    def write(self, text: str) -> int:
        self.below.write(harmless(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name in ("buffer", "detach"):
            raise AttributeError(name)
        return getattr(self.below, name)


def guard() -> None:
    """From now on nothing but harmless words gets out, up to the last line of a traceback."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None or isinstance(stream, Guarded):
            continue
        if stream.errors != "backslashreplace":
            with contextlib.suppress(AttributeError, ValueError):
                stream.reconfigure(errors="replace")  # a letter that the terminal lacks is no reason to end
        setattr(sys, name, Guarded(stream))


def unguarded(stream: TextIO) -> TextIO:
    return stream.below if isinstance(stream, Guarded) else stream


def steer(sequence: str) -> None:
    """Writes a sequence of our own, or what a `Display` has made."""
    unguarded(sys.stdout).write(sequence)
    unguarded(sys.stdout).flush()


def put(content: bytes) -> None:
    """Writes a file that was asked for on the standard output, as it is."""
    stream = unguarded(sys.stdout)
    stream.flush()
    stream.buffer.write(content)
    stream.buffer.flush()
