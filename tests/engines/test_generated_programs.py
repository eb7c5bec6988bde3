"""Generated rule files that use the whole language: every engine plays the same games by them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest
from agreement import Difference, Fault, differences, reference
from programs.author import program
from programs.shrinking import shrunk
from teufelswerk.base.diagnostics import render
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.lower_game import core_of
from teufelswerk.core.walk import all_forms, all_statements
from teufelswerk.engines.random_games import has_native
from teufelswerk.loading.library import load
from teufelswerk.model import Model
from teufelswerk.syntax import grammar
from teufelswerk.syntax.grammar import tree_of
from teufelswerk.syntax.keywords import KEYWORDS

PARTED = sorted((Path(__file__).parent.parent / "fixtures" / "programs").glob("*.rules.md"))
PROGRAMS, PARTS, GAMES = 300, 20, 5
NATIVE_EVERY = 3
"""In the tests of every day, machine code is made of every so many files: it takes half a second."""
SLOW_PROGRAMS, SLOW_PARTS, SLOW_GAMES = 10_000, 200, 20
FIRST_SLOW_SEED = 1_000_000
IMPROVED_EVERY = 10
"""The compiler improves the machine code of every so many files, which takes most of the time."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine code of files that nobody plays again does not drive out that of others."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def model_of(text: str, folder: Path) -> tuple[Model | None, list[str]]:
    path = folder / "generated.rules.md"
    path.write_text(text, encoding="utf-8")
    loaded = load(path)
    return loaded.model, [render(found, str) for found in loaded.diagnostics if found.is_error]


def players_of(model: Model, seed: int) -> int:
    return model.min_players + seed % (model.max_players - model.min_players + 1)


class Unlike(Exception):
    """Engines that do not understand a file alike."""


def parted(text: str, folder: Path, seed: int, games: int, native: bool) -> Difference | str | None:
    """Where engines part over a file, or what else goes wrong; nothing if the file is refused."""
    model, _ = model_of(text, folder)
    if model is None:
        return None
    try:
        return next(differences(model, players_of(model, seed), 0, games, native), None)
    except Exception as problem:
        return type(problem).__name__


def assert_alike(seed: int, folder: Path, small: bool = True, games: int = GAMES, native: bool = True) -> None:
    """If an engine plays otherwise than the reference, the smallest file that shows it is told."""
    text = program(seed, small)
    found = parted(text, folder, seed, games, native)
    if found is not None:
        kind = type(found), str(found).split()[0]

        def shows(smaller: str) -> bool:
            now = parted(smaller, folder, seed, games, native)
            return now is not None and (type(now), str(now).split()[0]) == kind

        smallest = shrunk(text, shows)
        raise Unlike(f"seed {seed}: {found}\n{smallest}\n{parted(smallest, folder, seed, games, native)}")


@pytest.mark.parametrize("part", range(PARTS))
def test_every_engine_understands_generated_programs_alike(part: int, tmp_path: Path) -> None:
    for seed in range(part * PROGRAMS // PARTS, (part + 1) * PROGRAMS // PARTS):
        with improving(seed // NATIVE_EVERY):
            assert_alike(seed, tmp_path, native=seed % NATIVE_EVERY == 0)


@contextmanager
def improving(number: int) -> Iterator[None]:
    """The machine code of most files stays as it is written."""
    with pytest.MonkeyPatch.context() as patch:
        if has_native() and number % IMPROVED_EVERY:
            from teufelswerk.engines import machine_code

            patch.setattr(machine_code, "compiled", partial(machine_code.compiled, improved=False))
        yield


@pytest.mark.slow
@pytest.mark.skipif(not has_native(), reason="llvmlite is not installed")
@pytest.mark.parametrize("part", range(SLOW_PARTS))
def test_so_it_is_with_thousands_of_larger_ones(part: int, tmp_path: Path) -> None:
    size = SLOW_PROGRAMS // SLOW_PARTS
    for seed in range(FIRST_SLOW_SEED + part * size, FIRST_SLOW_SEED + (part + 1) * size):
        with improving(seed):
            assert_alike(seed, tmp_path, small=False, games=SLOW_GAMES)


@pytest.mark.parametrize("path", PARTED, ids=lambda path: path.name.removesuffix(".rules.md"))
def test_files_over_which_engines_parted_once(path: Path) -> None:
    model = load(path).model
    assert model is not None
    for players in range(model.min_players, model.max_players + 1):
        assert next(differences(model, players, 0, 50), None) is None


# ---- what is generated ----------------------------------------------------------------------------------------------


def test_generated_programs_use_the_whole_language_and_are_played(tmp_path: Path) -> None:
    reached = made_of(tmp_path)
    every_form_of_the_core_is_reached(reached)
    every_form_is_used_in_all_its_ways(reached)
    every_alternative_of_the_grammar_is_reached(reached)
    nearly_all_files_are_accepted_and_their_games_come_to_decisions_and_to_an_end(reached["files"])


def made_of(folder: Path) -> dict[str, Counter[Any]]:
    """What the files of the tests of every day are made of, and what came of them."""
    kinds = ("forms", "manners", "lines", "words", "written", "files")
    found: dict[str, Counter[Any]] = {kind: Counter() for kind in kinds}

    def remembered(text: str, start: str) -> Any:
        tree, depth = tree_of(text, start)
        found["lines"].update({str(subtree.data) for subtree in tree.iter_subtrees()})
        return tree, depth

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("teufelswerk.syntax.parse.tree_of", remembered)
        for seed in range(PROGRAMS):
            text = program(seed, True)
            model, errors = model_of(text, folder)
            found["words"].update(set(re.findall(r"[a-z]+", text)))
            if model is None:
                found["files"][f"refused: {errors[0]}"] += 1
                continue
            found["files"]["accepted"] += 1
            found["written"].update(name for name, pattern in WRITTEN.items() if re.search(pattern, text))
            found["forms"].update({type(part).__name__ for part in everything(model)})
            found["manners"].update({manner for part in everything(model) for manner in manners(part)})
            games = reference(model, players_of(model, seed), 0, GAMES)
            found["files"]["with decisions"] += any(game.trail for game in games)
            found["files"]["with choices"] += any(options > 1 for game in games for options, _ in game.trail or ())
            found["files"]["games"] += len(games)
            found["files"]["faults"] += sum(isinstance(game, Fault) for game in games)
    return found


def everything(model: Model) -> Iterator[Any]:
    core = core_of(model)
    yield from all_forms(core)
    yield from all_statements(core)
    for move in core.moves.values():
        yield from (move, *move.choices, *move.conditions)
    yield from core.steps.values()


def manners(part: Any) -> Iterator[tuple[str, Any]]:
    """In which of its ways a form is used."""
    name = type(part).__name__
    match part:
        case f.Arith() | f.Logic():
            yield name, part.op
        case f.Compare():
            yield name, part.relation
        case f.Neighbour():
            yield name, part.step
        case f.Nth():
            yield name, part.position
        case f.Extreme():
            yield name, part.highest
            yield name, part.type.kind
        case f.Defined() if part.argument is not None:
            yield name, "of several" if part.argument.type.many else "of one"
        case f.Few():
            yield name, "last" if part.last else "first"
        case s.Wins():
            yield name, part.lose
            yield name, "by numbers" if part.criteria else "by name"
        case s.Deal():
            yield name, "evenly" if part.amount is None else "up to" if part.up_to else "exactly"
        case s.Choice():
            yield name, "number" if part.items is None else "several" if part.several else "one"
        case s.Condition():
            yield name, part.if_able
        case f.Attribute() | f.OwnerOf() | f.CardAt():
            pass
        case f.Form() if part.type.kind != "truth":
            yield name, part.type.kind


def every_form_of_the_core_is_reached(reached: dict[str, Counter[Any]]) -> None:
    forms = {form.__name__ for module in (f, s) for form in vars(module).values() if isinstance(form, type)}
    forms = {name for name in forms if not name.startswith("_")}
    of_no_game = {"Form", "Statement", "Definition", "Sentence", "Core", "Span", "Type"}
    assert forms - of_no_game == set(reached["forms"])


def every_form_is_used_in_all_its_ways(reached: dict[str, Counter[Any]]) -> None:
    wanted = {("Arith", op) for op in get_args(f.Operation)} | {("Compare", way) for way in get_args(f.Relation)}
    wanted |= {("Logic", "and"), ("Logic", "or"), ("Neighbour", 1), ("Neighbour", -1)}
    wanted |= {("Nth", position) for position in (0, 1, 2, 9, -1)} | {("Extreme", way) for way in (True, False)}
    wanted |= {("Few", "first"), ("Few", "last"), ("Wins", True), ("Wins", False)}
    wanted |= {
        ("Defined", "of several"),
        ("Defined", "of one"),
        ("Sum", "number"),
        ("Wins", "by numbers"),
        ("Wins", "by name"),
    }
    wanted |= {("Deal", way) for way in ("evenly", "up to", "exactly")}
    wanted |= {("Choice", way) for way in ("number", "one", "several")} | {
        ("Condition", able) for able in (True, False)
    }
    things = ("number", "card", "player", "place", "end", "name")
    wanted |= {("Slot", kind) for kind in things} | {("Drawn", kind) for kind in things}
    wanted |= {("Kept", kind) for kind in things if kind != "end"}
    wanted |= {("Extreme", kind) for kind in ("card", "player", "place", "name", "number")}
    assert wanted - set(reached["manners"]) == set()


UNREACHED = {
    "examples, which the reference alone runs": {
        "arg_pair", "scene", "given_is", "laid_up", "given", "act_line", "claim_outcome", "claim_table", "claim",
        "claim_legal", "arg_where", "person",
    },
    "a variant is one rulebook with its base before anything is understood": {"variant"},
}  # fmt: skip
OF_EXAMPLES = {"variant", "scene", "given", "now", "always", "never", "allowed", "refused", "edition"}

WRITTEN = {
    "kept of each side": r"keep [\w-]+ of each side",
    "a place of each side": r"place \w+ of each side",
    "a place of each of two": r"place \w+ of each \w+[^\n]* and ",
    "kept of each of two": r"keep [\w-]+ of each \w+[^\n]* and ",
    "places of one of two": r"(piles|ditches) of ",
    "a partner": r"\bpartner\b",
    "the players of a side": r"players in \(?side",
    "a side that wins": r"sides? (of [^\n]*)?(wins?|loses?)\n",
    "through sides": r"each side\n",
    "a value of a number": r"value-\w of number =",
    "a value of two things": r"value-\w of \w+ and \w+ =",
    "both of two named": r"value-\w of \([^()]* and ",
    "a table of numbers": r"fee by number:",
    "a list of names": r"favours = ",
    "a list that is counted": r"count offers",
    "a list with a condition": r"offers where",
    "a list of names with a condition": r"favours where",
    "through a list": r"each offer in offers",
    "the best of a list": r"(highest|lowest) offer in",
    "a list added up": r"sum offer in",
    "one of a list by its order": r"(first|last) of \(?offers",
    "one of a list by lot": r"random offer",
    "chosen from some of a list": r"choose [\w-]+ from offers where",
    "names to choose from": r"choose (colour|shape|rank|mood) from \w+, \w+",
    "a set from here to there": r"choose \d to \d cards",
    "a set up to so many": r"choose up to \d cards",
    "as many as one likes": r"choose some cards",
    "a name before a condition": r"thing-\w+ = [^\n]*\n[^\n]*must",
    "a name before a choice": r"thing-\w+ = [^\n]*\n[^\n]*choose",
    "a kind of cards to choose from": r"choose (rung|cat|fairy|witch) from hand",
    "something of something in a text": r"\{score of \w+\}",
    "chosen from what has a name": r"choose [^\n]* from thing-",
    "through cards": r"each card in",
    "through a kind of cards": r"each (rung|cat|fairy|witch) in",
    "through some players": r"each player where",
    "at once, but not all": r"each player [^\n]*where [^\n]*at once",
    "through numbers": r"each thing-\w+ from",
    "what is asked of a set of cards": r"(size|group|heap) of \(first",
    "cards chosen that are a group": r"(pack|group of cards) must hold",
    "places joined": r" (in|from|to) \(?(hand|deck|table|row|pile|box)s? or ",
    "kept secretly": r"keep [^\n]*, seen by (owner|nobody)",
    "turned in a step or a move": r"(turn|turns) (up|down)\n",
    "chosen by how it lies": r"choose [^\n]* where it is face up",
    "seen by all but one": r"place [^\n]*, seen by others",
    "through all at the table": r"each player at the table",
    "a neighbour at the table": r"(left|right)( of \w+)? at the table",
    "a player or nobody": r"keep holder[^\n]*: player or nobody",
    "nobody any more": r"holder[^\n]* becomes nobody",
    "whether it is nobody": r"is nobody",
    "one card of each place": r"(first|last|second) of each ",
    "where a card lies": r"(row|pile|hand|ditch) of (first|last|highest|lowest) ",
    "an end by its name": r"(bottom|top) of ",
    "laid at an end by its name": r" goe?s? to \(?(bottom|top) of ",
    "who is next": r"next becomes",
    "who is next, said in a step": r"    hop of player",
    "who is next, said in a move": r"player hops else",
    "a step called in a move": r"player \w+:\n(?:        [^\n]*\n)*? +aside-",
    "identical cards": r"\n {8}copies: \d",
    "as many identical cards as a table says": r"\n {8}copies by",
    "below zero in a table": r"    -\d: ",
}
"""What has no rule of the grammar to itself."""


def every_alternative_of_the_grammar_is_reached(reached: dict[str, Counter[Any]]) -> None:
    text = (Path(grammar.__file__).parent / "grammar.lark").read_text(encoding="utf-8")
    named = set(re.findall(r"-> (\w+)", text))
    assert named - set(reached["lines"]) == set().union(*UNREACHED.values())
    assert KEYWORDS - set(reached["words"]) == OF_EXAMPLES
    assert set(WRITTEN) - set(reached["written"]) == set()


def nearly_all_files_are_accepted_and_their_games_come_to_decisions_and_to_an_end(files: Counter[str]) -> None:
    assert files["accepted"] >= 0.97 * PROGRAMS, [name for name in files if name.startswith("refused")]
    assert files["with decisions"] >= 0.9 * files["accepted"]
    assert files["with choices"] >= 0.6 * files["accepted"]
    assert 0 < files["faults"] <= 0.1 * files["games"], "mistakes in rules are met alike, but rarely"


def test_what_shows_something_is_made_small() -> None:
    text = (
        "# A\n\n    players 2\n    game:\n        if some cards\n            shuffle deck\n        highest score wins\n"
    )
    assert shrunk(text, lambda smaller: "shuffle deck" in smaller).split() == ["shuffle", "deck"]
