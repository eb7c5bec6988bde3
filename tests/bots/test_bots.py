"""Bots: they see what their seat sees, draw the right conclusions from it, and play any game."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from teufelswerk.bots import thinking_bots
from teufelswerk.bots.bot_games import BotEngine
from teufelswerk.bots.company import BOTS, Company, UnknownBot, kinds_of
from teufelswerk.bots.dealing import assign
from teufelswerk.bots.inference import Knowledge
from teufelswerk.bots.learned_weights import learned
from teufelswerk.bots.players import Bot
from teufelswerk.bots.thinking_bots import STEPS, CarefulBot, ExpertBot
from teufelswerk.engines.random_games import has_native
from teufelswerk.engines.steps import Steps
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import BOX, Event
from teufelswerk.interpreter.seen_events import Sight
from teufelswerk.interpreter.state import State
from teufelswerk.interpreter.view import View
from teufelswerk.loading.model_cache import load_game
from teufelswerk_cli.many.tournament import contest

FIXTURES = Path(__file__).parents[1] / "fixtures" / "games"
GAMES = ("little-devils", "hols-der-teufel", "hearts", str(FIXTURES / "six-nimmt.rules.md"))
IDS = ("little-devils", "hols-der-teufel", "hearts", "six-nimmt")


@cache
def table(name: str, players: int = 4) -> Game:
    return Game(load_game(name), players)


def moments(game: Game, seed: int, moves: int) -> Iterator[tuple[State, list[Event]]]:
    """The positions of a random game with what led to each."""
    events: list[Event] = []
    state, rng = game.start(seed, events), Random(seed)
    yield state, events
    for _ in range(moves):
        legal = game.legal_moves(state)
        if not legal:
            return
        events = []
        state = game.apply(state, rng.choice(legal), events)
        yield state, events


def known_to(game: Game, seat: int, seed: int, moves: int) -> Iterator[tuple[State, Knowledge, View]]:
    knowledge, sight = Knowledge(game, seat), Sight(game)
    for state, events in moments(game, seed, moves):
        view = game.view(state, seat)
        knowledge.watch(view, sight.events(events, seat))
        yield state, knowledge, view


# ---- knowledge ------------------------------------------------------------------------------------------------------


@pytest.mark.each_game
@pytest.mark.parametrize("name", GAMES, ids=IDS)
def test_what_a_seat_believes_is_true(name: str) -> None:
    game = table(name)
    for seed in range(2):
        for state, knowledge, _view in known_to(game, seed % 4, seed, 80):
            lies = {card: place for place, cards in enumerate(state.places) for card in cards}
            believed = [knowledge.possible[card] & ~knowledge.excluded[card] for card in range(len(lies))]
            for alike in knowledge.numbers.values():  # nobody knows which of identical cards is which
                orders = permutations(lies[card] for card in alike)
                assert any(all(believed[c] >> p & 1 for c, p in zip(alike, order, strict=True)) for order in orders)


@pytest.mark.each_game
@pytest.mark.parametrize("name", GAMES, ids=IDS)
def test_an_imagined_world_looks_like_the_real_one(name: str) -> None:
    game, rng = table(name), Random(1)
    for state, knowledge, view in known_to(game, 1, 5, 60):
        if state.winners is None and not (state.pending and view.to_move != 1):
            imagined = knowledge.imagine(view, rng)
            assert imagined is not None
            seen = game.view(imagined, 1)
            assert replace(seen, moves=()) == replace(view, moves=())
            assert seen.moves == view.moves


def test_who_could_not_follow_holds_nothing_to_follow_with() -> None:
    game = table("little-devils")
    number = [card.values["number"] for card in game.rules.cards]
    concluded = 0
    for seed in (0, 1, 5):
        for state, knowledge, _view in known_to(game, 0, seed, 250):
            trick = state.places[game.layout.by_name["trick"]]
            if len(trick) < 3 or state.owners[trick[-1]] == 0:
                continue
            led, upward = number[trick[0]], number[trick[1]] > number[trick[0]]
            if (number[trick[-1]] > led) == upward:
                continue
            hand = game.layout.by_name[f"hand[{state.owners[trick[-1]]}]"]
            for card, excluded in enumerate(knowledge.excluded):
                if knowledge.possible[card] >> hand & 1 and (number[card] > led) == upward:
                    assert excluded >> hand & 1
                    concluded += 1
    assert concluded


def test_cards_are_dealt_even_if_it_takes_moving_others() -> None:
    choices: dict[int, tuple[int, ...]] = {0: (0,), 1: (0, 1), 2: (1, 2), 3: (0, 1, 2)}
    for seed in range(50):
        filled = assign(choices, [1, 1, 2], Random(seed))
        assert filled is not None
        assert [len(cards) for cards in filled] == [1, 1, 2]
        assert all(bin in choices[card] for bin, cards in enumerate(filled) for card in cards)
    assert assign({0: (0,), 1: (0,)}, [1, 1], Random(1)) is None


# ---- never beyond the view ------------------------------------------------------------------------------------------


def swapped(game: Game, state: State, events: list[Event], a: int, b: int) -> tuple[State, list[Event]]:
    """The same deal with two cards exchanged."""
    ids = {game.rules.cards[a].id: game.rules.cards[b].id, game.rules.cards[b].id: game.rules.cards[a].id}
    cards = {a: b, b: a}
    places = tuple(tuple(cards.get(card, card) for card in place) for place in state.places)
    owners = list(state.owners)
    owners[a], owners[b] = owners[b], owners[a]
    dealt = []
    for event in events:
        record = event.record
        if record["event"] == "cards" and record["to"].startswith("hand"):
            record = {**record, "cards": [ids.get(id, id) for id in record["cards"]]}
        dealt.append(replace(event, record=record))
    return state._replace(places=places, owners=tuple(owners)), dealt


@pytest.mark.each_game
@pytest.mark.parametrize("name", GAMES[:3], ids=IDS[:3])
@pytest.mark.parametrize("kind", list(BOTS))
def test_hidden_cards_make_no_difference(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CarefulBot, "looks", 5_000)
    monkeypatch.setattr(ExpertBot, "looks", 20_000)
    game = table(name)
    tried = 0
    for seed in range(4):
        events: list[Event] = []
        state = game.start(seed, events)
        seat = game.player(state)
        assert seat is not None
        hands = [game.layout.by_name[f"hand[{other}]"] for other in range(4) if other != seat]
        a = state.places[hands[0]][0]
        backs = [card.back for card in game.rules.cards]
        b = next((card for hand in hands[1:] for card in state.places[hand] if backs[card] == backs[a]), None)
        if b is None:
            continue
        choices = []
        for position, seen in ((state, events), swapped(game, state, events, a, b)):
            company = Company(game, {seat: kind}, seed=3)
            company.tell(position, seen)
            choices.append(company.bots[seat].choose(game.view(position, seat)))
        assert choices[0] == choices[1]
        tried += 1
    assert tried


@pytest.mark.each_game
@pytest.mark.parametrize("name", GAMES, ids=IDS)
def test_a_seat_cannot_tell_cards_that_it_does_not_see(name: str) -> None:
    game = table(name)
    sight = Sight(game)
    events: list[Event] = []
    state = game.start(1, events)
    seen = sight.events(events, 0)
    dealt = [record for record in seen if record["event"] == "cards" and record["to"].startswith("hand")]
    assert {record["to"]: record["cards"] is None for record in dealt} == {f"hand[{s}]": s != 0 for s in range(4)}
    assert all(record["event"] != "told" for record in seen)
    assert len(state.places[BOX]) + sum(map(len, state.places[1:])) == len(game.rules.cards)


def test_decisions_made_at_once_are_secret() -> None:
    game = table(GAMES[3])
    state = game.start(1)
    first = game.player(state)
    assert first is not None
    events: list[Event] = []
    game.apply(state, game.legal_moves(state)[0], events)
    for seat in range(4):
        move = Sight(game).events(events, seat)[0]
        assert (move["choice"] is None) == (seat != first)


# ---- playing --------------------------------------------------------------------------------------------------------


@pytest.mark.each_game
@pytest.mark.parametrize("name", GAMES, ids=IDS)
def test_bots_play_whole_rounds_of_any_game(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CarefulBot, "looks", 2_000)
    monkeypatch.setattr(ExpertBot, "looks", 5_000)
    game = table(name)
    company = Company(game, {0: "careful", 1: "random", 2: "expert", 3: "random"}, 7)
    events: list[Event] = []
    state = game.start(7, events)
    company.tell(state, events)
    for _ in range(50):
        seat = game.player(state)
        if seat is None:
            break
        move = company.bots[seat].choose(game.view(state, seat))
        events = []
        state = game.apply(state, move, events)
        company.tell(state, events)


@pytest.mark.parametrize("kind", BOTS)
def test_the_same_seed_makes_the_same_choices_and_snapshots_bring_them_back(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ExpertBot, "looks", 200_000)
    game = table("little-devils")
    events: list[Event] = []
    state = game.start(3, events)
    seat = game.player(state)
    assert seat is not None
    view = game.view(state, seat)
    opinions = []
    bot: Bot
    for _ in range(2):
        company = Company(game, {seat: kind}, 5)
        company.tell(state, events)
        bot = company.bots[seat]
        opinions.append(bot.opinions(view))
    assert opinions[0] == opinions[1]
    before = bot.snapshot()
    later = game.apply(state, opinions[0][0].move, events := [])
    company.tell(later, events)
    bot.restore(before)
    assert bot.opinions(view) == opinions[0]


def test_a_careful_move_takes_less_than_a_second() -> None:
    for name in ("little-devils", "hols-der-teufel"):
        game = table(name)
        events: list[Event] = []
        state = game.start(3, events)
        seat = game.player(state)
        assert seat is not None
        company = Company(game, {seat: "careful"}, 5)
        company.tell(state, events)
        begun = time.process_time()
        company.bots[seat].choose(game.view(state, seat))
        assert time.process_time() - begun < 1.0


def test_careful_wins_some_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CarefulBot, "looks", 20_000)
    standings = contest(("little-devils", {"target": 10}), ["careful", "random", "random"], 6, 1, jobs=1).standings
    assert standings["careful"].wins.total > 2 / 3
    assert standings["careful"].keeps["score"].count == 2, "deals, each of them in three seatings"


def test_an_expert_needs_no_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain Python it thinks the same, if it is given the time."""
    monkeypatch.setattr(ExpertBot, "looks", 20_000)
    monkeypatch.setattr(thinking_bots, "SLOWNESS", 1)
    monkeypatch.setattr(thinking_bots, "SLOWNESS_OF_WEIGHING", 1)
    found = []
    for engine in ("native", "python") if has_native() else ("python",):
        game = Game(load_game("little-devils"), 4)
        monkeypatch.setitem(STEPS, game, Steps(game.rules, 4, engine, learned(game.rules)))
        events: list[Event] = []
        state = game.start(3, events)
        seat = game.player(state)
        assert seat is not None
        company = Company(game, {seat: "expert"}, 5)
        company.tell(state, events)
        found.append(company.bots[seat].opinions(game.view(state, seat)))
    assert all(opinions == found[0] for opinions in found)


def test_an_expert_gains_on_careful_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them among three in the same short games, in every seat."""
    monkeypatch.setattr(CarefulBot, "looks", 1_000)
    monkeypatch.setattr(ExpertBot, "looks", 1_000_000)
    bots = ["expert", "careful", "careful", "careful"]
    standings = contest(("little-devils", {"target": 10}), bots, 8, 1, jobs=1).standings
    scores = {kind: standing.keeps["score"].estimate.value for kind, standing in standings.items()}
    assert scores["expert"] < scores["careful"] - 1


@pytest.mark.slow
def test_careful_wins_against_three_random_players() -> None:
    found = contest(("little-devils", {}), ["careful", "random", "random", "random"], 1000, 1)
    assert found.standings["careful"].wins.estimate.low >= 0.45


def test_time_to_think_is_counted() -> None:
    """The same seed and the same time make the same moves, and more time looks at more."""
    game = table("little-devils")
    events: list[Event] = []
    state = game.start(3, events)
    seat = game.player(state)
    assert seat is not None
    trials: list[int] = []
    for kind in ("careful:0.01", "careful:0.05", "careful:0.05"):
        company = Company(game, {seat: kind}, 5)
        company.tell(state, events)
        found = company.bots[seat].opinions(game.view(state, seat))
        trials.append(found[0].trials)
        assert found[0].best is not None and 0 <= found[0].best <= 1
    assert trials[0] < trials[1] == trials[2]


def test_bots_are_said_with_their_time() -> None:
    assert kinds_of("careful, expert:0.5,random", 2) == ["careful:2", "expert:0.5", "random"]
    for wrong in ("carful", "expert:", "expert:0", "expert:nan", "expert:61", "random:1", "expert:0.5:1", ""):
        with pytest.raises(UnknownBot):
            kinds_of(wrong)


def test_what_bots_do_is_counted_at_the_table_and_not_in_their_heads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report on games of bots counts each of their moves once."""
    monkeypatch.setattr(CarefulBot, "looks", 2_000)
    rules = load_game("little-devils", {"target": 1})
    plain, counting = (BotEngine(rules, ["careful", "random", "random"], counts) for counts in (False, True))
    assert counting.counters is not None
    for seed in (1, 2):
        expected, played = plain.play(seed), counting.play(seed)
        assert (played.moves, played.winners, played.keeps) == (expected.moves, expected.winners, expected.keeps)
        made = sum(row.total(played.counts) for row in counting.counters.rows_of("move"))
        decided = sum(row.total(played.counts) for row in counting.counters.rows_of("decisions"))
        assert made == decided == played.moves == 27
