"""Nothing that a file, a folder or an option says can steer the terminal: every command, every way in."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest
from babel.messages.pofile import read_po, write_po
from bounded import ROOT, SEARCH_PATH, Bounded
from shipped import PATHS

HOSTILE = ROOT / "tests" / "hostile"
EVIL = "\x1b]0;PWNED\x07\x1b[8m\x9b31m\r\x08\u202e\u061c\u200b\u2066\U000e0041"
OUR_OWN = re.compile(
    r"\x1b\[[0-9;]*m"  # styles
    r"|\x1b\[\?(1049|25|2004)[hl]|\x1b\[(H|[23]J|2K|1A|K|[0-9]+G)|\r(?=[\n\x1b])|\r$"  # the screen, the cursor
)
PAGED = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|[\x07\x08\r]")
"""How less moves about on the screen, and leaves it."""
COMMANDS = {
    "arena": "arena GAME --games 1 --bots random",
    "bench": "bench GAME --engine reference --seconds 0.05",
    "cards": "cards GAME -o FOLDER/cards.svg",
    "check": "check GAME",
    "check --format json": "check GAME --format json",
    "diff": "diff GAME --set target=5",
    "examples": "examples GAME",
    "examples --coverage": "examples GAME --coverage",
    "fmt": "fmt GAME --check",
    "games": "games GAME",
    "gaps": "gaps GAME --games 1 --players 3",
    "messages": "messages GAME --into de",
    "outline": "outline GAME",
    "play": "play GAME --players 3 --watch --bots random --seed 1 --set target=5",
    "referee": "referee GAME --human A --human B --human C",
    "report": "report GAME --games 2 --jobs 1 -o FOLDER/page.html",
    "rulebook": "rulebook GAME",
    "rulebook --clauses": "rulebook GAME --format md --clauses",
    "rulebook --format html": "rulebook GAME --format html",
    "rulebook --format pdf": "rulebook GAME --format pdf -o FOLDER/book.pdf",
    "rulebook -o": "rulebook GAME -o FOLDER/book.html",
    "simulate": "simulate GAME --games 1 --jobs 1",
    "sweep": "sweep GAME --over target=5,6 --over hand-size=7,8 --games 2 --jobs 1",
    "train": "train GAME --players 3 --stages 1 --decisions 100 -o FOLDER/learned.toml",
    "values": "values GAME",
}
WITHOUT_GAME = {"replay"}
SERVING = {"host", "lsp", "studio"}
"""What goes on until somebody ends it. What a table says at its start are links; an editor reads messages."""


def raw(said: str) -> list[str]:
    """The control and format characters in what was said, but for ends of lines and what we send ourselves."""
    odd = {c for c in OUR_OWN.sub("", said) if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    return sorted(map(ascii, odd - {"\n", "\t"}))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The user's data: games of their own and saved ones, all of them hostile."""
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        patch.setenv("XDG_DATA_HOME", str(home))
        patch.setenv("HOME", str(home))
        own, saved = home / "teufelswerk" / "rules", home / "teufelswerk" / "games"
        own.mkdir(parents=True)
        saved.mkdir()
        shutil.copy(HOSTILE / "esc-title.rules.md", own / "esc-title.rules.md")
        shutil.copy(PATHS["little-devils"], own / f"own{EVIL}.rules.md")
        shutil.copy(PATHS["little-devils"], own / "own\udcff.rules.md")
        lines = (HOSTILE / "record-escape.jsonl").read_text(encoding="utf-8").splitlines()
        (saved / f"first{EVIL}.jsonl").write_text("{}\n", encoding="utf-8")
        (saved / "second.jsonl").write_text(
            "\n".join([json.dumps({**json.loads(lines[0]), "seats": ["careful"] * 3}), *lines[1:-4], ""])
        )
        (saved / "third.jsonl").write_text(
            json.dumps({**json.loads(lines[0]), "players": ["a", "b", "c"], "seats": [EVIL] * 3, "file": EVIL}) + "\n"
        )
        yield home


@pytest.fixture(scope="module")
def run(home: Path) -> Iterator[Bounded]:
    with Bounded(home) as bounded:
        yield bounded


def game_with(folder: Path, name: str = "own", *changes: tuple[str, str]) -> Path:
    text = PATHS["little-devils"].read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.rules.md"
    path.write_text(text, encoding="utf-8")
    return path


def catalog_beside(path: Path) -> None:
    """A catalog that puts what steers a terminal before every text of the file and of the program."""
    with (ROOT / "locales" / "teufelswerk.pot").open("rb") as file:
        catalog = read_po(file)
    for message in catalog:
        if isinstance(message.id, str) and message.id:
            message.string = EVIL + message.id
    folder = path.parent / "locales" / "en" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "teufelswerk.po").open("wb") as file:
        write_po(file, catalog, width=0)


IN_THE_FILE = (
    ("# Little Devils", f"# Little{EVIL} Devils"),
    ("## Leading", f"## Leading{EVIL}"),
    ("You may lead any card", f"You may{EVIL} lead any card"),
    ("    barred-count = 5", f"    bar{EVIL}red-count = 5"),
    ('"Lead a card."', f'"Lead{EVIL} a card."'),
)
PLACES = ["a catalog beside it", "its name and its folder", "its lines"]


@pytest.fixture(scope="module", params=PLACES)
def hostile_game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, where = tmp_path_factory.mktemp("game"), request.param
    if where == "its name and its folder":
        return game_with(folder / f"folder{EVIL}", f"own{EVIL}")
    path = game_with(folder, "own", *(IN_THE_FILE if where == "its lines" else ()))
    if where == "a catalog beside it":
        catalog_beside(path)
    return path


def words(command: str, game: Path | str, folder: Path) -> list[str]:
    return [word.replace("GAME", str(game)).replace("FOLDER", str(folder)) for word in COMMANDS[command].split()]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_game_cannot_steer_the_terminal(run: Bounded, hostile_game: Path, command: str, tmp_path: Path) -> None:
    answer = run(*words(command, hostile_game, tmp_path), within=10)
    assert raw(answer.out) == [] and raw(answer.err) == []
    if command == "check --format json":
        assert all(json.loads(line) for line in answer.out.splitlines())
    else:
        assert answer.out or answer.err


def test_every_command_is_among_these() -> None:
    from teufelswerk_cli.commands import cli

    assert {command.split()[0] for command in COMMANDS} | WITHOUT_GAME | SERVING == set(cli.commands)


@pytest.mark.parametrize("saved", [False, True])
def test_lists_cannot_steer_the_terminal(run: Bounded, saved: bool) -> None:
    answer = run("games", *(["--saved"] if saved else []))
    assert answer.code == 0 and raw(answer.out) == [] and raw(answer.err) == []
    assert "<U+202E>" in answer.out


HEADS: dict[str, dict[str, Any]] = {
    "players": {},
    "file": {"players": ["a", "b", "c"], "file": f"/nowhere/{EVIL}.rules.md"},
    "game": {"players": ["a", "b", "c"], "game": EVIL},
    "variant": {"players": ["a", "b", "c"], "variant": EVIL},
    "set": {"players": ["a", "b", "c"], "set": {EVIL: 3}},
    "rules": {"players": ["a", "b", "c"], "rules": EVIL},
}


@pytest.mark.parametrize("field", HEADS)
def test_a_record_cannot_steer_the_terminal(run: Bounded, field: str, tmp_path: Path) -> None:
    first, *lines = (HOSTILE / "record-escape.jsonl").read_text(encoding="utf-8").splitlines()
    path = tmp_path / f"record{EVIL}.jsonl"
    path.write_text("\n".join([json.dumps({**json.loads(first), **HEADS[field]}), *lines]), encoding="utf-8")
    answer = run("replay", path, "--fast")
    assert raw(answer.out) == [] and raw(answer.err) == []
    assert answer.out or answer.err


@pytest.mark.parametrize("number", [0, 2])
@pytest.mark.parametrize("place", ["name", "move", "to"])
def test_a_line_of_a_record_cannot_steer_the_terminal(run: Bounded, place: str, number: int, tmp_path: Path) -> None:
    lines = (HOSTILE / "record-escape.jsonl").read_text(encoding="utf-8").splitlines()
    entries = [{**json.loads(lines[0]), "players": ["a", "b", "c"]}, *map(json.loads, lines[1:])]
    [entry for entry in entries if place in entry][number][place] = EVIL
    path = tmp_path / "record.jsonl"
    path.write_text("\n".join(map(json.dumps, entries)), encoding="utf-8")
    answer = run("replay", path, "--fast")
    assert answer.code != 0 and raw(answer.out) == [] and raw(answer.err) == []


OPTIONS = [
    f"play little-devils --players 3 --human {EVIL}Eve",
    f"play little-devils --players 3 --human Eve --bots {EVIL}",
    f"play --resume {EVIL}",
    "play --resume first",
    "play --resume second",
    "play --resume third",
    f"play {EVIL}",
    f"check little-devils --set target{EVIL}=5",
    f"check little-devils --set target=5{EVIL}",
    f"check little-devils --set target=5 --set {EVIL}=5",
    "check little-devils --set \udcff=5",
    "check \udcff",
    f"check little-devils --variant {EVIL}",
    f"sweep little-devils --over {EVIL}=1..3",
    f"sweep little-devils --over target=1..{EVIL}",
    f"sweep little-devils --over target=5,6 --games 1 --measure {EVIL}",
    f"simulate little-devils --engine {EVIL}",
    f"simulate little-devils --games {EVIL}",
    f"simulate little-devils --games 1 --bots {EVIL}",
    f"simulate little-devils --games 1 --record /nowhere/{EVIL}",
    f"rulebook little-devils -o /nowhere/{EVIL}",
    f"report little-devils {EVIL}",
    f"{EVIL}",
    f"check --{EVIL}",
    f"check a --format {EVIL}",
]


@pytest.mark.parametrize("line", OPTIONS, ids=range(len(OPTIONS)))
def test_an_option_cannot_steer_the_terminal(run: Bounded, line: str) -> None:
    answer = run(*line.split(" "))
    assert answer.out or answer.err
    assert raw(answer.out) == [] and raw(answer.err) == []


def test_a_language_cannot_steer_the_terminal() -> None:
    environment = {**os.environ, "PYTHONPATH": SEARCH_PATH}
    command = [sys.executable, "-m", "teufelswerk_cli", "--lang", EVIL.replace("\0", "")]
    said = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert said.returncode == 2 and raw(said.stderr.decode()) == []


# ---- where somebody is looking --------------------------------------------------------------------------------------


def shown(home: Path, *arguments: str | Path, typed: str = "", seconds: int = 30) -> str:
    """What reaches the terminal; each line is typed when it is asked for, and a long text is left."""
    environment = {**os.environ, "PYTHONPATH": SEARCH_PATH, "XDG_DATA_HOME": str(home), "TERM": "xterm-256color"}
    command = ["-m", "teufelswerk_cli", "--lang", "en", *map(str, arguments)]
    child = pexpect.spawn(
        sys.executable, command, env=environment, timeout=seconds, encoding="utf-8", dimensions=(40, 100)
    )
    child.setecho(False)
    said: list[Any] = []
    for line in typed.splitlines():
        left = re.compile("(?!)")
        while child.expect([r"(?:helps\)|goes on) > ", r"\(q\)"]):
            left = PAGED
            said.append(left.sub("", str(child.before)))
            child.send("q")
        said += [left.sub("", str(child.before)), child.after]
        child.sendline(line)
    child.expect(pexpect.EOF)
    child.close()
    return "".join(map(str, [*said, child.before]))


@pytest.mark.parametrize("command", ["check", "play", "rulebook", "sweep", "simulate"])
def test_a_catalog_cannot_steer_a_real_terminal(home: Path, command: str, tmp_path: Path) -> None:
    path = game_with(tmp_path / "game")
    catalog_beside(path)
    more = ["--fast"] if command == "play" else []
    said = shown(tmp_path / "data", *words(command, path, tmp_path), *more)
    assert raw(said) == [] and "PWNED" in said
    assert "\x1b[8m" not in said


def test_a_prompt_and_a_page_cannot_steer_a_real_terminal(tmp_path: Path) -> None:
    path = game_with(tmp_path / "game")
    catalog_beside(path)
    options = "--players 3 --human Eve --bots random --seed 1 --fast"
    said = shown(tmp_path / "data", "play", path, *options.split(), typed="?\n\nscores\n\nrules\n\nwhy 1\nquit")
    assert raw(said) == []
    assert "PWNED" in said and "\x1b[1m" in said
    assert "\x1b[8m" not in said


def test_a_record_cannot_steer_a_real_terminal(tmp_path: Path) -> None:
    said = shown(tmp_path, "replay", HOSTILE / "record-escape.jsonl", "--fast")
    assert raw(said) == [] and "\x1b[31mBob" not in said


# ---- pytest ---------------------------------------------------------------------------------------------------------


def test_pytest_shows_nothing_that_steers_the_terminal(tmp_path: Path) -> None:
    game_with(tmp_path, "own", *IN_THE_FILE)
    game_with(tmp_path, "failing", ("    refused Ida leads 15", "    allowed Ida leads 15"))
    game_with(tmp_path, f"evil{EVIL}")
    environment = {**os.environ, "PYTHONPATH": SEARCH_PATH, "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "--rootdir", ".", "."]
    said = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    out = said.stdout.decode()
    assert said.returncode == 1 and raw(out) == [] and raw(said.stderr.decode()) == []
    assert "U+001B" in out and "expected: allowed Ida leads 15" in out
    assert "evil<U+001B>" in out


def test_a_player_with_such_a_name_is_refused(run: Bounded) -> None:
    answer = run("play", "little-devils", "--players", "3", "--human", "E\u202eve")
    assert answer.code == 2
    assert answer.err == "a name cannot have a character that cannot be seen (U+202E)\n"
