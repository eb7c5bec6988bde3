"""A place in an example's move → what the move is given: its choices, and which of them one is writing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from teufelswerk.editing.opened import Opened

ACT = re.compile(r"\s*(?:allowed |refused )?[A-Z][A-Za-z]* ([a-z][\w-]*) (.*)")


@dataclass(frozen=True)
class Signature:
    """A move with what is chosen in it, in order; `invitation` is what players are asked."""

    verb: str
    choices: tuple[str, ...]
    now: int
    invitation: str | None


def signature(file: Opened, text: str, line: int, column: int) -> Signature | None:
    """The move that is being written at a place, as the file was when it could last be understood."""
    written = text.split("\n")[line - 1][: column - 1]
    match = ACT.fullmatch(written)
    rules = file.loaded.checked.model
    if match is None or rules is None or match[1] not in rules.moves:
        return None
    move = rules.moves[match[1]]
    choices = tuple(choice.name for choice in move.choices)
    now = min(match[2].count(","), max(0, len(choices) - 1))
    return Signature(move.name, choices, now, move.invitation.msgid if move.invitation else None)
