"""A rulebook → the plain numbers that one can change: what tells them, and how far one can go."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from teufelswerk import model
from teufelswerk.base import chance
from teufelswerk.base.budget import Deadline, OutOfTime
from teufelswerk.base.diagnostics import Diagnostic
from teufelswerk.base.limits import SECONDS_OF_VALUES
from teufelswerk.base.texts import Text, placeholders
from teufelswerk.checker.check import check
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import RuleError
from teufelswerk.loading.library import Assembled, load
from teufelswerk.rulebook.figures import Figures, together

ENOUGH = 100
"""A value that can be this large, and several times as large as it is, has no upper end."""
DECISIONS = 12
"""So far a game is played to see whether a value will do."""


@dataclass(frozen=True)
class Range:
    """From when to when a value will do; `high` is None if there is no upper end."""

    low: int
    high: int | None

    def __contains__(self, number: int) -> bool:
        return self.low <= number and (self.high is None or number <= self.high)

    def in_words(self) -> Text:
        if self.high is None:
            return Text("at least {low}", low=self.low)
        if self.high == self.low:
            return Text("only {low}", low=self.low)
        return Text("from {low} to {high}", low=self.low, high=self.high)


@dataclass(frozen=True)
class Value:
    """A number that the rules give a name."""

    name: str
    number: int
    """What it is now; it may differ by the number of players."""
    worked_out: str | None
    """The clause that gives it, if it is no plain number."""
    told: Text | None
    """The paragraph that tells it, with its figures."""
    ranges: Mapping[int, Range] | None
    """For each number of players with whom the game can be played as it is; None if there was no time to find out."""


def plain_numbers(rules: model.Model) -> dict[str, int]:
    """The definitions that are plain numbers, but for those that only serve an example."""
    return {
        name: definition.value.value
        for name, definition in rules.definitions.items()
        if isinstance(definition.value, model.Const)
        and definition.value.type.kind == "number"
        and not definition.parameter
        and not rules.sections[definition.section].is_example
    }


def numbers(rules: model.Model) -> dict[str, dict[int, int]]:
    """All definitions that can be given another number, plain or worked out, for each number of players."""
    figures = Figures(rules)
    found = {}
    for name, definition in rules.definitions.items():
        value = definition.value
        if definition.parameter or rules.sections[definition.section].is_example:
            continue
        if value.type.kind == "number" and _can_be_set(value):
            now = {players: figures.value(value, players) for players in figures.counts}
            if all(isinstance(number, int) for number in now.values()):
                found[name] = now
    return found


def _can_be_set(value: model.Expr) -> bool:
    """What the checker lets somebody set: plain numbers, sums, counts, and alternatives of these."""
    if isinstance(value, model.Alternatives):
        return all(_can_be_set(branch.value) for branch in value.branches)
    return isinstance(value, (model.Const, model.Arith, model.Count))


def values_of(
    rules: model.Model, assembled: Assembled, names: Sequence[str] = (), seconds: float = SECONDS_OF_VALUES
) -> Iterator[Value]:
    """All values of a game, or those of some names, in the order of the file; ranges as long as there is time."""
    figures, deadline = Figures(rules), Deadline(seconds)
    found, tellers = numbers(rules), _tellers(rules)
    order = sorted(found, key=lambda name: (rules.definitions[name].section, rules.definitions[name].span.line))
    for name in order:
        if names and name not in names:
            continue
        try:
            ranges = _ranges(rules, assembled, name, found[name], deadline)
        except OutOfTime:
            ranges = None
        number = together(list(found[name].values()))
        told = _told(rules, figures, name, tellers.get(name, [])) if ranges is not None else None
        yield Value(name, number, _clause(rules, name), told, ranges)


def _clause(rules: model.Model, name: str) -> str | None:
    span = rules.definitions[name].value.span
    if isinstance(rules.definitions[name].value, model.Const):
        return None
    return span.source.lines[span.line - 1][span.column - 1 : span.end - 1]


def unfitting(
    path: str | Path, values: Mapping[str, int], rules: model.Model | None, players: int | None = None
) -> list[Diagnostic]:
    """What is wrong with values that somebody chose, if the game cannot begin with them: how far each one can go."""
    deadline = Deadline(SECONDS_OF_VALUES)
    try:
        if rules is not None:
            counts = range(rules.min_players, rules.max_players + 1) if players is None else [players]
            if any(_begins(rules, count, deadline) for count in counts):
                return []
        return _out_of_range(path, values, players, deadline)
    except OutOfTime:
        return []  # whoever plays it will see


def _out_of_range(
    path: str | Path, values: Mapping[str, int], players: int | None, deadline: Deadline
) -> list[Diagnostic]:
    found = []
    for name, number in values.items():
        before = load(path, {other: value for other, value in values.items() if other != name})
        now = numbers(before.model).get(name) if before.model else None
        if before.model is None or before.assembled is None or now is None:
            continue
        ranges = _ranges(before.model, before.assembled, name, now, deadline)
        asked = {count: range for count, range in ranges.items() if players in (None, count)}
        if asked and not any(number in range for range in asked.values()):
            message = Text("`{name}` cannot be {number}", name=name, number=number)
            if players is not None:
                message = Text(
                    "with {players} {players:player|players} `{name}` cannot be {number}",
                    players=players,
                    name=name,
                    number=number,
                )
            help = Text("possible values: {range}", range=range_in_words(ranges))
            found.append(Diagnostic("out-of-range", message, help=help))
    return found


def range_in_words(ranges: Mapping[int, Range]) -> Text:
    """What will do with every number of players, and with each if that is not the same."""
    if not ranges:
        return Text("which works with no number of players")
    everywhere = common(ranges)
    if everywhere is not None and len(set(ranges.values())) == 1:
        return everywhere.in_words()
    single = [
        Text("with {players} {players:player|players} {range}", players=players, range=range.in_words())
        for players, range in ranges.items()
    ]
    if everywhere is None:
        return Text("{single}", single=single)
    return Text("{range} ({single})", range=everywhere.in_words(), single=single)


def common(ranges: Mapping[int, Range]) -> Range | None:
    """What will do with every number of players."""
    if not ranges:
        return None
    highs = [r.high for r in ranges.values() if r.high is not None]
    low, high = max(r.low for r in ranges.values()), min(highs) if highs else None
    return None if high is not None and high < low else Range(low, high)


def _tellers(rules: model.Model) -> dict[str, list[tuple[int, model.Prose]]]:
    """By the name of a figure, the paragraphs that have it, those below the title last; with their sections."""
    found: dict[str, list[tuple[int, model.Prose]]] = {}
    for section in [*rules.sections[1:], *rules.sections[:1]]:
        for prose in section.prose if not section.is_example else ():
            for name in {figure for figure, _ in placeholders(prose.paragraph.text)}:
                found.setdefault(name, []).append((section.index, prose))
    return found


def _told(rules: model.Model, figures: Figures, name: str, tellers: list[tuple[int, model.Prose]]) -> Text | None:
    """The paragraph that tells a value: of its own section if there is one, else the first."""
    home = rules.definitions[name].section
    own = [prose for index, prose in tellers if index == home and index]
    return figures.fill((own or [prose for _, prose in tellers])[0]) if tellers else None


def _ranges(
    rules: model.Model, assembled: Assembled, name: str, now: Mapping[int, int], deadline: Deadline
) -> dict[int, Range]:
    known: dict[int, frozenset[int]] = {}

    def counts(number: int) -> frozenset[int]:
        if number not in known:
            known[number] = _fine(assembled, {**rules.changed_values, name: number}, deadline)
        return known[number]

    def range_for(players: int) -> Range:
        def fine(number: int) -> bool:
            return players in counts(number)

        return Range(_lowest(fine, now[players]), _highest(fine, now[players]))

    return {players: range_for(players) for players in now if players in counts(now[players])}


def _lowest(fine: Callable[[int], bool], now: int) -> int:
    good, step = now, 1
    while good > 0:
        if not fine(further := max(0, good - step)):
            return _last(fine, good, further)
        good, step = further, 2 * step
    return good


def _highest(fine: Callable[[int], bool], now: int) -> int | None:
    good, step = now, 1
    while fine(further := good + step):
        good, step = further, max(2 * step, good)
        if good > ENOUGH and good > 4 * now:
            return None
    return _last(fine, good, further)


def _last(fine: Callable[[int], bool], good: int, bad: int) -> int:
    """The last number that will do on the way from a good one to a bad one; with long strides, a gap may be missed."""
    while abs(good - bad) > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if fine(middle) else (good, middle)
    return good


def _fine(assembled: Assembled, values: dict[str, int], deadline: Deadline) -> frozenset[int]:
    """With how many players the game can be checked, dealt and begun."""
    deadline.check()
    checked = check(assembled.sections, assembled.sources, values)
    if checked.model is None or checked.errors:
        return frozenset()
    rules = checked.model
    return frozenset(n for n in range(rules.min_players, rules.max_players + 1) if _begins(rules, n, deadline))


def _begins(rules: model.Model, players: int, deadline: Deadline) -> bool:
    try:
        game = Game(rules, players, deadline)
        m, rng = game.machine(0), chance.stream(0, 1)
        game.run(m)
        if m.winners is not None:
            return False
        for _ in range(DECISIONS):
            if m.winners is not None:
                return True
            moves = game.choices(m)
            rng, index = chance.below(rng, len(moves))
            game.make(m, moves[index])
    except RuleError:
        return False
    return True
