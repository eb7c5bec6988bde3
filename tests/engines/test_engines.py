"""Every engine plays the same games: the same choices offered, the same ones taken, the same outcome, seed by seed."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from shipped import FIXTURES, LANGUAGE_GAMES, NAMES, SAMPLE, TABLES, Table, enough, language_game, rules
from teufelswerk import RuleError, load_game
from teufelswerk.base.find_files import variants
from teufelswerk.compiled import instructions
from teufelswerk.compiled.targets import runtime
from teufelswerk.compiled.targets.closed_source import NotClosed
from teufelswerk.compiled.targets.llvm_module import llvm_module
from teufelswerk.compiled.targets.memory import Memory
from teufelswerk.compiled.targets.python_source import python_source
from teufelswerk.compiled.whole_game import written
from teufelswerk.compiled.written import Written
from teufelswerk.core.lower_game import core_of
from teufelswerk.engines.random_games import Engine, Played, PythonEngine, has_native, make_engine
from teufelswerk.interpreter.machine import Layout
from teufelswerk.model import Model

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

    @property
    def quick(self) -> bool:
        """Whether it is compiled whenever tests are run: of most games the smallest and the largest table."""
        return self.game in SAMPLE or self.players in (numbers(self.model)[0], numbers(self.model)[-1])


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
needs_machine_code = pytest.mark.skipif(not has_native(), reason="llvmlite is not installed")


def engine(model: Model, players: int, name: str) -> Engine:
    found = make_engine(model, players, name, trail=True)
    assert found.name == name
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


@pytest.mark.each_game
@pytest.mark.parametrize("entry", [entry for entry in (*BASE, *VARIED) if entry.quick], ids=str)
def test_every_engine_plays_like_the_reference(entry: Rules) -> None:
    games = enough(entry.model, entry.players, GAMES)
    assert [*assert_equal(entry.model, entry.players, COMPILED, 0, games)] == [games]


@pytest.mark.slow
@needs_machine_code
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
@needs_machine_code
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


# ---- every game compiles --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", FIXTURES, ids=str)
def test_every_engine_plays_other_games_by_itself(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    model = rules(table.name)
    monkeypatch.setattr(PythonEngine, "at_fault", None)  # it does not ask the reference
    assert [*assert_equal(model, table.players, COMPILED, 0, 20)] == [20]


@pytest.mark.parametrize("players", [2, 3])
def test_what_is_told_of_all_cards_at_once_holds_of_each(players: int, tmp_path: Path) -> None:
    """Compiled rules add up by digits, lay out known cards in one go, ask one card of a kind, and trust full ends."""
    path = tmp_path / "at-once.rules.md"
    path.write_text(AT_ONCE, encoding="utf-8")
    assert [*assert_equal(load_game(str(path)), players, COMPILED, 0, 100)] == [100]


AT_ONCE = """# At once

Numbers below zero or on some cards alone, cards that are alike, rows with two ends, cards laid onto others.

    players 2 to 3
    cards devil
        colour: red, yellow, green
        value: 1 to 4
        worth by value:
            -3: 1
            6: 4
            1: others
        "{colour} {value}"
    cards angel
        copy: 1 to 3
        "angel {copy}"
    place deck, seen by nobody
    place hand of each player, seen by owner
    place row of each colour, seen by all, with two ends
    place pile of each player, seen by all
    keep score of each player: 0

    setup:
        cards go to deck
        devils where value is above 2 go to deck
        shuffle deck
        deal 4 from deck to each hand
    game:
        repeat 2 times
            setup
            repeat 4 times
                each player
                    turn of player
            each player
                score becomes score + sum worth in devils in pile + sum value in (devils in pile where worth is below 2)
        lowest score wins
    turn of player:
        player matches or lays or crowns else opens else discards
    player matches:
        choose card from devils in hand
        there must be some ends in rows where value is value of card
            "No."
        worth of card must not be worth of first of pile if able
            "No."
        card goes to row of colour
    player lays:
        choose card from devils in hand
        choose end from row of colour of card
        value of card must be above value of end
            "No."
        gap = value of card - value of end
        card goes to end
        score becomes score - gap
    player crowns:
        choose card from angels in hand
        choose row
        choose end from row
        there must be some devils in hand where value is value of end if able
            "No."
        card goes to end
    player opens:
        choose card from devils in hand
        there must be no cards in row of colour
            "No."
        there must be no devils in pile of left where colour is colour of card and worth is above worth of card
            "No."
        card goes to row of colour
    player discards:
        choose card from hand
        card goes to pile
"""


@pytest.mark.parametrize("players", [2, 3])
def test_any_set_has_its_number_and_conditions_are_told_part_by_part(
    players: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sets that are chosen freely are not listed, and of a condition only the rest is asked card by card."""
    path = tmp_path / "parts.rules.md"
    path.write_text(PARTS, encoding="utf-8")
    monkeypatch.setattr(PythonEngine, "at_fault", None)
    assert [*assert_equal(load_game(str(path)), players, COMPILED, 0, 100)] == [100]


PARTS = """# Parts

Sets of any size, cards from rows, a condition that nobody may ask before something is kept.

    players 2 to 3
    cards
        colour: red, yellow, green, blue
        value: 1 to 7
        "{colour} {value}"
    place deck, seen by nobody
    place hand of each player, seen by owner
    place row of each player, seen by all
    place pile, seen by nobody
    keep trump: colour
    keep manner: plain or high or free
    keep score of each player: 0
    keep width: 0

    strong of card = manner is not free and (value is 7 or manner is high and colour is trump)
    led = first of pile
    fits of card = strong if value of led is above 3 else colour of card is colour of led and not strong
    setup:
        cards go to deck
        shuffle deck
        deal 5 from deck to each hand
        deal 2 from deck to each row
        deal 1 from deck to pile
    game:
        repeat 3 times
            setup
            each player
                player drops or drains or discards
                player plays
                player takes else waits
            manner becomes high if some cards in pile where strong else free if manner is high else plain
        lowest score wins
    player drops:
        choose 2 cards from hand
        cards go to pile
    player drains:
        choose up to 3 cards from hand
        cards go to row
    player discards:
        choose width to 2 cards from row
        cards go to pile
        width becomes 1 - width
    player plays:
        choose card from hand
        fits must hold if able
            "No."
        trump becomes colour of card
        manner becomes high
        score becomes score + (count cards in row where strong of it and value of it is above value of card)
        card goes to row
    player takes:
        choose card from row where value is not 4
        (strong or player of card is not left of player) must hold if able
            "No."
        deal 1 from deck to hand
        card goes to pile
    player waits:
        "Wait."
"""


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


def source(model: Model, players: int) -> str:
    return python_source(written(core_of(model), Layout(model, players)))


def test_nothing_of_a_file_stands_in_the_source_but_numbers_and_plain_names() -> None:
    for table in [*TABLES, *FIXTURES]:
        text = source(rules(table.name), table.players)
        assert re.fullmatch(r"[a-zA-Z0-9_ \n()\[\],:.=<>!&|^~*/%+-]*", text)
        assert "#" not in text


@pytest.mark.parametrize(
    "sly",
    [
        "return ().__class__",
        "return open('x')",
        "import os",
        "return (lambda: 0)()",
        "return [0 for _ in range(3)]",
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
        runtime.load(f"def make():\n    {sly}\n", "sly")


def test_compiled_rules_cannot_name_anything_else() -> None:
    assert runtime.WORDS["__builtins__"] == {}
    with pytest.raises(NameError):
        runtime.load("def make():\n    return open(0)\n", "sly")


@pytest.mark.parametrize("write", [python_source, lambda game: llvm_module(game, Memory(game), False)])
def test_a_forged_model_does_not_become_a_program(write: Callable[[Written], str]) -> None:
    """Wherever it came from: a text in place of a number is refused where it would become code."""
    text: Any = "().__class__.__base__.__subclasses__()"
    game = written(core_of(rules(NAMES[0])), Layout(rules(NAMES[0]), TABLES[0].players))
    game.body.insert(0, instructions.Set(instructions.Var("forged"), instructions.Number(text)))
    with pytest.raises((ValueError, TypeError)):
        runtime.load(write(game), "forged")


def test_many_draws_at_once_are_the_same_draws() -> None:
    from teufelswerk.base import chance

    for size in (1, 2, 27, 64):
        state = chance.stream(size, 0)
        single = []
        after = state
        for _ in range(size):
            after, bits = chance.draw(after)
            single.append(bits >> 32)
        assert chance.lanes(size)(state) == tuple(single)


@pytest.mark.parametrize(
    ("count", "size", "places"), [(36, 9, 4), (38, 9, 4), (10, 2, 3), (7, 0, 3), (4, 1, 4), (70, 5, 2)]
)
def test_a_deal_written_out_is_a_shuffle_and_then_a_deal(count: int, size: int, places: int) -> None:
    from teufelswerk.base import chance

    cards, state = list(range(count)), chance.stream(count, 0)
    row, masks = [*cards, -1, -1], [1 << 99] * places
    after = chance.shuffle(state, cards)
    assert runtime.shuffled_and_dealt(state, row, count, size, masks) == after
    hands = [set(cards[place * size : place * size + size]) for place in range(places)]
    assert masks == [sum(1 << card for card in {*hand, 99}) for hand in hands]
    assert row[: count - size * places] == cards[size * places :] and row[count:] == [-1, -1]
