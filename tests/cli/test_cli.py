"""The commands: what they say, where they say it, and with which exit code. 0 fine, 1 a failed check, 2 wrong input."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from commands_in_process import Run, Said, in_process
from shipped import NAMES, SAMPLE, figures, loaded, rules
from teufelswerk import Game, load
from teufelswerk.base.find_files import shipped
from teufelswerk.language.i18n import languages
from teufelswerk.model.scenes import LegalClaim
from teufelswerk_cli import commands

ROOT = Path(__file__).parents[2]
run = in_process
each_game = pytest.mark.parametrize("name", NAMES)


TINY = """\
# Tiny

A game for {min-players} people.

    players 2

## The cards

Every card has a number.

    cards
        number: 1 to 6
        "{number}"

## Playing

Everyone gets {hand-size} {hand-size:card|cards} and lays one of them. What you keep counts for you.

    hand-size = 2
    place deck, seen by nobody
    place hand of each player, seen by owner
    place table, seen by all
    keep points of each player: 0
    game:
        cards go to deck
        shuffle deck
        deal hand-size from deck to each hand
        laying
        finish
    laying:
        each player
            player lays
    player lays:
        "Lay a card."
        choose card from hand
        card goes to table
            "{player} lays {card}."
    finish:
        each player
            points becomes sum number in hand
        highest points wins
            "{winners} {winners:wins|share the win}."

## Example: Laying

{Ida} lays a card.

    scene laying: Ida, Tom
    given hand of Ida: 3, 5
    allowed Ida lays 5
    Ida lays 3
    now sum number in table is 3
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A user's own game."""
    path = tmp_path / "tiny.rules.md"
    path.write_text(TINY, encoding="utf-8")
    return path


def changed(path: Path, old: str, new: str) -> Path:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


def line_of(path: Path, words: str) -> int:
    return next(n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if words in line)


# ---- games, check, outline ------------------------------------------------------------------------------------------


def test_games_lists_all(run: Run) -> None:
    said = run("games")
    assert (said.code, said.err) == (0, "")
    lines = {line.split()[0]: line for line in said.out.splitlines() if line[:2] == "  " != line[2:4]}
    for name in NAMES:
        assert rules(name).title in lines[name]
        low, high = rules(name).min_players, rules(name).max_players
        assert (f"{low}–{high}" if low < high else "1 player" if high == 1 else f"{low} players") in lines[name]


@each_game
def test_shipped_games_check(run: Run, name: str) -> None:
    said = run("check", name)
    assert said.code == 0
    assert said.out.startswith(f"{name}: fine")


def test_check_takes_several_files_and_the_worst_decides(run: Run, tiny: Path) -> None:
    assert run("check", NAMES[0], tiny).code == 0
    changed(tiny, "card goes to table", "card goes to tabel")
    said = run("check", NAMES[0], tiny)
    assert said.code == 2
    assert f"{NAMES[0]}: fine" in said.out
    assert f"{tiny}: 1 error" in said.out
    line = line_of(tiny, "tabel")
    assert f"{tiny}:{line}:22" in said.err
    assert "error[unknown-name]: there is nothing called `tabel`" in said.err
    assert "help: write `table`" in said.err


def test_check_as_json(run: Run, tiny: Path) -> None:
    assert run("check", tiny, "--format", "json") == (0, "", "")
    changed(tiny, "card goes to table", "card goes to tabel")
    said = run("check", tiny, "--format", "json")
    assert (said.code, said.err) == (2, "")
    (finding,) = map(json.loads, said.out.splitlines())
    assert finding["code"] == "unknown-name"
    assert finding["severity"] == "error"
    assert (finding["file"], finding["line"], finding["column"]) == (str(tiny), line_of(tiny, "tabel"), 22)
    assert finding["help"] == "write `table`"


def test_check_plays_the_game_too(run: Run, tiny: Path) -> None:
    changed(tiny, "hand-size = 2", "hand-size = 4")
    said = run("check", tiny)
    assert said.code == 2
    assert "error[too-few-cards]" in said.err


@each_game
def test_outline_shows_every_step_and_move_with_its_line(run: Run, name: str) -> None:
    said = run("outline", name)
    assert said.code == 0
    lines = [re.fullmatch(r" *(\d+)  ( *)(.*)", line) for line in said.out.splitlines()]
    assert all(lines)
    shown = {line[3].split("(")[0] for line in lines if line}
    assert set(rules(name).moves) | set(rules(name).steps) <= shown
    source = rules(name).source.lines
    for line in lines:
        assert line and (line[3].split("(")[0] in source[int(line[1]) - 1] or line[3] == "else")


def test_outline_of_a_variant_says_which_lines_are_of_the_base(run: Run) -> None:
    lines = run("outline", "free-lead").out.splitlines()
    own = [line for line in lines if not line.endswith("  [little-devils]")]
    assert [line.split()[1] for line in own] == ["leads(card)"] and len(lines) > 10


# ---- examples -------------------------------------------------------------------------------------------------------


def test_examples_of_all_games_hold(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all that there are: two do for the command. Those of each game are tested where rule files are."""
    monkeypatch.setattr(commands, "shipped", lambda: {name: path for name, path in shipped().items() if name in SAMPLE})
    said = run("examples")
    assert said.code == 0
    assert "✗" not in said.out
    assert all(f"{rules(name).title}: " in said.out for name in SAMPLE)
    assert said.out.count(" 0 failed") == len(SAMPLE)


def test_a_false_claim_is_shown_with_file_line_expected_and_found(run: Run, tiny: Path) -> None:
    assert run("examples", tiny).code == 0
    changed(tiny, "now sum number in table is 3", "now sum number in table is 4")
    said = run("examples", tiny)
    line = line_of(tiny, "is 4")
    assert said.code == 1
    assert f"✗ {line:4}  now sum number in table is 4" in said.out
    assert f"{tiny}:{line}: found instead: " in said.out
    assert "3" in said.out.split("found instead: ")[1].splitlines()[0]
    assert "1 failed" in said.out


def legal_claims(name: str) -> list[LegalClaim]:
    return [claim for scene in loaded(name).scenes for claim in scene.lines if isinstance(claim, LegalClaim)]


@pytest.mark.parametrize("name", [name for name in NAMES if legal_claims(name)])
def test_a_claim_turned_round_fails(run: Run, name: str, tmp_path: Path) -> None:
    claim = legal_claims(name)[0]
    lines = list(rules(name).source.lines)
    words = ("allowed", "refused") if claim.allowed else ("refused", "allowed")
    lines[claim.span.line - 1] = lines[claim.span.line - 1].replace(*words)
    path = tmp_path / f"{name}.rules.md"
    path.write_text("\n".join(lines), encoding="utf-8")
    said = run("examples", path)
    assert said.code == 1
    assert f"{path}:{claim.span.line}: found instead: " in said.out


# ---- simulate and replay --------------------------------------------------------------------------------------------


@each_game
def test_a_recorded_game_is_replayed(run: Run, name: str) -> None:
    assert run("simulate", name, "--games", "2", "--seed", "5", "--record", "a.jsonl").code == 0
    lines = [json.loads(line) for line in Path("a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["seed"] for line in lines if line["event"] == "game"] == [5, 6]
    assert not any("legal" in line for line in lines)
    said = run("replay", "a.jsonl")
    assert (said.code, said.err) == (0, "")
    assert len(said.out.splitlines()) > 10
    assert not Path("a.jsonl.part").exists()


@each_game
def test_legal_moves_are_recorded_if_asked_for(run: Run, name: str) -> None:
    assert run("simulate", name, "--games", "1", "--record", "a.jsonl", "--record-legal").code == 0
    lines = [json.loads(line) for line in Path("a.jsonl").read_text(encoding="utf-8").splitlines()]
    for line in lines:
        assert ("legal" in line) is (line["event"] == "move")
        if line["event"] == "move":
            assert {"move": line["move"], "choice": line["choice"]} in line["legal"]
    assert run("replay", "a.jsonl").code == 0


@each_game
def test_simulate_says_how_everyone_fared(run: Run, name: str) -> None:
    players = rules(name).max_players
    said = run("simulate", name, "--games", "3", "--players", str(players))
    assert said.code == 0
    assert len(re.findall(r"Player \d+: won [\d.]+ %; \w+: [\d.]+ on average", said.out)) == players
    assert said == run("simulate", name, "--games", "3", "--players", str(players))


@pytest.mark.parametrize("players", [0, 1, 99])
def test_a_wrong_number_of_players_is_refused(run: Run, players: int) -> None:
    said = run("simulate", NAMES[0], "--players", str(players))
    assert said.code == 2
    assert f"is for {rules(NAMES[0]).min_players} to {rules(NAMES[0]).max_players} players" in said.err


@pytest.fixture
def record(run: Run) -> list[str]:
    """The lines of a recorded game."""
    run("simulate", NAMES[0], "--games", "1", "--record", "a.jsonl")
    return Path("a.jsonl").read_text(encoding="utf-8").splitlines()


def replayed(run: Run, lines: list[str]) -> Said:
    Path("b.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return run("replay", "b.jsonl")


def of_kind(record: list[str], kind: str) -> int:
    return next(number for number, line in enumerate(record) if json.loads(line)["event"] == kind)


def test_a_record_with_another_move_has_been_changed(run: Run, record: list[str]) -> None:
    number = of_kind(record, "move")
    move = json.loads(record[number])
    record[number] = json.dumps({**move, "player": move["player"] + 1})
    said = replayed(run, record)
    assert said.code == 2
    assert f"line {number + 1} of the record is not what was played: " in said.err


def test_a_record_of_other_rules_no_longer_fits(run: Run, record: list[str]) -> None:
    number = of_kind(record, "move")
    move = json.loads(record[number])
    record[0] = json.dumps({**json.loads(record[0]), "rules": "another"})
    record[number] = json.dumps({**move, "player": move["player"] + 1})
    said = replayed(run, record)
    assert said.code == 1
    assert f"the record no longer fits the rules at line {number + 1}: " in said.err


def test_a_record_with_other_cards_has_been_changed(run: Run, record: list[str]) -> None:
    number = of_kind(record, "cards")
    cards = json.loads(record[number])
    record[number] = json.dumps({**cards, "cards": cards["cards"][::-1]})
    said = replayed(run, record)
    assert said.code == 2
    assert f"line {number + 1} of the record is not what was played: by the rules in force this would be " in said.err


def test_a_truncated_record_is_refused(run: Run, record: list[str]) -> None:
    half = len(record) // 2
    said = replayed(run, record[:half])
    assert said.code == 2
    assert said.err == f"the record ends at line {half}, before the game does\n"


def test_a_game_that_is_still_going_on_may_end_anywhere(run: Run, record: list[str]) -> None:
    record[0] = json.dumps({**json.loads(record[0]), "seats": ["random"] * len(json.loads(record[0])["players"])})
    said = replayed(run, record[: len(record) // 2])
    assert (said.code, said.err) == (0, "")
    assert said.out.endswith("The record ends here, before the game does.\n")


def test_a_record_that_goes_on_after_the_end_is_reported(run: Run, record: list[str]) -> None:
    said = replayed(run, [*record, record[-1]])
    assert said.code == 2
    assert (
        f"line {len(record) + 1} of the record is not what was played: the record goes on after the end of the game"
        in said.err
    )


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda lines: [*lines[:3], lines[3][:-4], *lines[4:]], "line 4 of the record is not JSON"),
        (lambda lines: [*lines[:3], '{"event": "party"}', *lines[4:]], "line 4 of the record is no event"),
        (lambda lines: [*lines[:3], "[]", *lines[4:]], "line 4 of the record is no event"),
        (lambda lines: ['{"event": "game", "game": "x"}', *lines[1:]], "line 1 of the record lacks a proper `players`"),
        (lambda lines: lines[1:], "the record does not begin with a `game` line"),
    ],
    ids=["cut", "unknown", "no-object", "incomplete", "headless"],
)
def test_a_damaged_record_is_refused(
    run: Run, record: list[str], damage: Callable[[list[str]], list[str]], message: str
) -> None:
    said = replayed(run, damage(record))
    assert (said.code, said.out) == (2, "")
    assert said.err == message + "\n"


def test_a_record_that_is_not_there_is_refused(run: Run) -> None:
    said = run("replay", "nowhere.jsonl")
    assert said.code == 2
    assert "`nowhere.jsonl` cannot be read" in said.err


def test_a_record_that_cannot_be_written_is_refused(run: Run) -> None:
    said = run("simulate", NAMES[0], "--games", "1", "--record", "nowhere/a.jsonl")
    assert said.code == 2
    assert "`nowhere/a.jsonl` cannot be written" in said.err


# ---- play -----------------------------------------------------------------------------------------------------------


def test_play_deals_the_same_cards_again_and_can_be_left(run: Run) -> None:
    words = ("play", NAMES[0], "--players", str(rules(NAMES[0]).min_players), "--human", "Zoë", "--seed", "7")
    said = run(*words, typed="quit\n")
    assert said.code == 0
    assert "Zoë, your move" in said.out
    assert said == run(*words, typed="quit\n")
    assert said.out != run(*words[:-1], "8", typed="quit\n").out


def test_play_asks_for_what_has_not_been_said(run: Run) -> None:
    said = run("play", typed=f"{NAMES[0]}\n{rules(NAMES[0]).min_players}\nZoë\nquit\n")
    assert said.code == 0
    assert "Zoë, your move" in said.out


def test_play_explains_a_refusal_and_goes_on_to_the_end(run: Run, tiny: Path) -> None:
    changed(tiny, "choose card from hand\n", 'choose card from hand\n        number of card must be 1 if able\n'
            '            "The one must be laid first."\n')  # fmt: skip
    model = load(tiny).model
    assert model
    hands = {seed: Game(model, 2).view(Game(model, 2).start(seed), 0).places["hand[0]"].cards for seed in range(20)}
    seed, other = next((seed, hand[1]) for seed, hand in hands.items() if hand and hand[0] == "1")
    typed = f"nonsense\n{other}\n1\n"
    said = run("play", tiny, "--human", "Zoë", "--seed", str(seed), "--players", "2", typed=typed)
    assert said.code == 0
    assert "your move (? helps) > nonsense\n" in said.out
    assert "The one must be laid first." in said.out
    assert "Zoë lays 1." in said.out
    assert re.search(r"(wins|share the win)\.", said.out)


def test_play_can_be_left_by_typing_nothing_more(run: Run, tiny: Path) -> None:
    said = run("play", tiny, "--human", "Zoë", "--players", "2", typed="")
    assert (said.code, said.err) == (0, "")
    assert "saved" in said.out


# ---- --set ----------------------------------------------------------------------------------------------------------

COMMANDS: dict[str, tuple[str, ...]] = {
    "check": (),
    "outline": (),
    "examples": (),
    "simulate": ("--games", "1"),
    "play": ("--human", "Zoë", "--players", "2", "--seed", "1"),
}
each_command = pytest.mark.parametrize("command", COMMANDS)


def test_every_command_takes_a_language_and_with_a_game_also_values() -> None:
    from teufelswerk_cli.commands import cli

    for name, command in cli.commands.items():
        options = {option for parameter in command.params for option in parameter.opts}
        assert "--lang" in options, name
        assert "--set" in options or name in ("games", "messages") or ("game" not in options and name != "check"), name


@each_command
def test_a_value_of_the_rules_can_be_set(run: Run, tiny: Path, command: str) -> None:
    said = run(command, tiny, *COMMANDS[command], "--set", "hand-size=3", typed="quit\n")
    assert said.code == 0, said
    assert run(command, tiny, *COMMANDS[command], "--set", "hand-size=1", typed="quit\n").code == 0


@each_command
def test_only_values_that_there_are_can_be_set(run: Run, tiny: Path, command: str) -> None:
    said = run(command, tiny, *COMMANDS[command], "--set", "hand-sice=3", typed="quit\n")
    assert said.code == 2
    assert "there is no value called `hand-sice` that could be set\n" in said.err
    assert "help: write `hand-size`" in said.err


@each_command
@pytest.mark.parametrize("number", ["many", "-1", "1.5", "99999999999999999999"])
def test_a_value_is_a_number(run: Run, tiny: Path, command: str, number: str) -> None:
    said = run(command, tiny, *COMMANDS[command], "--set", f"hand-size={number}", typed="quit\n")
    assert said.code == 2
    assert f"`{number}` is no whole number from 0 to 1,000,000" in said.err


@each_command
@pytest.mark.parametrize("setting", ["hand-size", "=3", "hand-size="])
def test_a_value_has_a_name(run: Run, tiny: Path, command: str, setting: str) -> None:
    said = run(command, tiny, *COMMANDS[command], "--set", setting, typed="quit\n")
    assert said.code == 2
    assert f"`{setting}` is not of the form NAME=NUMBER" in said.err


def test_a_value_may_be_set_with_blanks_and_though_it_is_worked_out(run: Run) -> None:
    assert run("simulate", "hols-der-teufel", "--games", "1", "--set", "rounds = 1").code == 0


def test_a_changed_value_changes_the_game_and_is_recorded(run: Run, tiny: Path) -> None:
    assert run("simulate", tiny, "--games", "1", "--set", "hand-size=3", "--record", "a.jsonl").code == 0
    lines = [json.loads(line) for line in Path("a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert lines[0]["set"] == {"hand-size": 3}
    dealt = [line["cards"] for line in lines if line["event"] == "cards" and line["from"] == "deck"]
    assert [len(cards) for cards in dealt] == [3, 3]


@each_game
def test_the_figures_of_shipped_games_can_be_set(run: Run, name: str) -> None:
    for figure, value in figures(rules(name)).items():
        assert run("simulate", name, "--games", "1", "--set", f"{figure}={value}", "--record", "a.jsonl").code == 0
        assert run("replay", "a.jsonl").code == 0


# ---- wrong usage, languages -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check", "outline", "examples", "simulate", "play"])
def test_an_unknown_game_is_refused_with_the_nearest_name(run: Run, command: str) -> None:
    said = run(command, NAMES[0][:-1])
    assert said.code == 2
    assert f"there is no game called `{NAMES[0][:-1]}`" in said.err
    assert f"help: write `{NAMES[0]}`" in said.err


def test_an_unknown_game_like_none_is_refused_with_where_they_stand(run: Run) -> None:
    said = run("check", "zzzzzz")
    assert said.code == 2 and "`games`" in said.err


def test_a_file_that_is_not_there_is_refused(run: Run) -> None:
    said = run("check", "nowhere.rules.md")
    assert said.code == 2
    assert "there is no file `nowhere.rules.md`" in said.err


@pytest.mark.parametrize("words", [("shuffle",), ("simulate",), ("check",), ("games", "--loud")], ids=" ".join)
def test_wrong_usage(run: Run, words: tuple[str, ...]) -> None:
    said = run(*words)
    assert said.code == 2
    assert said.err and not said.out


def test_an_unknown_language_is_refused(run: Run) -> None:
    said = run("games", "--lang", "xx")
    assert said.code == 2
    assert "there is no language `xx`" in said.err


def in_a_process(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A run of its own, as a user starts it; help texts are made only once, in the language of the run."""
    path = os.pathsep.join([str(ROOT / "interpreter"), str(ROOT / "cli")])
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.parametrize("language", languages())
def test_every_language_is_spoken(language: str) -> None:
    said = in_a_process("-m", "teufelswerk_cli", "--lang", language, "games")
    assert (said.returncode, said.stderr) == (0, "")
    assert all(name in said.stdout for name in NAMES)
    by_environment = in_a_process("-m", "teufelswerk_cli", "games", TEUFELSWERK_LANG=language)
    assert by_environment.stdout == said.stdout


@pytest.mark.parametrize("language", ["de", "en", "ru"])
def test_the_languages_that_the_project_promises(language: str) -> None:
    said = in_a_process("-m", "teufelswerk_cli", "--help", f"--lang={language}", TEUFELSWERK_COMMAND="teufelswerk")
    assert said.returncode == 0
    usage = {"de": "Aufruf: {} [OPTIONEN] BEFEHL", "en": "Usage: {} [OPTIONS] COMMAND"}
    usage["ru"] = "Использование: {} [ПАРАМЕТРЫ] КОМАНДА"
    assert usage[language].format("teufelswerk") in said.stdout


@pytest.mark.parametrize("language", ["de", "en", "ru"])
def test_the_list_of_commands_tells_all_of_each_and_those_of_a_checkout(language: str) -> None:
    asked = ("-m", "teufelswerk_cli", "--help", f"--lang={language}")
    said = in_a_process(*asked, TEUFELSWERK_LAUNCHER="/somewhere/cli").stdout
    assert "..." not in said and " ".join(said.split()).count("`test`, `lint`, ") == 1
    assert "`lint`" not in in_a_process(*asked).stdout


@pytest.mark.parametrize("language", ["de", "ru"])
@pytest.mark.parametrize("command", ["play", "simulate", "replay", "diff", "bench", "fmt"])
def test_what_stands_for_a_value_is_translated(command: str, language: str) -> None:
    said = in_a_process("-m", "teufelswerk_cli", command, "--help", f"--lang={language}")
    assert not re.findall(r"\b(?:OPTIONS|GAME|FILE|TEXT|INTEGER|RANGE|FLOAT|LANG|VALUE|ADDRESS|COMMAND)\b", said.stdout)
    wrong = in_a_process("-m", "teufelswerk_cli", "play", "--players", "x", f"--lang={language}")
    assert {"de": "'x' ist keine gültige Zahl.", "ru": "нужно число."}[language] in wrong.stderr


def test_saved_games_are_listed_with_the_way_to_go_on(run: Run, tiny: Path) -> None:
    assert "no saved games" in run("games", "--saved").out
    for person in ("Zoë", "Kim"):
        run("play", tiny, "--human", person, "--players", "2", "--bots", "random", "--seed", "1", typed="")
    said = run("games", "--saved").out
    assert "Kim and Anna" in said
    assert "Zoë and Anna" in said
    assert "0 moves" in said
    assert "play --resume`" in said
    assert "play --resume 2`" in said
    assert ".jsonl" not in said
    assert "Finished" not in said
    assert "Zoë, your move" in run("play", "--resume", "2", typed="").out
    run("play", "--resume", typed="1\n2\n3\n")
    said = run("games", "--saved").out
    assert re.search(r"Finished:\n.*Zoë and Anna\n.*moves?, winner: \w+", said)


# ---- pytest on a user's own rule file -------------------------------------------------------------------------------


def test_pytest_runs_the_examples_of_a_rule_file(tiny: Path) -> None:
    words = ("-m", "pytest", "-p", "teufelswerk.pytest_plugin", "-q", "--rootdir", str(tiny.parent), str(tiny.parent))
    said = in_a_process(*words, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTEST_ADDOPTS="")
    assert said.returncode == 0, said.stdout
    assert "2 passed" in said.stdout
    changed(tiny, "now sum number in table is 3", "now sum number in table is 4")
    said = in_a_process(*words, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTEST_ADDOPTS="")
    assert said.returncode == 1
    assert "1 failed, 1 passed" in said.stdout
    assert f"{tiny}:{line_of(tiny, 'is 4')}\n" in said.stdout
    assert "expected: now sum number in table is 4" in said.stdout
    assert re.search(r"found: .*3", said.stdout)


@pytest.mark.parametrize(("language", "bot"), [("en", "Tom"), ("de", "Tom"), ("ru", "Том")])
def test_no_bot_has_the_name_of_a_person_in_any_language(run: Run, language: str, bot: str) -> None:
    said = run("play", "little-devils", "--players", "3", "--human", "Anna", "--lang", language, typed="quit\n").out
    assert bot in said and "Анна" not in said
