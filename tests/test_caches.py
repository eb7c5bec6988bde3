"""What is kept in the cache folder: used when nothing has changed, made again when something has, never in the way."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from commands_in_process import Run, in_process  # noqa: F401
from teufelswerk import cache_files, library, model_cache
from teufelswerk.diagnostics import RuleFileError
from teufelswerk.i18n import Translator
from teufelswerk.model_cache import digest, load_model
from teufelswerk.texts import Text

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
    assert digest(first) == digest(second)


def test_a_second_start_does_not_even_import_what_reads_and_checks(rules: Path) -> None:
    program = (
        "import sys; from teufelswerk.model_cache import load_model; load_model(sys.argv[1]);"
        "print([name for name in ('lark', 'teufelswerk.nodes', 'teufelswerk.check') if name in sys.modules])"
    )
    command = [sys.executable, "-c", program, str(rules / "counting.rules.md")]
    said = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() for _ in range(2)]
    assert said == ["['lark', 'teufelswerk.nodes', 'teufelswerk.check']", "[]"]


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


def test_a_file_made_by_somebody_else_runs_nothing(rules: Path, tmp_path: Path) -> None:
    """Even one that is sealed like a file of ours."""

    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (exec, (f"open({str(tmp_path / 'sprung')!r}, 'w')",))

    path = rules / "counting.rules.md"
    load_model(path)
    (file,) = kept(tmp_path)
    content = pickle.dumps(Trap())
    file.write_bytes(model_cache._seal(model_cache._key(path, None), content) + content)
    assert load_model(path).title == "Counting"
    assert not (tmp_path / "sprung").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="access is told otherwise there")
def test_a_folder_that_others_may_write_to_is_not_used(rules: Path, checked: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "teufelswerk"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    for _ in range(2):
        load_model(rules / "counting.rules.md")
    assert len(checked) == 2
    assert not kept(tmp_path)


def test_a_cache_folder_that_cannot_be_made_is_done_without(rules: Path, checked: list[str], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    for _ in range(2):
        assert load_model(rules / "counting.rules.md").title == "Counting"
    assert len(checked) == 2


def test_many_at_once_do_not_disturb_each_other(rules: Path, tmp_path: Path) -> None:
    program = (
        "import sys; from teufelswerk.model_cache import load_model\n"
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
