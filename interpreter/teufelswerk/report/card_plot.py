"""A figure for every card → a plot with the cards in the order and the colours of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from teufelswerk.report.drawing import SIZE, SMALL, WIDTH, Drawing, room_for
from teufelswerk.rulebook.emblems import INK

MOST_IN_ROW = 18
HEIGHT = 50
"""The height of the highest bar."""
WIDEST = 36.0
PIP = 1.3


@dataclass(frozen=True)
class CardBar:
    """A card with its figure: what stands in its corner, its colour, its pips."""

    label: str
    ink: str
    pips: int
    value: float
    title: str


@dataclass(frozen=True)
class CardRow:
    """Cards that belong together, such as those of one colour."""

    name: str
    ink: str
    bars: tuple[CardBar, ...]


def card_plot(label: str, rows: Sequence[CardRow], say: Callable[[float], str]) -> str:
    """A row of bars for every sort of card, all over the same measure. The highest and the lowest are labelled."""
    drawing = Drawing(label)
    lines = [
        (row.name if start == 0 else "", row.ink, row.bars[start : start + length])
        for row in rows
        for length in [_even(len(row.bars))]
        for start in range(0, len(row.bars), length)
    ]
    left = min(room_for([row.name for row in rows]), WIDTH * 0.3) + (8 if any(row.name for row in rows) else 0)
    most = max(len(bars) for _, _, bars in lines)
    width = min(WIDEST, (WIDTH - left) / most)
    values = [bar.value for row in rows for bar in row.bars]
    highest = max(values) or 1
    ends = {max(values), min(values)}
    pips = max(bar.pips for row in rows for bar in row.bars)
    top = 0.0
    for name, ink, bars in lines:
        base = top + SMALL * 1.5 + HEIGHT
        drawing.text(0, base - 2, name, "name" if ink == INK else "name inked")
        for position, bar in enumerate(bars):
            x = left + position * width
            height = bar.value / highest * HEIGHT
            if bar.ink == INK:
                drawing.rect(x + 1, base - height, width - 2, height, "bar plain", bar.title)
            else:
                drawing.fill(x + 1, base - height, width - 2, height, bar.ink, bar.title)
            if bar.value in ends:
                ends.discard(bar.value)
                drawing.text(x + width / 2, base - height - 3, say(bar.value), "value", "middle")
            drawing.text(x + width / 2, base + SMALL * 1.1, bar.label, "tick", "middle")
            for pip in range(bar.pips):
                across = x + width / 2 + (pip - (bar.pips - 1) / 2) * PIP * 2.4
                drawing.circle(across, base + SMALL * 1.1 + 5, PIP, "pip")
        drawing.line(left, base, left + most * width, base, "axis")
        top = base + SMALL * 1.4 + (6 if pips else 0)
    return drawing.svg(top + SIZE * 0.3)


def _even(cards: int) -> int:
    """How many cards to a line, so that the lines are about equally long."""
    lines = -(-cards // MOST_IN_ROW)
    return max(1, -(-cards // lines)) if lines else 1
