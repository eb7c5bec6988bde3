"""Every repair that is offered mends: its finding is gone and nothing new is wrong, in all cases of `diagnostics/`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from teufelswerk.base.diagnostics import Diagnostic
from teufelswerk.editing.opened import Opened, edited, opened
from teufelswerk.editing.repairs import repairs
from wrong_files import BASE, CASES, Case

SOON = CASES[::6]
"""As many as fit into the fast tests."""
MENDED_CODES = frozenset(
    "article bad-back bad-each bad-every bad-family control-character half-a-condition misspelt no-heading no-players"
    " of-missing other-words quotes seen-by sign similar-heading tab two-lines two-readings two-words unfinished"
    " unknown-figure unknown-name wrong-indent wrong-type".split()
)
"""What some case of which is mended. A code that is missing here could be lost without anybody noticing."""


def look_at(text: str, folder: Path) -> Opened:
    (folder / "base.rules.md").write_text(BASE, encoding="utf-8")
    return opened(folder / "game.rules.md", text)


def keys(found: list[Diagnostic]) -> Counter[tuple[str, str]]:
    return Counter((d.code, str(d.message)) for d in found)


def judge(case: Case, folder: Path) -> set[str]:
    """The codes of what was mended, once all repairs have shown that they mend."""
    file, codes = look_at(case.text, folder), set()
    for finding in file.found:
        key = finding.code, str(finding.message)
        for repair in repairs(file, finding):
            after = file.with_text(edited(file.source.text, list(repair.edits)))
            assert keys(after.found)[key] == keys(file.found)[key] - 1, (case.name, str(repair.title))
            known = keys(file.found) + keys(file.loaded.checked.diagnostics)
            block = below(file, finding)
            new = [
                d for d in after.found
                if d.is_error and (d.code, str(d.message)) not in known and not (d.span and d.span.line in block)
            ]  # fmt: skip
            assert new == [], (case.name, str(repair.title))
            codes.add(finding.code)
    return codes


def below(file: Opened, finding: Diagnostic) -> range:
    """The lines indented below a finding's: once it can be read, they are looked at for the first time."""
    assert finding.span
    lines, start = file.source.lines, finding.span.line
    indent = len(lines[start - 1]) - len(lines[start - 1].lstrip())
    end = start
    while end < len(lines) and lines[end].strip() and len(lines[end]) - len(lines[end].lstrip()) > indent:
        end += 1
    return range(start + 1, end + 1)


@pytest.mark.parametrize("case", SOON, ids=str)
def test_what_is_offered_mends(case: Case, tmp_path: Path) -> None:
    judge(case, tmp_path)


@pytest.mark.slow
def test_whatever_is_offered_mends(tmp_path: Path) -> None:
    mended = {code for case in CASES for code in judge(case, tmp_path)}
    assert MENDED_CODES - mended == set()


def test_an_example_of_a_line_is_no_repair(tmp_path: Path) -> None:
    """Advice that shows what such a line looks like elsewhere is not written into the file."""
    file = look_at(BASE.replace("shuffle deck", "shuffle and deal"), tmp_path)
    (finding,) = [d for d in file.found if "looks like this" in str(d.help)]
    assert repairs(file, finding) == []
