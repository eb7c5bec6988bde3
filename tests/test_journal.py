"""Saved games: nothing that was acknowledged is ever lost, and nothing that does not fit is taken for a game."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from teufelswerk.game import Game
from teufelswerk.model_cache import load_game
from teufelswerk_cli.journal import Journal, Unusable, find_saved, folder, saved_games
from teufelswerk_cli.session import HUMAN, Session

CHECKOUT = Path(__file__).parent.parent
NAMES = ["Me", "Anna", "Tom"]
SHORT = {"hand-size": 4, "target": 30}
TOLD = re.compile(r"(\w+) (?:leads|answers with|follows with) (\d+)")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    return tmp_path


@cache
def short_game() -> Game:
    return Game(load_game("little-devils", SHORT), 3)


def new_session(seats: list[str] | None = None, seed: int = 7) -> Session:
    game = short_game()
    seats = seats or [HUMAN, "random", "random"]
    session = Session(game, NAMES, seats, seed, Journal.create(game, NAMES, seats, seed, None))
    session.begin()
    return session


def play_on(session: Session, moves: int) -> None:
    for _ in range(moves):
        seat = session.game.player(session.state)
        if seat is None:
            return
        session.make(session.game.legal_moves(session.state)[0])


def again(path: Path) -> Session:
    journal, lines = Journal.open(path)
    session = Session(short_game(), NAMES, lines[0]["seats"], 7, journal)
    session.resume(lines)
    return session


def path_of(session: Session) -> Path:
    assert session.journal
    session.journal.close()
    return session.journal.path


# ---- reading and writing --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", [0, 1, 7, 500])
def test_a_game_goes_on_where_it_was_left(moves: int) -> None:
    session = new_session()
    play_on(session, moves)
    resumed = again(path_of(session))
    assert resumed.state == session.state
    assert resumed.told == session.told
    assert resumed.moves == session.moves


def test_every_move_is_in_the_file_before_it_is_answered() -> None:
    session = new_session()
    assert session.journal
    for number in range(1, 6):
        play_on(session, 1)
        lines = [json.loads(line) for line in session.journal.path.read_text().splitlines()]
        assert sum(line["event"] == "move" for line in lines) == number


def test_what_is_left_of_an_unfinished_line_is_cut_off() -> None:
    session = new_session()
    play_on(session, 6)
    path = path_of(session)
    data = path.read_bytes()
    starts = [0, *(m.end() for m in re.finditer(rb"\n", data))]
    for size in range(starts[1], len(data), 37):
        path.write_bytes(data[:size])
        resumed = again(path)
        kept = data[: max(start for start in starts if start <= size)]
        assert resumed.moves == sum(json.loads(line)["event"] == "move" for line in kept.splitlines())
        assert data.startswith(path.read_bytes()[: len(kept)])
        path_of(resumed)
        again(path).journal.close()  # type: ignore[union-attr]


def break_json(lines: list[str]) -> int:
    lines[9] = lines[9][:-3]
    return 10


def change_a_card(lines: list[str]) -> int:
    at = next(i for i, line in enumerate(lines) if '"move"' in line and i > 12)
    lines[at] = re.sub(r'"card": "\d+"', '"card": "99"', lines[at])
    return at + 1


def drop_a_line(lines: list[str]) -> int:
    at = next(i for i, line in enumerate(lines) if '"move"' in line and i > 12)
    del lines[at]
    return at + 1


def add_a_game(lines: list[str]) -> int:
    lines.insert(5, lines[0])
    return 6


@pytest.mark.parametrize("damage", [break_json, change_a_card, drop_a_line, add_a_game])
def test_a_damaged_file_is_refused_with_the_place(damage: Callable[[list[str]], int]) -> None:
    session = new_session()
    play_on(session, 8)
    path = path_of(session)
    lines = path.read_text().splitlines()
    number = damage(lines)
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(Unusable) as refused:
        again(path)
    assert refused.value.message.values["line"] == number
    good = sum('"event": "move"' in line for line in lines[: number - 1])
    assert refused.value.message.values["n"] == good


def test_two_processes_cannot_play_one_game() -> None:
    session = new_session()
    assert session.journal
    with pytest.raises(Unusable, match="another window"):
        Journal.open(session.journal.path)
    path = path_of(session)
    Journal.open(path)[0].close()


def test_the_last_unfinished_game_is_found() -> None:
    with pytest.raises(Unusable):
        find_saved("")
    first, second = new_session(), new_session(seed=8)
    play_on(second, 500)
    os.utime(path_of(first), (1, 1))
    path_of(second)
    assert first.journal is not None
    assert find_saved("") == first.journal.path
    assert find_saved(first.journal.path.name.removesuffix(".jsonl")) == first.journal.path
    assert [(game.moves > 0, game.unfinished) for game in saved_games()] == [(True, False), (False, True)]
    assert find_saved("1") == first.journal.path
    for name in ("nothing-like-it", "2"):
        with pytest.raises(Unusable):
            find_saved(name)
    assert first.journal.path.parent == folder()


# ---- taking back ----------------------------------------------------------------------------------------------------


def test_a_move_is_taken_back_until_somebody_else_has_decided() -> None:
    session = new_session([HUMAN, HUMAN, HUMAN])
    assert session.journal
    seat = session.game.player(session.state)
    assert seat is not None
    assert session.stands(seat, seat) is not None
    before, size, told = session.state, session.journal.size, len(session.told)
    play_on(session, 1)
    assert session.stands(seat, seat) is None
    session.undo()
    assert (session.state, session.journal.size, len(session.told), session.moves) == (before, size, told, 0)
    play_on(session, 2)
    assert session.stands(seat, seat) is not None
    resumed = again(path_of(session))
    assert resumed.state == session.state


def test_a_move_stands_once_a_card_has_been_shown_or_dealt() -> None:
    session = new_session([HUMAN, "random", "random"])
    while session.game.player(session.state) != 0:
        play_on(session, 1)
    play_on(session, 1)
    assert session.stands(0, 0) is None
    play_on(session, 1)
    assert "so the move stands" in str(session.stands(0, 0))
    alone = new_session([HUMAN, HUMAN, HUMAN], seed=9)
    while alone.moves < 12:
        play_on(alone, 1)
    assert "shuffled" in str(alone.stands(alone.decisions[-1].seat, 0))


# ---- sudden ends ----------------------------------------------------------------------------------------------------


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "teufelswerk_cli", "play", "--lang", "en", *arguments]


def environment(data: Path) -> dict[str, str]:
    paths = os.pathsep.join([str(CHECKOUT / "interpreter"), str(CHECKOUT / "cli")])
    return {**os.environ, "XDG_DATA_HOME": str(data), "PYTHONPATH": paths, "PYTHONIOENCODING": "utf-8"}


NEW = [
    "little-devils", "--players", "3", "--human", "Me", "--bots", "random", "--seed", "5",
    "--set", "hand-size=4", "--set", "target=12",
]  # fmt: skip
ANSWERS = b"#1\n" * 300


def whole_game(data: Path) -> tuple[str, list[str]]:
    """What an undisturbed game says and writes."""
    done = subprocess.run(command(*NEW), input=ANSWERS, capture_output=True, env=environment(data), check=True)
    return done.stdout.decode(), the_journal(data).read_text().splitlines()


def the_journal(data: Path) -> Path:
    (path,) = (data / "teufelswerk" / "games").glob("*.jsonl")
    return path


def killed(data: Path, arguments: list[str], after: int) -> str:
    """Plays until so many characters have been said, then ends the process without warning."""
    process = subprocess.Popen(
        command(*arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(data)
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(ANSWERS)
    process.stdin.flush()
    said = b""
    while len(said) < after and (more := os.read(process.stdout.fileno(), 200)):
        said += more
    process.send_signal(signal.SIGKILL)
    said += process.stdout.read()
    process.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    process.wait()
    return said.decode(errors="replace")


def check_sudden_ends(data: Path, times: int, seed: int) -> None:
    rng = random.Random(seed)
    reference_folder = data / "reference"
    said, lines = whole_game(reference_folder)
    for number in range(times):
        place = data / str(number)
        heard = killed(place, NEW, rng.randrange(1, len(said)))
        if rng.random() < 0.3 and (place / "teufelswerk").exists():
            heard += killed(place, ["--resume"], rng.randrange(1, len(said)))
        written = [json.loads(line) for line in the_journal(place).read_text().splitlines() if line.endswith("}")]
        moves = [(NAMES[line["player"]], line["choice"]["card"]) for line in written if line["event"] == "move"]
        acknowledged = TOLD.findall(heard)
        left = iter(moves)
        assert all(move in left for move in acknowledged), "every acknowledged move is there, in order"
        subprocess.run(
            command("--resume", str(the_journal(place))), input=ANSWERS, capture_output=True, env=environment(place),
            check=True,
        )  # fmt: skip
        assert the_journal(place).read_text().splitlines()[1:] == lines[1:]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_game_goes_on_as_if_nothing_had_happened(data: Path) -> None:
    check_sudden_ends(data, 3, seed=1)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_two_hundred_killed_games(data: Path) -> None:
    check_sudden_ends(data, 200, seed=2)
