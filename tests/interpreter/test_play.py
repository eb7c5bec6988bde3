"""What holds in every position of every game: cards, states, views, moves and what is paid."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hidden_cards import is_seen, with_hidden_cards_swapped
from hypothesis import given
from hypothesis import strategies as st
from shipped import FIXTURES, NAMES, TABLES, Table, few, loaded, rules, statements
from teufelswerk import Event, IllegalMove, Move, State
from teufelswerk.base.find_files import shipped
from teufelswerk.core.lower_game import core_of
from teufelswerk.core.statements import Wins
from teufelswerk.core.walk import all_statements
from teufelswerk.interpreter.records import records
from teufelswerk.model import Becomes, Keep, Pays

each_table = pytest.mark.parametrize("table", [*TABLES, *few(FIXTURES)], ids=str)
SEEDS = st.integers(0, 2**32 - 1)
MOMENTS = st.integers(0, 400)
"""How many moves have been made; when the game is shorter, its end is meant."""


@pytest.mark.each_game
@pytest.mark.parametrize("name", shipped())
def test_every_shipped_game_checks(name: str) -> None:
    assert [d for d in loaded(name).diagnostics if d.is_error] == []


@cache
def random_game(table: Table, seed: int) -> list[tuple[State, list[Move]]]:
    return list(table.game.random_states(seed))


def positions(table: Table, games: int = 2) -> Iterator[tuple[State, list[Move]]]:
    """All positions of some random games, with their legal moves."""
    for seed in range(games):
        yield from random_game(table, seed)


def some(moves: list[Move]) -> list[Move]:
    """All moves, or of very many an even selection."""
    return moves[:: len(moves) // 20 + 1]


def position(table: Table, seed: int, moment: int) -> State:
    game = random_game(table, seed % 6)
    return game[min(moment, len(game) - 1)][0]


# ---- cards and states -----------------------------------------------------------------------------------------------


@each_table
def test_every_card_is_in_exactly_one_place(table: Table) -> None:
    for state, _ in positions(table):
        assert sorted(card for place in state.places for card in place) == list(range(len(table.game.rules.cards)))


@each_table
def test_a_position_can_be_written_and_read_back(table: Table) -> None:
    game = table.game
    for state, _ in positions(table):
        line = game.text(state)
        assert "\n" not in line
        assert game.parse(line) == state
        assert game.parse_json(game.json(state)) == state


@each_table
def test_positions_are_hashed_by_what_they_are(table: Table) -> None:
    game = table.game
    for state, _ in positions(table, 1):
        assert len({state, game.parse(game.text(state))}) == 1
    assert len({state for state, _ in positions(table, 1)}) == len(random_game(table, 0))


@each_table
def test_applying_a_move_leaves_the_position_as_it_was(table: Table) -> None:
    game = table.game
    for state, moves in random_game(table, 0):
        before = copy.deepcopy(state)
        for move in some(moves):
            game.apply(state, move)
            game.view(state, move.player)
        assert state == before


# ---- seeds ----------------------------------------------------------------------------------------------------------


def record(table: Table, seed: int) -> list[dict[str, Any]]:
    log: list[Event] = []
    table.game.random_game(seed, log, legal=True)
    return list(records(log))


@each_table
def test_a_seed_always_gives_the_same_game_and_another_seed_another(table: Table) -> None:
    first, second = record(table, 1), record(table, 2)
    assert first == record(table, 1)
    assert first != second


@each_table
def test_a_game_goes_the_same_way_in_one_run_as_move_by_move(table: Table) -> None:
    """`random_game` keeps one machine running; `apply` makes a new one of every state."""
    log: list[Event] = []
    state = table.game.start(0, log)
    for entry in record(table, 0):
        if entry["event"] == "move":
            described = {key: entry[key] for key in ("player", "move", "choice")}
            move = next(move for move in table.game.legal_moves(state) if table.game.describe(move) == described)
            state = table.game.apply(state, move, log)
    assert list(records(log)) == [
        {key: value for key, value in entry.items() if key != "legal"} for entry in record(table, 0)
    ]


# ---- views ----------------------------------------------------------------------------------------------------------


def some_see_more(table: Table) -> bool:
    return table.players > 1 and any(place.seen_by in ("owner", "others") for place in table.game.rules.places.values())


@each_table
@given(seed=SEEDS, moment=MOMENTS)
def test_a_view_does_not_depend_on_what_the_seat_cannot_see(table: Table, seed: int, moment: int) -> None:
    state = position(table, seed, moment)
    for seat in range(table.players):
        other = with_hidden_cards_swapped(table, state, seat, random.Random(seed))
        assert table.game.view(other, seat) == table.game.view(state, seat)


@pytest.mark.parametrize("table", [*filter(some_see_more, TABLES), *few([*filter(some_see_more, FIXTURES)])], ids=str)
def test_cards_really_are_swapped_and_whoever_sees_them_notices(table: Table) -> None:
    """Otherwise the test above would show nothing."""
    noticed = []
    for state, _ in random_game(table, 0):
        other = with_hidden_cards_swapped(table, state, 0, random.Random(0))
        views = [table.game.view(other, seat) != table.game.view(state, seat) for seat in range(table.players)]
        noticed.append(other.places != state.places and any(views))
    assert sum(noticed) > len(noticed) / 10


@each_table
@given(seed=SEEDS, moment=MOMENTS)
def test_a_view_shows_what_the_seat_may_see(table: Table, seed: int, moment: int) -> None:
    game, state = table.game, position(table, seed, moment)
    for seat in range(table.players):
        view = game.view(state, seat)
        for place, name in enumerate(game.layout.place_names):
            seen = [card for card in state.places[place] if is_seen(table, place, seat, state, card)]
            if place > 0:
                assert view.places[name].visible == tuple(game.rules.cards[card].id for card in seen)
        assert view.to_move == game.player(state)
        assert view.moves == (tuple(map(game.as_seen, game.legal_moves(state))) if view.to_move == seat else ())


# ---- moves ----------------------------------------------------------------------------------------------------------


@each_table
def test_there_is_a_legal_move_until_the_end_and_each_can_be_made(table: Table) -> None:
    game = table.game
    for state, moves in random_game(table, 1):
        assert bool(moves) is not game.is_over(state)
        assert len(set(moves)) == len(moves)
        assert {move.player for move in moves} <= {game.player(state)}
        for move in some(moves):
            assert game.apply(state, move) != state
    last = random_game(table, 1)[-1][0]
    outcome = game.outcome(last)
    assert outcome and set(outcome.winners) <= set(range(table.players))
    ends = [statement for statement in all_statements(core_of(game.rules)) if isinstance(statement, Wins)]
    assert outcome.winners or any(end.lose or not end.criteria for end in ends)


def illegal_moves(table: Table, state: State) -> Iterator[Move]:
    """Moves by the wrong player, of unknown kinds, with impossible choices, and all that a rule refuses."""
    game = table.game
    legal = game.legal_moves(state)
    for move in legal[:1]:
        yield move._replace(player=move.player + 1 if table.players == 1 else (move.player + 1) % table.players)
        yield move._replace(verb="no-such-verb")
        yield move._replace(picks=(-1, *move.picks))
        yield from (move._replace(verb=verb) for verb in game.rules.moves if move._replace(verb=verb) not in legal)
    player = game.player(state)
    if player is not None:
        machine = game.thaw(state)
        for verb, code in game.program.moves.items():
            machine.slots[code.move.slot] = player
            yield from (
                move for picks in code.combinations(machine) if (move := Move(player, verb, picks)) not in legal
            )


@each_table
@given(seed=SEEDS, moment=MOMENTS)
def test_an_illegal_move_is_refused_with_a_reason_and_changes_nothing(table: Table, seed: int, moment: int) -> None:
    game, state = table.game, position(table, seed, moment)
    before = copy.deepcopy(state)
    for move in illegal_moves(table, state):
        log: list[Event] = []
        with pytest.raises(IllegalMove) as refused:
            game.apply(state, move, log)
        assert str(refused.value.reason)
        assert refused.value.allowed == game.legal_moves(state)
        assert log == []
    assert state == before


@each_table
def test_no_move_is_legal_when_the_game_is_over(table: Table) -> None:
    game = random_game(table, 0)
    (last, none), (_, moves) = game[-1], game[-2]
    assert none == []
    with pytest.raises(IllegalMove) as refused:
        table.game.apply(last, moves[0])
    assert str(refused.value.reason) and refused.value.allowed == []


# ---- what is kept ---------------------------------------------------------------------------------------------------


def only_paid(name: str) -> list[Keep]:
    """What is kept of each player and only ever changes hands."""
    happening = list(statements(rules(name)))
    set_outright = {statement.target.keep.name for statement in happening if isinstance(statement, Becomes)}
    paid = {statement.payer.keep.name: statement.payer.keep for statement in happening if isinstance(statement, Pays)}
    return [keep for name, keep in paid.items() if name not in set_outright]


PAID = [(table, keep) for table in TABLES for keep in only_paid(table.name)]


@pytest.mark.parametrize(("table", "keep"), PAID, ids=[f"{table}-{keep.name}" for table, keep in PAID])
def test_what_is_only_paid_stays_the_same_in_sum(table: Table, keep: Keep) -> None:
    base = table.game.layout.keep_base[keep.name]
    seats = slice(base, base + table.players)
    sums = {sum(value or 0 for value in state.keeps[seats]) for state, _ in positions(table, 4)}
    assert len(sums) == 1
    assert len({state.keeps[seats] for state, _ in positions(table, 4)}) > 1


@pytest.mark.parametrize("name", NAMES)
def test_statements_are_found_however_deep_they_stand(name: str) -> None:
    found = {statement.span.line for statement in statements(rules(name))}
    clauses = [(number, line) for number, line in enumerate(rules(name).source.lines, 1) if line.startswith("    ")]
    changing = {number for number, line in clauses if re.fullmatch(r"[^\"]* (becomes|pays)( .*)?", line)}
    assert changing and changing <= found
