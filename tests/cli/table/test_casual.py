"""Among friends: against bots any move can be taken back, and the journal notes it; other games stay strict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands_in_process import Run
from commands_in_process import in_process as in_process
from teufelswerk.interpreter.game import Game
from teufelswerk.loading.model_cache import load_game
from teufelswerk.sessions.session import HUMAN, Session

run = in_process
ROUND = ("play", "little-devils", "--players", "3", "--human", "Eve", "--bots", "random", "--seed", "4")


def journal() -> Path:
    from teufelswerk.sessions.journal import folder

    return max(folder().glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)


def test_a_casual_game_goes_back_as_far_as_one_likes_and_notes_it(run: Run) -> None:
    typed = "\n".join(["#1", "#1", "#1", "undo", "undo", "undo", "#2", "undo", "#1", ""])
    said = run(*ROUND, "--casual", typed=typed).out
    assert said.count("Eve, your move") == 10
    events = [json.loads(line) for line in journal().read_text(encoding="utf-8").splitlines()]
    notes = [line for line in events if line["event"] == "undo"]
    assert events[0]["casual"] is True
    assert [note["player"] for note in notes] == [0, 0, 0, 0]
    assert sum(line["event"] == "move" and line["player"] == 0 for line in events) == 1
    again = run("play", "--resume", typed="undo\n")
    assert "Eve, your move" in again.out
    assert run("replay", str(journal())).err.count("line") == 0


def test_a_strict_game_stays_as_it_is(run: Run) -> None:
    said = run(*ROUND, typed="#1\n#1\n#1\nundo\n").out
    assert "so the move stands" in said
    assert "undo" not in journal().read_text(encoding="utf-8")


def test_two_people_at_one_screen_take_nothing_back_that_one_of_them_has_seen() -> None:
    game = Game(load_game("little-devils"), 3)
    session = Session(game, ["Eve", "Kim", "Tom"], [HUMAN, HUMAN, "random"], 4, None, casual=True)
    session.begin()
    while len(session.decisions) < 6:
        session.make(game.legal_moves(session.state)[0])
    assert session.stands(session.decisions[-2].seat, 0) is not None


@pytest.mark.parametrize("moves", [3, 30])
def test_everything_is_as_it_was(moves: int) -> None:
    """The same position, sheet, sentences and bots as before the decision that was taken back."""
    game = Game(load_game("little-devils"), 3)
    session = Session(game, ["Eve", "Kim", "Tom"], [HUMAN, "random", "random"], 4, None, casual=True)
    session.begin()
    before: list[object] = []

    def picture() -> object:
        bots = {seat: repr(vars(bot.snapshot()) if hasattr(bot.snapshot(), "__dict__") else bot.watched)
                for seat, bot in session.company.bots.items()}  # fmt: skip
        return session.state, list(session.sheet), len(session.told), dict(session.heaps), bots, session.moves

    while len(before) < moves:
        if game.player(session.state) == 0:
            before.append(picture())
        session.make(game.legal_moves(session.state)[0])
    for wanted in reversed(before):
        session.undo()
        assert picture() == wanted
