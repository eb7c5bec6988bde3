"""Phrases: pieces of a clause with what is known about them, put together so that they read as they are meant."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

PRIMARY, CLOSED, PRODUCT, SUM, SIZED, PLAIN, AND, OR, OPEN, OPEN_OR, CHOICE = range(11)
"""How tightly a phrase binds. What is open ends in a `where`; a choice has `if` or `else` in it."""
LARGE = 2_000
"""No number gets larger than this on purpose."""


@dataclass(frozen=True)
class Type:
    """What a phrase stands for; `of` is the family of a place or end, or the list that a name is from."""

    kind: str
    of: str = ""
    many: bool = False

    def all(self) -> Type:
        return replace(self, many=True)

    def one(self) -> Type:
        return replace(self, many=False)


NUMBER, TRUTH, CARD, PLAYER = Type("number"), Type("truth"), Type("card"), Type("player")
SIDE = Type("name", "side")


@dataclass(frozen=True)
class Phrase:
    text: str
    type: Type
    level: int = PRIMARY
    sure: bool = True
    """Whether it is always there."""
    low: int = 0
    high: int = 0
    """What a number lies between."""
    kinds: frozenset[str] = frozenset()
    """Of which kinds a card can be."""
    follows: bool = False
    """Whether an `of` can stand before it though it is open."""

    def at(self, level: int) -> str:
        """The words where nothing looser may stand."""
        return self.text if self.level <= level else f"({self.text})"


def plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("ch", "sh", "s", "x")) else "s")


@dataclass(frozen=True)
class Scope:
    """What can be named at some place in the file."""

    locals: dict[str, Phrase] = field(default_factory=dict)
    sight: tuple[str, ...] = ()
    """The locals that a bare name can belong to."""
    chance: bool = False
    """Whether lots may be drawn."""
    in_move: bool = False

    def with_local(self, name: str, phrase: Phrase, in_sight: bool = True) -> Scope:
        sight = tuple(word for word in self.sight if word != name)
        return replace(self, locals={**self.locals, name: phrase}, sight=(*sight, name) if in_sight else sight)

    def without(self, name: str) -> Scope:
        return replace(self, locals={word: phrase for word, phrase in self.locals.items() if word != name})

    def without_chance(self) -> Scope:
        return replace(self, chance=False)

    def of_type(self, type: Type) -> list[Phrase]:
        return [phrase for phrase in self.locals.values() if phrase.type == type]


def conjunction(word: str, left: Phrase, right: Phrase) -> Phrase:
    """`left and right`, `left or right`, with the brackets that this needs."""
    if word == "or":
        return Phrase(
            f"{left.at(AND)} or {right.at(OPEN_OR)}", TRUTH, OPEN_OR if right.level in (OPEN, OPEN_OR) else OR
        )
    if right.level == OPEN:
        return Phrase(f"{left.at(PLAIN)} and {right.text}", TRUTH, OPEN)
    return Phrase(f"{left.at(PLAIN)} and {right.at(AND)}", TRUTH, AND)


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]
