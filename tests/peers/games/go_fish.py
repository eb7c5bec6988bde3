"""Go Fish. Only ranks are told apart there, so what is drawn, one card after the other, is told by its rank."""

from __future__ import annotations

from typing import Any

from peers.replaying import Peer, Position, Way

RANKS = "ace 2 3 4 5 6 7 8 9 10 jack queen king".split()
CHANCE = -1


class GoFish(Peer):
    def lot(self, now: Position, theirs: Any) -> int:
        drawn = [name for record in now.records if record.get("from") == "pond" for name in record["cards"]]
        return rank(drawn[sum(done.player == CHANCE for done in theirs.full_history())])

    def way(self, move: dict[str, Any], now: Position) -> Way:
        if move["move"] != "asks":
            return ()
        choice = move["choice"]
        return (choice["friend"] * len(RANKS) + RANKS.index(choice["rank"]),)

    def worth(self, before: Position, after: Position) -> list[float]:
        winners, players = set(after.records[-1]["winners"]), self.game.num_players()
        if len(winners) == players:
            return [0.0] * players
        lost = -1 / (players - len(winners))
        return [1 / len(winners) if player in winners else lost for player in range(players)]


def rank(name: str) -> int:
    return RANKS.index(name.split("-")[1])


PEERS = {
    "go-fish-there": GoFish("go_fish", "go_fish(ask_after_empty_draw=false)", "go_fish(end_on_first_out=true)"),
    "go-fish-there 3": GoFish("go_fish(players=3,initial_cards=7)", "go_fish(players=3)"),
    "go-fish-there 4": GoFish("go_fish(players=4)"),
    "go-fish-there 5": GoFish("go_fish(players=5)"),
    "go-fish-there 6": GoFish("go_fish(players=6)"),
}
