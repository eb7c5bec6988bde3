"""`docs/security.md`: each promise names a test that there is; and each hostile file is opened by a test."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (?!---|It cannot|Promise)(.+?) \| (.*?) \|$", PAGE, flags=re.M)
MODULES = sorted((ROOT / "tests").rglob("*.py"))
"""The tests, and what they share."""
HOSTILE = sorted(path for path in (ROOT / "tests" / "hostile").iterdir() if path.is_file())


@pytest.mark.parametrize(("promise", "test"), ROWS, ids=[promise for promise, _ in ROWS])
def test_a_promise_is_held_by_a_test(promise: str, test: str) -> None:
    found = re.fullmatch(r"`(tests/[\w/]+/test_\w+\.py)::(test_\w+)`", test)
    assert found, f"no test is named beside: {promise}"
    module = ast.parse((ROOT / found[1]).read_text(encoding="utf-8"))
    assert found[2] in {node.name for node in module.body if isinstance(node, ast.FunctionDef)}


def test_each_sort_of_file_has_its_promises() -> None:
    sections = re.split(r"^## ", PAGE, flags=re.M)[1:]
    assert len(sections) == 9 and all("held by" in section for section in sections[:-1])
    assert sections[-1].startswith("What is not promised")


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.name)
def test_a_hostile_file_is_opened_by_a_test(path: Path) -> None:
    """A test that opens the folder names it, with or without its endings."""
    assert {path.name, path.name.partition(".")[0]} & words_of_tests()


@cache
def words_of_tests() -> set[str]:
    """The words of all strings in tests that open the folder, docstrings aside."""
    texts = [module.read_text(encoding="utf-8") for module in MODULES if module != Path(__file__)]
    nodes = [node for text in texts if '"hostile"' in text for node in ast.walk(ast.parse(text))]
    told = {node.value for node in nodes if isinstance(node, ast.Expr)}
    strings = [node for node in nodes if isinstance(node, ast.Constant) and node not in told]
    return {word for node in strings if isinstance(node.value, str) for word in node.value.split()}
