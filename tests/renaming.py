"""Gives everything that a rule file declares another name, in its clauses and in the braces of its texts.

The words of the language and the names that it has built in stay. What is a name and what is a word of the language is
decided by the grammar, line by line, so `round` can be a step in one line and a keyword in the next.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from typing import Any

from lark import Token
from lark.exceptions import UnexpectedInput
from teufelswerk.base.texts import PLACEHOLDER
from teufelswerk.checker.symbols import singular, singulars
from teufelswerk.model import Model
from teufelswerk.syntax.grammar import STARTS, grammar
from teufelswerk.syntax.keywords import ORDINALS

BUILT_IN = ORDINALS.keys() | frozenset(
    "card player end left right next it box top bottom all owner nobody others paid winners losers"
    " number nothing partner side blindly players min-players max-players".split()
)
MEANINGFUL = frozenset({"game", "out", "side", "sides", "partner", "copies"})
"""A step, definitions and an attribute that mean something by their names."""
WORD = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
LETTERS = "bdfghjklmnpqrtvwxz"
"""Without vowels nothing becomes a word, and without y and s nothing looks like a plural."""


class Renaming:
    """New names for all that a game declares."""

    def __init__(self, rules: Model, seed: int) -> None:
        self.rules = rules
        chance = random.Random(seed)
        self.names: dict[str, str] = {}
        for name in sorted(declared(rules)):
            one = next((form for form in singulars(name)[1:] if form in self.names), None)
            new = name if one is None else f"{self.names[one]}s"  # a move may be called like several of something
            while new == name or new in self.names.values():
                new = "".join(chance.choices(LETTERS, k=chance.randint(4, 7)))
            self.names[name] = new
        parts = re.compile(f"(?<![^-])({'|'.join(sorted(self.names, key=len, reverse=True))})(?![^-])")
        self.names |= {card.id: parts.sub(lambda m: self.names[m[0]], card.id) for card in rules.cards}
        self.old_names = {new: old for old, new in self.names.items()}

    def file(self) -> str:
        return "\n".join(self.line(line) for line in self.rules.source.lines)

    def line(self, line: str) -> str:
        text = line.strip()
        if not line.startswith("    ") or text.startswith('"'):
            return PLACEHOLDER.sub(lambda m: m[0].replace(m[1], self.figure(m[1]), 1), line)
        indent = len(line) - len(line.lstrip())
        for start, end in reversed(names_in(text, indent == 4)):
            text = text[:start] + self.word(text[start:end]) + text[end:]
        return " " * indent + text

    def figure(self, name: str) -> str:
        return " of ".join(map(self.word, name.split(" of ")))

    def word(self, word: str) -> str:
        """The new name of a thing, or of several."""
        if word[0].isupper() or MEANINGFUL & {word} or (BUILT_IN - set(self.names)) & set(singulars(word)):
            return word
        if word in self.names:
            return self.names[word]
        one = next(form for form in singulars(word) if form in self.names)
        return self.names[one] + "s"

    def old_word(self, word: str) -> str:
        one = self.old_names.get(word.removesuffix("s"), word.removesuffix("s"))
        return self.old_names.get(word) or (f"{one}s" if word.endswith("s") else word)

    def back(self, thing: Any) -> Any:
        """A record, or a text, with the old names."""
        if isinstance(thing, str):
            return WORD.sub(lambda m: self.old_word(m[0]), thing)
        if isinstance(thing, dict):
            return {self.back(key): self.back(value) for key, value in thing.items()}
        return [self.back(item) for item in thing] if isinstance(thing, list) else thing


def declared(rules: Model) -> set[str]:
    """Every name that a game gives to something."""
    tables: Iterable[Iterable[str]] = [
        rules.places, rules.keeps, rules.definitions, rules.steps, rules.moves, rules.attributes, rules.kinds,
        *rules.names.values(), local_names(rules),
        (singular(name) for name, definition in rules.definitions.items() if definition.value.type.many),
    ]  # fmt: skip
    names = {name for table in tables for name in table if not name.isdigit()}
    return names - (BUILT_IN - set(rules.attributes)) - MEANINGFUL


def local_names(rules: Model) -> Iterator[str]:
    """Names that hold within a step or a move: of values, of what is chosen, of numbers gone through."""
    things = {"card", "player", "end", *rules.kinds, *rules.places, *rules.names}
    for line in rules.source.lines:
        local = re.match(r" {5,}([a-z][a-z0-9-]*) =( |$)", line)
        if local:
            yield local[1]
        choice = re.match(r" {5,}(?:choose (?:[a-z0-9-]+ )?|each )([a-z][a-z0-9-]*)( from | where |$)", line)
        if choice and not things & set(singulars(choice[1])):
            yield choice[1]


def names_in(clause: str, is_outermost: bool) -> list[tuple[int, int]]:
    """Where the names stand in a clause."""
    for start in STARTS[:1] if is_outermost else STARTS[1:]:
        try:
            tree = grammar().parse(clause, start=start)
        except UnexpectedInput:
            continue
        names = tree.scan_values(lambda leaf: isinstance(leaf, Token) and leaf.type == "NAME")
        return sorted((token.start_pos or 0, token.end_pos or 0) for token in names)
    raise AssertionError(f"this does not parse: {clause}")
