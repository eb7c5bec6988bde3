"""A guided round: every question says what has happened, which rule applies, and what each choice leads to."""

from __future__ import annotations

import re

import pytest
from commands_in_process import Run
from commands_in_process import in_process as in_process
from teufelswerk.bots.foresight import WORLDS
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Event
from teufelswerk.interpreter.state import Move, State
from teufelswerk.loading.model_cache import load_game
from teufelswerk.sessions.session import HUMAN, Session
from teufelswerk_cli.table.lesson import Lesson
from teufelswerk_cli.table.prompt import Turn
from teufelswerk_cli.table.screen import Screen
from teufelswerk_cli.table.sitting import Sitting

run = in_process
FAMILIES = (("little-devils", "3"), ("hols-der-teufel", "3"), ("durak", "3"), ("gin-rummy", "2"), ("kuhn", "2"))


def turns(name: str, players: int, count: int, seed: int = 5) -> list[tuple[Turn, list[str]]]:
    """Turns of the first seat, each with its lesson."""
    game = Game(load_game(name), players)
    names = ["Me", "Anna", "Tom", "Ida"][:players]
    session = Session(game, names, [HUMAN] + ["random"] * (players - 1), seed, None)
    session.begin()
    table, found = Sitting(session, Screen()), list[tuple[Turn, list[str]]]()
    while (seat := game.player(session.state)) is not None and len(found) < count:
        view = game.view(session.state, seat)
        if seat == 0:
            turn = Turn(table, view)
            found.append((turn, lesson(turn)))
        session.make(session.adviser(seat).choose(view))
    return found


def lesson(turn: Turn) -> list[str]:
    """The lesson at this moment."""
    session = turn.session
    explained = Lesson(turn.table.game, turn.table.names, session.adviser(0), turn.view, turn.moves)
    told = session.told[session.decided_at(0) :]
    return [line.plain for line in explained.lines(told, turn.table.screen.wrapped)]


@pytest.mark.parametrize(("name", "players"), FAMILIES)
def test_every_choice_is_explained(name: str, players: str) -> None:
    for turn, said in turns(name, int(players), 4):
        assert [line for line in said if line.startswith("What you do now: ")]
        at = next(number for number, line in enumerate(said) if "lead" in line and line.startswith(("What", "The 12")))
        explained = " ".join(" ".join(said[at + 1 :]).split())
        for move in turn.view.moves if len(turn.view.moves) <= 12 else ():
            words = " ".join(turn.moves.words(move, turn.view).plain.split())
            assert re.search(rf"(?:^|; |[.)] ){re.escape(words)}(?:; |:| \()", explained), (words, explained)


def test_what_is_certain_is_so_and_what_is_likely_is_counted() -> None:
    """Whoever answers lower than the card led sends the trick down, wherever the other cards lie."""
    game = Game(load_game("little-devils"), 4)
    for seed in range(3, 20):
        for turn, lines in turns("little-devils", 4, 5, seed):
            if turn.view.moves[0].verb != "answers":
                continue
            led = int((turn.view.places["trick"].cards or ())[0])
            said = " ".join(line.strip() for line in lines)
            for move in turn.view.moves:
                card = game.rules.cards[move.picks[0]].id
                way = "up" if int(card) > led else "down"
                assert f"{card}: Me answers with {card}, so the trick goes {way}" in said
            assert f"of {WORLDS})" in said
            return
    raise AssertionError


def test_a_lesson_is_made_of_what_its_reader_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The true position is never asked: only worlds that fit the view are played on."""
    game = Game(load_game("little-devils"), 3)
    session = Session(game, ["Me", "Anna", "Tom"], [HUMAN, "random", "random"], 8, None)
    session.begin()
    while game.player(session.state) != 0:
        session.make(game.legal_moves(session.state)[0])
    turn = Turn(Sitting(session, Screen()), game.view(session.state, 0))
    hidden, asked = session.state, list[object]()
    apply = game.apply

    def noting(state: State, move: Move, log: list[Event] | None = None) -> State:
        asked.append(state)
        return apply(state, move, log)

    monkeypatch.setattr(game, "apply", noting)
    monkeypatch.delattr(session, "state")
    lesson(turn)
    assert len(asked) > WORLDS
    assert hidden not in asked


@pytest.mark.parametrize("language", ["de", "en", "ru"])
def test_a_guided_round_says_why_and_then_lets_go(run: Run, language: str) -> None:
    words = ("play", "little-devils", "--players", "3", "--human", "Eve", "--seed", "4", "--set", "hand-size=7")
    said = run(*words, "--teach", "--bots", "random", "--lang", language, typed="#1\n" * 8).out
    title = {"de": "Was gerade geschehen ist", "en": "What has just happened", "ru": "Что произошло"}[language]
    over = {"de": "Ab hier spielst du allein", "en": "From here on you play", "ru": "Дальше играйте сами"}[language]
    assert said.count(title) == 7
    assert said.count(over) <= 1


def test_a_lesson_can_be_asked_for_at_any_time(run: Run) -> None:
    words = ("play", "little-devils", "--players", "3", "--human", "Eve", "--seed", "4", "--bots", "random")
    assert "What you do now" not in run(*words, typed="#1\n").out
    assert run(*words, typed="lesson\n#1\n").out.count("What you do now") == 1


@pytest.mark.parametrize("name", ["little-devils", "durak"])
def test_a_hint_says_of_the_best_moves_what_comes_of_them(name: str) -> None:
    """It says so in sentences that the lesson of that turn has too."""
    for turn, said in turns(name, 3, 6):
        turn.table.notes.clear()
        turn.hint("")
        reasons = [words.strip() for words, style in turn.table.notes if style == "dim" and words.startswith("  ")]
        if len(turn.view.moves) > 1 and reasons:
            told = re.compile("|".join(re.escape(each.split("(")[0].strip()) for each in reasons))
            assert told.search(" ".join(" ".join(said).split()))
            return
    raise AssertionError
