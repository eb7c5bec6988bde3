"""People at a real terminal: what they type, what they hear, and every picture on their screen."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path
from typing import Any

import pexpect

CHECKOUT = Path(__file__).parent.parent
WIPE = "\x1b[H\x1b[2J\x1b[3J"
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[=>])|[\r\x07]")


def environment(data: Path, **others: str) -> dict[str, str]:
    paths = os.pathsep.join([str(CHECKOUT / "interpreter"), str(CHECKOUT / "cli")])
    fixed = {"XDG_DATA_HOME": str(data), "PYTHONPATH": paths, "TERM": "xterm-256color", "PAGER": "cat"}
    plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "PYTHONIOENCODING", "COLUMNS")}
    return {**plain, **fixed, **others}


class Person:
    """Somebody at a terminal."""

    def __init__(
        self,
        data: Path,
        *arguments: str,
        rows: int = 24,
        columns: int = 80,
        others: dict[str, str] | None = None,
        language: str = "en",
    ) -> None:
        self.heard = io.StringIO()
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "teufelswerk_cli", "play", "--lang", language, *arguments],
            env=environment(data, **(others or {})),
            dimensions=(rows, columns),
            encoding="utf-8",
            codec_errors="replace",
            timeout=60,
        )
        self.child.logfile_read = self.heard
        self.child.delaybeforesend = None

    def hears(self, *patterns: Any) -> int:
        return int(self.child.expect(list(patterns)))

    def says(self, words: str) -> None:
        self.child.send(words + "\r")

    def asked(self) -> None:
        self.hears(r"your move \(\? helps\) > ")

    def frames(self) -> list[str]:
        """Everything that was on the screen, one picture after the other."""
        return [ESCAPES.sub("", frame) for frame in self.heard.getvalue().split(WIPE)]

    def leaves(self) -> None:
        self.hears(pexpect.EOF)
        self.child.close()
