"""A game that can be taken up at any decision → plain Python that is given positions."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

from teufelswerk.base.chance import MASK
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.modes import PC, PLAY, SCORE, STANDING
from teufelswerk.compiled.targets import runtime
from teufelswerk.compiled.targets.resumed_python import ResumedPrinter
from teufelswerk.engines.care import Care
from teufelswerk.engines.positions import Numbers, Position, Positions, put, signed
from teufelswerk.engines.thinking import Thinker, Thought


class PythonRunner:
    def __init__(self, positions: Positions) -> None:
        game, self.memory = positions.game, positions.memory
        self.positions = positions
        printer = ResumedPrinter(game)
        words = runtime.WORDS | {"load": self.load, "save": self.save}
        make = runtime.written(printer.whole(), f"steps of {game.core.rules.name}", "make", words)
        self.decisions = printer.decisions
        self.kept: list[tuple[int, int, bool]] = [
            (self.memory.offset(kept), kept.size if isinstance(kept, c.Array) else 0, kept.kind == "m")
            for kept in game.writer.kept.values()
        ]
        """Where everything is that is part of a position, how many there are of it (0: a single one), whether sets."""
        self.pc = self.memory.offset(PC)
        self.described_in: list[int]
        self.weights: list[int]
        self.numbers_found: list[int]
        self._run: Callable[..., int]
        self._run, self.described_in, self.weights, self.numbers_found = make()

    def load(self, position: Position) -> list[Any]:
        """What is part of a position, as the values of Python variables."""
        memory, words = self.memory, self.positions.words
        found: list[Any] = [position[at] & MASK for at in (memory.CHANCE, memory.CHOICES)]
        for at, size, sets in self.kept:
            if sets:
                values = [self.positions.mask(position, at + words * index) for index in range(size or 1)]
            else:
                values = position[at : at + (size or 1)].tolist()
            found.append(values if size else values[0])
        return found + [position[at] for at in memory.returns.values()]

    def save(self, position: Position, result: int, values: Sequence[Any]) -> int:
        memory, words = self.memory, self.positions.words
        for at, value in zip((memory.CHANCE, memory.CHOICES), values, strict=False):
            position[at] = signed(value)
        for (at, size, sets), value in zip(self.kept, values[2:], strict=False):
            several = value if size else [value]
            if sets:
                for index, mask in enumerate(several):
                    self.positions.put_mask(position, at + words * index, mask)
            else:
                put(position, at, several)
        for at, value in zip(memory.returns.values(), values[2 + len(self.kept) :], strict=True):
            position[at] = value
        return result

    def begin(self, position: Position, seed: int) -> int:
        for at, size, first in self.memory.not_zero:
            put(position, at, [first] * size)
        position[self.pc] = position[self.memory.winners] = -1
        self.positions.draw_from(position, seed)
        return self.run(position, PLAY, 0, 0)

    def run(self, position: Position, mode: int, given: int, left: int) -> int:
        if position[self.memory.winners] >= 0 and mode not in (STANDING, SCORE):
            return 0
        mark = position[self.pc]
        resume = -1 if mark < 0 else self.decisions[mark, *self.positions.calls(position, mark)]
        try:
            return self._run(position, resume, mode, given, left)
        except runtime.Stuck:
            return -1

    def think(self, position: Position, seat: int, option: int, seed: int, care: Care) -> Thought:
        return Thinker(self.positions.game, self.memory, self).think(position, seat, option, seed, care)

    def described(self) -> Sequence[int]:
        return self.described_in

    def weigh(self, weights: Sequence[int]) -> None:
        self.weights[: len(weights)] = weights

    def score(self, position: Position, seat: int) -> int:
        return self.run(position, SCORE, seat, 0)

    def numbers(self) -> Sequence[int]:
        return self.numbers_found

    def playouts(
        self, position: Position, seed: int, count: int, mode: int, given: int, left: int
    ) -> tuple[Numbers, Numbers]:
        moves, rows = array("q"), array("q")
        for each in range(seed, seed + count):
            after = position[:]
            self.positions.draw_from(after, each)
            moves.append(self.run(after, mode, given, left))
            rows.extend([after[self.memory.winners], *self.memory.kept_of_players(after)])
        return moves, rows
