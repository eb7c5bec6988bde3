"""Positions with open cards → which moves are legal in them, asked choice by choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from teufelswerk import model
from teufelswerk.legal import MoveCode, Picks
from teufelswerk.limits import MAX_CHOICES
from teufelswerk.machine import Machine
from teufelswerk.worlds import OpenEvaluator, SplitMany, Uncertain


class OpenMoves:
    """Which moves are legal in positions with open cards, asked choice by choice."""

    def __init__(self, evaluator: OpenEvaluator, moves: dict[str, MoveCode]) -> None:
        self.evaluator = evaluator
        self.moves = moves
        self.sources: dict[str, list[Callable[[Machine], list[tuple[Any, Uncertain | None]]]]] = {
            verb: [self._source(evaluator, code, index) for index in range(len(code.slots))]
            for verb, code in moves.items()
        }

    @staticmethod
    def _source(
        evaluator: OpenEvaluator, code: MoveCode, index: int
    ) -> Callable[[Machine], list[tuple[Any, Uncertain | None]]]:
        choice, plain = code.move.choices[index], code.sources[index]
        members = choice.source
        if choice.amount is None and isinstance(members, model.Members) and evaluator.looks_into_places(members):
            return evaluator.possible(members)
        return lambda m: [(item, None) for item in plain(m)]

    def possible(self, m: Machine, verb: str, player: int) -> list[tuple[Picks, list[Uncertain]]]:
        """All combinations of choices that some world offers, with the cards that they need to lie somewhere."""
        code = self.moves[verb]
        m.slots[code.move.slot] = player
        found: list[tuple[Picks, list[Uncertain]]] = [((), [])]
        for source in self.sources[verb]:
            longer = []
            for picks, doubts in found:
                code.assign(m, picks)
                longer += [((*picks, item), [*doubts, doubt] if doubt else doubts) for item, doubt in source(m)]
                if len(longer) > MAX_CHOICES:
                    raise code.too_many()
            self.evaluator.spend(len(longer), code.move.span)
            found = longer
        return found

    def refused(
        self, m: Machine, groups: tuple[tuple[str, ...], ...], verb: str, player: int, picks: Picks
    ) -> model.Must | str | None:
        """What refuses the choice: a condition, `"else"` for an earlier alternative, or None if it is legal."""
        code = self.moves[verb]
        m.slots[code.move.slot] = player
        for condition in code.hard:
            if not code.holds(m, condition, picks):
                return condition.must
        for group in groups:
            if verb in group:
                break
            for earlier in group:
                if self._someone(m, earlier, player, self.moves[earlier].hard):
                    return "else"
        filters = list(code.hard)
        for condition in code.soft:
            m.slots[code.move.slot] = player
            if code.holds(m, condition, picks):
                filters.append(condition)
            elif self._someone(m, verb, player, [*filters, condition]):
                m.slots[code.move.slot] = player
                code.assign(m, picks)
                return condition.must
        return None

    def _someone(self, m: Machine, verb: str, player: int, conditions: list[Any]) -> bool:
        """Whether some choice fits all the conditions; splits where that depends on open cards.

        A choice with several open cards is there only if all of them lie right; the first one stands for them.
        """
        code, doubtful = self.moves[verb], []
        for picks, doubts in self.possible(m, verb, player):
            m.slots[code.move.slot] = player
            code.assign(m, picks)
            if all(condition.holds(m) for condition in conditions):
                if not doubts:
                    return True
                doubtful.append(doubts[0])
        if doubtful:
            raise SplitMany(doubtful)
        return False
