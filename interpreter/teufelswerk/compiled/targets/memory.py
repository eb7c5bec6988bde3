"""A game as instructions → where everything that is part of a position stands in one array of 64-bit numbers."""

from __future__ import annotations

from collections.abc import Sequence

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.modes import WINNERS
from teufelswerk.compiled.written import Written


class Memory:
    """Offsets, in 64-bit words: the head, what is kept, where routines return to, and last what is only scratched."""

    CHANCE, CHOICES, TROUBLE = 0, 1, 2

    def __init__(self, game: Written) -> None:
        w = game.writer
        things = max(w.cards, len(w.layout.place_names), w.players, 1)
        self.mask_bits = max(64, 1 << (things - 1).bit_length())
        # a power of two: in memory, numbers of other widths would have gaps between them
        words = self.mask_bits // 64
        self.offsets: dict[str, int] = {}
        self.size = 3
        self.not_zero: list[tuple[int, int, int]] = []
        """Where something is not 0 at the start: the offset, how many, and what."""
        for kept in w.kept.values():
            self.offsets[kept.name] = self.size
            if isinstance(kept, c.Array) and kept.first:
                self.not_zero.append((self.size, kept.size, kept.first))
            self.size += (kept.size if isinstance(kept, c.Array) else 1) * (words if kept.kind == "m" else 1)
        self.returns = {}
        for routine in w.routines:
            self.returns[routine.number] = self.size
            self.size += 1
        self.kept = self.size
        """So many words are the position; the rest is scratched."""
        for scratch in w.scratch.values():
            self.offsets[scratch.name] = self.size
            self.size += scratch.size * (words if scratch.kind == "m" else 1)
        self.winners = self.offsets[WINNERS.name]
        self.results: list[tuple[int, int]] = []
        """Where there stands what every seat has at the end, and how many numbers; what a side has, all of it have."""
        for keep in w.rules.keeps.values():
            if keep.key is not None and keep.key.of_players:
                there = len(w.layout.keys(keep.key))
                self.results += [(self.offsets[w.keeps[keep.name].name], there)] * (w.players // there)
        self.result_width = 1 + sum(count for _, count in self.results)

    def kept_of_players(self, position: Sequence[int]) -> list[int]:
        """What is kept of each player, one thing after the other, seat by seat."""
        return [number for first, size in self.results for number in position[first : first + size]]

    def offset(self, thing: c.Var | c.Array) -> int:
        return self.offsets[thing.name]
