"""A rule file and a language → the catalog that stands beside it, brought up to date, and how far it is.

What the program's own catalogs say already is not asked again: the words of the game that a variant changes, and those
that all games share. What they say of another game under the same heading is suggested, and has to be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from babel.core import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from teufelswerk.base.find_files import data_folder
from teufelswerk.base.texts import Text
from teufelswerk.compare.catalogs_in_doubt import look_over
from teufelswerk.language.catalogs import DOMAIN, MOST_PLURALS, Unusable, content_of
from teufelswerk.language.i18n import Translator
from teufelswerk.messages import texts_of, without_formats
from teufelswerk.syntax.source import read

LONGEST_LINE = 120


@dataclass(frozen=True)
class Progress:
    """How many texts there are, how many are translated, and for how many somebody has to look at a suggestion."""

    texts: int
    translated: int
    doubtful: int


def known_language(name: str) -> bool:
    """Whether there is a language of this name at all."""
    try:
        return bool(Locale.parse(name))
    except (ValueError, UnknownLocaleError):
        return False


def place_of(folder: Path, language: str) -> Path:
    return folder / "locales" / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def written_beside(folder: Path) -> list[str]:
    """The languages that there are catalogs for beside a rule file."""
    return sorted(path.parents[1].name for path in folder.glob(f"locales/*/LC_MESSAGES/{DOMAIN}.po"))


def catalog_at(path: Path, language: str) -> Catalog:
    """The catalog that is there, or an empty one; raises Unusable if it cannot be used."""
    data = content_of(path)
    if data is None:
        return Catalog(locale=language, header_comment="#", fuzzy=False)
    try:
        found = read_po(BytesIO(data), locale=language, abort_invalid=True)
        if found.num_plurals > MOST_PLURALS:
            raise ValueError(found.num_plurals)
    except Exception:  # whatever a damaged file may lead to
        message = Text("the translations in `{path}` cannot be used: the file is damaged", path=str(path))
        raise Unusable(message) from None
    return found


def updated(rule_file: Path, language: str, old: Catalog) -> Catalog:
    """The catalog with just the texts that the rule file has now; what belongs to other files stays as it is."""
    game = rule_file.name.removesuffix(".rules.md")
    translator = Translator(language)
    ours, others = Catalog(locale=language, header_comment="#", creation_date=old.creation_date, fuzzy=False), []
    for message in old:
        if message.id and _is_of(message, game):
            ours[message.id] = message
        elif message.id:
            others.append(message)
    template = Catalog()
    for line, (context, text), comments in texts_of(rule_file):
        if not _is_known(translator, context, text):
            template.add(text, context=context, auto_comments=comments, locations=[(rule_file.name, line)])
    ours.update(template)
    suggest(ours, translator)
    look_over(ours, [(rule_file, read(rule_file)[0])])
    for message in others:
        ours[message.id] = message
    return ours


def _is_of(message: Message, game: str) -> bool:
    return message.context is None or message.context.startswith(f"{game}: ") or ": " not in message.context


def _is_known(translator: Translator, context: str, text: str) -> bool:
    """Whether the program's own catalogs say it."""
    return bool(getattr(translator.catalogs[0], "_catalog", {}).get(f"{context}\x04{text}"))


def suggest(catalog: Catalog, translator: Translator) -> None:
    """What other games call the same thing, where they agree; somebody has to say that it fits here too."""
    for message in catalog:
        kind = (message.context or "").partition(": ")[2]
        if not message.id or message.string:
            continue
        if (found := translator.of_packs(str(message.id), kind)) is not None:
            message.string = found
        elif (kind, str(message.id)) in translator.alike:
            message.string = translator.alike[kind, str(message.id)].most_common(1)[0][0]
            message.flags.add("fuzzy")


def as_po(catalog: Catalog) -> bytes:
    written = BytesIO()
    write_po(written, catalog, width=LONGEST_LINE, omit_header=False)
    return without_formats(written.getvalue())


def progress(catalog: Catalog) -> Progress:
    entries = [message for message in catalog if message.id]
    doubtful = sum(message.fuzzy for message in entries)
    return Progress(len(entries), sum(bool(m.string) and not m.fuzzy for m in entries), doubtful)


# ---- the program's own -----------------------------------------------------------------------------------------------


def template() -> Path:
    """All texts of the program and its games; it is there in a checkout."""
    return data_folder("locales") / f"{DOMAIN}.pot"


def begun(language: str) -> Catalog:
    """A catalog of the program in a language that it does not speak yet, with nothing translated."""
    with template().open("rb") as file:
        return read_po(file, locale=language)


def spoken() -> Iterator[tuple[str, Progress]]:
    """Every language of the program, and how far it is."""
    for path in sorted(data_folder("locales").glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        with path.open("rb") as file:
            yield path.parents[1].name, progress(read_po(file, locale=path.parents[1].name))
