"""pytest collects every `*.rules.md`: the check of the file is one test, each scene of its examples another."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from teufelswerk.base.hidden_characters import harmless, unfit_as_name

SUFFIX = ".rules.md"


class RuleFailure(Exception):
    """A finding in a rule file, as pytest shows it."""


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.name.endswith(SUFFIX):
        if problem := unfit_as_name(file_path.name):
            # pytest would print it as it is
            warnings.warn(pytest.PytestCollectionWarning(f"{harmless(str(file_path))}: {problem}"), stacklevel=1)
            return None
        rule_file: pytest.Collector = RuleFile.from_parent(parent, path=file_path)
        return rule_file
    return None


class RuleFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        from teufelswerk.loading.library import load

        try:
            loaded = load(self.path)
        except Exception as problem:  # a mistake of ours fails the check of this file; the tests of others are run
            yield CheckItem.from_parent(self, name="check", problem=problem)
            return
        yield CheckItem.from_parent(self, name="check", loaded=loaded)
        if loaded.model is None:
            return
        from teufelswerk.base.budget import Deadline
        from teufelswerk.examples.open_games import OpenGames

        seen: dict[str, int] = {}
        games = OpenGames(loaded.model, Deadline(0))
        for scene in loaded.scenes:
            for edition in scene.editions:
                name = f"{scene.heading} ({edition} edition)" if edition else scene.heading
                seen[name] = seen.get(name, 0) + 1
                label = harmless(name if seen[name] == 1 else f"{name} #{seen[name]}")
                yield SceneItem.from_parent(self, name=label, games=games, scene=scene, edition=edition)


class RuleItem(pytest.Item):
    """What the two kinds of tests share: a place in the file, and failures that speak for themselves."""

    line = 0

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, RuleFailure):
            return harmless(str(excinfo.value))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, max(self.line - 1, 0), self.name


class CheckItem(RuleItem):
    def __init__(self, *, loaded: Any = None, problem: Exception | None = None, **more: Any) -> None:
        super().__init__(**more)
        self.loaded, self.problem = loaded, problem

    def runtest(self) -> None:
        from teufelswerk.base.diagnostics import render
        from teufelswerk.whole_file import rule_findings

        if self.problem is not None:
            raise self.problem
        found = [d for d in rule_findings(self.loaded) if d.is_error]
        if found:
            raise RuleFailure("\n\n".join(render(d, str) for d in found))


class SceneItem(RuleItem):
    def __init__(self, *, games: Any, scene: Any, edition: str | None, **more: Any) -> None:
        super().__init__(**more)
        self.games, self.scene, self.edition = games, scene, edition
        self.line = scene.span.line

    def runtest(self) -> None:
        from teufelswerk.base.limits import SECONDS_OF_EXAMPLES
        from teufelswerk.examples.run_scenes import run_scene

        self.games.deadline.extend(SECONDS_OF_EXAMPLES)
        result = run_scene(self.games, self.scene, self.edition)
        wrong = [self.describe(verdict) for verdict in result.verdicts if not verdict.holds]
        if result.stopped:
            wrong.append(f"{self.path}:{self.line}\n  stopped after {SECONDS_OF_EXAMPLES} seconds")
        if wrong:
            raise RuleFailure("\n".join(wrong))

    def describe(self, verdict: Any) -> str:
        """File, line, expected and found, with the people of the example by name."""
        from teufelswerk.language.i18n import DEFAULT, Translator

        span = verdict.span
        expected = span.source.lines[span.line - 1].strip()
        found = Translator(DEFAULT)(verdict.found, self.scene.people) if verdict.found else "it does not hold"
        return f"{span.source.path}:{span.line}\n  expected: {expected}\n  found:    {found}"
