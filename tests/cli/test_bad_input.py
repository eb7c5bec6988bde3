"""Bad input of every kind: always a sentence and an exit code, never a traceback, a hang or half a file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bounded import ROOT, SEARCH_PATH, Bounded
from teufelswerk.interpreter.records import line_of

GAME = """# Little game

    players 2 to 4

## Cards

    cards
        number: 1 to 20

## Play

    place deck, seen by nobody
    place hand of each player, seen by owner
    place table, seen by all
    keep score of each player: 0
    size = 3
    game:
        cards go to deck
        shuffle deck
        deal size from deck to each hand
        repeat size times
            each player
                player plays
        lowest score wins
    player plays:
        choose card from hand
        card goes to table
        score becomes score + number of card
"""


def edited(*changes: tuple[str, str]) -> str:
    text = GAME
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def in_game(*lines: str) -> str:
    """The game with lines at its beginning."""
    return edited(("    game:\n", "    game:\n" + "".join(f"        {line}\n" for line in lines)))


def declared(*lines: str) -> str:
    """The game with more declarations."""
    return GAME + "".join(f"    {line}\n" for line in lines)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bounded]:
    with Bounded(tmp_path_factory.mktemp("bounded")) as bounded:
        yield bounded


def chain(line: Callable[[int], str], last: str, length: int) -> list[str]:
    return [*(line(n) for n in range(length)), last]


def doubling_steps(levels: int) -> list[str]:
    lines: list[str] = []
    for n in range(levels):
        lines += [f"s{n}:", f"    s{n + 1}", f"    s{n + 1}"]
    return [*lines, f"s{levels}:", "    shuffle deck"]


SOME = ", ".join(f"v{n}" for n in range(60))

FILES: dict[str, tuple[str | bytes, str]] = {
    "not UTF-8": (b"# T\xfcr\n", "not-utf-8"),
    "UTF-16": (GAME.encode("utf-16"), "not-utf-8"),
    "tabs": (GAME.replace("        ", "\t\t").replace("    ", "\t"), "tab"),
    "tabs mixed with spaces": (edited(("        number", "    \tnumber")), "tab"),
    "NUL": (edited(("# Little", "# Li\0ttle")), "control-character"),
    "empty": ("", "empty-file"),
    "blank": ("\n \n\n", "empty-file"),
    "only prose": ("There was a game.\n", "no-heading"),
    "10 MB": ("# X\n\n" + "word " * 2_000_000, "too-large"),
    "many lines": ("# X\n" + "\n" * 30_000, "too-large"),
    "20,000 declarations": (declared(*(f"a{n} = {n}" for n in range(19_900))), "too-large"),
    "1,900 mistakes": (declared(*(f"a{n} is {n} {n} {n}" for n in range(1_900))), "and-more"),
    "1,900 unknown names": (declared(*(f"name-number-{n} = nime-number-{n}" for n in range(1_900))), "and-more"),
    "a line of 100,000 characters": (declared("a = " + "1 + " * 25_000 + "1"), "long-line"),
    "indented 10,000 deep": ("# X\n\n" + "\n".join(" " * n + "if" for n in range(4, 900)), "too-deep"),
    "brackets 10,000 deep": (declared("a = " + "(" * 10_000 + "1" + ")" * 10_000), "long-line"),
    "brackets 400 deep": (declared("a = " + "(" * 400 + "1" + ")" * 400), "long-clause"),
    "brackets 50 deep": (declared("a = " + "(1 + " * 50 + "1" + ")" * 50), "too-deep"),
    "of of of": (declared("a of player = " + "left of " * 50 + "player"), "too-deep"),
    "of, and nothing else": (declared("a = " + "of " * 300), "long-clause"),
    "not not not": (declared("a = " + "not " * 110 + "score is 1"), "too-deep"),
    "where where where": (declared("a = " + "some cards where " * 35 + "number is 1"), "too-deep"),
    "eight sets in one another": (
        in_game("if " + "some cards where " * 8 + "number is 1", "    shuffle deck"),
        "too-slow",
    ),
    "else if else if": (
        in_game("if size is 1", "    shuffle deck", *["else if size is 2", "    shuffle deck"] * 500),
        "too-deep",
    ),
    "a range without end": (edited(("1 to 20", "1 to 1000000000000")), "bad-range"),
    "a range with 900 digits": (edited(("1 to 20", "1 to " + "9" * 900)), "long-name"),
    "many ranges": (edited(("1 to 20", ", ".join(["1 to 1000"] * 80))), "listed-twice"),
    "a huge product": (
        edited(("number: 1 to 20", "number: 1 to 900" + "".join(f"\n        n{i}: 1 to 900" for i in range(60)))),
        "too-many-cards",
    ),
    "a gap in a table": (
        edited(("number: 1 to 20", "number: 1 to 20\n        worth by number:\n            1: 1 to 10")), "table-gap",
    ),
    "an overlap in a table": (
        edited(("1 to 20", "1 to 20\n        worth by number:\n            1: 1 to 10\n            2: 10, others")),
        "table-overlap",
    ),
    "a deal of too many cards": (edited(("size = 3", "size = 11")), "too-few-cards"),
    "0 players": (edited(("2 to 4", "0 to 4")), "player-range"),
    "6 to 3 players": (edited(("2 to 4", "6 to 3")), "player-range"),
    "1 to 10,000 players": (edited(("2 to 4", "1 to 10000")), "player-range"),
    "a million places": (declared("place p of each 1 to 1000000, seen by all"), "bad-range"),
    "a million counts": (declared("keep p of each 1 to 1000000: 0"), "bad-range"),
    "many families": (
        declared(*(f"place p{n} of each 1 to 900, seen by all" for n in range(900))), "too-many-places",
    ),
    "a loop without end": (in_game("repeat until 1 is 2", "    shuffle deck"), "endless"),
    "a loop that waits for chance": (
        in_game("repeat until score of random player is 7", "    shuffle deck"),
        "random-here",
    ),
    "a hundred million times": (in_game("repeat 100000000 times", "    shuffle deck"), "large-number"),
    "a million times": (in_game("repeat 1000000 times", "    shuffle deck"), "endless"),
    "loops of loops": (in_game("repeat 1000 times", "    repeat 1000 times", "        shuffle deck"), "endless"),
    "seven loops in one another": (
        in_game(*("    " * n + "repeat 2 times" for n in range(7)), "    " * 7 + "shuffle deck"), "too-deep",
    ),
    "loops over many names": (
        edited(
            ("number: 1 to 20", f"number: 1 to 10\n        colour: {SOME}"),
            ("    game:\n", "    game:\n        each colour\n            each colour\n                each colour\n"
             "                    each colour\n                        each player\n"
             "                            score becomes 0\n"),
        ), "too-slow",
    ),
    "division by zero": (in_game("score of random player becomes size / 0 rounded up"), "division-by-zero"),
    "division by what becomes zero": (
        declared("rest = size - 3", "share = 10 / rest rounded down").replace("deal size", "deal share"),
        "division-by-zero",
    ),
    "read before it is set": (
        declared("keep dealer: player").replace("        shuffle deck\n", "        dealer plays\n", 1), "not-set-yet",
    ),
    "choosing 10 of 20": (
        edited(("choose card from hand", "choose 10 cards from cards"), ("card goes to table", "cards go to table"),
               (" + number of card", " + 1")), "too-many-choices",
    ),
    "steps in a circle": (declared("one:", "    two", "two:", "    one").replace("shuffle deck", "one"), "circle"),
    "a step that calls itself": (declared("one:", "    one").replace("shuffle deck", "one"), "circle"),
    "definitions in a circle": (declared("a = b + 1", "b = c + 1", "c = a + 1"), "circle"),
    "a definition of itself": (declared("a = a + 1"), "circle"),
    "a kept thing that begins as itself": (declared("keep a: a + 1"), "circle"),
    "kept things in a circle": (declared("keep a: b", "b = a + 1"), "circle"),
    "a circle of 900 definitions": (declared(*chain(lambda n: f"d{n} = d{n + 1} + 1", "d900 = d0", 900)), "too-deep"),
    "a chain of 1,900 definitions": (declared(*chain(lambda n: f"d{n} = d{n + 1} + 1", "d1900 = 1", 1900)), "too-deep"),
    "definitions that double 40 times": (
        declared(*chain(lambda n: f"d{n} = d{n + 1} + d{n + 1}", "d40 = 1", 40)), "too-long",
    ),
    "steps that double 30 times": (
        declared(*doubling_steps(30)).replace("        shuffle deck\n", "        s0\n", 1), "too-long",
    ),
    "a chain of 900 steps": (
        declared(*(line for n in range(900) for line in (f"s{n}:", f"    s{n + 1}")), "s900:", "    shuffle deck")
        .replace("        shuffle deck\n", "        s0\n", 1), "too-deep",
    ),
    "a number of 500 digits": (declared("a = " + "7" * 500), "long-name"),
    "a large number": (declared("a = 70000000"), "large-number"),
    "a number that grows too large": (declared("a = 999999 * 999999").replace("size times", "a times"), "large-number"),
    "a word of 900 letters": (declared("x" * 900 + " = 1"), "long-name"),
    "a variant of itself": ("# X\n\n    variant of bad\n", "circle"),
    "a variant of nothing": ("# X\n\n    variant of nothing\n", "no-base"),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_bad_file_gets_a_diagnostic(run: Bounded, name: str, tmp_path: Path) -> None:
    content, code = FILES[name]
    path = tmp_path / "bad.rules.md"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    answer = run("check", path)
    assert answer.code == 2
    assert f"[{code}]" in answer.err, answer.err


NESTED = "number of card"
for _ in range(3):
    NESTED = f"(count cards where (number + {NESTED}) is above 0)"

HEAVY = edited(
    ("1 to 20", "1 to 40"),
    ("choose card from hand", f'choose card from cards\n        {NESTED} must be above 99 if able\n            "No."'),
    ("        repeat size times\n            each player\n                player plays\n", "        playing\n"),
    ("    player plays:\n", "    playing:\n        each player\n            player plays\n    player plays:\n"),
) + "\n## Example\n\n    scene playing: Ida, Tom\n    Ida plays 1\n"  # fmt: skip


ENGINES = ["simulate --games 1 --engine reference", "simulate --games 1 --engine python"]


@pytest.mark.parametrize("command", [*ENGINES, "examples", "play --players 2 --human Ida", "arena --games 1"])
def test_a_decision_that_would_take_for_ever_is_refused(run: Bounded, command: str, tmp_path: Path) -> None:
    """Nobody has to check a file before playing it."""
    path = tmp_path / "heavy.rules.md"
    path.write_text(HEAVY, encoding="utf-8")
    name, *options = command.split()
    answer = run(name, path, *options, within=10)  # what ends it is counted; two million things take a second or two
    assert answer.code in (1, 2)
    assert "from one decision to the next, more than 2,000,000 things are looked at" in answer.out + answer.err


@pytest.mark.parametrize("content", [GAME, "\ufeff" + GAME, GAME.replace("\n", "\r\n"), GAME.rstrip("\n")])
def test_what_editors_do_to_files_is_accepted(run: Bounded, content: str, tmp_path: Path) -> None:
    path = tmp_path / "good.rules.md"
    path.write_bytes(content.encode())
    answer = run("check", path)
    assert answer.code == 0, answer.err


def test_what_is_no_file_is_refused(run: Bounded, tmp_path: Path) -> None:
    closed = tmp_path / "closed.rules.md"
    closed.write_text(GAME)
    closed.chmod(0)
    names = [tmp_path, tmp_path / "none.rules.md", tmp_path / ("x" * 300 + ".rules.md")]
    for name in names if os.access(closed, os.R_OK) else [*names, closed]:
        answer = run("check", f"{name}/" if name is tmp_path else name)
        assert answer.code == 2
        assert "error[" in answer.err


def test_an_unknown_game_is_refused_with_the_nearest(run: Bounded) -> None:
    answer = run("check", "little-devil")
    assert answer.code == 2
    assert "write `little-devils`" in answer.err


SETTINGS = [
    "", "=", "size", "size=", "=3", "size=-1", "size=x", "size=1.5", "size=²", "size=" + "9" * 5000,
    "size=" + "0" * 5000, "nothing=3", "game=3", "size=99999999", "size=1=2", "siez=3", "\udcff=3", "size=11",
]  # fmt: skip


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_nonsense_setting_is_refused(run: Bounded, setting: str, tmp_path: Path) -> None:
    path = tmp_path / "game.rules.md"
    path.write_text(GAME)
    answer = run("check", path, "--set", setting)
    assert answer.code == 2
    assert answer.err


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "0", "1e99", "x", ""])
def test_a_nonsense_time_is_refused(run: Bounded, seconds: str) -> None:
    answer = run("bench", "little-devils", "--seconds", seconds)
    assert answer.code == 2 and "Invalid value for '--seconds'" in answer.err


# ---- records --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def record(run: Bounded, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    path = tmp_path_factory.mktemp("record") / "game.jsonl"
    assert run("simulate", "little-devils", "--games", "1", "--record", path, "--set", "target=5").code == 0
    assert run("replay", path).code == 0
    return path.read_text(encoding="utf-8").splitlines()


def changed(line: str, **fields: Any) -> str:
    return json.dumps({**json.loads(line), **fields})


def first_move(lines: list[str]) -> int:
    return next(i for i, line in enumerate(lines) if '"move"' in line)


def replaced(old: str, new: str, lines: list[str]) -> list[str]:
    """The lines with one change: in the last one where it can be made."""
    at = max(number for number, line in enumerate(lines) if old in line)
    return [*lines[:at], lines[at].replace(old, new, 1), *lines[at + 1 :]]


Damage = Callable[[list[str]], "list[str] | bytes"]
UNREADABLE, NOT_WHAT_WAS_PLAYED, NO_LONGER_FITS = 2, 2, 1
DAMAGES: dict[str, tuple[Damage, int]] = {
    "empty": (lambda lines: [], UNREADABLE),
    "not UTF-8": (lambda lines: b"\xff\xfe\x00", UNREADABLE),
    "no JSON": (lambda lines: ["hello"], UNREADABLE),
    "half a line": (lambda lines: [*lines[:4], lines[4][:-5]], UNREADABLE),
    "a list": (lambda lines: ["[]"], UNREADABLE),
    "a blank line": (lambda lines: [lines[0], "", *lines[1:]], UNREADABLE),
    "nested 100,000 deep": (lambda lines: ["[" * 100_000], UNREADABLE),
    "a number of 10,000 digits": (lambda lines: ['{"event": "game", "seed": ' + "9" * 10_000 + "}"], UNREADABLE),
    "an unknown event": (lambda lines: [*lines, '{"event": "party"}'], UNREADABLE),
    "no header": (lambda lines: lines[1:], UNREADABLE),
    "no players": (lambda lines: [changed(lines[0], players=[]), *lines[1:]], UNREADABLE),
    "too many players": (lambda lines: [changed(lines[0], players=["x"] * 5000), *lines[1:]], UNREADABLE),
    "players that are numbers": (lambda lines: [changed(lines[0], players=[1, 2, 3]), *lines[1:]], UNREADABLE),
    "a seed that is a word": (lambda lines: [changed(lines[0], seed="x"), *lines[1:]], UNREADABLE),
    "settings that are words": (lambda lines: [changed(lines[0], set={"target": "x"}), *lines[1:]], UNREADABLE),
    "an unknown setting": (lambda lines: [changed(lines[0], set={"goal": 3}), *lines[1:]], UNREADABLE),
    "a huge setting": (lambda lines: [changed(lines[0], set={"target": 10**18}), *lines[1:]], UNREADABLE),
    "a file as its game": (lambda lines: [changed(lines[0], game="/etc/passwd"), *lines[1:]], UNREADABLE),
    "a rule file as its game": (lambda lines: [changed(lines[0], game="x.rules.md"), *lines[1:]], UNREADABLE),
    "a file as its variant": (lambda lines: [changed(lines[0], variant="../x"), *lines[1:]], UNREADABLE),
    "an unknown game": (lambda lines: [changed(lines[0], game="patience"), *lines[1:]], UNREADABLE),
    "another game": (lambda lines: [changed(lines[0], game="hols-der-teufel", set={}), *lines[1:]], NO_LONGER_FITS),
    "another seed": (lambda lines: [changed(lines[0], seed=99), *lines[1:]], NOT_WHAT_WAS_PLAYED),
    "truncated": (lambda lines: lines[:-3], NOT_WHAT_WAS_PLAYED),
    "a missing line": (lambda lines: lines[:9] + lines[10:], NOT_WHAT_WAS_PLAYED),
    "a line twice": (lambda lines: lines[:9] + lines[8:], NOT_WHAT_WAS_PLAYED),
    "a longer end": (lambda lines: [*lines, lines[-1]], NOT_WHAT_WAS_PLAYED),
    "an illegal move": (
        lambda lines: [changed(line, choice={"card": "99"}) if i == first_move(lines) else line
                       for i, line in enumerate(lines)], NOT_WHAT_WAS_PLAYED,
    ),
    "a move of nobody": (
        lambda lines: [changed(line, player=77) if i == first_move(lines) else line
                       for i, line in enumerate(lines)], NOT_WHAT_WAS_PLAYED,
    ),
    "true for 1 in what is kept": (lambda lines: replaced('"value": 1}', '"value": true}', lines), NOT_WHAT_WAS_PLAYED),
    "false for 0 in what is kept": (
        lambda lines: replaced('"value": 0}', '"value": false}', lines), NOT_WHAT_WAS_PLAYED,
    ),
    "1.0 for 1": (lambda lines: replaced('"value": 1}', '"value": 1.0}', lines), UNREADABLE),
    "1e0 for 1": (lambda lines: replaced('"value": 1}', '"value": 1e0}', lines), UNREADABLE),
    "an endless number": (lambda lines: replaced('"value": 1}', '"value": Infinity}', lines), UNREADABLE),
    "true for 1 as a player": (lambda lines: replaced('"player": 1,', '"player": true,', lines), UNREADABLE),
    "true for a seed of 1": (lambda lines: replaced('"seed": 1,', '"seed": true,', lines), UNREADABLE),
    "a key twice": (lambda lines: replaced('"player": 1,', '"player": 0, "player": 1,', lines), UNREADABLE),
    "a key twice further in": (lambda lines: replaced('{"card": ', '{"card": "1", "card": ', lines), UNREADABLE),
    "a key too many": (lambda lines: replaced('"player": 1,', '"player": 1, "why": "so",', lines), NOT_WHAT_WAS_PLAYED),
    "a list as its event": (lambda lines: [lines[0], '{"event": []}'], UNREADABLE),
    "winners who do not play": (lambda lines: [*lines[:-1], changed(lines[-1], winners=[99])], UNREADABLE),
    "winners that are no list of seats": (lambda lines: [*lines[:-1], changed(lines[-1], winners=[[]])], UNREADABLE),
    "a seed of 65 bits": (lambda lines: [changed(lines[0], seed=1 + 2**64, check=None), *lines[1:]], UNREADABLE),
    "a seed of 65 bits without its check": (
        lambda lines: replaced(', "check"', ', "chuck"', [changed(lines[0], seed=1 + 2**64), *lines[1:]]), UNREADABLE,
    ),
    "a seed below 0": (
        lambda lines: replaced(', "check"', ', "chuck"', [changed(lines[0], seed=1 - 2**64), *lines[1:]]), UNREADABLE,
    ),
    "a renamed player": (lambda lines: replaced("Player 1", "Player 9", lines), UNREADABLE),
    "players in another order": (
        lambda lines: [changed(lines[0], players=json.loads(lines[0])["players"][::-1]), *lines[1:]], UNREADABLE,
    ),
    "a name that steers terminals": (
        lambda lines: replaced(', "check"', ', "chuck"', replaced("Player 1", "\\u001b[31mEve", lines)), UNREADABLE,
    ),
    "a name that nobody can see": (
        lambda lines: replaced(', "check"', ', "chuck"', replaced("Player 1", "\u200b", lines)), UNREADABLE,
    ),
    "a name that turns letters round": (
        lambda lines: replaced(', "check"', ', "chuck"', replaced("Player 1", "Eve\u202e", lines)), UNREADABLE,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_record_is_refused(run: Bounded, name: str, record: list[str], tmp_path: Path) -> None:
    damage, code = DAMAGES[name]
    content = damage(list(record))
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else "".join(f"{line}\n" for line in content).encode())
    answer = run("replay", path)
    assert answer.code == code, answer.err
    assert answer.err


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file without end")
def test_a_record_without_end_is_read_up_to_a_bound(run: Bounded) -> None:
    answer = run("replay", "/dev/zero")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == "`/dev/zero` cannot be read: a record has at most 100,000,000 bytes\n"


def test_a_record_with_terminal_escapes_is_refused(run: Bounded) -> None:
    answer = run("replay", ROOT / "tests" / "hostile" / "record-escape.jsonl")
    assert answer.code == 2
    assert answer.err == "line 1 of the record lacks a proper `players`\n"
    assert answer.out == ""


def test_other_legal_moves_are_noticed(run: Bounded, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    options = ["--games", "1", "--record-legal", "--set", "target=5"]
    assert run("simulate", "little-devils", *options, "--record", path).code == 0
    assert run("replay", path, "--fast").code == 0
    lines = path.read_text(encoding="utf-8").split("\n")
    at = first_move(lines)
    lines[at] = changed(lines[at], legal=json.loads(lines[at])["legal"][1:])
    path.write_text("\n".join(lines), encoding="utf-8")
    answer = run("replay", path, "--fast")
    assert answer.code == 2
    assert f"line {at + 1} of the record is not what was played" in answer.err


@pytest.mark.parametrize("seed", [2**64, -1])
def test_a_seed_has_64_bits(run: Bounded, seed: int) -> None:
    for command in (["play", "--watch"], ["simulate", "--games", "1"], ["gaps", "--games", "1"]):
        answer = run(command[0], "little-devils", *command[1:], "--seed", str(seed))
        assert answer.code == 2
        assert "range" in answer.err


def test_a_record_holds_no_letter_that_cannot_be_seen() -> None:
    """Whoever prints a record, or cuts it where their language ends lines, gets what was meant."""
    for name in ("A\u2028B", "A\x85B", "A\u202eB", "\udcff", "Ä\U0001f600"):
        line = line_of({"players": [name]})
        assert line.encode().count(b"\n") == 1 and line[:-1].isprintable()
        assert json.loads(line) == {"players": [name]}
    assert line_of({"players": ["Jörg"]}) == '{"players": ["Jörg"]}\n'


def test_no_half_of_a_record_is_left_behind(run: Bounded, tmp_path: Path) -> None:
    path = tmp_path / "bad.rules.md"
    path.write_text(edited(("size = 3", "size = 11")))
    (tmp_path / "kept.jsonl").write_text("as it was")
    answer = run("simulate", path, "--record", tmp_path / "kept.jsonl")
    assert answer.code == 2
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bad.rules.md", "kept.jsonl"]
    assert (tmp_path / "kept.jsonl").read_text() == "as it was"


# ---- the grammar's cache --------------------------------------------------------------------------------------------


def fresh(folder: Path) -> int:
    """The exit code of a program that has nothing loaded yet, with this folder for its cache."""
    environment = {**os.environ, "PYTHONPATH": SEARCH_PATH, "XDG_CACHE_HOME": str(folder)}
    command = [sys.executable, "-m", "teufelswerk_cli", "check", "little-devils"]
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode


@pytest.mark.skipif(sys.platform != "linux", reason="the folder is another one elsewhere")
def test_a_cache_that_is_of_no_use_is_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "teufelswerk"
    folder.write_text("a file where the folder should be")
    assert fresh(tmp_path) == 0
    folder.unlink()
    assert fresh(tmp_path) == 0
    [file] = folder.glob("grammar-*")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert fresh(tmp_path) == 0
    assert file.stat().st_size > len(whole) // 2


def test_a_name_that_no_file_can_have_is_refused(run: Bounded) -> None:
    answer = run("check", "a" * 5000)
    assert answer.code == 2 and "there is no game called" in answer.err


def test_a_record_whose_file_has_no_possible_name_is_refused(run: Bounded, record: list[str], tmp_path: Path) -> None:
    for file in ("a" * 5000, "\0", 7):
        path = tmp_path / "record.jsonl"
        path.write_text("\n".join([changed(record[0], file=file, game="gone"), *record[1:]]), encoding="utf-8")
        answer = run("replay", path, "--fast")
        assert answer.code == 2 and answer.err and "Traceback" not in answer.err
