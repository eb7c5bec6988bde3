"""Commands that play many games at once: `bench` measures the engines."""

from __future__ import annotations

import json
import time
from typing import Any

import click
from teufelswerk.compiled.engines import make_engine
from teufelswerk.model import Model
from teufelswerk.show import title_of
from teufelswerk.texts import Text

from teufelswerk_cli.speech import complain, say

FIRST_GAMES = 4


def measured(rules: Model, players: int, name: str | None, seconds: float) -> dict[str, Any]:
    """Plays for so many CPU seconds. What it takes to get ready, from the start of the process on, is told apart."""
    engine = make_engine(rules, players, name, games=1_000_000_000)
    if engine.note is not None:
        complain([engine.note])
    moves = games = seed = 0
    size = FIRST_GAMES
    engine.play(0)
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


def bench(rules: Model, players: int | None, name: str | None, seconds: float, as_json: bool) -> None:
    """Measures an engine and says how fast it was."""
    found = measured(rules, rules.min_players if players is None else players, name, seconds)
    if as_json:
        click.echo(json.dumps(found))
        return
    rate = f"{found['moves'] / found['seconds']:,.0f}"
    click.echo(
        say(
            Text(
                "{title} with {players} players, {engine}: {rate} moves a second, after {startup} seconds to get ready",
                title=title_of(rules),
                players=found["players"],
                engine=found["engine"],
                rate=rate,
                startup=f"{found['startup']:.2f}",
            )
        )
    )
