"""What `simulate` and `arena` say of many games: which rules were in force, who won, what everyone had."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from commands_in_process import Run, in_process
from small_variants import BASE, SMALL, folder_with

run = in_process


@pytest.mark.parametrize(
    ("words", "headline"),
    [
        (["base.rules.md"], "1 game of Base with 2 players"),
        (["base.rules.md", "--set", "bottom=2"], "1 game of Base with 2 players (bottom = 2)"),
        (["small.rules.md"], "1 game of Small with 2 players (`small`, a variant of `base`)"),
        (
            ["base.rules.md", "--variant", "small", "--set", "bottom=2", "--set", "hand-size=3"],
            "1 game of Small with 2 players (`small`, a variant of `base`; bottom = 2; hand-size = 3)",
        ),
        (["smaller.rules.md"], "1 game of Smaller with 2 players (`smaller`, a variant of `small`)"),
    ],
)
def test_the_headline_names_the_rules_in_force(run: Run, tmp_path: Path, words: list[str], headline: str) -> None:
    smaller = "# Smaller\n\nSmaller still.\n\n    variant of small\n    bottom = 3\n"
    folder_with(tmp_path, base=BASE, small=SMALL, smaller=smaller)
    assert run("simulate", *words, "--games", "1").out.splitlines()[0] == headline


@pytest.mark.parametrize("target", [10, 100])
def test_shares_above_a_hundred_percent_are_explained(run: Run, target: int) -> None:
    said = run("simulate", "little-devils", "--games", "40", "--set", f"target={target}").out
    total = sum(float(share) for share in re.findall(r"won ([\d.]+) %", said))
    shared = re.search(r"^In (\d+) games? several players shared the win, which counts for each of them\.$", said, re.M)
    assert total >= 100
    assert bool(shared) == (total > 100.1)


def test_some_games_are_shared(run: Run) -> None:
    """Or else the test above would prove little."""
    assert (
        "several players shared the win" in run("simulate", "little-devils", "--games", "40", "--set", "target=10").out
    )


def test_everything_kept_is_told_by_itself(run: Run, tmp_path: Path) -> None:
    folder_with(tmp_path, base=BASE.replace("    keep points", "    keep luck of each player: 2\n    keep points"))
    said = run("simulate", "base.rules.md", "--games", "2").out.splitlines()
    assert re.fullmatch(r"Player 1: won [\d.]+ %; luck: 2\.0 on average; points: [\d.]+ on average", said[1])


def test_the_arena_says_the_same(run: Run, tmp_path: Path) -> None:
    folder_with(tmp_path, base=BASE)
    said = run(
        "arena", "base.rules.md", "--bots", "beginner,random", "--games", "4", "--set", "bottom=2"
    ).out.splitlines()
    assert said[0].endswith("(bottom = 2)")
    assert re.search(r"^beginner: won .*; points: \d+\.\d ± \d+\.\d on average; \d+\.\d ms a decision$", said[1])
    assert re.search(r"^beginner does better than random \d+\.\d % of the time \(95 %: .*\): an Elo diff", said[3])


def test_numbers_are_written_as_the_language_writes_them(run: Run, tmp_path: Path) -> None:
    folder_with(tmp_path, base=BASE)
    said = run("arena", "base.rules.md", "--bots", "random,random", "--games", "4", "--lang", "de").out
    assert len(re.findall(r"\d+,\d ± \d+,\d", said)) == 1
    assert not re.search(r"\d\.\d", said)


def test_the_arena_as_one_object(run: Run, tmp_path: Path) -> None:
    """Every deal in every seating, the same figures from one process and from two."""
    folder_with(tmp_path, base=BASE)
    words = "arena", "base.rules.md", "--bots", "careful,random", "--games", "7", "--seed", "3", "--json"
    found = [json.loads(run(*words, "--jobs", jobs).out) for jobs in ("1", "2")]
    for each in found:
        assert (each["games"], each["deals"], each["stopped"]) == (8, 4, False)
        assert sum(kind["wins"]["mean"] * kind["players"] for kind in each["kinds"]) == pytest.approx(1)
        for kind in each["kinds"]:
            del kind["milliseconds"]
    assert found[0] == found[1]
    assert found[0]["against"][0]["elo"]["low"] <= found[0]["against"][0]["elo"]["mean"]
