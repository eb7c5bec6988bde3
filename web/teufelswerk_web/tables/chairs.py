"""Who sits on which chair of a table: nobody yet, a person with a link of their own, or a bot."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from teufelswerk.base.hidden_characters import unfit_as_name
from teufelswerk.base.texts import Text
from teufelswerk.sessions.session import BOT_NAMES, HUMAN

from teufelswerk_web.wire.lexicon import Lexicon
from teufelswerk_web.wire.requests import MAX_NAME

FREE = "free"


def new_token() -> str:
    """Part of a link that nobody can guess: 128 bits."""
    return secrets.token_urlsafe(16)


@dataclass
class Chair:
    seat: int
    kind: str = FREE
    """`free`, `human`, or a kind of bot."""
    name: str = ""
    token: str = ""
    stand_in: bool = False
    """Whether a bot plays for a person who is away."""

    @property
    def is_person(self) -> bool:
        return self.kind == HUMAN

    @property
    def plays_by_itself(self) -> bool:
        return self.kind not in (FREE, HUMAN) or self.stand_in

    def shown_to(self, lexicon: Lexicon) -> str:
        """Bots have names in everyone's language."""
        return self.name if self.is_person else lexicon.say(Text(self.name, msgctxt="person"))


class Chairs:
    """All chairs of one table."""

    def __init__(self, players: int, bot: str) -> None:
        self.bot = bot
        self.all = [Chair(seat) for seat in range(players)]

    def __getitem__(self, seat: int) -> Chair:
        return self.all[seat]

    def unfit(self, seat: int, name: str) -> Text | None:
        """Why somebody cannot sit down there under that name."""
        if not 0 <= seat < len(self.all) or self.all[seat].is_person:
            return Text("Somebody sits there already.")
        if (reason := unfit_as_name(name)) is not None:
            return reason
        if len(name) > MAX_NAME:
            return Text("a name has at most {limit} letters", limit=MAX_NAME)
        if any(chair.is_person and chair.name.casefold() == name.casefold() for chair in self.all):
            return Text("two people have the same name")
        return None

    def sit(self, seat: int, name: str) -> Chair:
        chair = self.all[seat]
        chair.kind, chair.name, chair.token, chair.stand_in = HUMAN, name, new_token(), False
        self._rename_bots()
        return chair

    def fill(self) -> None:
        """Bots sit down on all chairs that are free."""
        for chair in self.all:
            if chair.kind == FREE:
                chair.kind = self.bot
        self._rename_bots()

    def _rename_bots(self) -> None:
        """No bot is called like somebody else."""
        taken = {chair.name.casefold() for chair in self.all if chair.is_person}
        for chair in self.all:
            if chair.kind not in (FREE, HUMAN) and (not chair.name or chair.name.casefold() in taken):
                others = {other.name.casefold() for other in self.all}
                free = (name for name in BOT_NAMES if name.casefold() not in others)
                chair.name = next(free, f"Bot {chair.seat + 1}")

    @property
    def people(self) -> list[int]:
        return [chair.seat for chair in self.all if chair.is_person]

    def to_json(self) -> list[dict[str, Any]]:
        return [asdict(chair) for chair in self.all]

    def restore(self, rows: Sequence[dict[str, Any]]) -> None:
        self.all = [Chair(**row) for row in rows]
