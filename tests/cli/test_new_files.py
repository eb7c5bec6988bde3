"""Whatever a command writes is there as a whole or not at all, and nothing else that lies there is lost."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path
from threading import Thread

import pytest
from commands_in_process import Run
from commands_in_process import in_process as in_process
from shipped import LANGUAGE_FILES
from teufelswerk_cli.console.new_file import new_file
from teufelswerk_cli.console.options import Refused

GAME = "little-devils"
WRITING = {
    "report.html": ["report", GAME, "--games", "2", "--jobs", "1", "-o"],
    "book.html": ["rulebook", GAME, "-o"],
    "games.jsonl": ["simulate", GAME, "--games", "1", "--record"],
    "games.csv": ["simulate", GAME, "--games", "1", "--jobs", "1", "--rows"],
    "sweep.csv": ["sweep", GAME, "--over", "target=5,6", "--games", "1", "--jobs", "1", "--csv"],
    "sweep.html": ["sweep", GAME, "--over", "target=5,6", "--games", "1", "--jobs", "1", "--html"],
}
each_file = pytest.mark.parametrize("name", WRITING)
needs_unix = pytest.mark.skipif(sys.platform == "win32", reason="there are other rights, and other files")


@each_file
def test_a_file_is_written_and_nothing_else_is_touched(run: Run, name: str, tmp_path: Path) -> None:
    other = tmp_path / f"{name}.part"
    other.write_text("somebody's own")
    said = run(*WRITING[name], name)
    assert said.code == 0, said.err
    assert (tmp_path / name).stat().st_size > 20
    assert other.read_text() == "somebody's own"
    assert {path.name for path in tmp_path.iterdir()} <= {name, other.name, "data"}


@needs_unix
@each_file
def test_a_file_keeps_its_rights_and_a_link_stays_a_link(run: Run, name: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / name).write_text("before")
    (kept / name).chmod(0o600)
    (tmp_path / name).symlink_to(kept / name)
    assert run(*WRITING[name], name).code == 0
    assert (tmp_path / name).is_symlink()
    assert stat.S_IMODE((kept / name).stat().st_mode) == 0o600
    assert (kept / name).read_text(encoding="utf-8") != "before"


@needs_unix
def test_a_new_file_is_as_open_as_others(run: Run, tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        assert run(*WRITING["games.csv"], "games.csv").code == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "games.csv").stat().st_mode) == 0o640


@needs_unix
def test_fmt_keeps_rights_and_links(run: Run, tmp_path: Path) -> None:
    text = LANGUAGE_FILES["high-card.rules.md"]
    file, link = tmp_path / "own.rules.md", tmp_path / "link.rules.md"
    file.write_text(text + "\n\n\n", encoding="utf-8")
    file.chmod(0o600)
    link.symlink_to(file)
    assert "formatted" in run("fmt", link).out
    assert link.is_symlink() and stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text(encoding="utf-8") == text.rstrip("\n") + "\n"


@needs_unix
@each_file
def test_what_is_no_plain_file_is_written_to_itself(run: Run, name: str, tmp_path: Path) -> None:
    """A pipe that somebody reads from, or a device; in its place there would be a file that nobody reads."""
    os.mkfifo(tmp_path / name)
    read: list[bytes] = []
    reader = Thread(target=lambda: read.append((tmp_path / name).read_bytes()), daemon=True)
    reader.start()
    assert run(*WRITING[name], name).code == 0
    reader.join(60)
    assert len(read[0]) > 20
    assert stat.S_ISFIFO((tmp_path / name).lstat().st_mode)


def test_half_a_file_is_never_there(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for before in (None, "before"):
        if before:
            file.write_text(before)
        with contextlib.suppress(KeyError), new_file(file) as part:
            part.write_text("half")
            raise KeyError
        with new_file(file):
            pass  # nothing to be written after all
        assert (file.read_text() if file.exists() else None) == before
        assert list(tmp_path.iterdir()) == ([file] if before else [])


@pytest.mark.parametrize("place", ["none/file", "file/file", ".", "x" * 300])
def test_where_nothing_can_be_written_there_is_a_sentence(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("before")
    with pytest.raises(Refused), new_file(tmp_path / place) as part:
        part.write_text("new")
    assert "cannot be written" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_links_in_a_circle_are_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(Refused), new_file(tmp_path / "circle") as part:
        part.write_text("new")
    assert "cannot be written" in capsys.readouterr().err
