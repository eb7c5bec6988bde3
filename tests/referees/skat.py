"""The referee of Skat, written from the rules for people: a list of rounds, from the bidding to the score."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations
from random import Random
from typing import NamedTuple, TypeAlias

from referees.playing_along import Chosen, PlayingAlong, Record, verdict

Hands: TypeAlias = list[list[str]]

ROUNDS = 3
SUITS = {"diamonds": 9, "hearts": 10, "spades": 11, "clubs": 12}
RANKS = {"7": 0, "8": 0, "9": 0, "queen": 3, "king": 4, "10": 10, "ace": 11, "jack": 2}
PACK = sorted(f"{suit}-{rank}" for suit in SUITS for rank in RANKS)
PLAIN, IN_NULL = "7 8 9 queen king 10 ace".split(), "7 8 9 10 jack queen king ace".split()
JACKS = [f"{suit}-jack" for suit in ("clubs", "spades", "hearts", "diamonds")]
NULLS = {(False, "nothing"): 23, (True, "nothing"): 35, (False, "open"): 46, (True, "open"): 59}
ANNOUNCED = ["nothing", "schneider", "schwarz", "open"]
BIDS = sorted(
    {base * factor for base in SUITS.values() for factor in range(2, 19)}
    | {24 * factor for factor in range(2, 12)}
    | set(NULLS.values())
)


def points(cards: Iterable[str]) -> int:
    return sum(RANKS[card.split("-")[1]] for card in cards)


class Contract(NamedTuple):
    name: str
    """A suit, `grand` or `null`."""
    from_hand: bool
    announced: str
    soloist: int
    bid: int

    def trumps(self) -> list[str]:
        """From the highest down."""
        if self.name == "null":
            return []
        suited = [f"{self.name}-{rank}" for rank in reversed(PLAIN)] if self.name in SUITS else []
        return JACKS + suited

    def follows(self, card: str, led: str) -> bool:
        trumps = self.trumps()
        if card in trumps or led in trumps:
            return card in trumps and led in trumps
        return card.split("-")[0] == led.split("-")[0]

    def highest(self, trick: list[str]) -> str:
        trumps = [card for card in self.trumps() if card in trick]
        order = IN_NULL if self.name == "null" else PLAIN
        followed = [card for card in trick if self.follows(card, trick[0])]
        return trumps[0] if trumps else max(followed, key=lambda card: order.index(card.split("-")[1]))

    def matadors(self, own: Iterable[str]) -> int:
        having = [trump in own for trump in self.trumps()]
        return next((number for number, has in enumerate(having) if has != having[0]), len(having))


class Result(NamedTuple):
    own: list[str]
    """What the soloist took and laid aside, or left in the skat."""
    own_tricks: int
    other_tricks: int
    held: list[str]
    """What the soloist held with the skat."""


def gain(contract: Contract, result: Result) -> int:
    """What the soloist gets, or loses."""
    made, announced = points(result.own), ANNOUNCED.index(contract.announced)
    if contract.name == "null":
        value = NULLS[contract.from_hand, contract.announced]
        return value if result.own_tricks == 0 else -2 * value
    schneider, schwarz = made >= 90, result.other_tricks == 0
    factor = contract.matadors(result.held) + 1 + contract.from_hand + announced
    factor += schneider or made <= 30 or announced >= 1
    factor += schwarz or result.own_tricks == 0 or announced >= 2
    base = SUITS.get(contract.name, 24)
    value, won = factor * base, made >= 61 and (announced < 1 or schneider) and (announced < 2 or schwarz)
    if value < contract.bid:
        return -2 * base * -(-contract.bid // base)
    return value if won else -2 * value


def settle(scores: list[int], contract: Contract, result: Result) -> None:
    scores[contract.soloist] += gain(contract, result)


def game(table: PlayingAlong) -> None:
    dealer, scores = table.kept["dealer"], [0, 0, 0]
    for _ in range(3 * ROUNDS):
        table.keeps(dealer=dealer, score=scores)
        hands, skat = [sorted(table.places[f"hand[{seat}]"]) for seat in range(3)], sorted(table.places["skat"])
        if sorted([*skat, *chain(*hands)]) != PACK or list(map(len, hands)) != [10] * 3:
            table.wrong("the cards were not dealt as they should be")
        soloist, bid = auction(table, dealer)
        if soloist is not None:
            contract, aside, held = announcement(table, soloist, bid, hands, skat)
            settle(scores, contract, card_play(table, contract, dealer, hands, aside, held))
        else:
            everyone_passed(table, dealer, hands, skat, scores)
        dealer = (dealer + 1) % 3
    table.ends([seat for seat in range(3) if scores[seat] == max(scores)], score=scores)


def settle_by_seeger_and_fabian(scores: list[int], contract: Contract, result: Result) -> None:
    """The variant."""
    gained = gain(contract, result)
    for seat in range(3):
        if seat == contract.soloist:
            scores[seat] += gained + (50 if gained > 0 else -50)
        elif gained < 0:
            scores[seat] += 40


def everyone_passed(table: PlayingAlong, dealer: int, hands: Hands, skat: list[str], scores: list[int]) -> None:
    """Nothing happens."""


def ramsch(table: PlayingAlong, dealer: int, hands: Hands, skat: list[str], scores: list[int]) -> None:
    """The variant. Everyone plays as in a grand, and nobody is the soloist."""
    grand = Contract("grand", True, "nothing", -1, 0)
    taken: list[list[str]] = [[], [], []]
    leader = (dealer + 1) % 3
    while any(hands):
        leader, trick = a_trick(table, grand, leader, hands)
        taken[leader] += trick
    clean = taken.count([])
    taken[leader] += skat
    if clean == 2:
        scores[leader] += 120
        return
    worst = max(map(points, taken))
    for seat in range(3):
        if points(taken[seat]) == worst:
            scores[seat] -= worst * 2**clean


def auction(table: PlayingAlong, dealer: int) -> tuple[int | None, int]:
    holder, bid = (dealer + 1) % 3, 0
    for bidder in ((dealer + 2) % 3, dealer):
        while True:
            said = table.decide(bidder, [("passes",), *(("bids", value) for value in BIDS if value > bid)])
            if said == ("passes",):
                break
            bid = said[1]
            if table.decide(holder, [("passes",), ("holds",)]) == ("passes",):
                holder = bidder
                break
    if bid == 0:
        if table.decide(holder, [("passes",), ("opens",)]) == ("passes",):
            return None, 0
        bid = BIDS[0]
    table.keeps(bid=bid)
    return holder, bid


def announcement(
    table: PlayingAlong, soloist: int, bid: int, hands: Hands, skat: list[str]
) -> tuple[Contract, list[str], list[str]]:
    table.keeps(soloist=soloist)
    held, aside, own = sorted(hands[soloist] + skat), skat, hands[soloist]
    from_hand = table.decide(soloist, [("takes",), ("declines",)]) == ("declines",)
    if not from_hand:
        own[:] = held
        aside = list(table.decide(soloist, [("discards", pair) for pair in combinations(own, 2)])[1])
        for card in aside:
            own.remove(card)
    nulls = [("plays-null", more) for more in ("nothing", "open") if NULLS[from_hand, more] >= bid]
    legal: list[Chosen] = [("plays-grand",), *(("plays-in", suit) for suit in SUITS), *nulls]
    named = table.decide(soloist, legal)
    announced = named[1] if named[0] == "plays-null" else "nothing"
    if from_hand and named[0] != "plays-null":
        announced = table.decide(soloist, [("announces", more) for more in ANNOUNCED])[1]
    name = named[1] if named[0] == "plays-in" else named[0].removeprefix("plays-")
    return Contract(name, from_hand, announced, soloist, bid), aside, held


def card_play(
    table: PlayingAlong, contract: Contract, dealer: int, hands: Hands, aside: list[str], held: list[str]
) -> Result:
    leader, own, tricks = (dealer + 1) % 3, list(aside), [0, 0]
    while any(hands) and not (contract.name == "null" and tricks[0]):
        leader, trick = a_trick(table, contract, leader, hands)
        tricks[leader != contract.soloist] += 1
        if leader == contract.soloist:
            own += trick
    return Result(own, tricks[0], tricks[1], held)


def a_trick(table: PlayingAlong, contract: Contract, leader: int, hands: Hands) -> tuple[int, list[str]]:
    """Who takes it, and what is in it."""
    trick: list[str] = []
    for turn in range(3):
        seat = (leader + turn) % 3
        table.lie(hand=hands, trick=trick)
        table.keeps(leader=leader)
        legal = [card for card in hands[seat] if trick and contract.follows(card, trick[0])] or hands[seat]
        card = table.decide(seat, [("follows" if trick else "leads", card) for card in legal])[1]
        hands[seat].remove(card)
        trick.append(card)
    return (leader + trick.index(contract.highest(trick))) % 3, trick


def pick(legal: list[Record], lots: Random) -> int:
    """Bids as low as people make them, since at random nearly every game would be overbid."""
    bids = [number for number, move in enumerate(legal) if move["move"] == "bids"]
    if not bids:
        return lots.randrange(len(legal))
    passing = next(number for number, move in enumerate(legal) if move["move"] == "passes")
    return passing if lots.random() < 0.6 else lots.choice(bids[:3])


def violations(events: Iterable[Record]) -> list[str]:
    return verdict(game, events)
