"""The README and the pages behind it: short, with links that lead somewhere, and with nothing that is not so."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands_in_process import Run
from commands_in_process import in_process as in_process
from shipped import PATHS
from teufelswerk_cli.commands import cli

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
MOST_LINES = 120
LAUNCHER = {"test", "lint", "messages", "extra"}
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def table(heading: str) -> list[list[str]]:
    """The rows of the table below a heading, without its head."""
    section = README.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def block(after: str) -> str:
    """What stands between the next two fences."""
    return README.split(after)[1].split("```\n")[1]


def test_the_readme_can_be_read_in_one_sitting() -> None:
    assert len(README.splitlines()) <= MOST_LINES


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


def test_every_command_has_a_line() -> None:
    told = [re.findall(r"`(\w+)", row[0])[0] for row in table("What you can do with a rule file")]
    assert sorted(told) == sorted(cli.commands)


def test_every_extra_has_a_line_with_what_to_type_in_a_checkout_and_elsewhere() -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    rows = {row[1]: row[2] for row in table("What some commands need besides")}
    extras = [name for name in stated if name != "dev"]
    assert rows == {f"`python3 cli extra {name}`": f'`pip install "teufelswerk[{name}]"`' for name in extras}


def typed(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Commands with their options: those that the page says to type, and those in the README's table."""
    text = page.read_text(encoding="utf-8")
    for command, rest in re.findall(r"(?:python3 cli|teufelswerk) (\w+)((?: [^`\n#]*)?)", text):
        yield command, re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest)
    if page.name == "README.md":
        for command, words in table("What you can do with a rule file"):
            yield re.findall(r"\w+", command)[0], re.findall(r"`(--?[a-z][a-z-]*)", words)


@each_page
def test_commands_that_pages_tell_to_type_are_there(page: Path) -> None:
    options = {
        name: {option for param in command.params for option in (*param.opts, "--help")}
        for name, command in cli.commands.items()
    }
    for command, given in typed(page):
        assert command in options or command in LAUNCHER, command
        assert command in LAUNCHER or set(given) <= options[command], (command, given)


def test_the_rule_that_is_shown_is_one_of_the_game() -> None:
    assert block("## A rule and its words") in PATHS["little-devils"].read_text(encoding="utf-8")


def test_the_mistake_that_is_shown_looks_like_that(run: Run, tmp_path: Path) -> None:
    text = PATHS["little-devils"].read_text(encoding="utf-8")
    (tmp_path / "my-game.rules.md").write_text(text.replace("card goes to trick\n", "card goes to trikc\n", 1))
    assert run("check", "my-game.rules.md").err.rstrip() == block("## Mistakes").rstrip()


def test_the_program_that_is_shown_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for page in ("python.md", "bots.md"):
        for block in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(encoding="utf-8"), flags=re.S):
            exec(block, {})
    assert re.fullmatch(r"\(\d(, \d)*,?\)\n", capsys.readouterr().out)
