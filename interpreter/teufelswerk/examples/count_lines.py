"""Scenes that were run → how many lines of examples that are, and how many of them fail: the one way to count them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from teufelswerk.base.diagnostics import Span
from teufelswerk.examples.run_scenes import SceneResult, Verdict
from teufelswerk.model.scenes import Given, GivenIs


@dataclass(frozen=True)
class ExampleCount:
    """Lines by their place: one that is run for several printed editions is one line, and fails if it does in any.

    A `given` is no claim, so it counts only where it fails; so does a scene that cannot begin.
    """

    lines: int
    failed: int
    undecided: int
    """So many of those that fail left too much open."""


def example_count(results: Iterable[SceneResult]) -> ExampleCount:
    found: dict[Span, list[Verdict]] = {}
    for result in results:
        for verdict in result.verdicts:
            if not verdict.holds or not isinstance(verdict.line, (Given, GivenIs)):
                found.setdefault(verdict.span, []).append(verdict)
    failing = [verdicts for verdicts in found.values() if not all(verdict.holds for verdict in verdicts)]
    undecided = [verdicts for verdicts in failing if all(verdict.holds or not verdict.decided for verdict in verdicts)]
    return ExampleCount(len(found), len(failing), len(undecided))
