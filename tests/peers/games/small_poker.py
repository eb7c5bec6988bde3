"""Kuhn poker and Leduc poker. Whoever opens is the first player there."""

from __future__ import annotations

from typing import Any

from peers.replaying import Peer, Position, Way

RANKS = ("jack", "queen", "king")
SUITS = ("hearts", "spades")


class SmallPoker(Peer):
    actions: dict[str, int]

    def seat(self, player: int, now: Position) -> int:
        opener: int = now.keeps["opener"]
        return (player - opener) % 2

    def lot(self, now: Position, theirs: Any) -> int:
        done = len(theirs.history())
        place = f"hand[{(now.keeps['opener'] + done) % 2}]" if done < 2 else "board"
        return self.card(now.places[place][0])

    def card(self, name: str) -> int:
        return RANKS.index(name.split("-")[1])

    def way(self, move: dict[str, Any], now: Position) -> Way:
        return (self.actions[move["move"]],)

    def worth(self, before: Position, after: Position) -> list[float]:
        chips, opener = after.keeps["chips"], after.keeps["opener"]
        return [chips[(opener + number) % 2] - sum(chips) / 2 for number in range(2)]


class Kuhn(SmallPoker):
    actions = {"checks": 0, "folds": 0, "bets": 1, "calls": 1}


class Leduc(SmallPoker):
    actions = {"folds": 0, "checks": 1, "calls": 1, "raises": 2}

    def card(self, name: str) -> int:
        suit, rank = name.split("-")
        return RANKS.index(rank) * 2 + SUITS.index(suit)


PEERS = {"kuhn": Kuhn("kuhn_poker"), "leduc": Leduc("leduc_poker", "leduc_poker(starting_player=1)")}
