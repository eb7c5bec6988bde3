"""`check` remembers what words told: after a change it points at those that stayed, until they are true again."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from catalog_entries import ROOT
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
    return (answer.out + answer.err).count("[same-words]")


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


@pytest.mark.parametrize("name", ["hols-der-teufel", "my-own"])
def test_a_copy_of_a_game_is_compared_with_the_original(run: Run, tmp_path: Path, name: str) -> None:
    copy = Path(shutil.copy(PATHS["hols-der-teufel"], tmp_path / f"{name}.rules.md"))
    edit(copy, LINE, OTHER)
    assert remarks(run, copy) >= 2


def test_another_game_is_no_copy(run: Run, tmp_path: Path) -> None:
    text = (ROOT / "tests" / "fixtures" / "games" / "expeditions.rules.md").read_text("utf-8")
    (tmp_path / "mine.rules.md").write_text(text.replace("lowest", "highest"), "utf-8")
    assert remarks(run, tmp_path / "mine.rules.md") == 0


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


@pytest.fixture
def translated(run: Run, game: Path) -> Path:
    """A game with catalogs beside it, one of them of the language that it is written in."""
    run("messages", str(game), "--into", "de", "--into", "en")
    for language in ("de", "en"):
        suggested = catalog(game, language)
        suggested.write_text(suggested.read_text("utf-8").replace("#, fuzzy\n", ""), "utf-8")
    return game


def catalog(game: Path, language: str) -> Path:
    return game.parent / "locales" / language / "LC_MESSAGES" / "teufelswerk.po"


def languages_in_doubt(run: Run, game: Path) -> list[str]:
    answer = run("check", str(game))
    said = (answer.out + answer.err).split("\n")
    return sorted({line.rpartition("translated: ")[2] for line in said if "translated: " in line})


def test_translations_are_in_doubt_with_the_words(run: Run, translated: Path) -> None:
    assert remarks(run, translated) == 0
    edit(translated, "at least ripe cards in every row", "at least ripe cards in some row")
    count = remarks(run, translated)
    assert count >= 2 and languages_in_doubt(run, translated) == ["de"]

    shutil.rmtree(translated.parent / "cache")
    assert languages_in_doubt(run, translated) == ["de"], "the catalogs know it, too"
    assert remarks(run, translated) == count

    run("messages", str(translated))
    assert "#, fuzzy" in catalog(translated, "de").read_text("utf-8"), "it is not taken as true silently"
    assert remarks(run, translated, "--still-true", "--lang", "de") and not languages_in_doubt(run, translated)
    assert "fuzzy" not in catalog(translated, "de").read_text("utf-8")
    assert remarks(run, translated) and not remarks(run, translated, "--still-true") and not remarks(run, translated)


def test_a_translator_takes_fuzzy_away(run: Run, translated: Path) -> None:
    edit(translated, "at least ripe cards in every row", "at least ripe cards in some row")
    run("messages", str(translated))
    german = catalog(translated, "de")
    assert languages_in_doubt(run, translated) == ["de"]
    german.write_text(german.read_text("utf-8").replace("#, fuzzy\n", ""), "utf-8")
    assert languages_in_doubt(run, translated) == []
    run("messages", str(translated))
    assert "now: " not in german.read_text("utf-8") and languages_in_doubt(run, translated) == []


def test_another_name_or_another_order_leaves_nothing_in_doubt(run: Run, translated: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-C", str(translated.parent), "-c", "user.name=a", "-c", "user.email=b@c", *words], check=True
        )

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "A game")
    text = translated.read_text("utf-8")
    assert "left-has-colour" in text
    translated.write_text(text.replace("left-has-colour", "neighbour-can"), "utf-8")
    assert languages_in_doubt(run, translated) == []
    run("messages", str(translated))
    assert "fuzzy" not in catalog(translated, "de").read_text("utf-8")
