"""A text and what it came from, as it was saved last and its base → what differs, in words to be shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from teufelswerk.base.diagnostics import Source
from teufelswerk.base.texts import Text
from teufelswerk.compare.differences import card_changes, move_changes, rule_changes, value_changes
from teufelswerk.editing.opened import Opened
from teufelswerk.language.i18n import Translator
from teufelswerk.loading.library import load
from teufelswerk.model import Model
from teufelswerk.rulebook.words import verb_term

Part = dict[str, Any]
MOST_CARDS = 40


def differences(file: Opened, say: Translator) -> Iterator[Part]:
    """From the file as it lies on the disk, and from the game that it is a variant of."""
    now = file.loaded.model
    assert now is not None
    before = on_disk(file.path)
    if before is not None and before.source.text != file.source.text:
        yield {"from": "saved", "parts": list(parts(before, now, say))}
    base = base_of(file)
    below = on_disk(Path(base.path)) if base is not None else None
    if below is not None:
        yield {"from": "base", "parts": list(parts(below, now, say))}


def base_of(file: Opened) -> Source | None:
    """What the text says that it is a variant of."""
    assert file.loaded.assembled
    return next(iter(file.loaded.assembled.sources[1:]), None)


def sections_to_take(file: Opened) -> Iterator[tuple[str, str]]:
    """The sections of the base that the file has not replaced, each with its heading and its whole text."""
    base = base_of(file)
    own = {section.heading for section in file.layout}
    for text in re.split(r"^(?=## )", base.text, flags=re.MULTILINE)[1:] if base is not None else ():
        heading = text.partition("\n")[0].removeprefix("## ").strip()
        if heading not in own:
            yield heading, text.strip()


def on_disk(path: Path) -> Model | None:
    """The rules of a file as it was saved, if they are any."""
    try:
        stamp = path.stat()
    except (OSError, ValueError):
        return None
    return _read(path, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(8)
def _read(path: Path, modified: int, size: int) -> Model | None:
    return load(path).model


def parts(first: Model, second: Model, say: Translator) -> Iterator[Part]:
    """Headings with lines; each line begins with what it is: gone, new, or neither."""
    for heading, lines in (
        (Text("Cards"), list(cards(first, second, say))),
        (Text("Values"), list(values(first, second, say))),
        *rules(first, second, say),
        (Text("Who may do what"), list(moves(first, second, say))),
    ):
        if lines:
            yield {"heading": say(heading), "lines": lines}


def cards(first: Model, second: Model, say: Translator) -> Iterator[Sequence[str]]:
    changes = list(card_changes(first, second))
    for change in changes[:MOST_CARDS]:
        if change.attribute is None:
            yield ("-", change.id) if change.first else ("+", change.id)
        else:
            attribute = say(Text(change.attribute.replace("-", " "), msgctxt=f"{first.family}: attribute"))
            yield "", f"{change.id}: {attribute} {change.first or '–'} → {change.second or '–'}"
    if len(changes) > MOST_CARDS:
        yield "", f"… {len(changes) - MOST_CARDS}"


def values(first: Model, second: Model, say: Translator) -> Iterator[Sequence[str]]:
    for change in value_changes(first, second):
        before = "–" if change.first is None else change.first
        line = f"{change.name}: {before} → {'–' if change.second is None else change.second}"
        if change.players is not None:
            line = say(Text("{change} (with {players} players)", change=line, players=change.players))
        yield "", line


def rules(first: Model, second: Model, say: Translator) -> Iterator[tuple[Text, list[Sequence[str]]]]:
    for change in rule_changes(first, second):
        lines: list[Sequence[str]] = [("-", say(text)) for text in change.first]
        lines += [("+", say(text)) for text in change.second]
        lines += [(f"{sign} code", line) for sign, line in change.clauses]
        if change.exact:
            lines.append(("", say(Text("In exact words:"))))
            lines += [(sign, say(text)) for sign, text in change.exact]
        yield change.heading, lines


def moves(first: Model, second: Model, say: Translator) -> Iterator[Sequence[str]]:
    for change in move_changes(first, second):
        verb = say(verb_term(first if change.in_first else second, change.verb))
        sign = "-" if change.in_first else "+"
        if change.condition is None:
            yield sign, verb
        else:
            words = say(change.condition) if isinstance(change.condition, Text) else change.condition
            yield sign, f"{verb}: {words}"
