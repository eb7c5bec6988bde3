"""Runs the language reference: every block of `rules/README.md` is checked, played, or compared with what is printed.

The word behind a block's language is the file that it belongs to; the blocks of a file, in their order, make it up.
`markdown` blocks are rules, `text` blocks are what `check` or `examples` prints about them, `sh` blocks are commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from lark import Lark, Token, Tree
from teufelswerk.base import limits
from teufelswerk.examples.run_scenes import run_scenes
from teufelswerk.interpreter.game import Game
from teufelswerk.language.i18n import DEFAULT, Translator
from teufelswerk.loading import library
from teufelswerk.loading.library import load
from teufelswerk.syntax import grammar
from teufelswerk.syntax.keywords import KEYWORDS, RESERVED
from teufelswerk_cli.commands import cli
from teufelswerk_cli.console.speech import _Speaker

REFERENCE = Path(__file__).resolve().parents[2] / "rules" / "README.md"
GAMES = 5


class Block(NamedTuple):
    language: str
    file: str
    text: str


def blocks() -> Iterator[Block]:
    """The fenced blocks, in order."""
    for info, text in re.findall(r"^```(\S.*)\n((?:.*\n)*?)```$", REFERENCE.read_text("utf-8"), re.MULTILINE):
        language, _, file = info.partition(" ")
        yield Block(language, file, text)


BLOCKS = list(blocks())
FILES = {
    name: "\n".join(block.text for block in BLOCKS if (block.language, block.file) == ("markdown", name))
    for name in dict.fromkeys(block.file for block in BLOCKS if block.language == "markdown")
}
WRONG = {block.file for block in BLOCKS if block.language == "text"}
SOUND = [name for name in FILES if name not in WRONG]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A reader's folder with all the files in it, and the program speaking English."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_Speaker, "translator", Translator(DEFAULT))
    return tmp_path


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+(?:-[a-z0-9]+)*", text))


def clause_words(text: str) -> set[str]:
    """The words of the clauses, sentences left out."""
    lines = text.splitlines()
    return words("\n".join(line for line in lines if line.startswith("    ") and not line.lstrip().startswith('"')))


def problems(text: str) -> int:
    return text.count("error[") + text.count("✗")


# ---- the blocks -----------------------------------------------------------------------------------------------------


def test_every_block_says_what_it_is() -> None:
    prose = re.sub(r"^```(\S.*)\n((?:.*\n)*?)```$", "", REFERENCE.read_text("utf-8"), flags=re.MULTILINE)
    assert "```" not in prose
    assert not re.search(r"^ {4}", prose, re.MULTILINE), "an indented block would not be run"
    assert {block.language for block in BLOCKS} == {"markdown", "text", "sh"}
    assert set(FILES) >= WRONG


@pytest.mark.parametrize("name", SOUND)
def test_the_games_can_be_played(folder: Path, name: str) -> None:
    loaded = load(name)
    assert loaded.model, [str(finding.message) for finding in loaded.diagnostics]
    for players in range(loaded.model.min_players, loaded.model.max_players + 1):
        game = Game(loaded.model, players)
        for seed in range(GAMES):
            assert game.random_game(seed).winners is not None


@pytest.mark.parametrize("name", SOUND)
def test_the_examples_hold(folder: Path, name: str) -> None:
    loaded = load(name)
    assert loaded.model
    failed = [
        (verdict.span.line, str(verdict.found))
        for result in run_scenes(loaded.model, loaded.scenes)
        for verdict in result.verdicts
        if not verdict.holds
    ]
    assert not failed


@pytest.mark.parametrize("name", sorted(WRONG))
def test_mistakes_are_told_as_printed(folder: Path, name: str) -> None:
    """Every printed finding is found, and every error that is found is printed."""
    found = CliRunner().invoke(cli, ["check", name]).output
    if "error[" not in found:
        found = CliRunner().invoke(cli, ["examples", name]).output
    printed = [block.text for block in BLOCKS if (block.language, block.file) == ("text", name)]
    for text in printed:
        assert text in found
    assert sum(map(problems, printed)) == problems(found)


@pytest.mark.parametrize("command", [line for b in BLOCKS if b.language == "sh" for line in b.text.splitlines()])
def test_the_commands_work(folder: Path, command: str) -> None:
    program, *arguments = command.split()
    assert program == "teufelswerk"
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output


# ---- the reference is complete --------------------------------------------------------------------------------------


class Recorder:
    """Reads lines as the grammar does, and notes which of its alternatives and optional parts they used."""

    def __init__(self) -> None:
        self.grammar = grammar.grammar()
        path = Path(grammar.__file__).with_name("grammar.lark")
        number = count(1)
        text = re.sub(r"-> *(\w+)", lambda match: f"-> {match[1]}__{next(number)}", path.read_text("utf-8"))
        self.numbered = Lark(text, start=grammar.STARTS, parser="lalr")
        self.alternatives = set(re.findall(r"-> (\w+)", text))
        self.used: set[str] = set()
        self.given: set[tuple[str, int]] = set()
        self.left_out: set[tuple[str, int]] = set()

    def parse(self, text: str, start: str) -> Tree[Token]:
        for tree in self.numbered.parse(text, start=start).iter_subtrees():
            self.used.add(str(tree.data))
            children: list[Any] = tree.children
            for position, child in enumerate(children):
                (self.left_out if child is None else self.given).add((str(tree.data), position))
        return self.grammar.parse(text, start=start)


def test_the_whole_grammar_is_exercised(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    monkeypatch.setattr(grammar, "grammar", lambda: recorder)
    for remembered in (grammar.tree_of, library.parsed_base):
        remembered.cache_clear()
    for name in SOUND:
        load(name)
    assert not sorted(recorder.alternatives - recorder.used), "alternatives that no block uses"
    assert not sorted(recorder.left_out - recorder.given), "optional parts that are always left out"


def test_every_keyword_is_used_and_listed() -> None:
    used: set[str] = set().union(*(clause_words(FILES[name]) for name in SOUND))
    assert not KEYWORDS - used
    table = REFERENCE.read_text("utf-8").partition("\n## All keywords\n")[2]
    listed = words(" ".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE)))
    assert not KEYWORDS - listed


def test_the_keywords_are_those_of_the_grammar() -> None:
    """No name can be spelled like a keyword that the parser takes in a state in which it takes a name as well."""
    text = Path(grammar.__file__).with_name("grammar.lark").read_text("utf-8")
    parser = Lark(text, start=grammar.STARTS, parser="lalr")
    words = {terminal.name: terminal.pattern.value for terminal in parser.terminals if terminal.pattern.value.isalpha()}
    states = parser.parser.parser._parse_table.states.values()
    beside_names = {words[token] for state in states if "NAME" in state for token in state if token in words}
    assert set(words.values()) == KEYWORDS
    assert beside_names == RESERVED


def test_the_limits_are_those_in_force() -> None:
    section = REFERENCE.read_text("utf-8").partition("\n## Limits\n")[2].partition("\n## ")[0]
    stated = {int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", section)}
    assert stated
    assert stated <= {value for name, value in vars(limits).items() if name.startswith(("MAX_", "SECONDS_"))}


def test_the_contents_lead_somewhere() -> None:
    text = REFERENCE.read_text("utf-8")
    prose = re.sub(r"^```(\S.*)\n((?:.*\n)*?)```$", "", text, flags=re.MULTILINE)
    headings = re.findall(r"^## (.*)$", prose, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#(.*?)\)", prose)) <= anchors
