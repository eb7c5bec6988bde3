"""Checks rule files again whenever they are saved: findings, examples, a few hundred games; shows only what changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
from teufelswerk import chance
from teufelswerk.diagnostics import Diagnostic, RuleFileError, render
from teufelswerk.game import Game
from teufelswerk.library import Loaded, load
from teufelswerk.limits import MAX_MOVES_IN_GAME
from teufelswerk.machine import Machine, RuleError
from teufelswerk.model import Model
from teufelswerk.rulebook.words import term
from teufelswerk.scenes import SceneRunner
from teufelswerk.texts import Text

from teufelswerk_cli.examples import found_instead
from teufelswerk_cli.speech import _, complain, say, translator

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
    lines: int = 0
    is_whole: bool = False
    """Whether nobody saved the file meanwhile."""


class _Watched:
    def __init__(self, name: str, path: Path, values: dict[str, int], games: int) -> None:
        self.name, self.path, self.values, self.games = name, path, values, games
        self.seen: dict[Path, tuple[int, int] | None] = {}
        self.last: _Report | None = None

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
        now.findings = {_key(d): render(d, translator()) for d in loaded.diagnostics}
        self.show(before.findings if before else {}, now.findings)
        errors = sum(d.is_error for d in loaded.diagnostics)
        if errors:
            click.echo(_("{name}: {errors} {errors:error|errors}", name=self.name, errors=errors))
        elif before is None or now.findings != before.findings:
            click.echo(_("{name}: fine", name=self.name))
        self.last = now
        if before is not None:
            # What is not looked at again stays as it was.
            now.examples, now.play, now.lines = before.examples, before.play, before.lines
        if loaded.model is None:
            return
        examples, lines = self.run_examples(loaded)
        if examples is None:
            return
        self.show(before.examples if before else {}, examples)
        now.examples, now.lines = examples, lines
        play = self.play(loaded.model)
        if play is None:
            return
        self.show_play(before.play if before else {}, play)
        now.play = play
        click.echo(
            _(
                "{name}: {lines} {lines:line|lines} of examples run, {failed} failed; {games} games played",
                name=self.name, lines=lines, failed=len(examples), games=self.games,
            )
        )  # fmt: skip

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

    def run_examples(self, loaded: Loaded) -> tuple[dict[str, str] | None, int]:
        """The lines that do not hold, and how many there are in all; None if the file was saved meanwhile."""
        failed: dict[str, str] = {}
        lines = 0
        assert loaded.model
        for scene in loaded.scenes:
            if self.has_changed():
                return None, 0
            for verdict in SceneRunner(loaded.model, scene, None).run().verdicts:
                lines += 1
                if not verdict.holds:
                    words = verdict.span.source.lines[verdict.span.line - 1].strip()
                    sign, found = "✗" if verdict.decided else "?", found_instead(verdict, scene.people)
                    failed[f"{scene.heading} {words}"] = f"{sign} {scene.heading}: {words}\n{found}"
        return failed, lines

    def play(self, rules: Model) -> dict[str, str] | None:
        """How the games go: how long they are, what everyone has at the end, and what goes wrong."""
        counts = range(rules.min_players, rules.max_players + 1)
        games = [Game(rules, players) for players in counts]
        moves: list[int] = []
        sums: dict[str, list[int]] = {}
        troubles: dict[str, str] = {}
        for seed in range(self.games):
            if self.has_changed():
                return None
            game = games[seed % len(games)]
            try:
                machine, count = _played(game, seed)
            except RuleError as problem:
                troubles.setdefault(_key(problem.diagnostic), render(problem.diagnostic, translator()))
                continue
            moves.append(count)
            for name, values in game.program.final_keeps(machine).items():
                sums.setdefault(name, []).extend(value for value in values if isinstance(value, int))
        return dict(_summed(moves, sums, rules)) | {say(Text("in play")): text for text in troubles.values()}


def _played(game: Game, seed: int) -> tuple[Machine, int]:
    """A game with random moves, and how many there were."""
    m, rng, moves = game.machine(seed), chance.stream(seed, 1), 0
    game.run(m)
    while m.winners is None and moves < MAX_MOVES_IN_GAME:
        choices = game.choices(m)
        rng, index = chance.below(rng, len(choices))
        game.make(m, choices[index])
        moves += 1
    return m, moves


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
    line = span.source.lines[span.line - 1].strip() if span and span.line <= len(span.source.lines) else ""
    return f"{diagnostic.code} {diagnostic.message} {line}"
