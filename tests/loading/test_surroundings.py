"""What a command meets around it: no home, folders that cannot be read or written, full disks, strange catalogs.

Whatever it is, there are words about it, or it does not matter; there is never a traceback, and no command hangs.
"""

from __future__ import annotations

import os
import pwd
import resource
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from commands_in_process import Run, Said, in_process  # noqa: F401
from shipped import NAMES, PATHS
from teufelswerk.base.limits import MAX_CATALOG_BYTES
from teufelswerk.language import catalogs
from teufelswerk.language.catalogs import read_catalog

GAME = NAMES[0]
PLAY = ("--players", "4", "--human", "Me", "--bots", "random")
COMMANDS = (
    ("games",), ("games", "--saved"), ("check", GAME), ("outline", GAME), ("values", GAME), ("examples", GAME),
    ("rulebook", GAME, "-o", "book.md"), ("simulate", GAME, "--games", "2", "--jobs", "1"), ("play", GAME, *PLAY),
    ("play", "--resume"), ("check", "nowhere"),
)  # fmt: skip
needs_unix = pytest.mark.skipif(sys.platform == "win32", reason="access is told otherwise there")


@pytest.fixture
def nobody(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Commands of a user whom the system does not know, and who has no home."""
    for variable in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)

    def unknown(number: int) -> pwd.struct_passwd:
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    return run


@needs_unix
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_user_without_a_home(nobody: Run, words: tuple[str, ...]) -> None:
    said = nobody(*words)
    saving = words in (("games", "--saved"), ("play", "--resume"))
    assert said.code == (1 if saving else 2 if "nowhere" in words else 0), said
    if saving or words[0] == "play":
        assert "there is no place for saved games" in said.err


@needs_unix
def test_a_saved_game_is_found_by_its_path_also_without_a_home(nobody: Run, tmp_path: Path) -> None:
    (tmp_path / "nothing.jsonl").write_text("\n")
    assert "there is no place" not in nobody("play", "--resume", tmp_path / "nothing.jsonl").err


# ---- folders --------------------------------------------------------------------------------------------------------


@contextmanager
def closed(folder: Path, mode: int) -> Iterator[None]:
    folder.chmod(mode)
    try:
        yield
    finally:
        folder.chmod(0o700)


@needs_unix
@pytest.mark.skipif(not os.getuid(), reason="root may read everything")
@pytest.mark.parametrize("mode", [0o000, 0o400, 0o100, 0o500])
@pytest.mark.parametrize("place", ["data", "data/teufelswerk", "data/teufelswerk/rules", "data/teufelswerk/games"])
def test_folders_of_the_user_that_are_closed(run: Run, tmp_path: Path, place: str, mode: int) -> None:
    """Where the tests run as root, the next one says the same of what the system would answer."""
    for name in ("rules", "games"):
        (tmp_path / "data" / "teufelswerk" / name).mkdir(parents=True)
    (tmp_path / "data" / "teufelswerk" / "rules" / "own.rules.md").write_bytes(PATHS[GAME].read_bytes())
    (tmp_path / "data" / "teufelswerk" / "games" / "own.jsonl").write_text("\n")
    with closed(tmp_path / place, mode):
        for words in COMMANDS:
            assert run(*words).code in (0, 1, 2)


@pytest.mark.parametrize("place", ["data/teufelswerk/rules", "data/teufelswerk/games", "data"])
def test_folders_that_cannot_be_listed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    forbidden = tmp_path / place
    listdir, stat = os.listdir, os.stat

    def is_closed(path: object) -> bool:
        return isinstance(path, (str, Path)) and Path(path).is_relative_to(forbidden)

    def listed(path: str | Path = ".") -> list[str]:
        if is_closed(path):
            raise PermissionError(13, "Permission denied", str(path))
        return listdir(path)

    def looked_at(path: str | Path, **settings: bool) -> os.stat_result:
        if is_closed(path) and Path(path) != forbidden:
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, **settings)

    monkeypatch.setattr(os, "listdir", listed)
    monkeypatch.setattr(os, "stat", looked_at)
    said = {words: run(*words) for words in COMMANDS if words[0] != "play" or "--resume" in words}
    assert {answer.code for answer in said.values()} <= {0, 1, 2}
    reason = "cannot be read: Permission denied"
    assert (reason in said["games",].err) == (place != "data/teufelswerk/games")
    assert (reason in said["games", "--saved"].err) == (place != "data/teufelswerk/rules")
    assert (reason in said["check", "nowhere"].err) == (place != "data/teufelswerk/games")
    assert said["check", GAME].code == 0


def child(words: tuple[str, ...], folder: Path, before: Callable[[], None] | None = None) -> Said:
    """A command in a process of its own."""
    environment = os.environ | {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    command = [sys.executable, "-m", "teufelswerk_cli", *words, "--lang", "en"]
    done = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, timeout=60, preexec_fn=before, check=False
    )
    return Said(done.returncode, done.stdout, done.stderr)


@needs_unix
@pytest.mark.parametrize("words", [COMMANDS[0], COMMANDS[2], ("play", GAME, *PLAY)], ids=" ".join)
def test_a_full_disk(tmp_path: Path, words: tuple[str, ...]) -> None:
    """No file can grow any more, as on a disk without room."""
    said = child(words, tmp_path, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)))
    assert said.code == 0, said
    assert "Traceback" not in said.err
    assert said.out
    assert not list((tmp_path / "teufelswerk").glob("tmp*"))


@needs_unix
@pytest.mark.parametrize(
    "words", [COMMANDS[0], COMMANDS[2], ("check", "own.rules.md"), ("play", GAME, *PLAY)], ids=" ".join
)
def test_a_working_folder_that_is_gone(tmp_path: Path, words: tuple[str, ...]) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()

    def leave() -> None:
        os.chdir(gone)
        gone.rmdir()

    said = child(words, tmp_path, leave)
    assert said.code == (2 if "own.rules.md" in words else 0), said
    assert "Traceback" not in said.err


# ---- closed and full streams ----------------------------------------------------------------------------------------


@needs_unix
@pytest.mark.parametrize("streams", [(0,), (1,), (2,), (0, 1, 2)], ids=str)
@pytest.mark.parametrize("words", [("check", GAME), ("check", "nowhere"), ("play", GAME, *PLAY)], ids=" ".join)
def test_streams_that_somebody_has_closed(tmp_path: Path, words: tuple[str, ...], streams: tuple[int, ...]) -> None:
    """Nothing is read from or written to them, nor to whatever file is opened next."""

    def close() -> None:
        for stream in streams:
            os.close(stream)

    said = child(words, tmp_path, close)
    assert said.code == (2 if "nowhere" in words else 0), said
    assert "Traceback" not in said.err


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="there is no such device")
@pytest.mark.parametrize("words", [("--help",), ("games",), ("rulebook", GAME), ("play", GAME, *PLAY)], ids=" ".join)
def test_what_is_said_to_a_full_disk(tmp_path: Path, words: tuple[str, ...]) -> None:
    """As with `check GAME >FILE`, where the sentence comes out beside it; if that is full too, the code tells."""

    def fill(*streams: int) -> None:
        for stream in streams:
            os.dup2(os.open(FULL, os.O_WRONLY), stream)

    said = child(words, tmp_path, lambda: fill(1))
    assert said.code == 2, said
    assert said.err.endswith("`stdout` cannot be written: No space left on device\n")
    assert "Traceback" not in said.err
    assert child(words, tmp_path, lambda: fill(1, 2)).code == 2


# ---- catalogs -------------------------------------------------------------------------------------------------------

HEADER = b'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"%s\\n"\n\n'
FINE = HEADER % b"X-Generator: none" + b'msgctxt "own: Cards"\nmsgid "a"\nmsgstr "b"\n'


def mo(*texts: tuple[bytes, bytes], length: int = 0) -> bytes:
    """A compiled catalog; with a length, each text claims to be so long."""
    count, begin = len(texts), 28 + 16 * len(texts)
    tables, body = [b"", b""], b""
    for column in (0, 1):
        for text in texts:
            tables[column] += struct.pack("<2I", length or len(text[column]), begin + (0 if length else len(body)))
            body += text[column] + b"\0"
    return (
        struct.pack("<7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, begin) + b"".join(tables) + body + b"x" * length
    )


DAMAGED = {
    "no-catalog.po": b"nonsense\n",
    "not-utf-8.po": FINE + b'msgid "\xff"\nmsgstr "c"\n',
    "zeros.po": b"\0" * 1000,
    "half-a-word.po": FINE + b'msgid "half\n',
    "no-answer.po": FINE + b'msgid "x"\n',
    "strange-number.po": FINE + b'msgid "x"\nmsgid_plural "y"\nmsgstr[z] "c"\n',
    "strange-date.po": HEADER % b"POT-Creation-Date: yesterday",
    "divides-by-zero.po": HEADER % b"Plural-Forms: nplurals=2; plural=n/(n-1);",
    "remainder-by-zero.po": HEADER % b"Plural-Forms: nplurals=2; plural=n%0;",
    "no-formula.po": HEADER % b"Plural-Forms: nplurals=2; plural=__import__('os');",
    "too-large.po": FINE + b"#" * MAX_CATALOG_BYTES,
    "nothing.mo": b"",
    "nonsense.mo": b"nonsense" * 10,
    "half.mo": mo((b"", b"Content-Type: text/plain; charset=utf-8"), (b"a", b"b"))[:-20],
    "other-encoding.mo": mo((b"", b"Content-Type: text/plain; charset=punycode")),
    "no-encoding.mo": mo((b"", b"Content-Type: text/plain; charset=nothing")),
    "one-upon-another.mo": mo(*[(b"%d" % n, b"x") for n in range(2000)], length=500_000),
    "many-claimed.mo": struct.pack("<7I", 0x950412DE, 0, 2**31, 28, 28, 0, 28),
    "too-large.mo": mo((b"", b"x")) + b"x" * MAX_CATALOG_BYTES,
}


@pytest.fixture
def beside(tmp_path: Path) -> Callable[[str, bytes], Path]:
    """A rule file with a catalog beside it."""

    def written(name: str, data: bytes) -> Path:
        folder = tmp_path / "rules" / "locales" / "de" / "LC_MESSAGES"
        folder.mkdir(parents=True)
        path = tmp_path / "rules" / "own.rules.md"
        path.write_bytes(PATHS[GAME].read_bytes())
        (folder / f"teufelswerk{Path(name).suffix}").write_bytes(data)
        return path

    return written


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_catalog_beside_a_rule_file(run: Run, beside: Callable[[str, bytes], Path], name: str) -> None:
    said = run("outline", beside(name, DAMAGED[name]), "--lang", "de")
    assert said.code == 0, said
    assert said.err.count("\n") == said.err.count("sind unbrauchbar") == 1, said.err
    assert "WARNING" not in said.out
    assert ("höchstens 2.000.000 Bytes" in said.err) == ("too-large" in name)


@pytest.mark.parametrize("words", [words for words in COMMANDS if GAME in words], ids=" ".join)
def test_every_command_goes_on_without_a_damaged_catalog(
    run: Run, beside: Callable[[str, bytes], Path], words: tuple[str, ...]
) -> None:
    path = str(beside("own.po", b"nonsense"))
    said = run(*(path if word == GAME else word for word in words), "--lang", "de")
    assert said.code == 0, said
    assert said.err.count("sind unbrauchbar") == 1


def test_the_line_of_the_damage_is_named(run: Run, beside: Callable[[str, bytes], Path]) -> None:
    path = beside("own.po", FINE + b"\nmsgidd\n")
    assert "Zeile 10" in run("outline", path, "--lang", "de").err


@needs_unix
def test_a_pipe_in_place_of_a_catalog_is_not_waited_for(run: Run, beside: Callable[[str, bytes], Path]) -> None:
    path = beside("own.po", b"")
    file = path.parent / "locales" / "de" / "LC_MESSAGES" / "teufelswerk.po"
    file.unlink()
    os.mkfifo(file)
    assert run("outline", path, "--lang", "de").code == 0


def test_a_whole_catalog_is_used(tmp_path: Path) -> None:
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    for name, data in (
        ("po", FINE),
        ("mo", mo((b"", b"Content-Type: text/plain; charset=UTF-8"), (b"own: Cards\4a", b"b"))),
    ):
        (folder / f"teufelswerk.{name}").write_bytes(data)
        assert read_catalog(tmp_path, "de").pgettext("own: Cards", "a") == "b"
        (folder / f"teufelswerk.{name}").unlink()


def test_forms_without_end_take_no_memory() -> None:
    many = HEADER % b"Plural-Forms: nplurals=2000000000; plural=0" + b'msgid "x"\nmsgid_plural "y"\nmsgstr[0] "z"\n'
    assert len(catalogs._as_mo(many, "de")) < 10_000
