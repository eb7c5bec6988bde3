"""`docs/security.md`: each promise names a test that there is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (?!---|It cannot|Promise)(.+?) \| (.*?) \|$", PAGE, flags=re.M)


@pytest.mark.parametrize(("promise", "test"), ROWS, ids=[promise for promise, _ in ROWS])
def test_a_promise_is_held_by_a_test(promise: str, test: str) -> None:
    found = re.fullmatch(r"`(tests/test_\w+\.py)::(test_\w+)`", test)
    assert found, f"no test is named beside: {promise}"
    module = ast.parse((ROOT / found[1]).read_text(encoding="utf-8"))
    assert found[2] in {node.name for node in module.body if isinstance(node, ast.FunctionDef)}


def test_each_sort_of_file_has_its_promises() -> None:
    sections = re.split(r"^## ", PAGE, flags=re.M)[1:]
    assert len(sections) == 8 and all("held by" in section for section in sections[:-1])
    assert sections[-1].startswith("What is not promised")
