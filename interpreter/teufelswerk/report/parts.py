"""What the page is made of: sections with sentences, plots and tables, in words already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Named:
    """A game that something is about, where there are several: its name, and its colour."""

    name: str
    tone: str


@dataclass(frozen=True)
class Sentence:
    words: str
    of: Named | None = None


@dataclass(frozen=True)
class Plot:
    caption: str
    svg: str
    note: str = ""
    of: Named | None = None
    code: str = ""
    """The clause of the rule file that it is about."""


@dataclass(frozen=True)
class Cell:
    """A cell of a table. `small` stands below the words, `svg` instead of them."""

    words: str = ""
    small: str = ""
    style: Literal["", "number", "line", "number differs"] = ""
    flag: str = ""
    flag_style: Literal["", "never"] = ""
    code: str = ""
    """A clause of the rule file, below the words."""
    svg: str = ""
    of: Named | None = None


@dataclass(frozen=True)
class Line:
    """A row of a table, or with `group` a heading in it."""

    cells: tuple[Cell, ...]
    group: bool = False


@dataclass(frozen=True)
class Table:
    caption: str
    head: tuple[str, ...]
    lines: tuple[Line, ...]
    words_first: int = 1
    """How many columns hold words; the others hold figures."""
    of: tuple[Named, ...] = ()
    """The games that the last columns are about."""
    stacked: bool = False
    """Whether its figures stand below its words where the page is narrow."""
    beside: bool = False
    """Whether it is small enough to stand beside a plot."""


@dataclass
class Section:
    id: str
    heading: str
    sentences: list[Sentence] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    parts: Sequence[Section] = ()
