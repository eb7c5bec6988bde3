"""Contract Bridge. A deal there is a board of ours, and who is vulnerable is a setting."""

from __future__ import annotations

from random import Random
from typing import Any

import pyspiel

from peers.replaying import Peer, Position, Way

SUITS, RANKS = "clubs diamonds hearts spades".split(), "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
STRAINS = [*SUITS, "no-trump"]
CALLS = {"passes": 52, "doubles": 53, "redoubles": 54}
FIRST_BID = 55
BOARDS = 4


class Bridge(Peer):
    begins = "round"

    def start(self, before: Position) -> Any:
        board = before.keeps["board"]
        vulnerable = {"dealer_vul": board == BOARDS, "non_dealer_vul": board > 1}
        return pyspiel.load_game("bridge", {**self.game.get_parameters(), **vulnerable}).new_initial_state()

    def seat(self, player: int, now: Position) -> int:
        dealer: int = now.keeps["dealer"]
        return (player - dealer) % 4

    def lot(self, now: Position, theirs: Any) -> int:
        done = len(theirs.history())
        return card(now.places[f"hand[{(now.keeps['dealer'] + done) % 4}]"][done // 4])

    def way(self, move: dict[str, Any], now: Position) -> Way:
        choice = move["choice"]
        match move["move"]:
            case "bids":
                return (FIRST_BID + 5 * (choice["amount"] - 1) + STRAINS.index(choice["denomination"]),)
            case "plays" | "calls":
                return (card(choice["card"]),)
            case other:
                return (CALLS[other],)

    def worth(self, before: Position, after: Position) -> list[float]:
        gains = [later - earlier for earlier, later in zip(before.keeps["score"], after.keeps["score"], strict=True)]
        sides = [(before.keeps["dealer"] + seat) % 2 for seat in range(4)]
        return [gains[side] - gains[1 - side] for side in sides]

    def pick(self, moves: list[dict[str, Any]], now: Position, lots: Random) -> int:
        """Random players would bid seven without trumps in every board, so these bid little."""
        calls = {move["move"]: number for number, move in enumerate(moves)}
        if "passes" not in calls:
            return super().pick(moves, now, lots)
        rare = [number for name, number in calls.items() if name in ("doubles", "redoubles")]
        if rare and lots.random() < 0.4:
            return rare[0]
        return calls["passes"] if lots.random() < 0.5 else min(lots.randrange(len(moves)) for _ in range(4))


def card(name: str) -> int:
    suit, rank = name.split("-")
    return RANKS.index(rank) * len(SUITS) + SUITS.index(suit)


PEERS = {
    # otherwise the cards are not played there, but it is worked out how many tricks there are in them
    "bridge": Bridge("bridge(use_double_dummy_result=false)", "bridge"),
}
