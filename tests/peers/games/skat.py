"""Skat. A deal there is a round of ours, and forehand is the first player."""

from __future__ import annotations

from typing import Any

from peers.replaying import Peer, Position, Way

SUITS, RANKS = "diamonds hearts spades clubs".split(), "7 8 9 queen king 10 ace jack".split()
DEALT = "000111222ss000011112222000111222"
GAMES = 32
ACTIONS = {"passes": GAMES, "plays-grand": GAMES + 5, "plays-null": GAMES + 6}


class Skat(Peer):
    begins = "round"

    def seat(self, player: int, now: Position) -> int:
        dealer: int = now.keeps["dealer"]
        return (player - dealer - 1) % 3

    def lot(self, now: Position, theirs: Any) -> int:
        done = len(theirs.history())
        to = DEALT[done]
        place = "skat" if to == "s" else f"hand[{(now.keeps['dealer'] + 1 + int(to)) % 3}]"
        return card(now.places[place][DEALT[:done].count(to)])

    def way(self, move: dict[str, Any], now: Position) -> Way:
        choice = move["choice"]
        match move["move"]:
            case "discards":
                return frozenset(map(card, choice["cards"]))
            case "plays-in":
                return (GAMES + 1 + SUITS.index(choice["suit"]),)
            case "leads" | "follows":
                return (card(choice["card"]),)
            case other:
                return (ACTIONS[other],)

    def worth(self, before: Position, after: Position) -> list[float]:
        gains = [later - earlier for earlier, later in zip(before.keeps["score"], after.keeps["score"], strict=True)]
        soloist, first = after.keeps["soloist"], before.keeps["dealer"] + 1
        worth = [(gain - 60) / (120 if player == soloist else 240) for player, gain in enumerate(gains)]
        return [worth[(first + number) % 3] if any(gains) else 0 for number in range(3)]


def card(name: str) -> int:
    suit, rank = name.split("-")
    return SUITS.index(suit) * 8 + RANKS.index(rank)


PEERS = {"skat-there": Skat("skat")}
