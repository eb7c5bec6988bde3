"""The core of a game → the loop whose passes are its rounds, and the slot that tells one round from another."""

from __future__ import annotations

from teufelswerk.core import statements as s
from teufelswerk.core.walk import blocks


def round_loop(core: s.Core) -> s.Repeat | s.Until | None:
    """The outermost loop that is no lap around the table, if it carries out steps: each time is a round."""
    loop = _outermost(core.game.step.body, set())
    return loop if loop is not None and any(isinstance(x, s.Call) for x in loop.body) else None


def round_slot(core: s.Core) -> int | None:
    """The slot that counts the rounds. It lives on from one decision to the next."""
    loop = round_loop(core)
    return None if loop is None else loop.left if isinstance(loop, s.Repeat) else loop.laps


def _outermost(body: s.Block, seen: set[str]) -> s.Repeat | s.Until | None:
    for statement in body:
        if isinstance(statement, (s.Repeat, s.Until)):
            return statement
        inside: tuple[s.Block, ...]
        if isinstance(statement, s.Call):
            inside = () if statement.step.name in seen else (statement.step.body,)
            seen.add(statement.step.name)
        else:
            inside = blocks(statement) if isinstance(statement, s.Branch) else ()
        for block in inside:
            found = _outermost(block, seen)
            if found is not None:
                return found
    return None
