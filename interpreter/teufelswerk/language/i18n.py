"""Texts → words in a language: catalogs, the choice of a language, numbers, lists and grammatical forms."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property
from gettext import NullTranslations
from pathlib import Path
from typing import Any, Literal

from teufelswerk.base.find_files import data_folder
from teufelswerk.base.texts import Seat, Text, Unnamed, Word, fill
from teufelswerk.language.catalogs import DOMAIN, Unusable, read_catalog

DEFAULT = "en"
ALTERNATIVES = "or"
"""The form of a list in which only one of the things is meant: `{options:or}`."""
VARIABLES = ("TEUFELSWERK_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


class UnknownLanguage(ValueError):
    """A language for which there is no catalog."""

    def __init__(self, wanted: str) -> None:
        super().__init__(wanted)
        self.message = Text(
            "there is no language `{wanted}`; there are {languages}", wanted=wanted, languages=list(languages())
        )


@cache
def languages() -> tuple[str, ...]:
    """The languages that there are catalogs for: one folder each."""
    folders = data_folder("locales").glob(f"*/LC_MESSAGES/{DOMAIN}.[pm]o")
    return tuple(sorted({path.parents[1].name for path in folders})) or (DEFAULT,)


def match(wanted: str) -> str | None:
    """`de-AT`, `ru_RU.UTF-8`, `EN` → the catalog that serves it."""
    tag = wanted.replace("-", "_").split(".")[0].split("@")[0]
    known = {language.lower(): language for language in languages()}
    return known.get(tag.lower()) or known.get(tag.split("_")[0].lower())


def edition_in(language: str) -> str | None:
    """What a rule file calls the printed edition in a language: `Russian`."""
    from babel.core import Locale

    return Locale.parse(language).english_name


def choose_language(option: str | None, environment: Mapping[str, str] | None = None) -> str:
    """The language asked for, else the one that the environment prefers, else English."""
    environment = os.environ if environment is None else environment
    if option:
        found = match(option)
        if found is None:
            raise UnknownLanguage(option)
        return found
    for variable in VARIABLES:
        value = environment.get(variable, "")
        for wanted in filter(None, value.split(":")):
            found = match(wanted)
            if found is not None:
                return found
            if variable == "TEUFELSWERK_LANG":
                raise UnknownLanguage(wanted)
        if value and variable != "LANGUAGE":
            # The first variable that is set decides, as everywhere; `C` and `POSIX` mean English.
            return DEFAULT
    return DEFAULT


PACKS = frozenset({"suit", "rank", "colour"})
"""What the cards of common packs have on them."""
CARD_OF_A_PACK = "{rank} of {suit}"
SAYS_MUCH = 40
"""As long is a sentence that two games do not have alike by chance."""


PERSON = "person"


def _forms(translated: Sequence[str]) -> dict[str, str]:
    """`карта`, `acc=карту` → the forms behind the word itself, by name."""
    return {name.strip(): words for name, _, words in (entry.partition("=") for entry in translated[1:])}


def _kind(context: str) -> str:
    """A context without the name of its rule file."""
    return context.partition(": ")[2] or context


class Translator:
    """Says texts in one language; `beside` are folders of rule files that bring catalogs of their own, and `rules` is
    the text of the rule file that is spoken of: a copy or a variant of a game has its words from that game."""

    def __init__(self, language: str, beside: Sequence[Path] = (), rules: str = "") -> None:
        self.language = language
        self.rules = rules
        folders = [data_folder("locales"), *(folder / "locales" for folder in beside)]
        self.problems: list[Text] = []
        """Why some of the catalogs cannot be used."""
        self.catalogs = [self._catalog(folder) for folder in folders]
        self._plural = getattr(self.catalogs[0], "plural", None) or (lambda n: int(n != 1))

    def _catalog(self, folder: Path) -> NullTranslations:
        try:
            return read_catalog(folder, self.language)
        except Unusable as problem:
            self.problems.append(problem.message)
            return NullTranslations()

    def translate(self, msgid: str, context: str | None = None) -> str:
        for catalog in reversed(self.catalogs):
            found = catalog.pgettext(context, msgid) if context else catalog.gettext(msgid)
            if found != msgid:
                return found
        if context is None:
            return msgid
        kind = _kind(context)
        return self.elsewhere.get((kind, msgid)) or self.of_packs(msgid, kind) or msgid

    @cached_property
    def elsewhere(self) -> dict[tuple[str, str], str]:
        """Texts under the same heading of the games that the rule file is made from. A word of any other game may mean
        something else there, so it is not taken."""
        found: dict[tuple[str, str], str] = {}
        for family, texts in self._by_family().items():
            if self._is_made_from(family, [msgid for _, msgid in texts]):
                for (kind, msgid), words in texts.items():
                    found.setdefault((kind, msgid), words)
        return found

    def of_packs(self, msgid: str, kind: str) -> str | None:
        """What games call a suit, a rank or a colour: that is the same in whatever game they are."""
        if msgid == CARD_OF_A_PACK:
            kind = next((k for k, text in self.alike if text == msgid), "")
        elif kind not in PACKS and (kind != "attribute" or msgid not in PACKS):
            return None
        found = self.alike.get((kind, msgid))
        return found.most_common(1)[0][0] if found else None

    @cached_property
    def alike(self) -> dict[tuple[str, str], Counter[str]]:
        """What the games that come along say under the same heading, and how many of them say so."""
        found: dict[tuple[str, str], Counter[str]] = {}
        for key, words in getattr(self.catalogs[0], "_catalog", {}).items():
            context, sign, msgid = key.partition("\x04") if isinstance(key, str) else ("", "", "")
            if sign and words:
                found.setdefault((_kind(context), msgid), Counter())[words] += 1
        return found

    def _by_family(self) -> dict[str, dict[tuple[str, str], str]]:
        """What the catalogs say of each rule file."""
        found: dict[str, dict[tuple[str, str], str]] = {}
        for catalog in self.catalogs if self.rules else ():
            for key, words in getattr(catalog, "_catalog", {}).items():
                context, sign, msgid = key.partition("\x04") if isinstance(key, str) else ("", "", "")
                family, colon, kind = context.partition(": ")
                if sign and colon and words:
                    found.setdefault(family, {}).setdefault((kind, msgid), words)
        return found

    def _is_made_from(self, family: str, texts: Sequence[str]) -> bool:
        """Whether the rule file names that one as its base, or has most of its longer sentences."""
        lines = [line.split() for line in self.rules.splitlines()]
        if ["variant", "of", family] in lines:
            return True
        said = " ".join(word for line in lines for word in line)
        telling = [text for text in texts if len(text) >= SAYS_MUCH]
        return 2 * sum(text in said for text in telling) > len(telling)

    def plural(self, number: int) -> int:
        return int(self._plural(abs(number)))

    def __call__(self, text: Text | str, names: Sequence[str] = ()) -> str:
        """The text in words; `names` are the players' names by seat."""
        if isinstance(text, str):
            return text
        return self._say(text, names, None)

    def _say(self, text: Text, names: Sequence[str], form: str | None) -> str:
        template, *_ = translated = self.translate(text.msgid, text.context).split(" | ")
        if form:
            named = _forms(translated)
            if form not in named and isinstance(text, Word):
                return self._say(text.instead, names, form)
            if form not in named and text.context == PERSON:
                return self.declined(template, form)
            template = named.get(form, template)
        return fill(template, text.values, self.plural, lambda value, spec: self.show(value, names, spec))

    def declined(self, name: str, form: str) -> str:
        """A person's name in a form: one of ours has its own; before any other stands what can be declined instead."""
        if name in self.people:
            return self.people[name].get(form, name)
        # TRANSLATORS: a person's own name with forms, `игрок {name} | gen=игрока {name}`; without them it stands alone
        forms = _forms(self.translate(Text("player {name}").msgid).split(" | "))
        return forms.get(form, "{name}").replace("{name}", name)

    @cached_property
    def people(self) -> dict[str, dict[str, str]]:
        """The names that the catalogs have, each with its forms."""
        found: dict[str, dict[str, str]] = {}
        for catalog in self.catalogs:
            for key, words in getattr(catalog, "_catalog", {}).items():
                if isinstance(key, str) and key.startswith(f"{PERSON}\x04") and words:
                    name, *forms = words.split(" | ")
                    found[name] = _forms(["", *forms])
        return found

    def show(self, value: Any, names: Sequence[str] = (), form: str | None = None) -> str:
        if isinstance(value, Text):
            return self._say(value, names, form)
        if isinstance(value, Seat):
            if value.number < len(names):
                return self.declined(names[value.number], form) if form else names[value.number]
            return self(Text("player {n}", n=value.number + 1))
        if isinstance(value, Unnamed):
            return self._say(value.text, names, form)
        if isinstance(value, (list, tuple)):
            if form == ALTERNATIVES:
                return self.list([self.show(item, names) for item in value], "or")
            return self.list([self.show(item, names, form) for item in value])
        if isinstance(value, float):
            from babel.numbers import format_decimal

            return str(format_decimal(value, format="#,##0.0", locale=self.language))
        if isinstance(value, int) and abs(value) >= 1000:
            from babel.numbers import format_decimal

            return str(format_decimal(value, locale=self.language))
        return str(value)

    def moment(self, when: datetime) -> str:
        """`16.11.2026, 05:19`"""
        from babel.dates import format_date

        return f"{format_date(when, locale=self.language)}, {when:%H:%M}"

    def list(self, items: Sequence[str], style: Literal["standard", "or"] = "standard") -> str:
        """`22, 27 und 34`, or `22, 27 oder 34`"""
        if len(items) <= 1:
            return "".join(items)
        from babel.lists import format_list

        return str(format_list(list(items), style=style, locale=self.language))
