"""Learning: what tells is found, the same seed learns the same, files say what was learned, and it helps."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from commands_in_process import Run
from commands_in_process import in_process as in_process
from teufelswerk.base import cache_files
from teufelswerk.bots.company import Company
from teufelswerk.bots.learned_weights import FOLDER, get_to_know, is_unknown, learned, read, shipped, written
from teufelswerk.bots.thinking_bots import ExpertBot
from teufelswerk.engines.random_games import has_native
from teufelswerk.engines.steps import Steps
from teufelswerk.interpreter.game import Game
from teufelswerk.loading.model_cache import load_game
from teufelswerk_cli.many.tournament import contest

pytestmark = pytest.mark.skipif(not has_native(), reason="llvmlite is not installed")
OWN = """# High Card

    players 2

    cards
        number: 1 to 30
        "{number}"

    place deck, seen by nobody
    place hand of each player, seen by owner
    place table, seen by all
    place pile of each player, seen by nobody
    keep score of each player: 0
    keep leader: player

    game:
        leader becomes random player
        repeat 3 times
            cards go to deck
            shuffle deck
            deal 9 from deck to each hand
            repeat 9 times
                trick
        highest score wins

    trick:
        leader plays
        left of leader plays
        leader becomes taker
        score of leader becomes score of leader + sum number in table
        table goes to pile of leader

    taker = player of highest number in table

    player plays:
        choose card from hand
        card goes to table
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "high-card.rules.md"
    path.write_text(OWN, encoding="utf-8")
    return path


def test_what_tells_is_found_among_what_does_not() -> None:
    from teufelswerk.bots.fitting import Told, fitted

    rng = Random(1)
    decisions = []
    for _ in range(600):
        luck = rng.gauss(0, 5)  # of the whole decision: no choice changes it
        choices = []
        for _ in range(4):
            told = [rng.randrange(10) for _ in range(6)]
            choices.append(Told("plays", told, luck + 2 * told[1] - told[4] + rng.gauss(0, 1)))
        decisions.append(choices)
    names = [f"n{number}" for number in range(6)]
    found = fitted(decisions, {"plays": names})["plays"]
    assert set(found) == {"n1", "n4"}
    assert found["n1"] / found["n4"] == pytest.approx(-2, rel=0.05)
    assert fitted(decisions, {"plays": names})["plays"] == found


def test_moves_that_are_compared_are_learned_together() -> None:
    from teufelswerk.bots.fitting import Told, fitted, together

    decisions = [[Told("takes", [n], 3.0 - n), Told("passes", [n], 0.0)] for n in (1, 2, 4, 5)] * 50
    decisions += [[Told("leads", [1], 1.0), Told("leads", [2], 2.0)]]
    assert together(decisions) == [["leads"], ["passes", "takes"]]
    found = fitted(decisions, {"takes": ["n"], "passes": ["n"], "leads": ["n"]})
    assert sum(weights.get("n", 0) for weights in found.values()) != 0


def test_files_say_what_was_learned() -> None:
    weights = {"leads": {"devils of card": -3, "upward & haul": 12}}
    assert read(written(weights, "Two lines\nabout it")) == weights
    for wrong in ("[leads", "leads = 3", '[leads]\n"haul" = "much"', '[leads]\n"haul" = true', f'[l]\n"h" = {1 << 60}'):
        assert read(wrong) is None


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_what_comes_along_speaks_of_its_game(path: Path) -> None:
    weights = shipped(path.stem)
    rules = load_game(path.stem)
    assert path.read_text(encoding="utf-8").startswith("# "), "how it was made"
    if not weights:
        return
    weighing = Steps(rules, rules.max_players, "python", weights=weights).weighing
    assert weighing is not None
    assert {move: list(row) for move, row in weighing.rows.items() if row} == {
        m: list(row) for m, row in weights.items()
    }


@pytest.mark.parametrize("name", ["little-devils", "hearts", "free-lead"])
def test_nothing_is_learned_by_itself_of_the_games_of_the_shelf(name: str) -> None:
    assert not is_unknown(load_game(name))


def test_a_variant_begins_with_what_its_game_knows() -> None:
    base = learned(load_game("little-devils"))
    assert base and learned(load_game("little-devils", {"target": 50})) == base


def test_a_game_of_ones_own_is_learned_in_seconds_and_kept(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: dict[str, bytes] = {}
    monkeypatch.setattr(cache_files, "read", kept.get)
    monkeypatch.setattr(cache_files, "write", kept.__setitem__)
    rules = load_game(str(own))
    assert is_unknown(rules) and learned(rules) is None
    get_to_know(rules, 2)
    assert not is_unknown(rules)
    weights = learned(rules)
    assert weights and set(weights) == {"plays"}
    bot = Company(Game(rules, 2), {0: "expert"}, 1).bots[0]
    assert bot.careful.wild == 0, "it plays by what it has learned"  # type: ignore[attr-defined]
    monkeypatch.setattr(ExpertBot, "looks", 200_000)
    found = contest((str(own), {}), ["expert", "random"], 24, 1, jobs=1).standings
    assert found["expert"].wins.estimate.value >= 0.85


def test_the_same_seed_learns_the_same_digits(own: Path) -> None:
    from teufelswerk.bots.self_play import School, Schooling

    found = [list(School(load_game(str(own)), 2).learn(Schooling(2, 300, seed))) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]


def test_train_shows_how_it_goes_and_writes_what_it_learned(run: Run, own: Path, tmp_path: Path) -> None:
    out = tmp_path / "high-card.toml"
    said = run("train", str(own), "--stages", "2", "--decisions", "400", "-o", str(out))
    assert said.code == 0 and "stage 2 of 2" in said.out and "█" in said.out
    assert read(out.read_text(encoding="utf-8"))
    assert "train" in out.read_text(encoding="utf-8").splitlines()[0]
    wrong = run("train", str(own), "-o", str(tmp_path / "nowhere" / "x.toml"))
    assert wrong.code == 2 and "nowhere" in wrong.err and not wrong.out
    assert run("train", str(own), "--players", "5").code == 2
