"""Every engine plays the same games: the same choices offered, the same ones taken, the same outcome, seed by seed."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from shipped import FIXTURES, LANGUAGE_GAMES, NAMES, PATHS, TABLES, Table, language_game, rules
from teufelswerk import RuleError, load_game
from teufelswerk.compiled import NotCompiled, compile_source, runtime
from teufelswerk.compiled.closed_source import NotClosed
from teufelswerk.compiled.engines import Engine, Played, has_native, make_engine
from teufelswerk.compiled.planes import rewritten
from teufelswerk.model import Const, Model
from teufelswerk.shelf import variants

GAMES, MANY_GAMES, STEP = 200, 10_000, 500


class Rules(NamedTuple):
    """A game, with a variant or without, and how many play it."""

    game: str
    variant: str | None
    players: int

    def __str__(self) -> str:
        return "-".join(str(part) for part in self if part is not None)

    @property
    def model(self) -> Model:
        return load_game(self.game, variant=self.variant)


def numbers(model: Model) -> range:
    """How many can play."""
    return range(model.min_players, model.max_players + 1)


BASE = [Rules(table.name, None, table.players) for table in TABLES]
VARIED = [
    Rules(bases[-1], variant, players)
    for variant, bases in variants().items()
    for players in numbers(load_game(bases[-1], variant=variant))
]
COMPILED = ("python", "native") if has_native() else ("python",)
needs_numba = pytest.mark.skipif(not has_native(), reason="numba is not installed")


def engine(model: Model, players: int, name: str) -> Engine:
    found = make_engine(model, players, name, trail=True)
    assert found.name == name, found.note
    return found


def assert_equal(
    model: Model, players: int, names: Sequence[str], first: int, games: int, step: int = 0
) -> Iterator[int]:
    """Game by game, so that the first difference is shown by itself; gives after each step how many were played."""
    reference, others = engine(model, players, "reference"), [engine(model, players, name) for name in names]
    for start in range(first, first + games, step or games):
        expected = list(reference.many(start, step or games))
        assert all(game.moves == len(game.trail) > 0 for game in expected)
        for other in others:
            for game, found in zip(expected, other.many(start, step or games), strict=True):
                assert found == game, other.name
        yield start + len(expected) - first


# ---- the same games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", [*BASE, *VARIED], ids=str)
def test_every_engine_plays_like_the_reference(entry: Rules) -> None:
    assert [*assert_equal(entry.model, entry.players, COMPILED, 0, GAMES)] == [GAMES]


@pytest.mark.slow
@needs_numba
@pytest.mark.parametrize("entry", [*BASE, *VARIED], ids=str)
def test_every_engine_plays_thousands_of_games_like_the_reference(
    entry: Rules, capfd: pytest.CaptureFixture[str]
) -> None:
    start, played = time.process_time(), 0
    for played in assert_equal(entry.model, entry.players, ("python", "native"), 1_000_000, MANY_GAMES, STEP):
        with capfd.disabled():
            took = time.process_time() - start
            sys.stderr.write(f"{entry}: {played} of {MANY_GAMES} games equal, {took:.0f} s of CPU time\n")
    assert played == MANY_GAMES


@pytest.mark.parametrize("name", LANGUAGE_GAMES)
def test_the_games_of_the_language_page_play_like_the_reference(name: str, tmp_path: Path) -> None:
    """Together they use the whole language."""
    model = language_game(name, tmp_path)
    for players in numbers(model):
        assert [*assert_equal(model, players, ["python"], 0, 10)] == [10]


@pytest.mark.slow
@needs_numba
@pytest.mark.parametrize("name", LANGUAGE_GAMES)
def test_the_games_of_the_language_page_play_like_the_reference_in_machine_code(name: str, tmp_path: Path) -> None:
    model = language_game(name, tmp_path)
    assert [*assert_equal(model, model.min_players, ["native"], 0, 100)] == [100]


def test_without_a_trail_the_outcome_is_the_same() -> None:
    table = TABLES[0]
    model = rules(table.name)
    for name in ("python", "reference"):
        found = make_engine(model, table.players, name)
        followed = make_engine(model, table.players, name, trail=True)
        plain, with_trail = found.play(5), followed.play(5)
        assert plain == Played(5, with_trail.moves, with_trail.winners, with_trail.keeps)
        assert found.count(5, 3) == sum(game.moves for game in followed.many(5, 3))


# ---- what cannot be compiled ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", FIXTURES, ids=str)
def test_what_is_not_compiled_says_so_and_is_played_by_the_reference(table: Table) -> None:
    model = rules(table.name)
    try:
        compile_source(model, table.players)
    except NotCompiled as reason:
        diagnostic = reason.diagnostic
        assert diagnostic.code == "not-compiled" and not diagnostic.is_error
        assert diagnostic.span and diagnostic.span.source.path == str(PATHS[table.name])
        found = make_engine(model, table.players, "python", trail=True)
        assert found.name == "reference" and found.note == diagnostic
        assert list(found.many(0, 2)) == list(engine(model, table.players, "reference").many(0, 2))
    else:
        assert [*assert_equal(model, table.players, ["python"], 0, 3)] == [3]


def test_some_fixture_is_not_compiled() -> None:
    assert any(make_engine(rules(table.name), table.players, "python").note for table in FIXTURES)


def test_where_a_game_gets_stuck_the_reference_says_why(tmp_path: Path) -> None:
    path = tmp_path / "stuck.rules.md"
    path.write_text(STUCK, encoding="utf-8")
    model = load_game(str(path))
    found = engine(model, 2, "python")
    with pytest.raises(RuleError) as problem:
        found.play(0)
    assert problem.value.diagnostic.code == "no-move"
    assert problem.value.diagnostic.span and problem.value.diagnostic.span.line == STUCK.split("\n").index(TURN) + 1


TURN = "        beginner plays"
STUCK = """# Stuck

Nobody holds a card, but somebody has to play one.

    players 2
    cards
        number: 1 to 3
        "{number}"
    place hand of each player, seen by owner
    place table, seen by all
    keep beginner: player
    game:
        beginner becomes random player
        beginner plays
        lowest points wins
    keep points of each player: 0
    player plays:
        choose card from hand
        card goes to table
"""


# ---- the source -----------------------------------------------------------------------------------------------------


def test_the_source_names_the_lines_of_the_file() -> None:
    model = rules(NAMES[0])
    source = compile_source(model, model.min_players)
    for move in model.moves.values():
        assert f"# {move.span.line}: {model.source.lines[move.span.line - 1].strip()}" in source


def test_a_file_cannot_put_anything_into_the_source(tmp_path: Path) -> None:
    """A carriage return or a form feed in a remark would end its line, and what follows would be run."""
    path = tmp_path / "sly.rules.md"
    original = PATHS[NAMES[0]].read_text(encoding="utf-8")
    for sign in ("\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028"):
        changed = original.replace("# ", f"# x{sign}seed = 1 / 0{sign}", 1)
        path.write_bytes(changed.encode())
        try:
            model = load_game(str(path))
        except Exception:
            continue
        lines = compile_source(model, model.min_players).split("\n")
        assert not any(line.startswith("seed = ") for text in lines for line in text.splitlines())


@pytest.mark.parametrize(
    "sly",
    [
        "return ().__class__",
        "return open('x')",
        "import os",
        "return (lambda: 0)()",
        "return [0 for _ in result]",
        "return f'{seed}'",
        "return 0.5",
        "global play",
        "return moves.real",
        "del result[0]",
        "return 0\n@trail\ndef other():\n    return 0",
        "return )",
        "return \0",
    ],
)
def test_compiled_rules_are_made_of_nothing_else(sly: str) -> None:
    with pytest.raises(NotClosed):
        runtime.load(f"def play(seed, result, trail):\n    {sly}\n", "sly")


def test_compiled_rules_cannot_name_anything_else() -> None:
    assert runtime.WORDS["__builtins__"] == {}
    with pytest.raises(NameError):
        runtime.load("def play(seed, result, trail):\n    return open(0)\n", "sly")(0, [], [])


def test_a_forged_model_does_not_become_a_program() -> None:
    """Wherever it came from: a text in place of a number is refused where the source is made into code."""
    text: Any = "().__class__.__base__.__subclasses__()"

    def forged(part: Any) -> Any:
        return replace(part, value=text) if isinstance(part, Const) else part

    rules = load_game(NAMES[0])
    for step in rules.steps.values():
        step.body = rewritten(step.body, forged)
    for definition in rules.definitions.values():
        definition.value = rewritten(definition.value, forged)
    with pytest.raises((NotClosed, TypeError)):
        make_engine(rules, rules.min_players, "python")


def test_many_draws_at_once_are_the_same_draws() -> None:
    from teufelswerk import chance

    for size in (1, 2, 27, 64):
        state = chance.stream(size, 0)
        single = []
        after = state
        for _ in range(size):
            after, bits = chance.draw(after)
            single.append(bits >> 32)
        assert runtime.lanes(size)(state) == tuple(single)


@pytest.mark.parametrize(
    ("count", "size", "places"), [(36, 9, 4), (38, 9, 4), (10, 2, 3), (7, 0, 3), (4, 1, 4), (70, 5, 2)]
)
def test_a_deal_written_out_is_a_shuffle_and_then_a_deal(count: int, size: int, places: int) -> None:
    from teufelswerk import chance

    cards, state = list(range(count)), chance.stream(count, 0)
    row, masks = [*cards, -1, -1], [1 << 99] * places
    after = chance.shuffle(state, cards)
    assert runtime.shuffled_and_dealt(state, row, count, size, masks) == after
    hands = [set(cards[place * size : place * size + size]) for place in range(places)]
    assert masks == [sum(1 << card for card in {*hand, 99}) for hand in hands]
    assert row[: count - size * places] == cards[size * places :] and row[count:] == [-1, -1]
