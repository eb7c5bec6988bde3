"""Measures how long it takes from the start of the program to its first answer, beside Python's own start.

    python tests/benchmarks/start.py [--repeat 9]

CPU times of whole processes, interleaved; medians, and the ratio to `python -c pass`. The processes keep what they
compile and check, in a cache folder of their own, and the first round, which fills it, does not count.
PYTHONDONTWRITEBYTECODE is taken from them: it would make every start compile all sources again, which no player sees.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile

PLAY = ["-m", "teufelswerk_cli", "play", "little-devils", "--players", "4", "--human", "Me", "--bots", "random"]
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "games": ["-m", "teufelswerk_cli", "games"],
    "play, to the first prompt": PLAY,
}


def seconds(arguments: list[str], folder: str) -> float:
    """CPU seconds of one run; `play` ends at its first prompt, because nobody answers."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "XDG_DATA_HOME": f"{folder}/data", "XDG_CACHE_HOME": f"{folder}/cache"}
    environment["TEUFELSWERK_LANG"] = "en"
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run(
        [sys.executable, *arguments], stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeat", type=int, default=9)
    repeat = parser.parse_args().repeat
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(repeat + 1):  # the first round fills caches
            for name, arguments in COMMANDS.items():
                times[name].append(seconds(arguments, folder))
    alone = statistics.median(times["python -c pass"][1:])
    for name, taken in times.items():
        median = statistics.median(taken[1:])
        sys.stdout.write(f"{name}: {median:.3f} s CPU, {median / alone:.1f} x, {median - alone:.3f} s beyond\n")


if __name__ == "__main__":
    main()
