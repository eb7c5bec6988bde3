"""`teufelswerk referee`: asks who plays, answers what is said, and keeps it: a later call goes on from there."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from teufelswerk.base.hidden_characters import unfit_as_name
from teufelswerk.base.texts import Text
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.lower_game import core_of
from teufelswerk.core.walk import all_statements, everything_in
from teufelswerk.examples.hearing import Wanted
from teufelswerk.examples.real_table import NotFollowed
from teufelswerk.examples.scene_start import people
from teufelswerk.interpreter.machine import RuleError
from teufelswerk.model import Model
from teufelswerk.rulebook.words import term
from teufelswerk.sessions.journal import private_folder

from teufelswerk_cli.console.speech import _, command, say
from teufelswerk_cli.table.referee import Desk, Unclear, described
from teufelswerk_cli.table.screen import Left, Screen
from teufelswerk_cli.table.side_questions import spelled

SUFFIX = ".referee"


class Trouble(Exception):
    """A game that cannot be refereed, and why."""

    def __init__(self, message: Text) -> None:
        super().__init__(str(message))
        self.message = message


def answer(rules: Model, players: int | None, said: str) -> bool:
    """Answers one question: at the first decision of the game or of one of its steps at which it can be asked."""
    numbers = [players] if players else range(rules.min_players, rules.max_players + 1)
    desks = [Desk(rules, people(number), Screen()) for number in numbers]
    problem: Exception | None = None
    try:
        desks[0].known(said)
    except Unclear as trouble:
        raise Trouble(Text("{words}", words=trouble.words)) from None
    for step in (None, *rules.steps):
        for desk in desks:
            try:
                if step is None:
                    desk.referee.begin()
                elif not desk.referee.begin_at(step):
                    continue
                return desk.may(said, desk.referee)
            except (NotFollowed, Unclear) as trouble:
                problem = problem or trouble
            except Wanted:
                problem = problem or Unclear(_("that hangs on cards of which nothing is said"))
    message = problem.message if isinstance(problem, NotFollowed) else Text("{words}", words=str(problem))
    raise Trouble(message)


def referee_at_table(rules: Model, named: Sequence[str], settings: dict[str, int], resume: bool) -> None:
    """Follows a game until somebody leaves."""
    screen = Screen()
    found = latest(rules.name) if resume else None
    if resume and found is None:
        raise Trouble(Text("there is no game of {game} to go on with", game=rules.name))
    names = [str(name) for name in found[1][0]["players"]] if found else list(named) or asked_names(rules)
    for reason in map(unfit_as_name, names):
        if reason is not None:
            raise Trouble(reason)
    if len({name.lower() for name in names}) < len(names):
        raise Trouble(Text("two people have the same name"))
    desk = Desk(rules, names, screen)
    desk.quiet = found is not None
    try:
        desk.begin()
    except NotFollowed as problem:
        example = f"{command()} referee {rules.name} --ask"
        message = Text(
            "this game cannot be followed, since {reason}; single questions are answered: `{command}`",
            reason=problem.message, command=example,
        )  # fmt: skip
        raise Trouble(message) from None
    notes = Notes(found[0], found[2]) if found else Notes(new_path(rules.name))
    if not found:
        notes.add({"referee": rules.name, "players": names, "set": settings})
    for line in found[1][1:] if found else ():
        heard(desk, str(line.get("said", "")))
    desk.quiet = False
    try:
        while not desk.referee.is_over:
            said = screen.read(desk.question(), words=[spelled(text)[0] for text in described().values()])
            with desk.noted_first():
                if said and (heard(desk, said) or desk.found):
                    notes.add({"said": said})
        desk.scores()
    except (Left, KeyboardInterrupt):
        screen.print()
        screen.print(_("To go on, type `{command} referee {game} --resume`.", command=command(), game=rules.name))
    finally:
        notes.file.close()


def heard(desk: Desk, said: str) -> bool:
    """Answers one line; whether it changed anything. A word that leaves raises Left."""
    word, _space, rest = said.partition(" ")
    names = {each.lower(): name for name, text in described().items() for each in (name, *spelled(text))}
    name = "help" if word == "?" else names.get(word.lower())
    if word.lower() in [each.lower() for each in desk.names]:
        name = None
    try:
        if name == "quit":
            raise Left
        if name is not None:
            return desk.obey(name, rest.strip())
        return desk.answer(said) if desk.pending is not None else desk.play(said)
    except Unclear as problem:
        desk.say(problem.words)
    except NotFollowed as problem:
        desk.say(say(problem.message, desk.names))
    except RuleError as problem:
        desk.say(say(problem.diagnostic.message))
    return False


def asked_names(rules: Model) -> list[str]:
    """Who plays, clockwise; lots that the rules draw fall on the first."""
    drawn = [
        say(term(rules, statement.target.keep.name, "keep"))
        for statement in all_statements(core_of(rules))
        if isinstance(statement, s.Becomes)
        and any(isinstance(form, f.Drawn) for form in everything_in(statement.value))
    ]
    question = (
        _("Who plays? Names with commas, clockwise; first who was drawn by lot ({what})", what=", ".join(drawn))
        if drawn
        else _("Who plays? Names with commas, clockwise")
    )
    typed: str = click.prompt(question)
    return [name.strip() for name in typed.split(",") if name.strip()]


class Notes:
    """Everything that was accepted, line by line, on the disk before the next question."""

    def __init__(self, path: Path, size: int = 0) -> None:
        self.path = path
        handle = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        self.file = os.fdopen(handle, "ab", buffering=0)
        self.file.truncate(size)

    def add(self, line: dict[str, Any]) -> None:
        self.file.write(f"{json.dumps(line)}\n".encode())
        os.fsync(self.file.fileno())


def latest(game: str) -> tuple[Path, list[dict[str, Any]], int] | None:
    """The notes of the last game that was refereed, what they say, and how long that is; the rest of a line that never
    got there counts for nothing."""
    paths = sorted(private_folder().glob(f"{game}-*{SUFFIX}"), key=lambda path: path.stat().st_mtime_ns)
    for path in reversed(paths):
        lines: list[dict[str, Any]] = []
        size = 0
        for line in path.read_bytes().split(b"\n")[:-1]:
            try:
                read = json.loads(line)
            except (ValueError, RecursionError):
                break
            if not isinstance(read, dict):
                break
            lines.append(read)
            size += len(line) + 1
        if lines and isinstance(lines[0].get("players"), list):
            return path, lines, size
    return None


def new_path(game: str) -> Path:
    """Where nothing is yet."""
    stamp = f"{game}-{datetime.now():%Y%m%d-%H%M%S}"
    paths = (private_folder() / f"{stamp}{f'-{number}' if number else ''}{SUFFIX}" for number in range(1000))
    return next(path for path in paths if not path.exists())
