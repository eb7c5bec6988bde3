"""Oh Hell. A deal there is a round of ours, with as many tricks as we have come to."""

from __future__ import annotations

from typing import Any

from peers.replaying import Peer, Position, Way

SUITS, RANKS = "clubs diamonds spades hearts".split(), "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
CARDS = 52


class OhHell(Peer):
    begins = "round"

    def lot(self, now: Position, theirs: Any) -> int:
        size, players = now.keeps["hand-size"], theirs.num_players()
        done = len(theirs.history())
        if done == 0:
            return int(size)
        if done == 1:
            return int(now.keeps["dealer"])
        dealt = done - 2
        if dealt < size * players:
            return card(now.places[f"hand[{dealt % players}]"][dealt // players])
        return card(now.places["upcard"][0])

    def way(self, move: dict[str, Any], now: Position) -> Way:
        choice = move["choice"]
        return (CARDS + choice["amount"],) if move["move"] == "bids" else (card(choice["card"]),)

    def worth(self, before: Position, after: Position) -> list[float]:
        scores = zip(before.keeps["score"], after.keeps["score"], strict=True)
        return [later - earlier for earlier, later in scores]


def card(name: str) -> int:
    suit, rank = name.split("-")
    return RANKS.index(rank) * len(SUITS) + SUITS.index(suit)


PEERS = {
    "oh-hell": OhHell("oh_hell", "oh_hell(off_bid_penalty=true)", "oh_hell(points_per_trick=2)"),
    "oh-hell 7": OhHell("oh_hell(players=7)"),
    "one-way-down": OhHell("oh_hell(players=5)", "oh_hell(players=5,off_bid_penalty=true)"),
    "off-by": OhHell("oh_hell(players=4,off_bid_penalty=true)", "oh_hell(players=4)"),
}
