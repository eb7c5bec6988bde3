"""`sweep`: a game for every combination of values, with the same seeds, in a table, a map, a page and a file."""

from __future__ import annotations

import csv
import re
from collections import Counter
from itertools import islice, product
from math import sqrt
from pathlib import Path
from statistics import mean as plain_mean
from statistics import stdev
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from shipped import PATHS, rules
from teufelswerk.base.texts import Text
from teufelswerk.compare.value_ranges import plain_numbers
from teufelswerk.engines.random_games import Engine, Played, make_engine
from teufelswerk.interpreter.machine import RuleError
from teufelswerk.loading.library import load
from teufelswerk_cli.commands import cli
from teufelswerk_cli.console.options import Refused
from teufelswerk_cli.many import spreading
from teufelswerk_cli.many.measures import mean as counted_mean
from teufelswerk_cli.many.measures import measured, measures
from teufelswerk_cli.many.spreading import Where
from teufelswerk_cli.many.sweep import prepared, run
from teufelswerk_cli.many.value_lists import Over

GAME = "little-devils"
VALUES = plain_numbers(rules(GAME))
"""Every game has such values; what they mean does not matter here."""


def fitting(name: str) -> list[int]:
    """Numbers close to the one that the value has, with which the game can be played."""
    players, found = rules(GAME).min_players, []
    for number in (VALUES[name], VALUES[name] + 1, VALUES[name] - 1):
        model = load(PATHS[GAME], {name: number}).model if number >= 0 else None
        try:
            if model is not None:
                make_engine(model, players, "python").tally(1, 8)
                found.append(number)
        except RuleError:
            continue
    return sorted(found)


FITTING = dict(islice(((name, numbers) for name in VALUES if len(numbers := fitting(name)) > 1), 2))
DOWN, RIGHT = FITTING


def words(*overs: tuple[str, list[int]]) -> list[str]:
    return [word for name, numbers in overs for word in ("--over", f"{name}={','.join(map(str, numbers))}")]


def sweep(*more: object, games: int = 6) -> Result:
    return CliRunner().invoke(
        cli, ["sweep", GAME, "--games", str(games), "--engine", "python", *map(str, more)], catch_exceptions=False
    )


def test_every_combination_is_the_game_with_these_values(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    said = sweep(*words((DOWN, FITTING[DOWN]), (RIGHT, FITTING[RIGHT])), "--csv", file, "--seed", 5)
    assert said.exit_code == 0, said.output
    with file.open(encoding="utf-8", newline="") as lines:
        table = list(csv.DictReader(lines))
    assert [(int(line[DOWN]), int(line[RIGHT])) for line in table] == list(product(FITTING[DOWN], FITTING[RIGHT]))
    for line in table:
        model = load(PATHS[GAME], {name: int(line[name]) for name in (DOWN, RIGHT)}).model
        assert model
        games = list(make_engine(model, model.min_players, "reference").many(5, 6))
        moves = [game.moves for game in games]
        assert float(line["moves"]) == pytest.approx(plain_mean(moves))
        reach = 1.96 * stdev(moves) / sqrt(len(moves))
        assert float(line["moves_high"]) - float(line["moves"]) == pytest.approx(reach)
        assert float(line["win"]) == pytest.approx(100 * plain_mean(0 in game.winners for game in games))
        assert line["games"] == "6" and line["refused"] == ""


def test_the_numbers_do_not_depend_on_who_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    overs = words((DOWN, FITTING[DOWN]))
    alone = sweep(*overs, "--jobs", 1, games=40).output
    monkeypatch.setitem(spreading.FEW, "python", 10)
    assert sweep(*overs, "--jobs", 2, games=40).output == alone


def test_the_map_has_a_row_and_a_column_for_each_number() -> None:
    lines = sweep(*words((DOWN, FITTING[DOWN]), (RIGHT, FITTING[RIGHT]))).output.split("\n\n")[1].splitlines()
    assert lines[0] == f"moves a game: {DOWN} downwards, {RIGHT} to the right"
    assert lines[1].split() == list(map(str, FITTING[RIGHT]))
    assert [line.split()[0] for line in lines[2:]] == list(map(str, FITTING[DOWN]))
    assert all(sum(sign in "▁▂▃▄▅▆▇█" for sign in line) == len(FITTING[RIGHT]) for line in lines[2:])
    assert "\x1b" not in "".join(lines)


def test_what_the_rules_refuse_is_a_cell_with_a_reason(tmp_path: Path) -> None:
    impossible = next(
        (name, number)
        for name, number in product(VALUES, (0, 999_999))
        if load(PATHS[GAME], {name: number}).model is None or refused_in_play(name, number)
    )
    name, number = impossible
    file, page = tmp_path / "table.csv", tmp_path / "page.html"
    said = sweep(*words((name, [VALUES[name], number])), "--csv", file, "--html", page)
    assert said.exit_code == 0
    lines = said.output.splitlines()
    assert lines[3].split()[1:] == ["not", "possible", "(1)"] and "±" in lines[2]
    reason = lines[4].removeprefix("(1) ")
    assert reason != lines[4]
    with file.open(encoding="utf-8", newline="") as table:
        assert [line["refused"] for line in csv.DictReader(table)] == ["", reason]
    assert "not possible (1)" in page.read_text(encoding="utf-8")


def refused_in_play(name: str, number: int) -> bool:
    model = load(PATHS[GAME], {name: number}).model
    assert model
    try:
        make_engine(model, model.min_players, "reference").play(1)
    except RuleError:
        return True
    return False


def test_a_combination_that_gets_stuck_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    found = prepared(rules(GAME), rules(GAME).min_players, [Over(DOWN, tuple(FITTING[DOWN]))], "reference", (1, 6))
    play = Engine.play

    def stuck_at_4(self: Engine, seed: int) -> Played:
        if seed == 4 and self.game.rules.changed_values[DOWN] == FITTING[DOWN][0]:
            raise RuleError("no-end", Text("stuck"), None)
        return play(self, seed)

    monkeypatch.setattr(Engine, "play", stuck_at_4)
    run(found, (1, 6), Where(1))
    assert str(found.cells[0].refused) == "in the game of seed 4: stuck"
    assert found.cells[0].measured("moves") is None
    assert found.cells[1].refused is None and found.cells[1].tally.games == 6


@pytest.mark.parametrize("overs", [1, 2])
def test_the_page_stands_alone(overs: int, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    chosen = [(name, FITTING[name]) for name in (DOWN, RIGHT)[:overs]]
    assert sweep(*words(*chosen), "--measure", "win", "--html", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in text and not re.search(r"(?:src|href)=|url\(|@import", text)
    engine = make_engine(rules(GAME), rules(GAME).min_players, "python", counting=True)
    pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(pictures) == len(measures(engine)) and 'aria-label="seat 1 wins, %"' in pictures[0]
    cells = len(list(product(*(numbers for _, numbers in chosen))))
    for picture in pictures:
        assert len(ElementTree.fromstring(picture).findall("g/rect")) == cells
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html"]


@pytest.mark.parametrize(
    ("form", "numbers"),
    [
        ("a=7..9", (7, 8, 9)),
        ("a=50..150:25", (50, 75, 100, 125, 150)),
        ("a=1..6:2", (1, 3, 5)),
        ("a=5", (5,)),
        ("a=5,1,5,2", (5, 1, 2)),
        ("a = 1 .. 3 : 1", (1, 2, 3)),
    ],
)
def test_ranges(form: str, numbers: tuple[int, ...]) -> None:
    from teufelswerk_cli.many.value_lists import OverType

    assert OverType().convert(form, None, None) == Over("a", numbers)


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("a", "NAME=FROM..TO:STEP"),
        ("=1..2", "NAME=FROM..TO:STEP"),
        ("a=", "NAME=FROM..TO:STEP"),
        ("a=1..", "NAME=FROM..TO:STEP"),
        ("a=-1..2", "NAME=FROM..TO:STEP"),
        ("a=1..2..3", "NAME=FROM..TO:STEP"),
        ("a=1,,2", "NAME=FROM..TO:STEP"),
        ("a=9..5", "write `a=5..9`"),
        ("a=1..9:0", "write `a=1..9:1`"),
        ("a=0..5000", "5,001 numbers"),
        ("a=9999999", "the largest number"),
    ],
)
def test_what_is_no_range(form: str, said: str) -> None:
    result = CliRunner().invoke(cli, ["sweep", GAME, "--over", form])
    assert result.exit_code == 2 and said in result.output


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--over", "a=1", "--over", "b=1", "--over", "c=1"], "one or two values, not 3"),
        (["--over", f"{DOWN}=1", "--over", f"{DOWN}=2"], "twice"),
        (["--over", f"{DOWN}=1", "--set", f"{DOWN}=2"], "--set and with --over"),
        (["--over", f"{DOWN}=0..199", "--over", f"{RIGHT}=0..199"], "40,000 combinations"),
        (["--over", f"{DOWN}x=1"], f"write `{DOWN}`"),
        (["--over", f"{DOWN}={FITTING[DOWN][0]}", "--measure", "move"], "write `moves`"),
        (["--over", f"{DOWN}={FITTING[DOWN][0]}", "--measure", "zzzzzzz"], "moves"),
        (["--over", f"{DOWN}={FITTING[DOWN][0]}", "--games", "1", "--html", "/nowhere/a.html"], "cannot be written"),
        (["--over", f"{DOWN}={FITTING[DOWN][0]}", "--cluster", "nonsense"], "tcp://host:8786"),
    ],
)
def test_what_cannot_be_swept(more: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Refused, match=r"^2$"):
        cli.main(["sweep", GAME, *more], standalone_mode=False)
    assert said in capsys.readouterr().err


def test_means_of_counted_values() -> None:
    values = [1, 4, 4, 9]
    found = counted_mean(Counter(values))
    assert found and found.mean == 4.5
    assert found.reach == pytest.approx(1.96 * stdev(values) / 2)
    assert counted_mean(Counter()) is None


def test_the_interval_of_what_is_kept_is_not_too_narrow() -> None:
    """Where all seats together vary less than each of them, it may be wider than it must be, but never narrower."""
    engine = make_engine(rules(GAME), rules(GAME).min_players, "python")
    games, tally = list(engine.many(1, 60)), engine.tally(1, 60)
    for position, keep in enumerate(engine.kept):
        if keep.type.kind == "number":
            averages = [plain_mean(value or 0 for value in game.keeps[position]) for game in games]
            found = measured(engine, tally, keep.name)
            assert found and found.mean == pytest.approx(plain_mean(averages))
            assert found.reach >= 1.96 * stdev(averages) / sqrt(60) - 1e-9
