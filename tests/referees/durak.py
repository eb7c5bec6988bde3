"""The referee of Durak, written from the rules for people: bout after bout, until at most one player holds cards."""

from __future__ import annotations

from collections.abc import Iterable

from referees.playing_along import Chosen, PlayingAlong, Record, verdict

SUITS = "clubs diamonds hearts spades".split()
RANKS = "6 7 8 9 10 jack queen king ace".split()
PACK = sorted(f"{suit}-{rank}" for suit in SUITS for rank in RANKS)
HAND = 6
MOST, MOST_AT_FIRST = 6, 6
"""So many cards of attack there may be in a bout, and in one before the first cards are out of the game."""
MAY_TRANSFER = False
ONLY_NEIGHBOURS = False


def suit(card: str) -> str:
    return card.split("-")[0]


def rank(card: str) -> int:
    return RANKS.index(card.split("-")[1])


class Deal:
    def __init__(self, table: PlayingAlong) -> None:
        self.table = table
        self.trump: str = table.kept["trump"]
        self.seats = range(table.players)
        self.hands = [list(table.places[f"hand[{seat}]"]) for seat in self.seats]
        dealt = [card for hand in self.hands for card in hand]
        if {*map(len, self.hands)} != {HAND} or len({*dealt}) != len(dealt):
            table.wrong("everyone should have six cards")
        self.deck = {*PACK} - {*dealt}
        if not self.deck and suit(dealt[-1]) != self.trump:
            table.wrong("the last card that was dealt should be a trump")
        self.waste: list[str] = []
        self.attacker, self.defender = self.first(), -1
        self.begin()

    def first(self) -> int:
        trumps = [card for hand in self.hands for card in hand if suit(card) == self.trump]
        if not trumps:
            return self.table.turn()
        lowest = min(trumps, key=rank)
        return next(seat for seat in self.seats if lowest in self.hands[seat])

    def begin(self) -> None:
        """A new bout."""
        self.attack: list[str] = []
        self.defence: list[str] = []
        self.gives_in = False

    def plays(self, seat: int) -> bool:
        return bool(self.deck or self.hands[seat])

    def after(self, seat: int) -> list[int]:
        """Who still plays, clockwise from behind a seat."""
        others = [(seat + step) % len(self.hands) for step in range(1, len(self.hands))]
        return [other for other in others if self.plays(other)]

    def decide(self, seat: int, legal: list[Chosen]) -> Chosen:
        self.table.lie(hand=self.hands, attack=self.attack, defence=self.defence, waste=self.waste, deck=[*self.deck])
        self.table.keeps(attacker=self.attacker, defender=self.defender)
        made = self.table.decide(seat, legal)
        if len(made) == 2:
            self.hands[seat].remove(made[1])
            (self.defence if made[0] == "beats" else self.attack).append(made[1])
        return made

    def open_attacks(self) -> list[str]:
        return self.attack[len(self.defence) :]

    def beats(self, card: str, attack: str) -> bool:
        if suit(card) == suit(attack):
            return rank(card) > rank(attack)
        return suit(card) == self.trump

    def defend(self) -> None:
        while self.open_attacks() and not self.gives_in:
            hand, behind = self.hands[self.defender], self.after(self.defender)
            legal: list[Chosen] = [("beats", card) for card in hand if self.beats(card, self.open_attacks()[0])]
            if MAY_TRANSFER and behind and not self.defence and len(self.hands[behind[0]]) > len(self.attack):
                legal += [("transfers", card) for card in hand if rank(card) == rank(self.attack[0])]
            made = self.decide(self.defender, [*legal, ("yields",)])
            self.gives_in = made == ("yields",)
            if made[0] == "transfers":
                self.defender = behind[0]

    def has_room(self) -> bool:
        most = MOST if self.waste else MOST_AT_FIRST
        return len(self.attack) < most and len(self.open_attacks()) < len(self.hands[self.defender])

    def throwers(self) -> list[int]:
        order = [seat for seat in [self.attacker, *self.after(self.attacker)] if self.plays(seat)]
        after = self.after(self.defender)
        asked = {*after[:1], *after[-1:]} if ONLY_NEIGHBOURS else {*after}
        return [seat for seat in order if seat in asked]

    def throw_in(self) -> None:
        asked = self.throwers()
        while asked and self.has_room():
            seat = asked.pop(0)
            ranks = {*map(rank, self.attack + self.defence)}
            fitting: list[Chosen] = [("throws", card) for card in self.hands[seat] if rank(card) in ranks]
            if self.decide(seat, [*fitting, ("declines",)]) != ("declines",):
                self.defend()
                asked = self.throwers()

    def draw(self) -> None:
        """Which cards are drawn tells the record; how many, and that the trump is the last one, we know."""
        trump_left = bool(self.deck)
        for seat in [self.attacker, *self.after(self.attacker)]:
            if seat != self.defender:
                self.fill(seat)
        self.fill(self.defender)
        if trump_left and not self.deck and suit(self.drawn) != self.trump:
            self.table.wrong("the last card of the deck should be a trump")

    def fill(self, seat: int) -> None:
        number = min(len(self.deck), max(0, HAND - len(self.hands[seat])))
        if number:
            new = [card for card in self.table.places[f"hand[{seat}]"] if card in self.deck]
            if len(new) != number:
                self.table.wrong(f"player {seat} should draw {number} cards")
            self.drawn = new[-1]
            self.hands[seat] += new
            self.deck -= {*new}

    def bout(self) -> None:
        self.defender = self.after(self.attacker)[0]
        self.decide(self.attacker, [("attacks", card) for card in self.hands[self.attacker]])
        self.defend()
        self.throw_in()
        if self.gives_in:
            self.hands[self.defender] += self.attack + self.defence
        else:
            self.waste += self.attack + self.defence
        self.draw()
        stays = not self.gives_in and self.plays(self.defender)
        behind = self.after(self.defender)
        self.attacker = self.defender if stays or not behind else behind[0]
        self.begin()


def game(table: PlayingAlong) -> None:
    deal = Deal(table)
    while sum(map(deal.plays, deal.seats)) > 1:
        deal.bout()
    fools = [seat for seat in deal.seats if deal.plays(seat)]
    table.ends([seat for seat in deal.seats if seat not in fools])


def violations(events: Iterable[Record]) -> list[str]:
    return verdict(game, events)
