"""The words of the lines, and those by which paragraphs and sentences tell them."""

from __future__ import annotations

import re

WORD = re.compile(r"[a-z]+")
TELLS = {
    "left": {"left"},
    "right": {"right"},
    "highest": {"highest", "most", "higher", "more", "greatest"},
    "lowest": {"lowest", "fewest", "fewer", "few", "least", "lower", "less", "smallest"},
    "above": {"above", "higher", "more", "over"},
    "below": {"below", "lower", "fewer", "less", "under"},
    "first": {"first"},
    "last": {"last"},
    "others": {"others", "other"},
    "owner": {"own"},
}
"""How paragraphs and sentences tell a word of the lines."""
PAIRS = (("left", "right"), ("highest", "lowest"), ("above", "below"), ("first", "last"), ("others", "owner"))
CONTRARY = {a: b for x, y in PAIRS for a, b in ((x, y), (y, x))}
ABOUT = {"seen": {"see", "look"}}
"""What a line is about that has another form there."""
GENERAL = set(
    "a an and at be by card cards choose else game goes if in is it must not of or player players the to where".split()
)
"""What so many lines say that it tells nothing about what a line is about."""


def words_in(text: str) -> set[str]:
    return set(WORD.findall(text.lower()))


def stems_in(text: str) -> set[str]:
    return {word.removesuffix("s") for word in words_in(text)}


def what_about(line: str) -> set[str]:
    """The words by which one knows that a text speaks of the same thing as a line."""
    named = {word for known, others in ABOUT.items() if known in words_in(line) for word in others}
    return (stems_in(line) | named) - GENERAL - set(TELLS)
