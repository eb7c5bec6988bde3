"""Games as JSON lines: writing what happened, reading it back, and checking it against the rules in force.

`docs/records.md` describes the lines. A record is data from anywhere: what we would not have written is refused, and
what follows from the rules has to be what they say. What does not, who played, is covered by a checksum.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from teufelswerk.base.find_files import SUFFIX, is_file, known
from teufelswerk.base.hidden_characters import unfit_as_name
from teufelswerk.base.limits import MAX_NUMBER, MAX_SEED
from teufelswerk.base.texts import Text
from teufelswerk.core.statements import Choice
from teufelswerk.interpreter.game import Game, IllegalMove
from teufelswerk.interpreter.machine import Event
from teufelswerk.interpreter.show import raw
from teufelswerk.interpreter.state import Move, State, Unreadable

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
NO_SUCH_MOVE = Text("no such move can be made here")
ANOTHER_LINE = Text("by the rules in force it would be another one")
FIELDS: dict[str, dict[str, type]] = {
    "game": {"game": str, "players": list, "seed": int, "set": dict},
    "step": {"name": str},
    "cards": {"cards": list, "from": str, "to": str},
    "turn": {"cards": list, "place": str, "way": str},
    "keep": {"name": str},
    "move": {"player": int, "move": str, "choice": dict},
    "end": {"winners": list, "keeps": dict},
    "undo": {"player": int, "moves": int},
}
TAKEN_BACK = "undo"
"""Notes that somebody has taken a move back, and with it so many in all. Nothing of the game follows from it."""


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
        "rules": rules.digest,
        "check": checksum(names, seed),
    }


def checksum(names: list[str], seed: int) -> str:
    """A short digest of what the rules cannot vouch for: it betrays a slip, not a forger, who could make it anew."""
    return hashlib.sha256(json.dumps([names, seed]).encode()).hexdigest()[:16]


def same(written: dict[str, Any], wanted: dict[str, Any]) -> bool:
    """Whether two lines say the same; `true` is not 1."""
    return written == wanted and json.dumps(written, sort_keys=True) == json.dumps(wanted, sort_keys=True)


def rule_file(head: dict[str, Any], beside: Path) -> str:
    """What leads to the rules of a record: the file that it names, one of that name beside the record, or the name."""
    name = str(head.get("variant") or head["game"])
    places = [Path(str(head["file"]))] if head.get("file") else []
    found = next((path for path in [*places, beside.parent / f"{name}{SUFFIX}"] if is_file(path)), None)
    return str(found or head.get("file") or name) if name not in known() or head.get("file") else name


def records(events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    """What of an event stream is written down: everything but the sentences."""
    return (event.record for event in events if event.record["event"] != "told")


def line_of(record: dict[str, Any]) -> str:
    """A line of a file, in letters that can be seen: whoever prints it or cuts it into lines gets what was meant."""
    line = json.dumps(record, ensure_ascii=False)
    return f"{line if line.isprintable() else json.dumps(record)}\n"


def write(file: TextIO, lines: Iterable[dict[str, Any]]) -> None:
    for line in lines:
        file.write(line_of(line))


def read(text: str) -> list[list[dict[str, Any]]]:
    """The games of a record file; a damaged line is refused with its number. Lines end at line feeds only."""
    games: list[list[dict[str, Any]]] = []
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else [], 1):
        record = _parsed(line, number)
        if record["event"] == "game":
            _check_header(record, number)
            games.append([])
        elif not games:
            raise Unreadable(Text("the record does not begin with a `game` line"))
        elif record["event"] == "end" and not _are_seats(record["winners"], len(games[-1][0]["players"])):
            raise _improper(number, "winners")
        games[-1].append(record)
    if not games:
        raise Unreadable(Text("the record is empty"))
    return games


def _improper(number: int, name: str) -> Unreadable:
    return Unreadable(Text("line {n} of the record lacks a proper `{name}`", n=number, name=name))


def _parsed(line: str, number: int) -> dict[str, Any]:
    """One event, with all that such an event must have."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise Unreadable(Text("line {n} of the record says something twice", n=number))
        return found

    def whole(written: str) -> Any:
        raise Unreadable(Text("line {n} of the record has a number that is not whole", n=number))

    try:
        record = json.loads(line, object_pairs_hook=once, parse_float=whole, parse_constant=whole)
    except Unreadable:
        raise
    except (ValueError, RecursionError):
        raise Unreadable(Text("line {n} of the record is not JSON", n=number)) from None
    kind = record.get("event") if isinstance(record, dict) else None
    if not isinstance(kind, str) or kind not in FIELDS:
        raise Unreadable(Text("line {n} of the record is no event", n=number))
    for name, type_ in FIELDS[kind].items():
        if type(record.get(name)) is not type_:
            raise _improper(number, name)
    return dict(record)


def _are_seats(found: list[Any], players: int) -> bool:
    return all(type(seat) is int and 0 <= seat < players for seat in found)


def _check_header(record: dict[str, Any], number: int) -> None:
    """A record names its game by names, its rule file by a text, and its players as people are called."""
    for name in ("game", "variant"):
        if record.get(name) is not None and not NAME.fullmatch(str(record[name])):
            raise _improper(number, name)
    for name in ("file", "rules", "check"):
        if not isinstance(record.get(name, ""), str):
            raise _improper(number, name)
    if not all(isinstance(player, str) for player in record["players"]):
        raise _improper(number, "players")
    if not all(type(value) is int and 0 <= value <= MAX_NUMBER for value in record["set"].values()):
        raise _improper(number, "set")
    if not 0 <= record["seed"] <= MAX_SEED:
        raise _improper(number, "seed")
    if "check" in record and record["check"] != checksum(record["players"], record["seed"]):
        message = Text("line {n} of the record is not what was written: its players or its seed were changed", n=number)
        raise Unreadable(message)
    record["players"] = [" ".join(player.split()) for player in record["players"]]
    if any(unfit_as_name(player) for player in record["players"]):
        raise _improper(number, "players")


class Divergence(Exception):
    """A record that no longer fits the rules: at which of its lines, and how."""

    def __init__(self, line: int, message: Text) -> None:
        super().__init__(str(message))
        self.line = line
        self.message = message
        self.rules: str | None = None
        """The fingerprint of the rules that it was compared with, where somebody knows."""


def replay(game: Game, lines: list[dict[str, Any]]) -> Iterator[tuple[State, list[Event]]]:
    """Plays a record again: each position with the events that led to it. Raises Divergence where it no longer fits.

    A game that people play at a table (it has `seats`) may still be going on: no hidden card of it is told.
    """
    places = [at for at, line in enumerate(lines[1:]) if line["event"] not in ("game", TAKEN_BACK)]
    try:
        yield from _replay(game, [lines[at + 1] for at in places], lines[0]["seed"], "seats" not in lines[0])
    except Divergence as problem:
        problem.line = places[problem.line] if problem.line < len(places) else len(lines) - 1
        raise


def _replay(
    game: Game, expected: list[dict[str, Any]], seed: int, open_to_all: bool
) -> Iterator[tuple[State, list[Event]]]:
    log: list[Event] = []
    state = game.start(seed, log)
    position = _compare(expected, 0, list(records(log)), open_to_all)
    yield state, log
    while not game.is_over(state):
        if position >= len(expected):
            raise Divergence(position, Text("the record ends before the game does"))
        entry = expected[position]
        if entry["event"] != "move":
            raise Divergence(position, Text("a move is due here, but the record has `{event}`", event=entry["event"]))
        log, before = [], state
        try:
            state = game.apply(state, read_move(game, entry, state), log)
        except IllegalMove as refused:
            raise Divergence(position, refused.reason if open_to_all else NO_SUCH_MOVE) from None
        except Unreadable as problem:
            raise Divergence(position, problem.message) from None
        wanted = list(records(log))
        if "legal" in entry:
            legal = [{"move": move.verb, "choice": game.choice(move)} for move in game.legal_moves(before)]
            wanted[0] = {**wanted[0], "legal": legal}
        position = _compare(expected, position, wanted, open_to_all)
        yield state, log
    if position < len(expected):
        raise Divergence(position, Text("the record goes on after the end of the game"))


def _compare(expected: list[dict[str, Any]], position: int, wanted: list[dict[str, Any]], open_to_all: bool) -> int:
    for record in wanted:
        if position >= len(expected):
            raise Divergence(position, Text("the record ends before the game does"))
        if not same(expected[position], record):
            raise Divergence(position, would_be(record) if open_to_all else ANOTHER_LINE)
        position += 1
    return position


def would_be(record: dict[str, Any]) -> Text:
    return Text("by the rules in force this would be {event}", event=json.dumps(record, ensure_ascii=False))


def _names(game: Game, chosen: Any, choice: Choice, thing: Any) -> bool:
    """Whether what a record says was chosen together names a thing."""
    named = chosen.get(choice.name) if isinstance(chosen, dict) else None
    return isinstance(named, list) and raw(game.rules, choice.type, thing, game.layout.place_names) in named


def read_move(game: Game, entry: dict[str, Any], state: State) -> Move:
    """The move that a record names, among all that the verb could choose."""
    for move in game.legal_moves(state):
        if game.describe(move) == {key: entry[key] for key in ("player", "move", "choice")}:
            return move
    machine = game.thaw(state)
    code = game.program.moves.get(entry["move"])
    if code is not None and game.mover(machine) == entry["player"]:
        machine.slots[code.move.slot] = entry["player"]
        for picks in code.combinations(machine, partial(_names, game, entry["choice"])):
            move = Move(entry["player"], entry["move"], picks)
            if game.choice(move) == entry["choice"]:
                return move
    raise Unreadable(NO_SUCH_MOVE)
