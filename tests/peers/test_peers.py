"""Games that somebody else has written too: the same players, the same legal moves, the same results, deal by deal."""

from __future__ import annotations

import pytest
from teufelswerk import Game

from peers.replaying import Disagreement, Peer, replay
from peers.tables import PEERS, rules

DEALS, MANY_DEALS = 50, 2_000
OTHERWISE = [(name, theirs) for name, peer in PEERS.items() for theirs in peer.otherwise]

each_game = pytest.mark.parametrize("name", PEERS)
pytestmark = pytest.mark.each_game


def table(name: str) -> Game:
    return Game(rules(name), PEERS[name].game.num_players())


@each_game
def test_deals_go_as_they_go_there(name: str) -> None:
    assert replay(table(name), PEERS[name], 0, DEALS) >= DEALS


@pytest.mark.slow
@each_game
def test_two_thousand_deals_go_as_they_go_there(name: str) -> None:
    decisions = replay(table(name), PEERS[name], 1_000_000, MANY_DEALS)
    print(f"{name}: {MANY_DEALS} deals with {decisions} decisions agree with {PEERS[name].theirs}")  # noqa: T201


@pytest.mark.parametrize(("name", "otherwise"), OTHERWISE)
def test_another_game_is_noticed(name: str, otherwise: str) -> None:
    peer: Peer = type(PEERS[name])(otherwise)
    with pytest.raises(Disagreement):
        replay(table(name), peer, 0, 4 * DEALS)
