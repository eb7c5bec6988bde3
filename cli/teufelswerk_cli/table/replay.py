"""`teufelswerk replay`: a record shown as the table would, up to the first line that no longer fits the rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from teufelswerk.base.limits import MAX_RECORD_BYTES
from teufelswerk.base.texts import Text
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.records import Divergence, read, rule_file
from teufelswerk.interpreter.records import replay as replayed
from teufelswerk.interpreter.state import Unreadable
from teufelswerk.model import Model
from teufelswerk.sessions.session import Session

from teufelswerk_cli.console.speech import _
from teufelswerk_cli.table.screen import Left, Screen
from teufelswerk_cli.table.sitting import Sitting


def replay_file(file: str, step: bool, fast: bool, opened: Callable[..., Model]) -> Text | None:
    """Shows all games of the file; gives the first difference from the rules in force, if there is one."""
    try:
        with Path(file).open("rb") as record:
            data = record.read(MAX_RECORD_BYTES + 1)
        if len(data) > MAX_RECORD_BYTES:
            message = Text(
                "`{path}` cannot be read: a record has at most {limit} bytes", path=file, limit=MAX_RECORD_BYTES
            )
            raise Unreadable(message)
        games = read(data.decode())
    except OSError as problem:
        raise Unreadable(Text("`{path}` cannot be read: {reason}", path=file, reason=problem.strerror or "")) from None
    except UnicodeDecodeError:
        raise Unreadable(Text("`{path}` is not UTF-8 text", path=file)) from None
    screen, first = Screen("none" if fast else "normal", step), 0
    for lines in games:
        try:
            show_game(lines, Path(file), screen, opened)
        except Left:
            return None
        except Divergence as problem:
            line = first + problem.line + 2
            if problem.line + 1 >= len(lines) and lines[-1]["event"] != "end":
                if "seats" not in lines[0]:
                    raise Unreadable(
                        Text("the record ends at line {line}, before the game does", line=line - 1)
                    ) from None
                screen.print(_("The record ends here, before the game does."))
            elif problem.rules == lines[0].get("rules"):
                # These are the very rules that it was played by, so it is the record that has been changed.
                message = Text(
                    "line {line} of the record is not what was played: {why}", line=line, why=problem.message
                )
                raise Unreadable(message) from None
            else:
                return Text("the record no longer fits the rules at line {line}: {why}", line=line, why=problem.message)
        first += len(lines)
    return None


def show_game(lines: list[dict[str, Any]], record: Path, screen: Screen, opened: Callable[..., Model]) -> None:
    head = lines[0]
    settings = {str(key): value for key, value in head["set"].items() if isinstance(value, int)}
    rules = opened(rule_file(head, record), (settings,))
    names = [str(name) for name in head["players"]]
    session = Session(Game(rules, len(names)), names, ["random"] * len(names), int(head["seed"]), None)
    table: Sitting | None = None
    with screen.table():
        try:
            for state, events in replayed(session.game, lines):
                before = session.state if table is not None else None
                session.state = state
                table = table or Sitting(session, screen)
                table.happened(before, events)
        except Divergence as problem:
            problem.rules = rules.digest
            raise
    if table is not None:
        for line in table.result():
            screen.print(line)
