"""Every mistake in `diagnostics/*.txt` gets its diagnostic, at its line; every code of the interpreter is there."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest
from teufelswerk.base.diagnostics import Diagnostic, render
from teufelswerk.examples.findings import example_findings
from teufelswerk.examples.trial_games import try_out
from teufelswerk.language.i18n import Translator
from teufelswerk.loading.library import load
from wrong_files import BASE, CASES, FOLDER, Case

SNAPSHOTS = FOLDER / "snapshots"
REPORTERS = {"Diagnostic", "RuleError", "__init__", "report", "_report", "fail", "_refused", "_warn"}
GUESSES = {"may-be-absent", "may-find-no-move"}
"""Warnings that come from following the flow: where no case expects one, there must be none."""
UNHURRIED = 3_600.0
"""Seconds that no case comes near: each is ended by what is counted, so that a busy machine finds the same."""
NOT_IN_A_FILE = {
    "and-more": "closes a list of very many findings",
    "long-line": "the line would not fit here",
    "no-file": "there is no file to be wrong",
    "no-variant": "about what somebody asks for",
    "not-utf-8": "this file is UTF-8",
    "not-run": "this file has not that many examples",
    "out-of-range": "about what somebody asks for",
    "same-words": "about what has changed since an earlier text",
    "too-large": "the file would not fit here",
    "too-open": "about an example, and told as `undecided`",
    "unreadable": "there is no file to be read",
}


def found_in(text: str, folder: Path) -> list[Diagnostic]:
    """All that checking and trying out a file finds; it stands in a folder beside the base game."""
    (folder / "base.rules.md").write_text(BASE, encoding="utf-8")
    (folder / "game.rules.md").write_text(text, encoding="utf-8")
    loaded = load(Path("game.rules.md"))
    if loaded.model is None:
        return loaded.diagnostics
    in_play = try_out(loaded.model, seconds=UNHURRIED)
    return loaded.diagnostics + (in_play or example_findings(loaded.model, loaded.scenes, seconds=UNHURRIED))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_mistake_gets_its_diagnostic(case: Case, folder: Path) -> None:
    found = found_in(case.text, folder)
    shown = "\n\n".join(render(d, str) for d in found)
    wanted = Counter((e.line, e.code) for e in case.expected)
    got = Counter((d.span.line if d.span else None, d.code) for d in found)
    errors = Counter((d.span.line if d.span else None, d.code) for d in found if d.is_error)
    assert not wanted - got, f"not found: {list(wanted - got)}\n{shown}"
    assert not errors - wanted, f"not expected: {list(errors - wanted)}\n{shown}"
    guesses = Counter({at: n for at, n in got.items() if at[1] in GUESSES})
    assert not guesses - wanted, f"a false alarm: {list(guesses - wanted)}\n{shown}"
    for expected in case.expected:
        said = [render(d, str) for d in found if d.code == expected.code]
        assert any(expected.words in text for text in said), f"`{expected.words}` is not in\n{shown}"


def test_the_base_game_has_no_mistakes(folder: Path) -> None:
    assert not found_in(BASE, folder)


def codes_in_use() -> set[str]:
    codes = set()
    for path in (Path(__file__).parents[2] / "interpreter").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _name(node) in REPORTERS:
                words = [str(a.value) for a in node.args[:2] if isinstance(a, ast.Constant)]
                codes |= {word for word in words if re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", word)}
    return codes


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def test_every_code_has_a_case() -> None:
    covered = {expected.code for case in CASES for expected in case.expected}
    assert codes_in_use() - covered - set(NOT_IN_A_FILE) == set()
    assert covered - codes_in_use() == set()
    assert set(NOT_IN_A_FILE) - codes_in_use() == set()
    assert len(CASES) >= 120


@pytest.mark.parametrize("language", ["de", "en", "ru"])
@pytest.mark.parametrize("group", sorted({case.group for case in CASES}))
def test_diagnostics_read_as_they_should(group: str, language: str, folder: Path, update_golden: bool) -> None:
    """The full text of one diagnostic for each code, as a terminal shows it, in each language."""
    say = Translator(language)
    first: dict[str, Case] = {}
    for case in CASES:
        for expected in case.expected:
            first.setdefault(expected.code, case)
    shown = []
    for code, case in first.items():
        if case.group == group:
            diagnostic = next(d for d in found_in(case.text, folder) if d.code == code)
            shown.append(f"{case.name}\n\n{render(diagnostic, say)}\n")
    text = "\n---\n".join(shown)
    path = SNAPSHOTS / language / f"{group}.txt"
    if update_golden:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


# ---- following what was said ----------------------------------------------------------------------------------------


def followed(text: str, diagnostic: Diagnostic) -> list[str]:
    """The file with the suggestion of a finding followed, in each way in which it can be understood; else nothing."""
    span, help = diagnostic.span, str(diagnostic.help or "")
    if span is None or span.source.name != "game":
        return []
    lines = text.split("\n")
    line = lines[span.line - 1]
    indent, before, after = line[: len(line) - len(line.lstrip())], line[: span.column - 1], line[span.end - 1 :]

    def instead(*new: str) -> str:
        return "\n".join([*lines[: span.line - 1], *new, *lines[span.line :]])

    if found := re.search(r"write `([^`…]+)`, and below it, indented, `([^`…]+)`$", help):
        return [instead(indent + found[1], f"{indent}    {found[2]}")]
    if found := re.search(r"write `([^`…]+)` above the move, and here `([^`…]+)`$", help):
        move = max(n for n in range(span.line) if re.match(r"    \S", lines[n]))
        return ["\n".join([*lines[:move], f"    {found[1]}", *instead(indent + found[2]).split("\n")[move:]])]
    if found := re.search(r"write `([^`…]+)`$", help):
        return [instead(before + found[1] + after), instead(indent + found[1])]
    if found := re.search(r"write (\d+) spaces instead$", help):
        return [instead(before + " " * int(found[1]) + after)]
    if found := re.search(r"^put it above the step or move, indented by (\d+) spaces only$", help):
        move = max(n for n in range(span.line - 1) if re.match(r"    \S", lines[n]))
        rest = [*lines[move : span.line - 1], *lines[span.line :]]
        return ["\n".join([*lines[:move], " " * int(found[1]) + line.lstrip(), *rest])]
    if found := re.search(r"^indent (?:it )?by (\d+)(?: or by (\d+))? spaces", help):
        return [instead(" " * int(n) + line.lstrip()) for n in found.groups() if n]
    if re.search(r"^(leave it out|delete it)$", help):
        return [instead(before + after.lstrip() if before.endswith(" ") else before + after)]
    if help.startswith("the line is whole without it"):
        return [instead(before.rstrip())]
    return []


TWO_MISTAKES = {
    "a bare name with two readings",
    "a declaration of two words",
    "a name for those who lose where nobody does",
    "several mistakes in one file are all told",
}
"""Cases with a line that has another mistake as well, which shows only then."""


@pytest.mark.parametrize("case", [case for case in CASES if case.name not in TWO_MISTAKES], ids=str)
def test_whoever_follows_a_suggestion_is_right(case: Case, folder: Path) -> None:
    """The finding is gone, and there is no new error on its line."""
    found = found_in(case.text, folder)
    for diagnostic in found:
        texts = followed(case.text, diagnostic)
        remaining = [[d for d in found_in(text, folder) if still_wrong(d, diagnostic, found)] for text in texts]
        shown = "\n\n".join(render(d, str) for d in (diagnostic, *(d for ds in remaining for d in ds)))
        assert not texts or [] in remaining, shown


def still_wrong(d: Diagnostic, followed: Diagnostic, before: list[Diagnostic]) -> bool:
    """Whether a finding is the one that was to be gone, or a new error on its line."""
    assert followed.span
    lines = 2 if followed.code == "two-lines" else 1
    here = d.span is not None and 0 <= d.span.line - followed.span.line < lines
    known = Counter((b.code, str(b.message)) for b in before if b is not followed)
    return here and (d.code, str(d.message)) not in known and (d.is_error or d.code == followed.code)
