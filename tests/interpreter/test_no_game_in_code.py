"""The interpreter knows no game: names mean nothing to it, and no game's words stand in its code."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from renaming import Renaming, declared
from shipped import FIXTURES, NAMES, SAMPLE, TABLES, Table, few, rules
from teufelswerk import Event, Game, load
from teufelswerk.examples.run_scenes import run_scenes
from teufelswerk.interpreter.records import records
from teufelswerk.loading.families import HEADINGS
from teufelswerk.model import Model
from teufelswerk.model.scenes import SceneModel

ROOT = Path(__file__).parents[2]

# ---- names mean nothing ---------------------------------------------------------------------------------------------


def played(game: Game, seed: int) -> tuple[list[Any], list[str]]:
    """A random game: its record with all legal moves, and its sentences."""
    log: list[Event] = []
    game.random_game(seed, log, legal=True)
    lines = json.loads(json.dumps(list(records(log))))
    return lines, [str(event.told.whole) for event in log if event.told is not None]


def renamed(renaming: Renaming, folder: Path) -> tuple[Model, list[SceneModel]]:
    path = folder / f"{renaming.rules.name}.rules.md"
    path.write_text(renaming.file(), encoding="utf-8")
    loaded = load(path)
    assert loaded.model, [str(d.message) for d in loaded.diagnostics if d.is_error]
    assert not declared(renaming.rules) & declared(loaded.model)
    return loaded.model, loaded.scenes


@pytest.mark.parametrize("table", [*TABLES, *few(FIXTURES)], ids=str)
def test_a_game_with_other_names_is_the_same_game(table: Table, tmp_path: Path) -> None:
    renaming = Renaming(rules(table.name), seed=table.players)
    model, _ = renamed(renaming, tmp_path)
    expected, sentences = played(table.game, seed=1)
    found, other_sentences = played(Game(model, table.players), seed=1)
    assert renaming.back(found) == expected
    assert renaming.back(other_sentences) == sentences


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_a_game_with_other_names_hold(name: str, tmp_path: Path) -> None:
    model, scenes = renamed(Renaming(rules(name), seed=1), tmp_path)
    assert scenes and all(result.holds for result in run_scenes(model, scenes))


# ---- no game's words in the code ------------------------------------------------------------------------------------

OF_CARD_TABLES = """
    ante auction bid bidder blackjack bluff bomb bower canasta chip contract cribbage crib deadwood dealer declarer
    defender devil dummy durak euchre forehand gin hanabi jack kitty knock leader matador meld nil nobs
    president queen schneider schwarz scopa scum shoe showdown skat slam soloist stake teufel trick trump upcard
    vice vulnerable widow
""".split()
"""What code that knew a game might say, whichever game that is, and whatever the shipped games call it."""
MESSAGES = {"Text", "_"}
"""Functions that take a text for people. Such a text may explain itself with an example from a game."""


@cache
def general_words() -> set[str]:
    """Words that some game uses as names, but that mean something else in code."""
    lines = (ROOT / "tests" / "general_words.txt").read_text(encoding="utf-8").splitlines()
    words = {line.split(":")[0] for line in lines if line and not line.startswith("#")}
    return words | {f"{word}s" for word in words}


@cache
def words_of_games() -> set[str]:
    """The names of the shipped games and what they declare, each also in the plural; but the folders of the shelf have
    headings. On a whole shelf almost any word of everyday is the name of something: of single words, what the games of
    the sample declare and what is said at card tables is looked for, and of all games whatever they put together."""
    said = {(name, word) for name in NAMES for word in declared(rules(name))}
    words = {*OF_CARD_TABLES, *NAMES, *(word for name, word in said if name in SAMPLE or "-" in word)}
    return (words | {f"{word}s" for word in words}) - general_words() - HEADINGS.keys()


def identifiers_and_strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """What code is made of, but for docstrings and texts for people."""
    passed_over: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) or hasattr(node, "body"):
            body = node.body if isinstance(node.body, list) else []
            # also the strings under a field of a class, which document it
            passed_over |= {id(line.value) for line in body if isinstance(line, ast.Expr)}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MESSAGES:
            passed_over |= {id(argument) for argument in node.args}
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Constant(value=str(text)) if id(node) not in passed_over:
                yield line, text
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                yield line, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.alias(name=name):
                yield line, name


def words_in(text: str) -> set[str]:
    """The words of a string or an identifier: itself, and what it is put together from."""
    spaced = re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower()
    compounds = set(re.findall(r"[^\W\d_]+(?:[-_][^\W\d_]+)*", spaced)) - general_words()
    return {word.replace("_", "-") for word in compounds} | {w for word in compounds for w in re.split("[-_]", word)}


PYTHON = sorted([*(ROOT / "interpreter").rglob("*.py"), *(ROOT / "cli").rglob("*.py")])


@pytest.mark.parametrize("path", PYTHON, ids=[str(path.relative_to(ROOT)) for path in PYTHON])
def test_no_code_speaks_of_a_game(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    games = words_of_games()
    found = {
        f"line {line}: {word} in {text[:60]!r}"
        for line, text in identifiers_and_strings(tree)
        for word in words_in(text) & games
    }
    assert not found, "say it without the game, or, if the word is an ordinary one, list it in tests/general_words.txt"


def test_the_grammar_speaks_of_no_game() -> None:
    grammar = (ROOT / "interpreter" / "teufelswerk" / "syntax" / "grammar.lark").read_text(encoding="utf-8")
    assert words_in(re.sub(r"//.*", "", grammar)) & words_of_games() == set()
