"""`simulate` and `bench`: what they say does not depend on the engine or on how the work is shared out."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from shipped import NAMES, PATHS, rules
from teufelswerk.compiled import engines
from teufelswerk.compiled.engines import make_engine
from teufelswerk.compiled.tally import Tally
from teufelswerk_cli import simulation
from teufelswerk_cli.commands import cli
from teufelswerk_cli.options import Refused
from teufelswerk_cli.simulation import Task, columns, portions, rows_in, simulate

GAME = NAMES[-1]
ROOT = Path(__file__).parent.parent


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def task(engine: str = "python", rows: bool = False) -> Task:
    return Task(str(PATHS[GAME]), {}, rules(GAME).min_players, engine, rows)


def tally(count: int, jobs: int, engine: str = "python") -> Tally:
    player = make_engine(rules(GAME), rules(GAME).min_players, engine)
    found, stopped = simulate(task(engine), player, 7, count, jobs)
    assert not stopped
    return found


def test_however_the_work_is_shared_out_the_sums_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = tally(60, 1)
    assert alone.games == 60 and sum(alone.wins) >= 60
    assert tally(60, 1, "reference") == alone
    monkeypatch.setitem(simulation.FEW, "python", 10)
    monkeypatch.setitem(simulation.PORTIONS, "python", 7)
    for jobs in (2, 3):
        assert tally(60, jobs) == alone


def test_rows_come_in_the_order_of_the_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(simulation.FEW, "python", 10)
    monkeypatch.setitem(simulation.PORTIONS, "python", 7)
    player = make_engine(rules(GAME), rules(GAME).min_players, "python")
    rows = [row for portion in portions(player, task(rows=True), 7, 60, 2) for row in portion.rows]
    assert [row[0] for row in rows] == list(range(7, 67))
    assert all(len(row) == len(columns(player)) for row in rows)


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


@pytest.mark.parametrize("engine", ["reference", "python"])
def test_every_engine_says_the_same(engine: str) -> None:
    said = run("simulate", GAME, "--games", "4", "--engine", engine)
    assert said.exit_code == 0 and said.output == run("simulate", GAME, "--games", "4").output


def test_records_are_for_the_reference(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"^2$"):
        run("simulate", GAME, "--games", "1", "--engine", "python", "--record", tmp_path / "a.jsonl")


def test_machine_code_that_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engines, "has_native", lambda: False)
    with pytest.raises(Refused, match=r"^2$"):
        cli.main(["bench", GAME, "--engine", "native"], standalone_mode=False)
    assert "numba" in capsys.readouterr().err


def test_bench_prints_one_object() -> None:
    said = run("bench", GAME, "--seconds", "0.05", "--engine", "python", "--json")
    found = json.loads(said.output)
    assert found["engine"] == "python" and found["moves"] > found["games"] > 0
    assert found["seconds"] >= 0.05 and found["startup"] > 0
    assert "moves" in run("bench", GAME, "--seconds", "0.05", "--engine", "python").output


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
        part = tmp_path / "games.csv.part"
        while time.monotonic() < deadline and not (part.exists() and part.stat().st_size > 20_000):
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    games = len(file.read_text(encoding="utf-8").splitlines()) - 1
    assert games > 0 and said.startswith(f"{games:,} games of ")
