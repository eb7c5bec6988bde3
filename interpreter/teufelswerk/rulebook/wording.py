"""Texts of a rulebook → words in one language, in which nothing is hidden."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from teufelswerk.base.hidden_characters import harmless
from teufelswerk.base.texts import PLACEHOLDER, Text
from teufelswerk.language.i18n import Translator
from teufelswerk.rulebook.course_picture import first_sentence, plain_words
from teufelswerk.rulebook.exact.actions import Line
from teufelswerk.rulebook.exact.whole import in_a_row
from teufelswerk.rulebook.index import Entry
from teufelswerk.rulebook.words import spaced

QUOTES = {"en": ("“", "”"), "de": ("„", "“"), "ru": ("«", "»")}
MINUS = re.compile(r"(?<![\w-])-(?=\d)")
OPENING = re.compile(r'(?<![^\s(\[—–])"(?=\S)')


def typographic(words: str, opening: str, closing: str) -> str:
    """Straight apostrophes, quotes and minus signs as a printer sets them."""
    return OPENING.sub(opening, MINUS.sub("−", words).replace("'", "’")).replace('"', closing)


class Wording:
    """Says whatever can stand in a rulebook; as `printed`, with the apostrophes and quotes of a printer."""

    def __init__(self, translator: Translator, printed: bool = False) -> None:
        self.translator = translator
        self.quotes = QUOTES.get(translator.language.partition("_")[0], QUOTES["en"]) if printed else None

    def own(self, msgid: str, **values: Any) -> str:
        """The renderer's own words."""
        return self.say(Text(msgid, **values))

    def say(self, value: Any) -> str:
        """Anything that a cell or a label can hold, on one line."""
        if isinstance(value, tuple):
            return self.translator.list([self.say(item) for item in value])
        # A catalog beside a rule file may name a figure that there is not: readers get its name, and no braces.
        words = PLACEHOLDER.sub(
            lambda match: (match[2] or spaced(match[1])).split("|")[-1], self.translator.show(value)
        )
        words = harmless(words).replace("\n", " ").replace("\t", " ")
        return words if self.quotes is None else typographic(words, *self.quotes)

    def label(self, parts: Sequence[Any]) -> str:
        return " · ".join(self.cap(part) if number == 0 else self.say(part) for number, part in enumerate(parts))

    def cap(self, value: Any) -> str:
        words = self.say(value)
        return words[:1].upper() + words[1:]

    def exact(self, lines: Sequence[Line]) -> list[tuple[int, str]]:
        """Exact words, each with how deep it stands below the others."""
        return [(depth, self.cap(line.words)) for depth, line in in_a_row(lines)]

    def sentence(self, text: Text) -> str:
        return first_sentence(plain_words(self.say(text)))

    def by_name(self, entries: Sequence[Entry]) -> list[Entry]:
        return sorted(entries, key=lambda entry: self.say(entry.term).casefold())
