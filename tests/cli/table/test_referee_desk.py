"""The referee in words: questions, scores, the mistake of some moves ago, and a later call that goes on."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from at_terminal import environment
from commands_in_process import Run
from commands_in_process import in_process as in_process

run = in_process
PLAY = "Ann, Ben, Cleo\n10\n20\n5\n3\n"
"""Ann lays 5 and so says that she has nothing above 10: then all the low cards are hers."""


@pytest.mark.parametrize(
    ("question", "allowed", "why"),
    [
        ("35 on 20, 40 with 3 and 27", True, "Following allows it"),
        ("3 on 20, 40 with 35 and 27", False, "You hold a card above 20, so you must play one."),
        ("3 on 20, 40", True, "Only for want of anything else"),
        ("35 with 3", False, "may be led only by a player who holds nothing else"),
        ("35 with 45", True, "Leading allows it"),
    ],
)
def test_a_question_is_answered_with_the_rule(question: str, allowed: bool, why: str, run: Run) -> None:
    said = run("referee", "little-devils", "--ask", question)
    assert why in said.out
    assert said.code == (0 if allowed else 1)


def test_a_question_is_asked_in_the_players_language(run: Run) -> None:
    for language, question in (("de", "35 auf 20, 40 mit 3 und 27"), ("ru", "35 на 20, 40 с 3 и 27")):
        assert run("referee", "little-devils", "--lang", language, "--ask", question).code == 0


@pytest.mark.parametrize(
    ("game", "question", "code"),
    [("hearts", "5h on 2c with 3c, 4d", 1), ("spades", "5h on 2c with 4d, 7s", 0), ("skat", "JD on 7H with 8h", 1)],
)
def test_questions_are_asked_of_any_game(game: str, question: str, code: int, run: Run) -> None:
    """Also where much else is decided before the first card is played."""
    assert run("referee", game, "--ask", question).code == code


def test_the_mistake_of_some_moves_ago_is_found_and_may_stand(run: Run) -> None:
    said = run("referee", "little-devils", typed=f"{PLAY}1\nstands\n1\nquit\n").out
    assert "There was a mistake 2 moves ago: Ann played 5, and Ben had 1 then. You hold a card above 10" in said
    assert "It stands" in said
    assert "Ben answers with 1, so the trick goes down" in said


def test_taking_back_and_asking_change_nothing_else(run: Run) -> None:
    said = run(
        "referee", "little-devils", typed="Ann, Ben, Cleo\nundo\n10\nmay 20\nscores\nrules\nrubbish\nundo\n?\nquit\n"
    )
    assert said.out.count("Ben plays (? helps)") == 4
    assert "Taken back: 10." in said.out
    assert "nothing called `rubbish`" in said.out
    assert said.code == 0


def test_a_later_call_goes_on_also_after_a_sudden_end(run: Run) -> None:
    run("referee", "little-devils", typed=f"{PLAY}1\nstands\n1\n")
    (notes,) = notes_of()
    with notes.open("ab") as file:
        file.write(b'{"said": "2')
    said = run("referee", "little-devils", "--resume", typed="22\n").out
    assert said.startswith("Cleo plays")
    assert "Cleo follows with 22" in said
    lines = [json.loads(line)["said"] for line in notes.read_text(encoding="utf-8").splitlines()[1:]]
    assert lines == ["10", "20", "5", "3", "1", "stands", "1", "22"]
    assert notes.stat().st_mode & 0o077 == 0


TYPED = [line for line in f"{PLAY}1\nstands\n1\n22\nundo\n23\n7\n8\n9\n".splitlines() if line][1:]


def killed(data: Path, arguments: list[str], typed: list[str], after: int) -> str:
    """What a referee says who is killed after so many characters."""
    command = [sys.executable, "-m", "teufelswerk_cli", "referee", "little-devils", "--lang", "en", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(data))
    assert process.stdin
    assert process.stdout
    process.stdin.write("".join(f"{line}\n" for line in typed).encode())
    process.stdin.flush()
    said = b""
    while len(said) < after and (more := os.read(process.stdout.fileno(), 100)):
        said += more
    process.kill()
    said += process.stdout.read()
    process.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    process.wait()
    return said.decode()


def check_killed_referees(data: Path, times: int, seed: int) -> None:
    """Whatever was answered is in the notes, and the game goes on from there."""
    rng = random.Random(seed)
    people = ["--human", "Ann", "--human", "Ben", "--human", "Cleo"]
    whole = killed(data / "whole", people, [*TYPED, "quit"], 10**6)
    for number in range(times):
        place = data / str(number)
        heard = killed(place, people, TYPED, rng.randrange(1, len(whole) - 200))
        notes = [*(place / "teufelswerk" / "games").glob("*.referee")]
        if not notes:
            assert " plays (? helps) > " not in heard
            continue
        lines = [json.loads(line)["said"] for line in notes[0].read_text(encoding="utf-8").splitlines()[1:]]
        assert lines == TYPED[: len(lines)]
        assert len(lines) >= len(re.findall(r" (?:leads|follows with|answers with) \d+[.,]", heard))
        again = killed(place, ["--resume"], ["scores", "quit"], 10**6)
        assert " plays (? helps) > " in again


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_referee_knows_what_was_said(tmp_path: Path) -> None:
    check_killed_referees(tmp_path, 3, seed=1)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_fifty_killed_referees(tmp_path: Path) -> None:
    check_killed_referees(tmp_path, 50, seed=2)


def notes_of() -> list[Path]:
    from teufelswerk.sessions.journal import folder

    return sorted(folder().glob("*.referee"))


@pytest.mark.parametrize(
    ("words", "typed", "complaint"),
    [
        (["--resume"], "", "no game of little-devils to go on with"),
        ([], "Ann, Ann, Ben\n", "the same name"),
        ([], "Ann, Ben\n", "is for 3 to 6 players"),
        (["--ask", "99 with 3"], "", "no card called `99`"),
        (["--ask", "35 with 3, 99"], "", "no card called `99`"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(words: list[str], typed: str, complaint: str, run: Run) -> None:
    said = run("referee", "little-devils", *words, typed=typed)
    assert complaint in said.out + said.err
    assert said.code == 2


@pytest.mark.parametrize("game", ["go-fish", "schwarzer-peter"])
def test_a_game_that_cannot_be_followed_says_so_before_it_begins_and_still_answers_questions(
    game: str, run: Run
) -> None:
    said = run("referee", game, typed="Ann, Ben, Cleo\n")
    assert said.code == 2
    assert "this game cannot be followed, since what happens now depends on hidden cards in `hand`" in said.err
    assert "--ask" in said.err
    assert run("referee", "oh-hell", "--ask", "5h on 2c with 3c").code in (0, 1)


def test_it_is_asked_which_card_was_turned_up_and_the_mistake_is_found_all_the_same(run: Run) -> None:
    """Hearts are trumps; Cleo does not follow clubs, and has one after all three tricks later."""
    orders = "jack of hearts\norders\ndiscards\njoins\n"
    tricks = "9c\nah\n10c\njc\n" + "kh\nqh\n9h\n10h\n" + "ad\n9d\nkd\nqd\n"
    said = run("referee", "euchre", typed=f"Ann, Ben, Cleo, Dan\n{orders}{tricks}kc\n").out
    assert "Which card can be seen now: upcard?" in said
    assert "Ben orders up jack of hearts." in said
    assert "There was a mistake 11 moves ago: Cleo played ace of hearts, and Cleo had king of clubs then." in said


def test_cards_that_go_unseen_are_told_by_the_name_of_the_move_alone(run: Run) -> None:
    typed = "Ann, Ben, Cleo, Dan\nAnn gives\nBen gives\nCleo 3h, 4h, 5h\nDan gives\nDan 2c\nquit\n"
    said = run("referee", "hearts", typed=typed).out
    assert said.count("passes some cards on to") + said.count("passes 3 of hearts") == 4
    assert "Dan plays 2 of clubs." in said


def test_an_answer_is_part_of_the_game_that_goes_on_later(run: Run) -> None:
    run("referee", "durak", typed="Ann, Ben\n7h\n99\nace of spades\n")
    said = run("referee", "durak", "--resume", typed="1\nundo\nquit\n").out
    assert "Which of these has happened?" in said
    assert "Ann attacks first." not in said.splitlines()[0]
