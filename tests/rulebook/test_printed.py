"""The printed rules and ours: every printed sentence has its place with us, and every rule of ours has its origin."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from printed_tables import FOLDER, Edition, Ours, listing, ours, problems, tables
from teufelswerk.base.find_files import SUFFIX, shipped

GAMES = sorted(game for game in shipped() if tables(game).editions)
"""Of the others there is no edition to go by: everybody knows them, and books print them as they like."""
ROW = re.compile(r"^\| `(.+ > .+)` \| .+ \| (\w+) \| (.+) \|$", re.MULTILINE)
CITED = re.compile(r"\d+")


@pytest.mark.parametrize("game", GAMES)
def test_both_directions_are_complete(game: str) -> None:
    found = tables(game)
    assert found.editions
    assert problems(ours(shipped()[game]), found) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_name_of_the_model_heads_a_rule(game: str) -> None:
    """What the tables call the rules is what the interpreter plays by."""
    rules = ours(shipped()[game])
    model = rules.model
    heads = {rule.head for rule in rules.rules.values()}
    lines = {definition.span.line for definition in model.definitions.values()}
    lines |= {step.span.line for step in model.steps.values()} | {move.span.line for move in model.moves.values()}
    lines |= {kind.span.line for kind in model.kinds.values()} | {keep.span.line for keep in model.keeps.values()}
    lines |= {place.span.line for place in model.places.values() if place.span}
    assert lines - heads == set()
    musts = sum(len(move.musts) for move in model.moves.values())
    assert sum(rule.kind == "must" for rule in rules.rules.values()) == musts


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_listed_with_their_origins(game: str, update_golden: bool) -> None:
    path = FOLDER / f"{game}.md"
    expected = listing(ours(shipped()[game]), tables(game))
    if update_golden:
        path.write_text(expected, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == expected, "run `python3 cli test --update-golden`"


def test_every_table_belongs_to_a_game() -> None:
    read = sum(len(tables(game).editions) + bool(tables(game).rulings) for game in GAMES)
    assert read == len(list(FOLDER.glob("*.toml")))


# ---- how the editions differ ----------------------------------------------------------------------------------------


def test_the_differences_in_examples_are_those_of_the_rule_files() -> None:
    text = (FOLDER / "differences.md").read_text(encoding="utf-8")
    listed = [match.groups() for match in ROW.finditer(text)]
    marked = [line for game in GAMES for line in ours(shipped()[game]).editions]
    assert sorted(listed) == sorted(marked)
    assert {has for _, _, has in marked} == {"21", "46"}


def test_an_edition_names_the_line_that_it_differs_in() -> None:
    for game in GAMES:
        editions = {edition.name: edition for edition in tables(game).editions}
        for place, name, has in ours(shipped()[game]).editions:
            numbers = editions[name].numbers(place)
            assert any(has in CITED.findall(editions[name].sentences[n - 1].says) for n in numbers)
            for other in editions.values():
                said = [other.sentences[n - 1].says for n in other.numbers(place)]
                assert said and (other.name == name or not any(has in CITED.findall(text) for text in said))


def test_the_differences_cite_sentences_that_there_are() -> None:
    text = (FOLDER / "differences.md").read_text(encoding="utf-8").partition("## What would change")[2]
    editions = {edition.name: edition for edition in tables("little-devils").editions}
    columns: list[Edition] = [editions[name] for name in ("German", "English", "Russian")]
    cited = 0
    for line in text.partition("## Names")[0].splitlines():
        for edition, cell in zip(columns, line.strip("| ").split(" | ")[1:], strict=False):
            for inside in re.findall(r"\(([^)]*)\)", cell):
                numbers = [int(number) for number in CITED.findall(inside)]
                cited += len(numbers)
                assert all(1 <= number <= len(edition.sentences) for number in numbers), line
    assert cited > 40


# ---- what is incomplete is noticed ----------------------------------------------------------------------------------


def changed(folder: Path, table: str, old: str, new: str) -> Path:
    """The tables with one change in one of them."""
    copy = folder / "printed"
    shutil.copytree(FOLDER, copy)
    text = (copy / table).read_text(encoding="utf-8")
    assert old in text
    (copy / table).write_text(text.replace(old, new, 1), encoding="utf-8")
    return copy


HOLS = "hols-der-teufel"
PRICE = "Lowering > player lowers > price = smaller of chips and value of end - value of card"
PASS = "Your turn > player passes"
OPEN = "Opening > player opens > card goes to row of colour"
SPOILED = {
    "a gap in the numbers": ("-de", "number = 30\n", "number = 31\n", "not numbered one by one"),
    "a place that is not there": ("-de", "price = smaller", "cost = smaller", "has no `Lowering"),
    "a rule that nobody has": ("-de", f'"{PRICE}"', "", f"no edition and no ruling has `{PRICE}`"),
    "a rule called flavour": ("-de", 'kind = "rule"', 'kind = "flavour"', "`flavour` with 1 places"),
    "a kind that there is not": ("-de", 'kind = "rule"', 'kind = "law"', "no kind `law`"),
    "a deviation without a reason": ("-de", 'note = """\\\n    Taken', 'x = """\\\n    Taken', "no reason"),
    "a ruling that is not listed": ("", "Ruling: If several", "Ruling: Whenever several", "listed 0 times"),
    "a decided rule that is not listed": ("", f'    "{PASS}",\n', "", f"no edition and no ruling has `{PASS}`"),
    "a printed rule called a ruling": ("", PASS, OPEN, "does not stand in a ruling"),
}


@pytest.mark.parametrize("case", SPOILED)
def test_an_incomplete_table_is_noticed(case: str, tmp_path: Path) -> None:
    table, old, new, expected = SPOILED[case]
    found = problems(ours(shipped()[HOLS]), tables(HOLS, changed(tmp_path, f"{HOLS}{table}.toml", old, new)))
    assert any(expected in problem for problem in found), found


def edited(folder: Path, game: str, *changes: tuple[str, str]) -> Ours:
    """A rule file with some words replaced everywhere."""
    text = shipped()[game].read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / f"{game}{SUFFIX}"
    path.write_text(text, encoding="utf-8")
    return ours(path)


RENAMED = {
    "move": ("player leads:", "player heads:", "leader leads", "leader heads", " leads ", " heads "),
    "definition": ("barred-count", "banned-count"),
    "step": ("taking", "sweeping"),
    "place": ("pile", "heap"),
    "keep": ("leader", "chief"),
    "section": ("## Leading", "## The lead"),
}


@pytest.mark.parametrize("kind", RENAMED)
def test_a_renamed_rule_is_noticed(kind: str, tmp_path: Path) -> None:
    words = RENAMED[kind]
    rules = edited(tmp_path, "little-devils", *zip(words[::2], words[1::2], strict=True))
    found = problems(rules, tables("little-devils"))
    assert any("the rule file has no" in problem for problem in found)
    assert any("no edition and no ruling has" in problem for problem in found)


def test_a_new_condition_is_noticed(tmp_path: Path) -> None:
    new = 'choose row\n        there must be no cards in row of red\n            "No."\n'
    found = problems(edited(tmp_path, HOLS, ("choose row\n", new)), tables(HOLS))
    assert found == [
        "no edition and no ruling has `Laying an angel > player closes > there must be no cards in row of red`"
    ]


def test_a_ruling_that_loses_its_mark_is_noticed(tmp_path: Path) -> None:
    rules = edited(tmp_path, "little-devils", ("Ruling: The first dealer", "The first dealer"))
    found = problems(rules, tables("little-devils"))
    assert any("does not stand in a ruling" in problem for problem in found)
