"""A game that was played as far as this → the lines of an example that comes to the same position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from teufelswerk.base.budget import Deadline, OutOfTime
from teufelswerk.base.diagnostics import RuleError, Source
from teufelswerk.compare.scene_lines import scene_lines, worded
from teufelswerk.compare.side_by_side import SideBySide
from teufelswerk.compare.staging import BothGames, Run, Staging
from teufelswerk.examples.run_scenes import run_scenes
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import BOX
from teufelswerk.interpreter.state import Move
from teufelswerk.loading.library import load_texts

SECONDS = 10.0
HEADING = "Example: the position on the table"
MOST_SPARED = 3
MOST_ALLOWED = 6
"""So many of the moves that may be made are written down."""


def example_of(game: Game, seed: int, moves: Sequence[Move]) -> list[str] | None:
    """The shortest example from a step in which the last move was made, or which has begun since; it was run, and
    it holds."""
    try:
        both = BothGames(game.rules, game.rules, game.players, Deadline(SECONDS))
        walk = SideBySide(both, seed)
        walk.begin()
        for move in moves:
            walk.make((move, move))
        stagings = [both.stage(step, starts, played) for step, starts, played in walk.steps()]
        for staging in sorted((found for found in stagings if found is not None), key=lambda found: len(found.moves)):
            runs = both.run(staging)
            if runs is None or runs[0].stop != "decision" or not alike(runs[0], walk):
                continue
            for places in spared(both, staging):
                lines = lines_of(both, staging, runs[0], places)
                if holds(game, lines):
                    return lines
    except (RuleError, OutOfTime):
        pass
    return None


def alike(run: Run, walk: SideBySide) -> bool:
    """Whether the scene stops where the game stands: at the same decision, with the same moves to choose from."""
    machine = walk.machines[0]
    return run.machine.pc == machine.pc and run.moves == run.game.choices(machine)


def spared(both: BothGames, staging: Staging) -> Iterator[set[str]]:
    """The places that are given: all; then all but a hidden one, where cards lie that are not given."""
    layout, lying = both.games[0].layout, staging.starts[0].places
    places = {layout.place_names[index] for index, cards in enumerate(lying) if cards and index != BOX}
    yield places
    hidden = [index for index, place in enumerate(layout.place_of) if index != BOX and place.seen_by != "all"]
    for index in sorted(hidden, key=lambda index: (layout.owner[index] >= 0, -len(lying[index])))[:MOST_SPARED]:
        yield places - {layout.place_names[index]}


def lines_of(both: BothGames, staging: Staging, run: Run, places: set[str]) -> list[str]:
    """What is given, what is played, and what may be done then."""
    lines = [line.text for line in scene_lines(both, staging, places, set())]
    return lines + [
        f"allowed {staging.people[move.player]} {worded(run.game, move, staging.people)}"
        for move in run.moves[:MOST_ALLOWED]
    ]


def holds(game: Game, lines: Sequence[str]) -> bool:
    """Whether the example reads and holds where it is going to stand: at the end of the file."""
    first, *bases = game.rules.sources
    scene = "".join(f"    {line}\n" for line in lines)
    written = Source(first.path, f"{first.text.rstrip()}\n\n## {HEADING}\n\n-\n\n{scene}")
    loaded = load_texts([written, *bases])
    scenes = [scene for scene in loaded.scenes if scene.heading == HEADING]
    if loaded.model is None or not scenes:
        return False
    return all(result.holds for result in run_scenes(loaded.model, scenes, Deadline(SECONDS)))
