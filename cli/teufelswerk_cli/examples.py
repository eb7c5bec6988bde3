"""Shows how the examples of a game fared."""

from __future__ import annotations

from collections.abc import Sequence

import click
from teufelswerk.model import Model
from teufelswerk.scene_model import GivenIs, SceneModel
from teufelswerk.scenes import SceneResult, run_scenes

from teufelswerk_cli.speech import _, say


def show_examples(rules: Model, scenes: Sequence[SceneModel]) -> int:
    """Prints each claim with its verdict; gives the number of those that do not hold."""
    failed = claims = 0
    heading = None
    for result in run_scenes(rules, scenes):
        title = f"{rules.title} – {result.scene.heading}"
        if result.edition:
            title = _("{title} ({edition} edition)", title=title, edition=result.edition)
        if title != heading:
            click.echo(title)
            heading = title
        failed += show_result(result)
        claims += sum(not isinstance(verdict.line, GivenIs) for verdict in result.verdicts)
    click.echo(
        _("{title}: {claims} {claims:line|lines} run, {failed} failed", title=rules.title, claims=claims, failed=failed)
    )
    return failed


def show_result(result: SceneResult) -> int:
    failed = 0
    for verdict in result.verdicts:
        span = verdict.span
        words = span.source.lines[span.line - 1].strip()
        click.echo(f"  {'✓' if verdict.holds else '✗'} {span.line:4}  {words}")
        if not verdict.holds:
            failed += 1
            found = say(verdict.found, result.scene.people) if verdict.found else ""
            click.echo(
                "          "
                + _("{file}:{line}: found instead: {found}", file=span.source.path, line=span.line, found=found)
            )
    return failed
