"""Whatever tells nodes, models or forms apart says of each what it does: a new one cannot be passed over in silence."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

HOUSE = Path(__file__).parents[2] / "interpreter" / "teufelswerk"
TOLD_APART = frozenset({"nodes", "model", "f", "s"})
"""The names under which modules know nodes, the model, and the forms and statements of the core."""
A_FEW = 4
"""A `match` of so many cases looks for something special."""
SHORTCUTS = {
    "analysis/absence_checks.py: origin": "may come from any place",
    "analysis/known.py: assume": "nothing more is known",
    "analysis/known.py: truth": "nothing more is known",
    "analysis/sameness.py: of": "is told apart by its parts, and by what it says itself",
    "analysis/cost_bound.py: number": "holds all there are of its type, at worst",
    "checker/statements.py: statement": "goes on in the second `match`",
    "compare/differences.py: _figure": "is shown as dots",
    "compiled/conditions.py: condition": "is a value that is true or not",
    "compiled/masks.py: fits": "is tried card by card",
    "core/lower_expressions.py: items": "is named, which the next line holds",
    "core/set_growth.py: is_positive": "may be below 0",
    "core/set_growth.py: lasting": "tells nothing of a few cards",
    "interpreter/evaluate.py: constant": "is worked out in every position",
    "interpreter/filters.py: quick": "is tried one by one",
}
"""What does not have to know all of them, and what becomes of whatever it does not know."""


def alternatives(pattern: ast.pattern) -> list[ast.pattern]:
    return pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]


def tells_apart(match: ast.Match) -> bool:
    """Whether the cases of a `match` are classes of nodes, models or forms."""
    patterns = (one for case in match.cases for one in alternatives(case.pattern))
    classes = (ast.unparse(pattern.cls) for pattern in patterns if isinstance(pattern, ast.MatchClass))
    return any(name.rpartition(".")[0] in TOLD_APART for name in classes)


def is_closed(match: ast.Match) -> bool:
    return "assert_never" in ast.unparse(match.cases[-1])


def open_ended() -> Iterator[str]:
    for path in sorted(HOUSE.rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                matches = [node for node in ast.walk(function) if isinstance(node, ast.Match) and tells_apart(node)]
                if any(len(match.cases) > A_FEW and not is_closed(match) for match in matches):
                    yield f"{path.relative_to(HOUSE).as_posix()}: {function.name}"


def test_every_match_says_what_becomes_of_each_form() -> None:
    assert set(open_ended()) == set(SHORTCUTS), "end it with `assert_never`, or say why it need not know all of them"
