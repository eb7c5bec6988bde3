"""A text → what many games at random come to: how long they are, who wins by seat, how often each rule comes up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from teufelswerk.base.budget import Deadline
from teufelswerk.base.diagnostics import RuleError
from teufelswerk.editing.opened import opened
from teufelswerk.engines.random_games import Engine, has_native, make_engine
from teufelswerk.engines.tally import Tally
from teufelswerk.language.i18n import Translator
from teufelswerk.model import Model
from teufelswerk.report.estimates import Estimate, mean_of, quantile
from teufelswerk.report.gathering import sample_of
from teufelswerk.report.rules_table import groups_of
from teufelswerk.report.samples import Sample
from teufelswerk.rulebook.words import term

Message = dict[str, Any]
AT_ONCE, SECONDS_AT_ONCE = 100, 0.4
MANY, SECONDS_OF_MANY = 10_000, 4.0
PORTION, SMALL_PORTION = 500, 10


def work(job: Message) -> Iterator[Message]:
    path = Path(job["path"])
    rules = opened(path, job["text"]).loaded.model
    if rules is None:
        yield {"type": "wrong", "errors": 1}
        return
    say = Translator(job["language"], [path.resolve().parent], job["text"])
    players = max(rules.min_players, min(rules.max_players, job["players"]))
    try:
        for engine, games, portion, seconds in stages(rules, players):
            tally = Tally()
            deadline = Deadline(seconds)
            while tally.games < games and not deadline.passed:
                played = engine.outcomes(tally.games, portion).from_beginner(players)
                tally.add(played, players)
            if deadline.called_off is not None and deadline.called_off.is_set():
                return
            yield shown(sample_of(engine, tally), path, say)
    except RuleError as problem:
        yield {"type": "figures", "fault": say(problem.diagnostic.message)}


def stages(rules: Model, players: int) -> Iterator[tuple[Engine, int, int, float]]:
    """A few games at once; then many, as machine code where that can be made."""
    quick = make_engine(rules, players, "python", counting=True)
    yield quick, AT_ONCE, SMALL_PORTION, SECONDS_AT_ONCE
    if has_native():
        yield make_engine(rules, players, "native", counting=True), MANY, PORTION, SECONDS_OF_MANY
    else:
        yield quick, MANY, SMALL_PORTION, SECONDS_OF_MANY


def shown(sample: Sample, path: Path, say: Translator) -> Message:
    """Figures as a page draws them: shares and means with the interval that holds the true value 95 times of 100."""
    length = mean_of(sample.moves)
    return {
        "type": "figures",
        "games": sample.games,
        "players": sample.players,
        "moves": {**interval(length), "low10": quantile(sample.moves, 0.1), "high90": quantile(sample.moves, 0.9)},
        "rounds": interval(mean_of(sample.rounds)) if sample.rounds else None,
        "wins": [interval(sample.won(seat)) for seat in range(sample.players)],
        "even": sample.even_share,
        "shared": interval(sample.shared),
        "kept": list(kept(sample, say)),
        "rules": list(rules_by_line(sample, path)),
    }


def interval(found: Estimate) -> Message:
    return {"value": found.value, "low": found.low, "high": found.high}


def kept(sample: Sample, say: Translator) -> Iterator[Message]:
    for name in sample.kept:
        words = say(term(sample.rules, name, "keep"))
        means = [interval(sample.kept_mean(name, seats[0])) for seats in sample.holders(name)]
        yield {"name": words[:1].upper() + words[1:], "means": means}


def rules_by_line(sample: Sample, path: Path) -> Iterator[list[Any]]:
    """Each rule of this file that is counted: its line, its words, and how often it comes up in a game."""
    for group in groups_of([sample]):
        for entry in group.entries:
            times = entry.times[0]
            if times is not None and entry.unit.span.source.path == str(path):
                yield [entry.unit.span.line, entry.unit.words, times / sample.games]
