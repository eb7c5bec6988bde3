"""The examples of every shipped game exercise every rule, branch and refusal; a missing example is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest
from teufelswerk.coverage import Coverage, coverage_of
from teufelswerk.library import load, shipped
from teufelswerk.scenes import run_scenes


def covered(path: Path) -> Coverage:
    loaded = load(path)
    assert loaded.model
    return coverage_of(loaded.model, run_scenes(loaded.model, loaded.scenes))


@pytest.mark.parametrize("name", sorted(shipped()))
def test_the_examples_exercise_everything(name: str) -> None:
    missing = [f"{unit.span.line}: {unit.words}" for unit in covered(shipped()[name]).missing]
    assert missing == []


def test_a_missing_example_is_noticed(tmp_path: Path) -> None:
    text = shipped()["little-devils"].read_text(encoding="utf-8")
    path = tmp_path / "without.rules.md"
    path.write_text(text[: text.index("## Example 3")], encoding="utf-8")
    words = [unit.words for unit in covered(path).missing]
    assert "devils of card must not be barred if able" in words
    assert "lowest score wins" in words
