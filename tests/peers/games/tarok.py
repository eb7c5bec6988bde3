"""Tarok. A deal there is an auction of ours and what follows, and forehand is the first player.

They deal by themselves, from a seed that they are told. So we deal what they have dealt.
"""

from __future__ import annotations

from random import Random
from typing import Any

from teufelswerk import Game
from teufelswerk.interpreter.lots import Lots

from peers.replaying import Peer, Position, Way

TAROKS = "pagat ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx mond skis".split()
COURT = "jack knight queen king".split()
RANKS = {"hearts": "4 3 2 1".split(), "diamonds": "4 3 2 1".split(), "spades": "7 8 9 10".split()}
RANKS["clubs"] = RANKS["spades"]
CARDS = [*TAROKS, *(f"{suit}-{rank}" for suit, ranks in RANKS.items() for rank in (*ranks, *COURT))]
NO_SOLOS = 3
"""So many contracts between a one and a beggar are for four players."""
CONTRACTS = [*"klop three two one".split(), *NO_SOLOS * [""], *"beggar solo open-beggar colour-valat valat".split()]
PASS = 0
LARGEST_SEED = 2**31 - 1


class Tarok(Peer):
    begins = "auction"

    def lots(self, game: Game, seed: int) -> Lots:
        return Dealt(self, [card.id for card in game.rules.cards], seed)

    def start(self, before: Position) -> Any:
        return self.dealt[tuple(before.places["talon"])].clone()

    @property
    def dealt(self) -> dict[tuple[str, ...], Any]:
        """Their deals so far, by the talon."""
        found: dict[tuple[str, ...], Any] = self.__dict__.setdefault("_dealt", {})
        return found

    def seat(self, player: int, now: Position) -> int:
        dealer: int = now.keeps["dealer"]
        return (player - dealer - 1) % 3

    def way(self, move: dict[str, Any], now: Position) -> Way:
        choice = move["choice"]
        match move["move"]:
            case "passes":
                return (PASS,)
            case "bids" | "declares":
                return (1 + CONTRACTS.index(choice["offer"]),)
            case "takes":
                return (choice["part"] - 1,)
            case _:
                return (CARDS.index(choice["card"]),)

    def worth(self, before: Position, after: Position) -> list[float]:
        gains = [later - earlier for earlier, later in zip(before.keeps["score"], after.keeps["score"], strict=True)]
        return [gains[(before.keeps["dealer"] + 1 + number) % 3] for number in range(3)]

    def pick(self, moves: list[dict[str, Any]], now: Position, lots: Random) -> int:
        """Players who bid at random would soon play nothing but valats, so these bid low and mostly pass."""
        names = [move["move"] for move in moves]
        if "passes" in names and lots.random() < 0.6:
            return names.index("passes")
        if names[0] in ("bids", "declares"):
            return min(int(lots.expovariate(0.7)), len(moves) - 1)
        return super().pick(moves, now, lots)


class Dealt(Lots):
    """Shuffles cards so that everybody gets what they have dealt for one of their seeds."""

    def __init__(self, peer: Tarok, cards: list[str], seed: int) -> None:
        super().__init__((), ())
        self.peer, self.cards, self.random = peer, cards, Random(seed)
        self.forehand = 0

    def below(self, n: int) -> int:
        """Who deals first."""
        dealer = self.random.randrange(n)
        self.forehand = (dealer + 1) % n
        return dealer

    def shuffle(self, cards: list[int], hidden: bool) -> list[int]:
        while True:
            state = self.peer.game.deserialize_state(str(self.random.randrange(LARGEST_SEED)))
            hands = [state.player_cards((player - self.forehand) % 3) for player in range(3)]
            if all(min(hand) < len(TAROKS) for hand in hands):  # or else cards would be dealt again
                break
        self.forehand = (self.forehand + 1) % 3
        talon = [CARDS[card] for card in state.talon()]
        self.peer.dealt[tuple(talon)] = state
        return [self.cards.index(card) for card in [*(CARDS[card] for hand in hands for card in hand), *talon]]


PEERS = {"tarok-there": Tarok("tarok(players=3)")}
