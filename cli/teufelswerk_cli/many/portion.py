"""A work × some seeds → a portion: games by an engine, as plain numbers; and what a crew is that plays portions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Protocol, TypeAlias

from teufelswerk.base.diagnostics import Source
from teufelswerk.base.texts import Text
from teufelswerk.bots.bot_games import BotEngine
from teufelswerk.engines.paired import PORTION, Difference, Paired, figures_of, values
from teufelswerk.engines.random_games import Engine, Played, has_native, make_engine
from teufelswerk.engines.tally import Tally
from teufelswerk.interpreter.machine import RuleError
from teufelswerk.loading.library import load_texts

Row: TypeAlias = list[Any]
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
        return BotEngine(loaded.model, work.bots, work.counting)
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


# ---- who plays -------------------------------------------------------------------------------------------------------


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
