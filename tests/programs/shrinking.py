"""A rule file that shows something → a small one that still shows it: lines left out, blocks, and parts of lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

JOINTS = (" and ", " or ", " else ", " where ", " if ", ", then ", ", ")
"""Where a line can be cut in two."""


def shrunk(text: str, shows: Callable[[str], bool], tries: int = 3_000) -> str:
    """A small file, made by taking away as long as something can be taken away, whole blocks first."""
    lines, before = text.split("\n"), list[str]()
    while lines != before and tries > 0:
        before = lines
        for smaller in (_without_block, _without_head, _with_shorter_line):
            at = 0
            while at < len(lines):
                for candidate in smaller(lines, at):
                    tries -= 1
                    if tries > 0 and shows("\n".join(candidate)):
                        lines = candidate
                        break
                else:
                    at += 1
    return "\n".join(lines)


def _without_block(lines: list[str], at: int) -> Iterator[list[str]]:
    if lines[at].strip():
        yield lines[:at] + lines[_block_end(lines, at) :]


def _without_head(lines: list[str], at: int) -> Iterator[list[str]]:
    """What stands below a line, in its place."""
    end = _block_end(lines, at)
    if end > at + 1:
        yield lines[:at] + [below[4:] for below in lines[at + 1 : end]] + lines[end:]


def _with_shorter_line(lines: list[str], at: int) -> Iterator[list[str]]:
    if lines[at].startswith("    "):
        for shorter in _shorter(lines[at]):
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
