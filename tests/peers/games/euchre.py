"""Euchre. A deal there is a round of ours; what a side gains counts for it and against the other one."""

from __future__ import annotations

from random import Random
from typing import Any

from peers.replaying import Peer, Position, Way

SUITS, RANKS = "clubs diamonds hearts spades".split(), "9 10 jack queen king ace".split()
HANDS = 20
ACTIONS = {"passes": 24, "goes-alone": 29, "joins": 30}
TRUMP = 25


class Euchre(Peer):
    begins = "round"

    def lot(self, now: Position, theirs: Any) -> int:
        dealer: int = now.keeps["dealer"]
        done = len(theirs.history())
        if done == 0:
            return dealer
        dealt = done - 1
        return card(
            now.places[f"hand[{(dealer + dealt) % 4}]"][dealt // 4] if dealt < HANDS else now.places["upcard"][0]
        )

    def way(self, move: dict[str, Any], now: Position) -> Way:
        choice = move["choice"]
        match move["move"]:
            case "orders":
                return (TRUMP + SUITS.index(now.places["upcard"][0].split("-")[0]),)
            case "declares":
                return (TRUMP + SUITS.index(choice["suit"]),)
            case "discards" | "plays":
                return (card(choice["card"]),)
            case other:
                return (ACTIONS[other],)

    def worth(self, before: Position, after: Position) -> list[float]:
        gains = [later - earlier for earlier, later in zip(before.keeps["score"], after.keeps["score"], strict=True)]
        return [gains[player % 2] - gains[1 - player % 2] for player in range(4)]

    def pick(self, moves: list[dict[str, Any]], now: Position, lots: Random) -> int:
        """Random players would make trump before it ever came to naming a suit, so these mostly pass."""
        passing = next((number for number, move in enumerate(moves) if move["move"] == "passes"), None)
        return super().pick(moves, now, lots) if passing is None or lots.random() < 0.2 else passing


def card(name: str) -> int:
    suit, rank = name.split("-")
    return RANKS.index(rank) * len(SUITS) + SUITS.index(suit)


PEERS = {
    "euchre": Euchre(
        "euchre(stick_the_dealer=false)", "euchre", "euchre(stick_the_dealer=false,allow_lone_defender=true)"
    ),
    "stuck-dealer": Euchre("euchre", "euchre(stick_the_dealer=false)"),
}
