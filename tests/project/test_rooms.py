"""The house: each room imports only rooms that lie before it, no module is part of a circle, none grows too long.

An import counts wherever it stands: at the top, inside a function, or for the type checker alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOUSES = {
    "interpreter/teufelswerk": (
        "base", "language", "syntax", "model", "core", "analysis", "checker", "loading", "interpreter", "examples",
        "compiled", "engines", "bots", "sessions", "adapters", "rulebook", "compare", "report",
        "editing",
    ),
    "cli/teufelswerk_cli": ("console", "table", "many", "authoring", "editor"),
    "web/teufelswerk_web": ("wire", "tables", "workshop", "server"),
}  # fmt: skip
"""The rooms in the order in which the data goes through them. What lies in no room may import them all."""
MOST_LINES, MOST_LINES_OF_A_FUNCTION, MOST_MODULES = 400, 60, 25


@cache
def modules() -> dict[str, Path]:
    """All modules by the name that they are imported under."""
    found = {}
    for house in map(ROOT.joinpath, HOUSES):
        for path in house.rglob("*.py"):
            parts = path.relative_to(house.parent).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


@cache
def imported(module: str) -> frozenset[str]:
    """The modules of ours that one imports, wherever the import stands."""
    found = set()
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inside if inside <= modules().keys() else {node.module, *inside}
    return frozenset(found & modules().keys() - {module})


def room(module: str) -> str | None:
    """The room that a module lies in."""
    house, *way = module.split(".")
    return way[0] if way and (ROOT / {Path(h).name: h for h in HOUSES}[house] / way[0]).is_dir() else None


@pytest.mark.parametrize("house", HOUSES)
def test_every_room_has_its_place_and_a_contract(house: str) -> None:
    folders = {path.parent.name for path in (ROOT / house).glob("*/__init__.py")}
    assert folders == set(HOUSES[house])
    for name in HOUSES[house]:
        contract = ast.get_docstring(tree(f"{Path(house).name}.{name}"))
        assert contract and "\n" not in contract, name


@pytest.mark.parametrize("house", HOUSES)
def test_a_room_imports_only_rooms_before_it(house: str) -> None:
    order, package = HOUSES[house], Path(house).name
    wrong = [
        f"{module} imports {other}"
        for module in sorted(modules())
        if module.split(".")[0] == package and (here := room(module)) is not None
        for other in sorted(imported(module))
        if other.split(".")[0] == package
        and ((there := room(other)) is None or order.index(there) > order.index(here))
        and other != package
    ]  # fmt: skip
    assert wrong == []


def test_the_interpreter_knows_no_command_line_and_neither_does_the_table_in_the_browser() -> None:
    assert [m for m in modules() if "_cli." not in m and any("_cli" in i for i in imported(m))] == []
    assert [m for m in modules() if m.startswith("teufelswerk.") and any("_web" in i for i in imported(m))] == []


def circles() -> Iterator[list[str]]:
    """A circle for every import that closes one."""
    done: set[str] = set()
    way: list[str] = []

    def follow(module: str) -> Iterator[list[str]]:
        if module in way:
            yield [*way[way.index(module) :], module]
        elif module not in done:
            way.append(module)
            for other in sorted(imported(module)):
                yield from follow(other)
            way.pop()
            done.add(module)

    for module in sorted(modules()):
        yield from follow(module)


def test_no_imports_go_in_a_circle() -> None:
    assert list(circles()) == []


@pytest.mark.parametrize("house", HOUSES)
def test_rooms_modules_and_functions_stay_small(house: str) -> None:
    long = []
    for module, path in modules().items():
        if not path.is_relative_to(ROOT / house):
            continue
        lines = len(path.read_text(encoding="utf-8").splitlines())
        long += [f"{module}: {lines} lines"] * (lines > MOST_LINES)
        for node in ast.walk(tree(module)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                size = (node.end_lineno or node.lineno) - node.lineno + 1
                long += [f"{module}.{node.name}: {size} lines"] * (size > MOST_LINES_OF_A_FUNCTION)
    assert long == []
    crowded = [folder.name for folder in (ROOT / house).rglob("*/") if len(list(folder.glob("*.py"))) > MOST_MODULES]
    assert crowded == []
