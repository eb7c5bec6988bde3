"""Games by the million: seeds shared out among all cores, sums and rows that do not depend on who played which."""

from __future__ import annotations

import csv
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from teufelswerk.compiled.engines import Engine, Played, make_engine
from teufelswerk.compiled.tally import Tally
from teufelswerk.library import load
from teufelswerk.machine import RuleError

from teufelswerk_cli.speech import _

Row: TypeAlias = list[Any]
PORTIONS = {"reference": 10, "python": 200, "native": 20_000}
"""Games that are handed to a process at once: about half a second's work."""
FEW = {"reference": 20, "python": 400, "native": 40_000}
"""Games that are played faster than a second process is started."""
AHEAD = 3
"""Portions that wait for each process, so that none is idle and none piles up results."""


@dataclass(frozen=True)
class Task:
    """What a process needs to know to play its share: plain values, whatever way the process was started."""

    path: str
    values: dict[str, int]
    players: int
    engine: str
    rows: bool


@dataclass
class Portion:
    """The games of some seeds. `failed` is the first seed whose game the rules do not let end, if there is one."""

    tally: Tally
    rows: list[Row]
    failed: int | None = None


def play_portion(engine: Engine, first: int, count: int, rows: bool) -> Portion:
    if not rows:
        try:
            return Portion(engine.tally(first, count), [])
        except RuleError:
            pass  # once more, game by game, to find the one
    portion = Portion(Tally(), [])
    try:
        for game in engine.many(first, count):
            engine.add(portion.tally, game)
            if rows:
                portion.rows.append(row(engine, game))
    except RuleError:
        portion.failed = first + portion.tally.games
    return portion


def row(engine: Engine, game: Played) -> Row:
    """A game as a line of a table, in the order of `columns`."""
    won = [int(seat in game.winners) for seat in range(engine.players)]
    raw = engine.game.program.teller.raw
    kept = [raw(k.type, value) for k, values in zip(engine.kept, game.keeps, strict=True) for value in values]
    return [game.seed, game.moves, *won, *kept]


def columns(engine: Engine) -> list[str]:
    seats = range(engine.players)
    kept = [f"{keep.name}_{seat}" for keep in engine.kept for seat in seats]
    return ["seed", "moves", *(f"won_{seat}" for seat in seats), *kept]


class _Worker:
    engine: Engine
    rows: bool


def _begin(task: Task) -> None:
    """A process gets ready. It leaves Ctrl-C to the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    rules = load(task.path, task.values).model
    assert rules
    _Worker.engine, _Worker.rows = make_engine(rules, task.players, task.engine), task.rows


def _portion(first: int, count: int) -> Portion:
    return play_portion(_Worker.engine, first, count, _Worker.rows)


def portions(engine: Engine, task: Task, first: int, count: int, jobs: int | None) -> Iterator[Portion]:
    """All games, portion by portion in the order of the seeds, on so many processes (all cores if not said)."""
    jobs = jobs or os.cpu_count() or 1
    if count <= FEW[engine.name] or jobs == 1:
        size = max(1, PORTIONS[engine.name] // 4)
        for start in range(first, first + count, size):
            yield play_portion(engine, start, min(size, first + count - start), task.rows)
        return
    size = max(1, min(PORTIONS[engine.name], count // (jobs * 4)))
    starts = iter(range(first, first + count, size))
    waiting: deque[Future[Portion]] = deque()
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(task,)) as pool:
        try:
            while True:
                for seed in islice(starts, jobs * AHEAD - len(waiting)):
                    waiting.append(pool.submit(_portion, seed, min(size, first + count - seed)))
                if not waiting:
                    return
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def simulate(
    task: Task,
    engine: Engine,
    first: int,
    count: int,
    jobs: int | None = None,
    write: Callable[[list[Row]], None] | None = None,
) -> tuple[Tally, bool]:
    """Plays the games of so many seeds. Ctrl-C keeps what is done; the answer is then marked as stopped.

    Raises RuleError where the rules are at fault.
    """
    tally = Tally()
    with progress(count) as advance:
        try:
            for portion in portions(engine, task, first, count, jobs):
                tally.merge(portion.tally)
                if write:
                    write(portion.rows)
                if portion.failed is not None:
                    engine.game.random_game(portion.failed)
                advance(portion.tally.games)
        except KeyboardInterrupt:
            return tally, True
    return tally, False


@contextmanager
def progress(count: int) -> Iterator[Callable[[int], None]]:
    """A bar with the games a second and the time left, where somebody is looking."""
    if not sys.stderr.isatty():
        yield lambda games: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.progress import Task as Bar

    class Rate(TextColumn):
        def render(self, task: Bar) -> Any:
            from rich.text import Text as Line

            return Line(_("{rate} games a second", rate=f"{task.speed:,.0f}") if task.speed else "")

    bar = Progress(
        BarColumn(), MofNCompleteColumn(), Rate(""), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    )
    with bar:
        task = bar.add_task("", total=count)
        yield lambda games: bar.advance(task, games)


# ---- rows in files --------------------------------------------------------------------------------------------------


@contextmanager
def rows_in(path: Path, names: list[str]) -> Iterator[Callable[[list[Row]], None]]:
    """A table that is written as it comes: CSV, or Parquet by the file's ending; it is there when it is whole."""
    parquet = path.suffix == ".parquet"
    if parquet:
        import duckdb
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="") as file:
            lines = csv.writer(file, lineterminator="\n")
            lines.writerow(names)
            yield lines.writerows
        if parquet:
            whole = path.with_name(f"{path.name}.whole")
            with duckdb.connect() as connection:
                table = connection.read_csv(str(part), header=True)
                table.write_parquet(str(whole))
            whole.replace(path)
        else:
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)
