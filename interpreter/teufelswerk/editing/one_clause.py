"""A checked file and a clause that could stand in it → what would be wrong with it, the rest being as it is."""

from __future__ import annotations

from collections.abc import Sequence

from teufelswerk.base.diagnostics import Diagnostic, Source
from teufelswerk.checker.check import Standing, standing
from teufelswerk.editing.opened import Opened
from teufelswerk.syntax.parse import ParsedSection, parse

ABOVE = "# Clause\n\n"
"""What stands before the lines that are looked at, to make a file of them."""


class OneClause:
    """Looks at clauses one by one, without the whole file each time."""

    def __init__(self, file: Opened) -> None:
        assembled = file.loaded.assembled
        self.path = file.source.path
        self.there: Standing | None = standing(assembled.sections, assembled.sources) if assembled else None

    def errors(self, lines: Sequence[str], number: int) -> list[Diagnostic]:
        """What is wrong in one of some lines, which are a whole clause, or an example up to there."""
        source = Source(self.path, ABOVE + "\n".join(lines) + "\n")
        sections, found = parse(source)
        if self.there is not None and len(sections) == 1:
            found = found + self.there.look_at(_all_in_one(sections[0]))
        here = number + ABOVE.count("\n") + 1
        return [d for d in found if d.is_error and d.span is not None and d.span.line == here]


def _all_in_one(section: ParsedSection) -> ParsedSection:
    """The section without words, which may break an example into parts."""
    clauses = [clause for part in section.parts for clause in part.clauses]
    part = section.parts[0] if section.parts else None
    if part is not None:
        part.paragraph, part.clauses = None, clauses
    return ParsedSection(section.heading, section.level, section.span, [part] if part else [])


KNOWN = "one clause"


def one_clause_of(file: Opened) -> OneClause:
    """The same for a file, made once."""
    known = file.known.get(KNOWN)
    return known if isinstance(known, OneClause) else prepare(file)


def prepare(file: Opened) -> OneClause:
    """Made anew, for whoever has the time before somebody asks."""
    made = file.known[KNOWN] = OneClause(file)
    return made


def inherit(before: Opened, file: Opened) -> None:
    """Until it is made anew, what the file declared a moment ago is good enough."""
    if (known := before.known.get(KNOWN)) is not None:
        file.known[KNOWN] = known
