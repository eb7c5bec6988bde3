"""The examples of every shipped game exercise every rule, branch and refusal; a missing example is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest
from teufelswerk.base.find_files import shipped
from teufelswerk.examples.coverage import Coverage, coverage_of
from teufelswerk.examples.run_scenes import run_scenes
from teufelswerk.loading.library import load


def covered(path: Path) -> Coverage:
    loaded = load(path)
    assert loaded.model
    return coverage_of(loaded.model, run_scenes(loaded.model, loaded.scenes))


@pytest.mark.each_game
@pytest.mark.parametrize("name", sorted(shipped()))
def test_the_examples_exercise_everything(name: str) -> None:
    missing = [f"{unit.span.line}: {unit.words}" for unit in covered(shipped()[name]).missing]
    assert missing == []


def test_a_missing_example_is_noticed(tmp_path: Path) -> None:
    text = shipped()["little-devils"].read_text(encoding="utf-8")
    path = tmp_path / "without.rules.md"
    path.write_text(text[: text.index("## Example 3")], encoding="utf-8")
    words = [unit.words for unit in covered(path).missing]
    assert "devils of card must not be barred-count if able" in words
    assert "lowest score wins" in words


@pytest.mark.parametrize(("name", "lines", "rules"), [("little-devils", 222, 85), ("hols-der-teufel", 285, 130)])
def test_a_rule_file_stays_short(name: str, lines: int, rules: int) -> None:
    """A card player reads it in one sitting: lines that are not blank, and among them those that are rules."""
    text = [line for line in shipped()[name].read_text(encoding="utf-8").splitlines() if line.strip()]
    first_example = next(i for i, line in enumerate(text) if line.startswith("## Example"))
    clauses = [line for line in text[:first_example] if line.startswith("    ") and not line.lstrip().startswith('"')]
    assert len(text) <= lines
    assert len(clauses) <= rules
