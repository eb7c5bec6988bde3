"""Bytes of the studio's socket → what its page asks for. Whatever is not one of these, in this form, is nothing."""

from __future__ import annotations

import json
from typing import Any, Literal, TypeAlias

from teufelswerk.base.limits import MAX_FILE_BYTES
from teufelswerk.base.quick_dataclass import dataclass

MAX_STUDIO_BYTES = 4 * MAX_FILE_BYTES
"""A text as JSON writes it may be longer than it is in its file."""
Pane = Literal["book", "examples", "table", "figures", "differences", "flow"]
PANES: tuple[Pane, ...] = ("book", "examples", "table", "figures", "differences", "flow")
Step = Literal["back", "forth", "on", "deal", "open", "closed"]
STEPS: tuple[Step, ...] = ("back", "forth", "on", "deal", "open", "closed")
Kind = Literal["template", "variant", "copy"]
KINDS: tuple[Kind, ...] = ("template", "variant", "copy")


@dataclass(frozen=True)
class Greet:
    """Shows the link's token, and the language of the page and of the rulebook."""

    token: str
    language: str
    book: str


@dataclass(frozen=True)
class Open:
    """A file of the folder."""

    name: str


@dataclass(frozen=True)
class Begin:
    """The file that the studio was started with."""


@dataclass(frozen=True)
class Resume:
    """The file that the page has, after the connection was lost."""

    name: str
    stamp: str


@dataclass(frozen=True)
class New:
    """A file that is not there yet: from the template, as a variant of a game, or as a copy of one."""

    kind: Kind
    of: str


@dataclass(frozen=True)
class Written:
    """What stands in the editor now. Numbers grow, so that nobody takes what is late for what is true."""

    n: int
    text: str


@dataclass(frozen=True)
class Save:
    text: str
    stamp: str
    """What the file was like when the page read it or saved it last."""


@dataclass(frozen=True)
class Show:
    """The pane that is looked at: what nobody looks at is not worked out."""

    pane: Pane


@dataclass(frozen=True)
class BookIn:
    """The language of the rulebook."""

    language: str


@dataclass(frozen=True)
class Players:
    number: int


@dataclass(frozen=True)
class StepTo:
    """What is done with the game on the table."""

    step: Step


@dataclass(frozen=True)
class MakeExample:
    """The position on the table as an example."""

    heading: str


StudioRequest: TypeAlias = (
    Greet | Begin | Resume | Open | New | Written | Save | Show | BookIn | Players | StepTo | MakeExample
)  # fmt: skip
FORMS: dict[str, tuple[type[Any], dict[str, type | tuple[str, ...]]]] = {
    "hello": (Greet, {"token": str, "language": str, "book": str}),
    "begin": (Begin, {}),
    "resume": (Resume, {"name": str, "stamp": str}),
    "open": (Open, {"name": str}),
    "new": (New, {"kind": KINDS, "of": str}),
    "text": (Written, {"n": int, "text": str}),
    "save": (Save, {"text": str, "stamp": str}),
    "show": (Show, {"pane": PANES}),
    "book": (BookIn, {"language": str}),
    "players": (Players, {"number": int}),
    "step": (StepTo, {"step": STEPS}),
    "example": (MakeExample, {"heading": str}),
}


def read_studio(data: str | bytes) -> StudioRequest | None:
    """The request, if it is one: with all of its parts, each of its type, and nothing else."""
    if not isinstance(data, str) or len(data) > MAX_STUDIO_BYTES:
        return None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(ask := found.pop("ask", None), str) or ask not in FORMS:
        return None
    form, parts = FORMS[ask]
    if set(found) != set(parts) or not all(_fits(found[name], wanted) for name, wanted in parts.items()):
        return None
    made: StudioRequest = form(**found)
    return made


def _fits(value: Any, wanted: type | tuple[str, ...]) -> bool:
    return value in wanted if isinstance(wanted, tuple) else type(value) is wanted
