"""`play --from`: a game that begins in an example or a rule, with its people, for which nothing is saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands_in_process import Run
from commands_in_process import in_process as in_process
from teufelswerk.sessions.journal import folder
from wrong_files import BASE

run = in_process


def test_a_game_begins_in_an_example_with_its_people_and_is_not_saved(run: Run) -> None:
    words = ("play", "little-devils", "--from", "Example 3", "--seed", "1", "--bots", "random", "--fast")
    said = run(*words, typed="#1\nundo\nquit\n")
    assert "in “Example 3: What may be led”" in said.out and "You are Ida." in said.out
    assert said.out.count("This would do: 8.") == 2  # the first move was taken back
    assert "hand 3" in said.out and "The game is saved" not in said.out
    assert not folder().exists()


def test_hidden_cards_stay_hidden(run: Run, tmp_path: Path) -> None:
    """Whoever tries an example out sees what their seat sees: of another hand that the example gives, the number."""
    path = tmp_path / "game.rules.md"
    path.write_text(BASE, encoding="utf-8")
    line = next(n for n, text in enumerate(BASE.split("\n"), 1) if text.startswith("    scene round"))
    mine = run("play", str(path), "--from", str(line), "--bots", "random", "--fast", typed="quit\n").out
    theirs = run(
        "play", str(path), "--from", str(line), "--human", "Tom", "--bots", "random", "--fast", typed="quit\n"
    ).out
    assert "You are Ida." in mine and "You are Tom." in theirs
    assert "Ida: hand" in mine and "Ida: hand" not in theirs.partition("Tom, your move")[0]


def test_a_game_begins_in_a_step_where_the_person_decides_first(run: Run) -> None:
    words = ("play", "little-devils", "--from", "leads", "--human", "Eve", "--bots", "random", "--seed", "2", "--fast")
    said = run(*words, typed="quit\n").out
    assert "This game begins at `leads`" in said and "Lead a card." in said and "Eve, your move" in said


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("little-devils", "--from", "3"), "no example, no step and no move stands in line 3"),
        (("little-devils", "--from", "Example 3", "--human", "Eve"), "nobody is called Eve in this example"),
        (("little-devils", "--from", "Example 3", "--players", "3"), "4 people sit at the table of this example"),
        (("--from", "3"), "say which game `--from` is about"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(run: Run, options: tuple[str, ...], why: str) -> None:
    said = run("play", *options)
    assert said.code == 2 and why in said.err
