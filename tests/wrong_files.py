"""The wrong files of `diagnostics/*.txt`: each a case with what is to be found in it.

A case is a name, then sections that replace or join those of `base.rules.md`, or behind `#!` a whole file. Behind
`<-` stands the code that the line must get and, behind a colon, words that the diagnostic must say. On a line of its
own it is a finding about the file as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "diagnostics"
BASE = (FOLDER / "base.rules.md").read_text(encoding="utf-8")
MARKER = re.compile(r"\s*<- ([a-z0-9-]+)(?:: (.*?))?(?=; <-|$)")


@dataclass(frozen=True)
class Expected:
    line: int | None
    code: str
    words: str


@dataclass(frozen=True)
class Case:
    group: str
    name: str
    text: str
    expected: tuple[Expected, ...]

    def __str__(self) -> str:
        return f"{self.group}: {self.name}"


def read_case(group: str, chunk: str) -> Case:
    name, _, body = chunk.strip("\n").partition("\n")
    text = body.removeprefix("#!").removeprefix("\n") if body.startswith("#!") else joined(body)
    lines: list[str] = []
    expected: list[Expected] = []
    for line in text.split("\n"):
        start = line.find("<- ")
        kept = line[:start].rstrip() if start >= 0 else line
        if start != 0:
            lines.append(kept)
        markers = MARKER.finditer(line[start:]) if start >= 0 else ()
        expected += [Expected(len(lines) if start else None, match[1], match[2] or "") for match in markers]
    return Case(group, name, "\n".join(lines) + "\n", tuple(expected))


def joined(sections: str) -> str:
    """The base game with some sections replaced and others added."""
    mine, base = dict(_sections(sections)), dict(_sections(BASE))
    replaced = {_heading(first): body for first, body in mine.items()}
    parts = [replaced.pop(_heading(first), body) for first, body in base.items()]
    return "\n".join([*parts, *replaced.values()])


def _sections(text: str) -> Iterator[tuple[str, str]]:
    for body in re.split(r"^(?=#)", text, flags=re.M):
        if body:
            yield body.split("\n")[0], body


def _heading(line: str) -> str:
    return line.partition("  <- ")[0]


def cases() -> list[Case]:
    return [
        read_case(path.stem, chunk)
        for path in sorted(FOLDER.glob("*.txt"))
        for chunk in path.read_text(encoding="utf-8").split("\n---\n")
    ]


CASES = cases()
