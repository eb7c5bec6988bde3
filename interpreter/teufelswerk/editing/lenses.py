"""A file and how its examples came out → what stands above its lines: verdicts, and which examples cover a rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from teufelswerk.base.diagnostics import Span
from teufelswerk.base.texts import Text, named
from teufelswerk.editing.opened import Opened, last_line
from teufelswerk.examples.coverage import units_of
from teufelswerk.examples.run_scenes import SceneResult
from teufelswerk.examples.run_scenes import Verdict as RunVerdict
from teufelswerk.syntax import nodes


@dataclass(frozen=True)
class Lens:
    """A sentence above a line. `places` are what it speaks of."""

    line: int
    title: Text
    places: tuple[Span, ...] = ()
    does: Literal["run", "play", "show"] = "show"
    """What a click on it asks for: to run the examples, to play from there, or to show what it speaks of."""


@dataclass(frozen=True)
class Verdict:
    """How an example of the file came out: None as long as it has not been run; what was found instead, by line."""

    line: int
    heading: str
    holds: bool | None
    found: tuple[tuple[int, Text], ...] = ()


def verdicts(file: Opened, results: Sequence[SceneResult]) -> Iterator[Verdict]:
    """Every example that the file itself has."""
    for number, clause in file.clauses.items():
        if isinstance(clause, nodes.Scene):
            mine = _results_at(file, results, number)
            wrong = {v.span.line: _found(v, r) for r in mine for v in r.verdicts if not v.holds}
            headings = [section.heading for section in file.parsed if section.span.line <= number]
            found = tuple((line, wrong[line]) for line in sorted(wrong))
            yield Verdict(number, headings[-1] if headings else "", None if not mine else not wrong, found)


def _results_at(file: Opened, results: Sequence[SceneResult], number: int) -> list[SceneResult]:
    return [r for r in results if r.scene.span.source.path == file.source.path and r.scene.span.line == number]


def _found(verdict: RunVerdict, result: SceneResult) -> Text:
    return named(verdict.found, result.scene.people) if verdict.found else Text("this does not hold")


def lenses(file: Opened, results: Sequence[SceneResult]) -> Iterator[Lens]:
    """Everything that can be said of a file's examples; before they have been run, only that they can be."""
    yield from _verdicts(file, results)
    if file.loaded.model is not None:
        yield from _beginnings(file)
    if results and file.loaded.model is not None:
        yield from _covering(file, results)


def _verdicts(file: Opened, results: Sequence[SceneResult]) -> Iterator[Lens]:
    for number, clause in file.clauses.items():
        if not isinstance(clause, nodes.Scene):
            continue
        mine = _results_at(file, results, number)
        if not mine:
            yield Lens(number, Text("run this example"), does="run")
            continue
        lines = {verdict.span for result in mine for verdict in result.verdicts}
        wrong = [(v, r) for r in mine for v in r.verdicts if not v.holds]
        if wrong:
            verdict, result = wrong[0]
            found = _found(verdict, result)
            title = Text("✗ line {line}: {found}", line=verdict.span.line, found=found)
            yield Lens(number, title, (verdict.span,), "run")
        else:
            yield Lens(number, Text("✓ all {n} {n:line holds|lines hold}", n=len(lines)), does="run")


def _beginnings(file: Opened) -> Iterator[Lens]:
    """Where a game can be begun, to try out what stands there."""
    for number, clause in file.clauses.items():
        if isinstance(clause, nodes.Scene) or (isinstance(clause, nodes.Step) and clause.name.text != "game"):
            yield Lens(number, Text("play from here"), does="play")


def _covering(file: Opened, results: Sequence[SceneResult]) -> Iterator[Lens]:
    """Above each step and move: the examples in which something of it happens."""
    assert file.loaded.model
    units = [unit for unit in units_of(file.loaded.model) if unit.span.source is file.source]
    for number, clause in file.clauses.items():
        line = file.lines.get(number)
        if not isinstance(clause, (nodes.Step, nodes.Move)) or line is None:
            continue
        own = {unit.id for unit in units if number <= unit.span.line <= last_line(line)}
        scenes = dict.fromkeys(result.scene.span for result in results if own & result.fired)
        if scenes:
            yield Lens(number, Text("in {n} {n:example|examples}", n=len(scenes)), tuple(scenes))
        elif own:
            yield Lens(number, Text("in no example"))
