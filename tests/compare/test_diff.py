"""What `diff` shows of two games: scenes that can be pasted into a rule file, and words that people use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands_in_process import Run, in_process
from shipped import PATHS
from small_variants import BASE, FREE, NAMES, folder_with
from teufelswerk.base.find_files import find, variants
from teufelswerk.compare.find_scenes import Comparison, compare
from teufelswerk.compare.outcomes import Rank
from teufelswerk.compare.shrink_scene import Telling
from teufelswerk.examples.run_scenes import SceneRunner
from teufelswerk.loading.library import Loaded, load
from teufelswerk.model.scenes import SceneModel

run = in_process

ROOT = Path(__file__).parents[2]


def scenes(first: Loaded, second: Loaded) -> list[tuple[int, SceneModel]]:
    assert second.model
    own = [(1, scene) for scene in second.scenes if scene.span.source is second.model.sources[0]]
    return own + [(0, scene) for scene in first.scenes]


def compared(first: Loaded, second: Loaded, **limits: float) -> Comparison:
    assert first.model and second.model, [str(d.message) for d in (*first.diagnostics, *second.diagnostics)]
    return compare(first.model, second.model, scenes(first, second), **limits)  # type: ignore[arg-type]


def tellings(found: Comparison) -> Iterator[Telling]:
    return (telling for telling in (found.allowed, found.happens) if telling is not None)


# ---- scenes that can be pasted --------------------------------------------------------------------------------------


def pasted(path: Path, number: int, telling: Telling, folder: Path) -> SceneRunner:
    """The scene that is shown, at the end of a copy of the rule file, and run."""
    lines = [f"    {line.text}" for line in telling.scene() if line.only in (None, number)]
    example = "\n".join(["", "## Example: Pasted", "", "Here it is.", "", *lines, ""])
    copy = folder / str(number) / path.name
    copy.parent.mkdir(exist_ok=True)
    for beside in path.parent.glob("*.rules.md") if path.parent == folder else ():
        (copy.parent / beside.name).write_text(beside.read_text(encoding="utf-8"), encoding="utf-8")
    copy.write_text(path.read_text(encoding="utf-8") + example, encoding="utf-8")
    loaded = load(copy)
    assert loaded.model, [str(d.message) for d in loaded.diagnostics if d.is_error]
    runner = SceneRunner(loaded.model, loaded.scenes[-1], None)
    result = runner.run()
    assert result.holds, [(str(v.line.span.line), str(v.found)) for v in result.verdicts if not v.holds] + lines
    if not runner.is_there:
        runner.worlds = [after for _, after in runner.everywhere(runner.advance)]
    if telling.staging.onward:
        runner.worlds = [after for _, after in runner.everywhere(runner.resume)]
    return runner


def comes_to_what_is_shown(runner: SceneRunner, number: int, telling: Telling) -> None:
    """However the open cards lie, the pasted scene stands where the shown one stands."""
    difference, outcome = telling.difference, telling.difference.outcomes[number]
    stopped = difference.runs[number]
    assert runner.worlds
    for world in runner.worlds:
        assert world.winners == outcome.winners
        for name, key in difference.kept if world.winners is None else ():
            keys = runner.layout.keys(runner.rules.keeps[name].key)
            index = runner.layout.keep_base[name] + keys.index(key)
            assert (
                runner.program.teller.raw(runner.rules.keeps[name].type, world.keeps[index]) == outcome.kept[name, key]
            )
        if stopped.stop == "decision" and difference.rank is None:
            assert runner.game.mover(world) == stopped.player
            found = {verb for group in runner.program.turns[world.pc].groups for verb in group}
            assert {move.verb for move in stopped.moves} <= found


def can_be_pasted(first: Path, second: Path, found: Comparison, folder: Path) -> None:
    for telling in tellings(found):
        for number, path in enumerate((first, second)):
            if telling.alone in (None, number):
                comes_to_what_is_shown(pasted(path, number, telling, folder), number, telling)


@pytest.mark.parametrize("name", NAMES)
def test_the_scene_for_a_shipped_variant_can_be_pasted(name: str, tmp_path: Path) -> None:
    first, second = find(variants()[name][-1]), find(name)
    found = compared(load(first), load(second), games=3, seconds=1.0)
    assert found.beginnings or found.allowed or found.happens
    can_be_pasted(first, second, found, tmp_path)


CHANGED = {
    "a lower card takes it": (
        "hearts",
        "player of highest rank in trick where",
        "player of lowest rank in trick where",
    ),
    "any heart may be led": (
        "hearts",
        "suit of card must not be hearts if able",
        "suit of card must not be clubs if able",
    ),
    "a heart counts more": ("hearts", "heart = 1", "heart = 2"),
    "without the moon": ("hearts", "score if sum points in pile is moon", "score if sum points in pile is moon - 1"),
    "anything beats": ("durak", "            suit of card is trump\n", "            suit of card is not trump\n"),
    "another one attacks": ("durak", "go round from attacker until", "go round from left of attacker until"),
    "short rows": ("six-nimmt", "row-size = 5", "row-size = 2"),
}


@pytest.mark.parametrize("case", CHANGED)
def test_the_scene_for_a_changed_line_can_be_pasted(case: str, tmp_path: Path) -> None:
    name, before, after = CHANGED[case]
    text = PATHS[name].read_text(encoding="utf-8")
    assert before in text
    changed = tmp_path / f"{name}-changed.rules.md"
    changed.write_text(text.replace(before, after), encoding="utf-8")
    found = compared(load(PATHS[name]), load(changed), games=20, seconds=2.0)
    assert list(tellings(found))
    can_be_pasted(PATHS[name], changed, found, tmp_path)


# ---- what is shown first --------------------------------------------------------------------------------------------

NOTING = """\
    keep laid: 0
    player lays:
        "Lay a card."
        choose card from hand
        number of card must be above bottom if able
            "That card is too low."
        card goes to table
        laid becomes number of card
"""
SAME_LAYING = "    player lays:\n" + NOTING.partition("    player lays:\n")[2].replace(
    "        laid becomes number of card\n", ""
)


def changed_base(*changes: tuple[str, str]) -> str:
    text = BASE
    for before, after in changes:
        assert before in text, before
        text = text.replace(before, after)
    return text


NOTED = (SAME_LAYING, NOTING)
SHOWN = {
    "who may do what": ([("must be above bottom", "must be above bottom + 3")], None, "may do different things"),
    "what comes of it at the end": (
        [NOTED, ("points becomes sum number in hand", "points becomes sum number in hand + laid")],
        Rank.HAPPENS, "Here something else happens",
    ),
    "another winner": ([("highest points wins", "lowest points wins")], Rank.HAPPENS, "wins"),
    "only what one of them keeps": ([NOTED], Rank.OWN, "only this is remembered"),
}  # fmt: skip


@pytest.mark.parametrize("case", SHOWN)
def test_what_says_most_about_the_rules_is_shown(case: str, run: Run, tmp_path: Path) -> None:
    changes, rank, words = SHOWN[case]
    folder_with(tmp_path, base=BASE, other=changed_base(*changes))
    found = compared(load(tmp_path / "base.rules.md"), load(tmp_path / "other.rules.md"), games=10)
    shown = list(tellings(found))
    assert [telling.difference.rank for telling in shown] == [rank]
    can_be_pasted(tmp_path / "base.rules.md", tmp_path / "other.rules.md", found, tmp_path)
    assert words in run("diff", "base.rules.md", "other.rules.md").out


PAYING = """
## Paying

Everyone pays for what they hold.

    paying:
        each player
            player pays count cards in hand coins to left
                "{player} pays {paid} to {left}."
"""


def test_a_payment_of_nothing_is_no_difference(run: Run, tmp_path: Path) -> None:
    """With one card for everyone, nobody has any left to pay for."""
    coins = (
        "    keep points of each player: 0\n",
        "    keep points of each player: 0\n    keep coins of each player: 5\n",
    )
    one = changed_base(coins, ("    hand-size = 2\n", "    hand-size = 1\n"))
    paid = one.replace("        finish\n    laying", "        paying\n        finish\n    laying", 1)
    paid = paid.replace("\n## The end\n", f"{PAYING}\n## The end\n", 1)
    assert "paying" in paid
    folder_with(tmp_path, base=one, paid=paid)
    assert "No scene was found" in run("diff", "base.rules.md", "paid.rules.md").out
    two = [text.replace("    hand-size = 1\n", "    hand-size = 2\n") for text in (one, paid)]
    folder_with(tmp_path, base=two[0], paid=two[1])
    assert "pays 1 to Ben." in run("diff", "base.rules.md", "paid.rules.md").out


RARE = """\
# Rare

Whoever keeps the two lowest cards gets a prize.

    variant of base

## The end

The most points win.

    prize = 90
    finish:
        each player
            points becomes sum number in hand
            if points is 3 and at least 2 cards in hand
                points becomes prize
        highest points wins

## Example: A prize

{Ida} has kept both.

    scene finish: Ida, Tom
    given hand of Ida: 1, 2
    given hand of Tom: 9
    Ida wins
"""


def test_what_hardly_ever_happens_is_found_in_an_example(run: Run, tmp_path: Path) -> None:
    """Nobody has two cards left in play: only the example of the variant shows the rule."""
    folder_with(tmp_path, base=BASE, rare=RARE)
    said = run("diff", "base.rules.md", "rare.rules.md").out
    scene = said.partition("scene finish: Ida, Tom\n")[2]
    assert "given hand of Ida: 1, 2" in scene and "given hand of Tom: 9" in scene
    assert "Tom wins" in scene and "Ida wins" in scene
    found = compared(load(tmp_path / "base.rules.md"), load(tmp_path / "rare.rules.md"), games=5)
    can_be_pasted(tmp_path / "base.rules.md", tmp_path / "rare.rules.md", found, tmp_path)


# ---- words that people use ------------------------------------------------------------------------------------------

LEADING = [
    ("    place deck", "    keep leader: player\n    place deck"),
    ("        laying\n", "        leader becomes random player\n        laying\n"),
    ("each player\n            player lays", "each player from leader\n            player lays"),
]
PAIRS = [
    ("    hand-size = 2\n", "    hand-size = 4\n"),
    ("choose card from hand", "choose 2 cards from hand"),
    ("number of card must be above bottom if able", "there must be some cards in hand if able"),
    ("card goes to table", "cards go to table"),
    ("refused Ida lays 1\n    Ida lays 5", "Ida lays 1, 5"),
]


def test_people_and_things_have_names(run: Run, tmp_path: Path) -> None:
    passed_on = [*LEADING, ("        laying\n", "        laying\n        leader becomes left of leader\n")]
    first = changed_base(*LEADING, ("        laying\n", "        laying\n        leader becomes leader\n"))
    folder_with(tmp_path, base=first, other=changed_base(*passed_on))
    said = run("diff", "base.rules.md", "other.rules.md").out
    assert re.search(r"leader: (Ann|Ben|Cleo)", said)
    assert "None" not in said and "leader = " not in said


def test_cards_that_are_chosen_together_read_like_that(run: Run, tmp_path: Path) -> None:
    folder_with(tmp_path, base=BASE, pairs=changed_base(*PAIRS))
    said = run("diff", "base.rules.md", "pairs.rules.md").out
    assert re.search(r"lay: \d \+ \d", said) and "['" not in said


def test_a_long_list_ends_with_how_many_more_there_are(run: Run, tmp_path: Path) -> None:
    numbers = ", ".join(str(number) for number in range(1, 21))
    many = changed_base(
        ("number: 1 to 9", "number: 1 to 60"),
        ("    hand-size = 2\n", "    hand-size = 20\n"),
        ("given hand of Ida: 1, 5", f"given hand of Ida: {numbers}"),
    )
    folder_with(tmp_path, base=many, free=FREE)
    said = run("diff", "base.rules.md", "free.rules.md").out
    assert "lay: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 7 more" in said
    assert "lay: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 8 more" in said


def test_a_value_says_with_how_many_players_it_is_which(run: Run, tmp_path: Path) -> None:
    other = changed_base(("    hand-size = 2\n", "    hand-size = count players\n"))
    folder_with(tmp_path, base=BASE, other=other)
    said = run("diff", "base.rules.md", "other.rules.md").out.replace("\N{NO-BREAK SPACE}", " ")
    assert "hand-size: 2 → 2 / 3 (with 2 / 3 players)" in said


def test_clauses_are_shown_beside_words_if_they_are_few(run: Run, tmp_path: Path) -> None:
    few = changed_base(
        ("The most points win.", "The fewest points win."), ("highest points wins", "lowest points wins")
    )
    folder_with(tmp_path, base=BASE, few=few)
    said = run("diff", "base.rules.md", "few.rules.md").out
    for line in (
        "- The most points win.",
        "+ The fewest points win.",
        "-         highest points",
        "+         lowest points",
    ):
        assert line in said
    lines = "".join(f"        points becomes {n}\n".replace("points", "points of first-one") for n in range(7))
    many = few.replace(
        "        lowest points wins\n", f"        first-one = random player\n{lines}        lowest points wins\n"
    )
    folder_with(tmp_path, many=many)
    said = run("diff", "base.rules.md", "many.rules.md").out
    assert "+ The fewest points win." in said and "lowest points wins" not in said


def test_a_refusal_names_the_neighbour_and_no_figure(run: Run, tmp_path: Path) -> None:
    refusal = ('"That card is too low."', '"{left} holds a card above {card}, as {right} does."')
    folder_with(tmp_path, base=changed_base(refusal), free=FREE)
    said = run("diff", "base.rules.md", "free.rules.md").out
    assert "- lay: the left neighbour holds a card above …, as the right neighbour does." in said


@pytest.mark.parametrize("language", ["de", "ru"])
def test_people_have_their_names_in_each_language(language: str, run: Run) -> None:
    """In the scene they are as it needs them; around it they are as the catalogs have them."""
    said = run("diff", "hols-der-teufel", "pay-left", "--lang", language).out
    scene, _, outcome = said.partition("scene turn of ")[2].partition("\n\n")
    assert scene.startswith("Ann: Ann, Ben, Cleo")
    assert {"de": "Anne", "ru": "Энн"}[language] in outcome and "Ann " not in outcome


def test_a_difference_in_a_step_that_deals_is_told_without_a_scene(run: Run, tmp_path: Path) -> None:
    text = (ROOT / "rules" / "README.md").read_text(encoding="utf-8")
    game = text.partition("```markdown high-card.rules.md\n")[2].partition("```")[0]
    (tmp_path / "high.rules.md").write_text(game, encoding="utf-8")
    low = game.replace("highest shown wins", "lowest shown wins").replace("highest one wins", "lowest one wins")
    (tmp_path / "low.rules.md").write_text(low, encoding="utf-8")
    said = run("diff", "high.rules.md", "low.rules.md").out
    assert "They play differently, but no scene can show it" in said
