"""Machine code that is kept: used again, made again where it is damaged or strange, and never taken from elsewhere."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from teufelswerk import cache_files
from teufelswerk.compiled.engines import has_native

pytestmark = pytest.mark.skipif(not has_native(), reason="numba is not installed")
SOURCE = "def play(seed, result, trail):\n    result[0] = 1\n    return 7\n"


class Trap:
    def __init__(self, sprung: Path) -> None:
        self.sprung = sprung

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (exec, (f"open({str(self.sprung)!r}, 'w')",))


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """What has been compiled, one after the other, with a cache of our own and another that numba is told of."""
    from numba.core import dispatcher

    functions: Any = vars(dispatcher)["_FunctionCompiler"]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found: list[object] = []
    compile = functions.compile

    def counted(self: Any, args: object, return_type: object) -> object:
        if self.py_func.__name__ == "play_many":
            found.append(args)
        return compile(self, args, return_type)

    monkeypatch.setattr(functions, "compile", counted)
    yield found
    assert not [file for file in tmp_path.rglob("*") if file.suffix in (".nbi", ".nbc", ".py")]


def play() -> None:
    """Plays as a process would that has just begun."""
    from teufelswerk.compiled import native

    moves, results, trails = native.arrays(3, 1, 0)
    native.load(SOURCE)(0, moves, results, trails)
    assert moves.tolist() == [7, 7, 7]


def kept(tmp_path: Path) -> Path:
    (found,) = (tmp_path / "cache" / "teufelswerk").glob("code-*.bin")
    return found


def test_it_is_made_once(made: list[object]) -> None:
    play()
    play()
    assert len(made) == 1


@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:-1], lambda data: data[:40] + data[41:]])
def test_damaged_code_is_made_again(made: list[object], tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    play()
    file = kept(tmp_path)
    file.write_bytes(damage(file.read_bytes()))
    play()
    assert len(made) == 2
    play()
    assert len(made) == 2


def test_code_that_numba_can_do_nothing_with_is_made_again(made: list[object], tmp_path: Path) -> None:
    play()
    for content in (b"", b"nonsense", pickle.dumps(None), pickle.dumps((1, 2))):
        file = kept(tmp_path)
        file.write_bytes(cache_files._checksum(file.name, content) + content)
        play()
    assert len(made) == 5


@pytest.mark.skipif(sys.platform == "win32", reason="access is told otherwise there")
@pytest.mark.parametrize("way", ["file", "folder", "link"])
def test_code_that_others_may_have_put_there_is_not_run(made: list[object], tmp_path: Path, way: str) -> None:
    play()
    file = kept(tmp_path)
    content = pickle.dumps(Trap(tmp_path / "sprung"))
    file.write_bytes(cache_files._checksum(file.name, content) + content)
    if way == "file":
        file.chmod(0o666)
    elif way == "folder":
        file.parent.chmod(0o770)
    else:
        file.symlink_to(file.rename(tmp_path / "planted"))
    play()
    assert not (tmp_path / "sprung").exists()
    assert len(made) == 2
