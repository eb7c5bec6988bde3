"""`games` lists every game that can be read, whatever else lies beside it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from commands_in_process import Run
from commands_in_process import in_process as in_process
from shipped import LANGUAGE_FILES
from teufelswerk.checker.check import Checked, check
from teufelswerk.loading import library

pytest_plugins = ["pytester"]
HOSTILE = Path(__file__).parents[2] / "hostile"
GOOD = LANGUAGE_FILES["high-card.rules.md"]


@pytest.fixture
def own_games(tmp_path: Path) -> Path:
    """The user's folder, with a good game between bad ones."""
    folder = tmp_path / "data" / "teufelswerk" / "rules"
    folder.mkdir(parents=True)
    (folder / "good.rules.md").write_text(GOOD, encoding="utf-8")
    return folder


def test_files_that_are_no_games_do_not_keep_others_from_being_listed(run: Run, own_games: Path) -> None:
    for path in HOSTILE.glob("*.rules.md"):
        shutil.copy(path, own_games / f"a-{path.name}")
    (own_games / "bytes.rules.md").write_bytes(bytes(range(256)))
    (own_games / "empty.rules.md").write_bytes(b"")
    (own_games / "folder.rules.md").mkdir()
    (own_games / "gone.rules.md").symlink_to("nowhere")
    (own_games / "circle.rules.md").symlink_to("circle.rules.md")
    if hasattr(os, "mkfifo"):
        os.mkfifo(own_games / "pipe.rules.md")  # reading it would wait for ever
    said = run("games")
    assert said.code == 0 and not said.err
    listed = {line.split()[0]: line for line in said.out.splitlines() if line}
    assert "High Card" in listed["good"] and "little-devils" in listed
    for name in ("bytes", "empty", "gone", "circle"):
        assert "cannot be read; see `" in listed[name] and f" check {name}`" in listed[name]
    assert "Crash" in listed["a-check-crash"] and "Hearts" in listed["a-hearts-no-if-able"]
    assert not {"pipe", "folder"} & set(listed)


def broken_for(title: str) -> Any:
    """A checker with a mistake that shows in one file."""

    def check_or_break(sections: Sequence[Any], *more: Any) -> Checked:
        if sections and sections[0].heading == title:
            raise TypeError("a mistake of ours")
        return check(sections, *more)

    return check_or_break


def test_a_mistake_of_ours_does_not_keep_others_from_being_listed(
    run: Run, own_games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own_games / "bad.rules.md").write_text(GOOD.replace("# High Card", "# Unlucky"), encoding="utf-8")
    monkeypatch.setattr(library, "check", broken_for("Unlucky"))
    said = run("games")
    assert said.code == 0 and not said.err
    assert " check bad`" in said.out and "High Card" in said.out


def test_pytest_goes_on_with_other_files(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, title in (("bad", "Unlucky"), ("good", "High Card")):
        text = GOOD.replace("# High Card", f"# {title}")
        (pytester.path / f"{name}.rules.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(library, "check", broken_for("Unlucky"))
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1)
