"""Works × seeds → portions in the order of the seeds, on one core, on all or on a cluster: the same to the digit."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from threading import Lock
from typing import Any, Protocol, TypeAlias

from teufelswerk.bot_engine import BotEngine
from teufelswerk.compiled.engines import Engine, Played, has_native, make_engine
from teufelswerk.compiled.paired import PORTION, Difference, Paired, figures_of, values
from teufelswerk.compiled.tally import Tally
from teufelswerk.diagnostics import Source
from teufelswerk.library import load_texts
from teufelswerk.machine import RuleError
from teufelswerk.texts import Text

Row: TypeAlias = list[Any]
PORTIONS = {"bots": 1, "reference": 10, "python": 1_000, "native": 50_000}
"""Games that are handed over at once: about a third of a second's work, but for bots that think long."""
FEW = {"bots": 1, "reference": 20, "python": 2_000, "native": 50_000}
"""Games that are played faster than a second process is started."""
ROWS = 5
"""So many times smaller are portions whose games are all sent back."""
AHEAD = 3
"""Portions that wait for each process, so that none is idle and none piles up results."""
KEPT_ENGINES = 100


@dataclass(frozen=True)
class Work:
    """What is to be played, as plain values: whoever gets it needs no rule file, on whatever machine."""

    sources: tuple[tuple[str, str], ...]
    """The rule file and its bases: where each came from, for messages, and its text."""
    values: tuple[tuple[str, int], ...]
    players: int
    engine: str
    rows: bool = False
    counting: bool = False
    bots: tuple[str, ...] = ()
    """Who plays, seat by seat, if the games are not played at random."""
    from_beginner: bool = False
    """Whether seats are counted from the player who decides first, where works are compared."""

    @classmethod
    def of(cls, engine: Engine, rows: bool = False, from_beginner: bool = False) -> Work:
        """The games that an engine plays."""
        rules = engine.game.rules
        sources = tuple((source.path, source.text) for source in rules.sources)
        bots = engine.bots if isinstance(engine, BotEngine) else ()
        values, counting = tuple(rules.changed_values.items()), engine.counters is not None
        work = cls(sources, values, engine.players, engine.name, rows, counting, bots, from_beginner)
        engines[work] = engine
        return work


@dataclass
class Share:
    """The games of one work. `failed` is the first seed whose game the rules do not let end, if there is one."""

    tally: Tally = field(default_factory=Tally)
    rows: list[Row] = field(default_factory=list)
    failed: int | None = None


@dataclass
class Portion:
    """The games of some seeds, by work; if asked for, each work after the first compared with the first."""

    games: int
    shares: list[Share]
    pairs: list[Paired] = field(default_factory=list)


# ---- playing --------------------------------------------------------------------------------------------------------

_one_at_a_time = Lock()
"""An engine is for one thread; a worker of a cluster may have several."""


engines: dict[Work, Engine] = {}
"""Those that were made lately. A process that is a copy of this one has them from the start."""


def engine_of(work: Work) -> Engine:
    """Who plays it: the engine that is there, or one that is made from the texts."""
    if work not in engines:
        engines[work] = _made(work)
    return engines[work]


def _made(work: Work) -> Engine:
    """Where there is no machine code, compiled rules play the same games."""
    loaded = load_texts([Source(path, text) for path, text in work.sources], dict(work.values))
    assert loaded.model, "whoever asks for it has checked the rules"
    if work.bots:
        return BotEngine(loaded.model, work.bots)
    name = "python" if work.engine == "native" and not has_native() else work.engine
    return make_engine(loaded.model, work.players, name, counting=work.counting)


def play_portion(works: Sequence[Work], first: int, count: int, paired: bool = False) -> Portion:
    """All works on the same seeds."""
    with _one_at_a_time:
        for old in list(engines)[: -max(KEPT_ENGINES, len(works))]:
            del engines[old]  # a worker of a cluster lives long
        players = [engine_of(work) for work in works]
        if paired:
            try:
                return _compared(players, first, count, works[0].from_beginner)
            except RuleError:
                pass  # once more, each on its own, to find who it is; what cannot be played cannot be compared
        shares = [_share(engine, first, count, work.rows) for engine, work in zip(players, works, strict=True)]
        return Portion(count, shares, [Paired() for _ in works[1:]] if paired else [])


def _compared(engines: Sequence[Engine], first: int, count: int, from_beginner: bool) -> Portion:
    base, *variants = engines
    portion = Portion(count, [Share() for _ in engines])
    for engine in variants:
        figures = figures_of(base, engine)
        portion.pairs.append(Paired(figures, 0, [Difference() for _ in figures]))
    for start in range(first, first + count, PORTION):
        size = min(PORTION, first + count - start)
        played = [engine.outcomes(start, size) for engine in engines]
        if from_beginner:
            played = [one.from_beginner(engine.players) for one, engine in zip(played, engines, strict=True)]
        for engine, share, outcomes in zip(engines, portion.shares, played, strict=True):
            share.tally.add(outcomes, engine.players)
        for engine, paired, outcomes in zip(variants, portion.pairs, played[1:], strict=True):
            paired.games += size
            for figure, difference in zip(paired.figures, paired.differences, strict=True):
                difference.add(values(base, played[0], figure), values(engine, outcomes, figure))
    return portion


def _share(engine: Engine, first: int, count: int, rows: bool) -> Share:
    if not rows:
        try:
            return Share(engine.tally(first, count))
        except RuleError:
            pass  # once more, game by game, to find the one
    share, games = Share(), list[Played]()
    try:
        for game in engine.many(first, count):
            games.append(game)
    except RuleError:
        share.failed = first + len(games)
    share.tally.add(engine.gathered(games), engine.players)
    if rows:
        share.rows = [row(engine, game) for game in games]
    return share


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


# ---- handing out ----------------------------------------------------------------------------------------------------


Errand: TypeAlias = tuple[Sequence[Work], int, int, bool]
"""What `play_portion` is to do."""


class Pending(Protocol):
    """A portion that somebody plays."""

    def result(self) -> Portion: ...


class Crew(Protocol):
    """Those who play."""

    times: int
    """How many times as large a portion may be as one for a process of this machine."""

    def width(self) -> int:
        """How many of them there are at this moment."""

    def submit(self, errand: Errand) -> Pending: ...


class Lost(Exception):
    """Those who should play cannot, or can no longer; `message` says why."""

    def __init__(self, message: Text) -> None:
        super().__init__(str(message))
        self.message = message


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
            from teufelswerk_cli.cluster import crew_at

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
