"""Bytes of a socket → what somebody asks for. Whatever is not one of these, in this form, is nothing."""

from __future__ import annotations

import json
from typing import Any, Literal, TypeAlias

from teufelswerk.base.quick_dataclass import dataclass

MAX_REQUEST_BYTES = 2_000
MAX_NAME = 24


@dataclass(frozen=True)
class Hello:
    """Shows a link's token, and perhaps the language that the reader has chosen."""

    token: str
    language: str


@dataclass(frozen=True)
class Sit:
    seat: int
    name: str


@dataclass(frozen=True)
class Move:
    """The move with this number among those that were offered, at this point of the game."""

    at: int
    number: int


@dataclass(frozen=True)
class Why:
    """Why a card that the seat sees may not be played."""

    card: str


@dataclass(frozen=True)
class Speak:
    language: str


@dataclass(frozen=True)
class Answer:
    """Whether somebody's last move may be taken back."""

    yes: bool


@dataclass(frozen=True)
class StandIn:
    """Lets a bot play for somebody who is away."""

    seat: int


@dataclass(frozen=True)
class Plain:
    """What needs nothing besides."""

    ask: Literal["start", "hint", "undo", "last", "again"]


Request: TypeAlias = Hello | Sit | Move | Why | Speak | Answer | StandIn | Plain
FORMS: dict[str, tuple[type[Any], dict[str, type]]] = {
    "hello": (Hello, {"token": str, "language": str}),
    "sit": (Sit, {"seat": int, "name": str}),
    "move": (Move, {"at": int, "number": int}),
    "why": (Why, {"card": str}),
    "speak": (Speak, {"language": str}),
    "answer": (Answer, {"yes": bool}),
    "stand-in": (StandIn, {"seat": int}),
    **dict.fromkeys(("start", "hint", "undo", "last", "again"), (Plain, {})),
}


def read(data: str | bytes) -> Request | None:
    """The request, if it is one: with all of its parts, each of its type, and nothing else."""
    if not isinstance(data, str) or len(data.encode(errors="replace")) > MAX_REQUEST_BYTES:
        return None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(ask := found.pop("ask", None), str) or ask not in FORMS:
        return None
    form, parts = FORMS[ask]
    if set(found) != set(parts) or any(type(found[name]) is not kind for name, kind in parts.items()):
        return None
    made: Request = Plain(ask) if form is Plain else form(**found)  # type: ignore[arg-type]
    return made
