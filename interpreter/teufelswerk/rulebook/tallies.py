"""Where an example stands → what is kept there: who has how much, what lies in common, and who has won with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from teufelswerk import model
from teufelswerk.base.texts import Text
from teufelswerk.model import walk
from teufelswerk.model.scenes import Claim, GivenIs, Line, WinnersClaim
from teufelswerk.rulebook.snapshots import Snapshot
from teufelswerk.rulebook.words import person, term
from teufelswerk.syntax.build import is_whole


@dataclass(frozen=True)
class Amount:
    """How much somebody has, or nobody in particular; `before` if the example gave another number."""

    who: Text | None
    number: int
    wins: bool = False
    before: int | None = None


@dataclass(frozen=True)
class Tally:
    """What there is of something."""

    label: Text
    entries: tuple[Amount, ...]


def tallies_of(rules: model.Model, snapshot: Snapshot, lines: Sequence[Line]) -> Iterator[Tally]:
    """What the lines claim of things kept, and all that decided a win that they claim."""
    counted = _Counted(rules, snapshot)
    for line in lines:
        if isinstance(line, Claim) and line.modal == "now":
            counted.claim(line.condition)
        elif isinstance(line, WinnersClaim):
            counted.win(line.people)
    for name, amounts in counted.amounts.items():
        yield Tally(term(rules, name, "keep"), tuple(amounts.values()))


class _Counted:
    def __init__(self, rules: model.Model, snapshot: Snapshot) -> None:
        self.rules = rules
        self.snapshot = snapshot
        self.given = dict(_given(snapshot.runner.scene.lines))
        self.amounts: dict[str, dict[str | None, Amount]] = {}
        """By what is kept and by who has it; None is nobody in particular."""

    def add(self, keep: str, who: str | None, number: int, wins: bool = False) -> None:
        before = self.given.get((keep, who), number)
        entry = Amount(person(who) if who else None, number, wins, before if before != number else None)
        self.amounts.setdefault(keep, {})[who] = entry

    def claim(self, condition: model.Expr) -> None:
        """`now coins of Ann is 18`, `now pot is 2`."""
        kept = condition.left if isinstance(condition, model.Compare) else None
        if isinstance(kept, model.KeepOf) and (kept.key is None or isinstance(kept.key, model.Person)):
            number = self.snapshot.figure(kept)
            if isinstance(number, int):
                self.add(kept.keep.name, kept.key.name if kept.key else None, number)

    def win(self, winners: Sequence[str]) -> None:
        """What the win depends on or the example gives; but nothing that all have alike without being given it."""
        deciding = {name for wins in _wins(self.rules) for _, by in wins.criteria for name in _read(by)}
        given = {name for name, _ in self.given}
        everyone = {name: self.of_each(name) for name in self.rules.keeps if name in deciding | given}
        told = {name: numbers for name, numbers in everyone.items() if numbers}
        telling = {name for name, numbers in told.items() if name in given or len(set(numbers)) > 1}
        for name in [name for name in told if name in telling] or told:
            for who, number in zip(self.snapshot.people, told[name], strict=True):
                self.add(name, who, number, who in winners)

    def of_each(self, name: str) -> list[int]:
        """What each player has of it, if it is a number of each player."""
        keep = self.rules.keeps[name]
        if not keep.counts:
            return []
        keeps = self.snapshot.worlds[0].keeps
        return [keeps[index] or 0 for index in self.snapshot.runner.layout.of_seats(keep)]


def _given(lines: Sequence[Line]) -> Iterator[tuple[tuple[str, str | None], int]]:
    """The numbers that an example begins with."""
    for line in lines:
        if isinstance(line, GivenIs) and isinstance(line.target, model.KeepOf) and is_whole(line.values[0].text):
            key = line.target.key
            if key is None or isinstance(key, model.Person):
                yield (line.target.keep.name, key.name if key else None), int(line.values[0].text)


def _wins(rules: model.Model) -> Iterator[model.Wins]:
    bodies = [step.body for step in rules.steps.values()]
    return (s for body in bodies for s in walk.statements(body) if isinstance(s, model.Wins))


def _read(expr: model.Expr) -> Iterator[str]:
    """What is kept and read, also by the definitions that it names; those do not run in a circle."""
    for part in walk.expressions(expr):
        if isinstance(part, model.KeepOf):
            yield part.keep.name
        elif isinstance(part, model.Defined):
            yield from _read(part.definition.value)
