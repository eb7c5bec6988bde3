"""The extension for VS Code through its own client library in node, where its packages have been fetched (`npm ci`)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "editors" / "vscode"
BUNDLER = FOLDER / "node_modules" / ".bin" / "esbuild"


@pytest.mark.skipif(shutil.which("node") is None or not BUNDLER.exists(), reason="its packages are not here")
def test_the_extension_starts_the_server_and_does_what_its_lenses_say() -> None:
    environment = {**os.environ, "PYTHON": sys.executable}
    said = subprocess.run(
        ["npm", "test"], cwd=FOLDER, env=environment, timeout=180, check=False, capture_output=True, text=True
    )
    assert said.returncode == 0, said.stdout[-4000:]
