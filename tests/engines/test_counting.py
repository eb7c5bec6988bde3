"""What is counted: every engine counts the same, and the numbers fit together, however the games are shared out."""

from __future__ import annotations

from math import isclose
from pathlib import Path

import pytest
from shipped import FIXTURES, LANGUAGE_GAMES, NAMES, SAMPLE, SAMPLE_TABLES, TABLES, Table, few, language_game, rules
from teufelswerk import load_game
from teufelswerk.base.find_files import variants
from teufelswerk.compiled.counter_layout import Counters, Kind
from teufelswerk.engines.paired import Figure, Paired, compare
from teufelswerk.engines.random_games import Engine, has_native, make_engine
from teufelswerk.engines.tally import Tally
from teufelswerk.examples.coverage import units_of
from teufelswerk.interpreter.machine import Event
from teufelswerk.model import Model

GAMES = 5
VARIANTS = [(games[0], variant) for variant, games in variants().items()]
SMALLEST = [table for table in TABLES if table.players == rules(table.name).min_players]
each_table = pytest.mark.parametrize("table", TABLES, ids=str)
needs_machine_code = pytest.mark.skipif(not has_native(), reason="llvmlite is not installed")


def engine(model: Model, players: int, name: str) -> Engine:
    found = make_engine(model, players, name, counting=True)
    assert found.name == name
    assert found.counters
    return found


def totals(found: Engine, counts: list[int], kind: Kind) -> dict[str, int]:
    """The sum of each row of a kind, by its words; rows with the same words are added up."""
    assert found.counters
    sums: dict[str, int] = {}
    for row in found.counters.rows_of(kind):
        sums[row.words] = sums.get(row.words, 0) + row.total(counts)
    return sums


def assert_same(model: Model, players: int, name: str, first: int, games: int) -> None:
    """Game by game and added up."""
    reference, other = engine(model, players, "reference"), engine(model, players, name)
    for expected, found in zip(reference.many(first, games), other.many(first, games), strict=True):
        assert len(expected.counts) == reference.counters.size  # type: ignore[union-attr]
        assert found == expected
    assert other.tally(first, games) == reference.tally(first, games)
    assert other.outcomes(first, games) == reference.outcomes(first, games)


# ---- every engine counts the same -----------------------------------------------------------------------------------


@each_table
def test_compiled_rules_count_like_the_reference(table: Table) -> None:
    assert_same(rules(table.name), table.players, "python", 0, GAMES)


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_compiled_variants_count_like_the_reference(game: str, variant: str) -> None:
    model = load_game(game, variant=variant)
    for players in range(model.min_players, model.max_players + 1):
        assert_same(model, players, "python", 0, 2)


@pytest.mark.parametrize("name", LANGUAGE_GAMES)
def test_the_games_of_the_language_page_are_counted_alike(name: str, tmp_path: Path) -> None:
    """With moves at once, values that may be absent, and cards that go together."""
    model = language_game(name, tmp_path)
    for players in range(model.min_players, model.max_players + 1):
        assert_same(model, players, "python", 0, GAMES)


@pytest.mark.parametrize("table", few(FIXTURES), ids=str)
def test_other_games_are_counted_too(table: Table) -> None:
    """Those that are compiled like the reference does it, the others by the reference."""
    model = rules(table.name)
    counting = make_engine(model, table.players, "python", counting=True)
    if counting.name == "python":
        assert_same(model, table.players, "python", 0, 2)
    tally = counting.tally(0, 2)
    assert sum(totals(counting, tally.counts, "decisions").values()) == tally.moves > 0


@needs_machine_code
@pytest.mark.parametrize("table", [table for table in SMALLEST if table.name in SAMPLE][-1:], ids=str)
def test_machine_code_counts_like_the_reference(table: Table) -> None:
    assert_same(rules(table.name), table.players, "native", 0, GAMES)


@pytest.mark.slow
@needs_machine_code
@each_table
def test_machine_code_counts_thousands_of_games_like_compiled_rules(table: Table) -> None:
    model = rules(table.name)
    slower, faster = engine(model, table.players, "python"), engine(model, table.players, "native")
    assert faster.tally(3_000_000, 1000) == slower.tally(3_000_000, 1000)


@each_table
def test_counting_changes_nothing_else(table: Table) -> None:
    model = rules(table.name)
    plain, counting = make_engine(model, table.players, "python"), engine(model, table.players, "python")
    one, other = plain.outcomes(7, GAMES), counting.outcomes(7, GAMES)
    assert (one.moves, one.winners, one.keeps) == (other.moves, other.winners, other.keeps)
    assert not one.counts and not one.rounds and other.counts


# ---- the numbers fit together ---------------------------------------------------------------------------------------


@each_table
def test_decisions_add_up(table: Table) -> None:
    found = engine(rules(table.name), table.players, "python")
    tally = found.tally(0, GAMES)
    decisions, forced, options = (found.counters.rows_of(kind) for kind in ("decisions", "forced", "options"))  # type: ignore[union-attr]
    assert sum(row.total(tally.counts) for row in decisions) == tally.moves
    assert sum(totals(found, tally.counts, "move").values()) == tally.moves
    for all_of_them, with_one, choices in zip(decisions, forced, options, strict=True):
        assert all_of_them.span == with_one.span == choices.span
        for n, single, sum_of_choices in zip(
            *(r.of(tally.counts) for r in (all_of_them, with_one, choices)), strict=True
        ):
            assert 0 <= single <= n and sum_of_choices >= single + 2 * (n - single)


@each_table
def test_what_is_counted_of_choices_is_what_the_trail_shows(table: Table) -> None:
    model = rules(table.name)
    found, followed = engine(model, table.players, "python"), make_engine(model, table.players, "python", trail=True)
    for game, with_trail in zip(found.many(0, GAMES), followed.many(0, GAMES), strict=True):
        numbers = [options for options, _ in with_trail.trail]
        counts = list(game.counts)
        assert sum(totals(found, counts, "forced").values()) == numbers.count(1)
        assert sum(totals(found, counts, "options").values()) == sum(numbers)


@each_table
def test_cards_are_counted_where_they_go(table: Table) -> None:
    found = engine(rules(table.name), table.players, "python")
    tally = found.tally(0, GAMES)
    assert found.counters and found.counters.rows_of("moved")
    for row in found.counters.rows_of("took", "payments"):
        assert row.total(tally.counts) > 0
    for row in found.counters.rows_of("took"):
        rule = next(r for r in found.counters.rows_of("rule") if r.span == row.span)
        assert row.total(tally.counts) <= rule.total(tally.counts)
    for times, paid in zip(found.counters.rows_of("payments"), found.counters.rows_of("paid"), strict=True):
        for n, amount in zip(times.of(tally.counts), paid.of(tally.counts), strict=True):
            assert amount >= n


@each_table
def test_histograms_agree_with_the_games(table: Table) -> None:
    found = engine(rules(table.name), table.players, "python")
    games, tally = list(found.many(0, GAMES)), found.tally(0, GAMES)
    assert tally.games == GAMES == tally.lengths.total() == tally.rounds.total() == tally.winners.total()
    assert tally.moves == sum(game.moves for game in games) == sum(n * times for n, times in tally.lengths.items())
    assert sum(tally.wins) == sum(n * times for n, times in tally.winners.items())
    for kept in range(len(found.kept)):
        assert tally.sums[kept] == [sum(game.keeps[kept][seat] or 0 for game in games) for seat in range(found.players)]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_names_its_line(name: str) -> None:
    model = rules(name)
    counters = Counters(model, model.min_players)
    lines = {unit.span.line for unit in units_of(model)}
    assert [row.first for row in counters.rows] == [
        sum(r.size for r in counters.rows[:i]) for i in range(len(counters.rows))
    ]
    for row in counters.rows:
        assert row.words and row.span.source in model.sources
        if row.kind in ("rule", "branch", "move"):
            assert row.span.line in lines
    assert all(row.of([]) == [0] * row.size for row in counters.rows)


KNOWN = """# Known

The higher of two cards takes both. Whoever plays a card above {free} pays for it.

    players 2
    cards
        number: 1 to 4
        "{number}"
    free = 2
    place deck, seen by nobody
    place hand of each player, seen by owner
    place table, seen by all
    place pile of each player, seen by nobody
    keep points of each player: 10
    keep beginner: player
    game:
        beginner becomes random player
        cards go to deck
        shuffle deck
        deal 2 from deck to each hand
        repeat 2 times
            round
        finish
    round:
        beginner plays
        left of beginner plays
        if number of first of table is above number of second of table
            "The first card is the higher one."
        else
            "The second card is the higher one."
        beginner becomes taker
        table goes to pile of beginner
    taker =
        player of highest number in table where number is 4
            "{taker} has the highest card of all."
        else player of highest number in table
            "{taker} has the higher card."
    player plays:
        "Play a card."
        choose card from hand
        card goes to table
            "{player} plays {card}."
        player pays number of card - free points to left
            "{player} pays {paid} to {left}."
    finish:
        highest points wins
            "{winners} {winners:wins|share the win}."
"""


@pytest.mark.parametrize("name", ["reference", "python"])
def test_a_game_that_can_be_counted_by_hand(name: str, tmp_path: Path) -> None:
    path = tmp_path / "known.rules.md"
    path.write_text(KNOWN, encoding="utf-8")
    found = engine(load_game(str(path)), 2, name)
    games = 20
    tally = found.tally(0, games)
    counts = tally.counts
    assert tally.rounds == {2: games} and tally.lengths == {4: games} and tally.moves == 4 * games
    assert totals(found, counts, "step") == {"round": 2 * games, "finish": games}
    assert totals(found, counts, "move") == {"plays": 4 * games}
    assert sum(totals(found, counts, "forced").values()) == 2 * games  # the last card of each
    assert sum(totals(found, counts, "options").values()) == 6 * games
    assert found.counters
    if_first, if_second, with_four, without = (row.total(counts) for row in found.counters.rows_of("branch"))
    assert 0 < if_first < 2 * games and if_first + if_second == 2 * games
    assert with_four == without == games
    rows = {(row.kind, row.words): row.of(counts) for row in found.counters.rows if row.by == "card"}
    assert rows["moved", "table"] == rows["moved", "pile"] == [games] * 4
    one, two, three, four = rows["took", "table goes to pile of beginner"]
    assert one == 0 and four == games and two + three == games
    assert rows["payments", "points"] == [0, 0, games, games]
    assert rows["paid", "points"] == [0, 0, games, 2 * games]


# ---- however the games are shared out -------------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [(10,), (3, 7), (1, 1, 8), (5, 0, 5)], ids=str)
def test_parts_add_up_to_the_whole(parts: tuple[int, ...]) -> None:
    model = rules(NAMES[0])
    found = engine(model, 3, "python")
    whole, added, backwards, first = found.tally(0, 10), Tally(), Tally(), 0
    portions = []
    for size in parts:
        portions.append(found.tally(first, size))
        first += size
    for portion in portions:
        added.merge(portion)
    for portion in reversed(portions):
        backwards.merge(portion)
    assert added == backwards == whole


@needs_machine_code
@pytest.mark.slow
def test_a_game_that_gets_stuck_leaves_nothing_behind(tmp_path: Path) -> None:
    """The machine code gives such a game up half way; the reference interpreter plays it, and counts it once."""
    found, reference = engine(rules(NAMES[0]), 3, "native"), engine(rules(NAMES[0]), 3, "reference")
    play_many = found.play_many  # type: ignore[attr-defined]

    def stuck_at_times(first: int, moves: object, *arrays: object) -> None:
        play_many(first, moves, *arrays)
        moves[1::3] = -1  # type: ignore[index]

    found.play_many = stuck_at_times  # type: ignore[attr-defined]
    assert found.tally(0, 8) == reference.tally(0, 8)
    assert found.count(0, 8) == reference.count(0, 8)
    assert list(found.many(0, 8)) == list(reference.many(0, 8))


@each_table
def test_seats_can_be_counted_from_the_player_who_begins(table: Table) -> None:
    found = engine(rules(table.name), table.players, "python")
    games = list(found.many(0, GAMES))
    logs: list[list[Event]] = [[] for _ in games]
    firsts = []
    for game, log in zip(games, logs, strict=True):
        found.recorded(game.seed, log)
        firsts.append(next(event.record["player"] for event in log if event.record["event"] == "move"))
    played = found.outcomes(0, GAMES)
    assert played.beginners == firsts
    turned = played.from_beginner(table.players)
    for number, (game, first) in enumerate(zip(games, firsts, strict=True)):
        expected = {(seat - first) % table.players for seat in game.winners}
        assert {place for place in range(table.players) if turned.winners[number] >> place & 1} == expected
        for kept, values in zip(turned.keeps, game.keeps, strict=True):
            assert [kept[(seat - first) % table.players][number] for seat in range(table.players)] == list(values)


@each_table
def test_forced_decisions_are_known_game_by_game(table: Table) -> None:
    model = rules(table.name)
    found, followed = engine(model, table.players, "python"), make_engine(model, table.players, "python", trail=True)
    expected = [sum(options == 1 for options, _ in game.trail) for game in followed.many(0, GAMES)]
    assert found.outcomes(0, GAMES).forced == expected


# ---- pairs ----------------------------------------------------------------------------------------------------------


def test_rules_compared_with_themselves_do_not_differ() -> None:
    table = SAMPLE_TABLES[-1]
    one, other = (engine(rules(table.name), table.players, "python") for _ in range(2))
    paired = compare(one, other, 0, GAMES)
    assert paired.games == GAMES
    for figure in paired.figures:
        found = paired.compared(figure)
        assert found.base == found.variant and found.low == found.difference == found.high == 0
    wins = [paired.compared(figure).base for figure in paired.figures if figure.kind == "win"]
    winners = one.outcomes(0, GAMES).winners
    assert wins == [sum(won >> seat & 1 for won in winners) / GAMES for seat in range(table.players)]


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_pairs_are_the_same_on_every_engine_and_in_parts(game: str, variant: str) -> None:
    model, changed = load_game(game), load_game(game, variant=variant)
    players = max(model.min_players, changed.min_players)
    reference = compare(engine(model, players, "reference"), engine(changed, players, "reference"), 0, 3)
    base, other = engine(model, players, "python"), engine(changed, players, "python")
    added = Paired()
    for first, size in ((1, 2), (0, 1)):
        added.merge(compare(base, other, first, size))
    assert added == reference
    kinds = {figure.kind for figure in added.figures}
    assert kinds == {"moves", "rounds", "forced", "shared", "win", "kept"}


def test_an_interval_is_that_of_the_differences() -> None:
    game, variant = VARIANTS[0]
    base, other = engine(load_game(game), 3, "python"), engine(load_game(game, variant=variant), 3, "python")
    found = compare(base, other, 0, 10).compared(Figure("moves"))
    pairs = list(zip(base.many(0, 10), other.many(0, 10), strict=True))
    differences = [b.moves - a.moves for a, b in pairs]
    mean = sum(differences) / 10
    error = (sum((d - mean) ** 2 for d in differences) / 9 / 10) ** 0.5
    assert isclose(found.difference, mean) and isclose(found.high - mean, 1.96 * error)
    assert isclose(found.base, sum(a.moves for a, _ in pairs) / 10)


def test_without_counting_there_are_no_rounds_to_compare() -> None:
    model = rules(NAMES[0])
    plain = make_engine(model, 3, "python")
    paired = compare(plain, engine(model, 3, "python"), 0, 1)
    assert "rounds" not in {figure.kind for figure in paired.figures}
    with pytest.raises(ValueError, match="equally many"):
        compare(plain, make_engine(model, 4, "python"), 0, 1)
    with pytest.raises(ValueError, match="no games"):
        compare(plain, plain, 0, 0).compared(Figure("moves"))
