"""Counts → shares, means and quantiles, each with the interval that holds the true value 95 times out of 100."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log10, sqrt
from typing import TypeAlias

Histogram: TypeAlias = Mapping[int, int]
"""How many games came to each value."""
Z = 1.959964
"""So many standard errors to either side hold 95 % of a normal distribution."""
MOST_DIGITS = 2


@dataclass(frozen=True)
class Estimate:
    """A figure, and from where to where it may truly lie."""

    value: float
    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def digits(self) -> int:
        """As many decimals as the figure is worth: its interval is about one to three units of the last one wide."""
        half = (self.high - self.low) / 2
        if half <= 0:
            return 0 if self.value == round(self.value) else 1
        return min(MOST_DIGITS, max(1, round(-log10(half))))

    def times(self, factor: float) -> Estimate:
        return Estimate(self.value * factor, self.low * factor, self.high * factor)


def share_of(part: int, whole: int) -> Estimate:
    """A share with Wilson's interval, which stays between 0 and 1 and is honest about rare things."""
    if not whole:
        return Estimate(0.0, 0.0, 1.0)
    p = part / whole
    spread = Z * sqrt(p * (1 - p) / whole + (Z / (2 * whole)) ** 2)
    middle = p + Z**2 / (2 * whole)
    scale = 1 + Z**2 / whole
    low = 0.0 if part == 0 else (middle - spread) / scale
    high = 1.0 if part == whole else (middle + spread) / scale
    return Estimate(p, low, high)


def from_sums(count: int, total: float, squares: float) -> Estimate:
    """The mean of so many values with this sum and this sum of squares."""
    if not count:
        return Estimate(0.0, 0.0, 0.0)
    mean = total / count
    variance = max(0.0, squares - total * mean) / (count - 1) if count > 1 else 0.0
    half = Z * sqrt(variance / count)
    return Estimate(mean, mean - half, mean + half)


def mean_of(histogram: Histogram) -> Estimate:
    """The mean of a histogram, by the normal approximation."""
    return from_sums(
        sum(histogram.values()),
        sum(value * games for value, games in histogram.items()),
        sum(value * value * games for value, games in histogram.items()),
    )


def quantile(histogram: Histogram, part: float) -> int:
    """The smallest value that so large a part of the games does not exceed."""
    wanted = part * sum(histogram.values())
    reached = 0
    for value in sorted(histogram):
        reached += histogram[value]
        if reached >= wanted:
            return value
    return max(histogram, default=0)
