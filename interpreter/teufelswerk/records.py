"""Games as JSON lines: writing what happened, reading it back, and checking it against the rules in force."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from teufelswerk.game import Game, IllegalMove
from teufelswerk.limits import MAX_NUMBER
from teufelswerk.machine import Event
from teufelswerk.model_cache import digest
from teufelswerk.shelf import SUFFIX, is_file, known
from teufelswerk.state import Move, State, Unreadable
from teufelswerk.texts import Text

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
FIELDS: dict[str, dict[str, type]] = {
    "game": {"game": str, "players": list, "seed": int, "set": dict},
    "step": {"name": str},
    "cards": {"cards": list, "from": str, "to": str},
    "keep": {"name": str},
    "move": {"player": int, "move": str, "choice": dict},
    "end": {"winners": list, "keeps": dict},
}


def header(game: Game, names: list[str], seed: int) -> dict[str, Any]:
    """The first line of a record. `file` is the rule file, if no name leads to it."""
    rules, path = game.rules, Path(game.rules.source.path)
    has_name = known().get(rules.name, Path()).resolve() == path.resolve()
    return {
        "event": "game",
        **({} if has_name or not path.is_file() else {"file": str(path.resolve())}),
        "game": rules.name if rules.variant is None else rules.sources[-1].name,
        "variant": rules.variant,
        "set": rules.changed_values,
        "players": names,
        "seed": seed,
        "rules": digest(rules),
    }


def rule_file(head: dict[str, Any], beside: Path) -> str:
    """What leads to the rules of a record: the file that it names, one of that name beside the record, or the name."""
    name = str(head.get("variant") or head["game"])
    places = [Path(str(head["file"]))] if head.get("file") else []
    found = next((path for path in [*places, beside.parent / f"{name}{SUFFIX}"] if is_file(path)), None)
    return str(found or head.get("file") or name) if name not in known() or head.get("file") else name


def records(events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    """What of an event stream is written down: everything but the sentences."""
    return (event.record for event in events if event.record["event"] != "told")


def write(file: TextIO, lines: Iterable[dict[str, Any]]) -> None:
    for line in lines:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")


def read(text: str) -> list[list[dict[str, Any]]]:
    """The games of a record file; a damaged line is refused with its number."""
    games: list[list[dict[str, Any]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise Unreadable(Text("line {n} of the record is not JSON", n=number)) from None
        kind = record.get("event") if isinstance(record, dict) else None
        if kind not in FIELDS:
            raise Unreadable(Text("line {n} of the record is no event", n=number))
        for name, type in FIELDS[kind].items():
            if not isinstance(record.get(name), type) or isinstance(record.get(name), bool):
                raise Unreadable(Text("line {n} of the record lacks a proper `{name}`", n=number, name=name))
        if kind == "game":
            _check_header(record, number)
            games.append([])
        elif not games:
            raise Unreadable(Text("the record does not begin with a `game` line"))
        games[-1].append(record)
    if not games:
        raise Unreadable(Text("the record is empty"))
    return games


def _check_header(record: dict[str, Any], number: int) -> None:
    """A record names its game by words that are names, and its rule file, if it does, by a text."""

    def refuse(name: str) -> Unreadable:
        return Unreadable(Text("line {n} of the record lacks a proper `{name}`", n=number, name=name))

    for name in ("game", "variant"):
        if record.get(name) is not None and not NAME.fullmatch(str(record[name])):
            raise refuse(name)
    if not isinstance(record.get("file", ""), str):
        raise refuse("file")
    if not all(isinstance(player, str) for player in record["players"]):
        raise refuse("players")
    if not all(type(value) is int and 0 <= value <= MAX_NUMBER for value in record["set"].values()):
        raise refuse("set")


class Divergence(Exception):
    """A record that no longer fits the rules: at which of its lines, and how."""

    def __init__(self, line: int, message: Text) -> None:
        super().__init__(str(message))
        self.line = line
        self.message = message
        self.rules: str | None = None
        """The fingerprint of the rules that it was compared with, where somebody knows."""


def replay(game: Game, lines: list[dict[str, Any]]) -> Iterator[tuple[State, list[Event]]]:
    """Plays a record again: each position with the events that led to it. Raises Divergence where it no longer fits."""
    expected = [line for line in lines[1:] if line["event"] != "game"]
    log: list[Event] = []
    state = game.start(lines[0]["seed"], log)
    position = _compare(expected, 0, log)
    yield state, log
    while not game.is_over(state):
        if position >= len(expected):
            raise Divergence(position, Text("the record ends before the game does"))
        entry = expected[position]
        if entry["event"] != "move":
            raise Divergence(position, Text("a move is due here, but the record has `{event}`", event=entry["event"]))
        log = []
        try:
            state = game.apply(state, read_move(game, entry, state), log)
        except IllegalMove as refused:
            raise Divergence(position, refused.reason) from None
        except Unreadable as problem:
            raise Divergence(position, problem.message) from None
        position = _compare(expected, position, log)
        yield state, log
    if position < len(expected):
        raise Divergence(position, Text("the record goes on after the end of the game"))


def _compare(expected: list[dict[str, Any]], position: int, log: list[Event]) -> int:
    for record in records(log):
        if position >= len(expected):
            raise Divergence(position, Text("the record ends before the game does"))
        written = {key: value for key, value in expected[position].items() if key != "legal"}
        if written != {key: value for key, value in record.items() if key != "legal"}:
            difference = json.dumps(record, ensure_ascii=False)
            raise Divergence(position, Text("by the rules in force this would be {event}", event=difference))
        position += 1
    return position


def read_move(game: Game, entry: dict[str, Any], state: State) -> Move:
    """The move that a record names, among all that the verb could choose."""
    for move in game.legal_moves(state):
        if game.describe(move) == {key: entry[key] for key in ("player", "move", "choice")}:
            return move
    machine = game.thaw(state)
    code = game.program.moves.get(entry["move"])
    if code is not None and game.mover(machine) == entry["player"]:
        machine.slots[code.move.slot] = entry["player"]
        for picks in code.combinations(machine):
            move = Move(entry["player"], entry["move"], picks)
            if game.choice(move) == entry["choice"]:
                return move
    raise Unreadable(Text("no such move can be made here"))
