"""Shows how the examples of a game fared, what they leave out, and where the rules leave a player stuck."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from teufelswerk.base.budget import Deadline
from teufelswerk.base.limits import SECONDS_OF_ALL_EXAMPLES
from teufelswerk.base.texts import Text
from teufelswerk.checker.check import MISFIT
from teufelswerk.examples.count_lines import ExampleCount, example_count
from teufelswerk.examples.coverage import coverage_of
from teufelswerk.examples.old_examples import old_examples
from teufelswerk.examples.rule_gaps import find_gaps, scene_of
from teufelswerk.examples.run_scenes import SceneResult, Verdict, run_scenes
from teufelswerk.loading.library import Loaded
from teufelswerk.model import Model, title_of
from teufelswerk.model.scenes import SceneModel
from teufelswerk.whole_file import rule_findings

from teufelswerk_cli.console.speech import _, complain, say


def show_examples(rules: Model, scenes: Sequence[SceneModel]) -> int:
    """Prints each line with its verdict; gives the number of those that do not hold."""
    heading = None
    unmarked: list[str] = []
    results: list[SceneResult] = []
    sources = {scene.span.source for scene in scenes}
    for result in run_scenes(rules, scenes, Deadline(SECONDS_OF_ALL_EXAMPLES)):
        results.append(result)
        scene_heading = say(Text(result.scene.heading, msgctxt=f"{rules.family}: heading"))
        title = f"{say(title_of(rules))} – {scene_heading}"
        if result.edition:
            edition = Text(result.edition, msgctxt="edition")
            title = _("{title} ({edition} edition)", title=title, edition=edition)
        if len(sources) > 1:
            title = f"{title}, {Path(result.scene.span.source.path).name}"
        if title != heading:
            click.echo(title)
            heading = title
        show_result(result)
        changed = any(not verdict.holds and verdict.decided for verdict in result.verdicts)
        if changed and result.scene.span.source is not rules.source:
            unmarked.append(scene_heading)
    count = example_count(results)
    show_count(say(title_of(rules)), count)
    if count.undecided:
        click.echo(
            _(
                "{n} {n:line|lines} of them could not be decided. Give more of what the example leaves open.",
                n=count.undecided,
            )
        )
    for heading in dict.fromkeys(unmarked):
        click.echo(
            _(
                "The variant changes how `{heading}` comes out. If that is meant, replace this section or drop it"
                " with an empty one.",
                heading=heading,
            )
        )
    return count.failed + show_stopped(results, scenes)


def show_stopped(results: Sequence[SceneResult], scenes: Sequence[SceneModel]) -> int:
    """Says so if there was no time for all scenes; gives the number of those that were not run to their end."""
    if not results or not results[-1].stopped:
        return 0
    each = sum(len(scene.editions) for scene in scenes)
    click.echo(stopped(SECONDS_OF_ALL_EXAMPLES, len(results) - 1, each))
    return each - len(results) + 1


def stopped(seconds: float, run: int, scenes: int) -> str:
    return _(
        "Stopped after {seconds} seconds: {run} of {n} {n:scene|scenes} were run. Give more of what they leave open.",
        seconds=seconds, run=run, n=scenes,
    )  # fmt: skip


def show_count(name: str, count: ExampleCount) -> None:
    click.echo(
        _(
            "{name}: {lines} {lines:line|lines} of examples run, {failed} failed",
            name=name,
            lines=count.lines,
            failed=count.failed,
        )
    )


def show_wrong(loaded: Loaded, values: dict[str, int]) -> int:
    """Prints what is wrong with the rules, or missing in them for an example; gives the number of such things."""
    found = [d for d in rule_findings(loaded, values) if d.is_error or d.code == MISFIT]
    complain(found)
    return len(found)


def show_replaced(loaded: Loaded) -> None:
    """Prints what has become of the examples that a variant replaces or drops: they are meant to change."""
    for example in old_examples(loaded, Deadline(SECONDS_OF_ALL_EXAMPLES)):
        assert loaded.model
        heading = Text(example.heading, msgctxt=f"{loaded.model.family}: heading")
        if example.dropped:
            click.echo(_("`{heading}` is dropped on purpose.", heading=heading))
        else:
            click.echo(_("`{heading}` is replaced on purpose.", heading=heading))
        people = [result.scene.people for result in example.results for v in result.verdicts if not v.holds]
        for verdict, names in zip(example.changes, people, strict=True):
            show_change(verdict, names)
        if not example.changes:
            click.echo("  " + _("It would still come out as before."))


def show_change(verdict: Verdict, people: Sequence[str]) -> None:
    span = verdict.span
    found = say(verdict.found, people) if verdict.found else ""
    click.echo(f"  ≠ {span.line:4}  {span.source.lines[span.line - 1].strip()}")
    click.echo("          " + _("under the variant: {found}", found=found))


def show_result(result: SceneResult) -> None:
    for verdict in result.verdicts:
        span = verdict.span
        words = span.source.lines[span.line - 1].strip()
        click.echo(f"  {'✓' if verdict.holds else '✗' if verdict.decided else '?'} {span.line:4}  {words}")
        if not verdict.holds:
            click.echo("          " + found_instead(verdict, result.scene.people))


def found_instead(verdict: Verdict, people: Sequence[str]) -> str:
    """Where a line stands that does not hold, and what was found, or why nothing was."""
    span = verdict.span
    found = say(verdict.found, people) if verdict.found else ""
    if not verdict.decided:
        return _("{file}:{line}: undecided: {found}", file=span.source.path, line=span.line, found=found)
    return _("{file}:{line}: found instead: {found}", file=span.source.path, line=span.line, found=found)


def show_coverage(rules: Model, scenes: Sequence[SceneModel]) -> int:
    """Prints what no example exercises; gives the number of such things."""
    results = list(run_scenes(rules, scenes, Deadline(SECONDS_OF_ALL_EXAMPLES)))
    show_stopped(results, scenes)
    coverage = coverage_of(rules, results)
    for unit in coverage.missing:
        click.echo(f"  {unit.span.line:4}  {say(unit.kind)}: {unit.words}")
    count, total = len(coverage.units) - len(coverage.missing), len(coverage.units)
    click.echo(
        _(
            "{title}: the examples exercise {count} of {total} rules, branches and refusals ({percent} %)",
            title=title_of(rules),
            count=count,
            total=total,
            percent=f"{coverage.percent:.0f}",
        )
    )
    return len(coverage.missing)


def show_gaps(rules: Model, players: int, games: int, seed: int) -> int:
    """Prints the shortest gap that is found; gives the number of games that ran into one."""
    gap, stuck = find_gaps(rules, players, games, seed)
    if gap is None:
        click.echo(
            _(
                "{title}, {players} {players:player|players}: no gap in {n} {n:game|games}",
                title=title_of(rules),
                players=players,
                n=games,
            )
        )
        return 0
    click.echo(
        _(
            "{title}, {players} {players:player|players}: {stuck} of {n} {n:game|games} came to a position "
            "without a move",
            title=title_of(rules),
            players=players,
            stuck=stuck,
            n=games,
        )
    )
    tried = [f"`{verb}`" for verb in gap.tried]
    click.echo(_("The rules name no move; these were tried: {moves}", moves=tried))
    click.echo(gap.position)
    click.echo("")
    for line in scene_of(gap):
        click.echo(f"    {line}")
    click.echo("")
    return stuck
