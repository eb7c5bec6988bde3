"""A game for a number of players → what of it can be counted: a vector of numbers, in rows with their words and lines.

Every engine that counts fills the same vector. All numbers are integers that are only ever added to, so that the
vectors of many games can be added up in whatever order and in however many parts they were played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from teufelswerk import model
from teufelswerk.base.diagnostics import Span
from teufelswerk.compiled.value_branches import branches, value_of
from teufelswerk.core.lower_game import core_of
from teufelswerk.core.rounds import round_loop
from teufelswerk.core.statements import Call
from teufelswerk.core.walk import all_statements
from teufelswerk.examples.coverage import Unit, units_of
from teufelswerk.examples.run_scenes import move_id
from teufelswerk.model.walk import reachable, statements

Kind: TypeAlias = Literal[
    "began", "step", "move", "rule", "branch", "decisions", "forced", "options", "moved", "took", "payments", "paid"
]
"""What the numbers of a row tell:

- `began`: by seat, who decided first in a game;
- `step`, `rule`, `move`: how often it was carried out or made;
- `branch`: how often it was taken, of an `if` or of the alternatives of a value that a statement sets or pays;
- `decisions`, `forced`, `options`: by seat, counted from the player who decided first in the game, how often somebody
  decided, how often with a single choice, and how many choices there were altogether;
- `moved`: by card, how often it went to a place of that name (not to one that is shuffled or dealt from);
- `took`: by card, how often a player who got all cards of a shared place had put that one there last;
- `payments`, `paid`: by card chosen in the move, how often anything was paid, and how much altogether.
"""


@dataclass(frozen=True)
class Row:
    """Counters that belong together: one, or one for each seat or each card."""

    kind: Kind
    words: str
    """In the rule file: the line, or for `step`, `move`, `moved` and `paid` the name."""
    span: Span
    by: Literal["", "seat", "card"]
    first: int
    size: int

    def of(self, counts: Sequence[int]) -> list[int]:
        """The numbers of this row out of a vector; all 0 where nothing was counted."""
        return list(counts[self.first : self.first + self.size]) or [0] * self.size

    def total(self, counts: Sequence[int]) -> int:
        return sum(self.of(counts))


class Counters:
    """The rows of a game, and where in the vector everything is counted."""

    def __init__(self, rules: model.Model, players: int) -> None:
        self.rules = rules
        self.players = players
        self.rows: list[Row] = []
        self.size = 0
        self.units: dict[int, int] = {}
        """Of rules and branches, by their ids."""
        self.moves: dict[str, int] = {}
        self.steps: dict[str, int] = {}
        self.decisions: dict[int, tuple[int, int, int]] = {}
        """Of turns, by their ids: where the rows `decisions`, `forced` and `options` begin."""
        self.moved: dict[str, int] = {}
        """By family."""
        self.took: dict[int, int] = {}
        """By the id of the statement that gives a player the cards."""
        self.puts: dict[int, int] = {}
        """Statements by which a player puts a card where it may be taken from so: the slot of the player."""
        self.payments: dict[int, tuple[int, int, int]] = {}
        """Of statements that pay in a move: the slot of the chosen card, and where the rows begin."""
        reached = list(reachable(rules, rules.steps["game"].body))
        self.began = self._row("began", "game", rules.steps["game"].span, "seat")
        self._steps(reached)
        self._units()
        self._turns(reached)
        self._cards(reached)
        self._emptied(reached)
        self._payments()
        goes = [s for s in reached if isinstance(s, model.Goes)]
        self.goes = frozenset(s.id for s in goes)
        self.emptying = frozenset(s.id for s in goes if s.what.type.kind == "place")
        """Statements by which cards go, and those of them by which all cards of a place go."""
        self.round = self._round()
        """Which counter tells how many rounds a game had, if it has rounds."""

    def beginner(self, counts: Sequence[int]) -> int:
        """Who decided first, from the vector of one game; the first seat in a game in which nobody decides."""
        seats = list(counts[self.began : self.began + self.players])
        return seats.index(1) if 1 in seats else 0

    def forced(self, counts: Sequence[int]) -> int:
        """How many decisions there were with a single choice."""
        return sum(row.total(counts) for row in self.rows_of("forced"))

    def rows_of(self, *kinds: Kind) -> list[Row]:
        return [row for row in self.rows if row.kind in kinds]

    def _row(self, kind: Kind, words: str, span: Span, by: Literal["", "seat", "card"] = "") -> int:
        size = {"seat": self.players, "card": len(self.rules.cards)}.get(by, 1)
        self.rows.append(Row(kind, words, span, by, self.size, size))
        self.size += size
        return self.size - size

    # ---- what happens -----------------------------------------------------------------------------------------------

    def _steps(self, reached: list[model.Doing]) -> None:
        for s in reached:
            if isinstance(s, model.Call) and s.step not in self.steps:
                self.steps[s.step] = self._row("step", s.step, self.rules.steps[s.step].span)

    def _units(self) -> None:
        """The units of coverage. Of branches in values, those that are found exactly once each time."""
        verbs = {move_id(self.rules, verb): verb for verb in self.rules.moves}
        asked: dict[int, Kind] = dict.fromkeys(verbs, "move")
        for s in reachable(self.rules, self.rules.steps["game"].body):
            if isinstance(s, model.If):
                asked |= {s.id: "branch", s.else_id: "branch"}
            else:
                asked[s.id] = "rule"
        for statement in all_statements(core_of(self.rules)):
            if statement.id in asked and (value := value_of(statement)) is not None:
                asked |= dict.fromkeys(branches(value), "branch")
        found: dict[int, Unit] = {unit.id: unit for unit in units_of(self.rules) if unit.id in asked}
        for unit in sorted(found.values(), key=lambda unit: unit.span.line):
            position = self._row(asked[unit.id], unit.words, unit.span)
            if unit.id in verbs:
                self.moves[verbs[unit.id]] = position
            else:
                self.units[unit.id] = position

    def _turns(self, reached: list[model.Doing]) -> None:
        for s in reached:
            if isinstance(s, model.Turn) and s.id not in self.decisions:
                words = s.span.source.lines[s.span.line - 1].strip()
                rows = [self._row(kind, words, s.span, "seat") for kind in ("decisions", "forced", "options")]
                self.decisions[s.id] = rows[0], rows[1], rows[2]

    def _round(self) -> int | None:
        """The step that the game's outermost loop carries out first."""
        loop = round_loop(core_of(self.rules))
        return None if loop is None else next(self.steps[x.step.name] for x in loop.body if isinstance(x, Call))

    # ---- cards ------------------------------------------------------------------------------------------------------

    def is_owned(self, family: str) -> bool:
        key = self.rules.places[family].key
        return key is not None and key.of_one_player

    def _cards(self, reached: list[model.Doing]) -> None:
        """Places that cards go to for their own sake: not to be shuffled or dealt out from there."""
        stocks = {place.name for place in self.rules.places.values() if place.index == 0}
        for s in reached:
            if isinstance(s, model.Shuffle):
                stocks.add(s.place.type.of)
            elif isinstance(s, model.Deal):
                stocks.add(s.source.type.of)
        for s in reached:
            if isinstance(s, model.Goes) and s.to.type.of not in (*stocks, *self.moved):
                place = self.rules.places[s.to.type.of]
                self.moved[place.name] = self._row("moved", place.name, place.span or s.span, "card")

    def _emptied(self, reached: list[model.Doing]) -> None:
        putting = {
            s.id: (s.to.type.of, move.slot)
            for move in self.rules.moves.values()
            for s in statements(move.effects)
            if isinstance(s, model.Goes) and s.what.type.kind == "card" and not s.what.type.many
        }
        for s in reached:
            if not isinstance(s, model.Goes) or s.id in self.took or s.what.type.many:
                continue
            kinds = s.what.type.kind, s.to.type.kind
            if kinds != ("place", "place") or self.is_owned(s.what.type.of) or not self.is_owned(s.to.type.of):
                continue
            puts = {id: slot for id, (family, slot) in putting.items() if family == s.what.type.of}
            if puts:
                self.puts |= puts
                words = s.span.source.lines[s.span.line - 1].strip()
                self.took[s.id] = self._row("took", words, s.span, "card")
        self.taken_from = {s.what.type.of for s in reached if isinstance(s, model.Goes) and s.id in self.took}
        """The families of shared places that players take all cards of."""

    def _payments(self) -> None:
        rows: dict[str, tuple[int, int]] = {}
        for verb, move in self.rules.moves.items():
            cards = [c.slot for c in move.choices if c.amount is None and c.source.type.kind == "card"]
            if not cards or verb not in self.moves:
                continue
            for s in statements(move.effects):
                if isinstance(s, model.Pays):
                    keep = s.payer.keep.name
                    if keep not in rows:
                        times = self._row("payments", keep, s.span, "card")
                        rows[keep] = times, self._row("paid", keep, s.span, "card")
                    self.payments[s.id] = cards[0], *rows[keep]
