"""The terminal: a screen of its own that is drawn anew and leaves no trace, or plain lines where there is none."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from rich.cells import cell_len
from rich.text import Text as Styled
from teufelswerk.unseen import harmless

from teufelswerk_cli.cards import Look
from teufelswerk_cli.display import Display
from teufelswerk_cli.terminal import steer

try:
    import readline
except ImportError:  # a platform without it: nothing is completed there
    readline = None  # type: ignore[assignment]

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
WIPE = "\x1b[H\x1b[2J\x1b[3J"
"""Clears the screen and what could be scrolled back to."""
SPECIMEN = "┌─┐╌╎◀▷ψ◆·"


class Left(Exception):
    """The players have left the table; everything up to here is saved."""


class Resized(Exception):
    """The window has another size now."""


class Screen:
    """Draws frames and reads lines."""

    def __init__(self, fast: bool = False, step: bool = False) -> None:
        self.fancy = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self.console = Display(soft_wrap=True)
        self.fast = fast
        self.step = step
        self.inside = False
        self.completions: list[str] = []

    def look(self) -> Look:
        encoding = getattr(sys.stdout, "encoding", None) or "ascii"
        try:
            SPECIMEN.encode(encoding)
            unicode = True
        except UnicodeEncodeError:
            unicode = False
        size = self.console.size
        return Look(max(size.width, 40), max(size.height, 16), unicode) if self.fancy else Look(80, 24, unicode)

    @contextlib.contextmanager
    def table(self) -> Iterator[None]:
        """A screen of its own for as long as the game is played."""
        if not self.fancy or self.inside:
            yield
            return
        self.inside = True
        handlers = {}
        for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
            handlers[number] = signal.signal(number, self._leave)
        if readline is not None:
            readline.set_completer(self._complete)
            readline.set_completer_delims(" ")
            readline.parse_and_bind("tab: complete")
            readline.set_auto_history(False)
        steer(ENTER + WIPE)
        try:
            yield
        finally:
            self.inside = False
            if readline is not None:
                readline.set_completer(None)
            for number, handler in handlers.items():
                signal.signal(number, handler)
            with contextlib.suppress(OSError, ValueError):
                steer(WIPE + LEAVE)

    def _leave(self, *_: Any) -> None:
        raise Left

    # ---- showing ----------------------------------------------------------------------------------------------------

    def frame(self, lines: Sequence[Styled]) -> None:
        """Replaces everything on the screen."""
        height = self.look().height
        with self.console.capture() as capture:
            for line in lines[-(height - 1) :]:
                self.console.print(line)
        steer(WIPE + capture.get())

    def wipe(self) -> None:
        """Leaves nothing that the next player could read."""
        if self.fancy:
            steer(WIPE)
        if readline is not None:
            readline.clear_history()

    def print(self, line: Styled | str = "") -> None:
        self.console.print(line, markup=False)

    def wrapped(self, text: str, indent: str = "") -> list[Styled]:
        """A sentence in lines that fit."""
        lines, current = [], ""
        for word in text.split(" "):
            longer = f"{current} {word}" if current else word
            if current and cell_len(longer) > self.look().width - 2 - len(indent):
                lines.append(Styled(indent + current))
                current = word
            else:
                current = longer
        return [*lines, Styled(indent + current)]

    # ---- reading ----------------------------------------------------------------------------------------------------

    def read(self, prompt: str, redraw: Callable[[], None] | None = None) -> str:
        """A line from the player. Ctrl-C, Ctrl-D and the end of a file leave the table."""
        typed = ""
        while True:
            try:
                with self._resizable():
                    if readline is not None and typed:
                        readline.set_startup_hook(partial(readline.insert_text, typed))
                    typed = input(harmless(prompt)).strip()
                    if not sys.stdin.isatty():
                        self.print(typed)  # nobody has seen it typed
                    return typed
            except Resized:
                typed = readline.get_line_buffer() if readline is not None else ""
                if redraw is not None:
                    redraw()
            except (EOFError, KeyboardInterrupt):
                raise Left from None
            finally:
                if readline is not None:
                    readline.set_startup_hook(None)

    @contextlib.contextmanager
    def _resizable(self) -> Iterator[None]:
        if not self.inside or not hasattr(signal, "SIGWINCH"):
            yield
            return

        def resized(*_: Any) -> None:
            raise Resized

        before = signal.signal(signal.SIGWINCH, resized)
        try:
            yield
        finally:
            signal.signal(signal.SIGWINCH, before)

    def _complete(self, text: str, number: int) -> str | None:
        found = [word for word in map(harmless, self.completions) if word.lower().startswith(text.lower())]
        return f"{found[number]} " if number < len(found) else None

    def pause(self, seconds: float) -> None:
        """Time to look; none in a pipe or for those in a hurry."""
        if self.fancy and not self.fast:
            try:
                time.sleep(seconds)
            except KeyboardInterrupt:
                raise Left from None
