"""A line in everyday words → the same line in the words of the rule language, where the table knows how it is said."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from teufelswerk.syntax.grammar import reads
from teufelswerk.syntax.keywords import NUMBER_WORDS

ARTICLE = re.compile(r"\b(?:(?<!\bat )the|the(?! table\b)|an?) ")
SMALL_WORDS = re.compile(r"\b(?:(?<!\bat )the|the(?! table\b)|an?|his|her|their|its|your) ")
WORD = re.compile(r"(?<![\w-])[a-z]+(?![\w-])")


@cache
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("teufelswerk.syntax.help").joinpath("sayings.toml").read_text(encoding="utf-8"))


@cache
def _rows() -> tuple[tuple[re.Pattern[str], str], ...]:
    parts = _table()["parts"]

    def whole(said: str) -> str:
        return re.sub(r"\{([a-z]+)\}", lambda match: whole(parts[match[1]]), said)

    return tuple((re.compile(whole(said)), ours) for said, ours in _table()["sayings"].items())


def such_a_line(text: str) -> tuple[str, str] | None:
    """The word that makes a line what it is, and a line of that kind that reads."""
    lines = _table()["lines"]
    if "go round" in text:
        return "go round", lines["go-round"]
    return next(((word, lines[word]) for word in re.findall(r"[a-z]+", text) if word in lines), None)


def in_our_words(text: str, start: str) -> str | None:
    """The line as the rule language would say it: with one row of the table if that will do, else with several."""
    plain = SMALL_WORDS.sub("", text)
    plain = WORD.sub(lambda word: word[0] if word[0] == "one" else NUMBER_WORDS.get(word[0], word[0]), plain)
    for candidate in _candidates(plain):
        if reads(candidate, start):
            return _further(candidate, start)
    return plain if plain != text and reads(plain, start) else None


def _candidates(text: str) -> Iterator[str]:
    changed = [(_said(row, text), row) for row in _rows()]
    yield from (line for line, _ in changed if line != text)
    for first, row in changed:
        line = first
        if line == text:
            continue
        for other in _rows():
            if other is not row and (further := _said(other, line)) != line:
                line = further
                yield line


def _further(text: str, start: str) -> str:
    """The line with what else in it is a saying: `is empty` reads like a comparison, but nothing is called so."""
    for row in _rows():
        if not row[0].pattern.startswith("^") and reads(line := _said(row, text), start):
            text = line
    return text


def _said(row: tuple[re.Pattern[str], str], text: str) -> str:
    pattern, ours = row
    return pattern.sub(lambda match: ours.format(**match.groupdict()), text)


def changed_words(text: str, ours: str) -> tuple[int, int]:
    """From where to where in the text the two lines differ, in whole words."""
    old, new = re.split(r"( )", text), re.split(r"( )", ours)
    most = min(len(old), len(new))
    before = next((i for i in range(most) if old[i] != new[i]), most)
    after = next((i for i in range(most - before) if old[-1 - i] != new[-1 - i]), most - before)
    first, last = len("".join(old[:before])), len("".join(old[: len(old) - after]).rstrip())
    return (first, last) if first < last else (0, len(text))
