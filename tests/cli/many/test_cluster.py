"""`--cluster`: the same numbers from a Dask cluster, whatever becomes of its workers, or else plain words."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from shipped import SAMPLE, rules
from teufelswerk.engines.random_games import make_engine
from teufelswerk.engines.tally import Tally
from teufelswerk_cli.commands import cli
from teufelswerk_cli.console.options import Refused
from teufelswerk_cli.many import cluster, parcels, spreading
from teufelswerk_cli.many.portion import Errand, Lost, Portion, Work, play_portion
from teufelswerk_cli.many.same_program import version
from teufelswerk_cli.many.spreading import Where, portions

ROOT = Path(__file__).parents[3]
HERE = [ROOT / "interpreter", ROOT / "cli"]
GAMES = 600


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@dataclass
class Machines:
    """A scheduler on loopback, and workers that are processes of their own."""

    address: str
    folder: Path

    @contextmanager
    def started(self, *words: str, paths: list[Path]) -> Iterator[subprocess.Popen[bytes]]:
        """Without our modules but for those at the paths."""
        process = subprocess.Popen(
            [sys.executable, "-m", *words, "--no-dashboard"],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))},
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    @contextmanager
    def worker(self, *paths: Path) -> Iterator[subprocess.Popen[bytes]]:
        """A worker, as soon as the scheduler knows it."""
        from distributed import Client

        words = ("distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny")
        with Client(self.address, set_as_default=False, timeout=30) as client:
            before = len(client.ncores())
            with self.started(*words, paths=[*paths, *HERE]) as process:
                client.wait_for_workers(before + 1, timeout=60)
                yield process
            while len(client.ncores()) > before:
                time.sleep(0.05)


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    pytest.importorskip("distributed")
    folder, port = tmp_path_factory.mktemp("machines"), free_port()
    found = Machines(f"tcp://127.0.0.1:{port}", folder)
    words = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port))
    with found.started(*words, paths=[modules(folder, "raise ImportError")]):
        deadline = time.monotonic() + 60
        while socket.socket().connect_ex(("127.0.0.1", port)) and time.monotonic() < deadline:
            time.sleep(0.05)
        yield found


def modules(folder: Path, program: str) -> Path:
    """A folder in which our modules are other ones."""
    place = folder / f"modules-{len(list(folder.iterdir()))}"
    room = place / "teufelswerk_cli" / "many"
    room.mkdir(parents=True)
    for folder in (room.parent, room):
        (folder / "__init__.py").write_text("", encoding="utf-8")
    (room / "same_program.py").write_text(program, encoding="utf-8")
    return place


def works() -> list[Work]:
    return [Work.of(make_engine(rules(name), rules(name).min_players, "python")) for name in SAMPLE]


def sums(where: Where, lost: subprocess.Popen[bytes] | None = None) -> list[Tally]:
    """What all works come to; after a while somebody pulls the plug of a worker."""
    found = [Tally() for _ in works()]
    for number, portion in enumerate(portions(works(), 11, GAMES, where)):
        if lost is not None and number == 5:
            lost.kill()
        for tally, share in zip(found, portion.shares, strict=True):
            tally.merge(share.tally)
    return found


def test_a_lost_worker_changes_nothing(machines: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = sums(Where(1))
    assert [tally.games for tally in alone] == [GAMES] * len(SAMPLE)
    monkeypatch.setitem(spreading.PORTIONS, "python", 10 * len(SAMPLE))
    monkeypatch.setattr(cluster.Cluster, "times", 1)
    with machines.worker() as first, machines.worker():
        assert sums(Where(cluster=machines.address), lost=first) == alone
        assert first.poll() is not None
        said = [
            CliRunner().invoke(cli, ["simulate", SAMPLE[0], "--games", "40", *words]).output
            for words in ([], ["--cluster", machines.address])
        ]
        assert said[0] == said[1] and said[0].startswith("40 ")


@pytest.mark.parametrize("program", ["raise ImportError", "def version():\n    return '0.0.1+other'"])
def test_a_worker_with_another_program(machines: Machines, tmp_path: Path, program: str) -> None:
    with machines.worker(modules(tmp_path, program)), pytest.raises(Lost) as lost:
        sums(Where(cluster=machines.address))
    words = str(lost.value)
    assert "has no Teufelswerk" in words if "raise" in program else "0.0.1+other" in words and version() in words


def test_a_worker_with_another_program_that_comes_later(machines: Machines, tmp_path: Path) -> None:
    other = modules(tmp_path, "def version():\n    return '0.0.1+other'")
    with machines.worker() as first, cluster.crew_at(machines.address) as crew, machines.worker(other):
        first.kill()
        with pytest.raises(Lost, match=r"0\.0\.1\+other"):
            crew.submit((works(), 1, 1, False)).result()


HOSTILE = """
import os, pickle

class Trap:
    def __reduce__(self):
        return (exec, ("import os; open(%r + str(os.getpid()), 'w')",))

def version():
    from teufelswerk_cli.many import parcels
    parcels.played = lambda parcel: ANSWER
    return %r
"""


@pytest.mark.parametrize("answer", ["Trap()", "pickle.dumps(Trap())", "b'[1, 2]'", "b'{'", "7"])
def test_a_worker_that_answers_with_something_else(machines: Machines, tmp_path: Path, answer: str) -> None:
    """It is not run here, and there are words about it."""
    place = modules(tmp_path, (HOSTILE % (str(tmp_path / "sprung-"), version())).replace("ANSWER", answer))
    for file in (ROOT / "cli" / "teufelswerk_cli" / "many").glob("*.py"):
        if file.name not in ("__init__.py", "same_program.py"):
            (place / "teufelswerk_cli" / "many" / file.name).symlink_to(file)
    with machines.worker(place), pytest.raises(Lost, match="no results of these games"):
        sums(Where(cluster=machines.address))
    assert not (tmp_path / f"sprung-{os.getpid()}").exists()


def errand(kind: str) -> Errand:
    count = rules(SAMPLE[0]).min_players
    engine = make_engine(rules(SAMPLE[0]), count, "python", counting=kind in ("counted", "compared"))
    return [Work.of(engine, rows=kind == "rows")] * (2 if kind == "compared" else 1), 5, 9, kind == "compared"


KINDS = ("sums", "rows", "counted", "compared")


@pytest.mark.parametrize("kind", KINDS)
def test_a_portion_comes_back_as_it_was(kind: str) -> None:
    asked = errand(kind)
    assert parcels.unpacked(parcels.played(parcels.packed(asked)), asked) == play_portion(*asked)


def test_a_portion_with_a_game_that_does_not_end_comes_back_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = errand("sums")
    whole = play_portion(asked[0], 5, 7)
    stuck = Portion(9, [replace(whole.shares[0], failed=12)])
    monkeypatch.setattr(parcels, "play_portion", lambda *errand: stuck)
    assert parcels.unpacked(parcels.played(parcels.packed(asked)), asked) == stuck


def numbers_in(data: Any) -> Iterator[tuple[Any, int]]:
    """Every list that holds a number, and where."""
    for place, value in enumerate(data):
        if type(value) is int:
            yield data, place
        elif isinstance(value, list):
            yield from numbers_in(value)


@pytest.mark.parametrize("kind", KINDS)
def test_a_portion_of_something_else_is_refused(kind: str) -> None:
    asked = errand(kind)
    data = json.loads(parcels.played(parcels.packed(asked)))
    rows = [share[1].copy() for share in data[1]]
    tried, strange = 0, ("1", 0.5, None, list[Any](), dict[str, Any](), True)
    for part, place in list(numbers_in(data)):
        if any(part in table for table in rows):
            continue  # a row may also have texts and gaps in it
        value = part[place]
        for wrong in strange:
            part[place] = wrong
            tried += 1
            with pytest.raises(parcels.Strange):
                parcels.unpacked(json.dumps(data), asked)
        part[place] = value
    assert tried > 100
    assert parcels.unpacked(json.dumps(data), asked) == play_portion(*asked)
    for shape in (b"", b"[]", b"[9, [], []]", b"[9]", b"null", b"[" * 10**5, b"\xff", None, 7):
        with pytest.raises(parcels.Strange):
            parcels.unpacked(shape, asked)
    for table in (data[1][0][0][5], data[1][0][0][6], data[1][0][0][7], data[1], data[1][0][1], data[2]):
        if table:
            table.append(table[-1])
            with pytest.raises(parcels.Strange):
                parcels.unpacked(json.dumps(data), asked)
            table.pop()


def test_a_scheduler_without_workers(machines: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "ANSWER", 0.5)
    with pytest.raises(Lost, match="has no workers"):
        sums(Where(cluster=machines.address))


@pytest.mark.parametrize("address", ["nonsense", "tcp://127.0.0.1", "tcp://127.0.0.1:port", "http://127.0.0.1:80"])
def test_what_is_no_address(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(Refused, match=r"^2$"):
        cli.main(["simulate", SAMPLE[0], "--cluster", address], standalone_mode=False)
    assert "tcp://host:8786" in capsys.readouterr().err


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "ANSWER", 0.2)
    with pytest.raises(Lost, match="no Dask scheduler answers"):
        sums(Where(cluster=f"tcp://127.0.0.1:{free_port()}"))
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(Lost, match="no Dask scheduler answers"):
        sums(Where(cluster=f"tcp://127.0.0.1:{silent.getsockname()[1]}"))
