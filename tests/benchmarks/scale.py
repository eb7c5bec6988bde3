"""Measures `simulate` at scale: whether its memory grows with the games, and how much faster more processes are.

    python tests/benchmarks/scale.py [--game NAME] [--players 4] [--games 1000000] [--jobs 2] [--repeat 5] [--json]

Memory is the peak of the first process and of its largest child, for a tenth of the games and for all. Runs of one
process and of several alternate, and ratios are taken within each round, without the start, which is what a run of a
single game takes. `ratio` is one of wall times, for a machine that has nothing else to do. `ratio_by_cpu` holds on a
busy machine too: it asks how much CPU time the games cost in all, and for how much of their time the processes ran or
waited for a core, and so were not idle. Only for Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOOK = 0.02
"""Seconds between two looks at the processes."""


@dataclass
class Run:
    """A run of `simulate`: wall seconds, CPU seconds of all its processes, and the peaks of memory in MB."""

    seconds: float
    cpu: float
    parent: float
    child: float
    busy: float = 1.0
    """How many of the processes that play were not idle, on average."""


@dataclass
class Seen:
    """A process that plays, between the first look and the last one at which it was still at it."""

    begun: float
    active_then: float
    busy: float = 0.0

    def look(self, active_now: float) -> None:
        passed = time.perf_counter() - self.begun
        if passed > LOOK:
            self.busy = min(1.0, (active_now - self.active_then) / passed)


def peak(process: str) -> float:
    """The most memory that a process has had at once, in MB; 0 if it is gone."""
    try:
        status = Path("/proc", process, "status").read_text(encoding="utf-8")
    except OSError:
        return 0.0
    found = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(found[0]) / 1024 if found else 0.0


def children(process: int) -> list[str]:
    try:
        return Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8").split()
    except OSError:
        return []


def active(process: str) -> float:
    """The seconds in which a process ran or waited for a core; 0 if it is gone."""
    try:
        ran, waited, _ = Path("/proc", process, "schedstat").read_text(encoding="utf-8").split()
    except OSError:
        return 0.0
    return (int(ran) + int(waited)) / 1e9


def used() -> float:
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def simulate(game: str, players: int, games: int, jobs: int, engine: str) -> Run:
    words = ["simulate", game, "--players", players, "--games", games, "--jobs", jobs, "--engine", engine]
    path = os.pathsep.join([str(ROOT / "interpreter"), str(ROOT / "cli")])
    before, start, seen = used(), time.perf_counter(), dict[str, Seen]()
    with subprocess.Popen(
        [sys.executable, "-m", "teufelswerk_cli", *map(str, words)],
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.DEVNULL,
    ) as process:
        parent = child = 0.0
        while process.poll() is None:
            parent = max(parent, peak(str(process.pid)))
            for pid in children(process.pid):
                child = max(child, peak(pid))
                if (now := active(pid)) > 0:
                    seen.setdefault(pid, Seen(time.perf_counter(), now)).look(now)
            time.sleep(LOOK)
    if process.returncode:
        sys.exit(process.returncode)
    busy = sum(one.busy for one in seen.values()) if jobs > 1 else 1.0
    return Run(time.perf_counter() - start, used() - before, parent, child, busy)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="little-devils")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--engine", default="native")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()

    def run(games: int, jobs: int) -> Run:
        return simulate(options.game, options.players, games, jobs, options.engine)

    load, games, jobs = os.getloadavg()[0], options.games, options.jobs
    run(1, 1)  # machine code is made, and everything is in the caches
    few, many = run(games // 10, jobs), run(games, jobs)
    rounds = [(run(1, 1), run(games, 1), run(games, jobs)) for _ in range(options.repeat)]
    found = {
        "game": options.game,
        "players": options.players,
        "engine": options.engine,
        "games": games,
        "jobs": jobs,
        "load_before": round(load, 2),
        "parent_mb": [round(few.parent, 1), round(many.parent, 1)],
        "child_mb": [round(few.child, 1), round(many.child, 1)],
        "seconds": [round(statistics.median(run.seconds for run in runs), 2) for runs in zip(*rounds, strict=True)],
        "cpu_seconds": [round(statistics.median(run.cpu for run in runs), 2) for runs in zip(*rounds, strict=True)],
        "busy": round(statistics.median(shared.busy for _, _, shared in rounds), 2),
        "ratio": round(
            statistics.median(
                (alone.seconds - start.seconds) / (shared.seconds - start.seconds) for start, alone, shared in rounds
            ),
            2,
        ),
        "ratio_by_cpu": round(
            statistics.median(
                shared.busy * (alone.cpu - start.cpu) / (shared.cpu - start.cpu) for start, alone, shared in rounds
            ),
            2,
        ),
    }
    if options.json:
        sys.stdout.write(json.dumps(found) + "\n")
        return
    sys.stdout.write("\n".join(f"{name:20} {value}" for name, value in found.items()) + "\n")


if __name__ == "__main__":
    main()
