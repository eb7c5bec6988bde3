"""A referee who sees no cards accepts everything that is played by the rules, and knows what it tells."""

from __future__ import annotations

import pytest
from teufelswerk.base import chance
from teufelswerk.examples.real_table import NotFollowed
from teufelswerk.examples.refereeing import Referee
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.state import Move, State
from teufelswerk.loading.model_cache import load_game

FOLLOWED = {"little-devils": 4, "spades": 4, "hearts": 4, "hols-der-teufel": 3, "president": 3}
"""Games in which nothing is turned up but by those who play it."""
MOVES = {"hols-der-teufel": 20}
"""Where much can be known, following takes longer."""


def begun(name: str, seed: int) -> tuple[Game, State, Referee]:
    """A real game, and a referee of it: lots have fallen on the same player for both."""
    rules, players = load_game(name), FOLLOWED[name]
    referee = Referee(rules, ["Ann", "Ben", "Cleo", "Dan"][:players])
    referee.begin()
    game = Game(rules, players)
    for more in range(200):
        state = game.start(seed + more)
        if game.player(state) in referee.movers():
            return game, state, referee
    raise AssertionError


@pytest.mark.each_game
@pytest.mark.parametrize("name", FOLLOWED)
def test_whoever_plays_by_the_rules_is_never_accused(name: str) -> None:
    for seed in (1, 500)[: 1 if name in MOVES else 2]:
        game, state, referee = begun(name, seed)
        rng = chance.stream(seed, 1)
        for _ in range(MOVES.get(name, 40)):
            if game.player(state) is None:
                break
            moves = game.legal_moves(state)
            rng, chosen = chance.below(rng, len(moves))
            assert referee.verdict(moves[chosen]).allowed
            referee.tell(moves[chosen])
            state = game.apply(state, moves[chosen])
            keeps = game.view(state, -1).keeps
            assert all(values == tuple(keeps[keep]) for keep, values in referee.kept().items())


def card(game: Game, id: str) -> int:
    return next(each.index for each in game.rules.cards if each.id == id)


def test_every_mistake_of_a_single_player_comes_to_light() -> None:
    """In real deals somebody does not follow suit although they could; once they play the suit, it is told."""
    found = 0
    for seed in range(40):
        game, state, referee = begun("spades", seed)
        rng = chance.stream(seed, 1)
        for _ in range(56):
            seat = game.player(state)
            if seat is None:
                break
            moves, view = game.legal_moves(state), game.view(state, seat)
            held = [card(game, id) for id in view.places[f"hand[{seat}]"].cards or ()]
            legal = {move.picks[0] for move in moves}
            slip = [index for index in held if index not in legal]
            if moves[0].verb == "plays" and slip and view.places["trick"].count:
                told = Move(seat, "plays", (slip[0],))
                verdict = referee.verdict(told)
                if verdict.allowed and not verdict.certain:
                    twin = referee.branch()
                    number = len(twin.history)
                    twin.tell(told)
                    mistake = twin.mistake(Move(seat, "plays", (next(iter(legal)),)))
                    assert mistake is not None
                    assert (mistake.number, mistake.move.player) == (number, seat)
                    twin.stands(mistake)
                    found += 1
                    break
            rng, chosen = chance.below(rng, len(moves))
            referee.tell(moves[chosen])
            state = game.apply(state, moves[chosen])
    assert found >= 20


def test_a_referee_is_told_nothing_of_what_is_dealt() -> None:
    """Every card that nobody has named may lie in any hand."""
    _game, _state, referee = begun("little-devils", 1)
    hands = sum(1 << index for index, name in enumerate(referee.layout.place_names) if name.startswith("hand["))
    (world,) = referee.worlds
    assert world.open
    assert set(world.open.values()) == {hands}


def test_a_refused_move_changes_nothing() -> None:
    game, state, referee = begun("little-devils", 1)
    before = list(referee.worlds)
    wrong = Move((game.player(state) or 0) + 1, "leads", (3,))
    with pytest.raises(NotFollowed):
        referee.tell(wrong)
    assert referee.worlds == before
    assert referee.take_back() is None
