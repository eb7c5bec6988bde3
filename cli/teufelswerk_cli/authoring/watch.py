"""Checks rule files again whenever they are saved: findings, examples, a few hundred games; shows only what changed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click
from teufelswerk.base.budget import Deadline
from teufelswerk.base.diagnostics import Diagnostic, RuleFileError, Span, render
from teufelswerk.base.limits import SECONDS_OF_EXAMPLES, SECONDS_OF_WATCHED_GAMES
from teufelswerk.base.texts import Text
from teufelswerk.checker.check import MISFIT
from teufelswerk.engines.random_games import make_engine
from teufelswerk.examples.count_lines import ExampleCount, example_count
from teufelswerk.examples.open_games import OpenGames
from teufelswerk.examples.run_scenes import SceneResult, Verdict, run_scene
from teufelswerk.interpreter.machine import RuleError
from teufelswerk.loading.library import Loaded, load
from teufelswerk.model import Model
from teufelswerk.model.scenes import Line, SceneModel
from teufelswerk.rulebook.words import term
from teufelswerk.whole_file import rule_findings, scenes_to_run

from teufelswerk_cli.authoring.examples_shown import found_instead, show_count, stopped
from teufelswerk_cli.authoring.words_in_doubt import words_in_doubt
from teufelswerk_cli.console.speech import _, complain, say, translator

GAMES = 300
INTERVAL = 0.2
"""Seconds between two looks at the files."""

Pause = Callable[[], bool]
"""Waits a little; False ends the watching."""


def wait() -> bool:
    time.sleep(INTERVAL)
    return True


def watch_files(
    names: Sequence[str],
    values: dict[str, int],
    located: Callable[[str], Path],
    pause: Pause = wait,
    games: int = GAMES,
) -> None:
    """Goes on until Ctrl-C."""
    try:
        watched = [_Watched(name, located(name), values, games) for name in names]
    except RuleFileError as problem:
        complain(problem.diagnostics)
        return
    try:
        for file in watched:
            file.report()
        while pause():
            for file in watched:
                if file.has_changed():
                    file.report()
    except KeyboardInterrupt:
        click.echo("\n" + _("No longer watching."))


@dataclass
class _Report:
    """What one round has found: texts by a key that stays the same as long as the finding does."""

    findings: dict[str, str] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)
    play: dict[str, str] = field(default_factory=dict)


class _Watched:
    def __init__(self, name: str, path: Path, values: dict[str, int], games: int) -> None:
        self.name, self.path, self.values, self.games = name, path, values, games
        self.seen: dict[Path, tuple[int, int] | None] = {}
        self.last: _Report | None = None
        self.results: dict[Any, list[Verdict]] = {}
        self.count = 0
        """How many games were played last."""
        self.played: tuple[str, dict[str, str]] | None = None
        """How the games went, for clauses that are still the same."""

    # ---- has it been saved? -----------------------------------------------------------------------------------------

    def stamp(self, path: Path) -> tuple[int, int] | None:
        try:
            status = path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size

    def has_changed(self) -> bool:
        return any(self.stamp(path) != stamp for path, stamp in self.seen.items())

    def look_at(self, loaded: Loaded | None) -> None:
        sources = loaded.assembled.sources if loaded and loaded.assembled else []
        self.seen = {path: self.stamp(path) for path in {self.path, *(Path(source.path) for source in sources)}}

    # ---- one round --------------------------------------------------------------------------------------------------

    def report(self) -> None:
        """The check comes first, and at once; examples and games follow until the file is saved again."""
        before, now = self.last, _Report()
        self.look_at(None)
        loaded = load(self.path, self.values)
        self.look_at(loaded)
        found = rule_findings(loaded, self.values)
        found += [] if self.values else words_in_doubt(self.name, loaded)
        now.findings = {_key(d): render(d, translator()) for d in found}
        self.show(before.findings if before else {}, now.findings)
        errors = sum(d.is_error for d in found)
        if errors:
            click.echo(_("{name}: {errors} {errors:error|errors}", name=self.name, errors=errors))
        self.last = now
        if before is not None:
            # What is not looked at again stays as it was.
            now.examples, now.play = before.examples, before.play
        if loaded.model is None or any(d.is_error and d.code != MISFIT for d in found):
            return
        run = self.run_examples(loaded, scenes_to_run(loaded, found, self.values))
        if run is None:
            return
        now.examples, count = run
        self.show(before.examples if before else {}, now.examples)
        show_count(self.name, count)
        same = before is not None and (now.findings, now.examples) == (before.findings, before.examples)
        if not errors and not now.examples and not same:
            click.echo(_("{name}: fine", name=self.name))
        clauses = clauses_of(loaded.model, loaded.scenes)
        play = self.played[1] if self.played and self.played[0] == clauses else self.play(loaded.model)
        if play is None:
            return
        self.played = clauses, play
        self.show_play(before.play if before else {}, play)
        now.play = play
        click.echo(_("{name}: {games} {games:game|games} played", name=self.name, games=self.count))
        if self.count < self.games:
            click.echo(_("Stopped playing after {seconds} seconds.", seconds=SECONDS_OF_WATCHED_GAMES))

    def show(self, before: dict[str, str], now: dict[str, str]) -> None:
        for key, text in now.items():
            if key not in before:
                click.echo(f"{text}\n")
        for key, text in before.items():
            if key not in now:
                click.echo(_("no longer: {finding}", finding=text.split("\n")[0]))

    def show_play(self, before: dict[str, str], now: dict[str, str]) -> None:
        for key in dict.fromkeys([*before, *now]):
            if before and before.get(key) != now.get(key):
                click.echo(f"{key}: {before.get(key, '–')} → {now.get(key, '–')}")
            elif not before:
                click.echo(f"{key}: {now[key]}")

    def run_examples(self, loaded: Loaded, scenes: Sequence[SceneModel]) -> tuple[dict[str, str], ExampleCount] | None:
        """The lines that do not hold, and how many there are in all; None if the file was saved meanwhile."""
        assert loaded.model
        rules, kept, results = clauses_of(loaded.model, loaded.scenes), dict[Any, list[Verdict]](), list[SceneResult]()
        each = [(scene, edition) for scene in scenes for edition in scene.editions]
        games = OpenGames(loaded.model, Deadline(SECONDS_OF_EXAMPLES))
        for scene, edition in each:
            if self.has_changed():
                return None
            lines = tuple(words_of(line.span) for line in scene.lines)
            key = rules, scene.heading, lines, words_of(scene.span), edition
            # What neither the rules nor the scene have changed comes out as before, perhaps some lines further down.
            verdicts = self.results.get(key)
            if verdicts is None:
                result = run_scene(games, scene, edition)
                if result.stopped:
                    click.echo(stopped(SECONDS_OF_EXAMPLES, len(results), len(each)))
                    break
                verdicts = result.verdicts
            kept[key] = [
                replace(verdict, line=line) for verdict, line in zip(verdicts, lines_of(scene, verdicts), strict=False)
            ]
            results.append(SceneResult(scene, edition, kept[key]))
        self.results = kept
        return failing(results), example_count(results)

    def play(self, rules: Model) -> dict[str, str] | None:
        """How the games go: how long they are, what everyone has at the end, and what goes wrong."""
        engines = [make_engine(rules, n, "python") for n in range(rules.min_players, rules.max_players + 1)]
        moves: list[int] = []
        sums: dict[str, list[int]] = {}
        troubles: dict[str, str] = {}
        deadline = Deadline(SECONDS_OF_WATCHED_GAMES)
        for seed in range(self.games):
            if self.has_changed():
                return None
            if deadline.passed:
                break
            self.count = seed + 1
            engine = engines[seed % len(engines)]
            try:
                played = engine.play(seed)
            except RuleError as problem:
                troubles.setdefault(_key(problem.diagnostic), render(problem.diagnostic, translator()))
                continue
            moves.append(played.moves)
            for keep, values in zip(engine.kept, played.keeps, strict=True):
                sums.setdefault(keep.name, []).extend(value for value in values if isinstance(value, int))
        return dict(_summed(moves, sums, rules)) | {say(Text("in play")): text for text in troubles.values()}


def clauses_of(rules: Model, scenes: Sequence[SceneModel]) -> str:
    """All that decides how the game goes: the clauses of the file and its bases, without words and scenes."""
    told = {(span.source, span.line) for scene in scenes for span in (scene.span, *(line.span for line in scene.lines))}
    return "\n".join(
        line
        for source in rules.sources
        for number, line in enumerate(source.lines, 1)
        if line.startswith("    ") and (source, number) not in told
    )


def failing(results: Sequence[SceneResult]) -> dict[str, str]:
    """What does not hold, each line once; lines with the same words are told apart by their order."""
    found: dict[Span, tuple[Verdict, SceneModel]] = {}
    for result in results:
        for verdict in result.verdicts:
            if not verdict.holds:
                found.setdefault(verdict.span, (verdict, result.scene))
    texts: dict[str, str] = {}
    times: Counter[str] = Counter()
    for verdict, scene in found.values():
        sign, line = "✗" if verdict.decided else "?", f"{scene.heading}: {words_of(verdict.span)}"
        times[line] += 1
        texts[f"{line} {times[line]}"] = f"{sign} {line}\n{found_instead(verdict, scene.people)}"
    return texts


def lines_of(scene: SceneModel, verdicts: Sequence[Verdict]) -> Sequence[Line]:
    """The lines that verdicts are about: a scene that cannot begin has one about itself."""
    cannot_begin = len(verdicts) == 1 and words_of(verdicts[0].span) == words_of(scene.span)
    return [Line(scene.span, 0)] if cannot_begin else scene.lines


def words_of(span: Span) -> str:
    return span.source.lines[span.line - 1].strip()


def _summed(moves: list[int], sums: dict[str, list[int]], rules: Model) -> Iterator[tuple[str, str]]:
    if moves:
        yield _("moves in a game"), translator().show(sum(moves) / len(moves))
    for name, values in sums.items():
        if values:
            kept = say(term(rules, name, "keep"))
            yield _("{kept} at the end, on average", kept=kept), translator().show(sum(values) / len(values))


def _key(diagnostic: Diagnostic) -> str:
    """A finding is the same after an edit above it that only moves it."""
    span = diagnostic.span
    line = words_of(span) if span and span.line <= len(span.source.lines) else ""
    return f"{diagnostic.code} {diagnostic.message} {line}"
