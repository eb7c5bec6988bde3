"""Characters that steer a terminal, turn letters round or show nothing: known, named, and refused in names."""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

import pytest
from bounded import ROOT
from shipped import PATHS
from teufelswerk.base.diagnostics import render
from teufelswerk.base.hidden_characters import UNSEEN, harmless, unfit_as_name
from teufelswerk.loading.library import load

STEERING = {"Cc", "Cf", "Cs", "Zl", "Zp"}
INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180f\u2800\u3164\uffa0\ufe00\ufe0f\U000e0100"


def test_every_character_that_steers_or_shows_nothing_is_known() -> None:
    steering = {c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) in STEERING} - {"\n", "\t"}
    assert sorted(hex(ord(c)) for c in steering.union(INVISIBLE) if not UNSEEN.fullmatch(c)) == []


def test_every_letter_and_sign_is_left_alone() -> None:
    shown = {c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c)[0] in "LNPSZ"}
    seen = shown - set("\u2028\u2029\u2800\u115f\u1160\u3164\uffa0")
    assert sorted(hex(ord(c)) for c in seen if UNSEEN.search(c)) == []


@pytest.mark.parametrize("text", ["♥\ufe0f", "می\u200cخواهم", "क्\u200dष", "Größe, Пики", "a\tb\nc", "👍🏽"])
def test_what_scripts_and_pictures_need_is_left_alone(text: str) -> None:
    assert harmless(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("T\x1b]0;PWNED\x07", "T<U+001B>]0;PWNED<U+0007>"),
        ("a\x9b31m\r", "a<U+009B>31m<U+000D>"),
        ("C\u202eevil", "C<U+202E>evil"),
        ("Ti\u061ctle", "Ti<U+061C>tle"),
        ("An\u200dna", "An<U+200D>na"),
        ("a\ufe0fb", "a<U+FE0F>b"),
        ("x\U000e0041", "x<U+E0041>"),
        ("\udcff", "<U+DCFF>"),
    ],
)
def test_a_character_that_cannot_be_seen_is_named_in_its_place(text: str, shown: str) -> None:
    assert harmless(text) == shown


@pytest.mark.parametrize("name", ["\x1b[31mBob", "C\u202eevil", "A\nB", "A\tB", "a\u00adb", "a\u3164", "", "  "])
def test_a_name_with_such_a_character_is_refused(name: str) -> None:
    assert unfit_as_name(name) is not None


@pytest.mark.parametrize(
    ("name", "shown"), [("esc-title", "# T<U+001B>]0;PWNED<U+0007><U+001B>[31mred"), ("u-alm", "# Ti<U+061C>tle")]
)
def test_a_title_with_such_a_character_is_refused_and_quoted_harmlessly(name: str, shown: str) -> None:
    loaded = load(ROOT / "tests" / "hostile" / f"{name}.rules.md")
    assert loaded.model is None
    [said] = [render(diagnostic, str) for diagnostic in loaded.diagnostics]
    line, carets = said.splitlines()[3:5]
    assert line == f"1 | {shown}" and line[carets.index("^") : carets.rindex("^") + 1].startswith("<U+")


NAMED = (
    "\u061c\u00ad\u200c\u200d\u180e\u3164\U000e0041\U000e007f\u202a\u202e\u2066\u2069\u200b\u200e\ufeff\u2028\x85\x1b"
)
"""Those that turn letters round, join or part them, or show nothing."""
NAMES_IN_A_FILE = {
    "title": "# Little", "heading": "## Leading", "value": "barred-count", "place": "trick", "kept": "leader",
    "verb": "leads", "step": "playing", "person": "Ida", "sentence": '"Lead a card."',
    "paragraph": "You may lead any card",
}  # fmt: skip


@pytest.mark.parametrize("where", NAMES_IN_A_FILE)
def test_no_name_title_or_sentence_has_such_a_character_within(where: str, tmp_path: Path) -> None:
    text, word = PATHS["little-devils"].read_text(encoding="utf-8"), NAMES_IN_A_FILE[where]
    assert word in text
    path = tmp_path / "own.rules.md"
    for character in NAMED:
        path.write_text(text.replace(word, f"{word[:-1]}{character}{word[-1]}"), encoding="utf-8", newline="")
        loaded = load(path)
        assert loaded.model is None and {d.code for d in loaded.diagnostics} >= {"control-character"}, hex(
            ord(character)
        )


@pytest.mark.parametrize("character", NAMED, ids=lambda character: f"{ord(character):04X}")
def test_no_player_is_called_by_such_a_character(character: str) -> None:
    for name in (f"Ev{character}e", f"{character}Eve", f"Eve{character}", character):
        assert unfit_as_name(name) is not None
        assert character not in harmless(name)


@pytest.mark.parametrize("name", ["Ida", "Hol's der Teufel", "Жанна", "Ann ♥\ufe0f", "می\u200cخواهم"])
def test_other_names_are_fine(name: str) -> None:
    assert unfit_as_name(name) is None
