"""A rule file's text → the same text in one layout: indentation, blank lines, wrapped paragraphs, spaces in clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from teufelswerk.base.diagnostics import Diagnostic, Source
from teufelswerk.syntax.source import CLAUSE_INDENT, Line, Paragraph, split

WIDTH = 120
TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[a-z0-9]+)*|[0-9]+|[(),:=+*/-]")
SIGN = re.compile(r"(?:.*(?:[:,(=]|\b(?:is|above|below|least|most|to|be|becomes))|(?:\w+ )?[A-Z]\w* [a-z][a-z0-9-]*)?")
"""What stands before a sign that belongs to its number; behind anything else it takes something away."""
WORD = re.compile(r"(?:\{[^{}]*\}| {2,}|[^ {]|\{)+")
"""A word of a paragraph: what stands in braces belongs together, even with a space in it, and so do several spaces."""
MARKUP = re.compile(r"[#>|]|[-+*](?= |$)|[-=_*]{2,}$|\d+[.)](?= |$)|Ruling:$")
"""What means something else in Markdown, or to us, when a line begins with it."""
MENDED = frozenset({"tab"})
"""Findings about the layout that formatting puts right."""


def formatted(source: Source) -> tuple[str, list[Diagnostic]]:
    """The file in its one layout, or what keeps it from being formatted."""
    sections, found = split(source)
    problems = [d for d in found if d.code not in MENDED]
    if problems:
        return source.text, problems
    blocks: list[str] = []
    for section in sections:
        blocks.append(f"{'#' * section.level} {section.heading}".rstrip())
        for part in section.parts:
            if part.paragraph is not None:
                blocks.append("\n".join(_wrapped(part.paragraph)))
            blocks += ["\n".join(group) for group in _groups(part.lines, source)]
    return "\n\n".join(blocks) + "\n", []


def _wrapped(paragraph: Paragraph) -> Iterator[str]:
    """The words of a paragraph in lines of the greatest width; nothing is broken that would then mean another thing."""
    line = ""
    for word in WORD.findall(" ".join(piece for piece, _ in paragraph.pieces)):
        if line and len(line) + 1 + len(word) > WIDTH and not MARKUP.match(word):
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def _groups(lines: list[Line], source: Source) -> Iterator[list[str]]:
    """The clauses of a part; where the file has a blank line before an outermost clause, another group begins."""
    group: list[str] = []
    for line in lines:
        if group and not source.lines[line.span.line - 2].strip():
            yield group
            group = []
        group += _clause(line, CLAUSE_INDENT)
    if group:
        yield group


def _clause(line: Line, indent: int) -> Iterator[str]:
    yield " " * indent + spaced(line.text)
    for child in line.children:
        yield from _clause(child, indent + CLAUSE_INDENT)


def spaced(clause: str) -> str:
    """A clause with one space between words and none before a comma; whatever is no clause stays as it is."""
    tokens = TOKEN.findall(clause)
    if clause.startswith('"') or "".join(tokens) != clause.replace(" ", ""):
        return clause
    out, sign = "", False
    for token in tokens:
        if not out or token in ",:)" or out.endswith("(") or (sign and token.isdigit()):
            out, sign = out + token, token == "-"  # it stands first, or behind a bracket
        else:
            out, sign = f"{out} {token}", token == "-" and bool(SIGN.fullmatch(out))
    return out
