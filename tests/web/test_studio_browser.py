"""The studio in a real browser: nothing keeps anybody from using it, axe over every pane, and keys alone."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from teufelswerk.base.find_files import shipped
from web_browser import CHROMIUM, Browser, Page, chromium

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")]
GAME = "little-devils"
PANES = ("book", "examples", "table", "figures", "differences", "flow")
TABLE = "document.querySelector('#pane-table iframe').contentDocument"


@contextmanager
def studio(folder: Path, *words: str) -> Iterator[str]:
    command = [sys.executable, "-m", "teufelswerk_cli", "studio", *words, "--no-browser", "--port", "8797"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder)
    try:
        assert process.stdout
        yield next(found[0] for line in process.stdout if (found := re.search(r"http://\S+#\S+", line)))
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    npm, folder = shutil.which("npm"), tmp_path_factory.mktemp("axe")
    pack = [str(npm), "pack", "axe-core@4", "--silent"]
    if npm is None or subprocess.run(pack, cwd=folder, capture_output=True).returncode:
        pytest.skip("axe-core cannot be fetched")
    subprocess.run(["tar", "xf", next(folder.glob("*.tgz")).name], cwd=folder, check=True)
    return (folder / "package" / "axe.min.js").read_text(encoding="utf-8")


def test_nothing_keeps_anybody_from_using_the_studio(browser: Browser, tmp_path: Path, axe: str) -> None:
    shutil.copy(shipped()[GAME], tmp_path)
    with studio(tmp_path, f"{GAME}.rules.md") as link:
        page = browser.page(language="de", calm=True)
        page.open(link)
        page.until("document.querySelector('#mistakes.holds')")
        page.run(axe + "; 0")
        for pane in PANES:
            page.run(f"document.getElementById('tab-{pane}').click()")
            page.until({
                "figures": "document.querySelector('.bars')",
                "table": f"Boolean({TABLE}?.querySelector('#own .card'))",
            }.get(pane, "true"))  # fmt: skip
            assert found_by(page) == [], pane
            assert page.run("document.documentElement.scrollWidth <= innerWidth"), pane
        page.run("document.getElementById('files').click()")
        assert found_by(page) == []
        assert page.faults == []


def found_by(page: Page) -> list[str]:
    said = page.run(
        "axe.run(document, {iframes: false}).then(r => JSON.stringify(r.violations"
        ".filter(v => ['serious', 'critical'].includes(v.impact))"
        ".map(v => [v.id, v.nodes.map(n => n.html.slice(0, 120)).slice(0, 3)])))"
    )
    return [json.dumps(each) for each in json.loads(said)]


def test_the_panes_are_reached_by_keys_alone(browser: Browser, tmp_path: Path) -> None:
    shutil.copy(shipped()[GAME], tmp_path)
    with studio(tmp_path, f"{GAME}.rules.md") as link:
        page = browser.page(language="en", calm=True)
        page.open(link)
        page.until("document.querySelector('#mistakes.holds')")
        for _ in range(12):
            if page.run("document.activeElement.id") == "tab-book":
                break
            page.key("Tab")
        for pane in PANES[1:]:
            page.key("ArrowRight")
            assert page.run("document.activeElement.id") == f"tab-{pane}"
            assert page.run(f"document.getElementById('pane-{pane}').hidden") is False
