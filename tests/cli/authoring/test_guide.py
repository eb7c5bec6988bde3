"""Every block of rules/GUIDE.md is run: files are written, commands are called, and they say what the guide says."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from commands_in_process import Run, in_process
from teufelswerk.syntax.grammar import reads

ROOT = Path(__file__).parents[3]
GUIDE = ROOT / "rules" / "GUIDE.md"
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANYTHING = "…"
EXAMPLE_NAMES = {"aside"}

run = in_process


class Block(NamedTuple):
    kind: str
    name: str
    text: str


def blocks() -> list[Block]:
    return [Block(*found) for found in BLOCK.findall(GUIDE.read_text(encoding="utf-8"))]


def commands(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """Each command of a block with the lines that it says."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, *said = part.splitlines()
        yield shlex.split(command), said


def fits(expected: list[str], said: str) -> bool:
    """Whether a text has these lines; `…` stands for any text, alone on its line for any lines."""
    pattern = ""
    for line in expected:
        if line == ANYTHING:
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(piece) for piece in line.split(ANYTHING)) + r"\n"
    return re.fullmatch(pattern, said) is not None


def test_the_guide_has_files_and_commands() -> None:
    found = blocks()
    assert {block.kind for block in found} == {"markdown", "console"}
    assert len(found) == GUIDE.read_text(encoding="utf-8").count("```") / 2


def test_every_block_does_what_the_guide_says(run: Run, tmp_path: Path) -> None:
    for block in blocks():
        if block.kind == "markdown":
            path = tmp_path / block.name.removeprefix("+")
            before = path.read_text(encoding="utf-8") + "\n" if block.name.startswith("+") else ""
            path.write_text(before + block.text, encoding="utf-8")
            assert run("fmt", "--check", path.name).code == 0
            continue
        for (program, *words), expected in commands(block.text):
            assert program == "teufelswerk"
            said = run(*words)
            assert fits(expected, said.err + said.out), f"{words}\n{said.err}{said.out}"


def rows() -> Iterator[str]:
    """Every line of the rule language in the table of what house rules need most."""
    table = GUIDE.read_text(encoding="utf-8").partition("| to say that | write |")[2].partition("\n\n")[0]
    for row in table.splitlines()[2:]:
        yield from re.findall(r"`([^`]+)`", row.split(" | ")[1])


@pytest.mark.parametrize("line", list(rows()))
def test_every_line_of_the_table_reads(line: str) -> None:
    whole = [line, f"if {line}", f"more = {line}"]
    assert line in EXAMPLE_NAMES or any(reads(text, start) for text in whole for start in ("declaration", "statement"))
