"""A tournament of bots → what people read of it, or one JSON object."""

from __future__ import annotations

import json
import math
from typing import Any

import click
from teufelswerk.base.texts import Text
from teufelswerk.model import Model, title_of
from teufelswerk.report.estimates import Estimate
from teufelswerk.rulebook.words import term

from teufelswerk_cli.console.headline import with_rules_in_force
from teufelswerk_cli.console.speech import _, say
from teufelswerk_cli.many.tournament import Standing, Tournament, elo


def show_tournament(rules: Model, found: Tournament, until_sure: bool) -> None:
    """For each kind of bot its share of the wins, what it has on average, and how long a decision takes; and how often
    the first of them does better than the others. A shared win counts in part."""
    headline = _(
        "{title}: {n} {n:game|games}, each of {deals} {deals:deal|deals} in every seating",
        title=title_of(rules),
        n=found.games,
        deals=found.deals,
    )
    click.echo(with_rules_in_force(headline, rules))
    if not found.deals:
        return
    for kind, standing in found.standings.items():
        click.echo("; ".join(line(rules, kind, standing)))
    first = found.kinds[0]
    for kind, sums in found.against.items():
        how = compared(first, kind, sums.estimate, found.games)
        click.echo(say(how))
    if until_sure:
        click.echo(_("That is sure enough.") if found.answered else _("Which of them plays better is not known yet."))


def line(rules: Model, kind: str, standing: Standing) -> list[str]:
    share = percent(standing.wins.estimate)
    won = (
        Text("{bot}: won {share} %", bot=kind, share=share.value)
        if math.isinf(share.high)
        else Text(
            "{bot}: won {share} % (95 %: {low} to {high})", bot=kind, share=share.value, low=share.low, high=share.high
        )
    )
    parts = [say(won)]
    for name, sums in standing.keeps.items():
        mean, kept = sums.estimate, term(rules, name, "keep")
        if math.isinf(mean.high):
            parts.append(_("{kept}: {mean} on average", kept=kept, mean=mean.value))
        else:
            reach = mean.high - mean.value
            parts.append(_("{kept}: {mean} ± {reach} on average", kept=kept, mean=mean.value, reach=reach))
    parts.append(_("{milliseconds} ms a decision", milliseconds=standing.milliseconds))
    return parts


def compared(first: str, kind: str, share: Estimate, games: int) -> Text:
    bounds = percent(share)
    if math.isinf(bounds.high):
        return Text(
            "{first} does better than {other} {share} % of the time", first=first, other=kind, share=bounds.value
        )
    return Text(
        "{first} does better than {other} {share} % of the time (95 %: {low} to {high}): an Elo difference of {elo} "
        "({least} to {most})",
        first=first,
        other=kind,
        share=bounds.value,
        low=bounds.low,
        high=bounds.high,
        elo=round(elo(share.value, games)),
        least=round(elo(share.low, games)),
        most=round(elo(share.high, games)),
    )


def percent(share: Estimate) -> Estimate:
    """A share in percent; its interval has an end, unless nothing is known of it."""
    found = share.times(100)
    if math.isinf(found.high):
        return found
    return Estimate(found.value, max(0.0, found.low), min(100.0, found.high))


def as_json(rules: Model, settings: dict[str, int], seed: int, found: Tournament) -> str:
    """The same for other programs; `null` where nothing is known."""

    def figures(estimate: Estimate) -> dict[str, float | None]:
        parts = {"mean": estimate.value, "low": estimate.low, "high": estimate.high}
        return {name: round(value, 6) if math.isfinite(value) else None for name, value in parts.items()}

    kinds: list[dict[str, Any]] = [
        {
            "bot": kind,
            "players": standing.players,
            "wins": figures(standing.wins.estimate),
            "kept": {name: figures(sums.estimate) for name, sums in standing.keeps.items()},
            "milliseconds": round(standing.milliseconds, 3),
            "decisions": standing.decisions,
        }
        for kind, standing in (found.standings.items() if found.deals else ())
    ]
    against = []
    for kind, sums in found.against.items() if found.deals else ():
        share = sums.estimate
        rating = {"mean": round(elo(share.value, found.games)), "low": None, "high": None}
        if math.isfinite(share.high):
            rating |= {"low": round(elo(share.low, found.games)), "high": round(elo(share.high, found.games))}
        against.append({"bot": found.kinds[0], "other": kind, "better": figures(share), "elo": rating})
    return json.dumps(
        {
            "game": rules.name,
            "set": settings,
            "bots": list(found.bots),
            "seed": seed,
            "games": found.games,
            "deals": found.deals,
            "stopped": found.stopped,
            "sure": found.answered,
            "kinds": kinds,
            "against": against,
        }
    )
