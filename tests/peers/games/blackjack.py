"""Blackjack. A deal there is a round of ours, in which cards are dealt in the same order."""

from __future__ import annotations

from typing import Any

import pyspiel

from peers.replaying import Peer, Position, Way

SUITS = "clubs diamonds hearts spades".split()
RANKS = "ace 2 3 4 5 6 7 8 9 10 jack queen king".split()
ACTIONS = {"hits": 0, "stands": 1}


class Blackjack(Peer):
    begins = "round"

    def lot(self, now: Position, theirs: Any) -> int:
        dealt = [card for record in now.records if record.get("from") == "shoe" for card in record["cards"]]
        done = sum(step.player == pyspiel.PlayerId.CHANCE for step in theirs.full_history())
        suit, rank = dealt[done].split("-")
        return SUITS.index(suit) * len(RANKS) + RANKS.index(rank)

    def way(self, move: dict[str, Any], now: Position) -> Way:
        return (ACTIONS[move["move"]],)

    def worth(self, before: Position, after: Position) -> list[float]:
        return [after.keeps["chips"][0] - before.keeps["chips"][0]]


PEERS = {"blackjack-there": Blackjack("blackjack")}
