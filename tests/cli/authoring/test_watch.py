"""`check --watch`: every save is checked at once, and only what has changed is shown."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from commands_in_process import Run
from commands_in_process import in_process as in_process
from small_variants import BASE, FREE, folder_with
from teufelswerk.engines import random_games
from teufelswerk.examples.open_games import OpenGames
from teufelswerk.examples.run_scenes import SceneResult, run_scene
from teufelswerk.model.scenes import SceneModel
from teufelswerk_cli.authoring import watch
from teufelswerk_cli.authoring.watch import watch_files

ROOT = Path(__file__).parents[3]
Edit = Callable[[str], str]


def watched(path: Path, edits: list[Edit], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What is said at first, and after each edit."""
    said: list[str] = []
    waiting: Iterator[Edit] = iter(edits)

    def pause() -> bool:
        said.append(capsys.readouterr().out)
        edit = next(waiting, None)
        if edit is None:
            return False
        path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")
        now = time.time_ns() + len(said) * 10_000_000
        os.utime(path, ns=(now, now))
        return True

    watch_files([str(path)], {}, Path, pause, games=6)
    return said


def test_only_what_changed_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder_with(tmp_path, base=BASE) / "base.rules.md"
    first, wrong, right, other = watched(
        path,
        [
            lambda text: text.replace("card goes to table", "card goes to tabel"),
            lambda text: text.replace("tabel", "table"),
            lambda text: text.replace("hand-size = 2", "hand-size = 3"),
        ],
        capsys,
    )
    assert f"{path}: fine\n" in first and "moves in a game: 2.5" in first and "6 games played" in first
    assert "2 lines of examples run, 0 failed" in first
    assert "there is nothing called `tabel`" in wrong and "games" not in wrong
    assert "no longer: error[unknown-name]: there is nothing called `tabel`" in right
    assert "moves in a game" not in right
    assert "points at the end, on average:" in other and "→" in other
    assert "moves in a game" not in other and "error" not in other


def test_examples_that_fail_and_hold_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder_with(tmp_path, base=BASE) / "base.rules.md"
    _, failing, holding = watched(
        path,
        [
            lambda text: text.replace("refused Ida", "allowed Ida"),
            lambda text: text.replace("allowed Ida", "refused Ida"),
        ],
        capsys,
    )
    assert "✗ Example: Too low: allowed Ida lays 1" in failing and "1 failed" in failing
    assert "That card is too low." in failing
    assert "no longer: ✗ Example: Too low: allowed Ida lays 1" in holding and "0 failed" in holding


EDITIONS = """
## Example: Two editions

    scene laying: Ida, Tom
    given hand of Ida: 4, 5
    Ida lays 4 (Russian edition: 5)
    now sum number in table is 6
    now sum number in table is 6
    now sum number in table is below 9

## Example: No such hand

    scene laying: Ida, Tom
    given hand of Ida: 4, 5
    given hand of Tom: 4, 6
    allowed Ida lays 4
"""


def test_every_command_counts_the_lines_of_examples_in_the_same_way(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line once for all editions, two lines with the same words twice, and a `given` where it fails."""
    path = folder_with(tmp_path, base=BASE + EDITIONS) / "base.rules.md"
    assert "Base: 7 lines of examples run, 3 failed" in run("examples", path).out
    assert f"{path}: 3 errors" in run("check", path).out
    (watching,) = watched(path, [], capsys)
    assert f"{path}: 7 lines of examples run, 3 failed" in watching and watching.count("✗") == 3


@pytest.mark.parametrize("value", [None, 20])
def test_what_check_refuses_is_not_called_fine(
    value: int | None, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also what shows only in play: a player without a card to lay, more cards to deal than there are."""
    text = BASE if value else BASE.replace("deal hand-size from", "deal 0 from")
    path = folder_with(tmp_path, base=text) / "base.rules.md"
    checked = run("check", path, *(["--set", f"hand-size={value}"] if value else []))
    assert checked.code != 0 and "1 error" in checked.out
    capsys.readouterr()
    watch_files([str(path)], {"hand-size": value} if value else {}, Path, lambda: False, games=6)
    said = capsys.readouterr().out
    assert f"{path}: 1 error" in said and "fine" not in said


def test_what_words_alone_cannot_change_is_not_run_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder_with(tmp_path, base=BASE.replace("refused Ida", "allowed Ida")) / "base.rules.md"
    run: list[str] = []

    def noted(games: OpenGames, scene: SceneModel, edition: str | None) -> SceneResult:
        run.append("scene")
        return run_scene(games, scene, edition)

    def make_engine(*words: Any) -> random_games.Engine:
        run.append("engine")
        return random_games.make_engine(*words)

    monkeypatch.setattr(watch, "run_scene", noted)
    monkeypatch.setattr(watch, "make_engine", make_engine)
    first, in_words, in_rules = watched(
        path,
        [
            lambda text: text.replace("\n\n## ", "\n\nOne more sentence.\n\n## ", 1),
            lambda text: text.replace("hand-size = 2", "hand-size = 1"),
        ],
        capsys,
    )
    once = len(run) // 2
    assert run == run[:once] * 2 and {"scene", "engine"} == set(run)
    assert "1 failed" in first and "1 failed" in in_words and "✗" not in in_words
    assert "points at the end, on average:" in in_rules


def test_what_stands_anywhere_in_a_file_or_its_base_is_run_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also the first section of a base, and a declaration among the lines of an example."""
    folder = folder_with(tmp_path, base=BASE, free=FREE)
    base = folder / "base.rules.md"
    said: list[str] = []

    def pause() -> bool:
        said.append(capsys.readouterr().out)
        base.write_text(BASE.replace("players 2 to 3", "players 3"), encoding="utf-8")
        return len(said) < 2

    watch_files([str(folder / "free.rules.md")], {}, Path, pause, games=6)
    assert "moves in a game: 2.5" in said[0] and "moves in a game: 2.5 → 3.0" in said[1]


def test_the_base_of_a_variant_is_watched_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_with(tmp_path, base=BASE, free=FREE)
    said: list[str] = []
    base = folder / "base.rules.md"

    def pause() -> bool:
        said.append(capsys.readouterr().out)
        base.write_text(BASE.replace("number: 1 to 9", "number: 1 to"), encoding="utf-8")
        return len(said) < 2

    watch_files([str(folder / "free.rules.md")], {}, Path, pause, games=2)
    assert "error" in said[1]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_ctrl_c_ends_it(tmp_path: Path) -> None:
    path = folder_with(tmp_path, base=BASE) / "base.rules.md"
    environment = {
        **os.environ,
        "PYTHONPATH": f"{ROOT / 'interpreter'}{os.pathsep}{ROOT / 'cli'}",
        "PYTHONUNBUFFERED": "1",
        "TEUFELSWERK_LANG": "en",
    }
    words = [sys.executable, "-m", "teufelswerk_cli", "check", "--watch", str(path)]
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stdout.readline() == f"{path}: 2 lines of examples run, 0 failed\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert out.endswith("No longer watching.\n")
