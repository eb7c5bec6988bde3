"""Plays card games of OpenSpiel and RLCard at random, in a Python that has them: a line of figures for each line read.

Run by `run.py --peers-python`; nothing of Teufelswerk is needed here. Moves are decisions of players; dealing takes
part of the time on every side, but counts as no move.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

SPIEL = ("hearts", "gin_rummy", "oh_hell")
RLCARD = ("uno", "gin-rummy", "doudizhu")
SECONDS, BURSTS = 0.05, 6
"""As on the other side: the fastest of some bursts counts."""
CHANCE = random.Random(1)


def one_of(things: Any) -> Any:
    return things[int(CHANCE.random() * len(things))]


def spiel_game(library: Any, name: str) -> Callable[[], int]:
    game = library.load_game(name)

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(one_of(state.chance_outcomes())[0])
            else:
                state.apply_action(one_of(state.legal_actions()))
                moves += 1
        return moves

    return play


def rlcard_game(library: Any, name: str) -> Callable[[], int]:
    table = library.make(name, config={"seed": 1})

    def play() -> int:
        state, moves = table.reset()[0], 0
        while not table.is_over():
            state = table.step(one_of(list(state["legal_actions"])))[0]
            moves += 1
        return moves

    return play


def burst(play: Callable[[], int]) -> float:
    start, moves = time.process_time(), 0
    while time.process_time() - start < SECONDS:
        moves += play()
    return moves / (time.process_time() - start)


def main() -> None:
    games: dict[str, Callable[[], int]] = {}
    peers = (("open_spiel", "pyspiel", SPIEL, spiel_game), ("rlcard", "rlcard", RLCARD, rlcard_game))
    for package, module, names, make in peers:
        try:
            library = importlib.import_module(module)
        except ImportError:
            continue
        for name in names:
            games[f"{package} {importlib.metadata.version(package)}: {name}"] = make(library, name)
    for _ in sys.stdin:
        sys.stdout.write(
            json.dumps({name: max(burst(play) for _ in range(BURSTS)) for name, play in games.items()}) + "\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
