"""The commands that play many games: at random or by bots, to sum them up, to compare, to measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click
from teufelswerk.base.texts import Text
from teufelswerk.model import Model

from teufelswerk_cli.console.first_learning import learn_first
from teufelswerk_cli.console.options import (
    FIRST_SEED,
    STOPPED,
    Command,
    Seconds,
    by_ending,
    cli,
    located,
    merged,
    model_of,
    need,
    refuse,
    with_crew,
    with_engine,
    with_language,
    with_settings,
    with_think,
)
from teufelswerk_cli.console.speech import _
from teufelswerk_cli.many.value_lists import Over, OverType

GAMES_OF_BOTS = 100
"""So many games are played if nobody says how many: bots take their time."""


def named_bots(bots: str, think: float | None) -> list[str]:
    """`careful,random`: the bots in their order."""
    from teufelswerk.bots.company import UnknownBot, kinds_of

    try:
        kinds = kinds_of(bots, think)
    except UnknownBot as problem:
        raise refuse(problem.message) from None
    if any(kind.startswith("expert") for kind in kinds):
        need("native")
    return kinds


def seated(rules: Model, players: int | None, bots: str | None, think: float | None) -> tuple[int, list[str]]:
    """How many play, and which bots, seat by seat: the last kind of those that are named for all that follow; none if
    no bots are to play."""
    kinds = named_bots(bots, think) if bots else []
    seats = players if players is not None else max(rules.min_players, len(kinds))
    if len(kinds) > seats:
        raise refuse(Text("{n} bots cannot sit at {seats} {seats:place|places}", n=len(kinds), seats=seats))
    kinds += kinds[-1:] * (seats - len(kinds))
    learn_first(rules, seats, kinds)
    return seats, kinds


def with_bots(command: Command) -> Command:
    """Bots may play; then there are fewer games if nobody says how many."""
    text = _("Bots play, and not chance: expert, careful, beginner, random, or several with commas.")
    return click.option("--bots", help=text)(with_think(command))


def bots_play(kinds: Sequence[str], engine: str | None) -> None:
    if kinds and engine not in (None, "reference"):
        raise refuse(Text("--bots is for the reference interpreter"))


def with_games(most: int, least: int = 1) -> Callable[[Command], Command]:
    text, usual = _("How many games."), _("{n}, or {few} where bots play", n=f"{most:,}", few=f"{GAMES_OF_BOTS}")
    return click.option("--games", "count", type=click.IntRange(least), show_default=usual, help=text)


def table_file(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A table is of the kind that its name ends in."""
    from teufelswerk_cli.many.simulation import TABLES

    if value is not None and by_ending(value, TABLES) == "parquet":
        need("sim")
    return value


@cli.command(help=_("Plays whole games with random legal moves and sums them up."))
@click.argument("game")
@click.option("--players", type=int, help=_("How many play; as few as possible if not said."))
@click.option("--games", "count", type=click.IntRange(1), default=100, show_default=True, help=_("How many games."))
@click.option("--seed", type=FIRST_SEED, default=1, show_default=True, help=_("The first game's seed."))
@click.option("--bots", help=_("Bots play, and not chance: expert, careful, beginner, random, or several with commas."))
@with_think
@click.option("--record", type=click.Path(dir_okay=False), help=_("Writes every event of every game to this file."))
@click.option("--record-legal", is_flag=True, help=_("Records all legal moves beside each move."))
@click.option(
    "--rows",
    type=click.Path(dir_okay=False),
    callback=table_file,
    help=_("Writes a line for each game: FILE.csv, FILE.jsonl or FILE.parquet."),
)
@with_crew
@with_engine
@with_settings
@with_language
def simulate(
    game: str,
    players: int | None,
    count: int,
    seed: int,
    record: str | None,
    record_legal: bool,
    bots: str | None,
    think: float | None,
    rows: str | None,
    jobs: int | None,
    cluster: str | None,
    engine: str | None,
    settings: tuple[dict[str, int], ...],
) -> None:
    from teufelswerk_cli.many import simulate_and_bench
    from teufelswerk_cli.many.spreading import Where

    rules = model_of(game, settings)
    seats, kinds = seated(rules, players, bots, think)
    if kinds and (record or engine not in (None, "reference")):
        raise refuse(Text("--bots is for the reference interpreter, and without --record"))
    if record:
        if rows or cluster or engine not in (None, "reference"):
            raise refuse(Text("--record is for the reference interpreter, and without --rows"))
        simulate_and_bench.record(rules, seats, (seed, count), record, record_legal)
    elif not simulate_and_bench.simulate(
        rules, seats, (seed, count), engine, kinds, rows, Where(jobs, cluster), refuse
    ):
        raise refuse(Text("stopped"), STOPPED)


@cli.command(
    help=_("Plays a game for every combination of some values, with the same seeds, and shows what they change.")
)
@click.argument("game")
@click.option(
    "--over",
    "overs",
    type=OverType(),
    multiple=True,
    required=True,
    metavar="NAME=FROM..TO:STEP",
    help=_("A value and what it is to be, as in hand-size=7..9 or target=50,75,100. Once or twice."),
)
@click.option("--players", type=int, help=_("How many play; as few as possible if not said."))
@with_games(1000)
@click.option("--seed", type=FIRST_SEED, default=1, show_default=True, help=_("The first game's seed."))
@with_bots
@click.option(
    "--measure", default="moves", show_default=True, help=_("What the map shows: moves, rounds, win, or what is kept.")
)
@click.option("--html", type=click.Path(dir_okay=False), help=_("Writes a page with the table and maps to this file."))
@click.option("--csv", type=click.Path(dir_okay=False), help=_("Writes the table to this file, for other programs."))
@with_crew
@with_engine
@with_settings
@with_language
def sweep(
    game: str,
    overs: tuple[Over, ...],
    settings: tuple[dict[str, int], ...],
    bots: str | None,
    think: float | None,
    count: int | None,
    **options: Any,
) -> None:
    from teufelswerk.compare.value_ranges import plain_numbers

    from teufelswerk_cli.many.sweep_command import Options, check_overs, sweep_values

    check_overs(overs, merged(settings))
    rules = model_of(game, settings)
    for over in overs:
        if over.name not in plain_numbers(rules):
            model_of(game, (*settings, {over.name: over.numbers[0]}))  # says which names there are
    seats, kinds = seated(rules, options.pop("players"), bots, think)
    bots_play(kinds, options["engine"])
    games = count or (GAMES_OF_BOTS if kinds else 1000)
    if not sweep_values(rules, overs, Options(seats, games, bots=tuple(kinds), **options)):
        raise refuse(Text("stopped"), STOPPED)


@cli.command(help=_("Lets bots play against each other, in all seats, and says who wins how often."))
@click.argument("game")
@click.option(
    "--bots",
    default="careful,random,random",
    show_default=True,
    help=_("The bots with commas, as in careful,random,random,random."),
)
@click.option(
    "--games",
    "count",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help=_("How many games, at least: every deal is played in every seating."),
)
@click.option("--until-sure", is_flag=True, help=_("Stops as soon as it is known whether the first bot plays better."))
@click.option("--seed", type=FIRST_SEED, default=1, show_default=True, help=_("The first game's seed."))
@click.option("--jobs", type=click.IntRange(1), help=_("How many processes; as many as there are cores if not said."))
@click.option("--json", "as_json", is_flag=True, help=_("One JSON object, for other programs."))
@with_think
@with_settings
@with_language
def arena(
    game: str,
    bots: str,
    count: int,
    until_sure: bool,
    seed: int,
    jobs: int | None,
    as_json: bool,
    think: float | None,
    settings: tuple[dict[str, int], ...],
) -> None:
    from teufelswerk_cli.many import arena, tournament
    from teufelswerk_cli.many.simulation import progress

    kinds = named_bots(bots, think)
    rules = model_of(game, settings)
    tournament.fits(rules, kinds)
    learn_first(rules, len(kinds), kinds)
    if set(kinds) != {"random"}:
        tournament.prepare(rules, len(kinds))
    with progress(tournament.games_of(kinds, count)) as advance:
        source = str(located(game)), merged(settings)
        found = tournament.contest(source, kinds, count, seed, jobs, until_sure, advance)
    if as_json:
        click.echo(arena.as_json(rules, merged(settings), seed, found))
    else:
        arena.show_tournament(rules, found, until_sure)
    if found.stopped:
        raise refuse(Text("stopped"), STOPPED)


@cli.command(help=_("Learns a game by playing it against itself, so that `expert` plays it better."))
@click.argument("game")
@click.option("--players", type=int, help=_("How many play; four if they may, if not said."))
@click.option(
    "--stages", type=click.IntRange(1, 100), default=6, show_default=True, help=_("How often it starts over.")
)
@click.option(
    "--decisions",
    type=click.IntRange(100, 1_000_000),
    default=30_000,
    show_default=True,
    help=_("How many decisions it tries out in a stage."),
)
@click.option("--seed", type=FIRST_SEED, default=1, show_default=True, help=_("The same seed learns the same."))
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False),
    help=_("Writes what was learned to this file, and keeps it nowhere else."),
)
@with_settings
@with_language
def train(
    game: str,
    players: int | None,
    stages: int,
    decisions: int,
    seed: int,
    out: str | None,
    settings: tuple[dict[str, int], ...],
) -> None:
    need("native")
    from teufelswerk.bots.self_play import Schooling

    from teufelswerk_cli.many import train_command

    rules = model_of(game, settings)
    seats = train_command.usual_players(rules) if players is None else players
    train_command.train(rules, game, seats, Schooling(stages, decisions, seed), out)


# ---- report ---------------------------------------------------------------------------------------------------------


@cli.command(
    help=_("Plays a game many times, and variants beside it on the same seeds, and writes what they do as a web page.")
)
@click.argument("game")
@click.argument("variants", nargs=-1, metavar="[" + _("VARIANT") + "]…")
@click.option("--players", type=int, help=_("How many play; as few as possible if not said."))
@with_games(5000, 2)
@click.option("--seed", type=FIRST_SEED, default=1, show_default=True, help=_("The first game's seed."))
@with_bots
@click.option(
    "-o",
    "--out",
    type=click.Path(dir_okay=False),
    show_default=_("GAME") + "-report.html",
    help=_("The file to write."),
)
@with_crew
@with_engine
@with_settings
@with_language
def report(
    game: str,
    variants: tuple[str, ...],
    players: int | None,
    count: int | None,
    seed: int,
    bots: str | None,
    think: float | None,
    out: str | None,
    jobs: int | None,
    cluster: str | None,
    engine: str | None,
    settings: tuple[dict[str, int], ...],
) -> None:
    from teufelswerk_cli.many.report_command import repeated, variant_models, write_report
    from teufelswerk_cli.many.spreading import Where

    rules = model_of(game, settings)
    models = [rules, *variant_models(game, variants, merged(settings))]
    least = max(each.min_players for each in models) if players is None and not bots else players
    seats, kinds = seated(rules, least, bots, think)
    bots_play(kinds, engine)
    command = repeated(game, variants, seats, seed, merged(settings), ",".join(kinds) or None)
    games = count or (GAMES_OF_BOTS if kinds else 5000)
    write_report(models, seats, (seed, games), engine, Where(jobs, cluster), out, command, kinds)


# ---- bench ----------------------------------------------------------------------------------------------------------


@cli.command(help=_("Measures how many moves a second an engine plays."))
@click.argument("game")
@click.option("--players", type=int, help=_("How many play; as few as possible if not said."))
@click.option("--seconds", type=Seconds(0.01, 3600), default=2.0, show_default=True, help=_("How long to play."))
@with_engine
@click.option(
    "--from-positions", is_flag=True, help=_("Play on from the middle of games, and compare it with whole games.")
)
@click.option("--json", "as_json", is_flag=True, help=_("One JSON object, for other programs."))
@with_settings
@with_language
def bench(
    game: str,
    players: int | None,
    seconds: float,
    engine: str | None,
    from_positions: bool,
    as_json: bool,
    settings: tuple[dict[str, int], ...],
) -> None:
    from teufelswerk_cli.many.simulate_and_bench import bench

    bench(model_of(game, settings), players, engine, seconds, as_json, from_positions)
