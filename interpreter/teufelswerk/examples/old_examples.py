"""A variant → the examples of its base that it replaces or drops, and how they would fare under its rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from teufelswerk.base.budget import Deadline
from teufelswerk.checker.check import check
from teufelswerk.examples.run_scenes import SceneResult, Verdict, run_scenes
from teufelswerk.loading.library import Loaded
from teufelswerk.syntax.merge_variants import is_example


@dataclass(frozen=True)
class OldExample:
    """An example that a variant means to change: by another one with the same heading, or by dropping it."""

    heading: str
    dropped: bool
    results: tuple[SceneResult, ...]

    @property
    def changes(self) -> list[Verdict]:
        """The lines that come out differently now."""
        return [verdict for result in self.results for verdict in result.verdicts if not verdict.holds]


def old_examples(loaded: Loaded, deadline: Deadline) -> Iterator[OldExample]:
    """The replaced and dropped examples, run under the rules in force; a line that no longer reads does not hold.

    There are none after the deadline, and the last one may not have been run to its end.
    """
    assembled = loaded.assembled
    if assembled is None or loaded.model is None:
        return
    kept = {section.heading for section in assembled.sections}
    rules = [section for section in assembled.sections if not is_example(section)]
    for section in assembled.replaced:
        if deadline.passed:
            return
        if is_example(section):
            checked = check([*rules, section], assembled.sources, loaded.model.changed_values)
            scenes = checked.scenes if checked.model else []
            results = tuple(run_scenes(checked.model, scenes, deadline)) if checked.model else ()
            yield OldExample(section.heading, section.heading not in kept, results)
