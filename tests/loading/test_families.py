"""The shelf: each family of games has a folder with a heading, and no game gets lost in one."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands_in_process import Run, in_process
from shipped import MENU
from small_variants import BASE, SMALL, folder_with
from teufelswerk.base import find_files
from teufelswerk.base.find_files import SUFFIX, data_folder, family, find, known, shipped
from teufelswerk.base.texts import Text
from teufelswerk.loading.families import by_family, heading

run = in_process


def test_every_rule_file_of_the_shelf_is_found_by_its_name() -> None:
    files = {path.name.removesuffix(SUFFIX): path for path in data_folder("rules").rglob(f"*{SUFFIX}")}
    assert {name: path for name, path in known().items() if path.is_relative_to(data_folder("rules"))} == files
    assert len(files) == len(list(data_folder("rules").rglob(f"*{SUFFIX}"))), "two files have one name"
    assert sorted(MENU) == sorted(shipped())


def test_every_game_that_comes_along_stands_in_a_family_with_a_heading() -> None:
    assert all(isinstance(heading(family(path) or ""), Text) for path in shipped().values())


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another shelf, with a family that nobody has named."""
    monkeypatch.setattr(find_files, "data_folder", lambda name: tmp_path / name)
    for folder, name in (("tricks", "second"), ("a-new-one", "third"), ("alone", "base"), (".", "stray")):
        folder_with(tmp_path / "rules" / folder, **{name: BASE})
    folder_with(tmp_path / "rules" / "variants", small=SMALL)
    folder_with(tmp_path / "rules" / ".hidden", hidden=BASE)
    return tmp_path / "rules"


def test_families_come_in_order_and_one_without_a_heading_shows_as_it_is(run: Run, shelf: Path) -> None:
    assert [(folder, list(games)) for folder, games in by_family(shipped())] == [
        ("tricks", ["second"]), ("alone", ["base"]), ("a-new-one", ["third"]), (None, ["stray"])
    ]  # fmt: skip
    assert heading("a-new-one") == "a-new-one"
    assert find("small", None) == shelf / "variants" / f"small{SUFFIX}"
    assert run("check", "small").code == run("check", "base", "--variant", "small").code == 0
    assert "\na-new-one\n" in run("games").out


def test_a_game_of_ones_own_is_never_taken_for_one_of_the_same_name_that_comes_along(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    own = tmp_path / "data" / "teufelswerk" / "rules"
    folder_with(own / "alone", base=BASE, mine=BASE)
    folder_with(own, mine=BASE)
    assert find("base") == shelf / "alone" / f"base{SUFFIX}"
    assert find("mine") == own / f"mine{SUFFIX}" and family(find("mine")) is None
