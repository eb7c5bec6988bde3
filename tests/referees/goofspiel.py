"""Goofspiel, from its rules alone: who bids what, who wins which prizes, and who has won in the end."""

from __future__ import annotations

from collections.abc import Iterable

from referees.common import Event, Move, Referee, a_move

RANKS = "ace 2 3 4 5 6 7 8 9 10 jack queen king".split()
SUITS = [f"{pack}-{suit}" for pack in ("blue", "red") for suit in ("diamonds", "clubs", "hearts", "spades")]
PRIZES_STAND = False
"""Whether a prize waits for the next one if the highest card was bid more than once."""


def violations(events: Iterable[Event]) -> list[str]:
    """What is wrong with the record of a game."""
    return Goofspiel().violations(events)


def of_suit(suit: str) -> list[str]:
    return [f"{suit}-{rank}" for rank in RANKS]


def counts(card: str) -> int:
    return RANKS.index(card.split("-")[2]) + 1


class Goofspiel(Referee):
    player_numbers = range(2, 6)
    kept_of_game = ()

    def begin(self) -> None:
        seats = range(self.players)
        self.places = {
            "box": [card for suit in SUITS for card in of_suit(suit)],
            "prizes": [],
            "suits": [],
            "prize": [],
        }
        self.places |= {f"{name}[{seat}]": [] for name in ("hand", "bid") for seat in seats}
        self.hands = [set(of_suit(SUITS[seat + 1])) for seat in seats]
        self.points = [0 for _ in seats]
        self.bids: list[str] = []
        self.to_win: list[str] = []
        """The prizes that lie there, and those that nobody gets."""
        self.lost: list[str] = []

    def true_counts(self) -> dict[str, list[int]]:
        return {"points": self.points}

    def cards(self, cards: list[str], source: str, target: str, end: str | None) -> None:
        if target == "prizes" and sorted(cards) != sorted(of_suit(SUITS[0])):
            self.report(f"the prizes are {cards}")
        elif target.startswith("hand") and set(cards) != self.hands[int(target[5:-1])]:
            self.report(f"{target} is dealt {cards}")
        elif source == "prizes" and (target != "prize" or len(cards) != 1 or self.bids):
            self.report(f"{cards} is turned up while the bids are {self.bids}")
        elif target.startswith("bid") and (source[4:] != target[3:] or cards != [self.bids[int(target[4:-1])]]):
            self.report(f"{cards} goes to {target}, but the bids are {self.bids}")
        elif source == "prize" and sorted(cards) != sorted(self.lost):
            self.report(f"{cards} are gone, and not {self.lost}")
        if source == "prizes":
            self.to_win += cards
        if source == "prize":
            self.lost = []

    def cards_moved(self) -> None:
        if not any(self.places[f"bid[{seat}]"] for seat in range(self.players)) and len(self.bids) == self.players:
            self.bids = []

    def keep(self, name: str, of: int | None, value: int) -> None:
        assert of is not None
        self.check_count(name, of, value)

    def move(self, player: int, move: Move, event: Event) -> None:
        if player != len(self.bids) or not self.to_win:
            self.halt(f"player {player} bids when the bids are {self.bids} for {self.to_win}")
        self.check_moves(player, move, {a_move("bids", card=card) for card in self.hands[player]}, event)
        card = dict(move[1])["card"]
        self.hands[player].remove(card)
        self.bids.append(card)
        if len(self.bids) == self.players:
            self.settle()

    def settle(self) -> None:
        """The highest card wins, if only one player has bid it."""
        bids = [counts(card) for card in self.bids]
        if bids.count(max(bids)) == 1:
            self.points[bids.index(max(bids))] += sum(map(counts, self.to_win))
        elif PRIZES_STAND and self.hands[0]:
            return
        self.lost, self.to_win = self.to_win, []

    def end(self) -> list[int]:
        if any(self.hands) or self.to_win or self.lost or self.places["prizes"]:
            self.report("the game ends too early")
        return [seat for seat, points in enumerate(self.points) if points == max(self.points)]
