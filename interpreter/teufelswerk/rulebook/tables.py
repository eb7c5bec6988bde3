"""Declarations → tables: what is on the cards, and what lies where when a game begins, by the number of players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from teufelswerk import model
from teufelswerk.base.texts import Text
from teufelswerk.interpreter.machine import BOX, RuleError
from teufelswerk.model import COPIES
from teufelswerk.rulebook.faces import Faces
from teufelswerk.rulebook.figures import Figures, Several
from teufelswerk.rulebook.words import place_term, term, value_term

Cell: TypeAlias = Text | str | int | tuple[Text | str, ...]
"""A tuple is a list of things, which each language joins in its own way."""


@dataclass(frozen=True)
class Table:
    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]


def ranges(numbers: Sequence[int]) -> tuple[str, ...]:
    """`1, 2, 3, 7` → `1–3`, `7`"""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    found: list[str] = []
    for low, high in runs:
        found += [str(n) for n in range(low, high + 1)] if high - low < 2 else [f"{low}–{high}"]
    return tuple(found)


def in_order(words: Sequence[Text | str]) -> Iterator[Text | str]:
    """Names as the file lists them, those that are numbers and follow one another as a range."""
    figures: list[int] = []
    for word in words:
        follows = isinstance(word, str) and figures and int(word) == figures[-1] + 1
        if figures and not follows:
            yield from ranges(figures)
            figures = []
        if isinstance(word, str):
            figures.append(int(word))
        else:
            yield word
    yield from ranges(figures)


class CardTables:
    """One table for each kind of cards."""

    def __init__(self, rules: model.Model, faces: Faces) -> None:
        self.rules = rules
        self.faces = faces

    def table(self, kind: model.CardKind) -> Table | None:
        """The kind's cards by their attributes; None if there is nothing on them."""
        names = self.faces.printed(kind)
        cards = [card for card in self.rules.cards if card.kind == kind.name]
        numbers = sorted({card.values.get(COPIES, 1) for card in cards}, reverse=True)
        if numbers[:1] not in ([], [1]):
            return self.with_copies(cards, names, numbers)
        if not names:
            return None
        by = min(names, key=lambda name: len(self.faces.values(kind.name, name)))
        groups = [cards] if len(names) == 1 or self.is_product(cards, names) else self.grouped(cards, by)
        if len(groups) > 1:
            names = [by, *(name for name in names if name != by)]
        head = (*(term(self.rules, name, "attribute") for name in names), Text("cards"))
        rows = [(*(self.cell(name, group) for name in names), len(group)) for group in groups]
        return Table(head, tuple(rows))

    def with_copies(self, cards: Sequence[model.Card], names: Sequence[str], numbers: Sequence[int]) -> Table:
        """A row for those cards of which there are equally many."""
        groups = [[card for card in cards if card.values.get(COPIES, 1) == number] for number in numbers]
        head = (*(term(self.rules, name, "attribute") for name in names), Text("of each"), Text("cards"))
        rows = [
            (*(self.cell(name, group) for name in names), number, len(group))
            for number, group in zip(numbers, groups, strict=True)
        ]
        return Table(head, tuple(rows))

    def is_product(self, cards: Sequence[model.Card], names: Sequence[str]) -> bool:
        """Whether every combination of values is there equally often."""
        combinations = {tuple(card.values.get(name) for name in names) for card in cards}
        product = 1
        for name in names:
            product *= len({card.values.get(name) for card in cards})
        return len(combinations) == product

    def grouped(self, cards: Sequence[model.Card], by: str) -> list[list[model.Card]]:
        groups: dict[int, list[model.Card]] = {}
        for card in cards:
            groups.setdefault(card.values[by], []).append(card)
        return [groups[value] for value in sorted(groups)]

    def cell(self, name: str, cards: Iterable[model.Card]) -> Cell:
        values = sorted({card.values[name] for card in cards if name in card.values})
        if self.rules.attributes[name].names:
            return tuple(in_order([value_term(self.rules, name, value) for value in values]))
        return ", ".join(ranges(values))


def setup_table(rules: model.Model, figures: Figures) -> Table | None:
    """What each number of players begins with; None if it is the same for all of them."""
    labels: dict[str, Text] = {}
    rows: dict[str, list[int]] = {}
    for column, players in enumerate(figures.counts):
        for name, label, number in _beginning(figures, players):
            labels[name] = label
            rows.setdefault(name, [0] * len(figures.counts))[column] = number
    for section in rules.sections:
        for prose in () if section.is_example else section.prose:
            for name, expr in prose.figures:
                value = figures.everywhere(name, expr)
                if name != "players" and isinstance(value, Several) and list(value.values) not in rows.values():
                    labels[name] = term(rules, name, "figure")
                    rows[name] = list(value.values)
    if all(len(set(values)) == 1 for values in rows.values()):
        return None
    head = (Text("Players"), *figures.counts)
    return Table(head, tuple((labels[name], *(n or "–" for n in rows[name])) for name in rows if any(rows[name])))


def _beginning(figures: Figures, players: int) -> Iterator[tuple[str, Text, int]]:
    """How many cards lie in each place when the first player has to decide, and what each player has."""
    game = figures.game(players)
    rules, layout, machine = game.rules, game.layout, game.machine(1)
    try:
        game.run(machine)
    except RuleError:
        return
    for place in sorted(rules.places.values(), key=lambda place: (place.key is None, place.index == BOX)):
        numbers = {len(machine.places[index]) for index in layout.family(place.name)}
        if len(numbers) == 1 and (place.key is None or place.key.kind == "player"):
            what = place_term(rules, place.name)
            label = what if place.key is None else Text("{what} of each player", what=what)
            yield f"place {place.name}", label, numbers.pop()
    for keep in rules.keeps.values():
        if keep.key is not None and keep.counts:
            values = {machine.keeps[index] for index in layout.of_seats(keep)}
            if len(values) == 1:
                what = term(rules, keep.name, "keep")
                of_sides = keep.key.kind != "player"
                label = Text("{what} of each side", what=what) if of_sides else Text("{what} of each player", what=what)
                yield f"keep {keep.name}", label, values.pop() or 0
