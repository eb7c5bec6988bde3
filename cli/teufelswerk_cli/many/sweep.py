"""A game and ranges of its values → every combination played with the same seeds, or why its rules refuse it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from teufelswerk.base.diagnostics import Source
from teufelswerk.base.texts import Text
from teufelswerk.bots.bot_games import BotEngine
from teufelswerk.engines.random_games import Engine, make_engine
from teufelswerk.engines.tally import Tally
from teufelswerk.interpreter.machine import RuleError
from teufelswerk.loading.library import load_texts
from teufelswerk.model import Model

from teufelswerk_cli.many.measures import Measured, measured, measures
from teufelswerk_cli.many.portion import Work
from teufelswerk_cli.many.simulation import play
from teufelswerk_cli.many.spreading import Where
from teufelswerk_cli.many.value_lists import Over


@dataclass
class Cell:
    """A combination of values. Either it has an engine, or `refused` says why it has none."""

    numbers: tuple[int, ...]
    engine: Engine | None = None
    refused: Text | None = None
    tally: Tally = field(default_factory=Tally)

    def measured(self, name: str) -> Measured | None:
        if self.engine is None or self.refused is not None:
            return None
        return measured(self.engine, self.tally, name)


@dataclass
class Sweep:
    """All combinations, in the order of the table."""

    rules: Model
    players: int
    overs: Sequence[Over]
    cells: list[Cell]
    measures: dict[str, Text]
    games: int = 0
    stopped: bool = False

    def spread(self, name: str) -> tuple[float, float]:
        """The lowest and the highest mean of a measure."""
        found = [m.mean for cell in self.cells if (m := cell.measured(name)) is not None]
        return (min(found), max(found)) if found else (0.0, 0.0)


def prepared(
    rules: Model,
    players: int,
    overs: Sequence[Over],
    name: str | None,
    seeds: tuple[int, int],
    bots: Sequence[str] = (),
) -> Sweep:
    """Every combination with its engine, if the rules let it be played at all."""
    cells = [
        _cell(rules, players, overs, numbers, name, seeds, bots)
        for numbers in product(*(over.numbers for over in overs))
    ]
    playable = next((cell.engine for cell in cells if cell.engine is not None), None)
    return Sweep(rules, players, overs, cells, measures(playable) if playable else {})


def _cell(
    rules: Model,
    players: int,
    overs: Sequence[Over],
    numbers: tuple[int, ...],
    name: str | None,
    seeds: tuple[int, int],
    bots: Sequence[str],
) -> Cell:
    values = rules.changed_values | {over.name: number for over, number in zip(overs, numbers, strict=True)}
    loaded = load_texts([Source(source.path, source.text) for source in rules.sources], values)
    if loaded.model is None:
        return Cell(numbers, refused=next(d.message for d in loaded.diagnostics if d.is_error))
    try:
        if bots:
            return Cell(numbers, BotEngine(loaded.model, bots, counting=True))
        engine = make_engine(loaded.model, players, name, seeds[1], counting=True)
        engine.play(seeds[0])
    except RuleError as problem:
        return Cell(numbers, refused=problem.diagnostic.message)
    return Cell(numbers, engine)


def run(sweep: Sweep, seeds: tuple[int, int], where: Where) -> None:
    """Plays every combination with the same seeds. A combination that gets stuck is refused, the others go on."""
    cells = [cell for cell in sweep.cells if cell.engine is not None]
    if not cells:
        return

    def failed(number: int, seed: int) -> None:
        engine = cells[number].engine
        try:
            assert engine is not None
            engine.play(seed)
        except RuleError as problem:
            reason = problem.diagnostic.message
            cells[number].refused = Text("in the game of seed {seed}: {reason}", seed=f"{seed}", reason=reason)

    sums = play([Work.of(cell.engine) for cell in cells if cell.engine is not None], seeds, where, failed)
    for cell, tally in zip(cells, sums.tallies, strict=True):
        cell.tally = tally
    sweep.games, sweep.stopped = max(tally.games for tally in sums.tallies), sums.stopped
