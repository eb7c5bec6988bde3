"""Estimates → plots that show where they lie, each with its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from teufelswerk.report.drawing import SIZE, SMALL, WIDTH, Drawing, decimals, room_for, ticks, tone
from teufelswerk.report.estimates import Estimate


@dataclass(frozen=True)
class Point:
    """An estimate of one game in a row of a plot."""

    estimate: Estimate
    tone: int
    title: str
    words: str


@dataclass(frozen=True)
class Row:
    label: str
    points: tuple[Point, ...]


def interval_plot(
    label: str,
    unit: str,
    rows: Sequence[Row],
    tick: Callable[[float, int], str],
    reference: tuple[float, str] | None = None,
) -> str:
    """A row for each label: a dot for each game, a line for its interval, and the figure at the right."""
    drawing = Drawing(label)
    left = min(room_for([row.label for row in rows]) + 10, WIDTH * 0.42)
    right = WIDTH - room_for([point.words for row in rows for point in row.points], SMALL) - 12
    ends = [end for row in rows for point in row.points for end in (point.estimate.low, point.estimate.high)]
    ends += [reference[0]] if reference else []
    low, high = min(ends), max(ends)
    slack = (high - low) * 0.08 or abs(high) * 0.05 or 1
    low, high = low - slack, high + slack

    def across(value: float) -> float:
        return left + (value - low) / (high - low) * (right - left)

    top = SIZE * 1.9 if reference else 4.0
    lines = max(len(row.points) for row in rows)
    step = 15.0
    height = step * lines + 9
    bottom = top + height * len(rows)
    marks = ticks(low, high, 5)
    digits = decimals(marks)
    for value in marks:
        x = across(value)
        drawing.line(x, top, x, bottom, "grid")
        drawing.text(x, bottom + SMALL * 1.3, tick(value, digits), "tick", "middle")
    if reference:
        x = across(reference[0])
        drawing.line(x, top - 4, x, bottom, "reference")
        room = room_for([reference[1]], SMALL) / 2
        drawing.text(min(max(x, room), WIDTH - room), SMALL * 1.2, reference[1], "tick", "middle")
    for number, row in enumerate(rows):
        begin = top + number * height
        if number:
            drawing.line(0, begin, WIDTH, begin, "hair")
        drawing.text(0, begin + height / 2 + SIZE * 0.35, row.label)
        for line, point in enumerate(row.points):
            y = begin + 4.5 + step * (line + 0.5)
            style = tone(point.tone)
            drawing.line(across(point.estimate.low), y, across(point.estimate.high), y, f"interval {style}")
            drawing.circle(across(point.estimate.value), y, 4, f"dot {style}", point.title)
            drawing.text(WIDTH, y + SMALL * 0.36, point.words, "value", "end")
    drawing.line(left, bottom, right, bottom, "axis")
    drawing.text((left + right) / 2, bottom + SMALL * 2.8, unit, "unit", "middle")
    return drawing.svg(bottom + SMALL * 3.3)


def difference_mark(estimate: Estimate, reach: float, title: str) -> str:
    """A small picture for a table: an interval to the left or right of nothing."""
    width, height = 96.0, 16.0
    drawing = Drawing(title, width)

    def across(value: float) -> float:
        return width / 2 + value / reach * (width / 2 - 5)

    drawing.line(width / 2, 0, width / 2, height, "reference")
    style = "clear" if not estimate.holds(0) else "unclear"
    drawing.line(across(estimate.low), height / 2, across(estimate.high), height / 2, f"interval {style}")
    drawing.circle(across(estimate.value), height / 2, 3.6, f"dot {style}", title)
    return drawing.svg(height).replace('class="plot"', 'class="mark"', 1)
