"""Compiled rules can be put into any position of any game, and whatever is asked of it there the reference says too."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from generated_games import rule_file
from shipped import FIXTURES, LANGUAGE_GAMES, SAMPLE_TABLES, TABLES, Table, few, language_game, rules
from teufelswerk import Game, RuleError, Unreadable
from teufelswerk.base.limits import MAX_MOVES_IN_GAME
from teufelswerk.core.rounds import round_slot
from teufelswerk.engines.random_games import has_native
from teufelswerk.engines.steps import Playout, Steps
from teufelswerk.interpreter.state import State
from teufelswerk.loading.library import load
from teufelswerk.model import Model

COMPILED = ("python", "native") if has_native() else ("python",)
HOSTILE = sorted((Path(__file__).parents[1] / "hostile").glob("*.rules.md"))
LONGEST = 150
"""So many positions of a game are looked at."""


def told(ask: Callable[..., Any], *about: Any) -> Any:
    """What comes of a question: the answer, or what is wrong with the rules."""
    try:
        return ask(*about)
    except RuleError as problem:
        return problem.diagnostic.code


def kept(game: Game, state: State) -> tuple[tuple[int | None, ...], ...]:
    """What is kept of each player, or of their side."""
    own = [keep for keep in game.rules.keeps.values() if keep.key is not None and keep.key.of_players]
    return tuple(tuple(state.keeps[index] for index in game.layout.of_seats(keep)) for keep in own)


def expected(game: Game, state: State, seed: int, to: str = "game", most: int = MAX_MOVES_IN_GAME) -> Playout:
    """What a playout comes to by the reference interpreter."""
    trail: list[tuple[int, int]] = []
    after = game.playout(state, seed, to == "round", most, trail)
    return Playout(len(trail), after.winners, kept(game, after))


def assert_like_reference(
    game: Game, steps: Steps, seed: int, playouts: float = 0.03, most: int = MAX_MOVES_IN_GAME, longest: int = LONGEST
) -> int:
    """Follows a random game, and from some of its positions others. Gives how many positions of it were looked at."""
    rng, state = Random(seed), game.start(seed)
    assert steps.state(steps.start(seed)) == state
    for number in range(longest):
        position, moves = steps.position(state), told(game.legal_moves, state)
        assert steps.state(position) == state
        if isinstance(moves, str):
            assert told(steps.legal, position) == told(steps.count, position) == moves
            return number + 1
        assert steps.count(position) == len(moves)
        if len(moves) < 10 or rng.random() < 0.1:
            assert steps.legal(position) == moves
        if rng.random() < playouts:
            for to in ("game", "round"):
                wanted = told(expected, game, state, seed, to, most)
                assert told(steps.playout, position, seed, to, most) == wanted
                if not isinstance(wanted, str):
                    after = steps.state(steps.ahead(position, seed, to, most))
                    assert after == game.playout(state, seed, to == "round", most)
        assert steps.is_over(position) == (not moves)
        if not moves:
            return number + 1
        for index in rng.sample(range(len(moves)), min(2, len(moves))):
            after, found = told(game.apply, state, moves[index]), told(steps.apply, position, index)
            assert (found if isinstance(found, str) else steps.state(found)) == after
        assert steps.state(position) == state  # whatever was asked of it
        if isinstance(after, str):
            return number + 1
        state = after
    return longest


def written(folder: Path, text: str) -> Model:
    path = folder / "written.rules.md"
    path.write_text(text, encoding="utf-8")
    model = load(path).model
    assert model is not None
    return model


# ---- every position -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", COMPILED)
@pytest.mark.parametrize("table", [*TABLES, *few(FIXTURES)], ids=str)
def test_every_position_is_the_same_in_compiled_rules(table: Table, engine: str) -> None:
    steps = Steps(rules(table.name), table.players, engine)
    assert assert_like_reference(table.game, steps, 3) > 2


@pytest.mark.parametrize("engine", COMPILED)
@pytest.mark.parametrize("name", LANGUAGE_GAMES)
def test_so_it_is_in_the_games_of_the_language_page(name: str, engine: str, tmp_path: Path) -> None:
    model = language_game(name, tmp_path)
    steps = Steps(model, model.max_players, engine)
    assert assert_like_reference(Game(model, model.max_players), steps, 1) > 5


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.name.split(".")[0])
def test_so_it_is_in_files_that_did_harm(path: Path) -> None:
    model = load(path).model
    if model is not None:
        steps = Steps(model, model.min_players, "python")
        assert assert_like_reference(Game(model, model.min_players), steps, 1, 0.2, most=5, longest=30) > 0


@pytest.mark.parametrize(("engine", "seeds"), [("python", range(50)), ("native", range(10))])
def test_so_it_is_in_generated_games(engine: str, seeds: range, tmp_path: Path) -> None:
    if engine in COMPILED:
        assert sum(assert_generated(seed, engine, tmp_path) for seed in seeds) > 5 * len(seeds)


@pytest.mark.slow
@pytest.mark.parametrize("engine", COMPILED)
@pytest.mark.parametrize("part", range(10))
def test_so_it_is_in_many_generated_games(part: int, engine: str, tmp_path: Path) -> None:
    for seed in range(1000 + part * 50, 1050 + part * 50):
        assert assert_generated(seed, engine, tmp_path) > 0


OVER_AT_ONCE = """# Over at once

    players 2 to 3
    cards
        number: 1 to 5
    place deck, seen by all
    game:
        cards go to deck
        if some cards in deck
            random player wins
        each player
            player waits
        nobody wins
    player waits:
        "Wait."
        "{player} waits."
"""


@pytest.mark.parametrize("engine", COMPILED)
@pytest.mark.parametrize("players", [2, 3])
def test_a_game_that_is_over_is_played_no_further(players: int, engine: str, tmp_path: Path) -> None:
    rules = written(tmp_path, OVER_AT_ONCE)
    game = Game(rules, players)
    assert game.is_over(game.start(1))
    assert assert_like_reference(game, Steps(rules, players, engine), 1, playouts=1) == 1


def assert_generated(seed: int, engine: str, folder: Path) -> int:
    model, players = written(folder, rule_file(seed)), 2 + seed % 2
    return assert_like_reference(Game(model, players), Steps(model, players, engine), seed, 0.2)


TANGLED = """# Tangled

Everyone is asked again and again, by the same steps in different places.

    players 2 to 3
    cards
        number: 1 to 70
        "{number}"
    place deck, seen by nobody
    place hand of each player, seen by owner
    place table, seen by all
    keep score of each player: 0
    keep beginner: player
    game:
        beginner becomes random player
        asked of beginner
        repeat until some players where score is at least 9
            round
        asked of left of beginner
        highest score wins
    round:
        cards go to deck
        shuffle deck
        deal 6 from deck to each hand
        around
        each player from beginner
            asked of player
            if score of player is above 3
                around
        around
        each player at once
            player gives
        go round from beginner until all pass
            player adds else passes
        beginner becomes left of beginner
    around:
        asked of right of beginner
        repeat 2 times
            asked of beginner
    asked of player:
        old = score
        again = left of player
        player bets
        again bets
        score becomes score + old - old
    player bets:
        choose tip from 0 to 2
        score becomes score + tip
    player gives:
        choose 2 cards from hand
        cards go to hand of left
    player adds:
        choose card from hand
        number of card must be above 50
            "{card} is too low."
        card goes to table
    player passes:
        "You pass."
"""
"""A step that is called from several places, two of them within others that are called from several places."""


@pytest.mark.parametrize("engine", COMPILED)
def test_it_is_known_where_a_step_was_called_from(engine: str, tmp_path: Path) -> None:
    model = written(tmp_path, TANGLED)
    for players in (2, 3):
        game, steps = Game(model, players), Steps(model, players, engine)
        assert len({steps.position(state)[steps.pc] for state, _ in game.random_states(0)}) < len(game.program.turns)
        assert sum(assert_like_reference(game, steps, seed, 0.2) for seed in range(5)) > 100


# ---- playing on -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", COMPILED)
def test_many_playouts_are_the_playouts_of_many_seeds(engine: str) -> None:
    table = TABLES[0]
    steps, state = Steps(rules(table.name), table.players, engine), table.game.start(4)
    found = steps.playouts(steps.position(state), 2**64 - 3, 6, "round")
    single = [expected(table.game, state, seed, "round") for seed in range(2**64 - 3, 2**64 + 3)]
    assert found.moves == [playout.moves for playout in single]
    assert found.winners == [-1] * 6
    assert list(zip(*(seat for keep in found.keeps for seat in keep), strict=True)) == [
        tuple(value for keep in playout.keeps for value in keep) for playout in single
    ]


@pytest.mark.parametrize("engine", COMPILED)
def test_a_trial_adds_up_what_comes_of_a_move(engine: str) -> None:
    table = SAMPLE_TABLES[-1]
    steps, state = Steps(rules(table.name), table.players, engine), table.game.start(4)
    trials = steps.trials(steps.position(state), 20, 5)
    assert [trial.move for trial in trials] == table.game.legal_moves(state)
    for trial in trials:
        after = table.game.apply(state, trial.move)
        single = [expected(table.game, after, seed) for seed in range(20, 25)]
        assert trial.moves == sum(playout.moves for playout in single)
        assert trial.over == 5
        assert trial.wins == tuple(
            sum(seat in (playout.winners or ()) for playout in single) for seat in range(table.players)
        )
        sums = zip(*(playout.keeps for playout in single), strict=True)
        assert trial.keeps == tuple(tuple(map(sum, zip(*keep, strict=True))) for keep in sums)


@pytest.mark.parametrize("engine", COMPILED)
def test_a_move_that_ends_the_round_is_not_played_on_into_the_next(engine: str) -> None:
    table = SAMPLE_TABLES[-1]
    slot = table.game.program.core.persistent.index(round_slot(table.game.program.core) or 0)
    states = [state for state, _ in table.game.random_states(1)]
    last = next(before for before, after in pairwise(states) if before.slots[slot] != after.slots[slot])
    steps = Steps(rules(table.name), table.players, engine)
    assert all(trial.moves == 0 for trial in steps.trials(steps.position(last), 0, 3, "round"))
    assert table.game.playout(last, 5, to_round=True).slots[slot] != last.slots[slot]


@pytest.mark.skipif(not has_native(), reason="llvmlite is not installed")
def test_a_position_of_one_engine_is_one_of_the_other() -> None:
    table = FIXTURES[0]
    model = rules(table.name)
    python, native = Steps(model, table.players, "python"), Steps(model, table.players, "native")
    ours, theirs = python.start(5), native.start(5)
    for number in range(60):
        count = python.count(theirs)
        assert count == native.count(ours)
        if not count:
            break
        ours, theirs = native.apply(ours, number % count), python.apply(theirs, number % count)
        assert python.state(ours) == native.state(theirs)


# ---- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", COMPILED)
@pytest.mark.parametrize("index", [-1, 1000, 2**62])
def test_there_is_no_other_move_than_the_legal_ones(engine: str, index: int) -> None:
    table = TABLES[0]
    steps = Steps(rules(table.name), table.players, engine)
    position = steps.start(0)
    with pytest.raises(IndexError):
        steps.apply(position, index)
    with pytest.raises(IndexError):
        steps.move(position, index)


@pytest.mark.parametrize("engine", COMPILED)
def test_a_game_that_is_over_has_no_moves(engine: str) -> None:
    table = TABLES[0]
    steps, state = Steps(rules(table.name), table.players, engine), table.game.playout(table.game.start(0), 0)
    position = steps.position(state)
    assert steps.is_over(position) and steps.legal(position) == [] == steps.trials(position, 0, 3)
    assert steps.playout(position, 0) == Playout(0, state.winners, kept(table.game, state))
    with pytest.raises(IndexError):
        steps.apply(position, 0)


FORGED: list[tuple[str, Any]] = [
    ("pc", 1_000_000),
    ("slots", None),
    ("slots", [99]),
    ("places", [[0, 0]]),
    ("owners", [77]),
    ("keeps", [10**15]),
    ("keeps", [None]),
    ("pending", [[0, "nothing", []]]),
    ("winners", [40]),
    ("rng", -1),
    ("rng", "chance"),
    ("places", ["cards"]),
]


@pytest.mark.parametrize(("field", "value"), FORGED)
def test_compiled_rules_are_put_into_no_forged_state(field: str, value: Any) -> None:
    """Whatever stands in a file: machine code counts on what it is given."""
    table = SAMPLE_TABLES[-1]
    data = json.loads(table.game.json(next(state for state, moves in table.game.random_states(0) if len(moves) > 2)))
    old = data[field]
    data[field] = value if not isinstance(value, list) or old is None else (value * len(old) if old else value)
    with pytest.raises(Unreadable):
        Steps(rules(table.name), table.players, "python").position(table.game.parse_json(json.dumps(data)))


@pytest.mark.skipif(not has_native(), reason="llvmlite is not installed")
def test_machine_code_takes_no_position_of_another_game() -> None:
    first, last = (Steps(rules(table.name), table.players, "native") for table in (TABLES[0], SAMPLE_TABLES[-1]))
    with pytest.raises(ValueError, match=r"\d"):
        first.count(last.start(0))
