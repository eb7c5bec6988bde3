"""Ordinary files on which the checker broke, engines differed or examples went astray: they work now."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from teufelswerk.base.texts import Seat
from teufelswerk.engines.random_games import Engine, Played, has_native, make_engine
from teufelswerk.examples.findings import example_findings
from teufelswerk.examples.run_scenes import SceneRunner
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Event, RuleError
from teufelswerk.loading.library import Loaded, load

FOLDER = Path(__file__).parents[1] / "hostile"
PROGRAMS = Path(__file__).parents[1] / "fixtures" / "programs"
ENGINES = ("python", "native") if has_native() else ("python",)
GAMES = 30


def loaded(name: str) -> Loaded:
    return load(FOLDER / f"{name}.rules.md")


def codes(found: Loaded) -> list[str]:
    return [diagnostic.code for diagnostic in found.diagnostics]


def outcome(engine: Engine, seed: int) -> Played | tuple[str, int]:
    """How a game came out; where the rules are at fault, in which way and where."""
    try:
        return engine.play(seed)
    except RuleError as problem:
        span = problem.diagnostic.span
        return problem.diagnostic.code, span.line if span else 0


# ---- the checker ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("check-crash", []),
        ("check-crash-mini", ["no-heading", "no-winner"]),
        ("presence", ["untold-value", "untold-value", "never-paid-out", "may-find-no-move"]),
        ("hearts-no-if-able", ["may-find-no-move"]),
        ("strict-follow", ["may-find-no-move", "may-be-absent"]),
        ("klondike-source-unknown", []),
        (
            "example-of-a-broken-definition",
            ["no-heading", "empty-block", "unexpected", "empty-block", "missing-else", "no-winner"],
        ),
        (
            "sides-without-their-number",
            ["no-heading", "declared-twice", "no-of", "unknown-name", "unknown-name"],
        ),
    ],
)
def test_a_file_is_checked(name: str, expected: list[str]) -> None:
    assert codes(loaded(name)) == expected


def test_what_a_condition_compares_is_there_also_with_alternatives(tmp_path: Path) -> None:
    """The same choice between two values, asked for by a condition and needed by what follows, is not warned about."""
    path = tmp_path / "asked.rules.md"
    path.write_text(ASKED, encoding="utf-8")
    assert "may-be-absent" not in codes(load(path))
    path.write_text(ASKED.replace("(1 if", "(2 if", 1), encoding="utf-8")
    assert "may-be-absent" in codes(load(path))


ASKED = """# Asked

Test.

    players 2
    cards
        number: 1 to 5
    place deck, seen by all
    keep score of each player: 0
    player takes:
        (1 if number of first of deck is 3) must be 1
            "No."
        score becomes (1 if number of first of deck is 3)
    player passes:
        "Pass."
    game:
        cards go to deck
        each player
            player takes or passes
        highest score wins
"""


# ---- the engines ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["absent-player", "box", "boxshuffle", "check-crash", "empty-move", "silent-pass"])
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_plays_the_file_by_itself(name: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = loaded(name).model
    assert rules
    for players in {rules.min_players, rules.max_players}:
        reference = make_engine(rules, players, "reference", trail=True)
        expected = [outcome(reference, seed) for seed in range(GAMES)]
        found = make_engine(rules, players, engine, trail=True)
        monkeypatch.setattr(found, "recorded", None)  # it does not fall back to the reference
        assert [outcome(found, seed) for seed in range(GAMES)] == expected


@pytest.mark.parametrize("name", ["presence", "strict-follow", "hearts-no-if-able", "rare-step", "out", "out2"])
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_finds_the_same_outcome_or_fault(name: str, engine: str) -> None:
    rules = loaded(name).model
    assert rules
    games = 5 if name == "hearts-no-if-able" else GAMES
    for players in {rules.min_players, rules.max_players}:
        reference = make_engine(rules, players, "reference", trail=True)
        found = make_engine(rules, players, engine, trail=True)
        assert [outcome(found, n) for n in range(games)] == [outcome(reference, n) for n in range(games)]


CARRIED = """# Carried

Test.

    players 3
    cards
        number: 1 to 24
    place deck, seen by nobody
    place market, seen by all
    place hand of each player, seen by {seen}
    place pile of each player, seen by nobody
    place trick, seen by all
    keep score of each player: 0
    keep leader: player
    game:
        cards go to deck
        shuffle deck
        leader becomes random player
        deal 3 from deck to each hand
        deal 3 from deck to market
        repeat 3 times
            each player{once}
                player plays or passes
            each player
                score becomes score + sum number in hand + count cards in deck * 30 + sum number in pile
            score of leader becomes score of leader + count cards in market * 100 + number of first of deck
        highest score wins
    player plays:
        "Play."
        choose card from {source}
        {before}
        card goes to {target}
    player passes:
        "Pass."
"""


@pytest.mark.parametrize("once", ["", " at once"])
@pytest.mark.parametrize("source", ["hand", "hand of leader", "market"])
@pytest.mark.parametrize("target", ["pile", "deck", "trick"])
@pytest.mark.parametrize(
    "before",
    [
        "score becomes score + 1",
        "leader becomes left of leader",
        "hand goes to pile of leader",
        "hand goes to deck",
        "hands go to market",
        "market goes to hand",
        "cards in hands where number of it is above 9 go to market",
        "deal up to 2 from deck to hand",
    ],
)
def test_a_chosen_card_goes_from_where_it_lies_by_then(
    before: str, source: str, target: str, once: str, tmp_path: Path
) -> None:
    """Something else may carry it away first: the move itself or, where all decide at once, somebody else's."""
    path = tmp_path / "carried.rules.md"
    seen = "owner" if source == "hand" else "all"
    text = CARRIED.format(before=before, source=source, target=target, once=once, seen=seen)
    path.write_text(text, encoding="utf-8")
    rules = load(path).model
    assert rules
    names = ENGINES if target == "pile" else ENGINES[:1]  # machine code takes its time to be made
    reference, *others = (make_engine(rules, 3, name, trail=True) for name in ("reference", *names))
    expected = [outcome(reference, seed) for seed in range(8)]
    for other in others:
        assert [outcome(other, seed) for seed in range(8)] == expected, other.name


# ---- who is out -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 5])
def test_a_definition_that_out_reads_means_the_same_elsewhere_as_what_it_stands_for(players: int) -> None:
    by_name, written_out = loaded("out").model, loaded("out2").model
    assert by_name and written_out
    games = [
        [make_engine(rules, players, "reference", trail=True).play(seed) for seed in range(GAMES)]
        for rules in (by_name, written_out)
    ]
    assert games[0] == games[1]
    # Whoever is out is passed over, so not everybody is counted every time.
    assert any(4 * players not in game.keeps[1] for game in games[0])


def test_asking_who_is_out_disturbs_no_other_question(tmp_path: Path) -> None:
    """`worth` is asked of one player, and on the way of everyone, since `out` asks for it too."""
    path = tmp_path / "asked-again.rules.md"
    path.write_text(ASKED_AGAIN, encoding="utf-8")
    rules = load(path).model
    assert rules
    played = make_engine(rules, 3, "reference").play(0)
    assert played.keeps == ((1, 4, 16), (2 + 1, 2 + 4, 0))
    assert all(make_engine(rules, 3, engine).play(0).keeps == played.keeps for engine in ENGINES)


ASKED_AGAIN = """# Asked again

Test.

    players 3
    cards
        number: 1 to 3
    keep chips of each player: 0
    keep asked of each player: 0
    keep following: 1
    at-the-table = count players
    worth of player = at-the-table + chips
    out of player = worth is above 10
    game:
        each player
            chips becomes following
            following becomes following * 4
        each player
            asked becomes worth
        highest asked wins
"""


# ---- examples -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["given-after-move", "gin-scene-wrong-place", "klondike-source-unknown", "rare-step"])
def test_the_examples_hold(name: str) -> None:
    found = loaded(name)
    assert found.model
    start = time.thread_time()
    assert not example_findings(found.model, found.scenes)
    assert time.thread_time() - start < 20


def test_a_step_behind_the_end_of_the_game_is_not_reached(tmp_path: Path) -> None:
    path = tmp_path / "late.rules.md"
    path.write_text(LATE, encoding="utf-8")
    found = load(path)
    assert found.model
    (verdict,) = SceneRunner(found.model, found.scenes[0], None).run().verdicts
    assert not verdict.holds
    assert str(verdict.found) == "no game that was tried came to the step `late`"


LATE = """# Late

Test.

    players 2
    cards
        number: 1 to 3
    keep score of each player: 0
    game:
        highest score wins
        late
    late:
        each player
            score becomes 1

## Example: Too late

Test.

    scene late: Ann, Ben
    now score of Ann is 1
"""


@pytest.mark.parametrize(
    "gate",
    [
        "if some players where score is 5",
        "if no cards in deck\n            score of random player becomes 1\n        else",
        "repeat until some players where score is 0",
        "repeat score of random player times",
        "go round from random player until some players where score is 0",
        "repeat 2 times\n            repeat until some cards in deck\n                each player"
        "\n                    player waits\n                deck goes to box\n        repeat 1 times",
    ],
)
def test_a_step_that_chance_does_not_come_to_is_led_to(gate: str, tmp_path: Path) -> None:
    path = tmp_path / "gate.rules.md"
    path.write_text(GATE.replace("GATE", gate), encoding="utf-8")
    found = load(path)
    assert found.model, found.diagnostics
    verdicts = SceneRunner(found.model, found.scenes[0], None).run().verdicts
    assert [verdict.holds for verdict in verdicts] == [True, True, True]


GATE = """# Gate

Test.

    players 2
    cards
        number: 1 to 3
    place deck, seen by nobody
    keep score of each player: 0
    game:
        GATE
            rare
        highest score wins
    rare:
        cards go to deck
        each player
            player waits
            score becomes score + 1
    player waits:
        "Wait."
        "{player} waits."

## Example: The gate

Test.

    scene rare: Ann, Ben
    Ann waits
    Ben waits
    now score of Ben is 1
"""


def test_a_name_that_only_a_sentence_speaks_of_is_worked_out() -> None:
    """It was taken for one that nobody needs, and the sentence told of `nothing`."""
    model = load(PROGRAMS / "names-that-only-a-sentence-tells.rules.md").model
    assert model is not None
    game, events = Game(model, 3), list[Event]()
    start = game.start(1)
    game.apply(start, game.legal_moves(start)[0], events)
    [told] = [event.told.whole for event in events if event.told is not None]
    assert (told.values["giver"], told.values["old"]) == (Seat(2), 3)
