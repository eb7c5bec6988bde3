"""How long the studio works, in CPU time, from a changed line to the new diagnosis, rulebook and table, for every game.

    python tests/benchmarks/studio.py

The three are worked out beside each other: the diagnosis and the table by the server, the book by a process of its own.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / house) for house in ("interpreter", "cli", "web")]

from teufelswerk.base.find_files import shipped  # noqa: E402
from teufelswerk.editing.opened import opened  # noqa: E402
from teufelswerk.interpreter.game import Game  # noqa: E402
from teufelswerk_web.tables.house import House  # noqa: E402
from teufelswerk_web.tables.rehearsal import Rehearsal  # noqa: E402
from teufelswerk_web.workshop import reading  # noqa: E402

CHANGES, MOVES = 3, 10


def milliseconds(work: Callable[[], object]) -> float:
    begun = process_time()
    work()
    return 1000 * (process_time() - begun)


def book(path: Path, text: str) -> None:
    job = {"n": 1, "path": str(path), "text": text, "language": "en", "book": "de"}
    next(message for message in reading.work(job) if message["type"] == "book")


async def measured(path: Path) -> list[list[float]]:
    """Diagnosis, book and table after each of some changes."""
    text = path.read_text(encoding="utf-8")
    rules = opened(path, text).loaded.model
    assert rules is not None
    players = max(rules.min_players, min(rules.max_players, 4))
    table = Rehearsal(Game(rules, players), "random", House("", keeps=False).arrangement, "Author", seed=1)
    for _ in range(MOVES):
        table.forth()
    book(path, text)
    rows = []
    for change in range(1, CHANGES + 1):
        now = text + "\n" * change

        def play(now: str = now) -> None:
            changed = opened(path, now).loaded.model
            assert changed is not None
            table.change(Game(changed, players))

        rows.append(
            [
                milliseconds(lambda now=now: opened(path, now)),  # type: ignore[misc]
                milliseconds(lambda now=now: book(path, now)),  # type: ignore[misc]
                milliseconds(play),
            ]
        )
    return rows


def main() -> None:
    rows = []
    for name, path in sorted(shipped().items()):
        medians = [statistics.median(column) for column in zip(*asyncio.run(measured(path)), strict=True)]
        rows.append(medians)
        sys.stdout.write(f"{name:18}" + "".join(f"{value:8.0f}" for value in medians) + " ms\n")
    for title, of in (("median", statistics.median), ("worst", max)):
        sys.stdout.write(f"{title:18}" + "".join(f"{of(column):8.0f}" for column in zip(*rows, strict=True)) + " ms\n")


if __name__ == "__main__":
    main()
