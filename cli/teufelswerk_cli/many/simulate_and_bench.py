"""Commands that play many games at once: `simulate` sums them up, `bench` measures the engines."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from teufelswerk.base.texts import Text
from teufelswerk.bots.bot_games import BotEngine
from teufelswerk.engines.position_games import PositionGames
from teufelswerk.engines.random_games import Engine, make_engine
from teufelswerk.engines.tally import Tally
from teufelswerk.model import Model, title_of
from teufelswerk.rulebook.words import term

from teufelswerk_cli.console.headline import with_rules_in_force
from teufelswerk_cli.console.new_file import new_file
from teufelswerk_cli.console.speech import _, say

if TYPE_CHECKING:
    from teufelswerk_cli.many.spreading import Where

FIRST_GAMES = 1


def measured(rules: Model, players: int, engine: Engine | PositionGames, seconds: float) -> dict[str, Any]:
    """Plays for so many CPU seconds. What it takes to get ready, from the start of the process on, is told apart."""
    moves = games = seed = 0
    size = FIRST_GAMES
    engine.count(0, 1)
    startup = time.process_time()
    used = 0.0
    while used < seconds:
        start = time.process_time()
        moves += engine.count(seed, size)
        took = time.process_time() - start
        used += took
        games += size
        seed += size
        if took < seconds / 10:
            size *= 2
    return {
        "game": rules.name,
        "players": players,
        "engine": engine.name,
        "moves": moves,
        "games": games,
        "seconds": round(used, 6),
        "startup": round(startup, 6),
    }


def bench(
    rules: Model, players: int | None, name: str | None, seconds: float, as_json: bool, from_positions: bool
) -> None:
    """Measures an engine and says how fast it was."""
    seats = rules.min_players if players is None else players
    found = measured(rules, seats, make_engine(rules, seats, name, games=1_000_000_000), seconds)
    rate = round(found["moves"] / found["seconds"])
    if from_positions:
        found = measured(rules, seats, PositionGames(rules, seats, found["engine"]), seconds) | {"whole": found}
    if as_json:
        click.echo(json.dumps(found))
        return
    if from_positions:
        own = found["moves"] / found["seconds"]
        message = Text(
            "{title} with {players} {players:player|players}, {engine}: {rate} moves a second from the middle of games "
            "on, {ratio} times as many as in whole games",
            title=title_of(rules),
            players=found["players"],
            engine=found["engine"],
            rate=round(own),
            ratio=round(own / rate, 2),
        )
        click.echo(say(message))
        return
    click.echo(
        say(
            Text(
                "{title} with {players} {players:player|players}, {engine}: {rate} moves a second, after "
                "{startup} seconds to get ready",
                title=title_of(rules),
                players=found["players"],
                engine=found["engine"],
                rate=rate,
                startup=float(found["startup"]),
            )
        )
    )


# ---- simulate -------------------------------------------------------------------------------------------------------


def chosen_engine(rules: Model, players: int, name: str | None, games: int) -> Engine:
    """The engine that was asked for, or the fastest."""
    return make_engine(rules, players, name, games)


def simulate(
    rules: Model,
    players: int,
    seeds: tuple[int, int],
    engine: str | None,
    bots: Sequence[str],
    rows: str | None,
    where: Where,
    refuse: Callable[[Text], Exception],
) -> bool:
    """Plays the games from the first seed on, and says how everyone fared. False if somebody stopped it."""
    from teufelswerk_cli.many import portion, simulation

    player = BotEngine(rules, bots) if bots else chosen_engine(rules, players, engine, seeds[1])
    work = portion.Work.of(player, rows is not None)
    if player.name == "native":
        player.play(seeds[0])  # made once and kept on the disk, before every process asks for it

    def failed(number: int, seed: int) -> None:
        player.play(seed)  # raises what is wrong

    try:
        table = simulation.rows_in(Path(rows), portion.columns(player)) if rows else nullcontext()
        with table as write:
            sums = simulation.play([work], seeds, where, failed, write)
    except portion.Lost as problem:
        raise refuse(problem.message) from None
    show(rules, player, sums.tallies[0])
    return not sums.stopped


def show(rules: Model, engine: Engine, tally: Tally) -> None:
    """How often each seat won, and what it had on average."""
    n, games = engine.players, tally.games
    headline = _(
        "{n} {n:game|games} of {title} with {players} {players:player|players}",
        n=games,
        title=title_of(rules),
        players=n,
    )
    click.echo(with_rules_in_force(headline, rules))
    if not games:
        return
    counted = [(keep.name, sums) for keep, sums in zip(engine.kept, tally.sums, strict=True) if keep.counts]
    names = [_("Player {n}", n=seat + 1) for seat in range(n)]
    if isinstance(engine, BotEngine):
        names = [f"{name} ({bot})" for name, bot in zip(names, engine.bots, strict=True)]
    together = rules.together(n)
    for seats in together:
        share, who = 100 * tally.wins[seats[0]] / games, [names[seat] for seat in seats]
        common = [kept for kept in counted if len(seats) == 1 or not _is_own(rules, kept[0])]
        means = _means(rules, common, seats[0], games)
        click.echo("; ".join([_("{player}: won {share} %", player=who, share=share), *means]))
    own = [kept for kept in counted if _is_own(rules, kept[0])] if rules.sides else []
    for seat, name in enumerate(names if own else []):
        click.echo(f"{name}: {'; '.join(_means(rules, own, seat, games))}")
    shared = sum(times for winners, times in tally.winners.items() if winners > len(together[0]))
    if shared:
        click.echo(_("In {n} {n:game|games} several players shared the win, which counts for each of them.", n=shared))
    if tally.winners[0]:
        click.echo(_("In {n} {n:game|games} nobody won.", n=tally.winners[0]))


def _is_own(rules: Model, kept: str) -> bool:
    """Whether each player has it alone."""
    key = rules.keeps[kept].key
    return key is not None and key.kind == "player"


def _means(rules: Model, kept: list[tuple[str, list[int]]], seat: int, games: int) -> list[str]:
    return [
        _("{kept}: {mean} on average", kept=term(rules, name, "keep"), mean=sums[seat] / games) for name, sums in kept
    ]


def record(rules: Model, players: int, seeds: tuple[int, int], file: str, legal: bool) -> None:
    """Plays the games with the reference interpreter and writes every event down."""
    from teufelswerk.interpreter.records import header, records, write

    engine, tally = make_engine(rules, players, "reference"), Tally()
    names = [_("Player {n}", n=seat + 1) for seat in range(players)]
    with new_file(file) as part, part.open("w", encoding="utf-8", newline="\n") as lines:
        for seed in range(seeds[0], sum(seeds)):
            log: list[Any] = []
            engine.add(tally, engine.recorded(seed, log, legal))
            write(lines, [header(engine.game, names, seed), *records(log)])
    show(rules, engine, tally)
