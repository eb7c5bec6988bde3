"""A game's cards → sheets to print and cut out: fronts, and behind each sheet of them their backs, as SVG or PDF.

Cards are as large as cards are (63 × 88 mm). The backs stand the other way round in each row, so that they lie behind
their fronts when a sheet is printed on both sides and turned over its long edge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from teufelswerk import model
from teufelswerk.base.limits import MAX_PDF_SECONDS
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.base.texts import Text
from teufelswerk.rulebook.faces import Face, Faces
from teufelswerk.rulebook.pictures import HEIGHT, SERIF, WIDTH, Say, card_svg
from teufelswerk.rulebook.typeset import NotTypeset, typeset
from teufelswerk.rulebook.words import heading

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""
COLUMNS, ROWS = 3, 3
ON_A_SHEET = COLUMNS * ROWS
MARK, AWAY = 4.0, 1.5
"""How long the marks for cutting are, and how far from the cards."""
SOFT = "#6b6254"
SECONDS = MAX_PDF_SECONDS


@dataclass(frozen=True)
class Sheet:
    """One side of a sheet: cards in rows, from the left; and what stands below them."""

    cards: tuple[Face, ...]
    below: Text
    back: bool


def sheets_of(rules: model.Model) -> list[Sheet]:
    """Every card of the game once, and behind each nine the backs of these."""
    faces = Faces(rules)
    portions = [rules.cards[start : start + ON_A_SHEET] for start in range(0, len(rules.cards), ON_A_SHEET)]
    found = []
    for number, cards in enumerate(portions, 1):
        which: dict[str, Any] = {"game": heading(rules, 0), "number": number, "count": len(portions)}
        fronts = Text("{game}: sheet {number} of {count}", **which)
        backs = Text("{game}: sheet {number} of {count}, backs", **which)
        found.append(Sheet(tuple(faces.face([card.index]) for card in cards), fronts, back=False))
        found.append(Sheet(tuple(map(faces.back, cards)), backs, back=True))
    return found


def sheet_svg(sheet: Sheet, paper: str, say: Say) -> str:
    """The sheet as a picture in millimetres, with marks where to cut."""
    width, height = PAPERS[paper]
    left, top = (width - COLUMNS * WIDTH) / 2, (height - ROWS * HEIGHT) / 2
    parts = [*_marks(left, top), _note(say(sheet.below), width / 2, height - top / 2 + 2)]
    for place, face in enumerate(sheet.cards):
        row, column = divmod(place, COLUMNS)
        column = COLUMNS - 1 - column if sheet.back else column
        card = card_svg(face, say, plain=True)
        parts.append(card.replace("<svg ", f'<svg x="{left + column * WIDTH:g}" y="{top + row * HEIGHT:g}" ', 1))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm"'
    return f'{head} viewBox="0 0 {width:g} {height:g}">{"".join(parts)}</svg>\n'


def sheets_pdf(sheets: Iterable[Sheet], paper: str, say: Say) -> bytes:
    """All sheets as the pages of a PDF; raises NotTypeset."""
    width, height = PAPERS[paper]
    pages = [sheet_svg(sheet, paper, say) for sheet in sheets]
    try:
        return typeset({"width": width, "height": height, "pages": pages}, SECONDS, template="sheets.typ")
    except NotTypeset as problem:
        if not problem.too_large:
            raise
        message = Text("these are too many cards for a PDF; as pictures (`-o FILE.svg`) they can be had")
        raise NotTypeset(message, too_large=True) from None


def _marks(left: float, top: float) -> Iterator[str]:
    """Short lines outside the cards, along which all of them are cut."""
    right, bottom = left + COLUMNS * WIDTH, top + ROWS * HEIGHT
    lines: list[Sequence[float]] = []
    for x in (left + n * WIDTH for n in range(COLUMNS + 1)):
        lines += [(x, top - AWAY - MARK, x, top - AWAY), (x, bottom + AWAY, x, bottom + AWAY + MARK)]
    for y in (top + n * HEIGHT for n in range(ROWS + 1)):
        lines += [(left - AWAY - MARK, y, left - AWAY, y), (right + AWAY, y, right + AWAY + MARK, y)]
    for x1, y1, x2, y2 in lines:
        yield f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke="{SOFT}" stroke-width=".15"/>'


def _note(words: str, x: float, y: float) -> str:
    style = f'text-anchor="middle" font-family="{SERIF}" font-size="3" fill="{SOFT}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(words)}</text>'
