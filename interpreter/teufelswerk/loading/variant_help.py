"""Findings about a variant → the same findings with a way out that names the section of the base to look at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from teufelswerk.base.diagnostics import Diagnostic, Source, Span
from teufelswerk.base.texts import Text
from teufelswerk.checker.check import FIRST_STEP, MISFIT
from teufelswerk.syntax.merge_variants import declared
from teufelswerk.syntax.parse import ParsedSection

MISSING = frozenset("unknown-name unknown-move unknown-step unknown-figure".split())


def explained(
    found: Iterable[Diagnostic],
    sections: Sequence[ParsedSection],
    replaced: Sequence[ParsedSection],
    sources: Sequence[Source],
) -> list[Diagnostic]:
    """What is missing or does not fit because the variant replaces a section is told as such."""
    if len(sources) == 1:
        return list(found)
    gone = {name: section.heading for section in replaced for name, _ in declared(section)}
    own = {name: span for section in sections for name, span in declared(section) if span.source is sources[0]}
    told = [_lost(d, gone) or _changed(d, own, sources) or _spoiled(d, sections, sources) or d for d in found]
    if any(d.is_error for d in told):
        # Whether an example fits cannot be said before the rules do.
        told = [d for d in told if d.code != MISFIT]
    return told


def _lost(diagnostic: Diagnostic, gone: dict[str, str]) -> Diagnostic | None:
    """Something that only a replaced or dropped section of the base declared."""
    name = FIRST_STEP if diagnostic.code == "no-game" else str(diagnostic.message.values.get("name"))
    if diagnostic.code not in MISSING | {"no-game"} or name not in gone:
        return None
    help = Text(
        "the base has `{name}` in the section `{heading}`, which the variant replaces or drops; copy it from there",
        name=name, heading=gone[name],
    )  # fmt: skip
    return replace(diagnostic, help=help)


def _changed(diagnostic: Diagnostic, own: dict[str, Span], sources: Sequence[Source]) -> Diagnostic | None:
    """A line of the base that uses something which the variant makes into something else."""
    span = diagnostic.span
    if not diagnostic.is_error or span is None or span.source is sources[0]:
        return None
    words = re.findall(r"[a-z][a-z0-9-]*", span.source.lines[span.line - 1][span.column - 1 : span.end - 1])
    name = next((word for word in words if word in own), None)
    if name is None:
        return None
    help = Text("make `{name}` the same kind of thing as in the base", name=name)
    related = (*diagnostic.related, (own[name], Text("the variant changes it here")))
    return replace(diagnostic, help=help, related=related)


def _spoiled(diagnostic: Diagnostic, sections: Sequence[ParsedSection], sources: Sequence[Source]) -> Diagnostic | None:
    """Any other mistake in a section of the base is for the variant to mend."""
    span = diagnostic.span
    if span is None or not diagnostic.is_error or span.source is sources[0]:
        return None
    above = [s for s in sections if s.span.source is span.source and s.span.line <= span.line]
    if not above:
        return None
    heading = max(above, key=lambda section: section.span.line).heading
    help = Text("the variant changes what this relies on; replace or drop `{heading}` there as well", heading=heading)
    return replace(diagnostic, help=help)
