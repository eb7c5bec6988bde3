"""Shapes and words → an SVG picture that takes its colours from the page, light or dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

WIDTH = 400
"""Units across a plot. A phone shows about as many pixels, so that the words stay legible."""
SIZE = 12.5
SMALL = 11
LETTER = 0.53
"""The usual width of a letter, in sizes of the type."""
SERIES = 6
"""How many games have a colour of their own; the style sheet names as many."""


def tone(number: int) -> str:
    """The style of the game of a number: its colour."""
    return f"s{number % SERIES}"


def room_for(words: Sequence[str], size: float = SIZE) -> float:
    """The room that the widest of some words takes, about."""
    return max((len(word) for word in words), default=0) * size * LETTER


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers between two, with as small a step as fits."""
    if high <= low:
        return [low]
    rough = (high - low) / max(1, most - 1)
    power = 10.0 ** floor(log10(rough))
    step = next(power * nice for nice in (1, 2, 2.5, 5, 10) if power * nice >= rough * 0.9999)
    return [round(n * step, 10) for n in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def decimals(values: Sequence[float]) -> int:
    """How many decimals it takes to tell these apart and write them out."""
    return next((d for d in range(4) if all(abs(round(value, d) - value) < 1e-9 for value in values)), 4)


class Drawing:
    """A picture as it is drawn, from top to bottom."""

    def __init__(self, label: str, width: float = WIDTH) -> None:
        self.label = label
        self.width = width
        self.parts: list[str] = []

    def rect(self, x: float, y: float, w: float, h: float, style: str, title: str = "", round_by: float = 0) -> None:
        corner = f' rx="{_n(round_by)}"' if round_by else ""
        shape = f'<rect class="{style}" x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}"{corner}'
        self._titled(shape, "rect", title)

    def fill(self, x: float, y: float, w: float, h: float, colour: str, title: str = "") -> None:
        """A rectangle in a colour of the cards."""
        shape = f'<rect class="ink" x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}" fill="{colour}"'
        self._titled(shape, "rect", title)

    def circle(self, x: float, y: float, r: float, style: str, title: str = "") -> None:
        self._titled(f'<circle class="{style}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}"', "circle", title)

    def line(self, x1: float, y1: float, x2: float, y2: float, style: str) -> None:
        self.parts.append(f'<line class="{style}" x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"/>')

    def text(self, x: float, y: float, words: str, style: str = "", anchor: str = "start") -> None:
        styled = f' class="{style}"' if style else ""
        place = f' text-anchor="{anchor}"' if anchor != "start" else ""
        self.parts.append(f'<text{styled} x="{_n(x)}" y="{_n(y)}"{place}>{escape(words)}</text>')

    def _titled(self, shape: str, tag: str, title: str) -> None:
        self.parts.append(f"{shape}><title>{escape(title)}</title></{tag}>" if title else f"{shape}/>")

    def svg(self, height: float) -> str:
        label = escape(self.label)
        return (
            f'<svg class="plot" viewBox="0 0 {_n(self.width)} {_n(height)}" role="img" aria-label="{label}">'
            + "".join(self.parts)
            + "</svg>"
        )


def _n(value: float) -> str:
    """A number as short as it can be, the same on every machine."""
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"
