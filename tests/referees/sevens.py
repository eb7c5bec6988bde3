"""The referee of Sevens, written from the rules for people: what fits, who pays, and what the pot is worth."""

from __future__ import annotations

from collections.abc import Iterable

from referees.playing_along import PlayingAlong, Record, verdict

SUITS = "clubs diamonds hearts spades".split()
RANKS = "ace 2 3 4 5 6 7 8 9 10 jack queen king".split()
SEVEN = RANKS.index("7")
FIRST = "diamonds-7"
CHIPS, ANTE, FINE, PRICE = 30, 1, 1, 1


class Table:
    def __init__(self, table: PlayingAlong) -> None:
        self.table = table
        self.seats = range(table.players)
        self.chips, self.pot = [CHIPS for _ in self.seats], 0
        self.dealer: int = table.kept["dealer"]

    def pay(self, seat: int, price: int) -> int:
        paid = min(price, self.chips[seat])
        self.chips[seat] -= paid
        return paid

    def round(self) -> None:
        self.pot += sum(self.pay(seat, ANTE) for seat in self.seats)
        players = len(self.seats)
        self.hands = [list(self.table.places[f"hand[{seat}]"]) for seat in self.seats]
        dealt = [52 // players + ((seat - self.dealer - 1) % players < 52 % players) for seat in self.seats]
        short = [seat for seat in self.seats if len(self.hands[seat]) == dealt[seat] - 1]
        cards = [FIRST, *(card for hand in self.hands for card in hand)]
        if len(short) != 1 or len(cards) != 52 or {*cards} != {f"{suit}-{rank}" for suit in SUITS for rank in RANKS}:
            self.table.wrong("the cards are not dealt one by one, or the seven of diamonds is not laid")
        self.laid = {FIRST}
        leader = short[0]
        while self.hands[leader]:
            leader = self.turn((leader + 1) % players)
        self.settle(leader)
        self.dealer = (self.dealer + 1) % players

    def turn(self, seat: int) -> int:
        """Who lays the next card, from this seat on."""
        self.lie()
        fitting = [("lays", card) for card in self.hands[seat] if self.fits(card)]
        made = self.table.decide(seat, fitting or [("passes",)])
        if made == ("passes",):
            self.pot += self.pay(seat, FINE)
            return self.turn((seat + 1) % len(self.seats))
        self.hands[seat].remove(made[1])
        self.laid.add(made[1])
        return seat

    def fits(self, card: str) -> bool:
        suit, rank = card.split("-")
        at = RANKS.index(rank)
        beside = at - 1 if at > SEVEN else at + 1
        return at == SEVEN or f"{suit}-{RANKS[beside]}" in self.laid

    def lie(self) -> None:
        self.table.lie(hand=self.hands)
        for suit in SUITS:
            own = [rank for rank in RANKS if f"{suit}-{rank}" in self.laid]
            for place, above in (("upper", True), ("lower", False)):
                cards = [f"{suit}-{rank}" for rank in own if (RANKS.index(rank) >= SEVEN) == above]
                self.table.lie(**{f"{place}[{suit}]": cards})
        self.table.keeps(pot=self.pot, chips=self.chips, dealer=self.dealer)

    def settle(self, winner: int) -> None:
        gain = self.pot + sum(self.pay(seat, PRICE * len(self.hands[seat])) for seat in self.seats)
        self.chips[winner] += gain
        self.pot = 0


def game(table: PlayingAlong) -> None:
    own = Table(table)
    for _ in own.seats:
        own.round()
    most = max(own.chips)
    table.ends([seat for seat in own.seats if own.chips[seat] == most], chips=own.chips)


def violations(events: Iterable[Record]) -> list[str]:
    return verdict(game, events)
