"""The referee of Preferans, written from the rules for people: auction, widow, whisting, tricks, pool and mountain."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations
from random import Random
from typing import NamedTuple

from referees.playing_along import Chosen, PlayingAlong, Record, verdict

POOL = 10
MOST_FOR_PASSES = 1
"""What a trick costs at most when everyone has passed in several deals in a row."""
LENINGRAD = False
"""Whists count twice, a whister who falls short pays half, passes cost two, and nobody is helped."""
SUITS = ["spades", "clubs", "diamonds", "hearts"]
RANKS = ["7", "8", "9", "10", "jack", "queen", "king", "ace"]
PACK = sorted(f"{suit}-{rank}" for suit in SUITS for rank in RANKS)
STRAINS = [*SUITS, "no-trump"]
NEEDED = {6: 4, 7: 2, 8: 1, 9: 1, 10: 1}


class Bid(NamedTuple):
    level: int
    strain: str

    def height(self) -> tuple[int, int]:
        return self.level, [*STRAINS, "misere"].index(self.strain)

    @property
    def price(self) -> int:
        return 10 if self.strain == "misere" else 2 * self.level - 10


GAMES = [Bid(level, strain) for level in range(6, 11) for strain in STRAINS]
MISERE = Bid(8, "misere")


def named(bid: Bid) -> Chosen:
    return ("risks",) if bid == MISERE else ("bids", bid.level, bid.strain)


class Preferans:
    def __init__(self, table: PlayingAlong) -> None:
        self.table = table
        self.dealer: int = table.kept["dealer"]
        self.pool, self.mountain, self.whists = [0] * 3, [0] * 3, [0] * 3
        self.passes = 0

    def play(self) -> None:
        while (sum(self.pool) < 3 * POOL) if LENINGRAD else (min(self.pool) < POOL):
            self.table.keeps(dealer=self.dealer, pool=self.pool, mountain=self.mountain, balance=self.whists)
            self.deal()
            self.dealer = (self.dealer + 1) % 3
        # Thrice the balance, so that nothing is rounded.
        heights = [self.mountain[seat] + LENINGRAD * 2 * (POOL - self.pool[seat]) for seat in range(3)]
        final = [3 * self.whists[seat] + 10 * (sum(heights) - 3 * heights[seat]) for seat in range(3)]
        winners = [seat for seat in range(3) if final[seat] == max(final)]
        self.table.ends(winners, pool=self.pool, mountain=self.mountain, balance=self.whists)

    def deal(self) -> None:
        self.hands = [list(self.table.places[f"hand[{seat}]"]) for seat in range(3)]
        self.widow = list(self.table.places["deck"])
        if sorted([*self.widow, *chain(*self.hands)]) != PACK or list(map(len, self.hands)) != [10] * 3:
            self.table.wrong("the cards were not dealt as they should be")
        self.tricks = [0] * 3
        self.open = False
        self.leader = (self.dealer + 1) % 3
        declarer, bid = self.auction()
        if bid is None:
            self.everyone_passed()
            return
        self.contract(declarer, bid)
        self.passes = 0

    def auction(self) -> tuple[int, Bid | None]:
        inside, spoken = [(self.dealer + turn) % 3 for turn in (1, 2, 3)], set()
        risking: set[int] = set()
        bid: Bid | None = None
        declarer = -1
        while len(inside) > (bid is not None):
            seat = inside.pop(0)
            legal = [game for game in [*GAMES, MISERE] if bid is None or game.height() > bid.height()]
            moves = [named(game) for game in legal if game != MISERE or seat not in spoken]
            if seat in risking:
                moves = []
            said = self.table.decide(seat, [*moves, ("passes",)])
            if said != ("passes",):
                bid, declarer = MISERE if said == ("risks",) else Bid(said[1], said[2]), seat
                inside.append(seat)
                risking |= {seat} if bid == MISERE else set()
            spoken.add(seat)
        return declarer, bid

    def contract(self, declarer: int, bid: Bid) -> None:
        held = self.hands[declarer] + self.widow
        self.table.lie(widow=self.widow)
        aside = self.table.decide(declarer, [("discards", pair) for pair in combinations(sorted(held), 2)])[1]
        self.hands[declarer] = [card for card in held if card not in aside]
        first, second = (declarer + 1) % 3, (declarer + 2) % 3
        if bid == MISERE:
            self.open = True
            self.tricks_of(declarer, "misere", {})
            if self.tricks[declarer]:
                self.mountain[declarer] += 10 * self.tricks[declarer]
            else:
                self.fill(declarer, 10)
            return
        higher = [named(game) for game in GAMES if game.height() > bid.height()]
        said = self.table.decide(declarer, [*higher, ("stays",)])
        if said != ("stays",):
            bid = Bid(said[1], said[2])
        whisting = self.whisting(first, second, bid.level)
        if not any(said == "whists" for said in whisting.values()):
            self.fill(declarer, bid.price)
            for seat, how in whisting.items():
                if how == "halves":
                    self.write(seat, declarer, bid.price * NEEDED[bid.level] // 2)
            return
        alone = [seat for seat, how in whisting.items() if how == "whists"]
        moving = {}
        if len(alone) == 1:
            self.open = self.table.decide(alone[0], [("opens",), ("hides",)]) == ("opens",)
            if self.open:
                moving = {first: alone[0], second: alone[0]}
        self.tricks_of(declarer, bid.strain, moving)
        self.settle(declarer, bid, alone)

    def whisting(self, first: int, second: int, level: int) -> dict[int, str]:
        both: list[Chosen] = [("whists",), ("declines",)]
        said = {first: self.table.decide(first, both)[0]}
        half: list[Chosen] = [("halves",)] if level <= 7 and said[first] == "declines" else []
        said[second] = self.table.decide(second, both + half)[0]
        if said[second] == "halves" and self.table.decide(first, both) == ("whists",):
            return {first: "whists", second: "declines"}
        return said

    def tricks_of(self, declarer: int, strain: str, moving: dict[int, int]) -> None:
        while any(self.hands):
            self.trick(strain, declarer, moving)

    def trick(self, strain: str, declarer: int = -1, moving: dict[int, int] | None = None, hint: str = "") -> None:
        trick: dict[int, str] = {}
        for turn in range(3):
            seat = (self.leader + turn) % 3
            hand = self.hands[seat]
            shown = [[] if self.open and other != declarer else self.hands[other] for other in range(3)]
            laid = [self.hands[other] if self.open and other != declarer else [] for other in range(3)]
            self.table.lie(hand=shown, spread=laid, trick=list(trick.values()), hint=[hint] if hint else [])
            led = (hint or next(iter(trick.values()), "")).split("-")[0]
            followed = [card for card in hand if card.split("-")[0] == led]
            trumps = [card for card in hand if led and card.split("-")[0] == strain]
            card = self.table.decide(
                (moving or {}).get(seat, seat), {("plays", c) for c in followed or trumps or hand}
            )[1]
            hand.remove(card)
            trick[seat] = card
        suit = hint.split("-")[0] or trick[self.leader].split("-")[0]

        def height(seat: int) -> tuple[bool, bool, int]:
            own, rank = trick[seat].split("-")
            return own == strain, own == suit, RANKS.index(rank)

        best = max(trick, key=height)
        if any(height(best)[:2]):
            self.leader = best
        self.tricks[self.leader] += 1

    def everyone_passed(self) -> None:
        lying = self.table.places["hint"]
        for card in sorted(self.widow, key=lambda card: card not in lying):
            self.leader = (self.dealer + 1) % 3
            self.trick("none", hint=card)
        self.tricks_of(-1, "none", {})
        self.passes = min(self.passes + 1, MOST_FOR_PASSES)
        for turn in (1, 2, 3):
            seat = (self.dealer + turn) % 3
            price = self.passes * (1 + LENINGRAD)
            self.mountain[seat] += price * self.tricks[seat]
            if not self.tricks[seat]:
                self.fill(seat, price)

    def settle(self, declarer: int, bid: Bid, whisters: list[int]) -> None:
        off = max(0, bid.level - self.tricks[declarer])
        others = [(declarer + 1) % 3, (declarer + 2) % 3]
        if off:
            self.mountain[declarer] += off * bid.price
            for seat in others:
                self.write(seat, declarer, off * bid.price)
        else:
            self.fill(declarer, bid.price)
        taken, needed = 10 - self.tricks[declarer], NEEDED[bid.level]
        short = max(0, needed - taken)
        fine = bid.price // (1 + LENINGRAD)
        if len(whisters) == 1:
            self.write(whisters[0], declarer, taken * bid.price)
            self.mountain[whisters[0]] += short * fine
            return
        for seat in others:
            self.write(seat, declarer, self.tricks[seat] * bid.price)
            if bid.level <= 7:
                self.mountain[seat] += fine * min(short, max(0, needed // 2 - self.tricks[seat]))
        if bid.level > 7:
            self.mountain[others[1]] += short * fine

    def write(self, seat: int, upon: int, whists: int) -> None:
        self.whists[seat] += whists * (1 + LENINGRAD)
        self.whists[upon] -= whists * (1 + LENINGRAD)

    def fill(self, seat: int, points: int) -> None:
        """The own pool first, then the fuller one of the others, then the mountain."""
        if LENINGRAD:
            self.pool[seat] += points
            return
        left, right = (seat + 1) % 3, (seat + 2) % 3
        others = sorted((left, right), key=lambda other: -self.pool[other])
        for into in (seat, *others):
            part = min(points, POOL - self.pool[into])
            self.pool[into] += part
            points -= part
            if into != seat:
                self.write(seat, into, 10 * part)
        self.mountain[seat] -= points


def pick(legal: list[Record], lots: Random) -> int:
    """Bids low and seldom, so that there are games of all heights, misères, and deals in which everyone passes."""
    by_verb = {move["move"]: number for number, move in enumerate(legal)}
    if "passes" in by_verb:
        bids = [number for number, move in enumerate(legal) if move["move"] == "bids"]
        if lots.random() < 0.7 or not bids:
            return by_verb["passes"]
        if "risks" in by_verb and lots.random() < 0.2:
            return by_verb["risks"]
        return lots.choice(bids[:8])
    if "stays" in by_verb and lots.random() < 0.8:
        return by_verb["stays"]
    return lots.randrange(len(legal))


def violations(events: Iterable[Record]) -> list[str]:
    return verdict(lambda table: Preferans(table).play(), events)
