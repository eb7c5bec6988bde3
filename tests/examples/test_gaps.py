"""Rule gaps: the shipped games have none; a hole made in a copy is found, made small and written as a scene."""

from __future__ import annotations

from pathlib import Path

import pytest
from shipped import enough
from teufelswerk.base.find_files import shipped
from teufelswerk.examples.rule_gaps import find_gaps, scene_of
from teufelswerk.examples.run_scenes import run_scenes
from teufelswerk.loading.library import load
from teufelswerk.model import Model

GAMES = sorted(shipped())
TABLES = [
    (name, players)
    for name in GAMES
    if (rules := load(shipped()[name]).model)
    for players in range(rules.min_players, rules.max_players + 1)
]


def booklet(tmp_path: Path) -> Path:
    """Hol's der Teufel as the booklet has it: no pass, and no way out for a player who holds an angel."""
    text = shipped()["hols-der-teufel"].read_text(encoding="utf-8")
    text = text[: text.index("## Example")]
    text = text.replace(" else breaks else passes", " else breaks")
    begin = text.index("    player passes:")
    text = text[:begin] + text[text.index("## ", begin) :]
    way_out = text.index("card goes to row", text.index("    player breaks:"))
    text = text[:way_out] + 'there must be no angels in hand\n            "No."\n        ' + text[way_out:]
    path = tmp_path / "booklet.rules.md"
    path.write_text(text, encoding="utf-8")
    return path


def model_of(path: Path) -> Model:
    model = load(path).model
    assert model
    return model


def test_the_hole_in_the_booklet_is_found_and_written_as_a_scene(tmp_path: Path) -> None:
    path = booklet(tmp_path)
    gap, stuck = find_gaps(model_of(path), 3, 100, 1)
    assert gap and stuck
    assert gap.tried == ("opens", "raises", "lowers", "closes", "breaks")
    assert gap.position.startswith("3@")
    scene = scene_of(gap)
    hand = next(line for line in scene if line.startswith("given hand"))
    assert hand.count(",") == 1 and "angel" in hand, "the smallest hole is an angel and one devil"
    pasted = path.read_text(encoding="utf-8") + "\n## Example: Stuck\n\nNothing goes.\n\n"
    path.write_text(pasted + "".join(f"    {line}\n" for line in scene), encoding="utf-8")
    loaded = load(path)
    assert loaded.model
    results = list(run_scenes(loaded.model, loaded.scenes))
    assert results and all(result.holds for result in results)


@pytest.mark.each_game
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_no_gap_in_a_few_games(name: str, players: int) -> None:
    model = model_of(shipped()[name])
    gap, stuck = find_gaps(model, players, enough(model, players, 30), 1)
    assert gap is None, scene_of(gap)
    assert stuck == 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_no_gap_in_a_hundred_thousand_rounds(name: str, players: int) -> None:
    """A game has at least three rounds, so a third as many games are enough."""
    gap, _ = find_gaps(model_of(shipped()[name]), players, 33_334, 1)
    assert gap is None, scene_of(gap)
