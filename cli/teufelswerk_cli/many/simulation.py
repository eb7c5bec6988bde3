"""Portions → sums and tables: games by the million in constant memory, a bar for those who wait, rows in files."""

from __future__ import annotations

import csv
import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO, TypeAlias

from teufelswerk.engines.paired import Paired
from teufelswerk.engines.tally import Tally

from teufelswerk_cli.console.new_file import new_file
from teufelswerk_cli.console.speech import _
from teufelswerk_cli.many.portion import Row, Work
from teufelswerk_cli.many.spreading import Where, portions

Failure: TypeAlias = Callable[[int, int], None]


@dataclass
class Sums:
    """What the games of each work come to. `stopped` if somebody did not wait for all of them."""

    tallies: list[Tally]
    pairs: list[Paired]
    """If asked for: each work after the first, compared with the first."""
    stopped: bool = False


def play(
    works: Sequence[Work],
    seeds: tuple[int, int],
    where: Where,
    failed: Failure,
    write: Callable[[list[Row]], None] | None = None,
    paired: bool = False,
) -> Sums:
    """Plays every work on the same seeds: the first one, and how many. Ctrl-C keeps what is done.

    `failed` is told the number of a work and the seed where its rules are at fault; it may end all by raising.
    """
    sums = Sums([Tally() for _ in works], [Paired() for _ in works[1:]] if paired else [])
    with progress(seeds[1] * len(works)) as advance, closing(portions(works, *seeds, where, paired)) as played:
        try:
            for portion in played:
                with in_one_piece():
                    for tally, share in zip(sums.tallies, portion.shares, strict=True):
                        tally.merge(share.tally)
                        if write:
                            write(share.rows)
                    for pair, found in zip(sums.pairs, portion.pairs, strict=True):
                        if found.games:
                            pair.merge(found)
                for number, share in enumerate(portion.shares):
                    if share.failed is not None:
                        failed(number, share.failed)
                advance(portion.games * len(works))
        except KeyboardInterrupt:
            sums.stopped = True
    return sums


@contextmanager
def in_one_piece() -> Iterator[None]:
    """Ctrl-C waits until this is done, so that sums and rows are of the same games."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


@contextmanager
def progress(count: int, paced: bool = True) -> Iterator[Callable[[int], None]]:
    """A bar with the games a second and the time left, where somebody is looking; not `paced`: of something else."""
    if not sys.stderr.isatty():
        yield lambda games: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import Task as Bar
    from rich.text import Text as Line

    from teufelswerk_cli.console.display import Display

    class Pace(TextColumn):
        """How fast it has gone since the beginning, and how long the rest takes at that pace: portions that come in at
        the same time make nothing faster."""

        def render(self, task: Bar) -> Any:
            return Line(pace(task.completed, task.elapsed or 0.0, count) if paced else "")

    bar = Progress(BarColumn(), MofNCompleteColumn(), Pace(""), console=Display(error=True), transient=True)
    with bar:
        task = bar.add_task("", total=count)
        yield lambda games: bar.advance(task, games)


def pace(done: float, seconds: float, count: int) -> str:
    """So many games a second, and the time left; nothing before anything is done."""
    if not done or seconds <= 0:
        return ""
    rate, left = done / seconds, round((count - done) * seconds / done)
    shown = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
    clock = f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}"
    return _("{rate} games a second, {left} left", rate=shown, left=clock)


# ---- rows in files --------------------------------------------------------------------------------------------------


TABLES = ("csv", "jsonl", "parquet")
"""The kinds of tables, each by the ending of its files."""


def _csv_lines(file: TextIO, names: list[str]) -> Callable[[list[Row]], None]:
    lines = csv.writer(file, lineterminator="\n")
    lines.writerow(names)
    return lines.writerows


def _json_lines(file: TextIO, names: list[str]) -> Callable[[list[Row]], None]:
    """One object a line."""

    def write(rows: list[Row]) -> None:
        file.writelines(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)

    return write


@contextmanager
def rows_in(path: Path, names: list[str]) -> Iterator[Callable[[list[Row]], None]]:
    """A table that is written as it comes, of the kind that the file's name ends in; it is there when it is whole."""
    kind = path.suffix.lower().removeprefix(".")
    assert kind in TABLES
    with new_file(path) as whole:
        if kind != "parquet":
            with whole.open("w", encoding="utf-8", newline="") as file:
                yield _json_lines(file, names) if kind == "jsonl" else _csv_lines(file, names)
            return
        import duckdb

        with TemporaryDirectory(dir=whole.parent) as folder:
            rows = Path(folder) / "rows.csv"
            with rows.open("w", encoding="utf-8", newline="") as file:
                yield _csv_lines(file, names)
            with duckdb.connect() as connection:
                connection.read_csv(str(rows), header=True).write_parquet(str(whole))
