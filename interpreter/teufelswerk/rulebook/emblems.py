"""The stock of a card printer, from `emblems.toml`: colours by their names, suits, court cards, small emblems."""

from __future__ import annotations

import tomllib
from pathlib import Path

from teufelswerk.base.texts import Text

_STOCK = tomllib.loads(Path(__file__).with_name("emblems.toml").read_text(encoding="utf-8"))

COLOURS: dict[str, str] = _STOCK["colours"]
OTHERS = ("#1f5aa6", "#b3261e", "#23713f", "#a97800", "#6f3196", "#0f7076", "#b83a6d", "#7a4a22")
"""For names that are no colours but take the place of one."""
INK, PIP = "#26231f", "#b3261e"
SUITS: dict[str, str] = _STOCK["suits"]
"""The colour of each suit."""
COURT: dict[str, str] = _STOCK["court"]
"""The figure of each court card."""
# TRANSLATORS: the letters in the corners of playing cards: jack, knight (or cavalier), queen, king, ace
LETTERS: dict[str, Text | str] = {
    "jack": Text("J"), "knave": Text("J"), "knight": Text("C"), "queen": Text("Q"), "king": Text("K"), "ace": Text("A"),
    "joker": "★",
}  # fmt: skip
"""What stands for a rank in the corners of a card."""
EMBLEMS: dict[str, str] = {name: emblem["path"] for name, emblem in _STOCK["emblems"].items()}
"""Paths, each in a square of 24 units, filled by the even-odd rule."""
GLYPHS: dict[str, str] = {name: emblem["glyph"] for name, emblem in _STOCK["emblems"].items()}
"""What stands for an emblem where there are only letters."""
DEFAULT = "lozenge"
_SAME: dict[str, str] = {word: name for name, emblem in _STOCK["emblems"].items() for word in emblem.get("also", ())}


def emblem_for(word: str) -> str | None:
    """The emblem for a word of the declarations, in the singular or the plural."""
    for form in (word, word.removesuffix("s"), word.removesuffix("es")):
        name = _SAME.get(form, form)
        if name in EMBLEMS:
            return name
    return None


def colour_for(word: str, index: int) -> str:
    return COLOURS.get(word) or OTHERS[index % len(OTHERS)]
