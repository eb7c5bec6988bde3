"""Saved games: nothing that was acknowledged is ever lost, and nothing that does not fit is taken for a game."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import random
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from commands_in_process import Run
from commands_in_process import in_process as in_process
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.records import checksum
from teufelswerk.loading.model_cache import load_game
from teufelswerk.sessions.journal import Journal, Unusable, find_saved, folder, saved_games
from teufelswerk.sessions.session import HUMAN, Session

CHECKOUT = Path(__file__).parents[3]
NAMES = ["Me", "Anna", "Tom"]
SHORT = {"hand-size": 4, "target": 30}
TOLD = re.compile(r"^(\w+) (?:leads|answers with|follows with) (\d+)", re.MULTILINE)


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


# ---- each by itself ---------------------------------------------------------------------------------------------

HOSTILE = CHECKOUT / "tests" / "hostile"
BAD: dict[str, bytes] = {
    **{name: (HOSTILE / f"{name}.jsonl").read_bytes() for name in ("event-list", "record-escape", "winners99")},
    "empty": b"",
    "line-feeds": b"\n\n\n",
    "bytes": b"\xff\x00\n",
    "null": b"null\n",
    "deep": b"[" * 100_000 + b"\n",
    "no-players": b'{"event": "game", "game": "little-devils", "players": [], "set": {}, "seed": 1, "seats": []}\n',
    "odd-file": b'{"event": "game", "game": "gone", "players": ["a"], "set": {}, "seed": 1, "seats": ["random"],'
    b' "file": "\\u0000"}\n',
    "odd-seats": b'{"event": "game", "game": "gone", "players": ["a"], "set": {}, "seed": 1, "seats": [[]]}\n',
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_journal_keeps_nobody_from_the_others(name: str, data: Path, run: Run) -> None:
    good = new_session()
    play_on(good, 3)
    path = path_of(good)
    os.utime(path, (1, 1))
    (folder() / f"{name}.jsonl").write_bytes(BAD[name])
    listed = {saved.path.stem: saved for saved in saved_games()}
    assert listed[path.stem].moves == 3
    assert listed[path.stem].unfinished
    assert listed[name].winners is None
    assert path in [saved.path for saved in listed.values() if saved.unfinished]
    said = run("games", "--saved")
    assert said.code == 0
    assert "Me, Anna, and Tom" in said.out
    if not listed[name].unfinished:
        said = run("play", "--resume", "--fast", typed="quit\n")
        assert said.code == 0
        assert "The game is saved" in said.out
    said = run("play", "--resume", name, typed="")
    assert said.code in (1, 2)
    assert said.err


@pytest.mark.skipif(sys.platform == "win32", reason="there are other rights")
def test_a_journal_that_cannot_be_opened_is_told_and_keeps_nobody_from_the_others(
    monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    first, second = path_of(new_session()), path_of(new_session(seed=8))
    real = Path.open

    def closed(path: Path, *rest: Any, **others: Any) -> Any:
        if path == first:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, *rest, **others)

    monkeypatch.setattr(Path, "open", closed)
    assert {saved.path: saved.unfinished for saved in saved_games()} == {first: False, second: True}
    assert f"`{first}` cannot be opened: Permission denied" in run("games", "--saved").out
    said = run("play", "--resume", first.name)
    assert (said.code, said.err) == (1, f"`{first}` cannot be opened: Permission denied\n")


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\x85", "\x0b", "\x1c"])
def test_lines_end_at_line_feeds_only(odd: str) -> None:
    """A name or a folder may hold what other programs take for the end of a line."""
    game, names, seats = short_game(), [f"Me{odd}too", "Anna", "Tom"], ["random"] * 3
    journal = Journal.create(game, names, seats, 7, folder() / f"with{odd}break.rules.md")
    session = Session(game, names, seats, 7, journal)
    session.begin()
    play_on(session, 2)
    path = path_of(session)
    path.write_bytes("".join(f"{json.dumps(json.loads(line), ensure_ascii=False)}\n"
                             for line in path.read_text(encoding="utf-8").split("\n")[:-1]).encode())  # fmt: skip
    (saved,) = saved_games()
    assert (saved.damage, saved.moves, saved.players) == (None, 2, ["Me too", "Anna", "Tom"])
    assert saved.file is not None and odd in saved.file
    assert again(path).state == session.state


def test_names_that_are_saved_can_be_resumed_and_others_are_refused_at_once(run: Run) -> None:
    for name in ("A\u2028B", "A\x85B", "\x1b[31mEve", "\u202eEve", "\u200b"):
        said = run("play", "little-devils", "--players", "3", "--human", name, "--fast", typed="quit\n")
        assert said.code == 2
        assert "a name cannot have" in said.err
    assert saved_games() == []
    for name in ("Jörg", "Анна", "O'Neill, Jr", "李"):
        assert run("play", "little-devils", "--players", "3", "--human", name, "--fast", typed="quit\n").code == 0
        said = run("play", "--resume", "--fast", typed="quit\n")
        assert said.code == 0
        assert name in said.out


# ---- for its owner alone -------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="there are other rights")
def test_only_its_owner_can_read_a_journal(data: Path) -> None:
    before = os.umask(0)
    try:
        path = path_of(new_session())
        rights = [stat.S_IMODE(place.stat().st_mode) for place in (path, folder(), folder().parent)]
        assert rights == [0o600, 0o700, 0o700]
        folder().chmod(0o755)
        path_of(new_session(seed=8))
        assert stat.S_IMODE(folder().stat().st_mode) == 0o700
    finally:
        os.umask(before)


def drop_the_deal(lines: list[str]) -> None:
    lines.pop(next(i for i, line in enumerate(lines) if '"to": "hand[1]"' in line))


def swap_a_card(lines: list[str]) -> None:
    at = next(i for i, line in enumerate(lines) if '"to": "hand[1]"' in line)
    event = json.loads(lines[at])
    lines[at] = json.dumps({**event, "cards": event["cards"][::-1]})


def another_seed(lines: list[str]) -> None:
    lines[0] = json.dumps({**json.loads(lines[0]), "seed": 8, "check": checksum(NAMES, 8)})


def play_what_is_refused(lines: list[str]) -> None:
    """A move with a card that its player holds and may not play for the other cards in that hand."""
    game = short_game()
    state = game.start(7)
    for at in [i for i, line in enumerate(lines) if '"event": "move"' in line]:
        seat = game.player(state)
        held = game.view(state, seat or 0).places[f"hand[{seat}]"].cards or ()
        refused = set(held) - {game.choice(move)["card"] for move in game.legal_moves(state)}
        if refused:
            lines[at] = re.sub(r'"card": "\d+"', f'"card": "{refused.pop()}"', lines[at])
            return
        state = game.apply(state, game.legal_moves(state)[0])
    raise AssertionError


@pytest.mark.parametrize("change", [drop_the_deal, swap_a_card, another_seed, play_what_is_refused])
@pytest.mark.parametrize("rules", ["the same", "others"])
def test_no_hidden_card_is_told_of_a_damaged_game(change: Callable[[list[str]], None], rules: str, run: Run) -> None:
    session = new_session()
    play_on(session, 60)
    path = path_of(session)
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    change(lines)
    if rules == "others":
        lines[0] = json.dumps({**json.loads(lines[0]), "rules": "another"})
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for words in (["play", "--resume", str(path)], ["games", "--saved"], ["replay", "--fast", str(path)]):
        said = run(*words)
        told = re.sub(r"line \d+|\d+ moves?", "", said.err)
        assert "cards" not in told and "hand" not in told
        assert not re.search(r"\d", told.replace(str(path), ""))
        assert words[0] == "games" or (said.code in (1, 2) and "line" in said.err)
        if change is play_what_is_refused and words[0] != "games":
            assert "no such move can be made here" in said.err


# ---- full disks -----------------------------------------------------------------------------------------------------


class Full:
    """A disk on which only so many more bytes fit."""

    def __init__(self, file: BinaryIO, room: int) -> None:
        self.file, self.room = file, room

    def write(self, data: bytes) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = self.file.write(data[: self.room])
        self.room -= written
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


@pytest.mark.parametrize("room", [0, 1, 50, 130])
def test_a_move_that_does_not_fit_on_the_disk_leaves_no_trace_there(room: int) -> None:
    session = new_session()
    play_on(session, 4)
    assert session.journal
    whole, journal = session.journal.path.read_bytes(), session.journal
    journal.file = Full(journal.file, room)  # type: ignore[assignment]
    with pytest.raises(OSError, match="No space"):
        play_on(session, 1)
    assert journal.path.read_bytes() == whole
    assert again(path_of(session)).moves == 4


def test_a_game_that_cannot_begin_on_a_full_disk_leaves_no_journal(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr(Journal, "write", no_space)
    said = run("play", "little-devils", "--players", "3", "--human", "Me", "--fast", typed="quit\n")
    assert said.code == 0
    assert "This game cannot be saved: No space left on device" in said.err
    assert saved_games() == []


def no_space(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
@pytest.mark.parametrize("missing", [1, 60])
def test_going_on_where_the_disk_is_full_is_a_sentence_and_loses_nothing(data: Path, missing: int) -> None:
    """The last move is on the disk, but what followed from it is not, and there is no room for it."""
    session = new_session(["random"] * 3)
    while session.moves < 12:
        play_on(session, 1)  # the last of them ends the round
    path = path_of(session)
    data_there = path.read_bytes()
    at = data_there.rindex(b'{"event": "move"')
    cut = data_there.index(b"\n", at) + missing
    path.write_bytes(data_there[:cut])
    kept = data_there[: data_there[:cut].rindex(b"\n") + 1]

    def no_room() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (len(kept) + 20, len(kept) + 20))

    said = subprocess.run(
        command("--resume", str(path)), capture_output=True, text=True, env=environment(data), preexec_fn=no_room,
        check=False,
    )  # fmt: skip
    assert said.returncode == 1
    assert said.stderr == f"`{path}` cannot be written: File too large; no move of it is lost\n"
    assert path.read_bytes() == kept
    assert again(path).state == session.state


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_the_disk_fills_up_in_a_game_that_goes_on(data: Path) -> None:
    session = new_session()
    play_on(session, 4)
    path = path_of(session)
    whole = path.read_bytes()

    def no_room() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 100, len(whole) + 100))

    said = subprocess.run(
        command("--resume", str(path)), input="#1\n" * 5, capture_output=True, text=True, env=environment(data),
        preexec_fn=no_room, check=False,
    )  # fmt: skip
    assert said.returncode == 2
    assert said.stderr == "the last move could not be saved, all those before it are: File too large\n"
    assert path.read_bytes() == whole
    assert again(path).moves == 4


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
WAYS: tuple[list[str], ...] = ([], ["--teach"], ["--casual"])
"""Nothing that is explained or allowed besides makes the journal another one."""


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
        heard = killed(place, [*NEW, *WAYS[number % len(WAYS)]], rng.randrange(1, len(said)))
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
