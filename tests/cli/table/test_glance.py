"""What is seen at a glance is what the rules say: whoever looks at the whole position finds the same."""

from __future__ import annotations

import pytest
from shipped import SAMPLE
from teufelswerk.base import chance
from teufelswerk.base.find_files import shipped
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Event
from teufelswerk.interpreter.seen_events import Sight
from teufelswerk.interpreter.show import NOBODY
from teufelswerk.loading.model_cache import load_game
from teufelswerk.sessions.glance import Glance
from teufelswerk.sessions.heaps import NONE, after
from teufelswerk_cli.table.scores import turning_points

TALLIED = {"little-devils": 4, "hearts": 4, "cribbage": 2, "hols-der-teufel": 4, "kuhn": 2, "goofspiel": 3}


def table(name: str) -> Game:
    rules = load_game(name)
    return Game(rules, min(max(TALLIED.get(name, 3), rules.min_players), rules.max_players))


@pytest.mark.each_game
@pytest.mark.parametrize("name", sorted({*TALLIED, *SAMPLE}))
def test_what_is_seen_at_a_glance_is_so(name: str) -> None:
    """Facts about the middle, what was collected and what a move costs, as the whole position has them."""
    game = table(name)
    glance, sight, events = Glance(game), Sight(game), list[Event]()
    state, rng = game.start(3, events), chance.stream(3, 1)
    heaps = after(NONE, sight.events(events, NOBODY), game.view(state, NOBODY))
    for _ in range(70):
        seat = game.player(state)
        if seat is None:
            return
        view, machine = game.view(state, seat), game.thaw(state)
        for place in {counting.place for counting in glance.counting}:
            for fact in glance.counts(view, place):
                values = [c.value for c in glance.counting if c.place == place]
                assert fact.value in [glance.asked(value, machine) for value in values]
        if collected := glance.collected(view, heaps):
            assert glance.sum
            assert None not in collected
            for holder, number in enumerate(collected):
                machine.slots[glance.sum[1]] = holder
                assert glance.asked(glance.sum[2], machine) == number
        moves = game.legal_moves(state)
        rng, chosen = chance.below(rng, len(moves))
        costs, before = glance.price(view, moves[chosen]), state
        events = []
        state = game.apply(state, moves[chosen], events)
        heaps = after(heaps, sight.events(events, NOBODY), game.view(state, NOBODY))
        if before.rng == state.rng and state.winners is None:
            for cost in costs:
                kept = [game.layout.keep_of[index].name for index, value in enumerate(state.keeps)
                        if value is not None and value - (before.keeps[index] or 0) == cost.by]  # fmt: skip
                assert cost.keep.name in kept


def test_what_everyone_wants_to_know_is_found_in_the_declarations() -> None:
    found = {name: Glance(table(name)) for name in shipped() if name in TALLIED}
    assert [c.declared.name for c in found["little-devils"].counting] == ["upward", "taker"]
    assert [c.declared.name for c in found["cribbage"].counting] == ["total"]
    assert found["goofspiel"].counting == []
    assert {name for name, glance in found.items() if glance.sum} == {"little-devils", "hearts"}
    assert found["hols-der-teufel"].priced == {"lowers"}
    views = {name: glance.game.view(glance.game.start(3), 0) for name, glance in found.items()}
    assert {name: glance.round(views[name]) for name, glance in found.items()} == {
        "little-devils": (1, None), "hearts": (1, None), "cribbage": (1, None), "hols-der-teufel": (1, 4),
        "kuhn": None, "goofspiel": (1, 13),
    }  # fmt: skip
    targets = {name: glance.target(views[name]) for name, glance in found.items()}
    assert {name: target[1] for name, target in targets.items() if target} == {
        "little-devils": 100, "hearts": 100, "cribbage": 121,
    }  # fmt: skip


def test_nothing_is_told_before_there_are_the_cards_for_it() -> None:
    """As long as nobody has answered, a trick goes neither up nor down."""
    game = table("little-devils")
    state = game.start(3)
    state = game.apply(state, game.legal_moves(state)[0])
    glance, view = Glance(game), game.view(state, 0)
    assert [type(fact.value) for fact in glance.counts(view, "trick")] == [int]
    state = game.apply(state, game.legal_moves(state)[0])
    assert [type(fact.value) for fact in glance.counts(game.view(state, 0), "trick")] == [bool, int]


def test_a_place_of_which_not_every_card_is_known_is_no_heap() -> None:
    game = table("hols-der-teufel")
    events: list[Event] = []
    state = game.start(3, events)
    view, sight = game.view(state, NOBODY), Sight(game)
    heaps = after(NONE, sight.events(events, NOBODY), view)
    hidden = [name for name, seen in view.places.items() if seen.lying is None and seen.count]
    assert hidden
    assert not {name for name in heaps if name in hidden}


def test_what_a_game_will_be_remembered_for() -> None:
    game, names = table("little-devils"), ["Me", "Anna", "Tom", "Ida"]
    rows = [(0, 0, 0, 0), (5, 9, 30, 20), (12, 40, 41, 31), (60, 50, 55, 51)]
    said = turning_points(game, names, [{"score": row} for row in rows])
    assert said == [
        "The most in one round: Me in round 3, +48 (score).",
        "Anna came to lead in round 3 and stayed there.",
    ]
    said = turning_points(game, names, [{"score": row} for row in [*rows[:2], (6, 40, 41, 31)]])
    assert said[1] == "Me led from the first round to the last."
    assert turning_points(game, names, [{"score": row} for row in rows[:2]]) == []
