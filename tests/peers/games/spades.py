"""Spades. A deal there is a round of ours, and begins with the points that the sides have so far."""

from __future__ import annotations

from random import Random
from typing import Any

from peers.replaying import Peer, Position, Way

SUITS, RANKS = "clubs diamonds hearts spades".split(), "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
CARDS = 52


class Spades(Peer):
    begins = "round"

    def start(self, before: Position) -> Any:
        theirs = super().start(before)
        first, second = before.keeps["score"]
        # their first player bids first, which may be one of either side of ours
        theirs.set_current_scores([first, second] if before.keeps["dealer"] % 2 else [second, first])
        return theirs

    def seat(self, player: int, now: Position) -> int:
        dealer: int = now.keeps["dealer"]
        return (player - dealer - 1) % 4

    def lot(self, now: Position, theirs: Any) -> int:
        done = len(theirs.history())
        return card(now.places[f"hand[{(now.keeps['dealer'] + 1 + done) % 4}]"][done // 4])

    def way(self, move: dict[str, Any], now: Position) -> Way:
        choice = move["choice"]
        return (CARDS + choice["amount"],) if move["move"] == "bids" else (card(choice["card"]),)

    def worth(self, before: Position, after: Position) -> list[float]:
        scores = zip(before.keeps["score"], after.keeps["score"], strict=True)
        gains = [later - earlier for earlier, later in scores]
        return [gains[(before.keeps["dealer"] + 1 + player) % 2] for player in range(4)]

    def pick(self, moves: list[dict[str, Any]], now: Position, lots: Random) -> int:
        """Random players bid too much for a contract ever to be kept, so these bid little."""
        return min(lots.randrange(len(moves)) for _ in range(3 if moves[0]["move"] == "bids" else 1))


def card(name: str) -> int:
    suit, rank = name.split("-")
    return SUITS.index(suit) * 13 + RANKS.index(rank)


PEERS = {
    "spades-there": Spades(
        # what ends a whole game there has a price that a deal does not have with us
        "spades(use_mercy_rule=false,win_threshold=10000)",
        "spades(win_threshold=100)",
    )
}
