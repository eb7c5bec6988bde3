"""Crazy Eights. A round is a game there; drawing is asked for card by card, and a suit after its eight."""

from __future__ import annotations

from typing import Any

from peers.replaying import Peer, Position, Way

SUITS = "clubs diamonds hearts spades".split()
RANKS = "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
DEALER, DRAW, PASS, SUIT = 52, 52, 53, 54


class CrazyEights(Peer):
    begins = "dealing"

    def lot(self, now: Position, theirs: Any) -> int:
        """Who deals; then the cards, one by one, to the left of the dealer first; then what is turned over."""
        done, dealer = len(theirs.history()), int(now.keeps["dealer"])
        players = int(theirs.num_players())
        if done == 0:
            return DEALER + dealer
        carried: list[int] = [card(each) for event in now.records if event["event"] == "cards" for each in moved(event)]
        hands = players * (7 if players == 2 else 5)
        if done <= hands:
            seat, at = (dealer + done) % players, (done - 1) // players
            return carried[seat * (hands // players) + at]
        lots = [turn for turn in theirs.full_history() if turn.player < 0]
        return carried[len(lots) - 1]

    def way(self, move: dict[str, Any], now: Position) -> Way:
        match move["move"]:
            case "draws" | "takes":
                return (DRAW,)
            case "passes":
                return (PASS,)
            case "calls" if len(now.places[f"hand[{now.player}]"]) > 1:
                return card(move["choice"]["card"]), SUIT + SUITS.index(move["choice"]["suit"])
            case _:
                return (card(move["choice"]["card"]),)

    def worth(self, before: Position, after: Position) -> list[float]:
        return [later - earlier for earlier, later in zip(before.keeps["score"], after.keeps["score"], strict=True)]


def moved(event: dict[str, Any]) -> list[str]:
    """The cards that leave the stock, one by one."""
    return list(event["cards"]) if event["from"] == "stock" and event["to"] != "box" else []


def card(name: str) -> int:
    suit, rank = name.split("-")
    return RANKS.index(rank) * 4 + SUITS.index(suit)


def theirs(players: int, cards: int = 52, otherwise: str = "") -> str:
    """Their game, in which so many cards may be drawn before one passes."""
    return f"crazy_eights(players={players},max_draw_cards={cards},max_turns=10000{otherwise})"


PEERS = {
    "crazy-eights-there" if players == 2 else f"crazy-eights-there for {players}": CrazyEights(
        theirs(players), theirs(players, 2)
    )
    for players in (2, 3, 5)
} | {
    "action-cards-there" if players == 4 else f"action-cards-there for {players}": CrazyEights(
        theirs(players, otherwise=",use_special_cards=true"), theirs(players)
    )
    for players in (2, 4)
}
