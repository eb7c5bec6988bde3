"""Measures the engines beside the same games written by hand, in clear Python and in C, interleaved in one run.

    python tests/benchmarks/run.py [--players 4] [--repeat 5] [--json]

Of everything the median of CPU times counts; ratios are taken within each round of measurements, so that a busy machine
disturbs them less than the figures themselves. What is not installed (numba, a C compiler) is left out.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "interpreter")]

from teufelswerk.compiled.engines import NAMES, has_native, make_engine  # noqa: E402
from teufelswerk.library import load  # noqa: E402
from teufelswerk.shelf import shipped  # noqa: E402

SECONDS = 0.4
"""CPU time for each measurement."""
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

    def measured() -> float:
        start = time.process_time()
        return play(games) / (time.process_time() - start)

    return measured


def in_c(source: Path, players: int, folder: Path) -> Measure:
    program = folder / source.stem
    subprocess.run(["gcc", "-O3", "-march=native", "-o", str(program), str(source)], check=True)

    def measured() -> float:
        found = subprocess.run([str(program), str(players), "100000"], capture_output=True, text=True, check=True)
        return float(found.stdout.split()[0])

    return measured


def loading(path: Path) -> Measure:
    """How often a second a file is read and checked."""

    def measured() -> float:
        start = time.process_time()
        load(path)
        return 1 / (time.process_time() - start)

    return measured


def measures(name: str, path: Path, players: int, folder: Path) -> dict[str, Measure]:
    stem = name.replace("-", "_")
    found = {"parse and check": loading(path)}
    if (HERE / f"{stem}_clear.py").exists():
        clear = import_module(f"{stem}_clear")
        found["clear Python"] = rate(lambda games: int(clear.bench(players, games, 1)))
    if (HERE / f"{stem}.c").exists() and shutil.which("gcc"):
        found["C"] = in_c(HERE / f"{stem}.c", players, folder)
    rules = load(path).model
    assert rules
    for engine_name in NAMES:
        if engine_name != "native" or has_native():
            engine = make_engine(rules, players, engine_name)
            engine.play(0)
            found[engine_name] = rate(lambda games, engine=engine: engine.count(1, games))  # type: ignore[misc]
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--players", type=int, default=4)
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    report = []
    with tempfile.TemporaryDirectory() as folder:
        for name, path in shipped().items():
            found = measures(name, path, given.players, Path(folder))
            rounds = [{what: measure() for what, measure in found.items()} for _ in range(given.repeat)]
            for what in found:
                entry = {"game": name, "players": given.players, "what": what}
                line: dict[str, object] = {**entry, "per_second": round(statistics.median(r[what] for r in rounds), 1)}
                for other in ("clear Python", "C"):
                    if other in found and what in NAMES:
                        line[f"x {other}"] = round(statistics.median(r[what] / r[other] for r in rounds), 4)
                report.append(line)
    for line in report:
        ratios = "".join(f"   {value:g} x {key[2:]}" for key, value in line.items() if key.startswith("x "))
        text = f"{line['game']:20} {line['what']:16} {line['per_second']:>15,} a second{ratios}"
        sys.stdout.write((json.dumps(line) if given.json else text) + "\n")


if __name__ == "__main__":
    main()
