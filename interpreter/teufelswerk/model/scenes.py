"""Examples after checking: an example's people, what is given, what is played, what is claimed."""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from teufelswerk.base.diagnostics import Span
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.base.texts import Text
from teufelswerk.model.expressions import Expr, KeepOf, Members, PlaceOf


@dataclass(frozen=True)
class Argument:
    """A thing by its id, or each thing that fits a condition."""

    text: str
    members: Members | None
    span: Span
    up: bool = False
    """Whether the card is given face up."""


@dataclass(frozen=True)
class Act:
    person: str
    verb: str
    arguments: tuple[Argument, ...]
    span: Span


@dataclass(frozen=True)
class Line:
    span: Span
    part: int
    """Which part of the section (paragraph and clauses) the line stands in."""


@dataclass(frozen=True)
class GivenIs(Line):
    target: KeepOf | PlaceOf
    values: tuple[Argument, ...]


@dataclass(frozen=True)
class Given(Line):
    condition: Expr


@dataclass(frozen=True)
class Play(Line):
    act: Act
    edition: str | None
    edition_arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Claim(Line):
    modal: str
    condition: Expr


@dataclass(frozen=True)
class LegalClaim(Line):
    allowed: bool
    act: Act


@dataclass(frozen=True)
class WinnersClaim(Line):
    people: tuple[str, ...]


@dataclass(frozen=True)
class Misfit(Line):
    """A line that the rules in force no longer understand, and why."""

    found: Text


SceneLine: TypeAlias = GivenIs | Given | Play | Claim | LegalClaim | WinnersClaim | Misfit


@dataclass
class SceneModel:
    """One scene of an example."""

    section: int
    heading: str
    step: str
    argument: str | None
    people: tuple[str, ...]
    span: Span
    lines: list[SceneLine] = field(default_factory=list)

    @property
    def editions(self) -> list[str | None]:
        """The printed editions that the scene is run for; None is the one that the file follows."""
        named = [line.edition for line in self.lines if isinstance(line, Play) and line.edition]
        return [None, *dict.fromkeys(named)]
