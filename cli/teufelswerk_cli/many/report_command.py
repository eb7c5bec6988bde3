"""The command that plays a game and its variants many times and writes what they do on a page."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import click
from teufelswerk.base.diagnostics import RuleFileError
from teufelswerk.base.find_files import find
from teufelswerk.base.texts import Text
from teufelswerk.bots.bot_games import BotEngine
from teufelswerk.engines.random_games import Engine, make_engine
from teufelswerk.loading.model_cache import load_model
from teufelswerk.model import Model
from teufelswerk.report.gathering import compared_of, sample_of
from teufelswerk.report.page import Making, render

from teufelswerk_cli.console.new_file import new_file
from teufelswerk_cli.console.options import STOPPED, VARIANT, WRONG, Refused, refuse
from teufelswerk_cli.console.speech import complain, say, translator
from teufelswerk_cli.many import simulation
from teufelswerk_cli.many.portion import Lost, Work
from teufelswerk_cli.many.spreading import Where


def variant_models(game: str, variants: Sequence[str], values: dict[str, int]) -> list[Model]:
    """The variants by name or path, each with the same values changed; what is wrong with one ends the command."""
    found = []
    for variant in variants:
        try:
            found.append(load_model(find(game, variant), values))
        except RuleFileError as problem:
            complain(problem.diagnostics)
            raise Refused(WRONG) from None
    return found


def engine_for(rules: Model, players: int, name: str | None, games: int, bots: Sequence[str] = ()) -> Engine:
    """An engine that counts: the one that was asked for, or the fastest; or one whose games bots play."""
    if bots:
        return BotEngine(rules, bots, counting=True)
    return make_engine(rules, players, name, games, counting=True)


def write_report(
    models: Sequence[Model],
    players: int,
    seeds: tuple[int, int],
    engine: str | None,
    where: Where,
    output: str | None,
    command: Sequence[str],
    bots: Sequence[str] = (),
) -> None:
    """Plays all games on the same seeds, and writes the page; after Ctrl-C one about the games played so far."""
    engines = [engine_for(rules, players, engine, seeds[1], bots) for rules in models]
    path = output or f"{models[0].name}-report.html"
    with new_file(path) as part:  # before the games: nobody waits for a page that cannot be written
        sums = played(engines, seeds, where)
        games = sums.tallies[0].games
        if games > 1:  # a single game tells nothing about any other
            samples = [sample_of(each, tally) for each, tally in zip(engines, sums.tallies, strict=True)]
            compared = [compared_of(models[0], players, paired) for paired in sums.pairs]
            used = list(dict.fromkeys(each.name for each in engines))
            making = Making(shlex.join([*command, "--games", str(games)]), seeds[0], ", ".join(used), tuple(bots))
            part.write_bytes(render(samples, compared, making, translator()))
    if games > 1:
        click.echo(say(Text("written to `{path}`", path=path)))
    if sums.stopped:
        raise refuse(Text("stopped"), STOPPED)


def played(engines: Sequence[Engine], seeds: tuple[int, int], where: Where) -> simulation.Sums:
    for each in engines:
        if each.name == "native":
            each.play(seeds[0])  # made once and kept on the disk, before every process asks for it

    def failed(number: int, seed: int) -> None:
        engines[number].play(seed)  # raises what is wrong

    works = [Work.of(each, from_beginner=True) for each in engines]
    try:
        return simulation.play(works, seeds, where, failed, paired=True)
    except Lost as problem:
        raise refuse(problem.message) from None


def repeated(
    game: str, variants: Sequence[str], players: int, seed: int, values: dict[str, int], bots: str | None = None
) -> list[str]:
    """The command that makes the same page again, but for the number of games."""
    chosen = click.get_current_context().meta.get(VARIANT)
    options = {
        "--variant": chosen,
        "--bots": bots,
        "--players": players,
        "--seed": seed,
        "--lang": translator().language,
    }
    settings = [part for name, number in values.items() for part in ("--set", f"{name}={number}")]
    given = [part for name, value in options.items() if value is not None for part in (name, str(value))]
    return ["teufelswerk", "report", game, *variants, *given, *settings]
