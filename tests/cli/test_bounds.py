"""Every command ends within a bound that it names, whatever a rule file that the checker accepts asks of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bounded import Bounded
from commands_in_process import Run
from commands_in_process import in_process as in_process
from largest import LARGEST, game, scenes
from teufelswerk.base.budget import Deadline
from teufelswerk.bots import company
from teufelswerk.bots.company import Company
from teufelswerk.compare import find_scenes, value_ranges
from teufelswerk.compiled import turns as compiled_turns
from teufelswerk.core.lower_game import core_of
from teufelswerk.core.walk import all_forms
from teufelswerk.engines.random_games import make_engine
from teufelswerk.examples import findings as findings
from teufelswerk.examples import open_games
from teufelswerk.examples.open_games import OpenGame, OpenGames
from teufelswerk.examples.rule_gaps import find_gaps
from teufelswerk.examples.run_scenes import run_scene
from teufelswerk.examples.scene_start import first_time
from teufelswerk.interpreter import random_play
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Event, Machine, RuleError
from teufelswerk.loading.library import Loaded, load
from teufelswerk.rulebook import section_examples as book_examples
from teufelswerk.rulebook.content import book_of
from teufelswerk_cli.authoring import examples_shown as examples_command
from teufelswerk_cli.authoring import watch as watch_command

Write = Callable[[str], Path]
TOO_LONG = ("repeat 1000 times", ("repeat 25 times", "    each player", "        player shows"))
LONG_ENOUGH = 10.0
"""Seconds of the processor within which something is done that may take one: far more than on any machine we know."""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str) -> Path:
        path = tmp_path / "large.rules.md"
        path.write_text(text, encoding="utf-8")
        return path

    return written


@pytest.fixture
def large(write: Write) -> Callable[[str], Loaded]:
    def loaded(name: str) -> Loaded:
        found = load(write(LARGEST[name]()))
        assert found.model, found.diagnostics
        return found

    return loaded


# ---- bots -----------------------------------------------------------------------------------------------------------


def thoughts(loaded: Loaded, moves: int, kind: str) -> Iterator[tuple[str, int, float]]:
    """What players of a kind choose, with what they look at for it and the time that it takes."""
    assert loaded.model
    game = Game(loaded.model, 2)
    company = Company(game, {0: kind, 1: kind}, 5)
    events: list[Event] = []
    state = game.start(3, events)
    company.tell(state, events)
    for _ in range(moves):
        seat = game.player(state)
        assert seat is not None
        view, work, begun = game.view(state, seat), game.meter.work, time.thread_time()
        move = company.bots[seat].choose(view)
        state = game.apply(state, move, events := [])
        company.tell(state, events)
        yield str(game.describe(move)), game.meter.work - work, time.thread_time() - begun


@pytest.mark.parametrize("kind", ["careful", "expert"])
@pytest.mark.parametrize("name", ["choices", "choices-several", "choices-judged", "work-without-a-decision", "places"])
def test_bots_answer_however_much_there_is_to_look_at(name: str, kind: str, large: Callable[[str], Loaded]) -> None:
    loaded = large(name)
    found = list(thoughts(loaded, 3, kind))
    assert all(seconds < LONG_ENOUGH / 4 for _, _, seconds in found), found
    assert [move for move, _, _ in found] == [move for move, _, _ in thoughts(loaded, 3, kind)]


# ---- games ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["reference", "python"])
def test_no_engine_plays_on_when_a_game_has_too_many_moves(engine: str, write: Write) -> None:
    rounds, round = TOO_LONG
    loaded = load(write(game(rounds=rounds, round=round, shows=("choose tip from 1 to 20", "score becomes tip"))))
    assert loaded.model
    with pytest.raises(RuleError, match="did not end within 50000 moves"):
        make_engine(loaded.model, 2, engine).play(1)


@pytest.mark.parametrize("engine", ["reference", "python"])
def test_no_engine_plays_on_when_a_game_offers_too_much(
    engine: str, large: Callable[[str], Loaded], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random_play, "MAX_WORK_IN_GAME", 2_000_000)
    monkeypatch.setattr(compiled_turns, "MAX_WORK_IN_GAME", 2_000_000)
    loaded = large("moves-with-many-choices")
    assert loaded.model
    with pytest.raises(RuleError, match="not over after 2000000 things"):
        make_engine(loaded.model, 2, engine).play(1)


def test_bots_come_to_the_end_of_a_game_that_goes_on_and_on(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    eager = 100_000
    monkeypatch.setattr(company, "WORK_OF_EAGER_BOTS", eager)
    loaded = load(write(game(rounds="repeat 300 times", shows=("choose tip from 1 to 9", "score becomes score + tip"))))
    assert loaded.model
    tables = [Game(loaded.model, 2) for _ in range(2)]
    companies = [Company(table, {0: "careful", 1: "careful"}, 5) for table in tables]
    ended = [company.play(5) for company in companies]
    assert companies[0].moves == 600 and tables[0].meter.work < 3 * eager
    assert ended[0] == ended[1]


def test_a_game_of_bots_that_never_ends_is_given_up(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(company, "MAX_WORK_OF_BOTS", 100_000)
    loaded = load(write(game(shows=("choose tip from 1 to 20", "score becomes tip"))))
    assert loaded.model
    with pytest.raises(RuleError, match="not over after 100000 things"):
        Company(Game(loaded.model, 2), {0: "careful", 1: "careful"}, 5).play(5)


def test_a_player_has_so_many_choices_in_all_moves_together(run: Run, write: Write) -> None:
    result = run("check", write(LARGEST["choices-of-many-moves"]()))
    assert result.code == 2
    assert "the moves together offer more than 20,000 choices" in result.err


def test_gaps_are_not_looked_for_where_nobody_ever_decides(write: Write) -> None:
    loops = ["repeat 1000 times", "    repeat 1000 times", "        repeat 1000 times", "            shuffle deck"]
    loaded = load(write(game(before=loops)))
    assert loaded.model
    with pytest.raises(RuleError, match="200000 steps without a decision"):
        find_gaps(loaded.model, 2, 1, 1)


# ---- the checker ----------------------------------------------------------------------------------------------------


def test_definitions_are_walked_through_once(large: Callable[[str], Loaded]) -> None:
    model = large("wide-definitions").model
    assert model
    parts = sum(1 for _ in all_forms(core_of(model)))
    assert parts < 20 * len(model.definitions)


def test_scenes_of_the_same_people_share_a_game(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    led: list[int] = []

    class Counted(OpenGame):
        def __init__(self, *given: Any) -> None:
            made.append(self)
            super().__init__(*given)

    def counted(game: Game, begin: int) -> Machine | None:
        led.append(begin)
        return first_time(game, begin)

    monkeypatch.setattr(open_games, "OpenGame", Counted)
    monkeypatch.setattr(open_games, "first_time", counted)
    loaded = load(write(game(after=scenes(300, ("now score of PlayerA is 0",)))))
    assert loaded.model
    assert findings.example_findings(loaded.model, loaded.scenes) == []
    assert len(made) == len(led) == 1


@pytest.mark.parametrize("name", ["futures", "open-worlds", "lines-in-a-scene"])
def test_a_scene_that_takes_long_is_stopped_in_the_middle(name: str, large: Callable[[str], Loaded]) -> None:
    loaded, begun = large(name), time.thread_time()
    assert loaded.model
    seconds = 0.5 if name != "lines-in-a-scene" else 0.001
    found = findings.example_findings(loaded.model, loaded.scenes, seconds)
    assert found[-1].code == "not-run"
    assert str(seconds) in str(found[-1].message)
    assert time.thread_time() - begun < LONG_ENOUGH


def test_a_scene_is_stopped_for_pytest_too(large: Callable[[str], Loaded]) -> None:
    loaded = large("futures")
    assert loaded.model
    result = run_scene(OpenGames(loaded.model, Deadline(0.3)), loaded.scenes[0], None)
    assert result.stopped and not result.holds
    assert len(result.verdicts) < len(loaded.scenes[0].lines)


# ---- commands that stop ---------------------------------------------------------------------------------------------


def test_values_says_where_it_stopped_and_how_to_look_at_one(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(LARGEST["values"]())
    monkeypatch.setattr(value_ranges, "_fine", lambda assembled, values, deadline: deadline.check() or frozenset({2}))
    monkeypatch.setattr(value_ranges.values_of, "__defaults__", ((), 0.05))
    result = run("values", path)
    lines = result.out.splitlines()
    assert result.code == 0 and len(lines) > 1_800
    assert "v1799 = 1799" in lines
    assert "of 1,801 values were tried" in lines[-1] and "large.rules.md NAME`" in lines[-1]
    monkeypatch.undo()
    assert run("values", path, "v1799").out == "v1799 = 1,799, at least 0\n"
    assert "there is no value called `v1801`" in run("values", path, "v1801").err


def test_examples_says_where_it_stopped(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples_command, "SECONDS_OF_ALL_EXAMPLES", 0)
    path = write(game(after=scenes(5)))
    for options in ([], ["--coverage"]):
        result = run("examples", path, *options)
        assert result.code == 1
        assert "Stopped after 0 seconds: 0 of 5 scenes were run." in result.out


def test_watch_says_where_it_stopped(
    write: Write, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(watch_command, "SECONDS_OF_EXAMPLES", 0)
    monkeypatch.setattr(watch_command, "SECONDS_OF_WATCHED_GAMES", 0)
    watch_command.watch_files([str(write(game(after=scenes(5))))], {}, Path, lambda: False)
    said = capsys.readouterr().out
    assert "Stopped after 0 seconds: 0 of 5 scenes were run." in said
    assert "Stopped playing after 0 seconds." in said


def test_diff_stops_within_a_game(large: Callable[[str], Loaded], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find_scenes, "SECONDS_OF_DIFF", 0.3)
    loaded, begun = large("choices"), time.thread_time()
    other = load(loaded.path, {"hand-size": 60}).model
    assert loaded.model and other
    assert find_scenes.compare(loaded.model, other).stopped
    assert time.thread_time() - begun < LONG_ENOUGH


def test_a_rulebook_shows_examples_up_to_a_bound_that_no_clock_moves(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book_examples, "MAX_WORK_OF_BOOK", 5_000)
    loaded = load(write(game(after=scenes(400, ("now score of PlayerA is 0",)))))
    assert loaded.model
    books = [book_of(loaded.model, loaded.scenes) for _ in range(2)]
    cut = [[bool(section.paragraphs[0].remarks) for section in book.examples] for book in books]
    assert cut[0] == cut[1] == sorted(cut[0])
    assert 0 < sum(cut[0]) < 400


# ---- all of them ----------------------------------------------------------------------------------------------------

COMMANDS = {
    "check": ("check", "{file}"),
    "fmt": ("fmt", "--check", "{file}"),
    "outline": ("outline", "{file}"),
    "examples": ("examples", "{file}"),
    "coverage": ("examples", "--coverage", "{file}"),
    "values": ("values", "{file}"),
    "diff": ("diff", "{file}", "--set", "hand-size=45"),
    "rulebook": ("rulebook", "{file}", "-o", "{folder}/book.html"),
    "gaps": ("gaps", "{file}", "--games", "1"),
    "simulate": ("simulate", "{file}", "--games", "1", "--jobs", "1"),
    "sweep": ("sweep", "{file}", "--over", "hand-size=4..5", "--games", "1", "--jobs", "1"),
    "report": ("report", "{file}", "--games", "2", "--jobs", "1", "-o", "{folder}/report.html"),
    "bench": ("bench", "{file}", "--seconds", "0.1"),
    "arena": ("arena", "{file}", "--bots", "careful,random", "--games", "1"),
}
SECONDS = {
    "examples": 70.0,
    "coverage": 70.0,
    "gaps": 60.0,
    "simulate": 60.0,
    "sweep": 120.0,
    "report": 180.0,
    "arena": 150.0,
}
OTHERS = 30.0


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGEST)
def test_every_command_keeps_its_bound(name: str, write: Write, tmp_path: Path) -> None:
    """On two machines of different speed a bound by a clock is kept alike; one by work takes as long as it takes."""
    path = write(LARGEST[name]())
    with Bounded(tmp_path, 200.0, 2**30, 3_600) as bounded:
        for command, words in COMMANDS.items():
            answer = bounded(*(word.format(file=path, folder=tmp_path) for word in words))
            assert answer.code in (0, 1, 2), (command, answer)
            assert answer.seconds < SECONDS.get(command, OTHERS), (command, answer.seconds)
