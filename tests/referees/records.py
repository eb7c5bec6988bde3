"""Reading a file of records, one game at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def games(path: str | Path) -> Iterator[list[dict[str, Any]]]:
    """Yield the events of each game in the file; a game begins with its `game` event.

    Only one game is held in memory. Events before the first `game` event are yielded as a game of their own, so that a
    referee can complain about them.
    """
    game: list[dict[str, Any]] = []
    with Path(path).open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                event = json.loads(line)
            except json.JSONDecodeError as error:
                raise ValueError(f"{path}, line {number}: not JSON: {error}") from error
            if not isinstance(event, dict):
                raise ValueError(f"{path}, line {number}: an event must be a JSON object")
            if event.get("event") == "game" and game:
                yield game
                game = []
            game.append(event)
    if game:
        yield game
