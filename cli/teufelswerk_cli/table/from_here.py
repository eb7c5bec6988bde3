"""`teufelswerk play GAME --from PLACE`: begins a game where an example or a rule stands; it is not saved."""

from __future__ import annotations

from dataclasses import dataclass

from teufelswerk.base.texts import Text
from teufelswerk.examples.begin_here import Moment, NoBeginning, Where, come_to, found_at, go_on_from
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.state import State
from teufelswerk.loading.library import Loaded
from teufelswerk.sessions.session import HUMAN, Session

from teufelswerk_cli.console.first_learning import learn_first
from teufelswerk_cli.console.speech import _
from teufelswerk_cli.table.play import Options, Trouble, ask_players, bot_seats, names_at_table, new_seed, sit
from teufelswerk_cli.table.screen import Screen


@dataclass(frozen=True)
class Here:
    """A place in a rule file, the table that a game is played at from there, and who of it are people."""

    where: Where
    game: Game
    state: State
    names: list[str]
    humans: list[int]


def play_from_here(options: Options, loaded: Loaded, place: str) -> None:
    """Plays from there until nobody wants to try it again."""
    screen = Screen("none" if options.fast else options.speed, options.step)
    seed = new_seed() if options.seed is None else options.seed
    session, remarks = begun(options, loaded, place, seed)
    while sit(session, screen, True, options.teach, remarks):
        session, remarks = begun(options, loaded, place, new_seed())


def begun(options: Options, loaded: Loaded, place: str, seed: int) -> tuple[Session, list[str]]:
    """A table at which the game stands there, and what is to be said of it."""
    assert loaded.model is not None
    try:
        where = found_at(loaded.model, loaded.scenes, place)
        of_place = _in_example if isinstance(where, Moment) else _in_rule
        here = of_place(where, options, loaded, seed)
    except NoBeginning as problem:
        raise Trouble(problem.message) from None
    count = here.game.players
    bots = iter(bot_seats(options.bots, count - len(here.humans), options.think))
    seats = [HUMAN if seat in here.humans else next(bots) for seat in range(count)]
    learn_first(here.game.rules, count, seats)
    session = Session(here.game, here.names, seats, seed, None, casual=True, start=here.state)
    return session, _remarks(here)


def _remarks(here: Here) -> list[str]:
    if not isinstance(here.where, Moment):
        return [_("This game begins at `{name}`, after moves at random. It is not saved.", name=here.where.name)]
    scene = here.where.scene
    line = max([scene.span.line, *(line.span.line for line in here.where.lines)])
    words = [
        _(
            "This game begins in line {line}, in “{example}”. What the example leaves open is dealt by lot."
            " It is not saved.",
            line=line,
            example=scene.heading,
        )
    ]
    if len(here.humans) == 1:
        words.append(_("You are {name}.", name=here.names[here.humans[0]]))
    return words


def _in_example(moment: Where, options: Options, loaded: Loaded, seed: int) -> Here:
    """Those of the example sit at the table; a person is who decides first, if nothing else is said."""
    assert loaded.model is not None and isinstance(moment, Moment)
    people = list(moment.people)
    strangers = [name for name in options.humans if name not in people]
    if strangers:
        raise Trouble(
            Text("nobody is called {name} in this example; there are {people}", name=strangers[0], people=people)
        )
    if options.players not in (None, len(people)):
        raise Trouble(Text("{n} {n:person sits|people sit} at the table of this example", n=len(people)))
    game, state = go_on_from(loaded.model, moment, seed)
    first = game.player(state)
    humans = [people.index(name) for name in options.humans] or [first or 0]
    return Here(moment, game, state, people, [] if options.watch else humans)


def _in_rule(rule: Where, options: Options, loaded: Loaded, seed: int) -> Here:
    """The first person sits where the first decision is made, the others to their left."""
    assert loaded.model is not None and not isinstance(rule, Moment)
    rules = loaded.model
    game = Game(rules, options.players if options.players is not None else ask_players(rules, options))
    names, people = names_at_table(options, game.players)
    state = come_to(game, rule, seed)
    first = game.player(state) or 0
    order = [(seat - first) % game.players for seat in range(game.players)]
    return Here(rule, game, state, [names[i] for i in order], [seat for seat, i in enumerate(order) if i < people])
