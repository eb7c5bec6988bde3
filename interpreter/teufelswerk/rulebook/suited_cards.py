"""Suits and ranks → what stands in the middle of a card: pips as everybody knows them, and court cards.

A court card has two halves that are the same when the card is turned round. Everything is drawn here.
"""

from __future__ import annotations

from collections.abc import Callable

Emblem = Callable[[float, float, float], str]
"""Draws the emblem of the suit with its centre at a point, in a size."""

LEFT, MIDDLE, RIGHT = 23.0, 31.5, 40.0
TOP, BOTTOM = 19.0, 69.0
PIP_SIZE, ACE_SIZE = 11.0, 28.0
SKIN, HAIR, GOLD, LINEN = "#f3dcbf", "#8a5a2b", "#d3a02f", "#fffdf7"
BLUE = "#2f5d9b"

_THIRD = (BOTTOM - TOP) / 3
_ROWS: dict[int, tuple[float, ...]] = {
    2: (TOP, BOTTOM),
    3: (TOP, 44, BOTTOM),
    4: (TOP, TOP + _THIRD, BOTTOM - _THIRD, BOTTOM),
}
"""How high so many pips below one another stand."""
_COLUMNS: dict[int, tuple[int, tuple[float, ...]]] = {
    2: (0, _ROWS[2]),
    3: (0, _ROWS[3]),
    4: (2, ()),
    5: (2, (44,)),
    6: (3, ()),
    7: (3, ((TOP + 44) / 2,)),
    8: (3, ((TOP + 44) / 2, (44 + BOTTOM) / 2)),
    9: (4, (44,)),
    10: (4, (TOP + _THIRD / 2, BOTTOM - _THIRD / 2)),
}
"""How many pips stand at each side, and where those in the middle are."""
MOST = max(_COLUMNS)


def pips(count: int, emblem: Emblem) -> str:
    """So many pips, those of the lower half upside down; one alone is large."""
    if count == 1:
        return emblem(MIDDLE, 44, ACE_SIZE)
    sides, middle = _COLUMNS[count]
    places = [(x, y) for x in (LEFT, RIGHT) for y in _ROWS.get(sides, ())] + [(MIDDLE, y) for y in middle]
    upright = "".join(emblem(x, y, PIP_SIZE) for x, y in places if y <= 44)
    turned = "".join(emblem(63 - x, 88 - y, PIP_SIZE) for x, y in places if y > 44)
    return upright + (_turned(turned) if turned else "")


def court(figure: str, emblem: Emblem, ink: str) -> str:
    """A jack, a knight, a queen or a king."""
    robe = ink if ink != "#26231f" else BLUE
    half = _FIGURES[figure](robe) + emblem(20.3, 16.8, 7)
    return (
        f'<rect x="15.5" y="11" width="32" height="66" rx="1.6" fill="{LINEN}" stroke="{ink}" stroke-opacity=".6" '
        f'stroke-width=".7"/>{half}{_turned(half)}'
        f'<path d="M15.9 44h31.2" stroke="{GOLD}" stroke-width="1.5"/>'
    )


def _turned(drawn: str) -> str:
    return f'<g transform="rotate(180 31.5 44)">{drawn}</g>'


def _path(d: str, fill: str, edge: str = "#3a2f26") -> str:
    return f'<path d="{d}" fill="{fill}" stroke="{edge}" stroke-width=".45" stroke-linejoin="round"/>'


def _face() -> str:
    return (
        _path("M29.9 32h3.2v4.2h-3.2Z", SKIN)
        + f'<ellipse cx="31.5" cy="28.2" rx="4.3" ry="5.3" fill="{SKIN}" stroke="#3a2f26" stroke-width=".45"/>'
        + '<g fill="#3a2f26"><circle cx="29.8" cy="27.4" r=".55"/><circle cx="33.2" cy="27.4" r=".55"/></g>'
        + '<path d="M31.6 27.6l-.5 2.2h.9M30.2 31.2q1.3.8 2.6 0" fill="none" stroke="#3a2f26" stroke-width=".4"/>'
    )


def _robe(fill: str, trim: str) -> str:
    return (
        _path("M16.4 44C16.8 38.6 21.4 36 28.2 35l3.3 2.4 3.3-2.4c6.8 1 11.4 3.6 11.8 9Z", fill)
        + _path("M28.2 35l3.3 2.4 3.3-2.4 1.5 1.5L31.5 44l-4.8-7.5Z", trim)
        + f'<g fill="{GOLD}"><circle cx="22.6" cy="41" r="1"/><circle cx="40.4" cy="41" r="1"/></g>'
    )


def _jack(robe: str) -> str:
    """Curls to the chin, a flat cap with a feather, and a staff."""
    return (
        _path("M43.2 13.4h.9V44h-.9Z", HAIR)
        + _path("M43.65 12.6l2 3.4-2 4.6-2-4.6Z", GOLD)
        + _path("M26.2 25.4h10.6l.9 7.6q-1.6 2-3.2.3l.2-4.4h-6.4l.2 4.4q-1.6 1.7-3.2-.3Z", GOLD)
        + _robe(robe, LINEN)
        + _face()
        + _path("M25.2 25.2q6.3-1.9 12.6 0l.9-3.4q-3.6-3.2-7.4-3.1-4.4.1-7.2 3.3Z", robe)
        + _path("M36.4 20.6q1.2-4.6 5.6-5.6-.4 4.6-3.4 6.8Z", LINEN)
    )


def _knight(robe: str) -> str:
    """A helmet with a plume, and the head of a horse."""
    return (
        _path("M36.6 44q-1.2-6.4 2.4-10.2l.6-2.6 1.6 1.9q3.4 1.3 5 5.3l-.6 2.2-2.2.2-2.2-1.3q.2 2.4-.6 4.5Z", HAIR)
        + '<circle cx="41.3" cy="35.9" r=".6" fill="#3a2f26"/>'
        + _robe(robe, LINEN)
        + _face()
        + _path("M26 27.4q-.6-8.4 5.5-8.9 6.1.5 5.5 8.9l-1.7-2.2h-7.6Z", "#d9dde2")
        + _path("M31.3 18.6q-1.6-4.4-7-4.6 1.4 3.4 4.6 5.6Z", robe)
        + f'<path d="M27.6 24.2h7.8" stroke="{GOLD}" stroke-width=".9"/>'
    )


def _queen(robe: str) -> str:
    """Long hair, a small crown, and a flower."""
    flower = "".join(
        f'<circle cx="{x}" cy="{y}" r="1.35"/>'
        for x, y in ((41.2, 32), (43, 33.4), (42.3, 35.5), (40.1, 35.5), (39.4, 33.4))
    )
    return (
        _path("M25.8 24.4q5.7-4 11.4 0 1.4 6 1.9 12.6-3 .8-4.4-.8h-6.4q-1.4 1.6-4.4.8.5-6.6 1.9-12.6Z", HAIR)
        + _robe(robe, GOLD)
        + _face()
        + '<path d="M41.2 35q.6 4.6-.6 9" fill="none" stroke="#2f6b3d" stroke-width=".7"/>'
        + f'<g fill="#c23b4a" stroke="#3a2f26" stroke-width=".3">{flower}</g>'
        + f'<circle cx="41.2" cy="34" r="1.1" fill="{GOLD}"/>'
        + _path("M26.4 24l-.9-5.2 2.9 2 3.1-3.6 3.1 3.6 2.9-2-.9 5.2q-5.1-1.7-10.2 0Z", GOLD)
        + f'<g fill="{LINEN}" stroke="#3a2f26" stroke-width=".3"><circle cx="25.5" cy="18.4" r=".8"/>'
        + '<circle cx="31.5" cy="16.7" r=".9"/><circle cx="37.5" cy="18.4" r=".8"/></g>'
    )


def _king(robe: str) -> str:
    """A beard, a high crown, and a sword."""
    return (
        _path("M42.9 15l.9-2 .9 2V36h-1.8Z", "#d9dde2")
        + _path("M40.6 36h6.2v1.3h-6.2Z", GOLD)
        + _path("M43.1 37.3h1.4V44h-1.4Z", HAIR)
        + _path("M26.4 24.8h10.2l.8 6.6-1.6 1.2H27.2l-1.6-1.2Z", HAIR)
        + _robe(robe, GOLD)
        + _face()
        + _path(
            "M27.3 29.2q1.4 1.5 2.7.9 1.5-.8 3 0 1.3.6 2.7-.9.6 5-1.5 7.4L31.5 39.2 28.8 36.6Q26.7 34.2 27.3 29.2Z",
            HAIR,
        )
        + '<path d="M30.3 31.6q1.2.7 2.4 0" fill="none" stroke="#3a2f26" stroke-width=".5"/>'
        + _path("M26 24.4l-1.6-7.2 3.7 2.5 1.6-4.3h3.6l1.6 4.3 3.7-2.5-1.6 7.2q-5.5-1.8-11 0Z", GOLD)
        + _path("M31 12.9h1v1h1v.9h-1v1h-1v-1h-1v-.9h1Z", GOLD)
    )


_FIGURES: dict[str, Callable[[str], str]] = {"jack": _jack, "knight": _knight, "queen": _queen, "king": _king}
