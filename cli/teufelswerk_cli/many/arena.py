"""Bots against each other: many games, everyone in every seat, and how sure the figures are."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import TypeAlias

import click
from teufelswerk.base.texts import Text
from teufelswerk.interpreter.game import Game
from teufelswerk.model import Model, title_of
from teufelswerk.rulebook.words import term

from teufelswerk_cli.console.headline import with_rules_in_force
from teufelswerk_cli.console.speech import _, say, translator


@dataclass
class Standing:
    """What one of the bots has reached."""

    wins: float = 0.0
    results: dict[str, list[int]] = field(default_factory=dict)


def interval(share: float, games: int) -> tuple[float, float]:
    """Wilson's interval: where the true share lies, with 95 % confidence."""
    z = 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def mean(values: Sequence[int]) -> tuple[float, float]:
    """The mean, and half of the interval around it in which it lies with 95 % confidence."""
    average = sum(values) / len(values)
    if len(values) < 2:
        return average, 0.0
    variance = sum((value - average) ** 2 for value in values) / (len(values) - 1)
    return average, 1.96 * math.sqrt(variance / len(values))


def one_game(rules: Model, bots: Sequence[str], seed: int, shift: int) -> tuple[list[int], dict[str, list[int]]]:
    """The winners and what everyone has, by bot and not by seat; bot `i` sits at seat `i + shift`."""
    from teufelswerk.bots.company import Company

    game = Game(rules, len(bots))
    seats = {(number + shift) % len(bots): kind for number, kind in enumerate(bots)}
    outcome = game.outcome(Company(game, seats, seed).play(seed))
    assert outcome
    turned = {
        name: [values[(number + shift) % len(bots)] for number in range(len(bots))]
        for name, values in outcome.keeps.items()
        if all(isinstance(value, int) for value in values)
    }
    return [(seat - shift) % len(bots) for seat in outcome.winners], turned


Result: TypeAlias = tuple[list[int], dict[str, list[int]]]


def _chunk(source: tuple[str, dict[str, int]], bots: list[str], seeds: list[tuple[int, int]]) -> list[Result]:
    from teufelswerk.loading.model_cache import load_game

    rules = load_game(*source)
    return [one_game(rules, bots, seed, shift) for seed, shift in seeds]


def contest(
    path: str, settings: dict[str, int], bots: list[str], games: int, seed: int, jobs: int | None = None
) -> list[Standing]:
    """Plays the games, on all cores; each deal is played once, and the seats rotate from game to game."""
    standings = [Standing() for _ in bots]
    tasks = [(seed + number, number % len(bots)) for number in range(games)]
    jobs = min(jobs or os.cpu_count() or 1, games)
    size = max(1, min(10, games // (jobs * 2)))
    chunks = [tasks[start : start + size] for start in range(0, games, size)]
    if jobs == 1:
        results = [_chunk((path, settings), bots, chunk) for chunk in chunks]
    else:
        with ProcessPoolExecutor(jobs) as pool:
            results = list(pool.map(_chunk, [(path, settings)] * len(chunks), [bots] * len(chunks), chunks))
    for chunk in results:
        for winners, keeps in chunk:
            for number, standing in enumerate(standings):
                standing.wins += (number in winners) / len(winners) if winners else 0.0
                for name, values in keeps.items():
                    standing.results.setdefault(name, []).append(values[number])
    return standings


def show_contest(rules: Model, bots: list[str], standings: list[Standing], games: int) -> None:
    """Prints for each bot its share of the wins and what it has on average; a shared win counts in part."""
    show = translator().show
    title = title_of(rules)
    headline = _("{title}: {n} {n:game|games}, everyone in every seat in turn", title=title, n=games)
    click.echo(with_rules_in_force(headline, rules))
    for number, (bot, standing) in enumerate(zip(bots, standings, strict=True), 1):
        share = standing.wins / games
        low, high = interval(share, games)
        words = Text(
            "{number}  {bot}: won {share} % (95 %: {low} to {high})",
            number=number,
            bot=f"{bot:8}",
            share=show(100 * share).rjust(5),
            low=100 * low,
            high=100 * high,
        )
        parts = [say(words)]
        for name, values in standing.results.items():
            average, half = mean(values)
            kept = term(rules, name, "keep")
            parts.append(_("{kept}: {mean} ± {reach} on average", kept=kept, mean=average, reach=half))
        click.echo("; ".join(parts))
