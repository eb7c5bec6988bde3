"""Emacs before the server, through Eglot, where both are installed: what `docs/editors.md` says for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from wrong_files import BASE

HERE = Path(__file__).parent
FOLDERS = Path("/usr/share/emacs/site-lisp/elpa")
"""Where Debian puts Eglot for an Emacs that came before it had one."""


def has_eglot() -> bool:
    return shutil.which("emacs") is not None and any(FOLDERS.glob("eglot-*"))


@pytest.mark.skipif(not has_eglot(), reason="Emacs with Eglot is not installed")
def test_emacs_speaks_with_the_server(tmp_path: Path) -> None:
    text = BASE.replace("card goes to table", "card goes to tabel")
    (tmp_path / "game.rules.md").write_text(text, encoding="utf-8")
    words = ["emacs", "--batch", "-Q", "-l", str(HERE / "emacs.el")]
    environment = {**os.environ, "PYTHON": sys.executable, "HOME": str(tmp_path)}
    subprocess.run(words, cwd=tmp_path, env=environment, timeout=120, check=True, capture_output=True)
    place = BASE[: BASE.index("place table")].count("\n") + 1
    said = " ".join((tmp_path / "said.txt").read_text(encoding="utf-8").split())
    for words_there in (
        "der Name `tabel` ist hier unbekannt",
        "mended: card goes to table",
        "hover: ```teufelswerk place table, seen by all ``` ein Ort",
        f"declared in line {place}",
        "renamed: card goes to board",
    ):
        assert words_there in said
    assert "outline: nil" not in said
