"""`check` remembers what words told: after a change it points at those that stayed, until they are true again."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from commands_in_process import Run, in_process
from shipped import PATHS
from teufelswerk.base import cache_files
from teufelswerk.loading import version_before

run = in_process
LINE, OTHER = "player pays price chips to right", "player pays price chips to left"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copy(PATHS["hols-der-teufel"], tmp_path / "payments.rules.md"))


def remarks(run: Run, path: Path, *words: str) -> int:
    answer = run("check", str(path), *words)
    return (answer.out + answer.err).count("warning[same-words]")


def test_it_remarks_until_the_words_are_written_anew(run: Run, game: Path) -> None:
    assert remarks(run, game) == 0
    edit(game, LINE, OTHER)
    before = remarks(run, game)
    assert before >= 2 and remarks(run, game) == before
    edit(game, "to the player on your right,\nat once", "to the player on your left,\nat once")
    assert remarks(run, game) == before - 1


def test_or_until_somebody_says_that_they_are_still_true(run: Run, game: Path) -> None:
    remarks(run, game)
    edit(game, LINE, OTHER)
    assert remarks(run, game) and not remarks(run, game, "--still-true") and not remarks(run, game)


def test_a_copy_of_a_game_is_compared_with_the_original(run: Run, tmp_path: Path) -> None:
    copy = Path(shutil.copy(PATHS["hols-der-teufel"], tmp_path))
    edit(copy, LINE, OTHER)
    assert remarks(run, copy) >= 2


def test_a_file_is_compared_with_its_last_commit(run: Run, game: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(game.parent), "-c", "user.name=a", "-c", "user.email=b@c", *words], check=True)

    git("init", "--quiet")
    git("add", game.name)
    git("commit", "--quiet", "-m", "A game")
    edit(game, LINE, OTHER)
    assert remarks(run, game) >= 2


def test_a_checkout_of_strangers_runs_nothing(run: Run, game: Path) -> None:
    """Where a commit lacks a file, git may fetch it, with a program that the checkout names."""

    def git(*words: str, at: Path = game.parent) -> str:
        command = ["git", "-C", str(at), "-c", "user.name=a", "-c", "user.email=b@c", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    other, trap, sprung = game.parent / "other", game.parent / "trap", game.parent / "sprung"
    other.mkdir()
    git("init", "--quiet", at=other)
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\n", encoding="utf-8")
    trap.chmod(0o755)
    git("init", "--quiet")
    git("add", game.name)
    git("commit", "--quiet", "-m", "A game")
    blob = git("rev-parse", f"HEAD:{game.name}")
    (game.parent / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    settings = {"repositoryformatversion": "1", "remote.origin.url": str(other), "remote.origin.promisor": "true"}
    settings |= {
        "remote.origin.uploadpack": str(trap),
        "extensions.partialClone": "origin",
        "core.fsmonitor": str(trap),
    }
    for name, value in settings.items():
        git("config", name if "." in name else f"core.{name}", value)
    subprocess.run(["git", "-C", str(game.parent), "cat-file", "blob", blob], capture_output=True, check=False)
    assert sprung.exists(), "git itself would have run it"
    sprung.unlink()

    assert remarks(run, game) == 0
    assert not sprung.exists()


def test_a_variant_that_keeps_the_words_of_its_base(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "high-answers.rules.md"
    text = PATHS["little-devils"].read_text(encoding="utf-8")
    section = "## Leading" + text.split("## Leading")[1].split("## Answering")[0]
    variant = f"# High answers\n\nLeads are high.\n\n    variant of little-devils\n\n{section}"
    path.write_text(variant, encoding="utf-8")
    assert remarks(run, path) == 0
    edit(path, "must not be barred-count if", "must be barred-count if")
    shutil.rmtree(tmp_path / "cache")
    assert remarks(run, path) >= 1


@pytest.mark.parametrize(
    "kept", [b"", b"[]", b'{"text": 1}', b'{"text": "", "doubts": [["a"]]}', b"[" * 100_000, b"\xff"]
)
def test_what_is_kept_may_be_damaged(run: Run, game: Path, kept: bytes) -> None:
    cache_files.write(version_before._name(game), kept)
    assert remarks(run, game) == 0
