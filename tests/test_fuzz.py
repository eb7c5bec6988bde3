"""Rule files spoiled in every way, from a seed: each is accepted, or refused with diagnostics, and quickly."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from teufelswerk.diagnostics import render
from teufelswerk.library import load
from teufelswerk.mistakes import KEYWORDS
from teufelswerk.trials import try_out

ROOT = Path(__file__).parent.parent
FILES = sorted([*ROOT.glob("rules/**/*.rules.md"), *ROOT.glob("tests/fixtures/games/*.rules.md")])
SECONDS = 2.0
TRIAL_SECONDS = 0.2
NORMAL, SLOW = 240, 20_000
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


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")


MUTATIONS: list[Mutation] = [
    delete_lines, duplicate_lines, swap_lines, change_words, change_words, borrow_word, borrow_word,
    change_character, change_indent, change_number, splice,
]  # fmt: skip


def spoiled(seed: int) -> str:
    """A rule file after one to four changes, the same for the same seed."""
    rng = random.Random(seed)
    lines = _lines(FILES[seed % len(FILES)])
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 4])):
        lines = rng.choice(MUTATIONS)(rng, lines) or [""]
    return "\n".join(lines)


def judge(seed: int, folder: Path) -> tuple[str, float]:
    """What becomes of a spoiled file: refused, accepted, or accepted but for what shows in play; and the seconds."""
    path = folder / "spoiled.rules.md"
    path.write_text(spoiled(seed), encoding="utf-8", errors="surrogatepass")
    started = time.process_time()
    loaded = load(path)
    found, verdict = loaded.diagnostics, "refused"
    if loaded.model is not None:
        found = try_out(loaded.model, seconds=TRIAL_SECONDS)
        verdict = "fails in play" if found else "accepted"
    for diagnostic in found:
        assert render(diagnostic, str)
    assert verdict != "refused" or any(diagnostic.is_error for diagnostic in found)
    return verdict, time.process_time() - started


def fuzz(seeds: range, folder: Path) -> Counter[str]:
    verdicts: Counter[str] = Counter()
    load(FILES[0])  # the grammar is built once, and that is not what is timed
    slowest = (0.0, -1)
    for seed in seeds:
        try:
            verdict, seconds = judge(seed, folder)
        except Exception as problem:
            raise AssertionError(f"seed {seed}: {problem!r}") from problem
        assert seconds < SECONDS, f"seed {seed} took {seconds:.1f} s"
        verdicts[verdict] += 1
        slowest = max(slowest, (seconds, seed))
    print(f"{dict(verdicts)}; the slowest was seed {slowest[1]} with {slowest[0]:.2f} s")  # noqa: T201
    return verdicts


@pytest.mark.parametrize("part", range(6))
def test_a_spoiled_file_is_accepted_or_refused_with_diagnostics(part: int, tmp_path: Path) -> None:
    size = NORMAL // 6
    verdicts = fuzz(range(part * size, (part + 1) * size), tmp_path)
    assert verdicts["refused"] and verdicts.total() == size


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_many_spoiled_files(part: int, tmp_path: Path) -> None:
    size = SLOW // 20
    verdicts = fuzz(range(10**6 + part * size, 10**6 + (part + 1) * size), tmp_path)
    assert verdicts["refused"] and verdicts["accepted"]
