"""The referee of Mau-Mau, written from the rules for people: turn by turn, with what is due after sevens."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from referees.playing_along import Chosen, PlayingAlong, Record, verdict

SUITS = "clubs spades hearts diamonds".split()
POINTS = {"7": 7, "8": 8, "9": 9, "10": 10, "jack": 20, "queen": 3, "king": 4, "ace": 11}
PACK = {f"{suit}-{rank}" for suit in SUITS for rank in POINTS}
HAND, LIMIT, SHUFFLINGS = 5, 100, 10
ACE_AGAIN = False
"""Whether whoever has played an ace has another turn."""


def suit(card: str) -> str:
    return card.split("-")[0]


def rank(card: str) -> str:
    return card.split("-")[1]


class Round:
    def __init__(self, table: PlayingAlong, dealer: int, scores: list[int]) -> None:
        self.table, self.dealer, self.scores = table, dealer, scores
        self.players = table.players
        self.hands = [list(table.places[f"hand[{seat}]"]) for seat in range(self.players)]
        self.pile = list(table.places["pile"])
        seen = [card for hand in self.hands for card in hand] + self.pile
        if {*map(len, self.hands)} != {HAND} or len(self.pile) != 1 or len({*seen} & PACK) != len(seen):
            table.wrong("everyone should have five cards, and one should lie there")
        self.stock = PACK - {*seen}
        self.wanted, self.due, self.used_up = suit(self.pile[0]), 0, 0

    def play(self) -> None:
        seat = (self.dealer + 1) % self.players
        while all(self.hands) and self.used_up < SHUFFLINGS:
            seat = (seat + self.turn(seat)) % self.players
        factor = 2 if rank(self.pile[-1]) == "jack" and not all(self.hands) else 1
        for other, hand in enumerate(self.hands):
            self.scores[other] += factor * sum(POINTS[rank(card)] for card in hand)

    def turn(self, seat: int) -> int:
        """How many seats further the next turn is."""
        if self.due:
            made = self.decide(seat, [*self.sevens(seat), ("takes",)])
            if made == ("takes",):
                self.fetch(seat, self.due)
                self.due = 0
                return 1
        else:
            made = self.decide(seat, [*self.fitting(seat), ("draws",)])
            if made == ("draws",):
                self.fetch(seat, 1)
                made = self.decide(seat, [*self.fitting(seat), ("keeps",)])
            if made == ("keeps",):
                return 1
        return self.laid(seat, *made)

    def laid(self, seat: int, verb: str, card: str, wish: str = "") -> int:
        self.hands[seat].remove(card)
        self.pile.append(card)
        self.wanted = wish if verb == "wishes" else suit(card)
        if rank(card) == "7":
            self.due += 2
        if rank(card) == "ace" and ACE_AGAIN:
            return 0
        return 2 if rank(card) == "8" else 1

    def sevens(self, seat: int) -> list[Chosen]:
        return [("plays", card) for card in self.hands[seat] if rank(card) == "7"]

    def fitting(self, seat: int) -> Iterable[Chosen]:
        last = rank(self.pile[-1])
        for card in self.hands[seat]:
            if rank(card) == "jack":
                if last != "jack":
                    yield from (("wishes", card, wish) for wish in SUITS)
            elif suit(card) == self.wanted or rank(card) == last:
                yield "plays", card

    def decide(self, seat: int, legal: Iterable[Chosen]) -> Chosen:
        self.table.lie(hand=self.hands, pile=self.pile, stock=[*self.stock])
        self.table.keeps(dealer=self.dealer, wanted=self.wanted, score=self.scores)
        return self.table.decide(seat, legal)

    def fetch(self, seat: int, count: int) -> None:
        """Which cards are drawn tells the record; how many there are, and where they come from, we know."""
        carried = list(takewhile(lambda event: event["to"] != "box", self.table.carried))
        drawn = [card for event in carried if event["to"] == f"hand[{seat}]" for card in event["cards"]]
        for number in range(count):
            if not self.stock:
                self.used_up += 1
                self.stock, self.pile = {*self.pile[:-1]}, self.pile[-1:]
            if not self.stock:
                continue
            if number >= len(drawn) or drawn[number] not in self.stock:
                self.table.wrong(f"player {seat} should draw {count} cards of {sorted(self.stock)}, not {drawn}")
            self.stock.remove(drawn[number])
            self.hands[seat].append(drawn[number])


def game(table: PlayingAlong) -> None:
    dealer, scores = table.kept["dealer"], [0] * table.players
    while max(scores) < LIMIT:
        Round(table, dealer, scores).play()
        dealer = (dealer + 1) % table.players
    table.ends([seat for seat, score in enumerate(scores) if score == min(scores)], score=scores)


def violations(events: Iterable[Record]) -> list[str]:
    return verdict(game, events)
