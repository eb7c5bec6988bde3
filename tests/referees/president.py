"""The referee of President, written from the rules for people: rounds, each from the exchange to the titles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from referees.playing_along import Chosen, PlayingAlong, Record, verdict

RANKS = "3 4 5 6 7 8 9 10 jack queen king ace 2".split()
SUITS = "clubs diamonds hearts spades".split()
PACK = sorted(f"{suit}-{rank}" for suit in SUITS for rank in RANKS)
TARGET, VICES_FROM = 11, 4
PASS_IS_FINAL = False


def rank(card: str) -> int:
    return RANKS.index(card.split("-")[1])


def game(table: PlayingAlong) -> None:
    dealer, scores = table.kept["dealer"], [0] * table.players
    finished: list[int] = []
    while max(scores) < TARGET:
        table.keeps(score=scores, dealer=dealer)
        hands = dealt(table, dealer)
        if finished:
            exchange(table, hands, finished)
        leader = finished[0] if finished else (dealer + 1) % table.players
        finished = Round(table, hands).play(leader)
        scores[finished[0]] += 2
        if table.players >= VICES_FROM:
            scores[finished[1]] += 1
        dealer = finished[-1]
    table.ends([seat for seat, score in enumerate(scores) if score == max(scores)], score=scores)


def dealt(table: PlayingAlong, dealer: int) -> list[list[str]]:
    hands: list[list[str]] = [[] for _ in range(table.players)]
    for event in table.carried:
        if event["from"] == "deck":
            hands[int(event["to"].removeprefix("hand[").removesuffix("]"))] += event["cards"]
    least, more = divmod(len(PACK), table.players)
    sizes = [least + ((seat - dealer - 1) % table.players < more) for seat in range(table.players)]
    if list(map(len, hands)) != sizes or sorted(card for hand in hands for card in hand) != PACK:
        table.wrong(f"the cards should be dealt evenly, {sizes}")
    return hands


def exchange(table: PlayingAlong, hands: list[list[str]], finished: Sequence[int]) -> None:
    pairs = [(finished[-1], finished[0], 2)]
    if table.players >= VICES_FROM:
        pairs.append((finished[-2], finished[1], 1))
    for low, high, number in pairs:
        given = [event for event in table.carried if event["from"] != "box" and event["to"].startswith("hand")]
        paid = [event for event in given if event["from"] == f"hand[{low}]"]
        cards = [card for event in paid for card in event["cards"]]
        best = sorted(map(rank, hands[low]))[-number:]
        if any(event["to"] != f"hand[{high}]" for event in paid) or sorted(map(rank, cards)) != best:
            table.wrong(f"player {low} should give the {number} best cards to player {high}")
        hand_over(cards, hands[low], hands[high])
    for low, high, number in pairs:
        table.lie(hand=hands)
        made = table.decide(high, [("gives", cards) for cards in combinations(sorted(hands[high]), number)])
        hand_over(made[1], hands[high], hands[low])


def hand_over(cards: Iterable[str], giver: list[str], receiver: list[str]) -> None:
    for card in cards:
        giver.remove(card)
        receiver.append(card)


def of_one_rank(hand: Iterable[str], sizes: Iterable[int], above: int = -1) -> list[tuple[str, ...]]:
    """All sets of so many cards that are of the same rank, a higher one than that."""
    found: list[tuple[str, ...]] = []
    for number in range(above + 1, len(RANKS)):
        same = sorted(card for card in hand if rank(card) == number)
        for size in sizes:
            found += combinations(same, size)
    return found


class Round:
    def __init__(self, table: PlayingAlong, hands: list[list[str]]) -> None:
        self.table, self.hands = table, hands
        self.finished: list[int] = []

    def play(self, leader: int) -> list[int]:
        """The players in the order in which they have got rid of their cards."""
        while len(self.playing()) > 1:
            last = self.trick(leader)
            leader = next(seat for seat in [last, *self.behind(last)] if self.hands[seat] or not self.playing())
        return [*self.finished, *self.playing()]

    def playing(self) -> list[int]:
        return [seat for seat, hand in enumerate(self.hands) if hand]

    def behind(self, seat: int) -> list[int]:
        return [(seat + step) % len(self.hands) for step in range(1, len(self.hands))]

    def decide(self, seat: int, lying: list[str], legal: list[Chosen]) -> tuple[str, ...]:
        """The cards that are laid, none if the player passes."""
        self.table.lie(hand=self.hands, table=lying)
        made = self.table.decide(seat, legal)
        cards = made[1] if len(made) > 1 else ()
        hand_over(cards, self.hands[seat], lying)
        if not self.hands[seat]:
            self.finished.append(seat)
        return tuple(cards)

    def trick(self, leader: int) -> int:
        """Who has laid last."""
        lying: list[str] = []
        top = self.decide(leader, lying, [("leads", cards) for cards in of_one_rank(self.hands[leader], range(1, 5))])
        last, seat, passed = leader, leader, set[int]()
        while len(self.playing()) > 1:
            asked = [one for one in self.behind(seat) if self.hands[one] and one not in {last, *passed}]
            if not asked:
                break
            seat = asked[0]
            higher = of_one_rank(self.hands[seat], [len(top)], rank(top[0]))
            if laid := self.decide(seat, lying, [("passes",), *(("follows", cards) for cards in higher)]):
                top, last = laid, seat
                passed = passed if PASS_IS_FINAL else set()
            else:
                passed.add(seat)
        return last


def violations(events: Iterable[Record]) -> list[str]:
    return verdict(game, events)
