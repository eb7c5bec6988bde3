"""How quickly the language server answers while somebody types: CPU time of this process for each keystroke.

    python tests/benchmarks/keystrokes.py [KEYSTROKES]

Two editings of a file of a thousand lines: the hour of `recorded_hour.py`, or its first so many keystrokes, and one
that is made up from a seed, in which words are taken away and typed again letter by letter, with mistakes that are
mended. After each keystroke the server gets the change and is asked for what may stand there,
as an editor asks; when the typing pauses, it checks the file. What games and examples cost beside that is not counted:
another thread does it, and the next keystroke calls it off.
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "interpreter"), str(ROOT / "cli")]

from lsprotocol import types  # noqa: E402
from recorded_hour import BEGIN, HOUR, KEYS, Key, played  # noqa: E402
from teufelswerk_cli.editor.serving import whole_server  # noqa: E402

LINES = 1_000
KEYSTROKES = 1_000
PAUSES = 0.12
"""How often somebody stops typing after a letter."""


def longest() -> str:
    """The longest game that comes along."""
    return max((path.read_text(encoding="utf-8") for path in (ROOT / "rules").glob("*/*.rules.md")), key=len)


def long_file(text: str) -> str:
    """A game with more examples, until it has a thousand lines."""
    sections = text.split("\n## ")
    examples = [section for section in sections if section.startswith("Example")]
    number = 0
    while text.count("\n") < LINES:
        number += 1
        heading, _, body = examples[number % len(examples)].partition("\n")
        text = f"{text.rstrip()}\n\n## {heading} again {'i' * number}\n{body.rstrip()}\n"
    return text


class Nobody:
    """Who hears what the server says."""

    def write(self, data: object) -> None: ...

    def close(self) -> None: ...


class Typing:
    """A file that is typed in, and the server that hears of it."""

    def __init__(self, text: str, seed: int) -> None:
        self.lines = text.split("\n")
        self.chance = random.Random(seed)
        self.server = whole_server("en")
        self.uri = "file:///tmp/typed.rules.md"
        self.version = 1
        self.typing: list[float] = []
        self.checking: list[float] = []
        self.tidying: list[float] = []

    def send(self, method: str, params: object, request: int | None = None) -> None:
        protocol = self.server.protocol
        message = {"jsonrpc": "2.0", "method": method, "params": params, **({"id": request} if request else {})}
        protocol.handle_message(json.loads(json.dumps(message), object_hook=protocol.structure_message))

    def begin(self) -> None:
        self.server.protocol.set_writer(Nobody(), include_headers=False)
        self.send("initialize", {"capabilities": {}, "processId": None, "rootUri": None}, 1)
        self.send("initialized", {})
        text = "\n".join(self.lines)
        document = {"uri": self.uri, "languageId": "teufelswerk", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": document})
        self.server.desk.call_off(self.server.desk.sheets[self.uri])

    def key(self, line: int, start: int, end: int, text: str) -> None:
        """One keystroke in a line, and perhaps a pause."""
        written = self.lines[line]
        self.lines[line] = written[:start] + text + written[end:]
        self.press(Key((line, start), (line, end), text, self.chance.random() < PAUSES))

    def press(self, key: Key) -> None:
        """One keystroke that was done to the lines and, if it was a letter, the question what may follow."""
        before = time.thread_time()
        self.version += 1
        (line, start), (last, end), text = key.first, key.last, key.text
        where = {"start": {"line": line, "character": start}, "end": {"line": last, "character": end}}
        changed = {"uri": self.uri, "version": self.version}
        change = {"range": where, "text": text}
        self.send("textDocument/didChange", {"textDocument": changed, "contentChanges": [change]})
        if text.isalpha():
            position = {"line": line, "character": start + len(text)}
            asked = {"textDocument": {"uri": self.uri}, "position": position}
            self.send(types.TEXT_DOCUMENT_COMPLETION, asked, self.version)
        self.typing.append(time.thread_time() - before)
        if key.rest:
            self.rest()
        if key.thought:
            before = time.thread_time()
            self.server.desk.tidy_up()
            self.tidying.append(time.thread_time() - before)

    def rest(self) -> None:
        """The typing pauses: the file is checked."""
        before = time.thread_time()
        desk = self.server.desk
        sheet = desk.sheets[self.uri]
        desk.look_at(sheet)
        self.checking.append(time.thread_time() - before)
        desk.call_off(sheet)

    def word(self) -> None:
        """Takes a word of a clause away, letter by letter, and types it again, perhaps with a mistake first."""
        clauses = [n for n, line in enumerate(self.lines) if line.startswith("    ") and len(line.split()) > 2]
        line = self.chance.choice(clauses)
        words = self.lines[line].split(" ")
        index = self.chance.choice([i for i, word in enumerate(words) if word.isalpha()] or [len(words) - 1])
        start, word = len(" ".join(words[:index])) + (1 if index else 0), words[index]
        for length in range(len(word), 0, -1):
            self.key(line, start + length - 1, start + length, "")
        for at, letter in enumerate(word):
            if self.chance.random() < 0.05:
                self.key(line, start + at, start + at, "q")
                self.key(line, start + at, start + at + 1, "")
            self.key(line, start + at, start + at, letter)


async def made_up(count: int) -> Typing:
    typing = Typing(long_file(longest()), seed=1)
    typing.begin()
    typing.word()
    typing.typing.clear()
    typing.checking.clear()
    while len(typing.typing) < count:
        typing.word()
    return typing


async def recorded(count: int) -> Typing:
    typing = Typing(long_file(BEGIN.read_text(encoding="utf-8")), seed=1)
    typing.begin()
    for number, key in enumerate(played(typing.lines, KEYS.read_text(encoding="utf-8"))):
        if number >= count:
            break
        typing.press(key)
    return typing


def told(name: str, times: list[float]) -> str:
    times = sorted(1000 * seconds for seconds in times)
    most = times[int(len(times) * 0.99)]
    median = statistics.median(times)
    shown = f"median {median:.1f} ms, 99 of 100 within {most:.1f} ms, at worst {times[-1]:.1f} ms"
    return f"{name}: {len(times)} times, {shown}"


if __name__ == "__main__":
    gc.disable()  # as the server does, which tidies up when the typing rests
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else None
    for name, editing in (("an hour", recorded(asked or HOUR * 10)), ("made up", made_up(asked or KEYSTROKES))):
        found = asyncio.run(editing)
        sys.stdout.write(f"{name}: a file of {len(found.lines)} lines\n")
        sys.stdout.write(f"{told('a keystroke', found.typing)}\n{told('a pause', found.checking)}\n")
        if found.tidying:
            sys.stdout.write(f"{told('a rest of some seconds', found.tidying)}\n")
