"""The command line in processes with bounds: one process loads the program, and each call is a copy of it."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parent.parent
WRITTEN = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
SEARCH_PATH = os.pathsep.join(str(ROOT / folder) for folder in ("interpreter", "cli"))
SECONDS = 2.0
MEMORY = 500 * 2**20
KILLED_AFTER = 20
"""Seconds by the clock, for calls that wait instead of working."""


@dataclass(frozen=True)
class Answer:
    """How a call ended: its exit code, what it said, and the processor's time."""

    code: int
    out: str
    err: str
    seconds: float


class Bounded:
    """Answers calls one after the other; use it in a `with`. What `modules` name is imported once for all calls."""

    def __init__(
        self,
        folder: Path,
        seconds: float = SECONDS,
        memory: int = MEMORY,
        killed_after: int = KILLED_AFTER,
        modules: Sequence[str] = (),
        variables: dict[str, str] | None = None,
    ) -> None:
        self.out, self.err, self.typed = folder / "out", folder / "err", folder / "typed"
        self.seconds, self.memory, self.killed_after = seconds, memory, killed_after
        self.server = subprocess.Popen(
            [sys.executable, __file__, *modules],
            env={**os.environ, **(variables or {}), "PYTHONPATH": SEARCH_PATH, "PYTHONUTF8": "1"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __enter__(self) -> Bounded:
        return self

    def __exit__(self, *problem: object) -> None:
        assert self.server.stdin
        self.server.stdin.close()
        self.server.wait()

    def __call__(self, *arguments: str | Path, typed: str = "", within: float | None = None) -> Answer:
        """Runs the program; it may take so much time and memory, and may not end in a traceback."""
        within = within or self.seconds
        answer = self.answer(*arguments, typed=typed, within=within)
        assert "Traceback" not in answer.err, answer.err
        assert answer.seconds < within, f"{answer.seconds:.1f} s"
        return answer

    def answer(self, *arguments: str | Path, typed: str = "", within: float | None = None) -> Answer:
        """The same for whoever judges the answer; a call that takes far too long is ended by a signal."""
        assert self.server.stdin and self.server.stdout
        words = ["--lang", "en", *map(str, arguments)]
        self.typed.write_text(typed, encoding="utf-8")
        files = [str(file) for file in (self.typed, self.out, self.err)]
        bounds = [self.memory, self.killed_after, int(2 * (within or self.seconds)) + 1]
        self.server.stdin.write(json.dumps([words, files, bounds]) + "\n")
        self.server.stdin.flush()
        code, seconds = json.loads(self.server.stdout.readline())
        return Answer(code, self.out.read_text(encoding="utf-8"), self.err.read_text(encoding="utf-8"), seconds)


def serve() -> None:
    """Reads a call a line, answers with its exit code and the processor's time."""
    from teufelswerk.syntax.grammar import grammar
    from teufelswerk_cli import commands
    from teufelswerk_cli.__main__ import main

    assert grammar() and commands
    for name in sys.argv[1:]:
        import_module(name)
    gc.collect()
    gc.freeze()  # what all calls share is not gone through, and so not copied, by each of them
    for line in sys.stdin:
        words, files, bounds = json.loads(line)
        child = os.fork()
        if child == 0:
            os._exit(_call(main, words, files, bounds))
        _, status, usage = os.wait4(child, 0)
        sys.stdout.write(json.dumps([os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime]) + "\n")
        sys.stdout.flush()


def _call(main: object, words: list[str], files: list[str], bounds: list[int]) -> int:
    import resource
    import signal
    import traceback

    memory, killed_after, seconds = bounds
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    signal.alarm(killed_after)
    for number, (name, how) in enumerate(zip(files, (os.O_RDONLY, WRITTEN, WRITTEN), strict=True)):
        os.dup2(os.open(name, how, 0o600), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - the one before has read ahead
    sys.argv = ["teufelswerk", *words]
    code = 0
    try:
        main()  # type: ignore[operator]
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 0
    except BaseException:
        traceback.print_exc()
        code = 99
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    serve()
