"""Blackjack, from its rules alone. OpenSpiel knows nothing of stakes, doubling, splitting and insurance."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator

from referees.playing_along import Chosen, PlayingAlong, Record, verdict

PACKS, CHIPS, ROUNDS, RESERVE = 6, 100, 10, 100
STAKES = (2, 10)
RANKS = "ace 2 3 4 5 6 7 8 9 10 jack queen king".split()
PACK = [f"{suit}-{rank}" for suit in ("clubs", "diamonds", "hearts", "spades") for rank in RANKS]


def violations(events: Iterable[Record]) -> list[str]:
    """What is wrong with the record of a game."""
    return verdict(lambda table: Blackjack(table).play(), events)


def rank(card: str) -> str:
    return card.split("-")[1]


def total(hand: list[str]) -> int:
    hard = sum(min(10, RANKS.index(rank(card)) + 1) for card in hand)
    return hard + 10 if hard <= 11 and "ace" in map(rank, hand) else hard


def is_blackjack(hand: list[str]) -> bool:
    return len(hand) == 2 and total(hand) == 21


class Blackjack:
    def __init__(self, table: PlayingAlong) -> None:
        self.table = table
        self.chips = [CHIPS] * table.players
        self.shoe: Counter[str] = Counter()
        self.drawn: deque[str] = deque()
        self.stakes: dict[int, list[int]] = {}
        self.hands: dict[int, list[list[str]]] = {}

    def decide(self, seat: int, legal: Iterable[Chosen]) -> Chosen:
        if self.drawn:
            self.table.wrong(f"too many cards are drawn: {list(self.drawn)}")
        made = self.table.decide(seat, legal)
        self.drawn.extend(card for event in self.table.carried if event["from"] == "shoe" for card in event["cards"])
        return made

    def draw(self) -> str:
        if not self.drawn or not self.shoe[self.drawn[0]]:
            self.table.wrong(f"a card is not drawn, or not in the shoe: {list(self.drawn)}")
        card = self.drawn.popleft()
        self.shoe[card] -= 1
        return card

    def play(self) -> None:
        for _ in range(ROUNDS):
            self.round()
            self.table.keeps(chips=self.chips)
        winners = [seat for seat, chips in enumerate(self.chips) if chips > CHIPS]
        self.table.ends(winners, chips=self.chips)

    def round(self) -> None:
        self.stakes, self.hands = {}, {}
        for seat, chips in enumerate(self.chips):
            if chips >= STAKES[0]:
                _, amount = self.decide(seat, {("stakes", n) for n in range(STAKES[0], min(STAKES[1], chips) + 1)})
                self.stakes[seat] = [amount]
                self.chips[seat] -= amount
        if not self.stakes:
            return  # nobody decides anything, so nothing is known of what the bank draws
        if self.shoe.total() < RESERVE:
            self.shoe = Counter(PACK * PACKS)
        self.hands = {seat: [[self.draw(), self.draw()]] for seat in self.stakes}
        bank = [self.draw(), self.draw()]
        insured = dict(self.insurances()) if rank(bank[0]) == "ace" else {}
        if not is_blackjack(bank):
            for seat in self.stakes:
                self.turn(seat)
        while total(bank) < 17 and any(total(hand) <= 21 for hands in self.hands.values() for hand in hands):
            bank.append(self.draw())
        for seat, stakes in self.stakes.items():
            won = [self.gain(seat, hand, stake, bank) for hand, stake in zip(self.hands[seat], stakes, strict=True)]
            self.chips[seat] += sum(won) + (3 * insured.get(seat, 0) if is_blackjack(bank) else 0)

    def insurances(self) -> Iterator[tuple[int, int]]:
        for seat, (stake,) in self.stakes.items():
            can_pay = self.chips[seat] >= stake // 2
            if self.decide(seat, {("declines",), *([("insures",)] if can_pay else [])}) == ("insures",):
                self.chips[seat] -= stake // 2
                yield seat, stake // 2

    def turn(self, seat: int) -> None:
        hands, stakes = self.hands[seat], self.stakes[seat]
        for number in (0, 1):
            standing = False
            while number < len(hands) and not standing and total(hands[number]) < 21 and not self.aces_split(seat):
                hand, stake = hands[number], stakes[number]
                legal: set[Chosen] = {("hits",), ("stands",)}
                if len(hand) == 2 and self.chips[seat] >= stake:
                    legal.add(("doubles",))
                    if len(hands) == 1 and rank(hand[0]) == rank(hand[1]):
                        legal.add(("splits",))
                (made,) = self.decide(seat, legal)
                standing = made in ("stands", "doubles")
                if made in ("doubles", "splits"):
                    self.chips[seat] -= stake
                if made == "doubles":
                    stakes[number] *= 2
                if made in ("hits", "doubles"):
                    hand.append(self.draw())
                if made == "splits":
                    stakes.append(stake)
                    hands[:] = [[card, self.draw()] for card in hand]

    def aces_split(self, seat: int) -> bool:
        return len(self.hands[seat]) == 2 and rank(self.hands[seat][0][0]) == "ace"

    def gain(self, seat: int, hand: list[str], stake: int, bank: list[str]) -> int:
        """What comes back of a stake."""
        natural = is_blackjack(hand) and len(self.hands[seat]) == 1
        ours, theirs = (total(hand), natural), (total(bank), is_blackjack(bank))
        if ours[0] > 21:
            return 0
        if natural and not theirs[1]:
            return stake * 5 // 2
        if theirs[0] > 21 or ours > theirs:
            return 2 * stake
        return stake if ours == theirs else 0
