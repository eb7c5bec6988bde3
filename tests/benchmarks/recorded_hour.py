"""An hour of editing, as keys: read and played again, or made anew from the history of a rule file.

    python tests/benchmarks/recorded_hour.py rules/laying/hols-der-teufel.rules.md  # makes it anew from the history

What is typed is what its author changed, commit by commit, word by word. When, and with which slips, nobody has
recorded: that is made up from a seed. `an_hour/begin.txt` is the file at first, `an_hour/keys.txt` has a line for
each place that the cursor was put to: the second, the line and the column (from 0 on), and the keys. `⌫` takes a
character back, `⏎` ends a line, `␣` is a space, and at `…` the hands rest for a moment.
"""

from __future__ import annotations

import difflib
import itertools
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "an_hour"
BEGIN, KEYS = FOLDER / "begin.txt", FOLDER / "keys.txt"
BACK, ENTER, SPACE, REST = "⌫⏎␣…"
HOUR = 3600
SLIPS, RESTS = 0.05, 0.12
"""How often a letter goes wrong, and how often the hands rest behind a word."""
A_KEY, A_REST, SOME_SECONDS = 0.19, 0.9, 3.0
"""Seconds."""


@dataclass(frozen=True)
class Key:
    """One keystroke: what it takes away, from one place to another, and what it writes there."""

    first: tuple[int, int]
    last: tuple[int, int]
    text: str
    rest: bool
    """Whether the hands rest for a moment then."""
    thought: bool = False
    """Whether they rest for some seconds."""


def played(lines: list[str], keys: str) -> Iterator[Key]:
    """The keystrokes of a recording, each done to the lines as it is given."""
    rows = [row.split(" ") for row in keys.splitlines()]
    for (second, line, column, pressed), (later, *_) in itertools.pairwise([*rows, [str(HOUR * 2)]]):
        typing = A_KEY * len(pressed) + A_REST * pressed.count(REST)
        thought = int(later) - int(second) - typing > SOME_SECONDS
        at, here = int(line), int(column)
        for number, key in enumerate(pressed):
            if key == REST:
                continue
            is_last = number + 1 == len(pressed)
            rest = is_last or pressed[number + 1] == REST
            if key != BACK:
                text = {ENTER: "\n", SPACE: " "}.get(key, key)
                before, after = lines[at][:here], lines[at][here:]
                lines[at : at + 1] = (before + text + after).split("\n")
                yield Key((at, here), (at, here), text, rest, is_last and thought)
                at, here = (at + 1, 0) if text == "\n" else (at, here + 1)
            elif here:
                lines[at] = lines[at][: here - 1] + lines[at][here:]
                yield Key((at, here - 1), (at, here), "", rest, is_last and thought)
                here -= 1
            else:
                at, here = at - 1, len(lines[at - 1])
                lines[at : at + 2] = [lines[at] + lines[at + 1]]
                yield Key((at, here), (at + 1, 0), "", rest, is_last and thought)


# ---- making it anew -------------------------------------------------------------------------------------------------


def versions(path: str) -> list[str]:
    """All that a file has been, the oldest first."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout

    name, found = path.rpartition("/")[2], []
    for commit in reversed(git("log", "--follow", "--format=%h", "--", path).split()):
        names = git("ls-tree", "-r", "--name-only", commit, "rules").split("\n")
        found.append(git("show", f"{commit}:{next(each for each in names if each.endswith(name))}"))
    return found


def typed_anew(texts: list[str], chance: random.Random) -> Iterator[tuple[int, int, str]]:
    """Where the cursor is put, and the keys that are pressed there, from each text to the next."""
    for before, after in itertools.pairwise(texts):
        old, new = (re.findall(r"\s|[^\s]+", text) for text in (before, after))
        done = ""
        for what, i, j, k, m in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if what == "equal":
                done += "".join(old[i:j])
                continue
            gone, come = "".join(old[i:j]), "".join(new[k:m])
            cursor = done + gone
            keys = BACK * len(gone) + "".join(pressed(letter, chance) for letter in come)
            yield cursor.count("\n"), len(cursor) - cursor.rfind("\n") - 1, keys
            done += come


def pressed(letter: str, chance: random.Random) -> str:
    key = {"\n": ENTER, " ": SPACE}.get(letter, letter)
    if letter.isalpha() and chance.random() < SLIPS:
        key = chance.choice("abcdefghijklmnopqrstuvwxyz") + REST * (chance.random() < RESTS) + BACK + key
    return key + REST * (letter.isspace() and chance.random() < RESTS)


def record(path: str) -> None:
    texts, chance = versions(path), random.Random(path)
    places = list(typed_anew(texts, chance))
    typing = [A_KEY * len(keys) + A_REST * keys.count(REST) for _line, _column, keys in places]
    looks = [chance.expovariate(1) for _ in places]
    thinking = (HOUR - sum(typing)) / sum(looks)
    rows, second = [], 0.0
    for (line, column, keys), took, look in zip(places, typing, looks, strict=True):
        second += thinking * look
        rows.append(f"{second:.0f} {line} {column} {keys}\n")
        second += took
    FOLDER.mkdir(exist_ok=True)
    BEGIN.write_text(texts[0], encoding="utf-8")
    KEYS.write_text("".join(rows), encoding="utf-8")


if __name__ == "__main__":
    record(sys.argv[1])
