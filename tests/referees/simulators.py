"""Two tiny simulators that play at random and write records, to test the referees with.

They know nothing of the referees, so that one can find the other's mistakes. Every rule is a method (or a figure) of
its own: a test changes one of them and so gets complete games played by a wrong rule.
"""

from __future__ import annotations

import random
from typing import Any

Event = dict[str, Any]
Option = dict[str, Any]


class Table:
    """Players, lots, and a record being written."""

    title = ""

    def __init__(self, players: int, seed: int) -> None:
        self.n = players
        self.lots = random.Random(f"{self.title}/{players}/{seed}")
        names = [f"P{seat}" for seat in range(players)]
        self.events: list[Event] = []
        self.write("game", game=self.title, variant=None, set={}, players=names, seed=seed, rules="none")

    def write(self, event: str, **fields: Any) -> None:
        self.events.append({"event": event, **fields})

    def carry(self, cards: list[str], source: str, target: str, **end: str) -> None:
        if cards:
            self.write("cards", cards=cards, **{"from": source, "to": target}, **end)

    def note(self, name: str, value: int, of: int | None = None) -> None:
        self.write("keep", name=name, **({} if of is None else {"of": of}), value=value)

    def decide(self, player: int, options: list[Option]) -> Option:
        chosen = self.prefer(player, options)
        legal = [dict(option, choice=dict(option["choice"])) for option in options]
        self.write("move", player=player, move=chosen["move"], choice=dict(chosen["choice"]), legal=legal)
        return chosen

    def prefer(self, player: int, options: list[Option]) -> Option:
        return options[self.lots.randrange(len(options))]

    def shuffled(self, cards: list[Any]) -> list[Any]:
        cards = list(cards)
        self.lots.shuffle(cards)
        return cards

    def winners(self, counts: list[int]) -> list[int]:
        raise NotImplementedError


class LittleDevilsTable(Table):
    title = "Little Devils"
    picture = "001213131312105012131210501213121050121312105012131313"
    """The devils on cards 1, 2, 3 and so on."""
    hand = 9
    goal = 100

    def devils(self, card: int) -> int:
        return int(self.picture[card - 1])

    def top_card(self) -> int:
        return self.hand * self.n

    def first_leader(self, dealer: int) -> int:
        return (dealer + 1) % self.n

    def after(self, player: int) -> int:
        return (player + 1) % self.n

    def to_lead(self, hand: list[int]) -> list[int]:
        good = [card for card in hand if self.devils(card) < 5]
        return good if good else hand

    def to_answer(self, hand: list[int], lead: int) -> list[int]:
        return hand

    def to_follow(self, hand: list[int], table: list[int]) -> list[int]:
        if table[1] > table[0]:
            good = [card for card in hand if card > table[0]]
        else:
            good = [card for card in hand if card < table[0]]
        return good if good else hand

    def takes(self, table: list[int]) -> int:
        """The place in the order of play of the card that takes the trick."""
        above = sum(card > table[0] for card in table[1:])
        below = len(table) - 1 - above
        by_number = sorted(range(len(table)), key=table.__getitem__)
        if table[1] > table[0]:
            return by_number[0] if below else by_number[-1]
        return by_number[-1] if above else by_number[0]

    def next_leader(self, taker: int) -> int:
        return taker

    def gain(self, pile: list[int]) -> int:
        return sum(map(self.devils, pile))

    def new_score(self, score: int, gain: int) -> int:
        return score + gain

    def goes_on(self, scores: list[int], round_number: int) -> bool:
        return all(score < self.goal for score in scores)

    def next_dealer(self, dealer: int, taker: int) -> int:
        return (dealer + 1) % self.n

    def winners(self, counts: list[int]) -> list[int]:
        return [seat for seat in range(self.n) if all(counts[seat] <= other for other in counts)]

    def play(self) -> list[Event]:
        dealer = self.lots.randrange(self.n)
        scores = [0] * self.n
        deck = list(range(1, self.top_card() + 1))
        self.write("step", name="set up")
        self.carry([str(card) for card in deck], "box", "deck")
        self.note("dealer", dealer)
        round_number = 0
        while True:
            round_number += 1
            taker = self.play_round(dealer, scores, self.shuffled(deck))
            if not self.goes_on(scores, round_number):
                break
            for seat in range(self.n):
                self.carry([str(card) for card in self.piles[seat]], f"pile[{seat}]", "deck")
            dealer = self.next_dealer(dealer, taker)
            self.note("dealer", dealer)
        self.write("end", winners=self.winners(scores), keeps={"score": scores})
        return self.events

    def play_round(self, dealer: int, scores: list[int], deck: list[int]) -> int:
        self.write("step", name="round")
        hands: list[list[int]] = []
        for seat in range(self.n):
            hands.append([deck.pop() for _ in range(self.hand)])
            self.carry([str(card) for card in hands[seat]], "deck", f"hand[{seat}]")
        self.piles: list[list[int]] = [[] for _ in range(self.n)]
        leader = self.first_leader(dealer)
        self.note("leader", leader)
        taker = leader
        for _ in range(self.hand):
            taker = self.play_trick(leader, hands)
            leader = self.next_leader(taker)
            self.note("leader", leader)
        for seat in range(self.n):
            scores[seat] = self.new_score(scores[seat], self.gain(self.piles[seat]))
            self.note("score", scores[seat], seat)
        return taker

    def play_trick(self, leader: int, hands: list[list[int]]) -> int:
        table: list[int] = []
        order: list[int] = []
        player = leader
        for position in range(self.n):
            hand = hands[player]
            if position == 0:
                verb, cards = "leads", self.to_lead(hand)
            elif position == 1:
                verb, cards = "answers", self.to_answer(hand, table[0])
            else:
                verb, cards = "follows", self.to_follow(hand, table)
            chosen = self.decide(player, [{"move": verb, "choice": {"card": str(card)}} for card in cards])
            card = int(chosen["choice"]["card"])
            hand.remove(card)
            table.append(card)
            order.append(player)
            self.carry([str(card)], f"hand[{player}]", "trick")
            player = self.after(player)
        taker = order[self.takes(table)]
        self.piles[taker] += table
        self.carry([str(card) for card in table], "trick", f"pile[{taker}]")
        return taker


Devil = tuple[str, int]
"""Colour and value; an angel is ("angel", 0)."""
ANGEL = ("angel", 0)


def name_of(card: Devil) -> str:
    return "angel" if card == ANGEL else f"{card[0]}-{card[1]}"


class HolsDerTeufelTable(Table):
    title = "Hol's der Teufel"
    colours = ("red", "yellow", "purple", "green")
    purse = 20
    leftovers_return = True

    def hand_size(self) -> int:
        return {3: 12, 4: 9, 5: 7}[self.n]

    def number_of_rounds(self) -> int:
        return self.n

    def after(self, player: int) -> int:
        return (player + 1) % self.n

    def creditor(self, player: int) -> int:
        return (player + self.n - 1) % self.n

    def next_starter(self, starter: int) -> int:
        return (starter + 1) % self.n

    def price(self, difference: int, purse: int) -> int:
        return difference if purse >= difference else purse

    def carried_over(self, chips: list[int]) -> list[int]:
        return chips

    def winners(self, counts: list[int]) -> list[int]:
        return [seat for seat in range(self.n) if not any(other > counts[seat] for other in counts)]

    # The moves

    def to_begin(self, player: int) -> list[Option]:
        seen = [colour for colour, _ in self.hands[(player + 1) % self.n]]
        mine = [card for card in self.hands[player] if card[0] != "angel"]
        good = [card for card in mine if card[0] in seen]
        return [self.option("begins", card) for card in (good if good else mine)]

    def ends(self, colour: str) -> list[tuple[str, int]]:
        row = self.rows[colour]
        found = []
        if row and row[0][0] != "angel":
            found.append(("bottom", row[0][1]))
        if row and row[-1][0] != "angel":
            found.append(("top", row[-1][1]))
        return found

    def to_open(self, player: int) -> list[Option]:
        return [
            self.option("opens", (colour, value))
            for colour, value in self.hands[player]
            if colour != "angel" and not self.rows[colour] and value in self.matching()
        ]

    def matching(self) -> list[int]:
        return [value for colour in self.colours for _, value in self.ends(colour)]

    def to_raise(self, player: int) -> list[Option]:
        return [
            self.option("raises", (colour, value), end=end)
            for colour, value in self.hands[player]
            if colour != "angel"
            for end, there in self.ends(colour)
            if there < value
        ]

    def to_lower(self, player: int) -> list[Option]:
        return [
            self.option("lowers", (colour, value), end=end)
            for colour, value in self.hands[player]
            if colour != "angel"
            for end, there in self.ends(colour)
            if there > value
        ]

    def angels_ready(self) -> bool:
        return min(len(row) for row in self.rows.values()) >= 2

    def closable(self, colour: str) -> list[str]:
        has_angel = "angel" in [kind for kind, _ in self.rows[colour]]
        return [] if has_angel else ["bottom", "top"]

    def to_close(self, player: int) -> list[Option]:
        if not self.angels_ready() or ANGEL not in self.hands[player]:
            return []
        return [
            self.option("closes", ANGEL, row=colour, end=end)
            for colour in self.colours
            for end in self.closable(colour)
        ]

    def to_break(self, player: int) -> list[Option]:
        return [
            self.option("breaks", (colour, value))
            for colour, value in self.hands[player]
            if colour != "angel" and not self.rows[colour]
        ]

    def options(self, player: int) -> list[Option]:
        found = self.to_open(player) + self.to_raise(player) + self.to_lower(player) + self.to_close(player)
        if not found:
            found = self.to_break(player)
        return found if found else [{"move": "passes", "choice": {}}]

    def option(self, verb: str, card: Devil, **more: str) -> Option:
        return {"move": verb, "choice": {"card": name_of(card), **more}}

    # The flow

    def play(self) -> list[Event]:
        deck = [(colour, value) for colour in self.colours for value in range(1, 10)] + [ANGEL, ANGEL]
        self.chips = [self.purse] * self.n
        self.hands: list[list[Devil]] = [[] for _ in range(self.n)]
        self.rows: dict[str, list[Devil]] = {colour: [] for colour in self.colours}
        self.carry(self.names(deck), "box", "deck")
        starter = self.lots.randrange(self.n)
        for number in range(self.number_of_rounds()):
            self.note("starter", starter)
            if number:
                deck = self.gather(deck)
                self.chips = self.carried_over(self.chips)
            deck = self.arranged(self.shuffled(deck), starter)
            for seat in range(self.n):
                self.hands[seat] = [deck.pop() for _ in range(self.hand_size())]
                self.carry(self.names(self.hands[seat]), "deck", f"hand[{seat}]")
            self.carry(self.names(deck), "deck", "box")
            self.play_round(starter)
            starter = self.next_starter(starter)
        self.write("end", winners=self.winners(self.chips), keeps={"chips": self.chips})
        return self.events

    def arranged(self, deck: list[Devil], starter: int) -> list[Devil]:
        """The deck after shuffling; a test may stack it."""
        return deck

    def names(self, cards: list[Devil]) -> list[str]:
        return [name_of(card) for card in cards]

    def gather(self, leftovers: list[Devil]) -> list[Devil]:
        deck: list[Devil] = []
        if self.leftovers_return:
            self.carry(self.names(leftovers), "box", "deck")
            deck += leftovers
        for seat in range(self.n):
            self.carry(self.names(self.hands[seat]), f"hand[{seat}]", "deck")
            deck += self.hands[seat]
            self.hands[seat] = []
        for colour in self.colours:
            self.carry(self.names(self.rows[colour]), f"row[{colour}]", "deck")
            deck += self.rows[colour]
            self.rows[colour] = []
        return deck

    def is_over(self, starter: int, player: int, passed: int) -> bool:
        """Whether the round ends after this player's move; passed counts the passes in a row."""
        is_dealer = (player + 1) % self.n == starter
        return (is_dealer and not self.hands[player]) or passed == self.n

    def play_round(self, starter: int) -> None:
        player = starter
        passed = 0
        chosen = self.decide(player, self.to_begin(player))
        while True:
            passed = passed + 1 if chosen["move"] == "passes" else 0
            self.do(player, chosen)
            if self.is_over(starter, player, passed):
                return
            player = self.after(player)
            chosen = self.decide(player, self.options(player))

    def do(self, player: int, chosen: Option) -> None:
        choice = chosen["choice"]
        if "card" not in choice:
            return
        card = next(card for card in self.hands[player] if name_of(card) == choice["card"])
        colour = choice.get("row", card[0])
        row = self.rows[colour]
        end = choice.get("end", "top")
        if chosen["move"] in self.costly():
            there = row[0] if end == "bottom" else row[-1]
            self.pay(player, abs(there[1] - card[1]))
        self.hands[player].remove(card)
        row.insert(0 if end == "bottom" else len(row), card)
        self.carry([choice["card"]], f"hand[{player}]", f"row[{colour}]", end=end)

    def costly(self) -> list[str]:
        return ["lowers"]

    def pay(self, player: int, difference: int) -> None:
        price = self.price(difference, self.chips[player])
        self.chips[player] -= price
        self.chips[self.creditor(player)] += price
        self.note("chips", self.chips[player], player)
        self.note("chips", self.chips[self.creditor(player)], self.creditor(player))
