"""Dou Dizhu. A deal there is a deal of ours; what is played is told apart there by how it is written."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from peers.replaying import Peer, Position, Way

RANKS = "3 4 5 6 7 8 9 10 jack queen king ace 2 black-joker red-joker".split()
SIGNS = [*"3456789TJQKA2", "(BWJ)", "(CJ)"]


class DouDizhu(Peer):
    begins = "dealing"

    @cached_property
    def actions(self) -> dict[str, int]:
        """How they write what players can do → what they call it."""
        state = self.game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        return {state.action_to_string(0, action): action for action in range(self.game.num_distinct_actions())}

    def lot(self, now: Position, theirs: Any) -> int:
        """Whose card lies face up begins; the cards are dealt one by one, to the first player first."""
        done = len(theirs.history())
        if done == 0:
            return int(now.keeps["landlord"])
        card = now.places[f"hand[{(done - 1) % 3}]"][(done - 1) // 3]
        named: dict[str, int] = {theirs.action_to_string(-1, lot): lot for lot in theirs.legal_actions()}
        return next(lot for name, lot in named.items() if name.endswith(signs([card])))

    def way(self, move: dict[str, Any], now: Position) -> Way:
        return (self.actions[written(move["move"], move["choice"])],)

    def worth(self, before: Position, after: Position) -> list[float]:
        scores = zip(before.keeps["score"], after.keeps["score"], strict=True)
        return [later - earlier for earlier, later in scores]


def signs(cards: list[str]) -> str:
    """Cards as they write them, the lowest first."""
    return "".join(SIGNS[number] for number in sorted(map(RANKS.index, cards)))


def written(verb: str, choice: dict[str, Any]) -> str:
    match verb:
        case "passes":
            return "Pass"
        case "bids":
            return f"Bid {choice['offer']}"
        case "fires":
            return "(BWJ)(CJ)"
        case "lays":
            return signs(choice["cards"])
    chain = RANKS[RANKS.index(choice["card"]) : RANKS.index(choice["rank"]) + 1]
    body = [rank for rank in chain for _ in range(int(choice["width"]))]
    if verb == "chains":
        return signs(body)
    return signs(body + choice["cards"]) if len(chain) == 1 else f"{signs(body)}-{signs(choice['cards'])}"


PEERS = {"dou-dizhu-there": DouDizhu("dou_dizhu")}
