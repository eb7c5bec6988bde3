"""Every message of every catalog is said with real values: all plural classes, and whatever games and examples tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest
from catalog_entries import ALLOWED_LATIN, LATIN, entries, of_language
from shipped import NAMES, SAMPLE, TABLES, enough, loaded
from shipped import rules as rules_of
from teufelswerk import model
from teufelswerk.base.diagnostics import Diagnostic
from teufelswerk.base.find_files import shipped
from teufelswerk.base.texts import Text
from teufelswerk.base.texts import placeholders as names_in
from teufelswerk.examples.run_scenes import run_scenes
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Event
from teufelswerk.interpreter.state import Move
from teufelswerk.language.i18n import Translator, languages
from teufelswerk.loading.library import load
from teufelswerk.model.walk import expressions, statements

COUNTS = (0, 1, 2, 3, 5, 11, 21, 22, 25, 101)
PEOPLE = {"de": ("Anna", "Tom", "Ida", "Peter", "Jo", "Udo"), "ru": ("Анна", "Том", "Ида", "Питер", "Женя", "Оля")}
GAMES_IN_ALL = 200


def told_in_games(names: Sequence[str], games: int) -> tuple[Text, ...]:
    """Every sentence, once for each set of plural classes, that so many random games tell."""
    found: dict[tuple[str | None, str, tuple[bool, ...]], Text] = {}
    tables = [table.game for table in TABLES if table.name in names]
    for seed in range(max(games, len(tables))):
        log: list[Event] = []
        tables[seed % len(tables)].random_game(seed, log)
        if seed < len(tables):
            log += passes(tables[seed])
        for event in log:
            if event.told is not None:
                shape = tuple(value == 1 for value in event.told.whole.values.values())
                found.setdefault((event.told.whole.context, event.told.whole.msgid, shape), event.told.whole)
    return tuple(found.values())


def passes(game: Game) -> list[Event]:
    """What is told when somebody passes: so rare that random games may not come to it."""
    machine = game.thaw(game.start(0))
    machine.log = []
    for verb, move in game.rules.moves.items():
        if move.is_pass:
            game.code(verb).make(machine, 0, ())
    return machine.log


def refused(name: str) -> tuple[Text, ...]:
    """What the examples of a game find, also where their claims are turned round: refusals and reasons."""
    found: list[Text] = []
    for move in rules_of(name).moves.values():
        for must, _ in move.musts:
            found += [Text(s.msgid, msgctxt=s.context, **{name: 7 for name, _ in s.figures}) for s in must.told]
    for result in run_scenes(rules_of(name), loaded(name).scenes):
        found += [verdict.found for verdict in result.verdicts if verdict.found]
    return tuple(found)


@pytest.mark.parametrize("language", languages())
def test_every_entry_can_be_said_with_any_number(language: str) -> None:
    say = Translator(language)
    wrong = []
    for context, text in entries(of_language(language)):
        names = {name for name, _ in names_in(text)}
        for count in COUNTS:
            said = say(Text(text, msgctxt=context, **dict.fromkeys(names, count)))
            left = re.findall(r"\{[A-Za-z][\w-]*(?: of [A-Za-z][\w-]*)?(?::[^{}]*)?\}|\|(?=[^ ])", said)
            if left or not said.strip():
                wrong.append((text, said))
                break
    assert wrong == []


@pytest.mark.each_game
@pytest.mark.parametrize("name", NAMES)
def test_what_is_told_at_the_table_is_in_the_language(name: str) -> None:
    most = GAMES_IN_ALL if name in SAMPLE else enough(rules_of(name), rules_of(name).min_players, GAMES_IN_ALL, 2000)
    texts = (*told_in_games([name], most), *refused(name))
    wrong = []
    for language, people in PEOPLE.items():
        say = Translator(language)
        for text in texts:
            said = say(text, people)
            if said == str(text) or any(sentence_is_english(said, language)):
                wrong.append(said)
    assert wrong == []


def sentence_is_english(said: str, language: str) -> Iterator[bool]:
    """Latin letters in Russian; in German, words that only English has."""
    if language == "ru":
        yield bool(LATIN.search(ALLOWED_LATIN.sub(" ", said)))
    else:
        yield bool(re.search(r"\b(the|and|with|takes|leads|cards?|player)\b", said))


def test_random_games_tell_every_announcement_and_reason() -> None:
    """What a rule file tells in play, refusals and invitations aside, is told in 200 games or by a pass.

    Of other games some sentences are too rare for that; their examples tell every one (`examples --coverage`).
    """
    reached = {(text.context, text.msgid) for text in told_in_games(SAMPLE, GAMES_IN_ALL)}
    missing = []
    for name in SAMPLE:
        rules = rules_of(name)
        roots = [step.body for step in rules.steps.values()] + [move.effects for move in rules.moves.values()]
        sentences = [s for root in roots for statement in statements(root) for s in statement.told]
        for definition in rules.definitions.values():
            for expr in expressions(definition.value):
                if isinstance(expr, model.Alternatives):
                    sentences += [s for branch in expr.branches for s in branch.told]
        missing += [s.msgid for s in sentences if (s.context, s.msgid) not in reached]
    assert missing == []


@pytest.mark.parametrize("language", languages())
def test_diagnostics_are_said_in_the_language(language: str) -> None:
    from teufelswerk.base.diagnostics import render

    diagnostic = Diagnostic(
        "no-file", Text("there is no file `{path}`", path="x"), help=Text("write `{name}`", name="y")
    )
    lines = render(diagnostic, Translator(language)).splitlines()
    expected = {"de": ("Fehler", "Hilfe"), "en": ("error", "help"), "ru": ("ошибка", "подсказка")}
    if language in expected:
        first, second = expected[language]
        assert lines[0].lower().startswith(first.lower())
        assert second.lower() in lines[-1].lower()


@pytest.mark.parametrize(
    ("language", "usual", "changed"),
    [("de", "5 Teufeln", "3 Teufeln"), ("en", "5 devils", "3 devils"), ("ru", "5 дьяволят,", "3 дьяволёнка,")],
)
def test_a_changed_value_changes_what_a_refused_player_is_told(language: str, usual: str, changed: str) -> None:
    assert usual in first_refusal({}, language)
    assert changed in first_refusal({"barred-count": 3}, language)


def first_refusal(values: dict[str, int], language: str) -> str:
    """What the first player who leads a card that may not be led is told."""
    rules = load(shipped()["little-devils"], values).model
    assert rules
    game = Game(rules, 4)
    for seed in range(100):
        state = game.start(seed)
        machine = game.thaw(state)
        player = game.mover(machine)
        machine.slots[game.code("leads").move.slot] = player
        for picks in game.code("leads").combinations(machine):
            move = Move(player, "leads", picks)
            if move not in game.legal_moves(state):
                return Translator(language)(game.refusal(state, move).reason)
    raise AssertionError("nobody is dealt such a card")
