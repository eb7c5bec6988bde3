"""A catalog's text → the marks of the lines that each of its entries was last found true of, and back.

They stand in a comment of translators, `# true of: 3fa99c2e`, which no tool touches. Where the lines are others now,
the entry is marked `fuzzy` and the comment says so, `# true of: 3fa99c2e, now: 3fa977b0`; whoever takes `fuzzy` away,
as every editor of catalogs does for somebody who has looked, says that the words are true of these lines too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

NOTE = re.compile(r"true of: ([a-z2-7]+)(?:, now: ([a-z2-7]+))?")
FUZZY = "fuzzy"
FIELD = re.compile(r'^(msgctxt|msgid) ((?:"[^\n]*"\n?)+)', re.MULTILINE)
REMARK = re.compile(r"^# ([^\n]*)\n", re.MULTILINE)
FLAGS = re.compile(r"^#, ([^\n]*)\n", re.MULTILINE)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


@dataclass(frozen=True)
class Noted:
    """What an entry was found true of, and what its lines are since they changed, if that was seen."""

    marks: str
    now: str | None = None

    def __str__(self) -> str:
        return f"true of: {self.marks}" + (f", now: {self.now}" if self.now else "")


def read_note(comments: list[str]) -> Noted | None:
    """What the comments of an entry say of it; a long one may have been broken into several."""
    found = NOTE.search(" ".join(comments))
    return Noted(found[1], found[2]) if found else None


def other_comments(comments: list[str]) -> list[str]:
    whole = " ".join(comments)
    rest = NOTE.sub("", whole).strip()
    return comments if not NOTE.search(whole) else [rest] if rest else []


def looked_over(noted: Noted | None, is_fuzzy: bool, marks: str) -> tuple[Noted, bool]:
    """What is to be noted of an entry whose lines have these marks now, and whether it is fuzzy.

    Words that nobody has noted anything of are new, and so are fuzzy ones that are not so for their lines: whoever
    writes them has the lines before their eyes."""
    match noted:
        case None:
            return Noted(marks), is_fuzzy
        case Noted(true_of, None):
            return (Noted(marks), is_fuzzy) if marks == true_of or is_fuzzy else (Noted(true_of, marks), True)
        case Noted(true_of, seen):
            true_of = true_of if is_fuzzy or seen is None else seen
            return (Noted(marks), False) if marks == true_of else (Noted(true_of, marks), True)


# ---- in the text of a catalog, without reading all of it ------------------------------------------------------------


def notes_in(catalog: str, game: str) -> dict[tuple[str, str], str]:
    """What the texts of a game were found true of, by heading and words. Those that are noted to be true of nothing
    are new, and in no doubt."""
    found = {}
    for entry in _entries(catalog, game):
        noted = read_note(REMARK.findall(entry))
        if noted is not None and (key := _key(entry, game)) is not None:
            # without `fuzzy` somebody has said that it is true of the lines seen last
            found[key] = noted.now if noted.now and not _is_fuzzy(entry) else noted.marks
    return found


def with_notes(catalog: str, game: str, marks: Mapping[tuple[str, str], str]) -> str:
    """The catalog with these entries noted to be true of these lines."""

    def renewed(entry: str) -> str:
        key = _key(entry, game)
        return _noted_anew(entry, marks[key]) if key is not None and key in marks else entry

    return _each_entry(catalog, game, renewed)


def _noted_anew(entry: str, marks: str) -> str:
    comments = REMARK.findall(entry)
    noted = read_note(comments)
    if noted == Noted(marks):
        return entry
    for_lines = noted is not None and noted.now is not None
    entry = REMARK.sub("", entry)
    above = "".join(f"# {comment}\n" for comment in [*other_comments(comments), str(Noted(marks))])
    return above + (FLAGS.sub(_without_fuzzy, entry) if for_lines else entry)


def _without_fuzzy(flags: re.Match[str]) -> str:
    left = [flag for flag in flags[1].split(", ") if flag != FUZZY]
    return f"#, {', '.join(left)}\n" if left else ""


def _is_fuzzy(entry: str) -> bool:
    return any(FUZZY in flags.split(", ") for flags in FLAGS.findall(entry))


def _entries(catalog: str, game: str) -> Iterator[str]:
    return (entry for entry in catalog.split("\n\n") if f'"{game}: ' in entry)


def _each_entry(catalog: str, game: str, change: Callable[[str], str]) -> str:
    return "\n\n".join(change(entry) if f'"{game}: ' in entry else entry for entry in catalog.split("\n\n"))


def _key(entry: str, game: str) -> tuple[str, str] | None:
    """The heading and the words of an entry, if it is one of this game."""
    fields = {name: "".join(map(_plain, STRING.findall(strings))) for name, strings in FIELD.findall(entry)}
    context, words = fields.get("msgctxt", ""), fields.get("msgid", "")
    return (context.removeprefix(f"{game}: "), words) if context.startswith(f"{game}: ") and words else None


def _plain(string: str) -> str:
    try:
        return str(json.loads(string))
    except ValueError:
        return string[1:-1]
