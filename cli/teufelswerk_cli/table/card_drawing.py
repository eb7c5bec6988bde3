"""A card as the terminal draws it: large or in one line, with or without colour, from the rule file's declarations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from rich.cells import cell_len
from rich.text import Text as Styled
from teufelswerk.base.texts import Text
from teufelswerk.model import Card, Model
from teufelswerk.rulebook.emblems import COLOURS, DEFAULT, GLYPHS, SUITS
from teufelswerk.rulebook.faces import Face, Faces

from teufelswerk_cli.console.speech import say

TINTS = {
    "red": "bright_red",
    "scarlet": "bright_red",
    "orange": "dark_orange",
    "yellow": "yellow",
    "gold": "yellow",
    "green": "green",
    "teal": "cyan",
    "turquoise": "cyan",
    "blue": "dodger_blue1",
    "purple": "magenta",
    "violet": "magenta",
    "pink": "hot_pink",
    "brown": "orange4",
}
"""Colours that can be read on a dark screen and on a light one; black, white and grey are the screen's own."""
OTHERS = ("dodger_blue1", "bright_red", "green", "yellow", "magenta", "cyan", "hot_pink", "orange4")
PLAIN_GLYPH = "*"
"""For a terminal that has only plain letters; suits are letters there."""
SHORT, LONG = 4, 7
"""How much of a word stands on a card."""
TERSE = 4
"""How much of it stands before a number where there is little room, its full stop included."""
VOWELS = frozenset("aeiouyäöüаеёиоуыэюя")


@dataclass(frozen=True)
class Look:
    """What the terminal can show."""

    width: int = 80
    height: int = 24
    unicode: bool = True

    def glyph(self, emblem: str) -> str:
        return GLYPHS.get(emblem, GLYPHS[DEFAULT]) if self.unicode else PLAIN_GLYPH

    def suit(self, emblem: str) -> str:
        return self.glyph(emblem) if self.unicode else emblem[0].upper()

    def sign(self, fancy: str, plain: str) -> str:
        return fancy if self.unicode else plain


def ink(text: str, style: str = "") -> Styled:
    """Words in a style of their own, which nothing that is put beside them takes on."""
    return Styled().append(text, style)


def clipped(text: str, width: int) -> str:
    """At most so many columns of a text."""
    while cell_len(text) > width:
        text = text[:-1]
    return text


def abbreviated(word: str, width: int) -> str:
    """A word in at most so many columns; one that is too long ends in a full stop, if possible behind a consonant."""
    if cell_len(word) <= width or width < 2:
        return clipped(word, width)
    short = clipped(word, width - 1)
    ends = [end for end in range(len(short), 1, -1) if short[end - 1].lower() not in VOWELS]
    return f"{short[: ends[0]] if ends else short}."


class Drawer:
    """Draws the cards of one game."""

    def __init__(self, rules: Model, look: Look) -> None:
        self.rules = rules
        self.look = look
        self.faces = Faces(rules)
        self.cards = {card.id: card for card in rules.cards}
        self.narrow = max(3, *(self._needed(card, SHORT) for card in rules.cards))
        """The columns inside a card, if there is little room."""
        self.wide = max(3, *(self._needed(card, LONG) for card in rules.cards))

    def fitting(self, cards: int, room: int) -> int:
        """The columns inside of so many cards side by side."""
        return self.wide if (self.wide + 2) * cards <= room else self.narrow

    # ---- what is on a card ------------------------------------------------------------------------------------------

    @cache  # noqa: B019 – a drawer lives as long as the program
    def face(self, id: str) -> Face:
        return self.faces.face([self.cards[id].index])

    def title(self, id: str) -> str:
        title = self.face(id).title
        return say(title) if isinstance(title, Text) else title

    def tint(self, card: Card) -> str:
        roles = self.faces.roles[card.kind]
        for role in (roles.suit, roles.colour):
            if role is not None and role in card.values:
                return self.tint_of(role, card.values[role])
        return ""

    def tint_of(self, attribute: str, value: int) -> str:
        """The colour of one of an attribute's names, if these are colours, or are drawn like colours."""
        if not any(attribute in (roles.suit, roles.colour) for roles in self.faces.roles.values()):
            return ""
        word = self.rules.names[attribute][value]
        word = SUITS.get(word, word)
        return TINTS.get(word, "" if word in COLOURS else OTHERS[value % len(OTHERS)])

    def colour_word(self, card: Card) -> str:
        """The colour in words, for those who do not see it."""
        role = self.faces.roles[card.kind].colour
        if role is None or role not in card.values:
            return ""
        word = self.rules.names[role][card.values[role]]
        return say(Text(word, msgctxt=f"{self.rules.family}: {role}"))

    def upper(self, card: Card) -> str:
        """The number, or what stands for it."""
        face = self.face(card.id)
        if face.index:
            return say(face.index) if isinstance(face.index, Text) else face.index
        return self.look.glyph(face.emblem) if face.emblem else ""

    def suit(self, card: Card) -> str:
        face = self.face(card.id)
        return self.look.suit(face.emblem) if face.suited and face.emblem else ""

    def lower(self, card: Card) -> str:
        face = self.face(card.id)
        if face.pips:
            pip = self.look.glyph(face.pip)
            return pip * face.pips if face.pips <= 6 else f"{face.pips}{pip}"
        word = self.suit(card) or self.colour_word(card)
        if not word and not face.index:
            word = self.title(card.id)
        return word

    def _needed(self, card: Card, word: int) -> int:
        lower = self.lower(card)
        pips = cell_len(lower) if self.face(card.id).pips else min(cell_len(lower), word)
        return max(cell_len(self.upper(card)) + 1, pips)

    def sort_key(self, id: str) -> tuple[str | int, ...]:
        """Hands are sorted by kind, colour and number, as the file declares them."""
        card = self.cards[id]
        roles = self.faces.roles[card.kind]
        group = next((card.values[r] for r in (roles.suit, roles.colour) if r is not None and r in card.values), 0)
        kind = list(self.rules.kinds).index(card.kind)
        return kind, group, card.values.get(roles.index or "", 0), card.index

    def is_blank(self, id: str) -> bool:
        """A card without number, suit or colour: nothing can be compared with it."""
        roles = self.faces.roles[self.cards[id].kind]
        return roles.index is None and roles.suit is None and roles.colour is None

    # ---- drawing ----------------------------------------------------------------------------------------------------

    def large(self, id: str | None, inner: int, bright: bool = True) -> list[Styled]:
        """The card in four lines, or its back; one that cannot be played has no firm edge."""
        fancy, plain = ("┌─┐│└┘", "+-+|++") if bright else ("┌╌┐╎└┘", "...:..")
        edge = self.look.sign(fancy, plain)
        card = self.cards[id] if id is not None else None
        tint = self.tint(card) if card is not None else ""
        style = f"bold {tint}".strip() if bright and card is not None else "dim"
        frame = "" if bright else "dim"
        lines = [ink(edge[0] + edge[1] * inner + edge[2], frame)]
        upper = lower = self.look.sign("░", "#") * inner
        if card is not None:
            upper, lower = clipped(self.upper(card), inner), abbreviated(self.lower(card), inner)
        for content in (_centred(upper, inner), _centred(lower, inner)):
            line = ink(edge[3], frame)
            line.append(content, style)
            line.append(edge[3], frame)
            lines.append(line)
        lines.append(ink(edge[4] + edge[1] * inner + edge[5], frame))
        return lines

    def small(self, id: str | None, bright: bool = True, without: str | None = None) -> Styled:
        """The card in one line, or its back; `without` leaves out the colour where the place tells it."""
        if id is None:
            return ink(self.look.sign("░", "#"), "dim")
        card = self.cards[id]
        face, roles = self.face(id), self.faces.roles[card.kind]
        words = self.upper(card) + self.suit(card)
        if not face.index:
            words = self.title(id)
        elif roles.colour is not None and roles.colour != without:
            words = f"{abbreviated(self.colour_word(card), TERSE)} {words}"
        if face.pips:
            words += self.look.glyph(face.pip) * face.pips if face.pips <= 6 else f" {face.pips}"
        tint = self.tint(card)
        return ink(words, f"bold {tint}".strip() if bright else "dim")

    def in_short(self, cards: Sequence[str | None], names: Sequence[str | None]) -> list[Styled]:
        """Each card with the name of whoever laid it; several hidden ones in a row are one entry."""
        parts: list[Styled] = []
        for (id, name), same in groupby(zip(cards, names, strict=True)):
            count = len(list(same))
            part = self.small(id).append(f" {name}" if name is not None else "", "dim")
            times = ink(f"{count}{self.look.sign('×', 'x')} ", "dim")
            parts += [times + part] if id is None and count > 1 else [part] * count
        return parts

    def back(self, back: str, count: int, terse: bool = False) -> Styled:
        """So many cards with the same back; if there is little room, with its name cut short."""
        card = next(card for card in self.rules.cards if card.back == back)
        words = self.faces.back(card).words or (Text(card.kind, msgctxt=f"{self.rules.family}: card"),)
        name = " ".join(say(word) if isinstance(word, Text) else word for word in words)
        times = f"{count}{self.look.sign('×', 'x')}"  # a mere number could be taken for a card's
        return ink(f"{times} {abbreviated(name, TERSE) if terse else name}", self.tint(card))


def _centred(text: str, width: int) -> str:
    left = (width - cell_len(text)) // 2
    return " " * left + text + " " * (width - left - cell_len(text))


def beside(cards: list[list[Styled]], gap: int) -> list[Styled]:
    """Cards side by side."""
    lines: list[Styled] = []
    for row in zip(*cards, strict=True):
        line = Styled()
        for number, part in enumerate(row):
            line.append(" " * gap if number else "")
            line.append_text(part)
        lines.append(line)
    return lines


def packed(parts: Sequence[Styled], gap: int, width: int) -> list[Styled]:
    """Parts side by side, in as many lines as it takes."""
    lines: list[Styled] = []
    for part in parts:
        if lines and lines[-1].cell_len + gap + part.cell_len <= width:
            lines[-1].append(" " * gap).append_text(part)
        else:
            lines.append(Styled().append_text(part))
    return lines


def broken(line: Styled, width: int) -> list[Styled]:
    """A list in pieces that fit, cut behind its commas or, where it has none, between its words."""
    pieces: list[Styled] = []
    for item in line.split(", ", include_separator=True):
        words = [item] if item.cell_len <= width else item.split(" ", include_separator=True)
        for word in words:
            if pieces and pieces[-1].cell_len + word.cell_len <= width:
                pieces[-1].append_text(word)
            else:
                pieces.append(word)
    return pieces


def padded(line: Styled, width: int) -> Styled:
    wide = line.copy()
    wide.append(" " * (width - line.cell_len))
    return wide
