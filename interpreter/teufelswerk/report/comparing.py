"""Two samples on the same seeds → what a variant changes: in the rules, and in every figure with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from teufelswerk.base.texts import Text
from teufelswerk.compare import differences
from teufelswerk.model import Model
from teufelswerk.report.estimates import Estimate
from teufelswerk.report.interval_plot import difference_mark
from teufelswerk.report.parts import Cell, Line, Section, Sentence, Table
from teufelswerk.report.wording import Words
from teufelswerk.rulebook.words import term


@dataclass(frozen=True)
class Compared:
    """One figure in two games: its means, and the mean of the difference between games with the same seed."""

    what: Text
    first: float
    second: float
    difference: Estimate
    as_share: bool = False

    @property
    def clear(self) -> bool:
        """Whether it is clearly not nothing."""
        return not self.difference.holds(0)

    @property
    def varies(self) -> bool:
        """Whether the difference is not the same for every seed."""
        return self.difference.low < self.difference.high


def compared_section(
    number: int, first: Model, second: Model, name: str, figures: Sequence[Compared], words: Words
) -> Section:
    section = Section(f"variant-{number}", name)
    section.changes = [words(change) for change in changes_of(first, second)]
    what = Text("What it changes in the rules:") if section.changes else Text("Its rules are the same.")
    section.sentences.append(Sentence(words(what)))
    section.tables.append(_table(figures, words))
    return section


def _table(figures: Sequence[Compared], words: Words) -> Table:
    lines = []
    for figure in figures:
        difference = words.difference(figure.difference, figure.as_share)
        between = words.gettext("the same in every game")
        if figure.varies:
            between = words.difference_span(figure.difference, figure.as_share)
        reach = max(abs(figure.difference.low), abs(figure.difference.high)) or 1.0
        mark = difference_mark(figure.difference, reach, f"{words.cap(figure.what)}: {difference} ({between})")
        lines.append(
            Line(
                (
                    Cell(words.cap(figure.what)),
                    Cell(_mean(figure, figure.first, words), style="number"),
                    Cell(_mean(figure, figure.second, words), style="number"),
                    Cell(difference, small=between, style="number differs" if figure.clear else "number"),
                    Cell(svg=mark) if figure.varies else Cell(),
                )
            )
        )
    head = (
        words.gettext("Figure"),
        words.gettext("the game"),
        words.gettext("the variant"),
        words.gettext("difference"),
        "",
    )
    return Table("", head, tuple(lines))


def _mean(figure: Compared, mean: float, words: Words) -> str:
    """With as many decimals as the difference has."""
    if figure.as_share:
        return words.percent(mean, max(1, figure.difference.times(100).digits))
    whole = not figure.varies and figure.first == round(figure.first) and figure.second == round(figure.second)
    return words.number(mean, 0 if whole else figure.difference.digits or 1)


def variant_sentence(name: str, figures: Sequence[Compared], words: Words) -> str:
    """What is clearly different, for the summary."""
    clear = [
        words(_changed(figure, words.difference(figure.difference, figure.as_share)))
        for figure in figures
        if figure.clear
    ]
    if not clear:
        return words.gettext("{name} plays much the same: no figure differs clearly.", name=name)
    return words.gettext("{name} differs clearly: {list}.", name=name, list="; ".join(clear))


def _changed(figure: Compared, difference: str) -> Text:
    if figure.as_share:
        return Text("{what} {difference} points", what=figure.what, difference=difference)
    return Text("{what} {difference}", what=figure.what, difference=difference)


# ---- in the rules ---------------------------------------------------------------------------------------------------


def changes_of(first: Model, second: Model) -> Iterator[Text]:
    """A short list of what differs, in the words of the rulebook."""
    for value in differences.value_changes(first, second):
        name = term(second if value.second is not None else first, value.name, "figure")
        if value.first is None:
            yield Text("{what}: {after} (new)", what=name, after=value.second)
        elif value.second is None:
            yield Text("{what}: no longer there (was {before})", what=name, before=value.first)
        else:
            yield Text("{what}: {before} → {after}", what=name, before=value.first, after=value.second)
    yield from _cards(first, second)
    for rule in differences.rule_changes(first, second):
        if rule.second:
            yield Text("“{heading}”: {words}", heading=rule.heading, words=_joined(rule.second))
        elif rule.first:
            yield Text("“{heading}” is left out, or part of it.", heading=rule.heading)
        else:
            yield Text("“{heading}” has other clauses.", heading=rule.heading)


def _joined(paragraphs: Sequence[Text]) -> Text:
    """Paragraphs one after the other."""
    joined = paragraphs[0]
    for paragraph in paragraphs[1:]:
        joined = Text("{before} {after}", before=joined, after=paragraph)
    return joined


def _cards(first: Model, second: Model) -> Iterator[Text]:
    found = list(differences.card_changes(first, second))
    gone = [change.id for change in found if change.attribute is None and change.second is None]
    new = [change.id for change in found if change.attribute is None and change.first is None]
    other = list(dict.fromkeys(change.id for change in found if change.attribute is not None))
    if gone:
        yield Text("{n} {n:card|cards} fewer", n=len(gone))
    if new:
        yield Text("{n} {n:card|cards} more", n=len(new))
    if other:
        yield Text("{n} {n:card|cards} with something else on {n:it|them}", n=len(other))
