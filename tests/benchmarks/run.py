"""Measures Teufelswerk beside the same games written by hand and beside other card-game programs, in one run.

    python tests/benchmarks/run.py [--repeat 5] [--peers-python PATH] [--json] [--write]

CPU times only; everything that is compared is measured in turn, round after round, each time as the fastest of some
short bursts, and what is told is the median of the rounds' ratios: so a busy machine disturbs it little. What is
not installed (llvmlite, a C compiler, OpenSpiel and RLCard in the Python that --peers-python names) is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import date
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "interpreter")]

from measuring import Measure, engine_rate, in_c, peak_memory, rate, reading  # noqa: E402
from teufelswerk.base.find_files import known, shipped, variants  # noqa: E402
from teufelswerk.engines.position_games import PositionGames  # noqa: E402
from teufelswerk.engines.random_games import NAMES, has_native  # noqa: E402
from teufelswerk.loading.library import load  # noqa: E402
from teufelswerk.model import Model  # noqa: E402

PLAYERS = 4
SHORT_AND_LONG = ("0.5", "2")
CLEAR, IN_C = "clear Python by hand", "C by hand"
PAGE = ROOT / "docs" / "speed.md"
Rounds = list[dict[str, float]]
Table = list[list[str]]


def rounds_of(measures: dict[str, Measure], repeat: int) -> Rounds:
    """Everything in turn, so many times; a first round that warms up is not counted."""
    return [{name: measure() for name, measure in measures.items()} for _ in range(repeat + 1)][1:]


def middle(rounds: Rounds, name: str, beside: str | None = None) -> float:
    """The median of a figure, or of its ratio to another one of the same round."""
    return statistics.median(r[name] / (r[beside] if beside else 1) for r in rounds)


def number(value: float) -> str:
    """A figure with three digits that count, large ones in words."""
    for size, word in ((1e6, " million"), (1, "")):
        if value >= size:
            scaled = value / size
            digits = 0 if scaled >= 100 else 1 if scaled >= 10 else 2
            return f"{round(scaled, -2 if scaled >= 1e4 else digits):,.{digits}f}{word}"
    return f"{value:.2f}"


def times(value: float) -> str:
    digits = 4 if value < 0.1 else 2 if value < 9.95 else 0
    return f"{value:,.{digits}f} ×"


def rules_of(path: Path, values: dict[str, int] | None = None) -> Model:
    model = load(path, values).model
    assert model, path
    return model


def installed() -> list[str]:
    """The engines that can be had here."""
    return [name for name in NAMES if name != "native" or has_native()]


# ---- what is measured -----------------------------------------------------------------------------------------------


def files(repeat: int) -> Table:
    paths = {**shipped(), **{name: known()[name] for name in variants()}}
    ways = {"": True, " again": False}
    measures = {f"{name}{way}": reading(path, anew) for name, path in paths.items() for way, anew in ways.items()}
    rounds = rounds_of(measures, repeat)
    table = [["rule file", "lines", "for the first time", "lines a second", "again"]]
    for name, path in shipped().items():
        seconds, again = middle(rounds, name), middle(rounds, f"{name} again")
        lines = len(path.read_text(encoding="utf-8").splitlines())
        table.append(
            [f"`{name}`", str(lines), f"{seconds * 1000:.0f} ms", number(lines / seconds), f"{again * 1000:.0f} ms"]
        )
    spans = []
    for way in ways:
        each = [middle(rounds, f"{name}{way}") * 1000 for name in variants()]
        spans.append(f"{min(each):.0f} to {max(each):.0f} ms")
    table.append([f"each of the {len(variants())} variants, with its base", "", spans[0], "", spans[1]])
    return table


def at_table(rules: Model) -> int:
    """So many play, as near to `PLAYERS` as the rules allow."""
    return max(rules.min_players, min(rules.max_players, PLAYERS))


def clear_moves(clear: ModuleType, players: int, games: int) -> int:
    return int(clear.bench(players, games, 1))


def by_hand(name: str, players: int, folder: Path) -> dict[str, Measure]:
    """A game as somebody wrote it in Python and in C, where somebody did."""
    stem, found = name.replace("-", "_"), dict[str, Measure]()
    if (HERE / f"{stem}_clear.py").exists():
        found[CLEAR] = rate(partial(clear_moves, import_module(f"{stem}_clear"), players))
    if (HERE / f"{stem}.c").exists() and shutil.which("gcc"):
        found[IN_C] = in_c(HERE / f"{stem}.c", players, folder)
    return found


def engines(repeat: int, folder: Path) -> Table:
    table = [["game", "players", "played by", "moves a second", "beside clear Python", "beside C"]]
    for name, path in shipped().items():
        rules = rules_of(path)
        seats = at_table(rules)
        found = by_hand(name, seats, folder)
        for engine in installed():
            if measure := engine_rate(rules, seats, engine):
                found[f"`{engine}`"] = measure
        rounds = rounds_of(found, repeat)
        for what in found:
            ratios = [times(middle(rounds, what, other)) if other in found else "" for other in (CLEAR, IN_C)]
            table.append([f"`{name}`", str(seats), what, number(middle(rounds, what)), *ratios])
    return table


def players(repeat: int) -> Table:
    """How speed changes with the number of players, beside the smallest table."""
    names = installed()
    table = [["game", "players", *(f"`{name}`" for name in names)]]
    for game, path in shipped().items():
        rules = rules_of(path)
        numbers = range(rules.min_players, rules.max_players + 1)
        if len(numbers) == 1:
            continue
        tried = {f"{name} {n}": engine_rate(rules, n, name) for name in names for n in numbers}
        found = {key: measure for key, measure in tried.items() if measure}
        rounds = rounds_of(found, repeat)
        for n in numbers:
            keys = [(f"{name} {n}", f"{name} {numbers[0]}") for name in names]
            ratios = [times(middle(rounds, *key)) if found.keys() >= {*key} else "not possible" for key in keys]
            table.append([f"`{game}`", str(n), *ratios])
    return table


def positions(repeat: int) -> Table:
    """Playing on from the middle of games beside whole games, in moves: a game from the middle on has fewer."""
    table = [["game", "players", "played by", "moves a second from the middle on", "beside whole games"]]
    for game, path in shipped().items():
        rules = rules_of(path)
        seats = at_table(rules)
        wholes = {name: measure for name in installed() if (measure := engine_rate(rules, seats, name))}
        found = {f"{name} whole": measure for name, measure in wholes.items()}
        found |= {name: rate(partial(PositionGames(rules, seats, name).count, 1)) for name in wholes}
        rounds = rounds_of(found, repeat)
        for name in wholes:
            ratio = times(middle(rounds, name, f"{name} whole"))
            table.append([f"`{game}`", str(seats), f"`{name}`", number(middle(rounds, name)), ratio])
    return table


def cards(repeat: int, folder: Path) -> Table:
    """The same with the number of cards in play: larger hands, then a copy of the file with a larger deck."""
    names = installed()
    path = shipped()["little-devils"]
    found: dict[str, Measure] = {}
    sizes = (18, 36, 54, 108, 216)
    for size in sizes:
        larger = folder / f"deck-of-{max(size, 54)}.rules.md"
        text = path.read_text(encoding="utf-8").replace("number: 1 to 54", f"number: 1 to {max(size, 54)}")
        larger.write_text(text, encoding="utf-8")
        rules = rules_of(larger, {"hand-size": size // 3})
        for name in names:
            if measure := engine_rate(rules, 3, name):
                found[f"{name} {size}"] = measure
    rounds = rounds_of(found, repeat)
    table = [["cards in play, 3 players", *(f"`{name}`" for name in names)]]
    for size in sizes:
        keys = [(f"{name} {size}", f"{name} {sizes[0]}") for name in names]
        table.append([str(size), *(times(middle(rounds, *key)) if key[0] in found else "not possible" for key in keys)])
    return table


def memory() -> Table:
    names = installed()
    bench = ["-m", "teufelswerk_cli", "bench", "little-devils", "--players", str(PLAYERS), "--engine"]
    measures: dict[str, Measure] = {"alone": lambda: peak_memory("-c", "pass")}
    for name in names:
        for seconds in SHORT_AND_LONG:
            measures[f"{name} {seconds}"] = partial(peak_memory, *bench, name, "--seconds", seconds)
    found = {name: measure() for name, measure in measures.items()}
    table = [["engine", "memory beyond Python's own", "after four times as many games"]]
    for name in names:
        short, long = (found[f"{name} {seconds}"] - found["alone"] for seconds in SHORT_AND_LONG)
        table.append([f"`{name}`", f"{short:.0f} MB", f"{long:.0f} MB"])
    return table


def peers(repeat: int, python: str | None) -> Table:
    """Beside other programs: their games as they are driven from Python, ours beside each in the same round."""
    ours: dict[str, Measure] = {}
    for label, path in (("Hearts", shipped()["hearts"]), ("Little Devils", shipped()["little-devils"])):
        for name in installed():
            if measure := engine_rate(rules_of(path), PLAYERS, name):
                ours[f"{label}, `{name}`"] = measure
    table = [["their game", "moves a second", *(f"our {name}" for name in ours)]]
    if python is None:
        return [*table, ["OpenSpiel and RLCard were not there", "", *("" for _ in ours)]]
    with subprocess.Popen(
        [python, str(HERE / "other_programs.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        rounds: Rounds = []
        theirs: dict[str, float] = {}
        for _ in range(repeat + 1):
            process.stdin.write("again\n")
            process.stdin.flush()
            theirs = json.loads(process.stdout.readline())
            rounds.append({**theirs, **{name: measure() for name, measure in ours.items()}})
        process.stdin.close()
    counted = rounds[1:]
    return [
        *table,
        *([name, number(middle(counted, name)), *(times(middle(counted, o, name)) for o in ours)] for name in theirs),
    ]


# ---- what is told ---------------------------------------------------------------------------------------------------


def versions() -> str:
    """What was used."""
    found = [f"Python {platform.python_version()}"]
    found.append(f"llvmlite {version('llvmlite')}" if has_native() else "without llvmlite")
    if shutil.which("gcc"):
        told = subprocess.run(["gcc", "-dumpfullversion"], capture_output=True, text=True, check=True)
        found.append(f"gcc {told.stdout.strip()} -O3 -march=native")
    return ", ".join(found)


def markdown(table: Table) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in table]
    return "\n".join([lines[0], "|" + " --- |" * len(table[0]), *lines[1:]])


ENGINES = "How fast games are played, with random moves, shuffling and dealing included:"
POSITIONS = "How fast they are played on from positions in the middle of games, read out of each what came of it:"
GROWTH = "How the moves a second change with the number of players (the smallest table is 1):"
CARDS = "How they change with the number of cards, in *Little Devils* and copies of it with larger decks:"
FILES = "How long it takes to read and check a rule file:"
MEMORY = "How much memory `bench little-devils` holds at most:"
PEERS = (
    "Beside other programs, driven from Python as they are meant to be; above 1, ours is faster. *Hearts* is the same "
    "game on both sides: OpenSpiel plays one round of it, in C++, and passes cards one by one. The other games differ, "
    "and so does what a move is:"
)


def report(repeat: int, python: str | None) -> dict[str, Table]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        parts: dict[str, Callable[[], Table]] = {
            ENGINES: lambda: engines(repeat, folder),
            POSITIONS: lambda: positions(repeat),
            GROWTH: lambda: players(repeat),
            CARDS: lambda: cards(repeat, folder),
            FILES: lambda: files(repeat),
            MEMORY: lambda: memory(),
            PEERS: lambda: peers(repeat, python),
        }
        found: dict[str, Table] = {}
        for title, part in parts.items():
            found[title] = part()
            sys.stderr.write(f"{title}\n{markdown(found[title])}\n\n")
        return found


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--peers-python", help="a Python that has open_spiel or rlcard")
    options.add_argument("--json", action="store_true", help="the tables as JSON")
    options.add_argument("--write", action="store_true", help="write the tables to docs/speed.md")
    given = options.parse_args()
    found = report(given.repeat, given.peers_python)
    again = "python tests/benchmarks/run.py --write"
    busy = f"on {os.cpu_count()} cores at a load of {os.getloadavg()[0]:.0f}"
    text = f"Measured on {date.today()} with {versions()}, {busy}, in CPU time; `{again}` does it again.\n"
    text += "Above a load of one for each core the ratios swing by a third from run to run.\n"
    text += "".join(f"\n{title}\n\n{markdown(table)}\n" for title, table in found.items())
    if given.write:
        PAGE.write_text(f"# How fast it is\n\n{text}", encoding="utf-8")
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n" if given.json else text)


if __name__ == "__main__":
    main()
