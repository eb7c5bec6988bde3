"""A booklet's data → a PDF, as a program of its own that may take so much time and memory and open no file."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

NOT_INSTALLED, FAILED, TOO_LARGE = 3, 4, 5


def main() -> int:
    """Reads data and writes a PDF; stands in an empty folder. Given are seconds, bytes and a template."""
    seconds, memory = map(int, sys.argv[1:3])
    try:
        import typst
    except ImportError:
        return NOT_INSTALLED
    template, data = Path(__file__).with_name(sys.argv[3]).read_bytes(), sys.stdin.buffer.read().decode()
    _keep_within(seconds, memory)
    try:
        compiler = typst.Compiler(template, root=".", ignore_system_fonts=True, sys_inputs={"book": data})
        made = compiler.compile(format="pdf", timestamp=0)
    except MemoryError:
        return TOO_LARGE
    except typst.TypstError as problem:
        sys.stderr.write(problem.message)
        return FAILED
    assert isinstance(made, bytes)
    sys.stdout.buffer.write(made)
    return 0


def _keep_within(seconds: int, memory: int) -> None:
    try:
        import resource
    except ImportError:  # Windows: whoever started this looks at the clock
        return
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 0),  # what is open stays open, and nothing else is opened
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, memory),
    ):
        _, hard = resource.getrlimit(what)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError, OSError):  # a system that cannot bound the memory still bounds the time
            resource.setrlimit(what, (most, most if what != resource.RLIMIT_CPU else hard))


if __name__ == "__main__":
    sys.exit(main())
