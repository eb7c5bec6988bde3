"""Findings → those worth telling: without what is wrong only because another line could not be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from teufelswerk.base.diagnostics import Diagnostic, Span
from teufelswerk.base.limits import MAX_DIAGNOSTICS
from teufelswerk.syntax.keywords import KEYWORDS

WHOLE_FILE = frozenset({"no-game", "no-cards", "no-players"})
KNOWN = (KEYWORDS | {"player", "number", "owner", "nobody"}) - {"round", "pass"}
WORD = re.compile(r"[a-z][a-z0-9-]*")


def independent(later: Iterable[Diagnostic], unread: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The later errors that have nothing to do with the lines that could not be read."""
    if len(unread) > MAX_DIAGNOSTICS:
        return []
    lost = {word for finding in unread if finding.span for word in _lost(finding.span)}
    return [
        finding
        for finding in later
        if finding.is_error
        and finding.code not in WHOLE_FILE
        and (finding.code == "misspelt" or not (finding.span and _words(finding.span) & lost))
    ]


def _lost(span: Span) -> set[str]:
    """The words that the file may lack now: those of the line, of the lines around it, and of those below it."""
    lines = span.source.lines
    if span.line > len(lines):
        return set()
    indent = _indent(lines[span.line - 1])
    words = _words(span)
    for line in lines[span.line :]:
        if line.strip() and _indent(line) <= indent:
            break
        words |= set(WORD.findall(line))
    for line in reversed(lines[: span.line - 1]):
        if line.strip() and _indent(line) < indent:
            indent = _indent(line)
            if indent == 0:
                break
            words |= set(WORD.findall(line))
    return words - KNOWN


def _words(span: Span) -> set[str]:
    lines = span.source.lines
    return set(WORD.findall(lines[span.line - 1])) if span.line <= len(lines) else set()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
