"""`teufelswerk host`: opens tables in the browser, says the links to them, and serves until it is stopped."""

from __future__ import annotations

import errno
from collections.abc import Sequence

import click
from teufelswerk.base.texts import Text
from teufelswerk.model import Model

from teufelswerk_cli.console.options import (
    FAILED,
    SEED,
    cli,
    merged,
    model_of,
    need,
    refuse,
    with_language,
    with_settings,
    with_think,
)
from teufelswerk_cli.console.speech import _, command, say

PORT = 8765


@cli.command(help=_("Opens a table in the browser: people join by a link from their phones and laptops."))
@click.argument("game", required=False)
@click.option("--players", type=int, help=_("How many play."))
@click.option("--bots", help=_("Who plays for the seats that stay free: `expert`, `careful`, `beginner` or `random`."))
@with_think
@click.option("--tables", type=click.IntRange(1, 1000), default=1, show_default=True, help=_("How many tables."))
@click.option("--lan", is_flag=True, help=_("Lets in others from your network, and not only this machine."))
@click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, help=_("Where to listen."))
@click.option(
    "--link",
    "public",
    metavar=_("ADDRESS"),
    help=_("Under which address others reach it, as in `https://example.org`."),
)
@click.option("--seed", type=SEED, help=_("Deals the same cards again."))
@click.option("--resume", is_flag=True, help=_("Opens the tables again whose games are not over."))
@with_settings
@with_language
def host(
    game: str | None,
    players: int | None,
    bots: str | None,
    think: float | None,
    tables: int,
    lan: bool,
    port: int,
    public: str | None,
    seed: int | None,
    resume: bool,
    settings: tuple[dict[str, int], ...],
) -> None:
    if game is None and not resume:
        raise refuse(Text("name the game to be played, as in `{command}`", command=f"{command()} host {_('GAME')}"))
    need("web")
    from teufelswerk.sessions.journal import Unusable
    from teufelswerk_web.server import host as serving
    from teufelswerk_web.tables.house import House

    bot = bot_of(bots, think)
    try:
        listening = serving.bound("0.0.0.0" if lan else "127.0.0.1", port)
    except OSError as problem:
        taken = problem.errno == errno.EADDRINUSE
        reason = Text("something listens there already") if taken else problem.strerror or str(problem)
        raise refuse(Text("port {port} cannot be opened: {reason}", port=str(port), reason=reason), FAILED) from None
    address = serving.own_address() if lan else None
    origin = (public or f"http://{address or '127.0.0.1'}:{port}").rstrip("/")
    house = House(origin)
    try:
        if resume:
            for wrong in house.reopen():
                click.echo(say(wrong), err=True)
        if game is not None:
            rules = model_of(game, (merged(settings),))
            for _number in range(tables):
                house.open(rules, number_of_players(rules, players), bot, seed=seed)
    except Unusable as problem:
        raise refuse(problem.message, FAILED) from None
    if not house.tables:
        raise refuse(Text("there is no unfinished game to go on with"), FAILED)
    named = serving.name_of(origin.partition("://")[2])
    hosts = {*serving.LOOPBACK, named, *([address] if address else [])}
    links = [house.arrangement.link(token) for token in house.tables]
    serving.run(house, hosts, listening, lambda: announce(links, lan, serving.qr_code(links[0])))


def bot_of(said: str | None, think: float | None) -> str:
    from teufelswerk.bots.company import UnknownBot, kinds_of
    from teufelswerk.sessions.session import ADVISER

    try:
        kinds = kinds_of(said or ADVISER, think)
    except UnknownBot as problem:
        raise refuse(problem.message) from None
    if len(kinds) > 1:
        raise refuse(Text("name one kind of bot: it plays for every seat that stays free"))
    if kinds[0].startswith("expert"):
        need("native")
    return kinds[0]


def number_of_players(rules: Model, said: int | None) -> int:
    """As many as are said, else four or as near to it as the game allows."""
    from teufelswerk.interpreter.game import Game

    players = max(rules.min_players, min(rules.max_players, 4)) if said is None else said
    return Game(rules, players).players


def announce(links: Sequence[str], lan: bool, picture: str) -> None:
    """Where to go."""
    click.echo()
    for link in links:
        click.echo(f"  {link}")
    click.echo()
    if len(links) == 1:
        click.echo(picture)
    click.echo(_("Open the link, and send it to whoever is to join: everyone takes a seat there."))
    if not lan:
        click.echo(_("Only this machine can reach it; with `--lan`, others in your network can too."))
    click.echo(_("Ctrl+C ends it. Every move is saved: `{command} host --resume` goes on.", command=command()))
