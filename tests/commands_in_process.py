"""Runs a command within this process, in a folder of its own and in English; import the fixture as `run`."""

from __future__ import annotations

import gettext
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from teufelswerk_cli.__main__ import main
from teufelswerk_cli.console.speech import _Speaker


class Said(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Said]


@pytest.fixture(name="run")
def in_process(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """The command line as a function: what it says, and its exit code."""
    monkeypatch.chdir(tmp_path)
    for variable in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "data"))
    for variable in ("TEUFELSWERK_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    for function in ("gettext", "ngettext"):  # the command line puts its own ones there
        monkeypatch.setattr(gettext, function, getattr(gettext, function))
    monkeypatch.setattr(_Speaker, "translator", _Speaker.translator)

    def run(*words: str | Path, typed: str = "") -> Said:
        monkeypatch.setattr(sys, "argv", ["teufelswerk", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return run
