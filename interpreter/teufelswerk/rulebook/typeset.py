"""A booklet's data → a PDF, made by another process that is ended at its bounds."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from tempfile import TemporaryDirectory
from typing import Any

from teufelswerk.base.limits import MAX_PDF_MEMORY, MAX_PDF_SECONDS
from teufelswerk.base.texts import Text
from teufelswerk.rulebook import typesetter_process


class NotTypeset(Exception):
    """There is no PDF, and why: it would be too large, or something else."""

    def __init__(self, message: Text, too_large: bool = False) -> None:
        super().__init__(str(message))
        self.message = message
        self.too_large = too_large


def typeset(
    booklet: Mapping[str, Any],
    seconds: int = MAX_PDF_SECONDS,
    memory: int = MAX_PDF_MEMORY,
    template: str = "booklet.typ",
) -> bytes:
    """The PDF, as a template lays the data out; raises NotTypeset."""
    command = [sys.executable, "-P", typesetter_process.__file__, str(seconds), str(memory), template]
    # Each thread takes much of the memory that there is to be had, which has nothing to do with the booklet.
    few_threads = {"RAYON_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
    with TemporaryDirectory() as empty:
        try:
            process = subprocess.run(
                command, input=json.dumps(booklet).encode(), env={**os.environ, **few_threads}, cwd=empty,
                capture_output=True, timeout=seconds, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise NotTypeset(_too_long(seconds), too_large=True) from None
    if process.returncode == 0:
        return process.stdout
    if process.returncode == typesetter_process.NOT_INSTALLED:
        raise NotTypeset(Text("PDF needs the package `typst`; install it with `pip install typst`"))
    if process.returncode == -getattr(signal, "SIGXCPU", 0):
        raise NotTypeset(_too_long(seconds), too_large=True)
    if process.returncode == typesetter_process.TOO_LARGE or process.returncode < 0:
        message = Text(
            "the rulebook is too large for a PDF: it would take more than {limit} MB of memory to typeset it;"
            " as a web page (`--format html`) it can be had",
            limit=memory // 10**6,
        )
        raise NotTypeset(message, too_large=True)
    reason = process.stderr.decode(errors="replace").strip()
    raise NotTypeset(Text("the rulebook cannot be typeset: {reason}", reason=reason))


def _too_long(seconds: int) -> Text:
    return Text(
        "the rulebook is too large for a PDF: it would take more than {seconds} seconds to typeset it;"
        " as a web page (`--format html`) it can be had",
        seconds=seconds,
    )
