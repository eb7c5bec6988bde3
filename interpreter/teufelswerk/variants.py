"""A variant and its base → one rulebook: values changed, sections replaced, dropped or added."""

from __future__ import annotations

from collections.abc import Sequence

from teufelswerk import nodes
from teufelswerk.diagnostics import Diagnostic
from teufelswerk.parse import ParsedPart, ParsedSection
from teufelswerk.texts import Text


def base_of(sections: Sequence[ParsedSection]) -> nodes.Word | None:
    """What the first section says it is a variant of."""
    if not sections:
        return None
    clauses = [clause for part in sections[0].parts for clause in part.clauses]
    return next((clause.base for clause in clauses if isinstance(clause, nodes.Variant)), None)


def merge(
    base: Sequence[ParsedSection], variant: Sequence[ParsedSection]
) -> tuple[list[ParsedSection], list[Diagnostic]]:
    """The base's sections as the variant changes them."""
    found: list[Diagnostic] = []
    first, *others = variant
    changes = {
        clause.name.text: clause
        for part in first.parts
        for clause in part.clauses
        if isinstance(clause, nodes.Definition)
    }
    replaced: dict[str, ParsedSection] = {}
    for section in others:
        if section.heading in replaced:
            message = Text("the section `{heading}` is replaced twice", heading=section.heading)
            related = ((replaced[section.heading].span, Text("the first one")),)
            found.append(Diagnostic("replaced-twice", message, section.span, related=related))
        replaced[section.heading] = section
    headings = {section.heading for section in base}
    title = _title(base[0], first)
    merged = [title]
    for section in base[1:]:
        chosen = replaced.get(section.heading, section)
        if chosen.parts:
            merged.append(chosen)
    for section in others:
        if section.heading not in headings:
            if not section.parts:
                message = Text("there is no section `{heading}` that could be dropped", heading=section.heading)
                found.append(Diagnostic("no-such-section", message, section.span))
            else:
                merged.append(section)
    used: set[str] = set()
    merged = [merged[0], *(_with_changes(section, changes, used) for section in merged[1:])]
    for name, clause in changes.items():
        if name not in used:
            message = Text("the rules have no value called `{name}` that could be changed", name=name)
            found.append(Diagnostic("unknown-value", message, clause.name.span))
    return merged, found


def _title(base: ParsedSection, variant: ParsedSection) -> ParsedSection:
    """The variant's title and opening words over the base's declarations."""
    words = [ParsedPart(part.paragraph) for part in variant.parts if part.paragraph]
    declared = [ParsedPart(None, part.clauses) for part in base.parts if part.clauses]
    return ParsedSection(variant.heading, variant.level, variant.span, [*words, *declared])


def _with_changes(section: ParsedSection, changes: dict[str, nodes.Definition], used: set[str]) -> ParsedSection:
    parts = []
    for part in section.parts:
        clauses: list[nodes.Clause] = []
        for clause in part.clauses:
            if isinstance(clause, nodes.Definition) and clause.name.text in changes:
                used.add(clause.name.text)
                clauses.append(changes[clause.name.text])
            else:
                clauses.append(clause)
        parts.append(ParsedPart(part.paragraph, clauses))
    return ParsedSection(section.heading, section.level, section.span, parts)
