"""Gin rummy. Whoever has not dealt is the first player there."""

from __future__ import annotations

from random import Random
from typing import Any

from peers.replaying import Peer, Position, Way

SUITS = "spades clubs diamonds hearts".split()
NAMES = "ace 2 3 4 5 6 7 8 9 10 jack queen king".split()
RANKS = len(NAMES)
ACTIONS = {"takes": 52, "draws": 53, "declines": 54, "leaves": 54, "finishes": 54, "stops": 54}
KNOCK, MELDS = 55, 56
SETS, RUNS = 5 * RANKS, {3: 0, 4: 44, 5: 84}


class GinRummy(Peer):
    begins = "round"

    def seat(self, player: int, now: Position) -> int:
        return int(player == now.keeps["dealer"])

    def lot(self, now: Position, theirs: Any) -> int:
        done, dealer = len(theirs.history()), now.keeps["dealer"]
        if done < 20:
            return card(now.places[f"hand[{dealer if done >= 10 else 1 - dealer}]"][done % 10])
        if done == 20:
            return card(now.places["pile"][0])
        drawn = [card(each) for player in range(2) for each in now.places[f"hand[{player}]"]]
        return next(each for each in drawn if each in theirs.legal_actions())

    def way(self, move: dict[str, Any], now: Position) -> Way:
        match move["move"]:
            case "discards" | "lays-off":
                return (card(move["choice"]["card"]),)
            case "knocks":
                return KNOCK, card(move["choice"]["card"])
            case "lays-out" | "lays-down":
                return (MELDS + meld(sorted(map(card, move["choice"]["cards"]))),)
            case other:
                return (ACTIONS[other],)

    def worth(self, before: Position, after: Position) -> list[float]:
        first = 1 - before.keeps["dealer"]
        gains = [later - earlier for earlier, later in zip(before.keeps["score"], after.keeps["score"], strict=True)]
        gain = gains[first] - gains[1 - first]
        return [gain, -gain]

    def pick(self, moves: list[dict[str, Any]], now: Position, lots: Random) -> int:
        """At random, nobody ever knocks. So mostly a card is taken up, or kept, that has others beside it."""
        names = [move["move"] for move in moves]
        hand = [card(each) for each in now.places[f"hand[{moves[0]['player']}]"]]
        if lots.randrange(10) == 0:
            return lots.randrange(len(moves))
        if "takes" in names and "draws" in names:
            return names.index("takes" if beside(card(now.places["pile"][-1]), hand) > 1 else "draws")
        if "discards" in names and ("knocks" not in names or lots.randrange(4) == 0):
            discards = [number for number, name in enumerate(names) if name == "discards"]
            return min(discards, key=lambda number: worth_keeping(card(moves[number]["choice"]["card"]), hand))
        return lots.choice([number for number, name in enumerate(names) if name != "discards"])


def worth_keeping(one: int, hand: list[int]) -> tuple[int, int]:
    return beside(one, hand), -min(one % RANKS, 9)


def card(name: str) -> int:
    suit, rank = name.split("-")
    return SUITS.index(suit) * RANKS + NAMES.index(rank)


def beside(one: int, hand: list[int]) -> int:
    """How many cards there are of its rank, or near it in its suit."""
    return sum(
        other % RANKS == one % RANKS or (other // RANKS == one // RANKS and abs(other - one) < 3) for other in hand
    )


def meld(cards: list[int]) -> int:
    """Their number of a set or run."""
    rank, suits = cards[0] % RANKS, {each // RANKS for each in cards}
    if len(suits) > 1:
        return 5 * rank + (4 if len(cards) == 4 else next(suit for suit in range(4) if suit not in suits))
    return SETS + RUNS[len(cards)] + cards[0] // RANKS * (RANKS + 1 - len(cards)) + rank


PEERS = {
    "gin-rummy-there": GinRummy("gin_rummy", "gin_rummy(knock_card=9)", "gin_rummy(oklahoma=true)"),
    "oklahoma-gin-there": GinRummy("gin_rummy(oklahoma=true)", "gin_rummy"),
}
