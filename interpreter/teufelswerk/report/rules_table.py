"""How often each rule, branch and refusal came into play → a table in the order of the rulebook, below its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from teufelswerk import model
from teufelswerk.base.texts import Text
from teufelswerk.examples.coverage import Unit, units_of
from teufelswerk.report.parts import Cell, Line, Named, Table
from teufelswerk.report.samples import Sample
from teufelswerk.report.wording import Words
from teufelswerk.rulebook.figures import Figures
from teufelswerk.rulebook.words import heading

RARE = 0.01
"""What comes up in fewer than one game out of a hundred is rare."""


@dataclass
class Entry:
    """A rule in all games that have it. `times` are in the order of the samples, None where a game does not have it."""

    unit: Unit
    times: list[int | None]


@dataclass
class Group:
    """The rules below one paragraph of the rulebook, or several."""

    heading: Text
    paragraphs: tuple[Text, ...]
    entries: list[Entry] = field(default_factory=list)


def groups_of(samples: Sequence[Sample]) -> list[Group]:
    """All rules of all games, each once, in the order of the first; what only others have comes after its section."""
    groups: dict[tuple[str, str], Group] = {}
    known: dict[tuple[str, str, str, int], Entry] = {}
    order: list[tuple[str, str]] = []
    for number, sample in enumerate(samples):
        figures = Figures(sample.rules)
        seen: dict[tuple[str, str, str], int] = {}
        for unit, section, prose in _placed(sample):
            rule = section.heading, str(unit.kind), unit.words
            seen[rule] = seen.get(rule, 0) + 1
            entry = known.get((*rule, seen[rule]))
            if entry is None:
                entry = known[(*rule, seen[rule])] = Entry(unit, [None] * len(samples))
                where = section.heading, " ".join(p.paragraph.text for p in prose)
                if where not in groups:
                    words = tuple(figures.fill(paragraph) for paragraph in prose)
                    groups[where] = Group(heading(sample.rules, section.index), words)
                    after = [n for n, (title, _) in enumerate(order) if title == section.heading]
                    order.insert(after[-1] + 1 if after else len(order), where)
                groups[where].entries.append(entry)
            entry.times[number] = sample.fired[unit.id]
    return [groups[where] for where in order]


def _paragraphs(section: model.Section) -> list[tuple[model.Prose, ...]]:
    """The paragraphs of a section in groups: those between two programs."""
    groups: list[tuple[model.Prose, ...]] = [()]
    for prose in section.prose:
        groups[-1] += (prose,)
        if prose.clause_lines:
            groups.append(())
    return [group for group in groups if group]


def _placed(sample: Sample) -> Iterator[tuple[Unit, model.Section, tuple[model.Prose, ...]]]:
    """Each rule with its section and the paragraphs above it, in the order of the rulebook."""
    rules, found = sample.rules, []
    for unit in counted(sample):
        line, section = unit.span.line, rules.section_at(unit.span)
        above_line = [group for group in _paragraphs(section) if group[0].paragraph.span.line <= line]
        nearest = above_line[-1] if above_line else ()
        found.append((section.index, line, unit, section, nearest))
    for *_, unit, section, nearest in sorted(found, key=lambda item: item[:2]):
        yield unit, section, nearest


def rules_table(samples: Sequence[Sample], named: Sequence[Named], words: Words) -> Table:
    lines = []
    titled = None
    for group in groups_of(samples):
        title = "" if group.heading == titled else words(group.heading)
        titled = group.heading
        lines.append(Line((Cell(title, small=" ".join(map(words, group.paragraphs))),), group=True))
        lines += [_line(entry, samples, words) for entry in group.entries]
    head = (words.gettext("Rule"), words.gettext("Line"))
    if len(samples) == 1:
        return Table("", (*head, words.gettext("a game")), tuple(lines), words_first=2, stacked=True)
    return Table("", head, tuple(lines), words_first=2, of=tuple(named), stacked=True)


def _line(entry: Entry, samples: Sequence[Sample], words: Words) -> Line:
    unit = entry.unit
    kind = words(unit.kind)
    first = Cell(code=unit.words, small=kind)
    where = Cell(str(unit.span.line), style="line")
    return Line((first, where, *(_count(t, s, words) for t, s in zip(entry.times, samples, strict=True))))


def _count(times: int | None, sample: Sample, words: Words) -> Cell:
    if times is None:
        return Cell("–", style="number")
    per_game = times / sample.games if sample.games else 0.0
    if not times:
        return Cell("0", style="number", flag=words.gettext("never"), flag_style="never")
    digits = 1 if per_game >= 1 else 2 if per_game >= 0.1 else 3
    shown = words.number(per_game, digits)
    if per_game < 10**-digits:
        shown = words.gettext("once in {n} games", n=round(sample.games / times))
    return Cell(shown, style="number", flag=words.gettext("rare") if per_game < RARE else "")


def counted(sample: Sample) -> list[Unit]:
    """The rules and branches that are counted; refusals are not, since nobody is refused who only makes legal moves."""
    return [unit for unit in units_of(sample.rules) if unit.id in sample.fired]


def never_fired(sample: Sample) -> list[Unit]:
    return [unit for unit in counted(sample) if not sample.fired[unit.id]]
