"""A machine that stands at a decision → the same after random legal moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

from teufelswerk.base import chance
from teufelswerk.base.budget import Meter
from teufelswerk.base.limits import MAX_MOVES_IN_GAME, MAX_WORK_IN_GAME
from teufelswerk.interpreter.legal import MoveCode, Picks
from teufelswerk.interpreter.machine import Machine, RuleError, RuleGap
from teufelswerk.interpreter.state import Move, State

Offers: TypeAlias = tuple[int, int, list[tuple[MoveCode, Sequence[Any]]]]
"""Who decides, among how many moves, and what can be chosen for each verb."""
Trail: TypeAlias = list[tuple[int, int]]
"""For every decision how many legal moves there were, and which one was made."""


class Table(Protocol):
    """What a game does with a machine."""

    meter: Meter

    def run(self, m: Machine) -> None: ...
    def offers(self, m: Machine) -> Offers: ...
    def decide(self, m: Machine, player: int, code: MoveCode, picks: Picks) -> bool: ...
    def choice(self, move: Move) -> dict[str, Any]: ...
    def freeze(self, m: Machine) -> State: ...
    def text(self, state: State) -> str: ...
    def still_bearable(self, work: int, limit: int) -> None: ...
    def endless(self) -> RuleError: ...


def at_random(
    table: Table, m: Machine, seed: int, work: int, most: int, rounds: int | None, legal: bool, trail: Trail | None
) -> None:
    """Until so many moves are made, or until the slot that counts the rounds changes, or to the end.

    The game began after so much `work`. With `legal` the machine's log also tells what else was possible.
    """
    lots, log, this_round = chance.draws(chance.stream(seed, 1)), m.log, rounds is not None and m.slots[rounds]
    meter, bearable = table.meter, work + MAX_WORK_IN_GAME
    for _ in range(most):
        if m.winners is not None or (rounds is not None and m.slots[rounds] != this_round):
            return
        if meter.work > bearable:
            table.still_bearable(work, MAX_WORK_IN_GAME)
        try:
            player, number, offers = table.offers(m)
        except RuleGap as gap:
            gap.position = table.text(table.freeze(m))
            raise
        index = next(lots) * number >> 32
        if trail is not None:
            trail.append((number, index))
        for code, choices in offers:
            if index < len(choices):
                picks = (choices[index],) if code.single else choices[index]
                break
            index -= len(choices)
        before = len(log) if log is not None else 0
        moves = [(code.move.name, picks) for code, found in offers for picks in code.picks(found)] if legal else []
        if table.decide(m, player, code, picks):
            table.run(m)
        if log is not None and legal:
            log[before].record["legal"] = [
                {"move": verb, "choice": table.choice(Move(player, verb, chosen))} for verb, chosen in moves
            ]
    if most >= MAX_MOVES_IN_GAME:
        raise table.endless()
