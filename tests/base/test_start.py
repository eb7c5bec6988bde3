"""What a start takes: nothing is imported that the first answer can do without, and classes are made quickly."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest
from teufelswerk.base.quick_dataclass import dataclass

PLAY = ("play", "little-devils", "--players", "4", "--human", "Me", "--bots", "random")
LISTED = (
    "import sys; from teufelswerk_cli.__main__ import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
)
SLOW = {"babel", "importlib.metadata", "importlib.resources", "lark", "subprocess", "teufelswerk.loading.library"}


@pytest.mark.parametrize(
    ("words", "unused"),
    [(PLAY, SLOW), (("games",), {*SLOW, "rich", "teufelswerk.core", "teufelswerk.interpreter.machine"})],
)
def test_what_is_slow_to_import_is_left_until_somebody_needs_it(
    words: tuple[str, ...], unused: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for _ in range(2):  # the second start finds what the first has kept
        program = [sys.executable, "-c", LISTED, "--lang", "en", *words]
        answer = subprocess.run(program, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    imported = set(answer.stderr.splitlines()[-1].split())
    assert "teufelswerk.model" in imported
    assert not imported & unused


@dataclass(frozen=True)
class Quick:
    name: str
    numbers: tuple[int, ...] = ()
    seen: bool = dataclasses.field(default=False, compare=False, repr=False)


@dataclass(frozen=True)
class Quicker(Quick):
    more: int = 0


@dataclass
class Changing:
    items: list[int] = dataclasses.field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Single:
    name: str


def test_quick_classes_are_like_others() -> None:
    one = Quick("a", (1, 2), seen=True)
    assert one == Quick("a", (1, 2)) and hash(one) == hash(Quick("a", (1, 2)))
    assert one != Quick("b", (1, 2)) and one != Quicker("a", (1, 2))
    assert Quicker("a", more=1) != Quicker("a", more=2)
    assert repr(one) == "Quick(name='a', numbers=(1, 2))"
    assert dataclasses.replace(one, name="b") == Quick("b", (1, 2))
    assert Changing() == Changing() and Changing().items is not Changing().items
    with pytest.raises(TypeError, match="unhashable"):
        hash(Changing())
    assert Single("a") != Single("a")
    match one:
        case Quick(name, numbers):
            assert (name, numbers) == ("a", (1, 2))
