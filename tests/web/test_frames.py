"""What a seat is sent: nothing that its view does not have, whatever the others hold."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hidden_cards import with_hidden_cards_swapped
from shipped import FIXTURES, SAMPLE_TABLES, TABLES, Table, few
from teufelswerk import Event, IllegalMove, State, View
from teufelswerk.interpreter.show import NOBODY
from teufelswerk.language.i18n import languages
from teufelswerk.sessions.session import Session
from teufelswerk_web.tables.telling import Telling
from teufelswerk_web.wire.lexicon import Lexicon
from teufelswerk_web.wire.scenes import Message

FEW_MOVES, MANY_MOVES = 40, 400
each_table = pytest.mark.parametrize("table", [*TABLES, *few(FIXTURES)], ids=str)


def game_of(table: Table, seed: int, most: int) -> Iterator[tuple[Session, State, list[Event]]]:
    """A game at random, move by move: the session after each, the position before it, and what has happened."""
    names = [f"Player {seat}" for seat in range(table.players)]
    session = Session(table.game, names, ["random"] * table.players, seed, None)
    session.begin()
    rng = random.Random(seed)
    for _ in range(most):
        moves = table.game.legal_moves(session.state)
        if not moves:
            return
        before = session.state
        yield session, before, session.make(rng.choice(moves))


def tellings(table: Table, session: Session) -> dict[str, Telling]:
    return {
        language: Telling(session, Lexicon(table.game, language, "/cards/x"), session.names) for language in languages()
    }


def cards_in(message: Message) -> set[str]:
    """Every card that a message names, wherever it does."""
    found: set[str] = set()
    for moment in message["moments"]:
        for lying in moment["scene"]["places"].values():
            found |= {id for id in lying.get("cards", ()) if id is not None}
    for cards, *_ in message["flights"]:
        found |= set(cards or ())
    pointed = re.findall(r'"card:([^"]+)"', json.dumps(message.get("choices", {})))
    return found | set(pointed)


def seen_in(view: View) -> set[str]:
    return {id for place in view.places.values() for id in place.visible}


def check_frames(table: Table, seed: int, most: int) -> None:
    spoken: dict[str, Telling] = {}
    for number, (session, before, events) in enumerate(game_of(table, seed, most)):
        spoken = spoken or tellings(table, session)
        for seat in range(NOBODY, table.players):
            telling = spoken[languages()[(number + seat) % len(languages())]]
            earlier, view = table.game.view(before, seat), table.game.view(session.state, seat)
            moved = telling.move(earlier, view, events)
            known = {id for record in session.company.sight.events(events, seat) for id in ids(record)}
            assert cards_in(moved) <= seen_in(earlier) | seen_in(view) | known | offered(table, view)
            assert cards_in(telling.whole(view)) <= seen_in(view) | offered(table, view)
            if number % 2 == 0:
                check_swapped(table, session, telling, seat, seed + number)


def ids(record: dict[str, Any]) -> Sequence[str]:
    return record.get("cards") or ()


def offered(table: Table, view: View) -> set[str]:
    """Cards that the seat is offered: where they lie open, or where the rules name them to it."""
    found: set[str] = set()
    for move in view.moves:
        for value in table.game.choice(move).values():
            found |= set(map(str, value if isinstance(value, list) else [value]))
    return found


def check_swapped(table: Table, session: Session, telling: Telling, seat: int, seed: int) -> None:
    """The frame is the same, to the letter, when what the seat does not see lies somewhere else."""
    state = session.state
    message = telling.whole(table.game.view(state, seat))
    if session.state.winners is not None:
        return  # what decides the game is open then
    other = with_hidden_cards_swapped(table, state, seat, random.Random(seed))
    try:
        session.state = other
        assert telling.whole(table.game.view(other, seat)) == message
    except IllegalMove:
        pytest.fail("a view asked for a move")
    finally:
        session.state = state


@each_table
def test_no_frame_has_more_than_the_view_and_hidden_cards_change_nothing(table: Table) -> None:
    check_frames(table, 1, FEW_MOVES if table in SAMPLE_TABLES else FEW_MOVES // 2)


@pytest.mark.slow
@pytest.mark.each_game
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_no_frame_of_whole_games_has_more_than_the_view(table: Table) -> None:
    for seed in (1, 2, 3):
        check_frames(table, seed, MANY_MOVES)


@pytest.mark.parametrize("table", SAMPLE_TABLES[:1], ids=str)
def test_a_frame_that_told_hidden_cards_would_be_found(table: Table) -> None:
    """Otherwise the tests above would show nothing."""
    session, _before, _events = next(iter(game_of(table, 1, 1)))
    telling = tellings(table, session)["en"]
    other = with_hidden_cards_swapped(table, session.state, 0, random.Random(1))
    frames = [telling.whole(table.game.view(state, 1)) for state in (session.state, other)]
    assert frames[0] != frames[1]
