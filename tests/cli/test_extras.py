"""What is not always installed: fetched in a checkout, told elsewhere; and files whose names say what they are."""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from commands_in_process import Run
from commands_in_process import in_process as in_process
from teufelswerk.language.i18n import languages
from teufelswerk_cli.console import extras

ROOT = Path(__file__).parents[2]
GAME = "little-devils"
ASKING = {
    "pdf": ["rulebook", GAME, "-o", "book.pdf"],
    "native": ["simulate", GAME, "--games", "1", "--engine", "native"],
    "sim": ["simulate", GAME, "--games", "1", "--rows", "games.parquet"],
    "cluster": ["simulate", GAME, "--games", "1", "--cluster", "tcp://localhost:1"],
    "editor": ["lsp"],
    "web": ["host", GAME],
}
FROM_PYTHON = {"learning"}
"""No command needs it."""
each_extra = pytest.mark.parametrize("extra", ASKING)


@pytest.fixture(autouse=True)
def nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in extras.MODULES.values():
        monkeypatch.setitem(sys.modules, module, None)
    for name in (extras.LAUNCHER, extras.FETCHED):
        monkeypatch.delenv(name, raising=False)


def test_the_extras_are_those_of_the_project() -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(get_args(extras.Extra)) == set(extras.MODULES) == set(ASKING) == set(stated) - {"dev", *FROM_PYTHON}
    for extra, module in extras.MODULES.items():
        assert re.split(r"[\[>]", stated[extra][0])[0] == module


@each_extra
@pytest.mark.parametrize("language", languages())
def test_installed_one_is_told_the_line_to_type(run: Run, tmp_path: Path, extra: extras.Extra, language: str) -> None:
    said = run(*ASKING[extra], "--lang", language)
    assert said.code == 2 and not said.out and not list(tmp_path.glob("*.*"))
    assert f'`{sys.executable} -m pip install "{extras.MODULES[extra]}' in said.err
    assert said.err.count("\n") == 1


def test_where_there_is_no_pip_it_is_the_line_for_uv(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pip", None)
    assert f'`uv pip install --python {sys.executable} "typst>=' in run(*ASKING["pdf"]).err


@each_extra
def test_in_a_checkout_the_launcher_is_asked_to_fetch_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extra: extras.Extra
) -> None:
    asked: list[list[str]] = []

    def execv(program: str, words: list[str]) -> None:
        asked.append(words)
        raise SystemExit(0)

    monkeypatch.setenv(extras.LAUNCHER, "/there/cli")
    monkeypatch.setattr(os, "execv", execv)
    monkeypatch.setattr(os, "name", "posix")
    said = run(*ASKING[extra])
    assert asked == [[sys.executable, "/there/cli", "extra", extra, *ASKING[extra]]]
    assert not said.err and not list(tmp_path.glob("*.*"))


@each_extra
def test_what_was_fetched_and_is_still_missing_is_not_fetched_for_ever(
    run: Run, monkeypatch: pytest.MonkeyPatch, extra: extras.Extra
) -> None:
    monkeypatch.setenv(extras.LAUNCHER, "/there/cli")
    monkeypatch.setenv(extras.FETCHED, f"other {extra}")
    said = run(*ASKING[extra])
    assert said.code == 2 and "was installed, but is not found" in said.err


# ---- which rules are read -------------------------------------------------------------------------------------------


def test_within_another_checkout_one_is_told_which_rules_are_read(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    (other / "interpreter" / "teufelswerk" / "base").mkdir(parents=True)
    (other / "rules").mkdir()
    (other / "pyproject.toml").touch()
    assert not run("games").err
    monkeypatch.chdir(other / "rules")
    assert not run("games").err
    (other / "interpreter" / "teufelswerk" / "base" / "find_files.py").touch()
    said = run("games")
    assert said.code == 0 and f"`{ROOT / 'rules'}`" in said.err and f"`{other}` have no effect" in said.err
    monkeypatch.chdir(ROOT / "rules")
    assert not run("games").err


# ---- files whose names say what they are ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["games.json", "games.xlsx", "games", "games.csv.gz"])
def test_a_table_of_an_unknown_kind_is_refused_with_those_that_there_are(run: Run, tmp_path: Path, name: str) -> None:
    said = run("simulate", GAME, "--games", "1", "--rows", name)
    message = f"`{name}` cannot be written: its name must end in `.csv`, `.jsonl`, or `.parquet`\n"
    assert (said.code, said.out, said.err) == (2, "", message)
    assert not (tmp_path / name).exists()


def test_a_table_is_of_the_kind_that_its_name_says(run: Run, tmp_path: Path) -> None:
    for name in ("games.CSV", "games.jsonl"):
        assert run("simulate", GAME, "--games", "3", "--rows", name).code == 0
    head, *rows = [line.split(",") for line in (tmp_path / "games.CSV").read_text().splitlines()]
    games = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert len(games) == 3 and [game["seed"] for game in games] == [1, 2, 3]
    assert [[str(value) for value in game.values()] for game in games] == rows and list(games[0]) == head


def test_a_rulebook_of_an_unknown_kind_is_refused(run: Run, tmp_path: Path) -> None:
    said = run("rulebook", GAME, "-o", "book.docx")
    assert said.code == 2 and "`.md`, `.html`, or `.pdf`" in said.err and not (tmp_path / "book.docx").exists()
    assert run("rulebook", GAME, "-o", "book.txt", "--format", "md").code == 0
    assert run("rulebook", GAME, "-o", "book").code == 0
    assert (tmp_path / "book").read_bytes() == (tmp_path / "book.txt").read_bytes()
