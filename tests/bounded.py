"""The command line in processes with bounds: one process loads the program, and each call is a copy of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
SEARCH_PATH = os.pathsep.join(str(ROOT / folder) for folder in ("interpreter", "cli"))
SECONDS = 2.0
MEMORY = 500 * 2**20
KILLED_AFTER = 20


@dataclass(frozen=True)
class Answer:
    """How a call ended: its exit code, what it said, and the processor's time."""

    code: int
    out: str
    err: str
    seconds: float


class Bounded:
    """Answers calls one after the other; use it in a `with`."""

    def __init__(self, folder: Path) -> None:
        self.out, self.err = folder / "out", folder / "err"
        self.server = subprocess.Popen(
            [sys.executable, __file__],
            env={**os.environ, "PYTHONPATH": SEARCH_PATH, "PYTHONUTF8": "1"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __enter__(self) -> Bounded:
        return self

    def __exit__(self, *problem: object) -> None:
        assert self.server.stdin
        self.server.stdin.close()
        self.server.wait()

    def __call__(self, *arguments: str | Path, within: float = SECONDS) -> Answer:
        """Runs the program; it may take two seconds and half a gigabyte, and may not end in a traceback."""
        assert self.server.stdin and self.server.stdout
        words = ["--lang", "en", *map(str, arguments)]
        self.server.stdin.write(json.dumps([words, str(self.out), str(self.err)]) + "\n")
        self.server.stdin.flush()
        code, seconds = json.loads(self.server.stdout.readline())
        answer = Answer(code, self.out.read_text(encoding="utf-8"), self.err.read_text(encoding="utf-8"), seconds)
        assert "Traceback" not in answer.err, answer.err
        assert seconds < within, f"{seconds:.1f} s"
        return answer


def serve() -> None:
    """Reads a call a line, answers with its exit code and the processor's time."""
    from teufelswerk.grammar import grammar
    from teufelswerk_cli import commands
    from teufelswerk_cli.__main__ import main

    assert grammar() and commands
    for line in sys.stdin:
        words, out, err = json.loads(line)
        child = os.fork()
        if child == 0:
            os._exit(_call(main, words, out, err))
        _, status, usage = os.wait4(child, 0)
        sys.stdout.write(json.dumps([os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime]) + "\n")
        sys.stdout.flush()


def _call(main: object, words: list[str], out: str, err: str) -> int:
    import resource
    import signal
    import traceback

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.alarm(KILLED_AFTER)
    for number, name in ((1, out), (2, err)):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
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
