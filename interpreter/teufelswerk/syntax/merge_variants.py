"""A variant and its base → one rulebook: values changed, sections replaced, dropped or added."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from teufelswerk.base.diagnostics import Diagnostic, Span, nearest
from teufelswerk.base.texts import Text
from teufelswerk.syntax import nodes
from teufelswerk.syntax.parse import ParsedPart, ParsedSection


def base_of(sections: Sequence[ParsedSection]) -> nodes.Word | None:
    """What the first section says it is a variant of."""
    clauses = [clause for section in sections[:1] for clause in _clauses(section)]
    return next((clause.base for clause in clauses if isinstance(clause, nodes.Variant)), None)


def misplaced(sections: Sequence[ParsedSection]) -> list[Diagnostic]:
    """Where a file names its base too late to be a variant of it."""
    message = Text("`variant of` stands in the first section, below the title")
    clauses = [clause for section in sections[1:] for clause in _clauses(section)]
    return [Diagnostic("misplaced", message, clause.span) for clause in clauses if isinstance(clause, nodes.Variant)]


def is_example(section: ParsedSection) -> bool:
    return any(isinstance(clause, nodes.Scene) for clause in _clauses(section))


@dataclass
class Merged:
    """The base's sections as a variant changes them, and what was wrong with the changes."""

    sections: list[ParsedSection]
    diagnostics: list[Diagnostic] = field(default_factory=list)
    replaced: list[ParsedSection] = field(default_factory=list)
    """The base's sections that are no longer there as they were."""


def merge(base: Sequence[ParsedSection], variant: Sequence[ParsedSection]) -> Merged:
    """Both files as one rulebook."""
    return _Merger(base, variant).run()


class _Merger:
    def __init__(self, base: Sequence[ParsedSection], variant: Sequence[ParsedSection]) -> None:
        self.base = base
        self.first, *others = variant
        self.merged = Merged([])
        self.changes: dict[str, nodes.Definition] = {}
        self.own: dict[str, ParsedSection] = {}
        for section in others:
            if section.heading in self.own:
                message = Text("the section `{heading}` is replaced twice", heading=section.heading)
                first = self.own[section.heading].span
                self.report("replaced-twice", message, section.span, related=((first, Text("the first one")),))
            else:
                self.own[section.heading] = section

    def report(
        self,
        code: str,
        message: Text,
        span: Span,
        help: Text | None = None,
        related: tuple[tuple[Span, Text], ...] = (),
    ) -> None:
        self.merged.diagnostics.append(Diagnostic(code, message, span, help=help, related=related))

    def run(self) -> Merged:
        title = self.title()
        rules: list[ParsedSection] = []
        examples: list[ParsedSection] = []
        done: set[str] = set()
        for section in self.base[1:]:
            chosen = self.own.get(section.heading, section)
            if chosen is not section:
                self.merged.replaced.append(section)
                if section.heading in done:
                    continue
            done.add(section.heading)
            (examples if is_example(section) else rules).append(chosen)
        for section in self.own.values():
            if section.heading not in done and self.can_be_added(section):
                if is_example(section):
                    examples.append(section)
                else:
                    rules.insert(self.position(section, rules), section)
        kept = [s for s in (*rules, *examples) if s.parts or self.own.get(s.heading) is not s]
        self.merged.sections = [self.with_changes(section) for section in (title, *kept)]
        self.look_at_values()
        return self.merged

    def position(self, new: ParsedSection, rules: Sequence[ParsedSection]) -> int:
        """Where a new section stands: behind its neighbour above in the variant's file, else before the one below.

        A neighbour is a section that the rulebook has already, even if the variant drops it.
        """
        places = {section.heading: place for place, section in enumerate(rules)}
        file = list(self.own)
        here = file.index(new.heading)
        above = [places[heading] for heading in file[:here] if heading in places]
        below = [places[heading] for heading in file[here:] if heading in places]
        if not above:
            return below[0] if below else len(rules)
        place = above[-1] + 1
        while place < len(rules) and rules[place].level > new.level:  # what stands below its neighbour stays there
            place += 1
        return place

    # ---- the first section ------------------------------------------------------------------------------------------

    def title(self) -> ParsedSection:
        """The variant's title and introduction, then that of the base, over the base's declarations."""
        words = [ParsedPart(part.paragraph) for part in self.first.parts if part.paragraph]
        first = self.base[0]
        words += [ParsedPart(p.paragraph, [], p.base or first.heading) for p in first.parts if p.paragraph]
        players: nodes.Players | None = None
        bases: list[nodes.Variant] = []
        for clause in _clauses(self.first):
            if isinstance(clause, nodes.Definition):
                self.change(clause)
            elif isinstance(clause, nodes.Players):
                players = clause
            elif isinstance(clause, nodes.Variant):
                bases.append(clause)
            else:
                message = Text("the first section of a variant can only change values")
                self.report("misplaced", message, clause.span, self.where_to_put(clause))
        for extra in bases[1:]:
            message = Text("a variant has one base, and this is another one")
            self.report("replaced-twice", message, extra.span, related=((bases[0].span, Text("the first one")),))
        declared = [
            ParsedPart(None, [players if players and isinstance(c, nodes.Players) else c for c in part.clauses])
            for part in self.base[0].parts
            if part.clauses
        ]
        return ParsedSection(self.first.heading, self.first.level, self.first.span, [*words, *declared])

    def where_to_put(self, clause: nodes.Clause) -> Text:
        """The section of the base that says such a thing, or a new one."""
        names = {name for name, _ in declared(ParsedSection("", 1, clause.span, [ParsedPart(None, [clause])]))}
        for section in self.base[1:]:
            if names & {name for name, _ in declared(section)}:
                return Text("copy the section `{heading}` of the base, and change it there", heading=section.heading)
        return Text("put this line into a section of its own, below a heading such as `## My rule`")

    def change(self, clause: nodes.Definition) -> None:
        name = clause.name.text
        if name in self.changes:
            message = Text("the value `{name}` is changed twice", name=name)
            related = ((self.changes[name].span, Text("the first one")),)
            self.report("replaced-twice", message, clause.name.span, related=related)
        else:
            self.changes[name] = clause

    def look_at_values(self) -> None:
        """Every value that is changed must be there, in a section that the base brings."""
        known = {c.name.text for section in self.base for c in _clauses(section) if isinstance(c, nodes.Definition)}
        own = {
            c.name.text: c
            for section in self.own.values()
            for c in _clauses(section)
            if isinstance(c, nodes.Definition)
        }
        for name, clause in self.changes.items():
            if name in own:
                message = Text("the value `{name}` is changed twice", name=name)
                related = ((own[name].span, Text("here it is given too")),)
                self.report("replaced-twice", message, clause.name.span, related=related)
            elif name not in known:
                similar = nearest(name, known)
                new = Text("put a new value into the section that uses it")
                help = Text("write `{name}`", name=similar) if similar else new
                message = Text("the rules have no value called `{name}` that could be changed", name=name)
                self.report("unknown-value", message, clause.name.span, help)
            elif not any(
                isinstance(c, nodes.Definition) and c.name.text == name
                for section in self.merged.sections
                for c in _clauses(section)
            ):
                message = Text("the section that gives `{name}` its value is replaced or dropped here", name=name)
                help = Text("move this line into your own section that uses `{name}`, or take it away", name=name)
                self.report("unknown-value", message, clause.name.span, help)

    def with_changes(self, section: ParsedSection) -> ParsedSection:
        if not self.changes or section.heading in self.own:
            return section
        parts = [
            replace(
                part,
                clauses=[
                    self.changes.get(c.name.text, c) if isinstance(c, nodes.Definition) else c for c in part.clauses
                ],
            )
            for part in section.parts
        ]
        return ParsedSection(section.heading, section.level, section.span, parts)

    # ---- sections that the base does not have -----------------------------------------------------------------------

    def can_be_added(self, section: ParsedSection) -> bool:
        """A new section says something, and nothing that a section of the base says already."""
        if not section.parts:
            similar = nearest(section.heading, [s.heading for s in self.base[1:]])
            help = Text("write `{name}`", name=similar) if similar else None
            message = Text("there is no section `{heading}` that could be dropped", heading=section.heading)
            self.report("no-such-section", message, section.span, help)
            return False
        own = dict(declared(section))
        for other in self.base[1:]:
            if other.heading in self.own:
                continue
            if _much_alike(section.heading, other.heading):
                message = Text("this section does not replace `{heading}`, which it looks like", heading=other.heading)
                help = Text("to replace it, give this section the heading `{heading}`", heading=other.heading)
                related = ((other.span, Text("in the base")),)
                found = Diagnostic("similar-heading", message, section.span, None, related, help, "warning")
                self.merged.diagnostics.append(found)
            for name, span in declared(other):
                if name in own:
                    message = Text(
                        "the section `{heading}` has `{name}` already, and this one does not replace it",
                        heading=other.heading, name=name,
                    )  # fmt: skip
                    help = Text("to replace it, give this section the heading `{heading}`", heading=other.heading)
                    self.report("no-such-section", message, section.span, help, ((span, Text("declared here")),))
                    return False
        return True


def _much_alike(heading: str, other: str) -> bool:
    """Whether two headings differ in punctuation and capitals alone, or have the same number: `Example 3: …`."""
    words, others = re.findall(r"\w+", heading.lower()), re.findall(r"\w+", other.lower())
    return words == others or (words[:2] == others[:2] and words[1:2] != [] and words[1].isdigit())


def _clauses(section: ParsedSection) -> Iterator[nodes.Clause]:
    return (clause for part in section.parts for clause in part.clauses)


def declared(section: ParsedSection) -> Iterator[tuple[str, Span]]:
    """The names that a section gives to something."""
    for clause in _clauses(section):
        if isinstance(clause, (nodes.Definition, nodes.Step, nodes.Move, nodes.Place, nodes.Keep)):
            yield clause.name.text, clause.name.span
        elif isinstance(clause, nodes.Cards):
            yield (clause.kind.text, clause.kind.span) if clause.kind else ("cards", clause.span)
