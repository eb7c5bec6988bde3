"""The figures of paragraphs, computed from the rules in force: one, or one for each number of players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from teufelswerk import model
from teufelswerk.base.texts import Text, placeholders
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import RuleError
from teufelswerk.model import Expr
from teufelswerk.rulebook.words import term

UNKNOWN = object()
LARGE = 1000


class Several(int):
    """A figure that differs by the number of players: `27 / 36 / 45`. As a number it is the last, for the plural."""

    values: tuple[int, ...]

    def __new__(cls, values: Iterable[int]) -> Several:
        values = tuple(values)
        last = abs(values[-1])
        # Large numbers are shown in groups of digits, which must not happen to this text: the plural is the same.
        several = super().__new__(cls, last if last < LARGE else last % 100 + 100)
        several.values = values
        return several

    def __str__(self) -> str:
        return slashed(map(str, self.values))

    def __repr__(self) -> str:
        return f"Several({self.values})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Several) and self.values == other.values

    def __hash__(self) -> int:
        return hash(self.values)


def slashed(values: Iterable[str]) -> str:
    return "\N{NO-BREAK SPACE}/ ".join(values)


def together(values: list[Any]) -> Any:
    """One figure out of the same figure for each number of players."""
    if all(value == values[0] for value in values):
        return values[0]
    if all(isinstance(value, int) for value in values):
        return Several(values)
    return slashed(str(value) for value in values)


class Figures:
    """Reads figures before a game begins, for every number of players; games that are there need not be made."""

    def __init__(self, rules: model.Model, *games: Game) -> None:
        self.rules = rules
        self.counts = range(rules.min_players, rules.max_players + 1)
        self.games = {game.players: game for game in games}

    def game(self, players: int) -> Game:
        if players not in self.games:
            self.games[players] = Game(self.rules, players)
        return self.games[players]

    def value(self, expr: Expr, players: int) -> Any:
        """The figure, ready to be shown, or UNKNOWN if it takes a position to tell."""
        game = self.game(players)
        try:
            value = game.question(expr)(game.machine(0))
        except (RuleError, KeyError, TypeError, IndexError):
            return UNKNOWN
        return UNKNOWN if value is None else game.program.teller.shown(expr.type, value)

    def everywhere(self, name: str, expr: Expr) -> Any:
        """The figure for all numbers of players; where there is none, the word for it."""
        if isinstance(expr, model.Person):
            return Text(expr.name, msgctxt="person")
        values = [self.value(expr, players) for players in self.counts]
        if any(value is UNKNOWN for value in values):
            return term(self.rules, name, "figure")
        return together(values)

    def fill(self, prose: model.Prose) -> Text:
        """The paragraph with its figures."""
        return filled(prose, {name: self.everywhere(name, expr) for name, expr in prose.figures})

    def players(self) -> int:
        return together(list(self.counts))  # type: ignore[no-any-return]


def filled(prose: model.Prose, values: Mapping[str, Any]) -> Text:
    """The paragraph as a text with these values."""
    return Text(prose.paragraph.text, msgctxt=prose.context, **values)


def is_misfit(prose: model.Prose) -> bool:
    """Whether the paragraph names a figure that the rules do not have: a variant took it away."""
    return not {name for name, _ in placeholders(prose.paragraph.text)} <= {name for name, _ in prose.figures}


def unexplained(prose: model.Prose, values: Mapping[str, Any]) -> bool:
    """Whether a figure differs by the number of players and the paragraph does not name that number."""
    return "players" not in values and any(isinstance(value, Several) for value in values.values())
