"""Machine code that is kept: used again, made again where it is damaged or strange, and never taken from elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from largest import LARGEST
from shipped import TABLES, rules
from teufelswerk.base import cache_files
from teufelswerk.engines.random_games import has_native, make_engine
from teufelswerk.loading.library import load

pytestmark = pytest.mark.skipif(not has_native(), reason="llvmlite is not installed")


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What has been compiled, one after the other, with a cache of our own."""
    from teufelswerk.engines import machine_code

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found: list[str] = []
    compiled = machine_code.compiled

    def counted(text: str) -> bytes:
        found.append(text)
        return compiled(text)

    monkeypatch.setattr(machine_code, "compiled", counted)
    return found


def play() -> None:
    """Plays as a process would that has just begun."""
    model, players = rules(TABLES[0].name), TABLES[0].players
    assert make_engine(model, players, "native").play(3) == make_engine(model, players, "python").play(3)


def kept(tmp_path: Path) -> Path:
    (found,) = (tmp_path / "cache" / "teufelswerk").glob("game-*.code")
    return found


def test_it_is_made_once(made: list[str]) -> None:
    play()
    play()
    assert len(made) == 1


@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:-1], lambda data: data[:40] + data[41:]])
def test_damaged_code_is_made_again(made: list[str], tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    play()
    file = kept(tmp_path)
    file.write_bytes(damage(file.read_bytes()))
    play()
    assert len(made) == 2
    play()
    assert len(made) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="access is told otherwise there")
@pytest.mark.parametrize("way", ["file", "folder", "link"])
def test_code_that_others_may_have_put_there_is_not_run(made: list[str], tmp_path: Path, way: str) -> None:
    play()
    file = kept(tmp_path)
    if way == "file":
        file.chmod(0o666)
    elif way == "folder":
        file.parent.chmod(0o770)
    else:
        file.symlink_to(file.rename(tmp_path / "planted"))
    assert cache_files.read(file.name) is None
    play()
    assert len(made) == 2


def test_a_game_that_shuffles_in_hundreds_of_places_becomes_little_code(made: list[str], tmp_path: Path) -> None:
    file = tmp_path / "steps.rules.md"
    file.write_text(LARGEST["steps"](), encoding="utf-8")
    model = load(file).model
    assert model
    make_engine(model, 2, "native")
    assert kept(tmp_path).stat().st_size < 100_000
