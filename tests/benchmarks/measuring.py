"""Measurements as functions: each gives one figure whenever it is called, so that they can be interleaved."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from teufelswerk.engines.random_games import make_engine
from teufelswerk.loading.library import load, parsed_base
from teufelswerk.model import Model
from teufelswerk.syntax.grammar import tree_of

SECONDS, BURSTS = 0.05, 6
"""CPU time of a burst, and how many there are in a measurement: the fastest counts, on every side alike."""
Measure = Callable[[], float]


def rate(play: Callable[[int], int]) -> Measure:
    """Moves a second; the number of games that take long enough is found first."""
    games = 1
    while True:
        start = time.process_time()
        play(games)
        took = time.process_time() - start
        if took > SECONDS / 8:
            break
        games *= 2
    games = max(1, round(games * SECONDS / took))

    def burst() -> float:
        start = time.process_time()
        return play(games) / (time.process_time() - start)

    return lambda: max(burst() for _ in range(BURSTS))


def engine_rate(rules: Model, players: int, name: str) -> Measure | None:
    """Moves a second of an engine, None if it cannot play these rules."""
    engine = make_engine(rules, players, name)
    if engine.name != name:
        return None
    engine.play(0)
    return rate(lambda games: engine.count(1, games))


def in_c(source: Path, players: int, folder: Path) -> Measure:
    program = folder / source.stem
    subprocess.run(["gcc", "-O3", "-march=native", "-o", str(program), str(source)], check=True)

    def burst() -> float:
        found = subprocess.run([str(program), str(players), "30000"], capture_output=True, text=True, check=True)
        return float(found.stdout.split()[0])

    return lambda: max(burst() for _ in range(BURSTS))


def reading(path: Path, anew: bool) -> Measure:
    """Seconds to read and check a file: anew, or again, when the lines that have not changed are remembered."""

    def measured() -> float:
        if anew:
            tree_of.cache_clear()
            parsed_base.cache_clear()
        start = time.process_time()
        load(path)
        return time.process_time() - start

    return measured


LAUNCH = """
import os, sys
child = os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, *sys.argv[1:]])
_, status, used = os.wait4(child, 0)
print(status, used.ru_maxrss, file=sys.stderr)
"""
"""A process counts what its parent held when it was started, so a small one has to start it."""


def peak_memory(*arguments: str) -> float:
    """The most memory that a run of this Python held at once, in megabytes."""
    found = subprocess.run([sys.executable, "-c", LAUNCH, *arguments], capture_output=True, text=True, check=True)
    status, peak = found.stderr.split()[-2:]
    if status != "0":
        raise SystemExit(f"this failed: {' '.join(arguments)}")
    return int(peak) / (1 << 20 if sys.platform == "darwin" else 1 << 10)
