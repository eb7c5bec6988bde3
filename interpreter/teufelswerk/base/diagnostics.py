"""What is wrong with an input, where, and what would be right: collected by the stages, shown by their callers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import Any

from teufelswerk.base.hidden_characters import UNSEEN, harmless
from teufelswerk.base.limits import MAX_DIAGNOSTICS
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.base.texts import Text

Say = Callable[[Text], str]
MOST_TO_COMPARE = 200
SHORT, FEW = 4, 8
"""A word of so few letters looks like many others, unless there are only a few."""


@dataclass(frozen=True)
class Source:
    """A rule file as it was read: where it came from, and its lines."""

    path: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def name(self) -> str:
        return Path(self.path).name.removesuffix(".rules.md")


@dataclass(frozen=True)
class Span:
    """A stretch of one line; columns count from 1, the end is exclusive."""

    source: Source = field(repr=False)
    line: int
    column: int
    end: int


@dataclass(frozen=True)
class Diagnostic:
    """One finding. `label` stands under the carets, `related` are other places, `help` is the way out."""

    code: str
    message: Text
    span: Span | None = None
    label: Text | None = None
    related: tuple[tuple[Span, Text], ...] = ()
    help: Text | None = None
    severity: str = "error"

    @property
    def is_error(self) -> bool:
        return self.severity == "error"


class RuleFileError(Exception):
    """A rule file that cannot be used; carries all the diagnostics."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("\n".join(render(d, str) for d in diagnostics))
        self.diagnostics = list(diagnostics)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that looks most like the given one, if any does."""
    import difflib  # only for whoever has made a mistake

    names = sorted(set(known))
    if len(names) > MOST_TO_COMPARE:
        names = [other for other in names if abs(len(other) - len(name)) <= 1][:MOST_TO_COMPARE]
    # `out` lies in `amount`, and yet nobody meant it
    names = [other for other in names if min(len(other), len(name)) * 2 > max(len(other), len(name))]
    cutoff = 0.75 if len(name) <= SHORT and len(names) > FEW else 0.65
    matches = difflib.get_close_matches(name, names, n=1, cutoff=cutoff)
    return matches[0] if matches else None


def limited(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The first findings in the order of the file, each once, with a last word if there are more."""
    unique = list(dict.fromkeys(diagnostics))
    unique.sort(key=lambda d: (not d.is_error, d.span.line if d.span else 0, d.span.column if d.span else 0))
    if len(unique) <= MAX_DIAGNOSTICS:
        return unique
    rest = len(unique) - MAX_DIAGNOSTICS
    more = Diagnostic("and-more", Text("and {n} more {n:finding|findings}", n=rest), severity=unique[0].severity)
    return [*unique[:MAX_DIAGNOSTICS], more]


def render(diagnostic: Diagnostic, say: Say) -> str:
    """The diagnostic as lines for a terminal, in the words that `say` chooses."""
    severity = {
        "error": Text("error"),
        "warning": Text("warning"),
        "note": Text("note"),
    }[diagnostic.severity]
    out = [f"{say(severity)}[{diagnostic.code}]: {say(diagnostic.message)}"]
    if diagnostic.span:
        out += _excerpt(diagnostic.span, diagnostic.label, diagnostic.related, say)
    if diagnostic.help:
        help = say(Text("help"))
        lines = [span.line for span in (diagnostic.span, *(span for span, _ in diagnostic.related)) if span]
        gutter = " " * max((len(str(line)) for line in lines), default=2)
        out.append(f"{gutter} = {help}: {say(diagnostic.help)}")
    return harmless("\n".join(out))


def _excerpt(span: Span, label: Text | None, related: tuple[tuple[Span, Text], ...], say: Say) -> list[str]:
    marks: dict[int, list[tuple[Span, str, Text | None]]] = {span.line: [(span, "^", label)]}
    for other, text in related:
        if other.source == span.source:
            marks.setdefault(other.line, []).append((other, "-", text))
    width = max(len(str(line)) for line in marks)
    gutter = " " * width
    out = [f"{gutter}--> {span.source.path}:{span.line}:{span.column}", f"{gutter} |"]
    previous = None
    for number in sorted(marks):
        if previous is not None and number > previous + 1:
            out.append("...")
        previous = number
        lines = span.source.lines
        content = lines[number - 1] if number <= len(lines) else ""
        out.append(f"{number:>{width}} | {content.rstrip()}")
        for mark, sign, words_there in sorted(marks[number], key=lambda m: m[0].column):
            before, marked = content[: mark.column - 1], content[mark.column - 1 : mark.end - 1]
            # What cannot be seen takes more room in the line above than it does in the file.
            left = mark.column - 1 + len(harmless(before)) - len(before)
            carets = sign * max(1, mark.end - mark.column + len(harmless(marked)) - len(marked))
            words = f" {say(words_there)}" if words_there else ""
            out.append(f"{gutter} | {' ' * left}{carets}{words}")
    for other, text in related:
        if other.source != span.source:
            out.append(f"{gutter} --- {other.source.path}:{other.line}:{other.column} {say(text)}")
    out.append(f"{gutter} |")
    return out


def as_json(diagnostic: Diagnostic, say: Say) -> str:
    """The diagnostic as one line of JSON, for editors and other programs."""

    def place(span: Span | None) -> dict[str, Any]:
        if span is None:
            return {}
        return {"file": span.source.path, "line": span.line, "column": span.column, "end_column": span.end}

    line = json.dumps(
        {
            "code": diagnostic.code,
            "severity": diagnostic.severity,
            "message": say(diagnostic.message),
            **place(diagnostic.span),
            "label": say(diagnostic.label) if diagnostic.label else None,
            "help": say(diagnostic.help) if diagnostic.help else None,
            "related": [{**place(span), "message": say(text)} for span, text in diagnostic.related],
        },
        ensure_ascii=False,
    )
    return UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], line)


class RuleError(Exception):
    """The rules ask for something impossible in this position: the rule file is at fault, and where."""

    def __init__(self, code: str, message: Text, span: Span | None, help: Text | None = None) -> None:
        super().__init__(str(message))
        self.diagnostic = Diagnostic(code, message, span, help=help)
