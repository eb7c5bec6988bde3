"""Keys → one line of text, edited on a terminal. Once it has been read, nothing of it is left.

readline would keep what was erased, recorded or searched for, for whoever types the next line; and at one screen that
is the next player. So a line is edited here, by the usual keys, and every line begins with nothing.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import select
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from teufelswerk.base.hidden_characters import harmless

from teufelswerk_cli.console.terminal import steer

if sys.platform == "win32":
    termios = None
else:
    import termios

ESCAPE_ALONE = 0.05
"""Seconds after which an escape that nothing follows is the key itself, and not the beginning of another one's code."""
LEAST_ROOM = 12
"""Columns that are left for the line; behind a longer question it begins below."""


class Redraw(Exception):
    """The screen has to be drawn anew; the line goes on as it is."""


@dataclass
class Line:
    """What has been typed so far, and where the next key goes."""

    text: str = ""
    at: int = 0

    def insert(self, words: str) -> None:
        self.text = self.text[: self.at] + words + self.text[self.at :]
        self.at += len(words)

    def cut(self, start: int, end: int) -> None:
        """Takes a part out, for good."""
        self.text, self.at = self.text[: max(start, 0)] + self.text[end:], max(start, 0)

    def move(self, at: int) -> None:
        self.at = max(0, min(at, len(self.text)))

    def word_before(self) -> int:
        """Where the word before the cursor begins."""
        return len(self.text[: self.at].rstrip().rpartition(" ")[0] + " ") if " " in self.text[: self.at].strip() else 0

    def word_behind(self) -> int:
        """Where the word behind the cursor ends."""
        rest = self.text[self.at :]
        blanks = len(rest) - len(rest.lstrip())
        return self.at + blanks + len(rest.lstrip().partition(" ")[0])

    def complete(self, words: Sequence[str]) -> list[str]:
        """Completes the word before the cursor as far as it is plain; the words to choose from if it is not."""
        start = self.text.rfind(" ", 0, self.at) + 1
        begun = self.text[start : self.at].lower()
        found = list(dict.fromkeys(word for word in words if word.lower().startswith(begun)))
        if not found:
            return []
        common = next(n for n in range(len(found[0]), -1, -1) if len({word[:n].lower() for word in found}) == 1)
        if len(found) > 1 and common <= len(begun):
            return found
        self.cut(start, self.at)
        self.insert(f"{found[0]} " if len(found) == 1 else found[0][:common])
        return []


EDITS: dict[str, Callable[[Line], None]] = {
    key: edit
    for keys, edit in (
        (("\x01", "\x1b[H", "\x1bOH", "\x1b[1~"), lambda line: line.move(0)),
        (("\x05", "\x1b[F", "\x1bOF", "\x1b[4~"), lambda line: line.move(len(line.text))),
        (("\x02", "\x1b[D", "\x1bOD"), lambda line: line.move(line.at - 1)),
        (("\x06", "\x1b[C", "\x1bOC"), lambda line: line.move(line.at + 1)),
        (("\x1bb", "\x1b[1;3D", "\x1b[1;5D"), lambda line: line.move(line.word_before())),
        (("\x1bf", "\x1b[1;3C", "\x1b[1;5C"), lambda line: line.move(line.word_behind())),
        (("\x08", "\x7f"), lambda line: line.cut(line.at - 1, line.at)),
        (("\x04", "\x1b[3~"), lambda line: line.cut(line.at, line.at + 1)),
        (("\x0b",), lambda line: line.cut(line.at, len(line.text))),
        (("\x15",), lambda line: line.cut(0, line.at)),
        (("\x17", "\x1b\x7f"), lambda line: line.cut(line.word_before(), line.at)),
    )
    for key in keys
}
"""The usual keys. None of them brings anything back."""


def edit(line: Line, prompt: str, words: Sequence[str], width: int, bell: int | None = None) -> str:
    """Lets somebody type until Enter; Tab completes by the words. These and the question are harmless.

    Raises EOFError if there will be nothing more, and Redraw as soon as there is anything to read from the bell.
    """
    shown = _Shown(line, prompt, width)
    with _keyboard(bell) as next_key:
        shown.ask()
        while (key := next_key()) not in ("\n", "\r"):
            if not key or (key == "\x04" and not line.text):
                steer("\n")
                raise EOFError
            if key == "\x0c":
                raise Redraw
            if key == "\t":
                choice = line.complete(words)
                if choice:
                    shown.offer(choice)
            elif key in EDITS:
                EDITS[key](line)
            elif key.isprintable() and harmless(key) == key:
                line.insert(key)
            shown.draw()
        steer("\n")
    return line.text


class _Shown:
    """The line on the screen, behind its question."""

    def __init__(self, line: Line, prompt: str, width: int) -> None:
        self.line, self.prompt, self.width = line, prompt, width
        self.start = cell_len(prompt) % width
        if width - self.start < LEAST_ROOM or (prompt and not self.start):
            self.prompt, self.start = f"{prompt}\n", 0
        self.drawn = ("", 0)

    def ask(self) -> None:
        steer(self.prompt)
        self.drawn = ("", 0)
        self.draw()

    def offer(self, words: Sequence[str]) -> None:
        """Lists the words below, and asks again."""
        rows = [""]
        for word in words:
            longer = f"{rows[-1]}  {word}" if rows[-1] else word
            if rows[-1] and cell_len(longer) >= self.width:
                rows.append(word)
            else:
                rows[-1] = longer
        steer("\n" + "\n".join(rows) + "\n")
        self.ask()

    def draw(self) -> None:
        """As much of the line as there is room for, with the cursor in it."""
        text, at = self.line.text, self.line.at
        room = self.width - self.start - 1
        first = 0
        while cell_len(text[first:at]) > room:
            first += 1
        last = len(text)
        while cell_len(text[first:last]) > room:
            last -= 1
        now, column = text[first:last], cell_len(text[first:at])
        before, where = self.drawn
        if (now, column) == self.drawn:
            return
        if where == cell_len(before) and column == cell_len(now) and now.startswith(before):
            steer(now[len(before) :])
        else:
            steer(f"\x1b[{self.start + 1}G\x1b[K{now}\x1b[{self.start + column + 1}G")
        self.drawn = (now, column)


# ---- the keyboard ---------------------------------------------------------------------------------------------------

if sys.platform == "win32":

    def can_edit() -> bool:
        """Whether keys can be read one by one."""
        return False

    def drop_typed() -> None:
        """Forgets what has been typed and not read."""

    @contextlib.contextmanager
    def quiet() -> Iterator[None]:
        """Keys are not shown by themselves."""
        yield

    def key_within(seconds: float) -> str:
        """Waits for a key; nothing if none comes."""
        time.sleep(seconds)
        return ""

    @contextlib.contextmanager
    def _keyboard(bell: int | None) -> Iterator[Callable[[], str]]:
        raise NotImplementedError
        yield

else:

    def can_edit() -> bool:
        """Whether keys can be read one by one."""
        return True

    def drop_typed() -> None:
        """Forgets what has been typed and not read."""
        with contextlib.suppress(termios.error, ValueError, OSError):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    @contextlib.contextmanager
    def quiet() -> Iterator[None]:
        """Keys are not shown by themselves, whatever is being done when they are pressed."""
        file = sys.stdin.fileno()
        before = termios.tcgetattr(file)
        termios.tcsetattr(file, termios.TCSADRAIN, _unechoed(file))
        try:
            yield
        finally:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(file, termios.TCSADRAIN, before)

    def _unechoed(file: int) -> list[Any]:
        mode = termios.tcgetattr(file)
        mode[0] |= termios.ICRNL
        mode[3] &= ~(termios.ICANON | termios.ECHO | termios.IEXTEN)
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        return mode

    def key_within(seconds: float) -> str:
        """Waits for a key; what it sends, nothing if none is pressed. Raises EOFError if none ever will be."""
        file = sys.stdin.fileno()
        if not select.select([file], [], [], seconds)[0]:
            return ""
        sent = os.read(file, 64)
        if not sent:
            raise EOFError
        return sent.decode(sys.stdin.encoding or "utf-8", "replace")

    @contextlib.contextmanager
    def _keyboard(bell: int | None) -> Iterator[Callable[[], str]]:
        """Gives keys as they are pressed, unechoed; no byte is read ahead. Ctrl-C and Ctrl-Z stay what they are."""
        file = sys.stdin.fileno()
        before = termios.tcgetattr(file)
        decoder = codecs.getincrementaldecoder(sys.stdin.encoding or "utf-8")("replace")

        def letter() -> str:
            while byte := os.read(file, 1):
                if found := decoder.decode(byte):
                    return found
            return ""

        def key() -> str:
            if bell is not None and bell in select.select([file, bell], [], [])[0]:
                os.read(bell, 1000)
                raise Redraw
            pressed = letter()
            if pressed != "\x1b" or not select.select([file], [], [], ESCAPE_ALONE)[0]:
                return pressed
            pressed += letter()
            if pressed in ("\x1b[", "\x1bO"):
                pressed += letter()
                while "\x20" <= pressed[-1] < "\x40":
                    pressed += letter()
            return pressed

        termios.tcsetattr(file, termios.TCSADRAIN, _unechoed(file))
        try:
            yield key
        finally:
            termios.tcsetattr(file, termios.TCSADRAIN, before)
