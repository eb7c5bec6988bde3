"""Goofspiel. What is chosen at once here is chosen one after the other there."""

from __future__ import annotations

from typing import Any

from peers.replaying import Peer, Position, Way

RANKS = "ace 2 3 4 5 6 7 8 9 10 jack queen king".split()


class Goofspiel(Peer):
    def lot(self, now: Position, theirs: Any) -> int:
        return rank(now.places["prize"][0])

    def way(self, move: dict[str, Any], now: Position) -> Way:
        last = not now.places["prizes"]
        return () if last else (rank(move["choice"]["card"]),)

    def worth(self, before: Position, after: Position) -> list[float]:
        points = after.keeps["points"]
        first = [number for number, each in enumerate(points) if each == max(points)]
        if len(first) == len(points):
            return [0.0] * len(points)
        return [
            1.0 / len(first) if number in first else -1.0 / (len(points) - len(first)) for number in range(len(points))
        ]


def rank(card: str) -> int:
    return RANKS.index(card.rsplit("-", 1)[1])


THEIRS = "turn_based_simultaneous_game(game=goofspiel(num_cards=13,players={players}{otherwise}))"
PEERS = {
    "goofspiel" if players == 2 else f"goofspiel for {players}": Goofspiel(
        THEIRS.format(players=players, otherwise=""),
        THEIRS.format(players=players, otherwise=",points_order=descending"),
    )
    for players in (2, 3, 5)
}
