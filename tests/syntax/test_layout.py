"""One layout for rule files: `fmt` changes how a file looks and nothing else, and shipped files are in it."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from commands_in_process import Run, in_process
from teufelswerk import Event, Game
from teufelswerk.base import find_files
from teufelswerk.base.diagnostics import Source
from teufelswerk.interpreter.records import records
from teufelswerk.loading.library import assemble, load
from teufelswerk.syntax.nodes import Word
from teufelswerk.syntax.one_layout import WIDTH, formatted, spaced
from teufelswerk.syntax.source import read

run = in_process
ROOT = Path(__file__).parents[2]
FILES = sorted(ROOT.glob("rules/**/*.rules.md"))
each_file = pytest.mark.parametrize("path", FILES, ids=[path.name.removesuffix(".rules.md") for path in FILES])


def layout(text: str) -> str:
    result, problems = formatted(Source("x.rules.md", text))
    assert not problems
    return result


def ruffled(text: str, seed: int) -> str:
    """The same rules as somebody in a hurry would type them."""
    rng = random.Random(seed)
    out: list[str] = []
    for line in text.split("\n"):
        if line.startswith("    ") and '"' not in line:
            indent = len(line) - len(line.lstrip())
            body = re.sub(r", ", lambda _: rng.choice([",", ", ", " ,  "]), line.strip())
            body = re.sub(r" (=|\+|\*) ", lambda m: rng.choice([m[1], f" {m[1]} ", f"  {m[1]} "]), body)
            line = "\t" * (indent // 4) + body if rng.random() < 0.3 else " " * indent + body
        elif line and not line.startswith(("#", " ")):
            words = line.split(" ")
            cut = rng.randrange(len(words))
            if cut and "{" not in line and not words[cut].startswith("#"):
                line = " ".join(words[:cut]) + "\n" + " ".join(words[cut:])
        out.append(line + " " * rng.randrange(2))
        if not line and rng.random() < 0.3:
            out.append("")
    return "\n".join(out)


# ---- shipped files --------------------------------------------------------------------------------------------------


@pytest.mark.each_game
@each_file
def test_shipped_files_are_in_order(path: Path) -> None:
    source, _ = read(path)
    assert layout(source.text) == path.read_text(encoding="utf-8")


@each_file
@pytest.mark.parametrize("seed", range(3))
def test_formatting_finds_back_to_the_one_layout(path: Path, seed: int) -> None:
    text = path.read_text(encoding="utf-8")
    assert layout(ruffled(text, seed)) == text


@pytest.mark.parametrize("path", FILES[:3], ids=[path.name for path in FILES[:3]])
def test_formatting_does_not_change_the_game(path: Path, tmp_path: Path) -> None:
    """The same nodes, and the same games to the last record and sentence."""
    ugly = tmp_path / path.name
    ugly.write_text(ruffled(path.read_text(encoding="utf-8"), 7).replace("\t", "    "), encoding="utf-8")
    tidy = tmp_path / "tidy" / path.name
    tidy.parent.mkdir()
    tidy.write_text(layout(ugly.read_text(encoding="utf-8")), encoding="utf-8")
    assert shape(assemble(ugly).sections) == shape(assemble(tidy).sections)
    stories = []
    for file in (ugly, tidy):
        model = load(file).model
        assert model
        log: list[Event] = []
        Game(model, model.min_players).random_game(5, log, legal=True)
        stories.append((json.dumps(list(records(log))), [str(event.told and event.told.whole) for event in log]))
    assert stories[0] == stories[1]


def shape(node: object) -> object:
    """A node without the places that its parts have in the file."""
    if isinstance(node, Word):
        return node.text
    if isinstance(node, (list, tuple)):
        return [shape(item) for item in node]
    if hasattr(node, "__dict__") and type(node).__module__.startswith("teufelswerk"):
        return [type(node).__name__, {k: shape(v) for k, v in vars(node).items() if k not in ("span", "pieces")}]
    return node


# ---- details --------------------------------------------------------------------------------------------------------

CLAUSES = {
    "price=rate*( value of end -1 )": "price = rate * (value of end - 1)",
    "0:1,2 ,14": "0: 1, 2, 14",
    "Anna   answers 31(Russian edition:21)": "Anna answers 31 (Russian edition: 21)",
    "place hand of each player ,seen by owner": "place hand of each player, seen by owner",
    "given row of red:red-7,red-9": "given row of red: red-7, red-9",
    "given score of Ida: - 60": "given score of Ida: -60",
    "-3: -2 to - 1, 4": "-3: -2 to -1, 4",
    "Anna bids - 3, -4": "Anna bids -3, -4",
    "refused Anna bids -3": "refused Anna bids -3",
    "now score of Anna is -192 and 3 -2 is 1": "now score of Anna is -192 and 3 - 2 is 1",
    "now (-2) is - score of Anna": "now (-2) is - score of Anna",
    '"Two  spaces,and {x:a|b} stay."': '"Two  spaces,and {x:a|b} stay."',
    "what § is this": "what § is this",
}


@pytest.mark.parametrize("clause", CLAUSES)
def test_spaces_in_clauses(clause: str) -> None:
    assert spaced(clause) == CLAUSES[clause]
    assert spaced(CLAUSES[clause]) == CLAUSES[clause]


def test_paragraphs_are_wrapped_and_what_belongs_together_is_not_torn() -> None:
    words = "word " * 22 + "{n:one thing|many things} - and # more" + " word" * 30
    lines = layout(f"# T\n\n{words}\n").split("\n")[2:-1]
    assert max(map(len, lines)) <= WIDTH + 5
    assert " ".join(lines) == words
    assert not any(line.startswith(("#", "- ", "things")) for line in lines)
    assert layout("\n".join(["# T", "", *lines]) + "\n") == "\n".join(["# T", "", *lines]) + "\n"


def test_blank_lines() -> None:
    text = "# T\nWords.\n    players 2\n\n\n\n    x = 1\n## S\n\n\n    y = 2\n    z = 3"
    assert layout(text) == "# T\n\nWords.\n\n    players 2\n\n    x = 1\n\n## S\n\n    y = 2\n    z = 3\n"


@pytest.mark.parametrize("seed", range(30))
def test_whatever_can_be_formatted_stays_formatted(seed: int) -> None:
    rng = random.Random(seed)
    lines = [line for path in FILES for line in path.read_text(encoding="utf-8").split("\n")]
    text = "# T\n\n" + ruffled("\n".join(rng.sample(lines, 40)), seed)
    once, problems = formatted(Source("x.rules.md", text))
    if not problems:
        assert layout(once) == once


# ---- the command ----------------------------------------------------------------------------------------------------


def test_the_command_formats_and_checks(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.rules.md"
    path.write_bytes(b"\xef\xbb\xbf# T\r\nWords.\r\n\tplayers 2 to  3\r\n")
    assert run("fmt", "--check", path.name) == (1, "x.rules.md: would be formatted\n", "")
    assert run("fmt", path.name) == (0, "x.rules.md: formatted\n", "")
    assert path.read_bytes() == b"# T\n\nWords.\n\n    players 2 to 3\n"
    assert run("fmt", "--check", path.name) == (0, "x.rules.md: in order\n", "")
    path.write_text("# T\n\n  odd\n", encoding="utf-8")
    said = run("fmt", path.name)
    assert said.code == 2
    assert "error[indent]" in said.err
    assert path.read_text(encoding="utf-8") == "# T\n\n  odd\n"
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["x.rules.md"]


def test_fmt_leaves_what_comes_along_alone(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only somebody who names the file itself can mean to change it."""
    monkeypatch.setattr(find_files, "data_folder", lambda name: tmp_path / name)
    path = tmp_path / "rules" / "untidy.rules.md"
    path.parent.mkdir()
    path.write_text("# Untidy\n\n    size=3\n", encoding="utf-8")
    said = run("fmt", "untidy")
    assert said == (2, "untidy: comes along with the program, so it stays as it is; format a copy of it\n", "")
    assert "size=3" in path.read_text(encoding="utf-8")
    assert run("fmt", "--check", "untidy").code == 1
    assert run("fmt", path).code == 0
    assert "size = 3" in path.read_text(encoding="utf-8")
