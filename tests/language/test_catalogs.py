"""The catalogs: complete against a fresh extraction, placeholders and plural forms right, each in its own alphabet."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from catalog_entries import ALLOWED_LATIN, LATIN, ROOT, catalog, entries, of_language
from shipped import PATHS
from teufelswerk.base.texts import Text
from teufelswerk.compare.catalogs_in_doubt import in_doubt
from teufelswerk.compare.line_marks import catalog_key, marks_in
from teufelswerk.language.i18n import Translator, languages
from teufelswerk.syntax.source import read

RULES = sorted((ROOT / "rules").glob("*/*.rules.md"))
PLACEHOLDER = re.compile(r"\{([A-Za-z][\w-]*(?: of [A-Za-z][\w-]*)*)(![rs])?(?::([^{}]*))?\}")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """What an extraction finds now."""
    target = tmp_path_factory.mktemp("pot") / "fresh.pot"
    command = [sys.executable, "-m", "babel.messages.frontend", "--quiet", "extract", "--mapping-file=pyproject.toml"]
    command += ["--keyword=Text:1", "--add-comments=TRANSLATORS:", f"--output-file={target}", "."]
    subprocess.run(command, cwd=ROOT, check=True)
    return catalog(target)


def names(text: str) -> set[str]:
    return {match[1] for match in PLACEHOLDER.finditer(text)}


def test_there_are_three_languages() -> None:
    assert {"de", "en", "ru"} <= set(languages())


@pytest.mark.parametrize("language", languages())
def test_a_catalog_has_just_the_texts_that_there_are(language: str, fresh: Catalog) -> None:
    there, wanted = set(entries(of_language(language))), set(entries(fresh))
    assert sorted(map(str, wanted - there)) == [], "missing: run `python3 cli messages update`"
    assert sorted(map(str, there - wanted)) == [], "stale: run `python3 cli messages update`"


@pytest.mark.parametrize("language", languages())
def test_every_entry_is_translated(language: str) -> None:
    found = [key for key, message in entries(of_language(language)).items() if not message.string or message.fuzzy]
    assert found == []


def test_every_text_was_found_true_of_the_lines_that_it_tells() -> None:
    """Whoever changes a line of a rule looks at the words that tell it, in every language, and says that they hold."""
    doubtful: dict[str, set[str]] = {}
    for path in RULES:
        now, _ = read(path)
        catalogs = in_doubt(path, now)
        told, noted = marks_in(now).keys(), [found.true for found in catalogs.values()]
        assert sorted(map(str, told)) == [] or len(noted) == len(languages()), path
        for language, found in catalogs.items():
            missing = told - found.true - {catalog_key(doubt.key) for doubt in found.doubts}
            assert sorted(map(str, missing)) == [], f"{language}: run `python3 cli messages update`"
            doubtful.setdefault(now.name, set()).update(doubt.words for doubt in found.doubts)
    asked = " ".join(game for game, words in doubtful.items() if words)
    assert asked == "", (
        "lines have changed, the words that tell them have not: `python3 cli check` shows which. Write them anew in "
        f"every language or, if they are still true, say so: `python3 cli check {asked} --still-true`"
    )


@pytest.mark.parametrize("path", sorted((ROOT / "locales").glob("**/*.po*")), ids=lambda path: path.parts[-3])
def test_no_other_program_takes_our_placeholders_for_its_own(path: Path) -> None:
    assert not re.findall(r"^#,.*\bpython-\w*-?format", path.read_text("utf-8"), re.MULTILINE)
    if program := shutil.which("msgfmt"):
        assert subprocess.run([program, "-c", "-o", "/dev/null", path], check=False).returncode == 0


@pytest.mark.parametrize("language", languages())
def test_placeholders_agree(language: str) -> None:
    wrong = []
    for (_, text), message in entries(of_language(language)).items():
        base = str(message.string).split(" | ")[0]
        if message.string and names(text) != names(base):
            wrong.append((text, message.string))
    assert wrong == []


@pytest.mark.parametrize("language", languages())
def test_plural_words_have_a_form_for_every_class(language: str) -> None:
    found = of_language(language)
    wrong = [
        message.string
        for message in entries(found).values()
        for match in PLACEHOLDER.finditer(str(message.string))
        if match[3] and "|" in match[3] and len(match[3].split("|")) != found.num_plurals
    ]
    assert wrong == []


def test_russian_is_written_in_cyrillic() -> None:
    wrong = []
    for message in entries(of_language("ru")).values():
        words = PLACEHOLDER.sub(lambda m: m[3].replace("|", " ") if m[3] and "|" in m[3] else " ", str(message.string))
        left = LATIN.findall(ALLOWED_LATIN.sub(" ", words))
        if left:
            wrong.append((left, message.string))
    assert wrong == []


@pytest.mark.parametrize("language", [language for language in languages() if language != "en"])
def test_no_english_sentence_is_left(language: str) -> None:
    """A sentence of four words or more that is the same in both languages has not been translated."""
    found = [
        text
        for (_, text), message in entries(of_language(language)).items()
        if message.string == text and len(re.findall(r"[a-z]{2,}", PLACEHOLDER.sub(" ", text))) >= 4
    ]
    assert found == []


CONTRARIES = {
    "en": (r"\bleft\b(?! in| to them)", r"\bright\b", r"\b(most|highest|higher)\b", r"\b(fewest|lowest|lower)\b"),
    "de": (r"\blink", r"\brecht[esn]?", r"\b(meisten|höchst|höher|über)", r"wenigst|niedrig|unter\b|tief|darunter"),
    "ru": (r"слева|налево|\bлев", r"справа|направо|\bправ(?!ил)", r"больш|стар|выш|высок", r"меньш|млад|ниж|низк|мало"),
}
"""Left, right, most and fewest, as rules say them."""


def directions(language: str, words: str) -> list[bool]:
    plain = PLACEHOLDER.sub(" ", words)
    return [bool(re.search(told, plain, re.IGNORECASE)) for told in CONTRARIES[language]]


@pytest.mark.parametrize("language", ["de", "ru"])
def test_no_translation_says_the_contrary(language: str) -> None:
    """Left is not right, and the fewest are not the most: no translation turns round what a text says."""
    wrong, told = [], 0
    for (context, text), message in entries(of_language(language)).items():
        if ": " not in (context or ""):
            continue
        here, there = directions("en", text), directions(language, str(message.string))
        for one, other in ((0, 1), (1, 0), (2, 3), (3, 2)):
            if here[one] and not here[other]:
                told += 1
                if there[other] and not there[one]:
                    wrong.append((text, message.string))
    assert wrong == [] and told > 200


def test_russian_counts() -> None:
    say = Translator("ru")
    forms = {n: say.plural(n) for n in (1, 2, 5, 11, 21, 22, 25, 101, 111)}
    assert forms == {1: 0, 2: 1, 5: 2, 11: 2, 21: 0, 22: 1, 25: 2, 101: 0, 111: 2}


def test_lists_and_numbers_follow_the_language() -> None:
    text = Text("{items}", items=["22", "27", "34"])
    assert Translator("de")(text) == "22, 27 und 34"
    assert Translator("ru")(text) == "22, 27 и 34"
    assert Translator("en")(text) == "22, 27, and 34"


def test_a_fourth_language_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pseudo-language made of the template: every letter doubled, every placeholder kept."""
    from teufelswerk.base import find_files
    from teufelswerk.language import i18n

    folder = tmp_path / "locales" / "eo" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    pseudo = Catalog(locale="eo")
    for context, text in entries(catalog(ROOT / "locales" / "teufelswerk.pot")):
        pseudo.add(text, f"«{text}»", context=context)
    with (folder / "teufelswerk.po").open("wb") as file:
        write_po(file, pseudo)
    monkeypatch.setattr(i18n, "data_folder", lambda name: tmp_path / name)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    i18n.languages.cache_clear()
    try:
        assert i18n.choose_language("eo-XX") == "eo"
        assert i18n.Translator("eo")(Text("the game is over")) == "«the game is over»"
    finally:
        monkeypatch.undo()
        i18n.languages.cache_clear()
    assert find_files.data_folder("locales").is_dir()


def test_a_rule_file_of_ones_own_brings_its_catalogs(tmp_path: Path) -> None:
    """`locales/` beside a rule file translates its texts; everything else still comes from the program's catalogs."""
    folder = tmp_path / "locales" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    own = Catalog(locale="de")
    own.add("Lead a card.", "Los, leg eine hin!", context="my-game: Leading")
    with (folder / "teufelswerk.po").open("wb") as file:
        write_po(file, own)
    say = Translator("de", [tmp_path])
    assert say(Text("Lead a card.", msgctxt="my-game: Leading")) == "Los, leg eine hin!"
    assert say(Text("the game is over")) == Translator("de")(Text("the game is over")) != "the game is over"


@pytest.mark.parametrize(
    ("game", "word"),
    [("little-devils", "Teufel insgesamt"), ("long-row", "score")],
    ids=["a renamed copy", "a game of its own"],
)
def test_a_file_without_translations_has_words_of_the_game_it_is_made_from_and_of_no_other(
    game: str, word: str
) -> None:
    say = Translator("de", rules=PATHS[game].read_text(encoding="utf-8"))
    assert say(Text("score", msgctxt="evening: keep")) == word
    assert Translator("de")(Text("score", msgctxt="evening: keep")) == "score"


def test_a_variant_has_words_of_its_base() -> None:
    rules = "# Ours\n\n    variant of little-devils\n"
    assert Translator("de", rules=rules)(Text("Lead a card.", msgctxt="ours: Leading")) != "Lead a card."
