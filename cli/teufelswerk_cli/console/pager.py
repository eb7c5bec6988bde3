"""A long text → the program that shows long texts here: less, or the one that `PAGER` names.

less says nothing about how to leave it but in its prompt, and there it garbles all letters but the English ones. So the
text itself says it, above and below, in any language; the prompt only names the key.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
from enum import Enum
from pathlib import Path

from teufelswerk.base.hidden_characters import harmless

PROMPT = "(q)"
NOT_FOUND = (126, 127)
"""What a shell answers when there is no such program."""


class Shown(Enum):
    """How a text was shown: nobody has seen it, all of it went by, or somebody has read it and left."""

    NOT = "not"
    AT_ONCE = "at once"
    AND_LEFT = "and left"


def show_long(text: str, way_back: str) -> Shown:
    """Shows a text. Of less it is known that it waits until somebody leaves it; any other program may just end."""
    said = os.environ.get("PAGER", "").strip()
    program = _first_word(said) if said else shutil.which("less")
    if not program:
        return Shown.NOT
    if Path(program).stem == "less":  # with no options but ours, lest it leaves by itself
        code = _run([program], harmless(f"{way_back}\n\n{text.rstrip()}\n\n{way_back}\n"))
        return Shown.AND_LEFT if code == 0 else Shown.NOT
    return Shown.NOT if _run(said, harmless(f"{text}\n")) in NOT_FOUND else Shown.AT_ONCE


def _first_word(said: str) -> str | None:
    try:
        return shlex.split(said)[0]
    except (ValueError, IndexError):
        return None


def _run(command: str | list[str], text: str) -> int:
    """Gives a program the text to show; its exit code. It may not write files, and remembers nothing for the next."""
    encoding = sys.stdout.encoding or "utf-8"
    settings = {"LESS": f"-P{PROMPT}", "LESSSECURE": "1", "LESSHISTFILE": "-"}
    if encoding.lower().replace("-", "") == "utf8":
        settings["LESSCHARSET"] = "utf-8"
    try:
        process = subprocess.Popen(
            command, shell=isinstance(command, str), stdin=subprocess.PIPE, env={**os.environ, **settings}
        )
    except OSError:
        return NOT_FOUND[-1]
    assert process.stdin
    try:
        with contextlib.suppress(OSError, KeyboardInterrupt):  # whoever leaves early does not read it all
            process.stdin.write(text.encode(encoding, "replace"))
            process.stdin.close()
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # this was for the program that is on the screen
    finally:
        if process.poll() is None:
            process.terminate()
