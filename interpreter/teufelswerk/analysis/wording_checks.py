"""A model and its paragraphs → warnings where words and clauses seem to say different things."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from teufelswerk import model
from teufelswerk.base.diagnostics import Diagnostic, Span
from teufelswerk.base.texts import Text, placeholders
from teufelswerk.syntax import nodes
from teufelswerk.syntax.parse import ParsedSection

OPPOSITES = (
    ({"left"}, {"left"}, {"right"}, {"right"}),
    ({"highest"}, {"highest", "most", "higher"}, {"lowest"}, {"lowest", "fewest", "least", "lower"}),
)
"""A word of the clauses with the words that tell it, and its contrary with those that tell that."""


def check_wording(rules: model.Model, sections: Sequence[ParsedSection]) -> list[Diagnostic]:
    """What a reader of the paragraphs would be told wrongly, or not at all."""
    found: list[Diagnostic] = []
    for section in sections:
        if any(isinstance(clause, nodes.Scene) for part in section.parts for clause in part.clauses):
            continue
        prose = " ".join(part.paragraph.text for part in section.parts if part.paragraph)
        clauses = [clause for part in section.parts for clause in part.clauses]
        if not prose and any(isinstance(c, (nodes.Step, nodes.Move, nodes.Definition)) for c in clauses):
            message = Text("the section has rules but no words, so that the rulebook can only show the clauses")
            found.append(Diagnostic("no-words", message, section.span, severity="warning"))
        found += _contrary(section, prose)
        found += _contrary_sentences(section)
        found += _untold(clauses, prose)
    return found


def _contrary(section: ParsedSection, prose: str) -> Iterator[Diagnostic]:
    """The clauses say `right`, the paragraph speaks only of the left."""
    words = set(re.findall(r"[a-z]+", re.sub(r"\{[^}]*\}", " ", prose.lower())))  # a figure tells what it tells
    lines = _clause_lines(section)
    for word, told, contrary in _opposed(" ".join(lines)):
        if words & contrary and not words & told:
            spoken = sorted(words & contrary)[0]
            message = Text("the clauses say `{word}`, the paragraph says only `{spoken}`", word=word, spoken=spoken)
            yield Diagnostic("wording-differs", message, section.span, severity="warning")


def _contrary_sentences(section: ParsedSection) -> Iterator[Diagnostic]:
    """A line says `left`, and the sentence below it `{right}`."""
    source = section.span.source
    above: list[tuple[int, str]] = []
    for number, text in enumerate(source.lines[section.span.line :], section.span.line + 1):
        line = text.strip()
        if text.startswith("#"):
            break
        if not line or not text.startswith("    "):
            continue
        indent = len(text) - len(text.lstrip())
        while above and above[-1][0] >= indent:
            above.pop()
        if not line.startswith('"'):
            above.append((indent, line))
            continue
        words = set(re.findall(r"[a-z]+", line.lower()))
        for here, told, contrary in _opposed(above[-1][1] if above else ""):
            if words & contrary and not words & told:
                spoken = sorted(words & contrary)[0]
                message = Text("the line above says `{word}`, its sentence only `{spoken}`", word=here, spoken=spoken)
                span = Span(source, number, indent + 1, len(text.rstrip()) + 1)
                yield Diagnostic("wording-differs", message, span, severity="warning")


def _opposed(line: str) -> Iterator[tuple[str, set[str], set[str]]]:
    """Words of a line whose contraries it does not have, how each is told, and how its contrary is."""
    code = set(re.findall(r"[a-z]+", line))
    for first, told_first, second, told_second in OPPOSITES:
        for here, other, told, contrary in (
            (first, second, told_first, told_second),
            (second, first, told_second, told_first),
        ):
            if code & here and not code & other:
                yield sorted(code & here)[0], told, contrary


def _clause_lines(section: ParsedSection) -> list[str]:
    """The clause lines of a section as they stand in the file, sentences left out."""
    source = section.span.source
    first, last = section.span.line, len(source.lines)
    lines = []
    for line in source.lines[first:last]:
        if line.startswith("#"):
            break
        if line.startswith("    ") and not line.lstrip().startswith('"'):
            lines.append(line)
    return lines


def _untold(clauses: Sequence[nodes.Clause], prose: str) -> Iterator[Diagnostic]:
    told = {name for name, _ in placeholders(prose)}
    for clause in clauses:
        if (
            isinstance(clause, nodes.Definition)
            and isinstance(clause.value, nodes.Number)
            and clause.name.text not in told
        ):
            name = clause.name.text
            message = Text("no paragraph of this section tells the value `{name}`", name=name)
            help = Text("write it in the text as {figure}", figure="{" + name + "}")
            yield Diagnostic("untold-value", message, clause.name.span, help=help, severity="warning")
