"""A game that can be taken up at any decision → machine code that is given positions."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from teufelswerk.base.chance import MASK
from teufelswerk.compiled.context import ABSENT
from teufelswerk.compiled.targets.llvm_module import llvm_module
from teufelswerk.compiled.targets.memory import Memory
from teufelswerk.compiled.written import Written
from teufelswerk.engines import machine_code
from teufelswerk.engines.care import Care
from teufelswerk.engines.positions import Numbers, Position, signed, value
from teufelswerk.engines.thinking import Thought


class NativeRunner:
    """Works in a memory of its own, so that one of them cannot be used by two at the same time."""

    def __init__(self, game: Written, memory: Memory) -> None:
        self.memory = memory
        self.library = machine_code.Library(llvm_module(game, memory, machine_code.can_spread()), "playouts")
        row, number = machine_code.ARRAY, machine_code.NUMBER
        self._start = self.library.function("start", None, row, number)
        self._step = self.library.function("step", number, row, row, number, number, number)
        self._playouts = self.library.function("playouts", None, row, row, *[number] * 5, row, row)
        self._think = self.library.function("think", number, row, row, *[number] * 9, row)
        self.work = machine_code.numbers(memory.size)
        assert game.turns.description is not None
        self.description = memory.offset(game.turns.description), game.turns.description.size
        self.weighing = game.weighing
        if game.weighing is not None:
            self._judged = self.library.function("judged", number, row, row, number)

    def address(self, position: Position) -> int:
        """Where a position lies; one of another game would let machine code read what is not there."""
        if len(position) != self.memory.kept:
            raise ValueError(len(position))
        return position.buffer_info()[0]

    def begin(self, position: Position, seed: int) -> int:
        at = self.address(position)
        self._start(at, signed(seed & MASK))
        found: int = self._step(self.work, at, 0, 0, 0)
        return found

    def run(self, position: Position, mode: int, given: int, left: int) -> int:
        found: int = self._step(self.work, self.address(position), mode, given, left)
        return found

    def described(self) -> Sequence[int]:
        first, size = self.description
        told: list[int] = self.work[first : first + size]
        return told

    def think(self, position: Position, seat: int, option: int, seed: int, care: Care) -> Thought:
        here, spent = position[:], array("q", [0, ABSENT])
        thought = (
            seat,
            option,
            signed(seed & MASK),
            care.depth,
            care.tries,
            care.widest,
            care.longest,
            care.most,
            care.wild,
        )
        worth: int = self._think(self.work, self.address(here), *thought, spent.buffer_info()[0])
        return Thought(worth, value(spent[1]), spent[0])

    def weigh(self, weights: Sequence[int]) -> None:
        if self.weighing is not None:
            first = self.memory.offset(self.weighing.weights)
            self.work[first : first + len(weights)] = list(weights)

    def score(self, position: Position, seat: int) -> int:
        found: int = self._judged(self.work, self.address(position), seat)
        return found

    def numbers(self) -> Sequence[int]:
        assert self.weighing is not None
        first = self.memory.offset(self.weighing.numbers_found)
        told: list[int] = self.work[first : first + self.weighing.numbers_found.size]
        return told

    def playouts(
        self, position: Position, seed: int, count: int, mode: int, given: int, left: int
    ) -> tuple[Numbers, Numbers]:
        moves, rows = array("q", bytes(8 * count)), array("q", bytes(8 * count * self.memory.result_width))
        filled = moves.buffer_info()[0], rows.buffer_info()[0]
        self._playouts(self.work, self.address(position), signed(seed & MASK), count, mode, given, left, *filled)
        return moves, rows
