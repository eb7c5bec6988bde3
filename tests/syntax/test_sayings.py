"""Everyday words are answered with the words of the rule language: `sayings.txt` has what is said and what is meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from shipped import PATHS
from teufelswerk.base.find_files import known
from teufelswerk.syntax.grammar import reads
from teufelswerk.syntax.help import sayings


def said() -> list[tuple[str, str, str]]:
    lines = (Path(__file__).parents[1] / "sayings.txt").read_text(encoding="utf-8").split("\n")
    found, start = [], ""
    for line in lines:
        if "→" in line:
            line, _, ours = line.partition(" → ")
            found.append((start, line, ours))
        elif line and not line.startswith("#"):
            start = line
    return found


SAID = said()


@pytest.mark.parametrize(("start", "line", "ours"), SAID)
def test_a_saying_is_answered_with_the_line_to_write(start: str, line: str, ours: str) -> None:
    assert sayings.in_our_words(line, start) == ours
    assert reads(ours, start)
    assert sayings.in_our_words(ours, start) is None, "what is right is left alone"


def test_every_row_of_the_table_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = sayings._rows()
    needless = []
    for row in rows:
        pattern = re.compile(row[0].pattern.removeprefix("^").removesuffix("$"))
        others = tuple(other for other in rows if other is not row)
        monkeypatch.setattr(sayings, "_rows", lambda others=others: others)
        candidates = [case for case in SAID if pattern.search(sayings.SMALL_WORDS.sub("", case[1]))]
        if all(sayings.in_our_words(line, start) == ours for start, line, ours in candidates):
            needless.append(row[0].pattern)
    assert not needless


NAMED_LIKE_NUMBERS = {"tarok": re.compile(r"\b(?:one|two|three)\b")}
"""Bids that are called so; the lines read, and so nobody looks for a saying."""


def clauses() -> set[str]:
    found = set()
    for path in {*known().values(), *PATHS.values()}:
        named = NAMED_LIKE_NUMBERS.get(path.name.partition(".")[0])
        lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line[:4] == "    "]
        found |= {line.strip() for line in lines if named is None or not named.search(line)}
    return found


def test_shipped_lines_are_no_sayings() -> None:
    """No line of a rule file that reads is taken for something else."""
    found = {
        clause: ours
        for clause in clauses()
        for start in ("declaration", "statement")
        if reads(clause, start) and (ours := sayings.in_our_words(clause, start))
    }
    assert not found


def test_every_line_that_shows_how_it_looks_reads() -> None:
    lines = sayings._table()["lines"]
    assert all(any(reads(line, start) for start in ("declaration", "statement")) for line in lines.values())
    assert all(sayings.such_a_line(line) == (word.replace("-", " "), line) for word, line in lines.items())
