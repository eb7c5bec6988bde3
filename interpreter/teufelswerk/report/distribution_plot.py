"""Histograms → plots of how values are distributed, one panel for each game over the same axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import gcd

from teufelswerk.report.drawing import SIZE, SMALL, WIDTH, Drawing, decimals, room_for, ticks, tone
from teufelswerk.report.estimates import Histogram, mean_of
from teufelswerk.report.wording import Words

MOST_BARS = 36
PANEL = 92.0
"""The height of one game's bars."""
WIDEST = 44.0
NICE_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True)
class Distribution:
    """One game's histogram, under its name."""

    name: str
    histogram: Histogram
    tone: int


@dataclass(frozen=True)
class Bins:
    """Equally wide bins, the first from `start`; `grain` is what all values are apart."""

    start: int
    width: int
    number: int
    grain: int

    def of(self, histogram: Histogram) -> list[int]:
        counts = [0] * self.number
        for value, games in histogram.items():
            counts[(value - self.start) // self.width] += games
        return counts

    def bounds(self, bin: int) -> tuple[int, int]:
        """The lowest and the highest value that falls into a bin."""
        low = self.start + bin * self.width
        return low, low + self.width - self.grain


def bins_for(histograms: Sequence[Histogram]) -> Bins:
    """Bins that suit all of them: one for each value if that is not too many, else a round number of values wide."""
    values = sorted({value for histogram in histograms for value in histogram})
    low, high = values[0], values[-1]
    grain = reduce(gcd, (value - low for value in values), 0) or 1
    if (high - low) // grain < MOST_BARS:
        return Bins(low, grain, (high - low) // grain + 1, grain)
    width = next(step * grain for step in NICE_STEPS if (high - low) / (step * grain) < MOST_BARS)
    start = low - (low % width if grain == 1 else 0)
    return Bins(start, width, (high - start) // width + 1, grain)


class _Panels:
    """Draws the panels, from top to bottom."""

    def __init__(self, label: str, games: Sequence[Distribution], words: Words) -> None:
        self.drawing = Drawing(label)
        self.games = games
        self.words = words
        self.bins = bins = bins_for([game.histogram for game in games])
        self.shares = [
            [count / max(1, sum(game.histogram.values())) for count in bins.of(game.histogram)] for game in games
        ]
        self.highest = max(max(panel) for panel in self.shares)
        self.marks = [mark for mark in ticks(0, self.highest, 4) if mark]
        self.digits = max(0, decimals(self.marks) - 2)
        self.margin = room_for([words.percent(mark, self.digits) for mark in self.marks], SMALL) + 9
        self.bar = min((WIDTH - self.margin - 2) / bins.number, WIDEST)
        self.left = self.margin + (WIDTH - self.margin - 2 - self.bar * bins.number) / 2
        self.top = 0.0

    def across(self, value: float) -> float:
        return self.left + (value - self.bins.start + self.bins.grain / 2) / self.bins.width * self.bar

    def panel(self, game: Distribution, shares: Sequence[float]) -> None:
        drawing = self.drawing
        if len(self.games) > 1:
            self.top += SIZE * 1.3
            drawing.text(0, self.top, game.name, f"name {tone(game.tone)}")
        base = self.top + SIZE * 2.1 + PANEL
        for mark in self.marks:
            y = base - mark / self.highest * PANEL
            drawing.line(self.margin, y, WIDTH, y, "grid")
            drawing.text(self.margin - 4, y + SMALL * 0.36, self.words.percent(mark, self.digits), "tick", "end")
        gap, style = min(1.5, self.bar * 0.12), f"bar {tone(game.tone)}"
        for bin, share in enumerate(shares):
            if share:
                height = max(0.6, share / self.highest * PANEL)
                x = self.left + bin * self.bar + gap
                drawing.rect(x, base - height, self.bar - 2 * gap, height, style, self.title(bin, share))
        self.mean(game, base)
        drawing.line(self.margin, base, WIDTH, base, "axis")
        self.top = base + 4

    def title(self, bin: int, share: float) -> str:
        low, high = map(self.words.number, self.bins.bounds(bin))
        return f"{self.words.between(low, high)}: {self.words.percent(share)}"

    def mean(self, game: Distribution, base: float) -> None:
        mean = mean_of(game.histogram)
        x = self.across(mean.value)
        self.drawing.line(x, self.top + SIZE * 1.75, x, base, "mean")
        said = self.words.gettext("mean {mean}", mean=self.words.mean(mean))
        room = room_for([said]) / 2
        self.drawing.text(min(max(x, room), WIDTH - room), self.top + SIZE * 1.4, said, "strong", "middle")

    def axis(self, unit: str) -> str:
        """The values below the last panel, and what they are."""
        bins, drawing, top = self.bins, self.drawing, self.top
        each = bins.width == bins.grain
        if each and bins.grain > 1:
            shown = [float(bins.start + n * bins.grain) for n in range(0, bins.number, -(-bins.number // 8))]
        else:
            shown = [v for v in ticks(bins.start, bins.bounds(bins.number - 1)[1], 8) if v == round(v)]
        for value in shown:
            x = self.across(value) if each else self.left + (value - bins.start) / bins.width * self.bar
            drawing.line(x, top - 4, x, top, "axis")
            drawing.text(x, top + SMALL, self.words.number(value), "tick", "middle")
        drawing.text((self.margin + WIDTH) / 2, top + SMALL * 2.5, unit, "unit", "middle")
        return drawing.svg(top + SMALL * 3)


def distribution_plot(label: str, unit: str, games: Sequence[Distribution], words: Words) -> str:
    """Bars for the share of games that came to each value, and the mean."""
    panels = _Panels(label, games, words)
    for game, shares in zip(games, panels.shares, strict=True):
        panels.panel(game, shares)
    return panels.axis(unit)
