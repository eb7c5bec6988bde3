"""A rule file and the catalogs that translate it → what is in doubt there because its lines have changed.

English is a language like the others: its catalog says of which lines the words of the rule file itself are true.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from teufelswerk.base.diagnostics import Source
from teufelswerk.base.find_files import comes_along, data_folder
from teufelswerk.compare.line_marks import Key, catalog_key, doubts_by_marks, marks_in
from teufelswerk.compare.told_lines import Doubt
from teufelswerk.language.catalogs import DOMAIN, Unusable, content_of
from teufelswerk.language.true_of import (
    FUZZY,
    looked_over,
    notes_in,
    other_comments,
    read_note,
    with_notes,
)
from teufelswerk.loading.version_before import committed

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog, Message


def catalogs_of(path: Path) -> dict[str, Path]:
    """The catalogs with the texts of a rule file, by language: the program's own, or those beside the file."""
    folder = data_folder("locales") if comes_along(path.resolve()) else path.resolve().parent / "locales"
    return {found.parents[1].name: found for found in sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))}


@dataclass(frozen=True)
class Catalogued:
    """What a catalog says of the words of a rule file: which are true of their lines, and which are in doubt."""

    true: frozenset[Key]
    doubts: tuple[Doubt, ...]


def in_doubt(path: Path, now: Source) -> dict[str, Catalogued]:
    """For each language that has noted anything; a catalog that cannot be read says nothing."""
    marks, found = marks_in(now), dict[str, Catalogued]()
    notes = {language: notes_in(text, now.name) for language, text in _texts(path)}
    for language, noted in notes.items():
        true = frozenset(key for key, marked in noted.items() if marks.get(key) == marked)
        is_fine = all(key in true or key not in marks for key in noted)
        doubts = () if is_fine else tuple(doubts_by_marks(now, noted, committed(path)))
        found.update({language: Catalogued(true, doubts)} if noted else {})
    return found


def said_still_true(path: Path, now: Source, languages: Collection[str] | None = None) -> Iterator[tuple[Path, str]]:
    """The catalogs that change, of all languages or of these, if the words are true of the lines as they are."""
    marks, catalogs = marks_in(now), catalogs_of(path)
    for language, text in _texts(path):
        if languages is None or language in languages:
            renewed = with_notes(text, now.name, marks)
            if renewed != text:
                yield catalogs[language], renewed


def look_over(catalog: Catalog, files: Iterable[tuple[Path, Source]]) -> None:
    """Notes what the entries of rule files are true of, and marks those whose lines have changed as fuzzy."""
    marks = {now.name: marks_in(now) for _, now in files}
    entries: dict[str, dict[Key, Message]] = {}
    for message in catalog:
        game, _, heading = (message.context or "").partition(": ")
        if message.id and (heading, str(message.id)) in marks.get(game, {}):
            entries.setdefault(game, {})[heading, str(message.id)] = message
    for path, now in files:
        found = entries.get(now.name, {})
        only_renamed = _only_renamed(path, now, found, marks[now.name])
        for key, message in found.items():
            noted = None if key in only_renamed else read_note(message.user_comments)
            noted, is_fuzzy = looked_over(noted, message.fuzzy, marks[now.name][key])
            message.user_comments = [*other_comments(message.user_comments), str(noted)]
            (message.flags.add if is_fuzzy else message.flags.discard)(FUZZY)


def _only_renamed(path: Path, now: Source, found: Mapping[Key, Message], marks: Mapping[Key, str]) -> set[Key]:
    """The texts in whose lines something has only got another name since the last commit."""
    noted = {key: read_note(message.user_comments) for key, message in found.items()}
    changed = {key: note.marks for key, note in noted.items() if note and not note.now and note.marks != marks[key]}
    if not changed or (before := committed(path)) is None:
        return set()
    return changed.keys() - {catalog_key(doubt.key) for doubt in doubts_by_marks(now, changed, before)}


def _texts(path: Path) -> Iterator[tuple[str, str]]:
    for language, catalog in catalogs_of(path).items():
        try:
            data = content_of(catalog)
            if data is not None:
                yield language, data.decode("utf-8-sig").replace("\r\n", "\n")
        except (Unusable, UnicodeDecodeError):
            continue
