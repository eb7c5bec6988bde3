"""Goofspiel. What is chosen at once here is chosen one after the other there."""

from __future__ import annotations

from typing import Any

from peers.replaying import Peer, Position, Way


class Goofspiel(Peer):
    def lot(self, now: Position, theirs: Any) -> int:
        return value(now.places["prize"][0]) - 1

    def way(self, move: dict[str, Any], now: Position) -> Way:
        last = not now.places["deck"]
        return () if last else (value(move["choice"]["card"]) - 1,)

    def worth(self, before: Position, after: Position) -> list[float]:
        points = [sum(map(value, cards)) for name, cards in after.places.items() if name.startswith("gains")]
        return [float((points[0] > points[1]) - (points[0] < points[1])) * sign for sign in (1, -1)]


def value(card: str) -> int:
    return int(card.split("-")[1])


PEERS = {
    "gops": Goofspiel(
        "turn_based_simultaneous_game(game=goofspiel(num_cards=13))",
        "turn_based_simultaneous_game(game=goofspiel(num_cards=13,points_order=descending))",
    )
}
