"""A place in a file → what stands there: how it is declared, what it is, its value now; of a keyword, what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from teufelswerk.base.diagnostics import Span
from teufelswerk.base.find_files import data_folder
from teufelswerk.base.texts import Text
from teufelswerk.compare.value_ranges import numbers
from teufelswerk.editing.names import Kind, Meaning, Names
from teufelswerk.editing.opened import Opened
from teufelswerk.editing.owners import owners
from teufelswerk.model import COPIES

MOST_LINES = 8
"""A longer clause is not shown whole."""
WHAT: dict[Kind, Text] = {
    "attribute": Text("what is on the cards"),
    "cards": Text("a kind of cards"),
    "place": Text("a place"),
    "keep": Text("what the game remembers"),
    "value": Text("a value with a name"),
    "step": Text("a step"),
    "move": Text("a move"),
    "local": Text("a name that is known in this clause alone"),
    "person": Text("a player of this example"),
    "card": Text("a card"),
    "word": Text("a word that every game knows"),
    "base": Text("the game that this file changes"),
}


@dataclass
class Hover:
    """What is told about a word: the lines that declare it, and sentences."""

    span: Span
    code: str = ""
    told: list[Text | str] = field(default_factory=list)


def hover(names: Names, line: int, column: int) -> Hover | None:
    """What is to be told about the word at a place."""
    here = [p for p in names.pieces if p.span.line == line and p.span.column <= column <= p.span.end]
    occurrence = names.at(line, column)
    if occurrence is None:
        keyword = next((piece for piece in here if piece.sort == "keyword"), None)
        rows = _said_of(keyword.text) if keyword else []
        return Hover(keyword.span, told=list(rows)) if keyword and rows else None
    meaning, span = occurrence.meaning, occurrence.span
    if occurrence.part and here and names.is_card(here[0].text):
        meaning, span = Meaning("card", here[0].text), here[0].span
    found = Hover(span, _code(names, meaning))
    found.told += _what(names, meaning)
    owner = owners(names.file).get((span.line, span.column))
    if owner is not None:
        found.told.append(Text("here it is `{words}`", words=f"{span_text(span)} of {owner}"))
    found.told += _value(names, meaning)
    return found


def span_text(span: Span) -> str:
    return span.source.lines[span.line - 1][span.column - 1 : span.end - 1]


def _code(names: Names, meaning: Meaning) -> str:
    """The lines that declare it, as they stand in the file."""
    places = names.places_of(meaning)
    if not places or meaning.kind in ("person", "base", "card"):
        return ""
    span = places[0][1]
    lines = span.source.lines[span.line - 1 :]
    indent = len(lines[0]) - len(lines[0].lstrip())
    whole = [lines[0]]
    for line in lines[1:]:
        if not line.strip() or len(line) - len(line.lstrip()) <= indent:
            break
        whole.append(line)
    shown = whole if len(whole) <= MOST_LINES else [*whole[: MOST_LINES - 1], f"{whole[1][: indent + 4]}…"]
    return "\n".join(line[indent:] for line in shown)


def _what(names: Names, meaning: Meaning) -> Iterator[Text | str]:
    if meaning.kind == "member":
        lists = [name for name, members in names.symbols.names.items() if meaning.name in members]
        yield Text("one of the names of {lists:or}", lists=[f"`{name}`" for name in lists])
    else:
        yield WHAT[meaning.kind]
    if meaning.kind == "card":
        yield _on_card(names, meaning.name)
    places = names.places_of(meaning)
    if places and meaning.kind not in ("local", "person", "card", "base"):
        span = places[0][1]
        heading = next((line for line in reversed(span.source.lines[: span.line]) if line.startswith("#")), "")
        if span.source.path == names.file.source.path:
            yield Text("declared in “{heading}”", heading=heading.strip("# "))
        else:
            yield Text("declared in “{heading}” of `{game}`", heading=heading.strip("# "), game=span.source.name)


def _on_card(names: Names, id: str) -> str:
    """What a card bears: its values, those of tables included."""
    card = names.card(id)
    shown = []
    for name, value in card.values.items():
        members = names.symbols.names.get(name)
        shown.append(f"`{name}` {members[value] if members else value}" if name != COPIES else f"{COPIES} {value}")
    return " · ".join(shown)


def _value(names: Names, meaning: Meaning) -> Iterator[Text]:
    """The number that a value is now, which may differ by how many play."""
    rules = names.file.loaded.model
    if meaning.kind != "value" or rules is None:
        return
    now = values_of(names.file).get(meaning.name)
    if now and len(set(now.values())) == 1:
        yield Text("now {value}", value=next(iter(now.values())))
    elif now:
        yield from each_number(now)


def each_number(now: dict[int, int]) -> Iterator[Text]:
    """What a value is, for each number of players."""
    for players, value in now.items():
        yield Text("with {players} {players:player|players}: {value}", players=players, value=value)


def values_of(file: Opened) -> dict[str, dict[int, int]]:
    """All numbers that have a name, for each number of players."""
    known: Any = file.known.get("values")
    if known is None:
        known = file.known["values"] = numbers(file.loaded.model) if file.loaded.model else {}
    return dict(known)


# ---- keywords -------------------------------------------------------------------------------------------------------


@cache
def _reference() -> list[tuple[list[str], str]]:
    """The table of all keywords in the language's reference: those of each row, and what the row says."""
    try:
        text = (data_folder("rules") / "README.md").read_text(encoding="utf-8")
    except OSError:
        return []
    table = text.partition("\n## All keywords\n")[2]
    rows = re.findall(r"^\| (`.*) \| (.*) \|$", table, flags=re.M)
    return [([word for part in re.findall(r"`([^`]*)`", keys) for word in part.split()], f"{keys}: {_plain(said)}")
            for keys, said in rows]  # fmt: skip


def _plain(markdown: str) -> str:
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown)


def _said_of(keyword: str) -> list[str]:
    return [row for words, row in _reference() if keyword in words]
