"""Rule files and variants spoiled in every way, the same for the same seed: lines, words and characters changed."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

from shipped import PATHS
from teufelswerk.syntax.keywords import KEYWORDS

ROOT = Path(__file__).parent.parent
GAMES = [path for _, path in sorted(PATHS.items())]
VARIANTS = sorted(ROOT.glob("rules/variants/*.rules.md"))
FILES = [*GAMES, *VARIANTS]
HOSTILE = sorted(ROOT.glob("tests/hostile/*.rules.md"))
NOISE = "\u00a0\u200b\ufeff\u202e\u0301äß漢🂡\x00\x07\t\r{}()\"'`|:,=*/+-0#\\"
WORDS = (
    sorted(KEYWORDS) + "0 1 7 999999999 card player number hand deck trick score game it Tom ( ) : = , + - *".split()
)

Mutation = Callable[[random.Random, list[str]], list[str]]


def delete_lines(rng: random.Random, lines: list[str]) -> list[str]:
    at = rng.randrange(len(lines))
    return lines[:at] + lines[at + rng.randint(1, 4) :]


def duplicate_lines(rng: random.Random, lines: list[str]) -> list[str]:
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    return lines[:to] + lines[at : at + rng.randint(1, 6)] + lines[to:]


def swap_lines(rng: random.Random, lines: list[str]) -> list[str]:
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return lines


def change_words(rng: random.Random, lines: list[str]) -> list[str]:
    at = _clause(rng, lines)
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    words = lines[at].split() or ["x"]
    index = rng.randrange(len(words))
    match rng.randrange(4):
        case 0:
            del words[index]
        case 1:
            words.insert(index, rng.choice(words))
        case 2:
            words[index] = rng.choice(WORDS)
        case _:
            words.insert(index, rng.choice(WORDS))
    lines[at] = indent + " ".join(words)
    return lines


def borrow_word(rng: random.Random, lines: list[str]) -> list[str]:
    """A word of one clause in the place of a word of another: it often still reads."""
    to, words = _clause(rng, lines), lines[_clause(rng, lines)].split() or ["x"]
    parts = lines[to].split(" ")
    parts[rng.randrange(len(parts))] = rng.choice(words)
    lines[to] = " ".join(parts)
    return lines


def change_character(rng: random.Random, lines: list[str]) -> list[str]:
    at = rng.randrange(len(lines))
    line = lines[at]
    position = rng.randrange(len(line) + 1)
    lines[at] = line[:position] + rng.choice(["", rng.choice(NOISE), rng.choice("aez01 ")]) + line[position + 1 :]
    return lines


def change_indent(rng: random.Random, lines: list[str]) -> list[str]:
    at = _clause(rng, lines)
    lines[at] = " " * rng.choice([0, 1, 2, 4, 8, 12, 16, 40]) + lines[at].lstrip()
    return lines


def change_number(rng: random.Random, lines: list[str]) -> list[str]:
    digits = [(i, j) for i, line in enumerate(lines) for j, c in enumerate(line) if c.isdigit() and line[0] == " "]
    if digits:
        at, position = rng.choice(digits)
        number = rng.choice(["0", "1", "99", "1000", "100000", "99999999999999999999"])
        lines[at] = lines[at][:position] + number + lines[at][position + 1 :]
    return lines


def splice(rng: random.Random, lines: list[str]) -> list[str]:
    other = _lines(rng.choice(FILES))
    at = rng.randrange(len(other))
    return lines[: rng.randrange(len(lines)) + 1] + other[at : at + rng.randint(1, 60)]


def _clause(rng: random.Random, lines: list[str]) -> int:
    clauses = [i for i, line in enumerate(lines) if line.startswith("    ")]
    return rng.choice(clauses) if clauses else rng.randrange(len(lines))


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _lines(path: Path) -> list[str]:
    return _text(path).split("\n")


MUTATIONS: list[Mutation] = [
    delete_lines, duplicate_lines, swap_lines, change_words, change_words, borrow_word, borrow_word,
    change_character, change_indent, change_number, splice,
]  # fmt: skip


def mutated(rng: random.Random, lines: list[str], most: int = 4) -> list[str]:
    """The lines after one to four changes, more often few than many."""
    for _ in range(min(most, rng.choice([1, 1, 1, 2, 2, 3, 4]))):
        lines = rng.choice(MUTATIONS)(rng, lines) or [""]
    return lines


# ---- what is spoiled: each gives the file that is loaded, and the others that lie beside it --------------------------

Files = dict[str, list[str]]
LOADED = "spoiled"
BESIDE = "spoiled-base"
ORIGINAL = "as-it-was"


def game(rng: random.Random) -> Files:
    original = _lines(rng.choice(GAMES))
    return {LOADED: mutated(rng, original[:]), ORIGINAL: original}


def hostile(rng: random.Random) -> Files:
    """A file that did harm once, with other harm added."""
    original = _lines(rng.choice(HOSTILE))
    return {LOADED: mutated(rng, original[:], most=2), ORIGINAL: original}


def variant(rng: random.Random) -> Files:
    return {LOADED: mutated(rng, _lines(rng.choice(VARIANTS)))}


def spliced(rng: random.Random) -> Files:
    """Sections of two or three files, of which the first is a variant, as one variant of any base."""
    first = _sections(rng.choice(VARIANTS))
    sections = first[:1] + rng.sample(first[1:], rng.randint(0, len(first) - 1))
    for _ in range(rng.randint(1, 2)):
        others = _sections(rng.choice(FILES))
        start = rng.randrange(len(others))
        at = rng.randint(1, len(sections))
        sections[at:at] = others[start : start + rng.randint(1, 3)]
    lines = [line for section in sections for line in section]
    if rng.randrange(3) == 0:
        lines = _of(lines, rng.choice(FILES).name.removesuffix(".rules.md"))
    return {LOADED: mutated(rng, lines, most=2) if rng.randrange(2) else lines}


def variant_of_spoiled(rng: random.Random) -> Files:
    """A variant whose base has been spoiled too: one of its own base, or of another file."""
    lines = _lines(rng.choice(VARIANTS))
    own = next(line.split()[-1] for line in lines if line.startswith("    variant of "))
    base = PATHS.get(own)
    if base is None or rng.randrange(8) == 0:
        base = rng.choice(FILES)
    if rng.randrange(2):
        lines = mutated(rng, lines, most=1)
    return {LOADED: _of(lines, BESIDE), BESIDE: mutated(rng, _lines(base), most=2)}


KINDS: list[Callable[[random.Random], Files]] = [game, variant, hostile, spliced, variant_of_spoiled]


def spoiled(seed: int) -> tuple[str, Files]:
    """What is spoiled, and the files; the kinds take turns."""
    kind = KINDS[seed % len(KINDS)]
    return kind.__name__, kind(random.Random(seed))


def _of(lines: list[str], base: str) -> list[str]:
    """The lines as a variant of another base."""
    return [f"    variant of {base}" if line.startswith("    variant of ") else line for line in lines]


def _sections(path: Path) -> list[list[str]]:
    """The lines of a file from heading to heading."""
    sections: list[list[str]] = [[]]
    for line in _lines(path):
        if line.startswith("## "):
            sections.append([])
        sections[-1].append(line)
    return sections
