"""Variants: each that comes along is played and compared with its golden game; wrong ones are refused in place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands_in_process import Run, in_process
from small_variants import BASE, FREE, LAYING, NAMES, SMALL, VariantTable, folder_with, games, loaded
from teufelswerk import Event, Game
from teufelswerk.base.find_files import shipped, variants
from teufelswerk.examples.trial_games import try_out
from teufelswerk.interpreter.records import header, records, replay
from teufelswerk.loading.library import load
from transcripts import compare, transcript

run = in_process
GOLDEN = Path(__file__).parents[1] / "golden_variants"
NORMAL, SLOW = 10, 500
each_variant = pytest.mark.parametrize("name", NAMES)


# ---- what comes along -----------------------------------------------------------------------------------------------


def test_every_variant_is_one_of_a_game_that_comes_along() -> None:
    assert {upon[-1] for name, upon in variants().items() if name in NAMES} <= set(shipped())


@pytest.mark.each_game
@each_variant
def test_a_variant_checks_and_has_an_example_of_its_own(name: str) -> None:
    """That the examples hold is tested where rule files are: pytest collects them."""
    found = loaded(name)
    assert not found.diagnostics
    assert found.model
    assert not try_out(found.model, games=1)
    assert any(scene.span.source is found.model.source for scene in found.scenes)


@pytest.mark.each_game
@each_variant
def test_a_variant_is_no_copy(name: str) -> None:
    found = loaded(name)
    assert found.model
    own, base = found.model.sources[0], found.model.sources[-1]
    assert len(own.lines) < len(base.lines) / 3


# ---- each is played -------------------------------------------------------------------------------------------------


def conserved(game: Game, seed: int) -> None:
    """Plays a game and looks at every position: no card is lost, texts read back, nobody sees what is hidden."""
    everything = list(range(len(game.rules.cards)))
    for state, moves in game.random_states(seed):
        assert sorted(card for place in state.places for card in place) == everything
        assert game.parse(game.text(state)) == state
        assert game.parse_json(game.json(state)) == state
        for seat in range(game.players):
            view = game.view(state, seat)
            assert view.moves == (tuple(map(game.as_seen, moves)) if game.player(state) == seat else ())
            for index, place in enumerate(game.layout.place_of):
                seen = view.places.get(game.layout.place_names[index])
                hidden = place.seen_by == "nobody" or (place.seen_by == "owner" and game.layout.owner[index] != seat)
                assert seen is None or (seen.cards is None) == hidden


@each_variant
def test_positions_of_a_variant(name: str) -> None:
    for seed, game in enumerate(sorted({games(name)[0], games(name)[-1]}, key=lambda game: game.players), 1):
        conserved(game, seed)


@each_variant
def test_a_record_of_a_variant_is_replayed(name: str) -> None:
    game = games(name)[0]
    log: list[Event] = []
    game.random_game(3, log)
    lines = [header(game, [f"P{n}" for n in range(game.players)], 3), *records(log)]
    assert lines[0]["variant"] == name
    states = [state for state, _ in replay(game, lines)]
    assert game.is_over(states[-1])


def play_games(name: str, count: int) -> None:
    tables = games(name)
    for seed in range(count):
        game = tables[seed % len(tables)]
        machine = game.random_game(seed)
        assert machine.winners
        assert sorted(card for place in machine.places for card in place) == list(range(len(game.rules.cards)))


@each_variant
def test_random_games_of_a_variant_come_to_an_end(name: str) -> None:
    play_games(name, NORMAL)


@pytest.mark.slow
@each_variant
def test_many_random_games_of_a_variant_come_to_an_end(name: str) -> None:
    play_games(name, SLOW)


@pytest.mark.each_game
@each_variant
def test_the_golden_game_of_a_variant_is_played_again(name: str, update_golden: bool) -> None:
    model = loaded(name).model
    assert model
    file = GOLDEN / f"{name}.txt"
    now = list(transcript(VariantTable(name, model.max_players)))
    if update_golden:
        file.write_text("\n".join(now) + "\n", encoding="utf-8")
    assert file.is_file(), f"{file.name} is missing: run pytest with --update-golden"
    compare(file.read_text(encoding="utf-8").splitlines(), now, file)


def test_no_golden_game_of_a_variant_is_left_behind() -> None:
    assert sorted(path.stem for path in GOLDEN.iterdir()) == NAMES


# ---- where variants are found ---------------------------------------------------------------------------------------


def test_a_variant_beside_its_base(run: Run, tmp_path: Path) -> None:
    folder_with(tmp_path, base=BASE, small=SMALL)
    assert run("simulate", "small.rules.md", "--games", "1").out.startswith("1 game of Small with 2 players")
    assert run("simulate", "base.rules.md", "--games", "1", "--variant", "small.rules.md").code == 0
    assert run("simulate", "base.rules.md", "--games", "1", "--variant", "small").code == 0


@pytest.mark.parametrize("family", [".", "tricks", "of my own"])
def test_files_in_the_users_folder_have_names(run: Run, tmp_path: Path, family: str) -> None:
    folder_with(tmp_path / "data" / "teufelswerk" / "rules" / family, base=BASE)
    folder_with(tmp_path / "data" / "teufelswerk" / "rules" / "variants", small=SMALL)
    for words in (("small",), ("base",), ("base", "--variant", "small")):
        assert run("check", *words).code == 0
    said = run("games").out
    assert "\n  base " in said and "Variant: small\n" in said


def test_variants_of_variants(run: Run, tmp_path: Path) -> None:
    higher = "# Higher\n\nA game with {bottom}.\n\n    variant of small\n    bottom = 3\n    hand-size = 3\n"
    folder_with(tmp_path, base=BASE, small=SMALL, higher=higher)
    model = load(tmp_path / "higher.rules.md").model
    assert model and [source.name for source in model.sources] == ["higher", "small", "base"]
    assert (model.name, model.family, model.title) == ("higher", "base", "Higher")
    said = run("values", "higher.rules.md").out
    assert "hand-size = 3" in said and "bottom = 3" in said
    assert run("check", "base.rules.md", "--variant", "higher").code == 0


@pytest.mark.parametrize("command", ["check", "outline", "simulate", "gaps"])
def test_a_shipped_variant_by_name_and_as_variant(run: Run, command: str) -> None:
    name = NAMES[0]
    more = ("--games", "2") if command in ("simulate", "gaps") else ()
    alone = run(command, name, *more)
    assert alone.code == 0
    together = run(command, variants()[name][-1], "--variant", name, *more)
    assert together.code == 0
    if command != "check":
        assert together.out == alone.out


def test_a_variant_that_there_is_not(run: Run) -> None:
    game = variants()[NAMES[0]][-1]
    said = run("check", game, "--variant", NAMES[0] + "s")
    assert said.code == 2
    assert f"`{game}` has no variant called `{NAMES[0]}s`" in said.err
    assert f"help: write `{NAMES[0]}`" in said.err
    other = next(name for name in NAMES if variants()[name][-1] != game)
    said = run("check", game, "--variant", other)
    assert said.code == 2
    assert f"`{other}` is a variant of `{variants()[other][-1]}`, not of `{game}`" in said.err
    assert run("check", game, "--variant", "nowhere.rules.md").code == 2


# ---- wrong variants -------------------------------------------------------------------------------------------------

WRONG = {
    "a misspelt value": ("    variant of base\n    hand-sise = 1\n", 6, "unknown-value", "write `hand-size`"),
    "no such base": ("    variant of bas\n", 5, "no-base", "write `base`"),
    "a value twice": ("    variant of base\n    bottom = 1\n    bottom = 2\n", 7, "replaced-twice", None),
    "a value here and there": (
        "    variant of base\n    bottom = 1\n\n" + LAYING.replace("    player", "    bottom = 2\n    player", 1),
        6, "replaced-twice", None,
    ),
    "a value of a section that is gone": (
        f"    variant of base\n    bottom = 1\n\n{LAYING}", 6, "unknown-value",
        "move this line into your own section that uses `bottom`, or take it away",
    ),
    "a section twice": (f"    variant of base\n\n{LAYING}\n{LAYING}", 15, "replaced-twice", None),
    "dropping what is not there": ("    variant of base\n\n## Layin\n", 7, "no-such-section", "write `Laying`"),
    "another heading": (
        "    variant of base\n\n" + LAYING.replace("Laying", "To lay"), 7, "no-such-section",
        "to replace it, give this section the heading `Laying`",
    ),
    "two bases": ("    variant of base\n    variant of base\n", 6, "replaced-twice", None),
    "a rule in the first section": (
        "    variant of base\n    keep hat: player\n", 6, "misplaced",
        "put this line into a section of its own, below a heading such as `## My rule`",
    ),
    "too late": ("    variant of base\n\n## More\n\nMore.\n\n    variant of base\n", 11, "misplaced", None),
    "what a dropped section declared": (
        "    variant of base\n\n## Laying\n", 31, "unknown-move",
        "the base has `lays` in the section `Laying`, which the variant replaces or drops; copy it from there",
    ),
    "only a part of a section": (
        "    variant of base\n\n## Playing\n\nAs ever.\n\n    laying:\n        each player\n            player lays\n",
        1, "no-game",
        "the base has `game` in the section `Playing`, which the variant replaces or drops; copy it from there",
    ),
    "cards below the title": (
        "    variant of base\n    cards\n        number: 1 to 7\n", 6, "misplaced",
        "copy the section `The cards` of the base, and change it there",
    ),
    "another kind of thing": (
        "    variant of base\n    hand-size = highest number in cards\n", 26, "wrong-type",
        "make `hand-size` the same kind of thing as in the base",
    ),
    "a name of two words": ("    variant of base\n    hand size = 1\n", 6, "two-words", "write `hand-size`"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_variant_is_refused_where_it_errs(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, line, code, help = WRONG[case]
    folder_with(tmp_path, base=BASE, wrong=f"# Wrong\n\nA wrong game.\n\n{text}")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder_with(tmp_path / "teufelswerk" / "rules", base=BASE)
    found = [d for d in load(tmp_path / "wrong.rules.md").diagnostics if d.is_error]
    first = next(d for d in found if d.code == code)
    assert first.span and first.span.line == line, [(d.code, d.span) for d in found]
    assert (str(first.help) if first.help else None) == help


def test_circles(tmp_path: Path) -> None:
    folder_with(tmp_path, one="# One\n\n    variant of two\n", two="# Two\n\n    variant of one\n")
    assert [d.code for d in load(tmp_path / "one.rules.md").diagnostics] == ["circle"]


# ---- which examples still hold --------------------------------------------------------------------------------------


def test_an_example_that_changes_unmarked_is_a_failure(run: Run, tmp_path: Path) -> None:
    folder_with(tmp_path, base=BASE, free=FREE)
    said = run("examples", "base.rules.md", "--variant", "free.rules.md")
    assert said.code == 1
    assert "✗" in said.out and "found instead: the move is allowed" in said.out
    assert "The variant changes how `Example: Too low` comes out." in said.out


@pytest.mark.parametrize("marked", ["", "\n{Ida} lays one.\n\n    scene laying: Ida, Tom\n    allowed Ida lays 1\n"])
def test_a_replaced_or_dropped_example_is_meant_to_change(run: Run, tmp_path: Path, marked: str) -> None:
    folder_with(tmp_path, base=BASE, free=f"{FREE}\n## Example: Too low\n{marked}")
    said = run("examples", "base.rules.md", "--variant", "free.rules.md")
    assert said.code == 0
    assert f"`Example: Too low` is {'replaced' if marked else 'dropped'} on purpose." in said.out
    assert "refused Ida lays 1\n          under the variant: the move is allowed" in said.out


def test_an_example_that_no_longer_reads_spoils_no_game(run: Run, tmp_path: Path) -> None:
    base = BASE.replace("{Ida} may not lay the lowest card.", "{Ida} must lay a card above {bottom}.")
    folder_with(tmp_path, base=base, free=FREE)
    assert run("simulate", "free.rules.md", "--games", "1").code == 0
    said = run("examples", "free.rules.md")
    assert said.code == 1
    assert "error[misfit]: there is no figure called `bottom`" in said.err


# ---- what a change comes to -----------------------------------------------------------------------------------------


def test_values_with_meaning_and_range(run: Run, tmp_path: Path) -> None:
    folder_with(tmp_path, base=BASE)
    said = run("values", "base.rules.md")
    assert said.out.splitlines()[:2] == [
        "hand-size = 2, from 1 to 3 (with 2 players from 1 to 4 and with 3 players from 1 to 3)",
        "    Everyone gets 2 cards and lays one of them.",
    ]


@pytest.mark.parametrize(
    ("command", "setting"),
    [
        ("check", "hand-size=0"), ("check", "hand-size=19"), ("check", "target=0"), ("simulate", "hand-size=19"),
        ("values", "hand-size=0"), ("outline", "hand-size=19"), ("rulebook", "target=0"),
    ],
)  # fmt: skip
def test_a_value_that_is_out_of_range_is_refused_with_the_range(run: Run, command: str, setting: str) -> None:
    answer = run(command, "little-devils", "--set", setting)
    name, number = setting.split("=")
    assert answer.code == 2
    assert f"error[out-of-range]: `{name}` cannot be {number}" in answer.err
    assert answer.err.count("error") == 1
    assert ("with 4 players from 1 to 13" if name == "hand-size" else "at least 1") in answer.err


def test_a_value_that_does_with_some_numbers_of_players_only(run: Run) -> None:
    assert run("simulate", "little-devils", "--games", "1", "--players", "3", "--set", "hand-size=15").code == 0
    answer = run("simulate", "little-devils", "--games", "1", "--players", "4", "--set", "hand-size=15")
    assert "with 4 players `hand-size` cannot be 15" in answer.err


def test_diff_tells_what_differs_and_shows_a_position(run: Run, tmp_path: Path) -> None:
    folder_with(tmp_path, base=BASE, free=FREE)
    said = run("diff", "base.rules.md", "free.rules.md").out
    for words in ("bottom: 1 → –", "- You may lay any card above 1, if able.", "+ You may lay any card.",
                  "- lay: That card is too low.", "may do different things", "given hand of"):  # fmt: skip
        assert words in said
    assert run("diff", "base.rules.md", "--variant", "free").out == said


MORE = """\
# More

With more cards.

    variant of base

## The cards

Every card has a number.

    cards
        number: 1 to 19
"""


def test_diff_shows_a_choice_of_a_card_that_only_one_game_has(run: Run, tmp_path: Path) -> None:
    folder_with(tmp_path, base=BASE, more=MORE)
    said = run("diff", "base.rules.md", "--variant", "more").out
    position = said.partition("may choose a card that only one of the games has:\n")[2]
    scene, _, moves = position.partition("\n  + More\n")
    assert "given hand of" in scene
    assert set(re.findall(r"\d+", moves)) & {str(number) for number in range(10, 20)}
    assert "- Base" not in position


def test_lots_that_fall_differently_are_no_difference(run: Run, tmp_path: Path) -> None:
    """With more cards the lot falls on others, too; the moves of two players are not compared."""
    lot = BASE.replace("    place deck", "    keep leader: player\n    place deck", 1)
    lot = lot.replace("        laying\n", "        leader becomes random player\n        laying\n", 1)
    lot = lot.replace("each player\n            player lays", "each player from leader\n            player lays", 1)
    folder_with(tmp_path, base=lot, more=MORE)
    said = run("diff", "base.rules.md", "--variant", "more")
    assert said.code == 0
    assert "may do different things" not in said.out


def test_one_variant_at_a_time(run: Run) -> None:
    said = run("check", "little-devils", "--variant", "short-game", "--variant", "free-lead")
    assert said.code == 2
    assert "one variant at a time, not `short-game` and `free-lead`" in said.err
    assert "`variant of short-game`" in said.err


def test_diff_says_when_it_finds_no_position(run: Run, tmp_path: Path) -> None:
    folder_with(tmp_path, base=BASE, same=BASE.replace('"Lay a card."', '"Lay down a card."'))
    said = run("diff", "base.rules.md", "same.rules.md").out
    assert said.endswith("No scene was found that shows them play differently.\n")


def test_diff_of_a_game_with_itself(run: Run, tmp_path: Path) -> None:
    folder_with(tmp_path, base=BASE)
    assert run("diff", "base.rules.md", "base.rules.md").out.endswith("Nothing differs.\n")


@each_variant
def test_diff_finds_something_for_every_shipped_variant(name: str) -> None:
    from teufelswerk.compare.differences import card_changes, rule_changes, value_changes
    from teufelswerk.compare.find_scenes import compare as play_both

    first, second = loaded(variants()[name][-1]).model, loaded(name).model
    assert first and second
    assert [*card_changes(first, second), *value_changes(first, second), *rule_changes(first, second)]
    found = play_both(first, second, games=3, seconds=1.0)
    assert found.beginnings or found.allowed or found.happens
