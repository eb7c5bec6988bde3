"""Rules → what was learned of them: files that come along, and files in the cache for games of one's own."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TypeAlias

from teufelswerk.base import cache_files, find_files
from teufelswerk.model import Model

FOLDER = Path(__file__).parent / "learned"
MOST_KEPT = 200
"""So many games of one's own are kept in mind, the newest."""
MOST_WEIGHT = 1 << 40
Learned: TypeAlias = dict[str, dict[str, int]]
"""By move, what each of the numbers that are told of it weighs."""


def learned(rules: Model) -> Learned | None:
    """What is known of a game or, in a variant, of the game that it is a variant of; None if nothing is."""
    kept = cache_files.read(_kept_as(rules))
    found = read(kept.decode()) if kept is not None else shipped(rules.family)
    return found or None


@cache
def shipped(name: str) -> Learned | None:
    """What comes along for a game of the shelf; nothing in it says that to have learned more did not help."""
    path = FOLDER / f"{name}.toml"
    return read(path.read_text(encoding="utf-8")) if path.is_file() else None


def read(text: str) -> Learned | None:
    """What a file says; None if it is no such file."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
    found: Learned = {}
    for move, weights in tables.items():
        if not isinstance(weights, dict) or not all(map(_is_weight, weights.values())):
            return None
        found[move] = weights
    return found


def _is_weight(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < MOST_WEIGHT


def written(weights: Learned, about: str) -> str:
    """A file that says what each number weighs, move by move."""
    lines = [f"# {line}" for line in about.splitlines()]
    for move, row in weights.items():
        lines += ["", f"[{move}]", *(f'"{name}" = {weight}' for name, weight in row.items())]
    return "\n".join(lines) + "\n"


def keep(rules: Model, weights: Learned, about: str) -> None:
    """Keeps what was learned for the next time that just these rules are played."""
    cache_files.write(_kept_as(rules), written(weights, about).encode())
    cache_files.keep_newest("learned-*.toml", MOST_KEPT)


def is_unknown(rules: Model) -> bool:
    """Whether it is a game of one's own that nobody has learned yet. For the games of the shelf it is known whether
    that helps: what does comes along."""
    from teufelswerk.engines.random_games import has_native  # brings the compiler along

    of_the_shelf = {path.resolve() for path in find_files.shipped().values()}
    if not has_native() or Path(rules.sources[-1].path).resolve() in of_the_shelf:
        return False
    return cache_files.read(_kept_as(rules)) is None


def get_to_know(rules: Model, players: int) -> None:
    """Learns a game in some seconds, and keeps what is of any use."""
    from teufelswerk.bots.self_play import SHORT, School, best

    stage = best(list(School(rules, players).learn(SHORT)))
    weights = stage.weights if stage.ahead > stage.error else {}
    keep(rules, weights, f"learned in {SHORT.stages} stages of {SHORT.decisions} decisions")


def _kept_as(rules: Model) -> str:
    return f"learned-{rules.digest}.toml"
