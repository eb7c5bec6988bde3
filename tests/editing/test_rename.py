"""Another name for anything that a game declares: the file checks, and the same seeds give the same games."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from shipped import NAMES, PATHS, SAMPLE
from teufelswerk import Event, Game
from teufelswerk.editing.names import Names, Occurrence, names_of
from teufelswerk.editing.opened import Edit, edited, opened
from teufelswerk.editing.rename import MEANINGFUL, NotRenamed, in_form, rename
from teufelswerk.interpreter.records import records
from teufelswerk.loading.library import load
from teufelswerk.model import Model
from wrong_files import BASE

LETTERS = "bdfghjklmnpqrtvwz"
"""Without vowels nothing becomes a word."""
GAMES = 2


def new_name(chance: random.Random, o: Occurrence) -> str:
    """A name that nothing has; of several things where the old one is."""
    word = "".join(chance.choices(LETTERS, k=8))
    several = o.meaning.kind == "move" or o.form == "plural" or (o.meaning.name.endswith("s") and o.form == "same")
    name = word.capitalize() if o.meaning.kind == "person" else word
    return in_form(name, "plural") if several and o.meaning.kind != "person" else name


def each_name(names: Names) -> list[Occurrence]:
    """One place for each thing that can have another name."""
    first: dict[tuple[str, int], Occurrence] = {}
    for o in names.occurrences:
        if o.meaning.kind not in ("word", "card", "base") and o.meaning.name not in MEANINGFUL:
            first.setdefault((o.meaning.name, o.meaning.scope), o)
    return list(first.values())


def played(rules: Model, seed: int) -> str:
    """All that happens in a random game, and every sentence."""
    log: list[Event] = []
    Game(rules, rules.max_players).random_game(seed, log)
    told = [str(event.told.whole) for event in log if event.told is not None]
    return json.dumps([list(records(log)), told], default=str)


def judge(name: str, count: int, tmp_path: Path) -> int:
    """Renames so many things of a game, one after the other, and plays each result."""
    path, chance = PATHS[name], random.Random(name)
    names = names_of(opened(path, path.read_text(encoding="utf-8")))
    assert names.file.loaded.model
    before = [played(names.file.loaded.model, seed) for seed in range(GAMES)]
    some = each_name(names)
    for o in chance.sample(some, min(count, len(some))):
        new = new_name(chance, o)
        edits = rename(names, o.span.line, o.span.column, new)
        text = edited(names.file.source.text, edits[path])
        there = tmp_path / path.name
        there.write_text(text, encoding="utf-8")
        loaded = load(there)
        assert loaded.model and not [d for d in loaded.diagnostics if d.is_error], (o.meaning, new)
        spelled = {edit.text: old_text(names, edit) for edit in edits[path]}
        for seed, expected in enumerate(before):
            assert back(played(loaded.model, seed), spelled) == expected, (o.meaning, new)
    return len(some)


def old_text(names: Names, edit: Edit) -> str:
    return names.file.source.lines[edit.span.line - 1][edit.span.column - 1 : edit.span.end - 1]


def back(said: str, spelled: dict[str, str]) -> str:
    """With the old names; nothing else is spelled like the new ones."""
    words = "|".join(sorted(spelled, key=len, reverse=True))
    return re.sub(rf"(?<![a-zA-Z])(?:{words})(?![a-zA-Z])", lambda m: spelled[m[0]], said)


@pytest.mark.parametrize("name", SAMPLE)
def test_a_game_with_another_name_for_something_is_the_same_game(name: str, tmp_path: Path) -> None:
    assert judge(name, 2, tmp_path) > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_anything_can_have_another_name(name: str, tmp_path: Path) -> None:
    judge(name, 1_000, tmp_path)


# ---- beside the file itself -----------------------------------------------------------------------------------------


def place_of(names: Names, words: str) -> tuple[int, int]:
    """Where the last of some words stands."""
    for number, line in enumerate(names.file.source.lines, 1):
        if words in line:
            return number, line.index(words) + words.rindex(" ") + 2
    raise AssertionError(words)


CATALOG = r"""
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\n"

#. TRANSLATORS: {size}: size = 3
msgctxt "base: Values"
msgid ""
"Everyone gets "
"{size} {size:card|cards}."
msgstr "Alle bekommen {size} {size:Karte|Karten}."

msgctxt "base: keep"
msgid "score"
msgstr "Punkte"

msgctxt "base: colour"
msgid "red"
msgstr "rot"

msgctxt "other: keep"
msgid "score"
msgstr "Punkte dort"
"""


@pytest.fixture(name="names")
def a_game_with_a_variant_and_a_catalog(tmp_path: Path) -> Names:
    (tmp_path / "base.rules.md").write_text(BASE, encoding="utf-8")
    variant = "# Other\n\nAnother game, with {size} {size:card|cards}.\n\n    variant of base\n    size = 4\n"
    (tmp_path / "other.rules.md").write_text(variant, encoding="utf-8")
    (tmp_path / "stranger.rules.md").write_text(BASE, encoding="utf-8")
    catalog = tmp_path / "locales" / "de" / "LC_MESSAGES" / "teufelswerk.po"
    catalog.parent.mkdir(parents=True)
    catalog.write_text(CATALOG, encoding="utf-8")
    return names_of(opened(tmp_path / "base.rules.md", BASE))


def renamed_texts(names: Names, words: str, new: str) -> dict[str, str]:
    edits = rename(names, *place_of(names, words), new)
    return {path.name: edited(path.read_text(encoding="utf-8"), found) for path, found in edits.items()}


def test_variants_and_catalogs_have_the_new_name_and_strangers_the_old_one(names: Names) -> None:
    texts = (
        renamed_texts(names, "Everyone gets {size", "hand-size")
        if False
        else renamed_texts(names, "    size", "hand-size")
    )
    assert texts.keys() == {"base.rules.md", "other.rules.md", "teufelswerk.po"}
    assert (
        "deal hand-size from deck" in texts["base.rules.md"]
        and "{hand-size} {hand-size:card|" in texts["base.rules.md"]
    )
    assert "    hand-size = 4" in texts["other.rules.md"] and "{hand-size:card|cards}" in texts["other.rules.md"]
    assert '"{hand-size} {hand-size:card|cards}."' in texts["teufelswerk.po"]
    assert "{hand-size} {hand-size:Karte|Karten}" in texts["teufelswerk.po"]


def test_terms_keep_their_translations(names: Names) -> None:
    catalog = renamed_texts(names, "keep score", "points")["teufelswerk.po"]
    assert 'msgctxt "base: keep"\nmsgid "points"\nmsgstr "Punkte"' in catalog
    catalog = renamed_texts(names, "        colour", "tint")["teufelswerk.po"]
    assert 'msgctxt "base: tint"\nmsgid "red"\nmsgstr "rot"' in catalog


def test_ids_of_cards_change_with_their_values(names: Names) -> None:
    text = renamed_texts(names, "colour: red", "crimson")["base.rules.md"]
    assert "given hand of Ida: crimson-1, crimson-2, crimson-3" in text and "red" not in re.findall(r"\w+", text)


def test_a_name_of_a_step_is_changed_in_that_step_alone(names: Names) -> None:
    two = BASE.replace("leader becomes random player", "drawn = random player\n        leader becomes drawn", 1)
    two += "\n## More\n\nAgain.\n\n    more:\n        drawn = random 1 to 6\n        repeat drawn times\n"
    two += "            round\n"
    names = names_of(opened(names.file.path, two))
    edits = rename(names, *place_of(names, "        drawn"), "chosen-one")
    assert [edit.span.line for edit in edits[names.file.path]] == [
        number for number, line in enumerate(two.split("\n"), 1) if "drawn" in line and "random 1" not in line
        and "repeat" not in line
    ]  # fmt: skip


def test_what_is_counted_keeps_its_word_where_a_choice_is_called_so_too() -> None:
    path = PATHS["scopa"]
    names = names_of(opened(path, path.read_text(encoding="utf-8")))
    o = next(o for o in names.occurrences if o.meaning.kind == "local" and o.meaning.name == "cards")
    changed = {edit.span.line for edit in rename(names, o.span.line, o.span.column, "laid-ones")[path]}
    lines = names.file.source.lines
    assert len(changed) > 3 and not [n for n in changed if " cards in " in lines[n - 1] and "sum" not in lines[n - 1]]


def test_people_of_an_example_are_renamed_in_it(names: Names) -> None:
    text = renamed_texts(names, "round: Ida", "Olga")["base.rules.md"]
    assert "Ida" not in text and "refused Olga plays red-1" in text


@pytest.mark.parametrize(
    ("words", "new", "why"),
    [
        ("keep score", "Score", "is no name"),
        ("keep score", "where", "is a word of the rule language"),
        ("keep score", "mood", "stands in line"),
        ("keep score", "hands", "stands in line"),
        ("    game", "match", "means the same in every game"),
        ("from left", "match", "Everyone"),
        ("choose card", "thing", "means the same in every game"),
    ],
)
def test_a_name_that_would_mean_something_else_is_refused(names: Names, words: str, new: str, why: str) -> None:
    if words == "from left":
        with pytest.raises(NotRenamed, match="no name here"):
            rename(names, 1, 1, new)
        return
    with pytest.raises(NotRenamed, match=why):
        rename(names, *place_of(names, words), new)


def test_catalogs_of_the_shipped_games_change_with_them() -> None:
    """But for the name, every catalog says what it said."""
    path = PATHS["little-devils"]
    names = names_of(opened(path, path.read_text(encoding="utf-8")))
    o = next(o for o in names.occurrences if o.meaning.kind == "keep")
    edits = rename(names, o.span.line, o.span.column, new_name(random.Random(1), o))
    spelled = {edit.text: old_text(names, edit) for edit in edits[path]}
    catalogs = [catalog for catalog in edits if catalog.suffix in (".po", ".pot")]
    assert len(catalogs) == 4
    for catalog in catalogs:
        before = catalog.read_text(encoding="utf-8")
        after = edited(before, edits[catalog])
        assert after != before and back(after, spelled) == before
