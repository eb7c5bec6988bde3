"""`teufelswerk play`: asks what has not been said, seats everyone, and goes on where a game was left."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
from teufelswerk.base.find_files import shipped
from teufelswerk.base.hidden_characters import unfit_as_name
from teufelswerk.base.texts import Text
from teufelswerk.bots.company import UnknownBot, kinds_of
from teufelswerk.interpreter.game import Game
from teufelswerk.model import Model
from teufelswerk.sessions.journal import Journal, Unusable, find_saved, not_opened
from teufelswerk.sessions.session import ADVISER, BOT_NAMES, HUMAN, Session

from teufelswerk_cli.console.first_learning import learn_first
from teufelswerk_cli.console.options import need
from teufelswerk_cli.console.speech import _, command, say
from teufelswerk_cli.table.menu import ask_game
from teufelswerk_cli.table.screen import Left, Screen
from teufelswerk_cli.table.side_questions import command as asked
from teufelswerk_cli.table.sitting import Sitting

MOST_BOTS = 100
"""More than sit at any table: how many there is room for is known later."""
RECENT = 6
"""How many sentences one is reminded of when a game goes on."""


@dataclass
class Options:
    """What has been said on the command line."""

    game: str | None = None
    players: int | None = None
    humans: tuple[str, ...] = ()
    bots: str | None = None
    think: float | None = None
    watch: bool = False
    seed: int | None = None
    speed: str = "normal"
    fast: bool = False
    casual: bool = False
    teach: bool = False
    step: bool = False
    resume: str | None = None
    settings: dict[str, int] = field(default_factory=dict)


Opened = Callable[[str, tuple[dict[str, int], ...]], Model]


class Trouble(Exception):
    """A game that cannot begin, and why."""

    def __init__(self, message: Text) -> None:
        super().__init__(str(message))
        self.message = message


def play_at_terminal(options: Options, opened: Opened) -> None:
    """Plays until nobody wants another game."""
    screen = Screen("none" if options.fast else options.speed, options.step)
    new = options.resume is None
    session = arranged(options, opened) if options.resume is None else resumed(options.resume, opened)
    teach = options.teach
    while sit(session, screen, new, teach):
        new, teach = True, False
        session = new_session(session.game, session.names, session.seats, new_seed(), session.casual)


def sit(session: Session, screen: Screen, new: bool, teach: bool = False, remarks: Sequence[str] = ()) -> bool:
    """Plays one game, or the rest of one; True if the players want another. It is headed by the remarks."""
    try:
        events = session.begin() if new else []
        table = Sitting(session, screen)
        table.teaching = teach
        table.messages += [
            (say(told.to(table.watcher), session.names), "") for told in session.told[-RECENT:] if not new
        ]
        with screen.table():
            table.remark(remarks)
            if new:
                table.opened(events)
            table.run()
        for line in table.result():
            screen.print(line)
        if not screen.fancy or not session.people:
            return False
        return another(screen)
    except (Left, KeyboardInterrupt):
        screen.print()
        if session.journal is not None and not session.game.is_over(session.state):
            screen.print(_("The game is saved. To go on, type `{command} play --resume`.", command=command()))
        return False
    except BrokenPipeError:
        raise
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise Trouble(
            Text("the last move could not be saved, all those before it are: {reason}", reason=reason)
        ) from None
    finally:
        if session.journal is not None:
            session.journal.close()


def another(screen: Screen) -> bool:
    """Whether the players want another game; asked again until the answer is one."""
    yes, no = ("", "y", "yes", _("yes"), _("yes")[:1]), ("n", "no", _("no"), _("no")[:1])
    while True:
        answer = screen.read(_("Another game with the same seats? (Enter: yes, n: no)") + " > ").lower()
        if answer in yes or answer in no:
            return answer in yes
        if (found := asked(answer)) is not None and found[0] == "quit":
            return False


def new_seed() -> int:
    return int.from_bytes(os.urandom(4), "big")


def new_session(game: Game, names: list[str], seats: list[str], seed: int, casual: bool = False) -> Session:
    """A game with a journal of its own."""
    try:
        journal = Journal.create(game, names, seats, seed, rule_file(game.rules), casual)
    except OSError as problem:
        click.echo(_("This game cannot be saved: {reason}", reason=problem.strerror or str(problem)), err=True)
    except Unusable as problem:
        click.echo(_("This game cannot be saved: {reason}", reason=say(problem.message)), err=True)
    else:
        return Session(game, names, seats, seed, journal, casual)
    return Session(game, names, seats, seed, None, casual)


def rule_file(rules: Model) -> Path | None:
    """Where the rules are, unless they come along."""
    path = Path(rules.source.path)
    return None if path.resolve() in {p.resolve() for p in shipped().values()} else path


# ---- a new game -----------------------------------------------------------------------------------------------------


def arranged(options: Options, opened: Opened) -> Session:
    """Asks for whatever has not been said, if what has been said can be."""
    bot_seats(options.bots, MOST_BOTS, options.think)
    rules = opened(options.game or ask_game(), (options.settings,))
    players = options.players if options.players is not None else ask_players(rules, options)
    game = Game(rules, players)
    names, people = names_at_table(options, players)
    seats = [HUMAN] * people + bot_seats(options.bots, players - people, options.think)
    seed = new_seed() if options.seed is None else options.seed
    learn_first(game.rules, players, seats)
    return new_session(game, names, seats, seed, options.casual)


def names_at_table(options: Options, players: int) -> tuple[list[str], int]:
    """The names of all, people first, and how many of them are people; these are asked for if they were not said."""
    people = list(options.humans)
    if not people and not options.watch:
        answer = click.prompt(_("Your name? Several people at this screen: names with commas"), default=_("Alex"))
        people = [name.strip() for name in answer.split(",") if name.strip()]
    for reason in map(unfit_as_name, people):
        if reason is not None:
            raise Trouble(reason)
    if len(people) > players:
        raise Trouble(
            Text("{n} {n:person|people} cannot sit at {players} {players:place|places}", n=len(people), players=players)
        )
    if len(set(people)) < len(people):
        raise Trouble(Text("two people have the same name"))
    named = {name: say(Text(name, msgctxt="person")) for name in BOT_NAMES}
    names = [*people, *(said for name, said in named.items() if not {name, said} & set(people))][:players]
    names += [_("Player {n}", n=seat + 1) for seat in range(len(names), players)]
    return names, len(people)


def bot_seats(said: str | None, count: int, think: float | None = None) -> list[str]:
    """`careful`, or `careful,random`: the bots in their order, the last one for all that follow."""
    try:
        kinds = kinds_of(said or ADVISER, think)
    except UnknownBot as problem:
        raise Trouble(problem.message) from None
    if any(kind.startswith("expert") for kind in kinds):
        need("native")
    if len(kinds) > max(count, 1):
        raise Trouble(Text("{n} bots cannot sit at {seats} {seats:place|places}", n=len(kinds), seats=count))
    return (kinds + kinds[-1:] * count)[:count]


def ask_players(rules: Model, options: Options) -> int:
    low, high = rules.min_players, rules.max_players
    if low == high:
        return low
    default = max(low, min(high, max(4, len(options.humans))))
    if options.humans or options.watch:
        return default
    question = _("How many players, from {low} to {high}?", low=low, high=high)
    return int(click.prompt(question, default=default, type=click.IntRange(low, high)))


# ---- a saved game ---------------------------------------------------------------------------------------------------


def resumed(name: str, opened: Opened) -> Session:
    """The session that a journal describes, at its last move."""
    path = find_saved(name)
    try:
        journal, lines = Journal.open(path)
    except OSError as problem:
        raise Unusable(not_opened(path, problem)) from None
    head = lines[0]
    settings = {str(key): value for key, value in head["set"].items() if isinstance(value, int)}
    rules = opened(str(head.get("file") or head.get("variant") or head["game"]), (settings,))
    names = [str(name) for name in head["players"]]
    seats = [str(kind) for kind in head["seats"]]
    try:
        kinds_of(",".join(kind for kind in seats if kind != HUMAN) or ADVISER)
    except UnknownBot as problem:
        raise Unusable(problem.message) from None
    session = Session(Game(rules, len(names)), names, seats, int(head["seed"]), journal, head.get("casual") is True)
    if head.get("rules") != rules.digest:
        click.echo(
            _("The rules have changed since this game was begun; it goes on if all its moves still fit."), err=True
        )
    try:
        session.resume(lines)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        message = Text("`{path}` cannot be written: {reason}; no move of it is lost", path=str(path), reason=reason)
        raise Unusable(message) from None
    return session
