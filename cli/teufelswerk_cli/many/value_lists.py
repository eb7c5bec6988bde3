"""`NAME=FROM..TO:STEP` or `NAME=1,2,5` → a value of the rules and the numbers that it is to have."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import click
from teufelswerk.base.limits import MAX_NUMBER

from teufelswerk_cli.console.speech import _

MOST = 200
"""Numbers that one value may have."""
NAME = r"(?P<name>[A-Za-z][\w-]*)"
RANGE = re.compile(NAME + r"\s*=\s*(?P<first>\d{1,7})\s*\.\.\s*(?P<last>\d{1,7})\s*(?::\s*(?P<step>\d{1,7})\s*)?")
LIST = re.compile(NAME + r"\s*=\s*(?P<numbers>\d{1,7}(?:\s*,\s*\d{1,7})*)\s*")


@dataclass(frozen=True)
class Over:
    """A value of the rules, and what it is to be in turn."""

    name: str
    numbers: tuple[int, ...]


class OverType(click.ParamType[Over]):
    """`NAME=FROM..TO:STEP` or `NAME=1,2,5`"""

    name = "NAME=FROM..TO:STEP"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Over:
        if isinstance(value, Over):
            return value
        text = str(value).strip()
        if found := RANGE.fullmatch(text):
            over = self.range(found, param, ctx)
        elif found := LIST.fullmatch(text):
            over = Over(found["name"], tuple(dict.fromkeys(int(number) for number in found["numbers"].split(","))))
        else:
            forms = _("NAME=FROM..TO, NAME=FROM..TO:STEP or NAME=1,2,5, as in hand-size=7..9")
            self.fail(_("`{value}` is not of the form {forms}", value=text, forms=forms), param, ctx)
        if len(over.numbers) > MOST:
            message = _(
                "`{value}` stands for {n} numbers; at most {most} will do", value=text, n=len(over.numbers), most=MOST
            )
            self.fail(message, param, ctx)
        if max(over.numbers) > MAX_NUMBER:
            self.fail(_("`{value}` goes beyond {most}, the largest number", value=text, most=MAX_NUMBER), param, ctx)
        return over

    def range(self, found: re.Match[str], param: click.Parameter | None, ctx: click.Context | None) -> Over:
        first, last, step = int(found["first"]), int(found["last"]), int(found["step"] or 1)
        if first > last:
            right = f"{found['name']}={last}..{first}"
            self.fail(_("`{value}` ends before it begins; write `{right}`", value=found[0], right=right), param, ctx)
        if step == 0:
            right = f"{found['name']}={first}..{last}:1"
            self.fail(_("`{value}` never gets on; write `{right}`", value=found[0], right=right), param, ctx)
        return Over(found["name"], tuple(range(first, last + 1, step)))
