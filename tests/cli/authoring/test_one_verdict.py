"""Whether a file is fine: `check`, `check --watch`, `examples` and pytest say the same about each sort of fault."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands_in_process import Run
from commands_in_process import in_process as in_process
from small_variants import BASE, FREE, folder_with
from teufelswerk.loading.library import load
from teufelswerk.whole_file import file_findings
from teufelswerk_cli.authoring.watch import watch_files

FILES = {
    "fine": (BASE, True),
    "remark": (BASE + "\n## More\n\nNothing of this matters.\n\n    idle:\n        shuffle deck\n", True),
    "unread": (BASE.replace("card goes to table", "card flies to table"), False),
    "unknown": (BASE.replace("card goes to table", "card goes to tabel"), False),
    "in-play": (BASE.replace("deal hand-size from", "deal 0 from"), False),
    "wrong-example": (BASE.replace("refused Ida lays 1", "allowed Ida lays 1"), False),
    "impossible-example": (BASE.replace("    refused Ida lays 1", "    given hand of Ida: 1\n    Ida lays 9"), False),
    "hopeful-example": (BASE.replace("refused Ida lays 1", "now some cards in hand of Ida where number is 2"), False),
    "meant-change": (FREE + "\n## Example: Too low\n", True),
    "unmeant-change": (FREE, False),
    "misfit": (FREE.replace("variant of base", "variant of told"), False),
}
"""What a file says, and whether it is fine."""
TOLD = BASE.replace("{Ida} may not lay the lowest card.", "{Ida} must lay a card above {bottom}.")
TOLD = TOLD.replace("refused Ida lays 1", "now no cards in table")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = {name: text for name, (text, _) in FILES.items()}
    return folder_with(tmp_path_factory.mktemp("files"), base=BASE, told=TOLD, **texts)


@pytest.fixture(scope="module")
def failed_in_pytest(folder: Path) -> set[str]:
    words = ("-m", "pytest", "-p", "teufelswerk.pytest_plugin", "-q", "--tb=no", "-rf", "--rootdir", str(folder))
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    said = subprocess.run([sys.executable, *words, str(folder)], env=environment, capture_output=True, text=True)
    assert "error" not in said.stdout.splitlines()[-1], said.stdout
    lines = [line.split("::")[0] for line in said.stdout.splitlines() if line.startswith("FAILED ")]
    return {Path(line.removeprefix("FAILED ")).name.removesuffix(".rules.md") for line in lines}


@pytest.mark.parametrize("name", FILES)
def test_all_who_judge_a_file_agree(
    name: str, folder: Path, run: Run, failed_in_pytest: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path, fine = folder / f"{name}.rules.md", FILES[name][1]
    verdicts = {
        "the function": not any(d.is_error for d in file_findings(load(path))),
        "check": run("check", path).code == 0,
        "examples": run("examples", path).code == 0,
        "pytest": name not in failed_in_pytest,
    }
    capsys.readouterr()
    watch_files([str(path)], {}, Path, lambda: False, games=2)
    verdicts["check --watch"] = f"{path}: fine\n" in capsys.readouterr().out
    assert verdicts == dict.fromkeys(verdicts, fine)
