"""Faces → SVG: one picture for each card, drawn with variables that a page may set for light and dark."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from teufelswerk.base.texts import Text
from teufelswerk.rulebook.emblems import DEFAULT, EMBLEMS, INK, PIP
from teufelswerk.rulebook.faces import Face
from teufelswerk.rulebook.suited_cards import court, pips

WIDTH, HEIGHT = 63, 88
ONE_ROW = 3
SHORT = 5
"""As many letters of a name have room in the corners."""
SERIF = "'Libertinus Serif','Iowan Old Style','Palatino Linotype',Palatino,Georgia,serif"
Say = Callable[[Text | str], str]


def card_svg(face: Face, say: Say, plain: bool = False) -> str:
    """The card as an SVG element. `plain` writes colours out, for programs that know no variables."""
    title = escape(say(face.title))
    body = _back(face, say) if face.back else _front(face, say)
    paper = "#fffdf7" if plain else "var(--card,#fffdf7)"
    edge = "#b9b09c" if plain else "var(--edge,#b9b09c)"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        if plain
        else f'<svg class="card" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}"><title>{title}</title>'
    )
    sheet = f'<rect x=".5" y=".5" width="62" height="87" rx="5" fill="{paper}" stroke="{edge}"/>'
    return head + sheet + body + "</svg>"


def emblem(name: str, x: float, y: float, size: float, fill: str, opacity: float = 1) -> str:
    """An emblem with its centre at a point."""
    scale = size / 24
    faint = f' opacity="{opacity:g}"' if opacity < 1 else ""
    return (
        f'<path d="{EMBLEMS[name]}" fill-rule="evenodd" fill="{fill}"{faint} '
        f'transform="translate({x - size / 2:.4g} {y - size / 2:.4g}) scale({scale:.4g})"/>'
    )


def words(text: str, x: float, y: float, size: float, fill: str, weight: int = 400) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-family="{SERIF}" font-size="{size:.3g}" '
        f'font-weight="{weight}" fill="{fill}">{escape(text)}</text>'
    )


def _front(face: Face, say: Say) -> str:
    ink = face.ink
    tint = "#b98b3a" if ink == INK else ink
    parts = []
    if not face.suited:
        parts.append(
            f'<rect x="4" y="4" width="55" height="80" rx="2.6" fill="{tint}" fill-opacity=".08" '
            f'stroke="{ink}" stroke-opacity=".45" stroke-width=".7"/>'
        )
    corner, below = say(face.index), face.words
    if not corner and not face.emblem and not face.pips and len(below) == 1 and len(say(below[0])) <= SHORT:
        corner, below = say(below[0]), ()  # a short name alone on a card is as good as a number
    if corner and len(corner) <= SHORT:
        parts.append(_corners(face, corner))
    lower = 66.0
    if face.suited and face.emblem:
        parts.append(_suit(face, face.emblem))
    elif face.emblem and corner:
        parts.append(words(corner, 31.5, 47, 36 if len(corner) < 2 else 30, ink, 700))
        parts.append(emblem(face.emblem, 31.5, 63, 21, ink))
    elif face.emblem:
        parts.append(emblem(face.emblem, 31.5, 44, 36, ink))
    elif corner:
        size = {1: 36, 2: 32, 3: 23}.get(len(corner), min(15, 100 / len(corner)))
        parts.append(words(corner, 31.5, 55 if not face.pips else 49 if face.pips <= ONE_ROW else 47, size, ink, 700))
    parts += _pips(face, lower)
    for line, word in enumerate(below):
        text = say(word)
        parts.append(words(text, 31.5, 72 - 7 * line, min(7.5, 75 / max(len(text), 1)), ink))
    return "".join(parts)


def _corners(face: Face, corner: str) -> str:
    """The number or letter in two corners; on a card of a suit they are smaller, with the suit below."""
    if face.suited and face.emblem:
        mark = words(corner, 8.4, 13, 11 if len(corner) < 2 else 8.8, face.ink, 700)
        mark += emblem(face.emblem, 8.4, 18.6, 7, face.ink)
    else:
        size = 11 if len(corner) < 3 else 8.5 if len(corner) < 4 else 6.5
        mark = words(corner, 12 if len(corner) < 4 else 14, 15.2, size, face.ink, 700)
    return mark + f'<g transform="rotate(180 31.5 44)">{mark}</g>'


def _suit(face: Face, name: str) -> str:
    """What stands in the middle of a card that has a suit."""

    def drawn(x: float, y: float, size: float) -> str:
        return emblem(name, x, y, size, face.ink)

    if face.figure:
        return court(face.figure, drawn, face.ink)
    return pips(face.of_suit, drawn) if face.of_suit else drawn(31.5, 44, 27)


def _pips(face: Face, y: float) -> list[str]:
    """The pips in one row, or in two if there are many."""
    if not face.pips:
        return []
    accent = PIP if face.ink == INK else face.ink
    rows = [face.pips] if face.pips <= ONE_ROW else [(face.pips + 1) // 2, face.pips // 2]
    size = min(10.5, 42 / max(rows))
    if len(rows) == 2:
        y -= 7
    drawn = []
    for row, count in enumerate(rows):
        left = 31.5 - (count - 1) * (size + 1.4) / 2
        drawn += [emblem(face.pip, left + i * (size + 1.4), y + row * (size + 1.2), size, accent) for i in range(count)]
    return drawn


def _back(face: Face, say: Say) -> str:
    ink = face.ink
    lattice = "".join(
        f'<path d="M{x} {y}l4.5 6-4.5 6-4.5-6Z"/>' for row, y in enumerate(range(7, 76, 6)) for x in _columns(row)
    )
    parts = [
        f'<rect x="4" y="4" width="55" height="80" rx="2.6" fill="{ink}"/>',
        f'<g fill="none" stroke="#fffdf7" stroke-opacity=".3" stroke-width=".6">{lattice}</g>',
        '<circle cx="31.5" cy="44" r="17" fill="#fffdf7"/>',
        emblem(face.emblem or DEFAULT, 31.5, 44, 22, ink),
    ]
    return "".join(parts)


def _columns(row: int) -> list[float]:
    return [13.5, 22.5, 31.5, 40.5, 49.5] if row % 2 == 0 else [9, 18, 27, 36, 45, 54]
