"""Python source as it is written: lines with their depth, fresh names, parts that are kept aside."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from teufelswerk.diagnostics import Diagnostic, Span
from teufelswerk.texts import Text


class NotCompiled(Exception):
    """A construct that compiled rules do not cover; the reference interpreter does."""

    def __init__(self, what: Text, span: Span | None) -> None:
        super().__init__(str(what))
        message = Text("compiled rules do not cover this: {what}", what=what)
        self.diagnostic = Diagnostic(
            "not-compiled", message, span, help=Text("the reference interpreter plays it"), severity="note"
        )


@dataclass(frozen=True)
class Code:
    """An expression of the source. `present` tells whether there is a value, None if there always is one."""

    text: str
    present: str | None = None
    low: int | None = None
    high: int | None = None
    place: str = ""
    side: str = ""
    """Of an end: its place, and 0 for the bottom or 1 for the top, where they are known by themselves."""

    @property
    def simple(self) -> bool:
        return re.fullmatch(r"-?\w+", self.text) is not None

    @property
    def number(self) -> int | None:
        return int(self.text, 0) if re.fullmatch(r"-?(\d+|0x[0-9a-f]+)", self.text) else None


def constant(value: int) -> Code:
    return Code(str(value), None, value, value)


def both(*conditions: str | None) -> str | None:
    """All of the conditions as one; of several about how many cards lie in one place, the strongest."""
    kept: dict[str, str] = {}
    for condition in (part for c in conditions if c for part in _parts(c)):
        match = re.fullmatch(r"([\w\[\]]+_n(?:\[\w+\])?) > (\d+)", condition)
        if match is None:
            kept[condition] = condition
        elif match[1] not in kept or int(kept[match[1]].rsplit(" ", 1)[1]) < int(match[2]):
            kept[match[1]] = condition
    return " and ".join(kept.values()) or None


def _parts(condition: str) -> list[str]:
    if " or " in condition or " if " in condition:
        return [f"({condition})"]
    return [condition] if "(" in condition else condition.split(" and ")


def harmless(text: str) -> str:
    """A text without anything that could end its line."""
    return "".join(c if c.isprintable() else " " for c in text).strip()


class Source:
    """The lines of a function that is being written."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 1
        self._names: dict[str, int] = {}

    def __call__(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def comment(self, text: str) -> None:
        """A remark. Its text comes from a file that nobody has to trust: it can never be anything but a remark."""
        self(f"# {harmless(text)}")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A line that ends in a colon, and what stands below it; an empty block is a `pass`."""
        self(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if all(line.lstrip().startswith("#") for line in self.lines[before:]):
            self("pass")
        self.depth -= 1

    @contextmanager
    def aside(self) -> Iterator[list[str]]:
        """Lines that are not written yet: the caller decides where they go."""
        outer, self.lines = self.lines, []
        try:
            yield self.lines
        finally:
            self.lines = outer

    def name(self, hint: str) -> str:
        """A name that is not in use yet."""
        base = re.sub(r"\W", "_", hint)
        base = f"{base}_" if keyword.iskeyword(base) else base
        number = self._names.get(base, 0)
        self._names[base] = number + 1
        return base if number == 0 else self.name(f"{base}_{number}")

    def let(self, hint: str, text: str) -> str:
        """Gives a value a name."""
        name = self.name(hint)
        self(f"{name} = {text}")
        return name

    def named(self, hint: str, code: Code) -> Code:
        """The same value, cheap to use more than once."""
        if code.simple:
            return code
        return Code(self.let(hint, code.text), code.present, code.low, code.high)
