"""Saved games: a record on disk that grows with every move, owned by one process at a time.

A journal is a record as `--record` writes it, with more fields in its first line: `seats`, who plays where, `file`, the
rule file if it does not come along, and `casual` if moves may be taken back against bots, each of which a line notes. A
move counts once its lines have reached the disk. What a sudden end leaves of a line that never got there is cut off;
anything else that does not fit is refused with the place, and without a word about hidden cards. It holds all hands of
a game that is still going on, so only its owner may read it.
"""

from __future__ import annotations

import contextlib
import os
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from teufelswerk.base.find_files import is_file
from teufelswerk.base.limits import MAX_RECORD_BYTES
from teufelswerk.base.texts import Text
from teufelswerk.base.user_folders import data_home
from teufelswerk.interpreter.game import Game, IllegalMove
from teufelswerk.interpreter.machine import Event
from teufelswerk.interpreter.records import (
    ANOTHER_LINE,
    NO_SUCH_MOVE,
    TAKEN_BACK,
    header,
    line_of,
    read,
    read_move,
    records,
    same,
)
from teufelswerk.interpreter.state import State, Unreadable

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl

SUFFIX = ".jsonl"


class Unusable(Exception):
    """A saved game that cannot be continued, and why."""

    def __init__(self, message: Text) -> None:
        super().__init__(str(message))
        self.message = message


def folder() -> Path:
    """Where saved games live: the platform's place for a user's data."""
    home = data_home()
    if home is None:
        raise Unusable(Text("there is no place for saved games: set `HOME` or `XDG_DATA_HOME`"))
    return home / "games"


@dataclass(frozen=True)
class Saved:
    """A saved game as the list shows it."""

    path: Path
    game: str
    players: list[str]
    moves: int
    changed: datetime
    winners: list[str] | None = None
    """By name, once the game is over."""
    file: str | None = None
    """The rule file, if it does not come along."""
    damage: Text | None = None

    @property
    def unfinished(self) -> bool:
        return self.winners is None and self.damage is None


def saved_games() -> list[Saved]:
    """All saved games, the latest first."""
    place = folder()
    try:
        paths = [path for path in place.iterdir() if path.name.endswith(SUFFIX) and is_file(path)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise Unusable(Text("`{path}` cannot be read: {reason}", path=str(place), reason=reason)) from None
    return sorted(map(summary, paths), key=lambda game: game.changed, reverse=True)


def summary(path: Path) -> Saved:
    """What a saved game is, or what is wrong with it; others have nothing to do with that."""
    changed = datetime.fromtimestamp(0)
    try:
        changed = datetime.fromtimestamp(path.stat().st_mtime)
        lines = parse(_content(path))[0]
    except Unusable as problem:
        return Saved(path, "", [], 0, changed, damage=problem.message)
    except OSError as problem:
        return Saved(path, "", [], 0, changed, damage=not_opened(path, problem))
    head, last = lines[0], lines[-1]
    game, players = str(head.get("variant") or head["game"]), list(map(str, head["players"]))
    moves = sum(line["event"] == "move" for line in lines)
    winners = [players[seat] for seat in last["winners"]] if last["event"] == "end" else None
    return Saved(path, game, players, moves, changed, winners, head.get("file"))


def find_saved(name: str) -> Path:
    """The file that `--resume` means: a path, a saved game's or a game's name, or a number of the list.

    For nothing at all it is the last unfinished game.
    """
    if name and is_file(Path(name)):
        return Path(name)
    unfinished = [saved for saved in saved_games() if saved.unfinished]
    if name:
        for path in (folder() / name, folder() / f"{name}{SUFFIX}"):
            if is_file(path):
                return path
        for number, saved in enumerate(unfinished, 1):
            if name in (saved.game, str(number)):
                return saved.path
        command = os.environ.get("TEUFELSWERK_COMMAND", "teufelswerk")
        raise Unusable(
            Text("there is no saved game `{name}`; `{command} games --saved` lists them", name=name, command=command)
        )
    if not unfinished:
        raise Unusable(Text("there is no unfinished game to go on with"))
    return unfinished[0].path


def _content(path: Path) -> bytes:
    """All of a journal, if it is one that can have been played."""
    with path.open("rb") as file:
        data = file.read(MAX_RECORD_BYTES + 1)
    if len(data) > MAX_RECORD_BYTES:
        raise Unusable(Text("this is no saved game: it has more than {limit} bytes", limit=MAX_RECORD_BYTES))
    return data


def not_opened(path: Path, problem: OSError) -> Text:
    return Text("`{path}` cannot be opened: {reason}", path=str(path), reason=problem.strerror or str(problem))


def parse(data: bytes) -> tuple[list[dict[str, Any]], int]:
    """The lines of a journal, and how many bytes of it are whole lines."""
    whole = data.rfind(b"\n") + 1
    if not whole:
        raise Unusable(Text("the saved game is empty"))
    rows = data[:whole].split(b"\n")[:-1]
    good = bisect_left(range(len(rows)), True, key=lambda count: _readable(rows[: count + 1]) is None)
    lines = _readable(rows[:good]) or []
    if good < len(rows):
        moves = sum(line["event"] == "move" for line in lines)
        raise damaged(good + 1, moves, Text("it is no line of a record"))
    seats = lines[0].get("seats")
    if not isinstance(seats, list) or [type(kind) for kind in seats] != [str] * len(lines[0]["players"]):
        raise damaged(1, 0, Text("it does not say who sits where"))
    return lines, whole


def _readable(rows: list[bytes]) -> list[dict[str, Any]] | None:
    """The record of one game, or None."""
    try:
        games = read(b"\n".join(rows).decode())
    except (UnicodeDecodeError, Unreadable):
        return None
    return games[0] if len(games) == 1 and len(games[0]) == len(rows) else None


def damaged(line: int, moves: int, why: Text) -> Unusable:
    if line == 1:
        return Unusable(Text("this is no saved game at its first line: {why}", why=why))
    return Unusable(
        Text(
            "the saved game is damaged at line {line}: {why}. It is good up to there, for {n} {n:move|moves}; "
            "cut off that line and all below it to go on from there",
            line=line,
            why=why,
            n=moves,
        )
    )


class Journal:
    """The open file of a game. Nobody else can open it for writing meanwhile."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self.file = file
        self.size = 0

    @classmethod
    def create(
        cls, game: Game, names: Sequence[str], seats: Sequence[str], seed: int, file: Path | None, casual: bool = False
    ) -> Journal:
        """A new journal with its first line."""
        place = private_folder()
        stamp = f"{game.rules.name}-{datetime.now():%Y%m%d-%H%M%S}"
        for number in range(1, 1000):
            path = place / f"{stamp}{'' if number == 1 else f'-{number}'}{SUFFIX}"
            try:
                handle = open(path, "xb", buffering=0, opener=_privately)  # noqa: SIM115
            except FileExistsError:
                continue
            break
        else:
            raise Unusable(Text("no name is left for a saved game in `{folder}`", folder=str(place)))
        journal = cls(path, handle)
        journal.lock()
        first = header(game, list(names), seed) | {"seats": list(seats)} | ({"casual": True} if casual else {})
        try:
            journal.write([first if file is None else first | {"file": str(file.resolve())}])
            _sync_folder(place)
        except OSError:
            journal.close()
            path.unlink(missing_ok=True)
            raise
        return journal

    @classmethod
    def open(cls, path: Path) -> tuple[Journal, list[dict[str, Any]]]:
        """An existing journal and its lines; the rest of a line that was never finished is cut off."""
        journal = cls(path, path.open("r+b", buffering=0))
        journal.lock()
        try:
            lines, journal.size = parse(_content(path))
            journal.cut(journal.size)
        except BaseException:
            journal.close()
            raise
        return journal, lines

    def lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self.file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.file.close()
            message = Text("the saved game `{name}` is being played in another window", name=self.path.name)
            raise Unusable(message) from None

    def write(self, lines: Iterable[dict[str, Any]]) -> None:
        """Appends lines; when this returns, they are on the disk. If they cannot get there, none of them is."""
        data = "".join(map(line_of, lines)).encode()
        before = self.size
        try:
            self.file.seek(before)
            while data:
                written = self.file.write(data)
                self.size += written
                data = data[written:]
            os.fsync(self.file.fileno())
        except OSError:
            with contextlib.suppress(OSError):
                self.cut(before)
            raise

    def note(self, player: int, moves: int) -> None:
        """Notes that a player has taken a move back, and with it so many in all."""
        self.write([{"event": TAKEN_BACK, "player": player, "moves": moves}])

    def append(self, events: Iterable[Event]) -> None:
        self.write(records(events))

    def cut(self, size: int) -> None:
        """Takes back everything after the first so many bytes."""
        self.file.truncate(size)
        os.fsync(self.file.fileno())
        self.size = size

    def close(self) -> None:
        self.file.close()


def private_folder() -> Path:
    """The folder of the saved games, for its owner alone."""
    place = folder()
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    place.mkdir(mode=0o700, exist_ok=True)
    with contextlib.suppress(OSError):  # somebody else's: the files in it are closed anyway
        if place.stat().st_mode & 0o077:
            place.chmod(0o700)
    return place


def _privately(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _sync_folder(path: Path) -> None:
    """Makes sure that the folder knows its new file."""
    if sys.platform != "win32":
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def play_again(
    game: Game, lines: list[dict[str, Any]], each: Callable[[State, list[Event]], None]
) -> tuple[State, list[Event]]:
    """Plays a journal up to its end: calls `each` for every move, and gives the position and the events that lack.

    Every line has to be what the rules say. Only the last move may lack lines: they never reached the disk.
    """
    places = [at for at, line in enumerate(lines) if line["event"] != TAKEN_BACK]
    lines = [lines[at] for at in places]
    events: list[Event] = []
    state = game.start(lines[0]["seed"], events)
    position, moves = 1, 0
    while True:
        expected = list(records(events))
        found = lines[position : position + len(expected)]
        for number, (line, wanted) in enumerate(zip(found, expected, strict=False)):
            if not same(line, wanted):
                raise damaged(places[position + number] + 1, max(moves - 1, 0), ANOTHER_LINE)
        each(state, events)
        if len(found) < len(expected):
            missing = [event for event in events if event.record["event"] != "told"][len(found) :]
            return state, missing
        position += len(expected)
        if position >= len(lines):
            return state, []
        events = []
        try:
            if game.is_over(state) or lines[position]["event"] != "move":
                raise Unreadable(NO_SUCH_MOVE)
            state = game.apply(state, read_move(game, lines[position], state), events)
        except (IllegalMove, Unreadable):  # why it is illegal would tell what somebody holds
            raise damaged(places[position] + 1, moves, NO_SUCH_MOVE) from None
        moves += 1
