"""What travels between this process and a cluster's workers: works and portions ↔ plain numbers and texts in JSON.

Nobody has to trust a portion that arrives: it is numbers of the right kind, as many as these games have, or refused.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from teufelswerk.engines.paired import Difference, Paired, figures_of
from teufelswerk.engines.random_games import Engine
from teufelswerk.engines.tally import Tally

from teufelswerk_cli.many.portion import Errand, Portion, Row, Share, Work, columns, engine_of, play_portion


class Strange(ValueError):
    """Data that is no portion of these games."""


# ---- there ----------------------------------------------------------------------------------------------------------


def packed(errand: Errand) -> bytes:
    works, first, count, paired = errand
    plain = [[w.sources, w.values, w.players, w.engine, w.rows, w.counting, w.bots, w.from_beginner] for w in works]
    return json.dumps([plain, first, count, paired]).encode()


def played(parcel: bytes) -> bytes:
    """What a worker does with an errand: the portion, as plain numbers."""
    plain, first, count, paired = json.loads(parcel)
    works = [
        Work(_pairs(sources), _pairs(values), players, engine, rows, counting, tuple(bots), from_beginner)
        for sources, values, players, engine, rows, counting, bots, from_beginner in plain
    ]
    return _packed(play_portion(works, first, count, paired))


def _pairs(items: list[list[Any]]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, value) for name, value in items)


# ---- and back -------------------------------------------------------------------------------------------------------


def _packed(portion: Portion) -> bytes:
    shares = [[_numbers(share.tally), share.rows, share.failed] for share in portion.shares]
    pairs = [[pair.games, [[d.base, d.variant, d.squares] for d in pair.differences]] for pair in portion.pairs]
    return json.dumps([portion.games, shares, pairs]).encode()


def _numbers(tally: Tally) -> list[Any]:
    counters = [sorted(counter.items()) for counter in (tally.lengths, tally.rounds, tally.winners)]
    values = [[sorted(seat.items()) for seat in kept] for kept in tally.values]
    return [tally.games, tally.moves, *counters, tally.wins, values, tally.counts]


def unpacked(parcel: Any, errand: Errand) -> Portion:
    """The portion that an errand asked for; Strange if it is something else."""
    works, _, count, paired = errand
    try:
        games, shares, pairs = json.loads(parcel)
        engines = [engine_of(work) for work in works]
        others = engines[1:] if paired else []
        return Portion(
            _number(games, count, count),
            [_share(share, errand, work) for share, work in zip(shares, works, strict=True)],
            [_pair(pair, engines[0], other, count) for pair, other in zip(pairs, others, strict=True)],
        )
    except (LookupError, TypeError, ValueError, RecursionError) as problem:
        raise Strange(str(problem)) from None


def _number(value: Any, low: int | None = 0, high: int | None = None) -> int:
    if type(value) is not int or (low is not None and value < low) or (high is not None and value > high):
        raise Strange(f"{value!r}")
    return value


def _list(values: Any, size: int) -> list[int]:
    """So many numbers; none at all if no games were played."""
    if len(values) not in (0, size):
        raise Strange(f"{len(values)} numbers, not {size}")
    return [_number(value) for value in values]


def _counter(items: Any, games: int) -> Counter[int]:
    """How many games had each value."""
    found = Counter({_number(value, None): _number(number, 1, games) for value, number in items})
    if len(found) != len(items) or sum(found.values()) > games:
        raise Strange("more than were played")
    return found


def _share(share: Any, errand: Errand, work: Work) -> Share:
    _, first, count, _ = errand
    numbers, rows, failed = share
    engine = engine_of(work)
    stuck = None if failed is None else _number(failed, first, first + count - 1)
    tally = _tally(numbers, engine)
    if tally.games != (count if stuck is None else stuck - first):
        raise Strange("not as many games as were asked for")
    if len(rows) != (tally.games if work.rows else 0):
        raise Strange("not a row for each game")
    return Share(tally, [_row(row, engine) for row in rows], stuck)


def _tally(numbers: Any, engine: Engine) -> Tally:
    games, moves, lengths, rounds, winners, wins, values, counts = numbers
    if len(values) not in (0, len(engine.kept)) or any(len(kept) != engine.players for kept in values):
        raise Strange("values of other things")
    return Tally(
        games=_number(games),
        moves=_number(moves),
        lengths=_counter(lengths, games),
        rounds=_counter(rounds, games),
        wins=_list(wins, engine.players),
        winners=_counter(winners, games),
        values=[[_counter(seat, games) for seat in kept] for kept in values],
        counts=_list(counts, engine.counters.size if engine.counters else 0),
    )


def _row(row: Any, engine: Engine) -> Row:
    if type(row) is not list or len(row) != len(columns(engine)) or not all(map(_is_plain, row)):
        raise Strange("no row of a table")
    return row


def _is_plain(value: Any) -> bool:
    return value is None or type(value) in (int, str, bool) or (type(value) is list and all(map(_is_plain, value)))


def _pair(pair: Any, base: Engine, variant: Engine, count: int) -> Paired:
    """The figures of a comparison are known here; only their numbers travel."""
    games, numbers = pair
    if not numbers:
        return Paired(games=_number(games, 0, 0))
    figures = figures_of(base, variant)
    differences = [Difference(_number(a, None), _number(b, None), _number(c)) for a, b, c in numbers]
    if len(differences) != len(figures):
        raise Strange("other figures")
    return Paired(figures, _number(games, count, count), differences)
