"""A rule file that shows something → a small one that still shows it: lines left out, blocks, and parts of lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

JOINTS = (" and ", " or ", " else ", " where ", " if ", ", then ", ", ")
"""Where a line can be cut in two."""


def shrunk(text: str, shows: Callable[[str], bool], tries: int = 3_000) -> str:
    """The smallest file that was found by taking away; what is tried first takes most away."""
    lines = text.split("\n")
    while True:
        for candidate in _smaller(lines):
            tries -= 1
            if tries < 0:
                return "\n".join(lines)
            if shows("\n".join(candidate)):
                lines = candidate
                break
        else:
            return "\n".join(lines)


def _smaller(lines: list[str]) -> Iterator[list[str]]:
    for at in range(len(lines)):
        yield lines[:at]
        yield lines[at + 1 :]
    for at in sorted(range(len(lines)), key=lambda at: _block_end(lines, at) - at, reverse=True):
        if lines[at].strip():
            yield lines[:at] + lines[_block_end(lines, at) :]
    for at, line in enumerate(lines):  # what stands below a line, in its place
        end = _block_end(lines, at)
        if end > at + 1 and line.startswith("        "):
            yield lines[:at] + [below[4:] for below in lines[at + 1 : end]] + lines[end:]
    for at, line in enumerate(lines):
        if line.startswith("    "):
            for shorter in _shorter(line):
                yield [*lines[:at], shorter, *lines[at + 1 :]]


def _block_end(lines: list[str], at: int) -> int:
    """The line behind a line and all that stands below it."""
    indent, end = _indent(lines[at]), at + 1
    while end < len(lines) and lines[end].strip() and _indent(lines[end]) > indent:
        end += 1
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _shorter(line: str) -> Iterator[str]:
    """The line with a bracket's content in the place of the bracket or of its parts, or without a part."""
    indent, words = line[: _indent(line)], line.strip()
    for start, end in _brackets(words):
        inner = words[start + 1 : end]
        for simple in ("0", "1", "leader", "player", "card", "table", "deck", "cards in deck"):
            if len(simple) < len(inner):
                yield f"{indent}{words[:start]}{simple}{words[end + 1 :]}"
        for joint in JOINTS:
            for part in inner.split(joint):
                if part != inner and part.count("(") == part.count(")"):
                    yield f"{indent}{words[:start]}({part}){words[end + 1 :]}"
        if " " not in inner:
            yield f"{indent}{words[:start]}{inner}{words[end + 1 :]}"
    for joint in JOINTS:
        for found in re.finditer(re.escape(joint), words):
            before, after = words[: found.start()], words[found.end() :]
            if before.count("(") == before.count(")"):
                yield indent + before
                head = re.match(r"(.*?(?: = | becomes |if |until ))", words)
                if head and head.end() <= found.start():
                    yield indent + head[1] + after
    for found in re.finditer(r"(?:\w|-)+ of ", words):
        yield indent + words[: found.start()] + words[found.end() :]
    for found in re.finditer(r"\d+", words):
        if found[0] not in "01":
            yield f"{indent}{words[: found.start()]}1{words[found.end() :]}"
    for sign in (" + ", " - ", " * "):
        for found in re.finditer(re.escape(sign), words):
            before = words[: found.start()]
            if before.count("(") == before.count(")"):
                yield indent + before


def _brackets(words: str) -> Iterator[tuple[int, int]]:
    open_at: list[int] = []
    for at, sign in enumerate(words):
        if sign == "(":
            open_at.append(at)
        elif sign == ")" and open_at:
            yield open_at.pop(), at
