"""Examples → diagnostics: each line that does not hold, or cannot be decided, at its place in the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from teufelswerk.base.budget import Deadline
from teufelswerk.base.diagnostics import Diagnostic, limited
from teufelswerk.base.limits import SECONDS_OF_EXAMPLES
from teufelswerk.base.texts import Text, named
from teufelswerk.examples.run_scenes import SceneResult, Verdict, run_scenes
from teufelswerk.model import Model
from teufelswerk.model.scenes import SceneModel


def example_findings(
    rules: Model, scenes: Sequence[SceneModel], seconds: float = SECONDS_OF_EXAMPLES
) -> list[Diagnostic]:
    """Whatever is wrong with the examples of a game, each line once, whichever edition it is about."""
    return findings_of(rules, run_scenes(rules, scenes, Deadline(seconds)), seconds)


def findings_of(rules: Model, results: Iterable[SceneResult], seconds: float = SECONDS_OF_EXAMPLES) -> list[Diagnostic]:
    """The same of examples that have been run, for so many seconds at most."""
    found: dict[Any, Diagnostic] = {}
    helped: set[str] = set()
    late: list[Diagnostic] = []
    for result in results:
        for verdict, diagnostic in _findings(rules, result):
            told = str(diagnostic.help) in helped and diagnostic.code != "undecided"
            helped.add(str(diagnostic.help))
            found.setdefault(verdict.span, replace(diagnostic, help=None) if told else diagnostic)
        if result.stopped:
            message = Text("the examples were run for {seconds} seconds; from here on they were not", seconds=seconds)
            help = Text("`examples` runs for longer; let fewer examples leave so much open")
            late.append(Diagnostic("not-run", message, result.scene.span, severity="warning", help=help))
    return limited(list(found.values())) + late


def _findings(rules: Model, result: SceneResult) -> Iterator[tuple[Verdict, Diagnostic]]:
    is_old = result.scene.span.source is not rules.source
    heading = Text(result.scene.heading, msgctxt=f"{rules.family}: heading")
    for verdict in result.verdicts:
        if verdict.holds:
            continue
        found = named(verdict.found, result.scene.people) if verdict.found else Text("this does not hold")
        if not verdict.decided:
            message = Text("whether this holds cannot be decided")
            yield verdict, Diagnostic("undecided", message, verdict.span, help=found)
            continue
        message, help = Text("this line of the example does not hold"), None
        if is_old:
            message = Text("this line of the base's example does not hold under the variant")
            help = Text(
                "if that is meant, replace the section `{heading}` or drop it with an empty one", heading=heading
            )
        label = Text("found instead: {found}", found=found)
        yield verdict, Diagnostic("does-not-hold", message, verdict.span, label=label, help=help)
