"""What is typed at the table: moves without traps, short commands, the score sheet, the cards taken away last."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from commands_in_process import Run
from commands_in_process import in_process as in_process
from shipped import PATHS
from teufelswerk import Game, load_game
from teufelswerk.base import chance
from teufelswerk.sessions.session import HUMAN, Session
from teufelswerk_cli.table.card_drawing import Look
from teufelswerk_cli.table.prompt import Turn
from teufelswerk_cli.table.scores import score_sheet
from teufelswerk_cli.table.screen import Screen
from teufelswerk_cli.table.side_questions import begun
from teufelswerk_cli.table.sitting import Sitting
from teufelswerk_cli.table.typed_moves import begins

DECISIONS, LATEST, MOST_MOVES = 300, 90, 400
"""So long a game is played for questions that have not been asked yet, and so long for one of them; of questions that
can be answered in a great many ways, a lesser one is taken."""
NUMBERS = 12
NAMES = ["Eve", "Anna", "Tom", "Ida", "Leo", "Mia", "Ben", "Zoe"]


def turns(name: str) -> Iterator[Turn]:
    """The questions of a game that is played at random: each that the rules ask, where it is first asked."""
    rules = load_game(str(PATHS[name]))
    game = Game(rules, rules.min_players)
    session = Session(game, NAMES[: game.players], [HUMAN] * game.players, 5, None)
    session.begin()
    rng, asked, latest = chance.stream(5, 1), set[tuple[int, bool]](), 0
    for number in range(DECISIONS):
        seat = game.player(session.state)
        if seat is None or number - latest > LATEST:
            return
        moves = game.legal_moves(session.state)
        question = session.state.pc, len(moves) > 1
        if question not in asked and len(moves) <= MOST_MOVES:
            asked.add(question)
            latest = number
            yield Turn(Sitting(session, Screen()), game.view(session.state, seat))
        rng, index = chance.below(rng, len(moves))
        session.state = game.apply(session.state, moves[index])


@pytest.mark.parametrize(
    ("name", "start", "fits"),
    [("10", "1", False), ("10 of hearts", "10", True), ("104", "10", False), ("jack", "j", True)],
)
def test_half_a_number_begins_none(name: str, start: str, fits: bool) -> None:
    assert begins(name, start) == fits


@pytest.mark.each_game
@pytest.mark.parametrize("name", PATHS)
def test_a_number_or_a_card_is_what_it_says_or_is_asked_back(name: str) -> None:
    for turn in turns(name):
        moves, view = turn.moves, turn.view
        cards = [moves.drawer.title(card.id) for card in turn.table.game.rules.cards[:: max(1, NUMBERS // 4)]][:5]
        for typed in [*map(str, range(NUMBERS)), *cards]:
            turn.left = view.moves
            move = turn.understand(typed)
            if move is None:
                continue
            names = [name for each in moves.names_of(move) for name in (each, *each.split())]
            if any(begins(name, typed.lower()) for name in names):
                continue
            assert not moves.is_marked(view.moves), f"{typed} is taken for {moves.words(move, view).plain}"
            assert view.moves[int(typed) - 1] == move
            others = [name for other in view.moves for name in moves.names_of(other)]
            assert not any(begins(name, typed) for name in others)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hi", ["hint", "history"]),
        ("ex", ["quit"]),
        ("sc", ["scores"]),
        ("la", ["last"]),
        ("l", ["last", "lesson"]),
        ("xyz", []),
    ],
)
def test_commands_may_be_cut_short(typed: str, meant: list[str]) -> None:
    assert sorted(begun(typed, Turn.commands)) == meant


PLAY = ("play", "hearts", "--human", "Eve", "--bots", "random", "--seed", "3")


def heard(run: Run, *typed: str) -> list[str]:
    return run(*PLAY, typed="\n".join([*typed, ""])).out.splitlines()


def test_a_beginning_that_fits_several_commands_is_asked_back(run: Run) -> None:
    assert "`hi` may mean history or hint." in heard(run, "hi")


def test_a_queen_that_nobody_holds_is_not_leaving_the_table(run: Run) -> None:
    said = heard(run, "q", "xq", "exit")
    assert "There is nothing called `q` to play here; ? helps." in said
    assert "There is nothing called `xq` to play here; ? helps." in said
    assert said[-1].startswith("The game is saved.")


@pytest.mark.parametrize("card", ["4s", "s4", "4♠", "♠4", "spades-4", "4 of spades"])
def test_a_card_of_a_suit_has_short_names(run: Run, card: str) -> None:
    assert "So far: 4 of spades." in heard(run, card)


def test_cards_that_are_chosen_together_are_named_one_by_one(run: Run) -> None:
    said = heard(run, "3 of d", "Ah", "4s")
    assert "So far: 3 of diamonds." in said
    assert any(line.startswith("Eve passes 3 of diamonds, ace of hearts, and 4 of spades on") for line in said)


def test_the_last_trick_can_be_seen_again(run: Run) -> None:
    first = ["3 of d", "Ah", "4s"]
    assert "Nothing has been taken from the table so far." in heard(run, *first, "last")
    said = heard(run, *first, "4c", "last")
    at = said.index("Eve, your move (? helps) > last")
    assert said[at + 1] == "trick (taker: Ida)"
    assert "│ 4 │" in said[at + 3]
    assert {"Eve", "Anna", "Tom", "Ida"} <= set(" ".join(said[at + 2 : at + 8]).split())


def test_the_scores_are_a_sheet_of_rounds() -> None:
    game = Game(load_game("hearts"), 4)
    session = Session(game, NAMES[:4], ["random"] * 4, 5, None)
    session.begin()
    while len(session.sheet) < 4:
        session.make(game.legal_moves(session.state)[0])
    lines = [line.plain.split() for line in score_sheet(game, NAMES[:4], session.sheet, Look())]
    assert lines[0] == ["Score"]
    assert lines[1] == NAMES[:4]
    rounds = [[0 if change == "·" else int(change) for change in line[1:]] for line in lines[2:5]]
    assert all(sum(each) in (26, 78) for each in rounds)
    assert [line[0] for line in lines[2:5]] == ["1", "2", "3"]
    assert list(map(int, lines[-1])) == [sum(column) for column in zip(*rounds, strict=True)]
