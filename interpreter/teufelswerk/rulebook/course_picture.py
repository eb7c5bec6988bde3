"""The course of the game → one SVG: boxes below one another, frames around what is repeated."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape

from teufelswerk.base.texts import Text
from teufelswerk.rulebook.course import Box
from teufelswerk.rulebook.pictures import SERIF

WIDTH = 430
PRINTED, PAGE = (430, 500, 570, 640), 1.34
"""On paper the whole picture stands on one page, so high for its width: as wide as leaves the letters largest."""
SENTENCE = re.compile(r"^.*?(?:\w{2}|\d)[.!?…]+[\"”“»)]*(?=\s+\S|$)", re.DOTALL)
NARROW, WIDE = set("iljtfrI.,;:'’!|()- "), set("mwMWжшщюмЖШЩЮМ—")
Say = Callable[[Text | str], str]

LIGHT = {
    "ink": "#26231f",
    "soft": "#6b6254",
    "paper": "#fffdf7",
    "line": "#b9b09c",
    "loop": "#8c2f1e",
    "tint": "#f3ecdd",
}
PILL, GAP = 22.0, 14.0


def first_sentence(text: str) -> str:
    found = SENTENCE.match(text)
    return found[0] if found else text


def width_of(text: str, size: float) -> float:
    """About how wide a text is; fonts differ, so it is enough for a wide one such as DejaVu Serif."""
    units = sum(0.37 if c in NARROW else 0.94 if c in WIDE else 0.75 if c.isupper() else 0.61 for c in text)
    return units * size


def wrapped(text: str, size: float, room: float) -> list[str]:
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width_of(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def flow_svg(boxes: Sequence[Box], say: Say, label: str, plain: bool = False) -> str:
    """The picture; `plain` writes colours out, for programs that know no variables."""
    drawn = [(width, *_drawn(boxes, say, width, plain)) for width in (PRINTED if plain else (WIDTH,))]
    width, height, parts = min(drawn, key=lambda picture: max(picture[0], picture[1] / PAGE))
    title = escape(label)
    view = f'viewBox="0 0 {width} {height:g}"'
    if plain:
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {view} width="{width}" height="{height:g}">'
    else:
        head = f'<svg class="flow" {view} role="group" aria-label="{title}"><title>{title}</title>'
    return head + "".join(parts) + "</svg>"


def _drawn(boxes: Sequence[Box], say: Say, width: int, plain: bool) -> tuple[float, list[str]]:
    """The height and the parts of a picture of this width."""
    painter = _Painter(say, plain)
    return painter.column(boxes, 2, 2, width - 4) + 2, painter.parts


class _Painter:
    """Draws from top to bottom; every method gives the height at which it ended."""

    def __init__(self, say: Say, plain: bool) -> None:
        self.say = say
        self.parts: list[str] = []
        self.narrowness = 1.2 if plain else 1.0
        """On paper the font is known, and how much narrower it is."""
        self.colour = LIGHT if plain else {name: f"var(--flow-{name},{value})" for name, value in LIGHT.items()}

    def text(
        self, words: str, x: float, y: float, size: float, ink: str = "ink", weight: int = 400, anchor: str = "start"
    ) -> None:
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-family="{SERIF}" font-size="{size:g}" font-weight="{weight}" '
            f'text-anchor="{anchor}" fill="{self.colour[ink]}">{escape(words)}</text>'
        )

    def rect(
        self, x: float, y: float, w: float, h: float, fill: str, line: str, radius: float = 6, dash: str = ""
    ) -> None:
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        filled = self.colour.get(fill, fill)
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{radius:g}" fill="{filled}" '
            f'stroke="{self.colour[line]}"{dashes}/>'
        )

    def arrow(self, x: float, y: float) -> None:
        self.parts.append(
            f'<path d="M{x:g} {y:g}v{GAP - 5:g}m-3.5-4l3.5 4.5 3.5-4.5" fill="none" stroke="{self.colour["soft"]}"/>'
        )

    def column(self, boxes: Sequence[Box], x: float, y: float, w: float) -> float:
        for number, box in enumerate(boxes):
            if number:
                self.arrow(x + w / 2, y + 2)
                y += GAP + 2
            y = self.frame(box, x, y, w) if box.inside else self.leaf(box, x, y, w)
        return y

    def lines(
        self, words: str, x: float, y: float, size: float, room: float, ink: str = "ink", weight: int = 400
    ) -> float:
        for line in wrapped(words, size, room * self.narrowness):
            y += size * 1.3
            self.text(line, x, y - size * 0.3, size, ink, weight)
        return y

    def title(self, text: Text) -> str:
        """A heading or a verb, with a capital."""
        words = self.say(text)
        return words[:1].upper() + words[1:]

    def detail(self, box: Box) -> str:
        return first_sentence(plain_words(self.say(box.detail))) if box.detail is not None else ""

    def frame(self, box: Box, x: float, y: float, w: float) -> float:
        """A frame with a heading and boxes inside; that of a loop is coloured and has an arrow back."""
        at, top = len(self.parts), y
        loop = box.kind == "loop"
        inset = 26 if loop else 10
        ink = "loop" if loop else "ink"
        y = self.lines(self.say(box.title or ""), x + inset, y + 6, 13.5, w - inset - 10, ink, 700)
        if detail := self.detail(box):
            y = self.lines(detail, x + inset, y, 11.5, w - inset - 10, "soft")
        y = self.column(box.inside, x + inset, y + 8, w - inset - 10) + 10
        drawn, self.parts[at:] = self.parts[at:], []
        self.rect(x, top, w, y - top, "none" if loop else "tint", "loop" if loop else "line", 8, "5 4" if loop else "")
        if loop:
            self.parts.append(
                f'<path d="M{x + 24:g} {y - 12:g}h-4a8 8 0 0 1-8-8V{top + 13:g}m-4 6l4-6.5 4 6.5" fill="none" '
                f'stroke="{self.colour["loop"]}" stroke-width="1.5"/>'
            )
        self.parts += drawn
        return y

    def leaf(self, box: Box, x: float, y: float, w: float) -> float:
        at, top = len(self.parts), y
        choice = box.kind == "choice"
        left = x + (28 if choice else 12)
        y += 5
        if box.title is not None:
            y = self.lines(self.title(box.title), left, y, 13.5, w - (left - x) - 10, "ink", 700)
        if detail := self.detail(box):
            y = self.lines(detail, left, y, 12, w - (left - x) - 10)
        for number, group in enumerate(box.groups):
            if number:
                y = self.lines(self.say(Text("if that is not possible:")), left, y + 4, 11.5, w - 40, "soft")
            y = self.pills(group, left, y + 6, w - (left - x) - 10)
        y += 9
        drawn, self.parts[at:] = self.parts[at:], []
        self.rect(x, top, w, y - top, "paper", "line")
        if choice:
            self.parts.append(
                f'<path d="M{x + 15:g} {top + 6:g}l7 8-7 8-7-8Z" fill="{self.colour["loop"]}" fill-opacity=".85"/>'
            )
        self.parts += drawn
        return y

    def pills(self, group: Sequence[Text], x: float, y: float, w: float) -> float:
        at = x
        for name in group:
            words = self.title(name)
            width = width_of(words, 12) + 18
            if at > x and at + width > x + w:
                at, y = x, y + PILL + 5
            self.rect(at, y, width, PILL, "tint", "line", PILL / 2)
            self.text(words, at + width / 2, y + 15.5, 12, anchor="middle")
            at += width + 6
        return y + PILL


def plain_words(text: str) -> str:
    """The text without marks of emphasis."""
    return re.sub(r"(?<!\\)[*_`]+(\S(?:.*?\S)?)[*_`]+", r"\1", text)
