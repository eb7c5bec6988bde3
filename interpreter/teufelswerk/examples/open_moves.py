"""Positions with open cards → which moves are legal in them, asked choice by choice."""

from __future__ import annotations

from collections import Counter
from typing import Any

from teufelswerk.base.limits import MAX_CHOICES
from teufelswerk.examples.open_evaluator import OpenEvaluator, Possible
from teufelswerk.examples.worlds import SplitMany, Uncertain
from teufelswerk.interpreter.legal import Condition, MoveCode, Picks
from teufelswerk.interpreter.machine import Machine
from teufelswerk.interpreter.program import Program


class OpenMoves:
    """Which moves are legal in positions with open cards, asked choice by choice."""

    def __init__(self, program: Program) -> None:
        self.moves = program.moves
        self.sources = {
            verb: [self._source(code, index) for index in range(len(code.slots))] for verb, code in self.moves.items()
        }

    @classmethod
    def _source(cls, code: MoveCode, index: int) -> Possible:
        choice, plain, evaluator = code.move.choices[index], code.sources[index], code.evaluator
        assert isinstance(evaluator, OpenEvaluator)
        if choice.items is not None and not choice.several:
            possible = evaluator.possible(choice.items)
            if possible is not None:
                return cls._each_face(code, possible) if choice.alike else possible
        return lambda m: [(item, None) for item in plain(m)]

    @staticmethod
    def _each_face(code: MoveCode, possible: Possible) -> Possible:
        """Of identical cards one that surely is there or, if there is none, one for each way in which they may lie."""

        def each_face(m: Machine) -> list[tuple[Any, Uncertain | None]]:
            offered = possible(m)
            sure = {code.faces[card] for card, doubt in offered if not doubt}
            found: dict[tuple[int, int], tuple[Any, Uncertain | None]] = {}
            for card, doubt in offered:
                if not doubt:
                    found.setdefault((code.faces[card], 0), (card, doubt))
                elif code.faces[card] not in sure:
                    found.setdefault((code.faces[card], (m.open or {}).get(card, 0)), (card, doubt))
            return list(found.values())

        return each_face

    @staticmethod
    def _named(
        code: MoveCode, number: int, m: Machine, together: frozenset[int]
    ) -> list[tuple[Picks, list[Uncertain]]]:
        """Several things, if some world offers them together."""
        choice, evaluator = code.move.choices[number], code.evaluator
        assert choice.items is not None and isinstance(evaluator, OpenEvaluator)
        possible = evaluator.possible(choice.items)
        offered: list[tuple[Any, Uncertain | None]]
        offered = [*possible(m)] if possible else [(item, None) for item in evaluator.items(choice.items)(m)]
        if choice.alike:
            together = OpenMoves._alike(code, offered, together)
        found = [(item, doubt) for item, doubt in offered if item in together]
        if len(found) != len(together) or len(found) not in code.sizes(choice)(m, len(offered)):
            return []
        return [(tuple(item for item, _ in found), [doubt for _, doubt in found if doubt])]

    @staticmethod
    def _alike(code: MoveCode, offered: list[tuple[Any, Uncertain | None]], together: frozenset[int]) -> frozenset[int]:
        """As many of each face as are named; of identical cards those that surely are there, if any are."""
        wanted = Counter(code.faces[card] for card in together)
        found: set[int] = set()
        for card, _ in sorted(offered, key=lambda one: bool(one[1])):
            if wanted[code.faces[card]]:
                wanted[code.faces[card]] -= 1
                found.add(card)
        return together if any(wanted.values()) else frozenset(found)

    def possible(
        self,
        m: Machine,
        verb: str,
        player: int,
        together: frozenset[int] | None = None,
        refused: bool = False,
        only: Picks = (),
    ) -> list[tuple[Picks, list[Uncertain]]]:
        """All combinations of choices that some world offers, with the cards that they need to lie somewhere; of
        several things, those that are named, or such as no condition can hold for only if they may be `refused`. With
        `only`, those that look like these."""
        code, sources = self.moves[verb], self.sources[verb]
        m.slots[code.move.slot] = player
        found: list[tuple[Picks, list[Uncertain]]] = [((), [])]
        several = max((n for n, choice in enumerate(code.move.choices) if choice.several), default=-1)
        for number, source in enumerate(sources):
            longer = []
            for picks, doubts in found:
                code.assign(m, picks)
                if number == several and together is not None:
                    named = self._named(code, number, m, together)
                    longer += [((*picks, items), [*doubts, *more]) for items, more in named]
                    continue
                offered = source(m)
                if number < len(only) and not code.move.choices[number].several:
                    offered = [(item, doubt) for item, doubt in offered if self._alike_one(code, number, item, only)]
                if not offered and refused and code.move.choices[number].several:
                    offered = [(some, None) for some in code.sets(m, code.move.choices[number])]
                longer += [((*picks, item), [*doubts, doubt] if doubt else doubts) for item, doubt in offered]
                if len(longer) > MAX_CHOICES:
                    raise code.too_many()
            m.meter.spend(len(longer), code.move.span)
            found = longer
        return found

    @staticmethod
    def _alike_one(code: MoveCode, number: int, item: Any, only: Picks) -> bool:
        """Whether something that can be chosen looks like what was chosen."""
        if code.move.choices[number].type.kind != "card" or not isinstance(item, int):
            return bool(item == only[number])
        return code.faces[item] == code.faces[only[number]]

    def refused(
        self, m: Machine, groups: tuple[tuple[str, ...], ...], verb: str, player: int, picks: Picks
    ) -> Condition | str | None:
        """What refuses the choice: a condition, `"else"` for an earlier alternative, or None if it is legal."""
        code = self.moves[verb]
        m.slots[code.move.slot] = player
        for condition in code.hard:
            if not code.holds(m, condition, picks):
                return condition
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
                return condition
        return None

    def _someone(self, m: Machine, verb: str, player: int, conditions: list[Condition]) -> bool:
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
