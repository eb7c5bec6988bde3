"""Packages that only some commands need: in a checkout they are fetched when asked for, elsewhere one is told how."""

from __future__ import annotations

import os
import re
import sys
from importlib.util import find_spec
from typing import Literal

from teufelswerk.base.texts import Text

Extra = Literal["pdf", "native", "sim", "cluster", "editor", "web"]
"""As in pyproject.toml."""
MODULES: dict[Extra, str] = {
    "pdf": "typst", "native": "llvmlite", "sim": "duckdb", "cluster": "distributed", "editor": "pygls",
    "web": "segno",
}  # fmt: skip
"""Of each extra the first package: whoever has that one has them all."""
LAUNCHER = "TEUFELSWERK_LAUNCHER"
"""Where `python3 cli` in a checkout has begun: it can install what is missing, and begin the same command again."""
FETCHED = "TEUFELSWERK_FETCHED"
"""The extras that it has just installed."""


def in_checkout() -> bool:
    """Whether `python3 cli` has begun this, which has some commands of its own."""
    return LAUNCHER in os.environ


def is_there(extra: Extra) -> bool:
    return find_spec(MODULES[extra]) is not None


def fetch(extra: Extra) -> Text:
    """Hands over to the checkout's launcher; where there is none, what to tell people."""
    launcher, package = os.environ.get(LAUNCHER), MODULES[extra]
    if launcher is None:
        return _told(extra)
    if extra in os.environ.get(FETCHED, "").split():
        return Text("`{package}` was installed, but is not found", package=package)
    words = [sys.executable, launcher, "extra", extra, *sys.argv[1:]]
    sys.stdout.flush()
    if os.name == "nt":  # where exec gives the prompt back at once
        import subprocess

        sys.exit(subprocess.call(words))
    os.execv(sys.executable, words)


def _told(extra: Extra) -> Text:
    command = f'`{_installer()} "{_requirement(extra)}"`'
    match extra:
        case "pdf":
            return Text("PDF needs the package `typst`; to install it, type {command}", command=command)
        case "native":
            return Text("machine code needs the package `llvmlite`; to install it, type {command}", command=command)
        case "sim":
            return Text("Parquet needs the package `duckdb`; to install it, type {command}", command=command)
        case "cluster":
            return Text("a cluster needs the package `distributed`; to install it, type {command}", command=command)
        case "editor":
            return Text("editors need the package `pygls`; to install it, type {command}", command=command)
        case "web":
            return Text("a table in the browser needs some packages; to install them, type {command}", command=command)


def _installer() -> str:
    """What installs beside this program, whichever environment it is in; uv makes some that have no pip."""
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"


def _requirement(extra: Extra) -> str:
    """The package with its version, as the installed program says it: it need not come from an index itself."""
    from importlib.metadata import PackageNotFoundError, requires  # slow to import, and every command imports this one

    try:
        stated = requires("teufelswerk") or []
    except PackageNotFoundError:
        stated = []
    wanted = re.compile(rf"""extra\s*==\s*['"]{extra}['"]""")
    found = [line.split(";")[0].strip() for line in stated if wanted.search(line)]
    return '" "'.join(found) or MODULES[extra]
