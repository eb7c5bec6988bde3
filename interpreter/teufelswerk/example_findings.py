"""Examples → diagnostics: each line that does not hold, or cannot be decided, at its place in the file."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from teufelswerk.diagnostics import Diagnostic
from teufelswerk.model import Model
from teufelswerk.scene_model import SceneModel
from teufelswerk.scenes import SceneResult, SceneRunner, Verdict
from teufelswerk.show import named
from teufelswerk.texts import Text

SECONDS = 10.0
"""So long examples are run; a scene that has begun is run to its end."""


def example_findings(rules: Model, scenes: Sequence[SceneModel], seconds: float = SECONDS) -> list[Diagnostic]:
    """Whatever is wrong with the examples of a game, each line once, whichever edition it is about."""
    found: dict[Any, Diagnostic] = {}
    deadline = time.thread_time() + seconds
    for scene in scenes:
        for edition in scene.editions:
            if time.thread_time() > deadline:
                message = Text("the examples take long; from here on they were not run")
                return [*found.values(), Diagnostic("not-run", message, scene.span, severity="warning")]
            for verdict, diagnostic in _findings(rules, SceneRunner(rules, scene, edition).run()):
                told = any(diagnostic.help == other.help for other in found.values()) and diagnostic.code != "undecided"
                found.setdefault(verdict.span, replace(diagnostic, help=None) if told else diagnostic)
    return list(found.values())


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
