"""The whole rules at the table, in every language, with whatever shows long texts."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from at_terminal import Person
from teufelswerk.base.texts import Text
from teufelswerk.interpreter.game import Game
from teufelswerk.language.i18n import Translator, languages
from teufelswerk.loading.model_cache import load_game
from teufelswerk.rulebook.words import heading

TYPED = {"de": "regeln alles", "en": "rules all", "ru": "правила все"}
each_language = pytest.mark.parametrize("language", languages())


class Reader:
    """Somebody who asks for the whole rules."""

    def __init__(self, data: Path, language: str, **others: str) -> None:
        self.say = Translator(language)
        rules = Game(load_game("little-devils"), 3).rules
        titles = [self.say(heading(rules, s.index)) for s in rules.sections if not s.is_example]
        self.first, self.last = titles[1], titles[-1]
        self.turn = re.escape(self.say(Text("{player}, your move (? helps)", player="Jo")) + " > ")
        self.goes_on = re.escape(self.say(Text("Enter goes on")) + " > ")
        self.way_back = self.say(Text("q goes back to the table"))
        self.person = Person(
            data, "little-devils", "--players", "3", "--human", "Jo", "--bots", "random", "--fast", "--seed", "3",
            language=language, others=others,
        )  # fmt: skip
        self.person.hears(self.turn)
        self.person.says(TYPED[language])

    def leaves(self) -> None:
        self.person.says("quit")
        self.person.leaves()


@pytest.mark.skipif(not shutil.which("less"), reason="there is no less")
@each_language
@pytest.mark.parametrize("pager", ["", "less -FRX"])
def test_less_shows_the_rules_and_how_to_leave(language: str, pager: str, tmp_path: Path) -> None:
    reader = Reader(tmp_path, language, PAGER=pager, LESS="-FX")
    me = reader.person
    me.hears(re.escape(reader.way_back))
    me.hears(re.escape(reader.first))
    me.hears(r"\(q\)")
    me.child.send("G")
    me.hears(re.escape(reader.last))
    me.hears(re.escape(reader.way_back))
    me.hears(r"\(q\)")
    me.child.send("q")
    me.hears(reader.turn)
    heard = me.heard.getvalue()
    assert "^@" not in heard and "<U+" not in heard and "\N{REPLACEMENT CHARACTER}" not in heard
    reader.leaves()


@pytest.mark.skipif(not shutil.which("less"), reason="there is no less")
@each_language
def test_less_shows_the_rules_also_where_letters_are_english_ones(language: str, tmp_path: Path) -> None:
    reader = Reader(tmp_path, language, PAGER="", LC_ALL="C", PYTHONUTF8="1")
    reader.person.hears(re.escape(reader.first))
    reader.person.hears(r"\(q\)")
    reader.person.child.send("q")
    reader.person.hears(reader.turn)
    reader.leaves()


@pytest.mark.skipif(not shutil.which("less"), reason="there is no less")
def test_what_interrupts_less_does_not_leave_the_table(tmp_path: Path) -> None:
    reader = Reader(tmp_path, "en", PAGER="less")
    reader.person.hears(r"\(q\)")
    reader.person.child.sendintr()
    reader.person.hears(r"\(q\)")
    reader.person.child.send("G")
    reader.person.hears(re.escape(reader.last))
    reader.person.hears(r"\(q\)")
    reader.person.child.send("q")
    reader.person.hears(reader.turn)
    reader.leaves()


@each_language
def test_what_goes_by_at_once_stays_until_enter(language: str, tmp_path: Path) -> None:
    """Any other program may end by itself; the table comes back when it is asked for."""
    reader = Reader(tmp_path, language, PAGER="cat")
    reader.person.hears(re.escape(reader.last))
    reader.person.hears(reader.goes_on)
    reader.person.says("")
    reader.person.hears(reader.turn)
    reader.leaves()


@each_language
@pytest.mark.parametrize("others", [{"PAGER": "no-such-program"}, {"PAGER": "'"}, {"PAGER": "", "PATH": "/nowhere"}])
def test_without_a_program_for_it_pages_are_shown(language: str, others: dict[str, str], tmp_path: Path) -> None:
    reader = Reader(tmp_path, language, **others)
    me = reader.person
    me.hears(re.escape(reader.first))
    for _ in range(20):
        me.hears(reader.goes_on)
        if reader.last in me.frames()[-1]:
            break
        me.says("")
    else:
        raise AssertionError
    me.says("quit")
    me.leaves()
    assert all(len(frame.split("\n")) <= 24 for frame in me.frames()[1:-1])
