"""A path → a place to write beside it, which takes its place once all is there: nobody ever finds half a file."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from teufelswerk.base.texts import Text

from teufelswerk_cli.console.options import refuse


@contextmanager
def new_file(name: str | Path) -> Iterator[Path]:
    """Where to write what the file shall hold; if nothing is written there, the file stays as it was.

    A link stays one, a file keeps its rights, and what is no plain file, such as a pipe, is written to itself.
    """
    try:
        file = Path(os.path.realpath(name))
        if _is_something_else(file):
            yield file
            return
        part = file.with_name(f".{os.urandom(8).hex()}.part")
        part.open("xb").close()
        try:
            if file.exists():
                shutil.copymode(file, part)
            yield part
            if part.stat().st_size:
                part.replace(file)
        finally:
            part.unlink(missing_ok=True)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise refuse(Text("`{path}` cannot be written: {reason}", path=str(name), reason=reason)) from None


def _is_something_else(file: Path) -> bool:
    """Whether there is something that is no plain file: a pipe, a device, a folder, or a link that leads nowhere."""
    try:
        return not stat.S_ISREG(file.lstat().st_mode)
    except FileNotFoundError:
        return False


def write_new(name: str | Path, text: str) -> None:
    """Writes a text to a file, all or nothing."""
    with new_file(name) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
