"""`simulate` and `bench`: what they say does not depend on the engine or on how the work is shared out."""

from __future__ import annotations

import csv
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from shipped import NAMES, PATHS, rules
from teufelswerk.base.diagnostics import Source
from teufelswerk.base.texts import Text
from teufelswerk.bots.bot_games import BotEngine
from teufelswerk.bots.company import Company
from teufelswerk.compare.value_ranges import plain_numbers
from teufelswerk.engines.paired import compare
from teufelswerk.engines.random_games import Engine, Played, make_engine
from teufelswerk.engines.tally import Tally
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import RuleError
from teufelswerk.loading.library import load, load_texts
from teufelswerk_cli.commands import cli
from teufelswerk_cli.console.options import Refused
from teufelswerk_cli.many import portion, spreading
from teufelswerk_cli.many.portion import Errand, Pending, Row, Work, columns, engine_of, play_portion
from teufelswerk_cli.many.simulation import play, rows_in
from teufelswerk_cli.many.spreading import Alone, Where, portions

GAME = "little-devils"
ROOT = Path(__file__).parents[3]


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def work(engine: str = "python", rows: bool = False, game: str = GAME) -> Work:
    return Work.of(make_engine(rules(game), rules(game).min_players, engine), rows)


def never(number: int, seed: int) -> None:
    raise AssertionError(f"the game of seed {seed} does not end")


def tallies(works: Sequence[Work], count: int, jobs: int) -> list[Tally]:
    found = play(works, (7, count), Where(jobs), never)
    assert not found.stopped
    return found.tallies


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(spreading.FEW, "python", 10)
    monkeypatch.setitem(spreading.PORTIONS, "python", 7)


def test_however_the_work_is_shared_out_the_sums_are_the_same(small_portions: None) -> None:
    alone = tallies([work()], 60, 1)
    assert alone[0].games == 60 and sum(alone[0].wins) >= 60
    assert tallies([work("reference")], 60, 1) == alone
    for jobs in (2, 3):
        assert tallies([work()], 60, jobs) == alone


def test_several_works_are_played_on_the_same_seeds(small_portions: None) -> None:
    works = [work(game=name) for name in NAMES]
    alone = [tallies([one], 20, 1)[0] for one in works]
    assert alone[0] != alone[-1]
    for jobs in (1, 2):
        assert tallies(works, 20, jobs) == alone


def test_pairs_are_the_same_however_they_are_shared_out(small_portions: None) -> None:
    number = rules(GAME).min_players
    value, now = next(iter(plain_numbers(rules(GAME)).items()))
    other = load(PATHS[GAME], {value: now + 1}).model
    assert other
    engines = [make_engine(model, number, "python", counting=True) for model in (rules(GAME), other, rules(GAME))]
    expected = [compare(engines[0], engine, 7, 40) for engine in engines[1:]]
    for jobs in (1, 2):
        found = play([Work.of(engine) for engine in engines], (7, 40), Where(jobs), never, paired=True)
        assert found.pairs == expected
        assert found.tallies == [engine.tally(7, 40) for engine in engines]


def test_rows_come_in_the_order_of_the_seeds(small_portions: None) -> None:
    found = [row for portion in portions([work(rows=True)], 7, 60, Where(2)) for row in portion.shares[0].rows]
    assert [row[0] for row in found] == list(range(7, 67))
    assert all(len(row) == len(columns(engine_of(work()))) for row in found)


def test_no_more_is_under_way_than_keeps_everyone_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Counting(Alone):
        def submit(self, errand: Errand) -> Pending:
            asked.append(errand[1])
            return super().submit(errand)

    monkeypatch.setattr(Where, "crew", lambda *_: nullcontext(Counting()))
    monkeypatch.setitem(spreading.PORTIONS, "python", 1)
    for taken, _ in zip(range(1, 20), portions([work()], 0, 10**12, Where()), strict=False):
        assert len(asked) <= taken + spreading.AHEAD


def test_whoever_plays_needs_no_rule_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The texts of a variant and of its base go along, and messages name the files that they came from."""
    base, variant = tmp_path / "base-game.rules.md", tmp_path / "tiny.rules.md"
    base.write_text(PATHS[GAME].read_text(encoding="utf-8"), encoding="utf-8")
    variant.write_text("# Tiny\n\nThe same.\n\n    variant of base-game\n", encoding="utf-8")
    known = load(variant).model
    assert known
    sent = pickle.loads(pickle.dumps(Work.of(make_engine(known, known.min_players, "python"))))
    base.unlink()
    variant.unlink()
    monkeypatch.setattr(portion, "engines", {})
    assert engine_of(sent).tally(7, 20) == engine_of(work()).tally(7, 20)
    assert [source.path for source in engine_of(sent).game.rules.sources] == [str(variant), str(base)]


def test_texts_without_the_base_that_they_name() -> None:
    found = load_texts([Source("far/tiny.rules.md", "# Tiny\n\n    variant of nowhere\n")])
    assert [d.code for d in found.diagnostics] == ["no-base"] and found.model is None
    assert found.diagnostics[0].span and found.diagnostics[0].span.source.path == "far/tiny.rules.md"


def test_a_game_that_the_rules_do_not_let_end_is_told_with_its_seed(tmp_path: Path, small_portions: None) -> None:
    engine = engine_of(work("reference"))
    broken = Engine.play

    def play_until_12(self: Engine, seed: int) -> Played:
        if seed >= 12:
            raise RuleError("no-end", Text("stuck"), None)
        return broken(self, seed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "play", play_until_12)
        share = play_portion([work("reference")], 7, 10).shares[0]
    assert share.failed == 12 and share.tally == engine.tally(7, 5)


def test_a_table_of_games(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    said = run("simulate", GAME, "--games", "5", "--seed", "3", "--rows", file)
    assert said.exit_code == 0, said.output
    with file.open(encoding="utf-8", newline="") as lines:
        table = list(csv.DictReader(lines))
    assert [int(line["seed"]) for line in table] == [3, 4, 5, 6, 7]
    player = make_engine(rules(GAME), rules(GAME).min_players, "reference")
    for line, game in zip(table, player.many(3, 5), strict=True):
        assert int(line["moves"]) == game.moves
        assert [seat for seat in range(player.players) if line[f"won_{seat}"] == "1"] == list(game.winners)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.csv"]


def test_a_table_in_parquet(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    file = tmp_path / "games.parquet"
    assert run("simulate", GAME, "--games", "5", "--rows", file).exit_code == 0
    assert duckdb.sql(f"select count(*), min(seed), max(seed) from '{file}'").fetchall() == [(5, 1, 5)]


def test_a_table_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"^2$"):
        run("simulate", GAME, "--games", "2", "--rows", tmp_path / "nowhere" / "games.csv")


def test_a_table_that_is_broken_off_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(TypeError), rows_in(tmp_path / "games.csv", ["seed"]) as write:
        write(None)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_bots_play_and_are_named(small_portions: None, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = rules(GAME).min_players
    words = ["simulate", GAME, "--games", "6", "--bots", "random"]
    said = run(*words, "--jobs", "1")
    assert said.exit_code == 0 and said.output.count("(random)") >= seats
    monkeypatch.setitem(spreading.FEW, "bots", 1)
    assert run(*words, "--jobs", "2").output == said.output
    assert run(*words[:4], "--engine", "reference").output != said.output.replace(" (random)", "")


def test_a_game_by_bots_is_the_one_that_they_play_among_themselves() -> None:
    game = Game(rules(GAME), rules(GAME).min_players)
    bots = ["random"] * game.players
    ended = Company(game, dict(enumerate(bots)), 3).play(3)
    played = engine_of(Work.of(BotEngine(rules(GAME), bots))).play(3)
    assert played.winners == ended.winners and played.moves > 0


@pytest.mark.parametrize(
    "words",
    [
        ["--bots", "careless"],
        ["--bots", "random", "--engine", "python"],
        ["--bots", "random,random,random", "--players", "2"],
        ["--bots", "random", "--record", "games.jsonl"],
    ],
)
def test_bots_that_cannot_play(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Refused, match=r"^2$"):
        run("simulate", GAME, "--games", "1", *words)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("engine", ["reference", "python"])
def test_every_engine_says_the_same(engine: str) -> None:
    said = run("simulate", GAME, "--games", "4", "--engine", engine)
    assert said.exit_code == 0 and said.output == run("simulate", GAME, "--games", "4").output


def test_records_are_for_the_reference(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"^2$"):
        run("simulate", GAME, "--games", "1", "--engine", "python", "--record", tmp_path / "a.jsonl")


def test_bench_prints_one_object() -> None:
    said = run("bench", GAME, "--seconds", "0.05", "--engine", "python", "--json")
    found = json.loads(said.output)
    assert found["engine"] == "python" and found["moves"] > found["games"] > 0
    assert found["seconds"] >= 0.05 and found["startup"] > 0
    assert "moves" in run("bench", GAME, "--seconds", "0.05", "--engine", "python").output


@pytest.mark.parametrize("engine", ["python", "reference"])
def test_bench_compares_games_from_the_middle_on_with_whole_ones(engine: str) -> None:
    said = run("bench", GAME, "--seconds", "0.5", "--engine", engine, "--from-positions", "--json")
    found = json.loads(said.output)
    assert found["engine"] == found["whole"]["engine"] == engine
    assert 0 < found["moves"] / found["games"] < found["whole"]["moves"] / found["whole"]["games"]
    assert "times as many" in run("bench", GAME, "--seconds", "0.05", "--engine", engine, "--from-positions").output


def test_rows_and_sums_are_of_the_same_games_whenever_it_is_stopped(small_portions: None) -> None:
    rows: list[Row] = []

    def write(more: list[Row]) -> None:
        if len(rows) > 20:
            signal.raise_signal(signal.SIGINT)
        rows.extend(more)

    found = play([work(rows=True)], (7, 60), Where(1), never, write)
    assert found.stopped and 20 < found.tallies[0].games == len(rows) < 60


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_whoever_stops_it_keeps_what_is_done(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    words = [sys.executable, "-m", "teufelswerk_cli", "simulate", GAME, "--games", "100000000", "--engine", "python"]
    path = os.pathsep.join([str(ROOT / "interpreter"), str(ROOT / "cli")])
    with subprocess.Popen(
        [*words, "--jobs", "2", "--rows", str(file)],
        env=os.environ | {"PYTHONPATH": path, "LANGUAGE": "en"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not any(part.stat().st_size > 20_000 for part in tmp_path.iterdir()):
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    games = len(file.read_text(encoding="utf-8").splitlines()) - 1
    assert games > 0 and said.startswith(f"{games:,} games of ")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.parametrize(
    "command", ["arena --games 500 --json --bots careful:20,random,random", "simulate --bots careful:20"]
)
def test_bots_that_think_long_are_stopped_at_once(command: str) -> None:
    """A game of theirs would take minutes."""
    name, *options = command.split()
    path = os.pathsep.join([str(ROOT / "interpreter"), str(ROOT / "cli")])
    with subprocess.Popen(
        [sys.executable, "-m", "teufelswerk_cli", name, "little-devils", *options, "--jobs", "2"],
        env=os.environ | {"PYTHONPATH": path, "LANGUAGE": "en"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        time.sleep(6)
        begun = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 130 and time.monotonic() - begun < 10
    assert '"stopped": true' in said or " games of " in said
