"""The terminal: a screen of its own that is drawn anew and leaves no trace, or plain lines where there is none."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.cells import cell_len
from rich.text import Text as Styled
from teufelswerk.base.hidden_characters import harmless

from teufelswerk_cli.console.display import Display
from teufelswerk_cli.console.line_editor import Line, Redraw, can_edit, drop_typed, edit, key_within, quiet
from teufelswerk_cli.console.terminal import steer
from teufelswerk_cli.table.card_drawing import Look

ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
WIPE = "\x1b[H\x1b[2J\x1b[3J"
"""Clears the screen and what could be scrolled back to."""
SPEEDS = {"slow": 2.5, "normal": 1.0, "quick": 0.4, "none": 0.0}
"""How much time to look there is, beside what is usual."""
SPECIMEN = "┌─┐╌╎◀▷ψ◆·"


class Left(Exception):
    """The players have left the table; everything up to here is saved."""


class Screen:
    """Draws frames and reads lines."""

    def __init__(self, speed: str = "normal", step: bool = False) -> None:
        self.fancy = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self.console = Display(soft_wrap=True)
        self.speed = speed
        self.hurried = False
        """Whether somebody has asked to come to the next question at once."""
        self.typed = ""
        """What was typed before it was asked for."""
        self.step = step
        self.inside = False
        self.bell: int | None = None
        """What is rung when the screen has to be drawn anew while a line is being typed, and by what."""
        self.rope = -1

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
        if can_edit():
            self.bell, self.rope = os.pipe()
            os.set_blocking(self.rope, False)
        handlers = {name: handler for name, handler in self._handlers().items() if hasattr(signal, name)}
        before = {name: signal.signal(getattr(signal, name), handler) for name, handler in handlers.items()}
        steer(ENTER + WIPE)
        try:
            with quiet():
                yield
        finally:
            self.inside = False
            for name, handler in before.items():
                signal.signal(getattr(signal, name), handler)
            if self.bell is not None:
                os.close(self.bell)
                os.close(self.rope)
                self.bell = None
            with contextlib.suppress(OSError, ValueError):
                steer(WIPE + LEAVE)

    @contextlib.contextmanager
    def lent(self) -> Iterator[None]:
        """Gives the terminal to another program, as it was before the game."""
        if self.inside:
            steer(WIPE + LEAVE)
        try:
            yield
        finally:
            if self.inside:
                steer(ENTER + WIPE)

    def _handlers(self) -> dict[str, Callable[..., None]]:
        """The end of the terminal leaves the table; another size, or coming back to it, has it drawn anew."""

        def leave(*_: Any) -> None:
            raise Left

        def disturbed(*_: Any) -> None:
            with contextlib.suppress(BlockingIOError):  # it has been rung already, and nobody has had time to look
                os.write(self.rope, b".")  # noqa: TID251 -- a pipe of our own

        return {"SIGTERM": leave, "SIGHUP": leave, "SIGWINCH": disturbed, "SIGCONT": disturbed}

    # ---- showing ----------------------------------------------------------------------------------------------------

    def frame(self, lines: Sequence[Styled]) -> None:
        """Replaces everything on the screen."""
        height = self.look().height
        with self.console.capture() as capture:
            for line in lines[-(height - 1) :]:
                self.console.print(line)
        steer(WIPE + capture.get())

    def wipe(self) -> None:
        """Leaves nothing that the next player could read, or that was typed before it was their turn."""
        if self.fancy:
            steer(WIPE)
            drop_typed()
            self.typed = ""

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

    def read(self, prompt: str, redraw: Callable[[], None] | None = None, words: Sequence[str] = ()) -> str:
        """A line from the player; Tab completes by the words. Ctrl-C, Ctrl-D and the end of a file leave the table."""
        prompt, words, self.hurried = harmless(prompt), [harmless(word) for word in words], False
        early, enter, self.typed = self.typed.partition("\n")
        line = Line(early, len(early))
        if enter:
            steer(f"{prompt}{early}\n")
            return early.strip()
        while True:
            try:
                if self.fancy and can_edit():
                    return edit(line, prompt, words, self.console.size.width, self.bell).strip()
                typed = input(prompt).strip()
                if not sys.stdin.isatty():
                    self.print(typed)  # nobody has seen it typed
                return typed
            except Redraw:
                if redraw is not None:
                    redraw()
            except (EOFError, KeyboardInterrupt):
                raise Left from None

    @property
    def fast(self) -> bool:
        """Whether there is no time to look."""
        return not SPEEDS[self.speed]

    def pause(self, seconds: float) -> bool:
        """Time to look, none in a pipe or for those in a hurry; True if it was all spent.

        Enter or the space bar skips what is still to come before the next question. Anything else that is typed counts
        as typed there.
        """
        if not self.fancy or self.fast or self.hurried:
            return False
        until = time.monotonic() + seconds * SPEEDS[self.speed]
        try:
            while (left := until - time.monotonic()) > 0:
                keys = key_within(left)
                if keys in ("\n", "\r", " ") and not self.typed:
                    self.hurried = True
                    return False
                if harmless(keys.strip("\r\n")) == keys.strip("\r\n") and "\x1b" not in keys:
                    self.typed += keys.replace("\r", "\n")
        except (KeyboardInterrupt, EOFError):
            raise Left from None
        return True
