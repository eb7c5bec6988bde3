"""The shipped games as the tests see them: each with each number of players. A new game comes in by itself."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from teufelswerk import Game, load_game
from teufelswerk.base.find_files import SUFFIX, data_folder, shipped, variants
from teufelswerk.loading.families import by_family
from teufelswerk.loading.library import Loaded, load
from teufelswerk.model import Const, Model, Move, Statement, Step

GOLDEN = Path(__file__).parent / "golden"
PATHS = shipped() | {
    path.name.removesuffix(SUFFIX): path for path in sorted(Path(__file__).parent.glob(f"fixtures/games/*{SUFFIX}"))
}


class Table(NamedTuple):
    """A game and how many play it."""

    name: str
    players: int

    def __str__(self) -> str:
        return f"{self.name}-{self.players}"

    @property
    def game(self) -> Game:
        return _game(self.name, self.players)


@cache
def loaded(name: str) -> Loaded:
    return load(PATHS[name])


@cache
def rules(name: str) -> Model:
    model = loaded(name).model
    assert model
    return model


@cache
def _game(name: str, players: int) -> Game:
    return Game(rules(name), players)


SAMPLE = ("little-devils", "hols-der-teufel")
"""With these games, and their variants, the program is tested; each other game only where a game itself is."""
NAMES = sorted((name for name in shipped() if loaded(name).model), key=lambda name: (name not in SAMPLE, name))
TABLES = [
    Table(name, players) for name in NAMES for players in range(rules(name).min_players, rules(name).max_players + 1)
]
MENU = [name for folder, members in by_family(shipped()) for name in members]
"""The games in the order in which one is asked for them."""
FIXTURES = [Table(name, rules(name).min_players) for name in PATHS if name not in NAMES and loaded(name).model]
"""Other games, which use what the shipped ones do not: moves at once, players who are out."""

SAMPLE_TABLES = [table for table in TABLES if table.name in SAMPLE]
FEW = 5
"""Of so many games one is enough where the program is tested, and not the game."""


def few(games: Sequence[Any]) -> list[Any]:
    """Games of the fixtures for a test of the program: some whenever tests are run, the others with the slow tests."""
    return [pytest.param(game, marks=pytest.mark.slow) if at % FEW else game for at, game in enumerate(games)]


DECISIONS = 10_000
"""So many are enough for a game where something is asked of every one of them, whether its games are short or long."""


def beyond_sample(what: Any) -> bool:
    """Whether it names a game that comes along, or a variant, or a table of one, that is not in the sample."""
    if isinstance(what, tuple):
        return any(map(beyond_sample, what))
    name = what.name.removesuffix(SUFFIX) if isinstance(what, Path) else what
    if not isinstance(name, str) or len(name) > 40:
        return False
    upon = _bases().get(name, name)
    return upon in shipped() and upon not in SAMPLE


@cache
def _bases() -> dict[str, str]:
    return {name: upon[-1] for name, upon in variants().items()}


def enough(model: Model, players: int, most: int, decisions: int = DECISIONS) -> int:
    """How many games of a table make up the decisions that are enough: at least one, and no more than `most`."""
    trail: list[tuple[int, int]] = []
    Game(model, players).random_game(1, trail=trail)
    return max(1, min(most, decisions // len(trail)))


LANGUAGE_PAGE = (data_folder("rules") / "README.md").read_text(encoding="utf-8")
LANGUAGE_FILES: dict[str, str] = {}
for _name, _block in re.findall(r"^```markdown (\S+)\n(.*?)^```", LANGUAGE_PAGE, re.MULTILINE | re.DOTALL):
    LANGUAGE_FILES[_name] = LANGUAGE_FILES.get(_name, "") + _block + "\n"
LANGUAGE_GAMES = [
    name for name in LANGUAGE_FILES if name in ("high-card.rules.md", "sparks.rules.md", "ladders.rules.md")
]
"""The games of the language page, which together use the whole language."""


def language_game(name: str, folder: Path) -> Model:
    for file, text in LANGUAGE_FILES.items():
        (folder / file).write_text(text, encoding="utf-8")
    return load_game(str(folder / name))


def statements(model: Model) -> Iterator[Statement]:
    """Everything that can happen in a game, however deep in its steps and moves."""
    waiting: list[Any] = [*model.steps.values(), *model.moves.values()]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Statement):
            yield item
        if isinstance(item, tuple):
            waiting.extend(item)
        elif isinstance(item, Statement | Step | Move):
            waiting.extend(getattr(item, field.name) for field in dataclasses.fields(item) if field.name != "told")


def figures(model: Model) -> dict[str, int]:
    """The numbers that `--set` can change."""
    values = {name: definition.value for name, definition in model.definitions.items() if not definition.parameter}
    return {name: value.value for name, value in values.items() if isinstance(value, Const)}
