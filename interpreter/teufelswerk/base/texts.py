"""Texts for people: a message with its values, kept apart from any language until somebody reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from teufelswerk.base.quick_dataclass import dataclass

PLACEHOLDER = re.compile(r"\{([A-Za-z][\w-]*(?: of [A-Za-z][\w-]*)*)(?::([^{}]*))?\}")


@dataclass(frozen=True)
class Text:
    """A whole sentence as it stands in the catalogs, and the values for its placeholders.

    A placeholder is `{name}` or `{name of name of name}`, `{name:one|many}` (the word that fits the number) or
    `{name:form}` (a grammatical form).
    """

    msgid: str
    values: Mapping[str, Any] = field(default_factory=dict)
    context: str | None = None

    def __init__(self, msgid: str, /, *, msgctxt: str | None = None, **values: Any) -> None:
        object.__setattr__(self, "msgid", msgid)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "context", msgctxt)

    def __hash__(self) -> int:
        return hash((self.msgid, self.context))

    def __str__(self) -> str:
        """The English text: for logs and for exceptions that nobody has rendered."""
        return fill(self.msgid, {key: plain(value) for key, value in self.values.items()}, lambda n: int(n != 1))


class Word(Text):
    """A word of a rule file. Where a sentence wants a form of it that its translation does not bring along, it stands
    in `instead`, a text that has all forms and names the word in quotes."""

    instead: Text

    def __init__(self, word: Text, instead: Text) -> None:
        super().__init__(word.msgid, msgctxt=word.context, **word.values)
        object.__setattr__(self, "instead", instead)

    def __hash__(self) -> int:
        return super().__hash__()


class Unnamed(tuple[Any, ...]):
    """So many cards of which a reader may know the number, but not the names."""

    def __str__(self) -> str:
        return str(self.text)

    @property
    def text(self) -> Text:
        return Text("{n} {n:card|cards}", n=len(self))


@dataclass(frozen=True)
class Told:
    """A sentence that is told at the table, to everyone in the words that fit what they may know."""

    whole: Text
    """With every name in it: for those who see all cards, as the reader of an example does."""
    veiled: Mapping[str, tuple[frozenset[int], Any]] = field(default_factory=dict)
    """The names that not everyone may know: the seats that may, and what all others are told instead."""

    def to(self, seat: int) -> Text:
        """The sentence as a seat is told it."""
        values = dict(self.whole.values)
        for name, (seats, instead) in self.veiled.items():
            if seat not in seats:
                values[name] = instead
        return Text(self.whole.msgid, msgctxt=self.whole.context, **values)


def plain(value: Any) -> Any:
    """A value as a text without any language's rules, numbers untouched."""
    if isinstance(value, (list, tuple)) and not isinstance(value, Unnamed):
        return [plain(item) for item in value]
    return value if isinstance(value, (int, Unnamed)) else str(value)


def placeholders(msgid: str) -> Iterator[tuple[str, str | None]]:
    """The names in braces with what stands behind the colon."""
    for match in PLACEHOLDER.finditer(msgid):
        yield match[1], match[2]


def fill(template: str, values: Mapping[str, Any], plural: Any, show: Any = None) -> str:
    """The template with every placeholder replaced; `plural` gives a number's class, `show` a value's words."""

    def replace(match: re.Match[str]) -> str:
        name, spec = match[1], match[2]
        if name not in values:
            return match[0]
        value = values[name]
        if spec is not None and "|" in spec:
            forms = spec.split("|")
            number = len(value) if isinstance(value, (list, tuple)) else value
            index = plural(number) if isinstance(number, int) else 0
            return forms[min(index, len(forms) - 1)]
        if show is not None:
            return str(show(value, spec))
        if isinstance(value, Unnamed):
            return str(value)
        return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)

    return PLACEHOLDER.sub(replace, template)


@dataclass(frozen=True)
class Seat:
    """A player in a text; whoever shows the text knows the name."""

    number: int

    def __str__(self) -> str:
        return f"player {self.number + 1}"


def won_by(winners: Sequence[Any]) -> Text:
    """Who has won, or that nobody has."""
    return Text("{winners} {winners:wins|win}", winners=winners) if winners else Text("nobody wins")


def named(value: Any, people: Sequence[str]) -> Any:
    """A text, or a value in one, with people's names in place of seats."""
    if isinstance(value, Seat):
        return Text(people[value.number], msgctxt="person")
    if isinstance(value, (list, tuple)) and not isinstance(value, Unnamed):
        return [named(item, people) for item in value]
    if isinstance(value, Text):
        return Text(value.msgid, msgctxt=value.context, **{k: named(v, people) for k, v in value.values.items()})
    return value
