"""`train`: a game → what helps `expert` to play it well, kept or written to a file, shown stage by stage."""

from __future__ import annotations

import shlex

import click
from teufelswerk.bots.learned_weights import Learned, keep, shipped, written
from teufelswerk.bots.self_play import School, Schooling, Stage, best
from teufelswerk.interpreter.game import Game
from teufelswerk.model import Model, title_of

from teufelswerk_cli.console.headline import with_rules_in_force
from teufelswerk_cli.console.new_file import new_file
from teufelswerk_cli.console.speech import _, command
from teufelswerk_cli.many.simulation import progress

WIDTH = 40
"""So long is the longest bar."""
USUAL = 4
"""So many play, if they may."""


def usual_players(rules: Model) -> int:
    return max(rules.min_players, min(USUAL, rules.max_players))


def train(rules: Model, said: str, players: int, schooling: Schooling, out: str | None) -> None:
    """Learns, shows how that goes, and keeps what is best. A variant begins with what its game knows."""
    Game(rules, players)
    words = [said, "--players", str(players), "--stages", str(schooling.stages)]
    words += ["--decisions", str(schooling.decisions), "--seed", str(schooling.seed)]
    about = f"What tells how good a move is, learned by self-play: {command()} train {shlex.join(words)}"
    if out is None:
        found = learned_now(rules, players, schooling)
        if found is not None:
            keep(rules, found.weights, about)
            click.echo(_("Kept: `expert` plays these very rules by it from now on."))
        return
    with new_file(out) as part:  # where it cannot be written, nothing is learned in vain
        found = learned_now(rules, players, schooling)
        if found is not None:
            part.write_text(written(found.weights, about), encoding="utf-8", newline="\n")


def learned_now(rules: Model, players: int, schooling: Schooling) -> Stage | None:
    """The best stage of all, each being shown; None if none of them is of any use."""
    school, stages = School(rules, players), list[Stage]()
    start: Learned | None = shipped(rules.family) if rules.variant or rules.changed_values else None
    headline = _("{title}, {n} {n:player|players}", title=title_of(rules), n=players)
    click.echo(with_rules_in_force(headline, rules))
    with progress(schooling.stages * schooling.decisions, paced=False) as advance:
        for stage in school.learn(schooling, start, advance):
            stages.append(stage)
            click.echo(line(stage, schooling, max(each.ahead for each in stages)))
    found = best(stages)
    if found.ahead > found.error:
        return found
    click.echo(_("That is no better than playing at random, so nothing of it is kept."))
    return None


def line(stage: Stage, schooling: Schooling, most: float) -> str:
    """How far it has come, in figures and as a bar."""
    said = _(
        "stage {number} of {stages}: {ahead} ± {error} ahead of players at random",
        number=stage.number,
        stages=schooling.stages,
        ahead=round(stage.ahead, 2),
        error=round(stage.error, 2),
    )
    bar = "█" * round(WIDTH * max(stage.ahead, 0.0) / most) if most > 0 else ""
    return f"{said}  {bar}".rstrip()
