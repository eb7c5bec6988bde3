"""The referee of Doppelkopf, from the rules of tournaments: reservations, announcements, tricks and the list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from referees.playing_along import Chosen, PlayingAlong, Record, verdict

ROUNDS, COMPULSORY = 3, 0
"""How many rounds are played or, where everyone owes a solo, how many deals."""
SECOND_TEN_WINS = False

COUNTS = {"9": 0, "jack": 2, "queen": 3, "king": 4, "10": 10, "ace": 11}
SUITS = ["diamonds", "hearts", "spades", "clubs"]
PACK = Counter({f"{suit}-{rank}": 2 for suit in SUITS for rank in COUNTS})
FROM_ABOVE = ["clubs", "spades", "hearts", "diamonds"]
QUEENS, JACKS = ([f"{suit}-{rank}" for suit in FROM_ABOVE] for rank in ("queen", "jack"))
PLAIN = ["ace", "10", "king", "queen", "jack", "9"]
SOLOS: list[Chosen] = [("plays-in", suit) for suit in SUITS]
SOLOS += [("plays-solo", sort) for sort in ("queen-solo", "jack-solo", "fleshless")]
CARDS_NEEDED = [11, 10, 9, 8, 7]
"""For saying Re or Kontra, and that the others will not reach ninety, sixty, thirty, anything."""
SAID = [None, None, 90, 60, 30, 0]


def trumps(kind: str) -> list[str]:
    """From the highest down. The kind is a suit, or a sort of solo."""
    if kind in SUITS:
        top = ["hearts-10", *QUEENS, *JACKS]
        return top + [card for rank in PLAIN if (card := f"{kind}-{rank}") not in top]
    return {"queen-solo": QUEENS, "jack-solo": JACKS}.get(kind, [])


def suit_of(card: str, kind: str) -> str:
    return "trump" if card in trumps(kind) else card.split("-")[0]


def best(trick: list[str], kind: str) -> int:
    """Which card of a trick takes it."""
    order = trumps(kind) + [f"{trick[0].split('-')[0]}-{rank}" for rank in PLAIN]
    highest = min(order.index(card) for card in trick if card in order)
    if order[highest] == "hearts-10" and "hearts-10" in trumps(kind) and SECOND_TEN_WINS:
        return 3 - trick[::-1].index("hearts-10")
    return trick.index(order[highest])


class Doppelkopf:
    def __init__(self, table: PlayingAlong) -> None:
        self.table = table
        self.dealer: int = table.kept["dealer"]
        self.scores = [0] * 4
        self.owing = {0, 1, 2, 3} if COMPULSORY else set()

    def play(self) -> None:
        deals = COMPULSORY or 4 * ROUNDS
        for left in range(deals, 0, -1):
            self.table.keeps(dealer=self.dealer, score=self.scores)
            self.deal(left)
        self.table.ends([seat for seat in range(4) if self.scores[seat] == max(self.scores)], score=self.scores)

    def deal(self, left: int) -> None:
        self.hands = [list(self.table.places[f"hand[{seat}]"]) for seat in range(4)]
        if sum(map(Counter, self.hands), Counter()) != PACK or list(map(len, self.hands)) != [12] * 4:
            self.table.wrong("the cards were not dealt as they should be")
        self.re = {seat for seat in range(4) if "clubs-queen" in self.hands[seat]}
        self.kind, self.bride, self.solo = "diamonds", -1, False
        self.leader = (self.dealer + 1) % 4
        next_dealer = (self.dealer + 1) % 4
        soloist = self.reservations(left)
        if soloist in self.owing:
            self.owing.remove(soloist)
            self.leader, next_dealer = soloist, self.dealer
        self.said = {True: 0, False: 0}
        self.late, self.waiting = 0, self.bride >= 0
        self.took: list[list[str]] = [[], [], [], []]
        self.extra: Counter[bool] = Counter()
        for number in range(1, 13):
            self.trick(number)
        self.count()
        self.dealer = next_dealer

    def reservations(self, left: int) -> int:
        """Who plays a solo, or −1."""
        order = [(self.dealer + 1 + turn) % 4 for turn in range(4)]
        if len(self.owing) >= left:
            forced = next(seat for seat in order if seat in self.owing)
            self.begin_solo(forced, self.table.decide(forced, SOLOS))
            return forced
        reserved = [seat for seat in order if self.table.decide(seat, [("accepts",), ("reserves",)]) == ("reserves",)]
        for seat in sorted(reserved, key=lambda seat: seat not in self.owing):
            both = self.hands[seat].count("clubs-queen") == 2
            named = self.table.decide(seat, SOLOS + ([("weds",)] if both else []))
            if named != ("weds",):
                self.begin_solo(seat, named)
                return seat
            self.bride = seat
        return -1

    def begin_solo(self, seat: int, named: Chosen) -> None:
        self.kind, self.re, self.bride, self.solo = named[1], {seat}, -1, True

    def announce(self, seat: int) -> None:
        """Before a card is played."""
        own, others = self.said[seat in self.re], self.said[seat not in self.re]
        if self.waiting or own == 5:
            return
        needed = CARDS_NEEDED[own]
        if own == 0 and others > 0:
            needed = CARDS_NEEDED[others - 1] - 1
        legal: list[Chosen] = [("announces",), ("waits",)]
        if len(self.hands[seat]) >= needed - self.late and self.table.decide(seat, legal) == ("announces",):
            self.said[seat in self.re] += 1

    def trick(self, number: int) -> None:
        trick: list[str] = []
        seats = [(self.leader + turn) % 4 for turn in range(4)]
        for seat in seats:
            self.announce(seat)
            self.table.lie(hand=self.hands, trick=trick)
            hand = self.hands[seat]
            followed = [card for card in hand if trick and suit_of(card, self.kind) == suit_of(trick[0], self.kind)]
            card = self.table.decide(seat, {("plays", card) for card in followed or hand})[1]
            hand.remove(card)
            trick.append(card)
        winning = best(trick, self.kind)
        self.leader = seats[winning]
        self.took[self.leader] += trick
        if self.waiting and (self.leader != self.bride or number == 3):
            self.waiting, self.late = False, number - 1
            self.re.add(self.leader)
        if not self.waiting and len(self.re) == 2:
            side = self.leader in self.re
            self.extra[side] += sum(COUNTS[card.split("-")[1]] for card in trick) >= 40
            self.extra[side] += sum(
                card == "diamonds-ace" and (seat in self.re) != side for seat, card in zip(seats, trick, strict=True)
            )
            self.extra[side] += number == 12 and trick[winning] == "clubs-jack"

    def count(self) -> None:
        points = dict.fromkeys((True, False), 0)
        tricks = dict.fromkeys((True, False), 0)
        for seat, cards in enumerate(self.took):
            points[seat in self.re] += sum(COUNTS[card.split("-")[1]] for card in cards)
            tricks[seat in self.re] += len(cards) // 4
        worth = self.extra[True] - self.extra[False]
        for side, sign in ((True, 1), (False, -1)):
            if self.wins(side, points, tricks):
                worth += sign * self.value(side, points, tricks)
        for seat in range(4):
            factor = 3 if len(self.re) == 1 and seat in self.re else 1
            self.scores[seat] += factor * (worth if seat in self.re else -worth)

    def wins(self, side: bool, points: dict[bool, int], tricks: dict[bool, int]) -> bool:
        own, others = self.said[side], self.said[not side]
        if tricks[side] == 0 or tricks[not side] == 0:
            return tricks[side] > 0
        if own >= 2:
            return own < 5 and points[not side] < (SAID[own] or 0)
        if others >= 2:
            return points[side] >= (SAID[others] or 0)
        tie_is_mine = (own == 0 and others == 1) if side else not (own == 1 and others == 0)
        return points[side] > 120 or (points[side] == 120 and tie_is_mine)

    def value(self, side: bool, points: dict[bool, int], tricks: dict[bool, int]) -> int:
        value = 1 + sum(points[not side] < limit for limit in (90, 60, 30)) + (tricks[not side] == 0)
        value += sum(said + 1 for said in self.said.values() if said)
        refuted = zip((120, 90, 60, 30), range(2, 6), strict=True)
        value += sum(self.said[not side] >= said and points[side] >= limit for limit, said in refuted)
        return value + (not side and len(self.re) == 2)


def pick(legal: list[Record], lots: Random) -> int:
    """Mostly content and silent, since at random nearly every game would be a solo, and every limit be announced."""
    by_verb = {move["move"]: number for number, move in enumerate(legal)}
    if "weds" in by_verb:
        return by_verb["weds"]
    if "accepts" in by_verb and lots.random() < 0.8:
        return by_verb["accepts"]
    if "reserves" in by_verb:
        return by_verb["reserves"]
    if "waits" in by_verb and lots.random() < 0.7:
        return by_verb["waits"]
    return lots.randrange(len(legal))


def violations(events: Iterable[Record]) -> list[str]:
    return verdict(lambda table: Doppelkopf(table).play(), events)
