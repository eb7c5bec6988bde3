"""`sweep`: what was asked for → every combination played, shown, and written where that was wished."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from teufelswerk.base.diagnostics import nearest
from teufelswerk.base.texts import Text
from teufelswerk.interpreter.game import Game
from teufelswerk.model import Model

from teufelswerk_cli.console.new_file import write_new
from teufelswerk_cli.console.options import refuse
from teufelswerk_cli.console.speech import command
from teufelswerk_cli.many.portion import Lost
from teufelswerk_cli.many.spreading import Where
from teufelswerk_cli.many.sweep import Sweep, prepared, run
from teufelswerk_cli.many.sweep_page import page
from teufelswerk_cli.many.sweep_shown import csv_text, show
from teufelswerk_cli.many.value_lists import Over

MOST_OVERS, MOST_CELLS = 2, 1_000


@dataclass
class Options:
    """What can be said of a sweep beside its ranges."""

    players: int | None
    count: int
    seed: int
    measure: str
    html: str | None
    csv: str | None
    jobs: int | None
    cluster: str | None
    engine: str | None
    bots: tuple[str, ...] = ()


def check_overs(overs: Sequence[Over], settings: Mapping[str, int]) -> None:
    """Whether the ranges make a table."""
    names = [over.name for over in overs]
    if len(names) > MOST_OVERS:
        message = Text(
            "a table has one or two values, not {n}; fix the others with {option}", n=len(names), option="--set"
        )
        raise refuse(message)
    for name in names:
        if name in settings:
            raise refuse(Text("`{name}` is given with --set and with --over; leave one of them out", name=name))
    if len(set(names)) < len(names):
        message = Text("`{name}` is given twice with --over; write all its numbers as {form}", name=names[0],
                       form=f"`{names[0]}=1,2,5`")  # fmt: skip
        raise refuse(message)
    if (cells := prod(len(over.numbers) for over in overs)) > MOST_CELLS:
        message = Text(
            "these are {n} combinations; at most {most} will do, so take larger steps", n=cells, most=MOST_CELLS
        )
        raise refuse(message)


def sweep_values(rules: Model, overs: Sequence[Over], options: Options) -> bool:
    """Plays, shows and writes. False if somebody stopped it."""
    players = rules.min_players if options.players is None else options.players
    Game(rules, players)
    seeds = options.seed, options.count
    sweep = prepared(rules, players, overs, options.engine, seeds, options.bots)
    check_measure(sweep, options.measure)
    try:
        run(sweep, seeds, Where(options.jobs, options.cluster))
    except Lost as problem:
        raise refuse(problem.message) from None
    show(sweep, options.measure)
    if options.csv:
        write_new(options.csv, csv_text(sweep))
    if options.html:
        write_new(options.html, page(sweep, options.measure, f"{command()} {shlex.join(sys.argv[1:])}"))
    return not sweep.stopped


def check_measure(sweep: Sweep, measure: str) -> None:
    """Whether there is such a thing, if there is anything to be measured."""
    if sweep.measures and measure not in sweep.measures:
        similar = nearest(measure, sweep.measures)
        if similar:
            raise refuse(Text("nothing is called `{name}`; write `{similar}`", name=measure, similar=similar))
        raise refuse(
            Text("nothing is called `{name}`; what is measured is {names}", name=measure, names=list(sweep.measures))
        )
