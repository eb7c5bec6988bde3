"""Hearts. A deal there is a round of ours; 26 points less those that were taken are what it is worth."""

from __future__ import annotations

from typing import Any

from peers.replaying import Peer, Position, Way

SUITS, RANKS = "clubs diamonds hearts spades".split(), "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
DIRECTIONS = "nowhere leftward across rightward".split()


class Hearts(Peer):
    begins = "round"

    def lot(self, now: Position, theirs: Any) -> int:
        done = len(theirs.history())
        if done == 0:
            return DIRECTIONS.index(now.keeps["direction"])
        return card(now.places[f"hand[{(done - 1) % 4}]"][(done - 1) // 4])

    def way(self, move: dict[str, Any], now: Position) -> Way:
        if move["move"] == "gives":
            return frozenset(map(card, move["choice"]["cards"]))
        return (card(move["choice"]["card"]),)

    def worth(self, before: Position, after: Position) -> list[float]:
        scores = zip(before.keeps["score"], after.keeps["score"], strict=True)
        return [26 - (later - earlier) for earlier, later in scores]


def card(name: str) -> int:
    suit, rank = name.split("-")
    return RANKS.index(rank) * 4 + SUITS.index(suit)


PEERS = {
    # with us, as in most books, the queen of spades does not open the hearts
    "hearts": Hearts(
        "hearts(qs_breaks_hearts=false)",
        "hearts",
        "hearts(qs_breaks_hearts=false,must_break_hearts=false)",
        "hearts(qs_breaks_hearts=false,no_pts_on_first_trick=false)",
        "hearts(qs_breaks_hearts=false,can_lead_any_club=true)",
        "hearts(qs_breaks_hearts=false,jd_bonus=true)",
        "hearts(qs_breaks_hearts=false,pass_cards=false)",
    ),
    "omnibus-hearts": Hearts("hearts(qs_breaks_hearts=false,jd_bonus=true)", "hearts(qs_breaks_hearts=false)"),
    "opening-queen": Hearts("hearts", "hearts(qs_breaks_hearts=false)"),
}
