"""Cribbage. A deal here is a whole game, so that it is seen who wins it."""

from __future__ import annotations

from typing import Any

from peers.replaying import Peer, Position, Way

SUITS, RANKS = "clubs diamonds hearts spades".split(), "ace 2 3 4 5 6 7 8 9 10 jack queen king".split()
PASS, PAIR_OF_CARDS, BONUS = 2756, 52, 1000


class Cribbage(Peer):
    understood = frozenset({PASS})

    def lot(self, now: Position, theirs: Any) -> int:
        if now.places["starter"]:
            return card(now.places["starter"][0])
        dealt = [each for player in range(2) for each in now.places[f"hand[{player}]"]]
        return next(card(each) for each in dealt if card(each) in theirs.legal_actions())

    def way(self, move: dict[str, Any], now: Position) -> Way:
        if move["move"] == "lays-away":
            first, second = sorted(map(card, move["choice"]["cards"]), key=lambda number: (number % 13, number))
            return (PAIR_OF_CARDS + 52 * first + second,)
        return (card(move["choice"]["card"]),) if move["move"] == "plays" else ()

    def worth(self, before: Position, after: Position) -> list[float]:
        winners = after.records[-1]["winners"]
        return [score + (BONUS if player in winners else -BONUS) for player, score in enumerate(after.keeps["score"])]


def card(name: str) -> int:
    suit, rank = name.split("-")
    return SUITS.index(suit) * 13 + RANKS.index(rank)


PEERS = {"cribbage-there": Cribbage("cribbage")}
