"""Works × seeds → portions in the order of the seeds, on one core, on all or on a cluster: the same to the digit."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from teufelswerk.base.texts import Text

from teufelswerk_cli.many.portion import Crew, Errand, Lost, Pending, Portion, Work, play_portion

PORTIONS = {"bots": 1, "reference": 10, "python": 1_000, "native": 50_000}
"""Games that are handed over at once: about a third of a second's work, but for bots that think long."""
FEW = {"bots": 1, "reference": 20, "python": 2_000, "native": 50_000}
"""Games that are played faster than a second process is started."""
ROWS = 5
"""So many times smaller are portions whose games are all sent back."""
AHEAD = 3
"""Portions that wait for each process, so that none is idle and none piles up results."""


@dataclass
class _Later:
    errand: Errand

    def result(self) -> Portion:
        return play_portion(*self.errand)


class Alone:
    """This process plays, one portion at a time."""

    times = 1

    def width(self) -> int:
        return 1

    def submit(self, errand: Errand) -> Pending:
        return _Later(errand)


class Processes:
    """So many processes play; they leave Ctrl-C to this one."""

    times = 1

    def __init__(self, pool: ProcessPoolExecutor, jobs: int) -> None:
        self.pool, self.jobs = pool, jobs

    def width(self) -> int:
        return self.jobs

    def submit(self, errand: Errand) -> Pending:
        return self.pool.submit(play_portion, *errand)


def _leave_stopping_to_the_first() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@dataclass(frozen=True)
class Where:
    """Where to play: on so many processes of this machine (all cores if not said), or on the cluster of an address."""

    jobs: int | None = None
    cluster: str | None = None

    @contextmanager
    def crew(self, works: Sequence[Work], count: int) -> Iterator[Crew]:
        if self.cluster is not None:
            from teufelswerk_cli.many.cluster import crew_at

            with crew_at(self.cluster) as workers:
                yield workers
            return
        jobs = self.jobs or os.cpu_count() or 1
        if jobs == 1 or count * len(works) <= FEW[works[0].engine]:
            yield Alone()
            return
        with ProcessPoolExecutor(jobs, initializer=_leave_stopping_to_the_first) as pool:
            try:
                yield Processes(pool, jobs)
            except BrokenProcessPool:
                raise Lost(Text("a process that played was ended from outside, or ran out of memory")) from None
            except (KeyboardInterrupt, GeneratorExit):
                for process in multiprocessing.active_children():  # a game of bots may take half a minute
                    process.terminate()
                raise
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


def portions(works: Sequence[Work], first: int, count: int, where: Where, paired: bool = False) -> Generator[Portion]:
    """All games of so many seeds, portion by portion in the order of the seeds.

    No more portions are under way than keep everyone busy, so that the memory it takes does not grow with the games.
    """
    with where.crew(works, count) as crew:
        usual = PORTIONS[works[0].engine] // len(works)
        if works[0].rows:
            usual //= ROWS
        elif not works[0].bots:  # a game of theirs may take half a minute
            usual *= crew.times
        size = max(1, min(usual, count // (crew.width() * 4)))
        starts = iter(range(first, first + count, size))
        waiting: deque[Pending] = deque()
        while True:
            for start in islice(starts, max(0, crew.width() * AHEAD - len(waiting))):
                waiting.append(crew.submit((works, start, min(size, first + count - start), paired)))
            if not waiting:
                return
            yield waiting.popleft().result()
