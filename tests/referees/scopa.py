"""Scopa, from its rules alone, with the captures searched for among all sets of cards."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from referees.playing_along import Chosen, PlayingAlong, Record, verdict

SUITS = ("coins", "cups", "swords", "clubs")
PACK = [f"{suit}-{value}" for suit in SUITS for value in range(1, 11)]
PRIME = {7: 21, 6: 18, 1: 16, 5: 15, 4: 14, 3: 13, 2: 12, 8: 10, 9: 10, 10: 10}
TARGET = 11
SIDES = 0
"""How many sides there are, if they do not play each for themselves."""


def violations(events: Iterable[Record]) -> list[str]:
    """What is wrong with the record of a game."""
    return verdict(lambda table: Scopa(table).play(), events)


def value(card: str) -> int:
    return int(card.split("-")[1])


def captures(card: str, table: list[str]) -> set[Chosen]:
    """Single cards of the same value or, if there are none, all sets that are worth as much."""
    single = {("captures", (other,)) for other in table if value(other) == value(card)}
    low = [other for other in table if value(other) < value(card)]
    sets = (chosen for size in range(2, 11) for chosen in combinations(low, size))
    several = {("captures", tuple(sorted(each))) for each in sets if sum(map(value, each)) == value(card)}
    return single or several


def primiera(pile: list[str]) -> int:
    best = [max((PRIME[value(card)] for card in pile if card.startswith(suit)), default=0) for suit in SUITS]
    return sum(best) if all(best) else 0


class Scopa:
    def __init__(self, table: PlayingAlong) -> None:
        self.table, self.players = table, table.players
        self.sides = SIDES or table.players
        self.score = [0] * self.sides

    def play(self) -> None:
        dealer = (self.table.turn() - 1) % self.players
        while True:
            self.round(dealer)
            dealer = (dealer + 1) % self.players
            best = max(self.score)
            if best >= TARGET and self.score.count(best) == 1:
                break
            self.table.keeps(dealer=dealer)
            if not SIDES:
                self.table.keeps(score=self.score)
        winners = [seat for seat in range(self.players) if self.score[seat % self.sides] == best]
        self.table.ends(winners, score=[self.score[seat % self.sides] for seat in range(self.players)])

    def round(self, dealer: int) -> None:
        places = self.table.places
        self.on_table = list(places["table"])
        self.piles: list[list[str]] = [[] for _ in range(self.sides)]
        self.sweeps = [0] * self.sides
        if len(self.on_table) != 4 or sum(value(card) == 10 for card in self.on_table) > 2:
            self.table.wrong(f"such cards cannot be laid on the table: {self.on_table}")
        seen, last = set(self.on_table), dealer
        for _deal in range(36 // 3 // self.players):
            hands = [list(places[f"hand[{seat}]"]) for seat in range(self.players)]
            dealt = [card for hand in hands for card in hand]
            if any(len(hand) != 3 for hand in hands) or seen & {*dealt} or not {*dealt} <= {*PACK}:
                self.table.wrong(f"these hands cannot be dealt: {hands}")
            seen |= {*dealt}
            for turn in range(3 * self.players):
                seat = (dealer + 1 + turn) % self.players
                is_last = len(seen) == 40 and turn == 3 * self.players - 1
                if self.turn(seat, hands[seat], is_last):
                    last = seat
        self.piles[last % self.sides] += self.on_table
        self.count()

    def turn(self, seat: int, hand: list[str], is_last: bool) -> bool:
        """Whether something was captured."""
        self.table.lie(table=self.on_table)
        _, card = self.table.decide(seat, {("plays", card) for card in hand})
        hand.remove(card)
        possible = captures(card, self.on_table)
        made = self.table.decide(seat, possible or {("leaves",)})
        if not possible:
            self.on_table.append(card)
            return False
        self.on_table = [other for other in self.on_table if other not in made[1]]
        self.piles[seat % self.sides] += [card, *made[1]]
        if not self.on_table and not is_last:
            self.sweeps[seat % self.sides] += 1
        return True

    def count(self) -> None:
        for measure in (len, lambda pile: sum(card.startswith("coins") for card in pile), primiera):
            numbers = [measure(pile) for pile in self.piles]
            if max(numbers) and numbers.count(max(numbers)) == 1:
                self.score[numbers.index(max(numbers))] += 1
        for side, pile in enumerate(self.piles):
            self.score[side] += self.sweeps[side] + ("coins-7" in pile)
