"""Neovim's own client before the server, where Neovim is installed: what `docs/editors.md` says for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from wrong_files import BASE

HERE = Path(__file__).parent
neovim = pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")


@neovim
def test_neovim_speaks_with_the_server(tmp_path: Path) -> None:
    text = BASE.replace("card goes to table", "card goes to tabel")
    (tmp_path / "game.rules.md").write_text(text, encoding="utf-8")
    words = ["nvim", "--headless", "-u", "NONE", "-c", f"luafile {HERE / 'neovim.lua'}"]
    environment = {**os.environ, "PYTHON": sys.executable, "HOME": str(tmp_path)}
    subprocess.run(words, cwd=tmp_path, env=environment, timeout=120, check=True, capture_output=True)
    place = BASE[: BASE.index("place table")].count("\n") + 1
    said = (tmp_path / "said.txt").read_text(encoding="utf-8")
    for words_there in (
        "der Name `tabel` ist hier unbekannt",
        "mended: card goes to table",
        "hover: ```teufelswerk place table, seen by all ```  ein Ort",
        f"declared in line {place}",
        "offered: table",
        "renamed: card goes to board",
        "outline: Base",
    ):
        assert words_there in said
