"""What is kept in the cache folder: used when nothing has changed, made again when something has, never in the way."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args

import pytest
from commands_in_process import Run, in_process  # noqa: F401
from teufelswerk import model
from teufelswerk.base import cache_files
from teufelswerk.base.diagnostics import RuleFileError, Source, Span
from teufelswerk.base.find_files import known
from teufelswerk.base.texts import Text
from teufelswerk.language.i18n import Translator
from teufelswerk.loading import library, model_cache, model_data
from teufelswerk.loading.model_cache import load_model
from teufelswerk.loading.model_data import NoModel, as_data, read_data
from teufelswerk.syntax import grammar, nodes
from teufelswerk.syntax.source import Paragraph

FIXTURES = Path(__file__).parents[1] / "fixtures" / "games"

BASE = """# Counting

    players 2 to 4

## Cards

    cards
        number: 1 to 20

## Play

    place deck, seen by nobody
    place hand of each player, seen by owner
    place pile, seen by all
    keep score of each player: 0
    hand-size = 3
    game:
        cards go to deck
        shuffle deck
        deal hand-size from deck to each hand
        repeat hand-size times
            each player
                player plays
        lowest score wins
    player plays:
        choose card from hand
        card goes to pile
        score becomes score + number of card
"""
VARIANT = """# Counting on

    variant of counting
    hand-size = 5
"""


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game and a variant of it in a folder of their own, and an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "counting.rules.md").write_text(BASE)
    (folder / "counting-on.rules.md").write_text(VARIANT)
    return folder


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that have been read and checked, one after the other."""
    found: list[str] = []
    load = library.load

    def counted(path: str | Path, values: dict[str, int] | None = None) -> library.Loaded:
        found.append(Path(path).name.partition(".")[0])
        return load(path, values)

    monkeypatch.setattr(library, "load", counted)
    return found


def kept(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "teufelswerk").glob("model-*.bin"))


def test_a_second_start_neither_reads_nor_checks(rules: Path, checked: list[str]) -> None:
    first = load_model(rules / "counting-on.rules.md")
    second = load_model(rules / "counting-on.rules.md")
    assert checked == ["counting-on"]
    assert first is not second
    assert (first.title, first.sections, first.moves) == (second.title, second.sections, second.moves)
    assert first.digest == second.digest


READERS = ["lark", "teufelswerk.syntax.nodes", "teufelswerk.checker.check"]


def test_a_second_start_does_not_even_import_what_reads_and_checks(rules: Path) -> None:
    program = (
        "import sys; from teufelswerk.loading.model_cache import load_model; load_model(sys.argv[1]);"
        f"print([name for name in {READERS} if name in sys.modules])"
    )
    command = [sys.executable, "-c", program, str(rules / "counting.rules.md")]
    said = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() for _ in range(2)]
    assert said == [str(READERS), "[]"]


@pytest.mark.parametrize("edited", ["counting-on", "counting"])
def test_an_edit_of_the_file_or_of_its_base_is_seen(rules: Path, checked: list[str], edited: str) -> None:
    path = rules / "counting-on.rules.md"
    load_model(path)
    file = rules / f"{edited}.rules.md"
    file.write_text(file.read_text().replace("# Counting", "# Numbering").replace("2 to 4", "2 to 5"))
    again = load_model(path)
    assert checked == ["counting-on", "counting-on"]
    assert (again.title == "Numbering on") == (edited == "counting-on")
    assert again.max_players == (5 if edited == "counting" else 4)


def test_another_base_of_the_same_name_is_seen(rules: Path, tmp_path: Path) -> None:
    own = tmp_path / "data" / "teufelswerk" / "rules"
    own.mkdir(parents=True)
    (rules / "counting.rules.md").rename(own / "counting.rules.md")
    path = rules / "counting-on.rules.md"
    assert load_model(path).max_players == 4
    (rules / "counting.rules.md").write_text(BASE.replace("2 to 4", "2 to 3"))
    assert load_model(path).max_players == 3


def test_other_values_are_other_models(rules: Path, checked: list[str]) -> None:
    path = rules / "counting.rules.md"
    changed = [load_model(path, values).changed_values for values in ({}, {"hand-size": 4}, None, {"hand-size": 4})]
    assert changed == [{}, {"hand-size": 4}, {}, {"hand-size": 4}]
    assert len(checked) == 2


def test_another_version_of_the_program_makes_it_again(
    rules: Path, checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = rules / "counting.rules.md"
    load_model(path)
    monkeypatch.setattr(model_cache, "_program", lambda: "another")
    load_model(path)
    assert len(checked) == 2


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_a_damaged_file_is_made_again(rules: Path, checked: list[str], tmp_path: Path, damage: bytes | None) -> None:
    path = rules / "counting.rules.md"
    load_model(path)
    (file,) = kept(tmp_path)
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2] if damage is None else damage)
    assert load_model(path).title == "Counting"
    assert file.read_bytes() == data
    assert len(checked) == 2


class Trap:
    """What runs when it is read as a pickle."""

    def __init__(self, sprung: Path) -> None:
        self.sprung = sprung

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (exec, (f"open({str(self.sprung)!r}, 'w')",))


def sealed(file: Path, content: bytes) -> None:
    """Writes what looks like a file of ours."""
    file.write_bytes(cache_files._checksum(file.name, content) + content)


@pytest.mark.parametrize("kind", ["model", "grammar"])
def test_a_file_made_by_somebody_else_runs_nothing(rules: Path, tmp_path: Path, kind: str) -> None:
    """Even one that has the checksum of a file of ours."""
    path = rules / "counting.rules.md"
    grammar.grammar.__wrapped__()
    load_model(path)
    (file,) = (tmp_path / "cache" / "teufelswerk").glob(f"{kind}-*.bin")
    sealed(file, pickle.dumps(Trap(tmp_path / "sprung")))
    assert load_model(path).title == "Counting"
    assert grammar.grammar.__wrapped__().parse("players 2 to 4", start="declaration")
    assert not (tmp_path / "sprung").exists()
    assert json.loads(cache_files.read(file.name) or b"")


def elsewhere(file: Path) -> Path:
    """Moves a file or folder out of the cache."""
    return file.rename(file.parents[2] / f"moved-{file.name}")


def _group_may_write(file: Path) -> None:
    file.chmod(0o660)


def _link(file: Path) -> None:
    file.symlink_to(elsewhere(file))


def _waiting(file: Path) -> None:
    elsewhere(file)
    os.mkfifo(file)


def _folder_in_its_place(file: Path) -> None:
    elsewhere(file)
    file.mkdir()


def _of_somebody_else(file: Path) -> None:
    if os.getuid():
        pytest.skip("only root can give files away")
    os.chown(file, 12345, 12345)


def _too_large(file: Path) -> None:
    with file.open("r+b") as data:
        data.truncate(10**12)


def _group_may_write_to_the_folder(file: Path) -> None:
    file.parent.chmod(0o770)


def _all_may_write_to_the_folder(file: Path) -> None:
    file.parent.chmod(0o777)


def _folder_of_somebody_else(file: Path) -> None:
    _of_somebody_else(file.parent)


def _linked_folder(file: Path) -> None:
    _link(file.parent)


def _all_may_write_above(file: Path) -> None:
    file.parents[1].chmod(0o777)


def _somebody_else_above(file: Path) -> None:
    _of_somebody_else(file.parents[1])


STRANGE_FILES = (_group_may_write, _link, _waiting, _folder_in_its_place, _of_somebody_else, _too_large)
STRANGE_FOLDERS = (
    _group_may_write_to_the_folder, _all_may_write_to_the_folder, _folder_of_somebody_else, _linked_folder,
    _all_may_write_above, _somebody_else_above,
)  # fmt: skip
only_where_access_is_told_so = pytest.mark.skipif(sys.platform == "win32", reason="access is told otherwise there")


@only_where_access_is_told_so
@pytest.mark.parametrize("spoil", [*STRANGE_FILES, *STRANGE_FOLDERS])
def test_what_others_may_have_put_there_is_not_read(
    rules: Path, checked: list[str], tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    path = rules / "counting.rules.md"
    load_model(path)
    (file,) = kept(tmp_path)
    spoil(file)
    cache_files._is_safely_reached.cache_clear()
    assert cache_files.read(file.name) is None
    assert load_model(path).title == "Counting"
    assert len(checked) == 2
    again = cache_files.read(file.name)
    assert (again is not None) == (spoil in STRANGE_FILES and spoil is not _folder_in_its_place)


@only_where_access_is_told_so
def test_a_folder_of_ours_is_for_nobody_else(rules: Path, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        load_model(rules / "counting.rules.md")
    finally:
        os.umask(before)
    made = [tmp_path / "cache", *(tmp_path / "cache").rglob("*")]
    assert len(made) > 2
    assert {file.stat().st_mode & 0o077 for file in made} == {0}


@only_where_access_is_told_so
def test_a_group_of_nobody_else_may_write_above(
    rules: Path, checked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where every user has a group of their own, and folders are made for it."""
    load_model(rules / "counting.rules.md")
    (tmp_path / "cache").chmod(0o770)
    for alone in (True, False):
        monkeypatch.setattr(cache_files, "_is_group_of_one", lambda number, alone=alone: alone)
        cache_files._is_safely_reached.cache_clear()
        load_model(rules / "counting.rules.md")
        assert len(checked) == (1 if alone else 2)


def same(one: object, other: object, seen: set[tuple[int, int]]) -> bool:
    """Whether two models are alike, in every part; they may run in circles."""
    if (id(one), id(other)) in seen:
        return True
    seen.add((id(one), id(other)))
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same(one[key], other[key], seen) for key in one)
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(same(a, b, seen) for a, b in zip(one, other, strict=True))
    if is_dataclass(one) and is_dataclass(other):
        return all(same(getattr(one, f.name), getattr(other, f.name), seen) for f in fields(one))
    return one == other


@pytest.mark.parametrize("path", [*known().values(), *sorted(FIXTURES.glob("*.rules.md"))], ids=lambda p: p.name)
def test_a_model_from_its_data_is_the_same_model(path: Path) -> None:
    made = library.load(path).model
    assert made is not None
    assert same(made, read_data(json.loads(json.dumps(as_data(made))), made.sources), set())


def test_every_class_and_field_of_a_model_can_be_kept() -> None:
    assert {field for number in range(len(model_data.CLASSES)) for field in model_data._readers(number)}
    there = {found for found in vars(model).values() if isinstance(found, type) and is_dataclass(found)} | {Paragraph}
    bases = {model.Typed, model.Statement}
    assert there - bases - {Source, Span} == set(model_data.CLASSES)


def test_the_closed_lists_of_words_are_those_of_the_model() -> None:
    declared = {name: getattr(model, name, None) or getattr(nodes, name) for name in model_data.WORDS}
    assert {name: get_args(found) for name, found in declared.items()} == model_data.WORDS


def leaves(data: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the plain values stand in some data."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        if isinstance(value, (dict, list)):
            yield from leaves(value, (*place, key))
        else:
            yield (*place, key)


def test_a_forged_model_is_refused(rules: Path) -> None:
    """A text where a number belongs would become part of a program; so it is nowhere taken, nor anything like it."""
    made = library.load(rules / "counting.rules.md").model
    assert made is not None
    plain = json.dumps(as_data(made))
    assert same(made, read_data(json.loads(plain), made.sources), set())
    tried, strange = 0, ("().__class__", 1.5, -(10**9), list[Any](), dict[str, Any]())
    for place in leaves(json.loads(plain)):
        for wrong in strange:
            forged = json.loads(plain)
            part = forged
            for key in place[:-1]:
                part = part[key]
            value = part[place[-1]]
            if type(value) is type(wrong) or (type(value) is not int and type(wrong) is int):
                continue  # another text, or another number, is what a rule file could say as well
            if value is None and isinstance(wrong, str):
                continue  # what need not be there may be a text
            part[place[-1]] = wrong
            tried += 1
            with pytest.raises(NoModel):
                read_data(forged, made.sources)
    assert tried > 1000


def test_a_cache_folder_that_cannot_be_made_is_done_without(rules: Path, checked: list[str], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    for _ in range(2):
        assert load_model(rules / "counting.rules.md").title == "Counting"
    assert len(checked) == 2


def test_many_at_once_do_not_disturb_each_other(rules: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from teufelswerk.loading.model_cache import load_model\n"
        "for hand in 3, 4, 3, 4: print(load_model(sys.argv[1], {'hand-size': hand}).changed_values)"
    )
    command = [sys.executable, "-c", program, str(rules / "counting.rules.md")]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = {process.communicate()[0] for process in running}
    assert said == {"{'hand-size': 3}\n{'hand-size': 4}\n" * 2}
    assert [file for file in (tmp_path / "cache" / "teufelswerk").iterdir() if file.name.startswith("tmp")] == []


def test_mistakes_are_told_every_time(rules: Path) -> None:
    path = rules / "counting.rules.md"
    path.write_text(BASE.replace("card goes to pile", "card goes to pyle"))
    for _ in range(2):
        with pytest.raises(RuleFileError, match="pyle"):
            load_model(path)


def test_only_the_newest_models_are_kept(rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_cache, "MOST_KEPT", 2)
    for size in (1, 2, 3, 4):
        load_model(rules / "counting.rules.md", {"hand-size": size})
    assert len(kept(tmp_path)) == 2


def test_a_damaged_catalog_is_compiled_again(rules: Path, tmp_path: Path) -> None:
    words = Translator("de")(Text("the game is over"))
    (file,) = (tmp_path / "cache" / "teufelswerk").glob("de-*.mo")
    file.write_bytes(file.read_bytes()[:100])
    assert Translator("de")(Text("the game is over")) == words != "the game is over"
    assert len(cache_files.read(file.name) or b"") > 100


def test_remarks_on_a_file_are_told_although_its_model_is_kept(rules: Path, run: Run, tmp_path: Path) -> None:
    path = rules / "counting.rules.md"
    first = run("check", path)
    assert "no-words" in first.out + first.err
    assert run("outline", path).code == 0
    assert kept(tmp_path)
    assert run("check", path) == first
