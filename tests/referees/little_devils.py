"""A referee for Little Devils. The numbers in brackets are the rules.

[1] Cards 1 to nine times the number of players are shuffled, and everyone is dealt 9; the rest stays in the box.
[2] The player left of the dealer leads the first trick; play goes clockwise; each plays one card.
[3] A card with 5 devils is led only by a player who holds nothing else.
[4] The second player plays any card: higher than the lead, and the trick goes up; lower, and it goes down.
[5] All others must play on that side of the lead, if able.
[6] Up: the highest takes the trick, or the lowest if anyone went below the lead. Down: mirrored.
[7] The taker puts the trick on a pile of their own and leads the next.
[8] After 9 tricks the devils in the pile are added to the score. Nobody at 100: another round, dealt by the player who
    led the first trick of this one. Otherwise the game ends, and the fewest devils win.
[R1] The first dealer is drawn by lot.
[R2] Equal fewest devils share the win.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .common import Event, Move, Referee, a_move

HAND = 9
HIGHEST = 54
LIMIT = 100
BARRED = 5

DEVILS = {
    number: devils
    for devils, numbers in {
        0: (1, 2, 14, 16, 24, 26, 34, 36, 44, 46),
        2: (4, 12, 18, 22, 28, 32, 38, 42, 48),
        3: (6, 8, 10, 20, 30, 40, 50, 52, 54),
        5: (15, 25, 35, 45),
    }.items()
    for number in numbers
}


def devils(number: int) -> int:
    return DEVILS.get(number, 1)


def side(number: int, lead: int) -> bool:
    """Whether a card is above the lead; below it otherwise."""
    return number > lead


def taking_card(trick: Sequence[int]) -> int:
    """The card that takes a trick of at least two cards, given in the order of play [6]."""
    lead, answer, *rest = trick
    up = side(answer, lead)
    strayed = any(side(number, lead) != up for number in rest)
    return max(trick) if up != strayed else min(trick)


def playable(hand: Iterable[int], trick: Sequence[int]) -> tuple[str, set[int]]:
    """The verb and the cards that may be played from a hand to a trick."""
    cards = set(hand)
    if not trick:  # [3]
        return "leads", {number for number in cards if devils(number) != BARRED} or cards
    if len(trick) == 1:  # [4]
        return "answers", cards
    lead, answer = trick[0], trick[1]
    up = side(answer, lead)
    return "follows", {number for number in cards if side(number, lead) == up} or cards  # [5]


class LittleDevils(Referee):
    player_numbers = range(3, 7)
    kept_of_game = ("dealer", "leader")

    # How far the game is. Between two rounds it is GATHERING: scores are noted and cards go back into the deck.
    GATHERING, DEALING, PLAYING, OVER = "gathering", "dealing", "playing", "over"

    def begin(self) -> None:
        everyone = range(self.players)
        self.places = {"box": [str(number) for number in range(1, HIGHEST + 1)], "deck": [], "trick": []}
        self.places |= {f"{kind}[{seat}]": [] for kind in ("hand", "pile") for seat in everyone}
        self.used = {str(number) for number in range(1, HAND * self.players + 1)}  # [1]
        self.phase = self.GATHERING
        self.score = [0] * self.players
        self.dealer: int | None = None  # who should deal the coming or present round; unknown until drawn [R1]
        self.leader: int | None = None  # who should lead the present trick
        self.tricks = 0  # taken in this round
        self.trick: list[int] = []  # the cards played to the present trick, in order
        self.to_lay: tuple[str, str] | None = None  # a card chosen and not laid yet, and where it comes from

    def true_counts(self) -> dict[str, list[int]]:
        return {"score": self.score}

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.players

    # Cards

    def cards(self, cards: list[str], source: str, target: str, end: str | None) -> None:
        if end is not None:
            self.report(f"{target} has no ends")
        if source.startswith("hand") and target == "trick":
            self.lay(cards, source)
        elif source == "trick" and target.startswith("pile"):
            self.take(target)
        elif source == "deck" and target.startswith("hand"):
            self.deal()
        elif source != target and (target == "deck" or (source, target) == ("deck", "box")):
            self.gather()
        else:
            self.halt(f"no rule moves cards from {source} to {target}")

    def gather(self) -> None:
        if self.phase == self.OVER:
            self.halt(f"cards are gathered although somebody has {LIMIT} devils")  # [8]
        if self.phase != self.GATHERING:
            self.halt("cards are gathered in the middle of a round")

    def deal(self) -> None:
        if self.phase == self.GATHERING:
            if set(self.places["deck"]) != self.used:  # [1]
                self.halt(f"the cards dealt should be 1 to {len(self.used)}, the deck is {self.places['deck']}")
            self.check_counts("before the next deal")  # [8]
            self.phase = self.DEALING
        elif self.phase == self.OVER:
            self.halt(f"another round is dealt although somebody has {LIMIT} devils")  # [8]
        elif self.phase != self.DEALING:
            self.halt("cards are dealt in the middle of a round")

    def lay(self, cards: list[str], source: str) -> None:
        if self.to_lay is None or cards != [self.to_lay[0]] or source != self.to_lay[1]:
            self.halt(f"{', '.join(cards)} from {source} is not the card that was played")
        self.to_lay = None

    def take(self, target: str) -> None:
        if len(self.trick) < self.players or self.to_lay is not None:
            self.halt("a trick is taken before everyone has played to it")
        if target != f"pile[{self.taker()}]":  # [6] [7]
            self.halt(f"player {self.taker()} takes this trick, but it goes to {target}")

    def taker(self) -> int:
        assert self.leader is not None
        return (self.leader + self.trick.index(taking_card(self.trick))) % self.players

    def cards_moved(self) -> None:
        if self.trick and not self.places["trick"] and self.to_lay is None:
            self.leader = self.taker()  # [7]
            self.trick = []
            self.tricks += 1
            if self.tricks == HAND:
                self.finish_round()

    def finish_round(self) -> None:  # [8]
        assert self.dealer is not None
        self.score = [
            score + sum(devils(int(card)) for card in self.places[f"pile[{seat}]"])
            for seat, score in enumerate(self.score)
        ]
        self.phase = self.OVER if max(self.score) >= LIMIT else self.GATHERING
        self.dealer = self.left_of(self.dealer)  # who led the first trick

    # What the game remembers

    def keep(self, name: str, of: int | None, value: int) -> None:
        if of is not None:
            self.check_count(name, of, value)
        elif value == self.kept[name]:
            pass
        elif name == "dealer":
            if self.phase not in (self.GATHERING, self.DEALING, self.OVER):
                self.report(f"the dealer changes to {value} where no round begins")
            elif self.dealer is None:  # [R1]
                self.dealer = value
            elif value != self.dealer:  # [8]
                self.report(f"player {self.dealer} should be the dealer, not {value}")
        elif self.phase in (self.GATHERING, self.DEALING):  # [2], or still who took the last trick [7]
            if self.dealer is not None and value not in (self.left_of(self.dealer), self.leader):
                self.report(f"player {self.left_of(self.dealer)} should lead the first trick, not {value}")
        else:  # [7]
            true = self.taker() if len(self.trick) == self.players else self.leader
            if value != true:
                self.report(f"player {true} should be the leader, not {value}")

    # Moves

    def move(self, player: int, move: Move, event: Event) -> None:
        if self.phase == self.OVER:
            self.halt(f"there is a move although somebody has {LIMIT} devils")  # [8]
        if self.phase == self.GATHERING:
            self.halt("there is a move before the cards are dealt")
        if self.phase == self.DEALING:
            self.begin_play()
        if self.to_lay is not None:
            self.halt(f"card {self.to_lay[0]} was played but not laid")
        if len(self.trick) == self.players:
            self.halt("a full trick was not taken")
        assert self.leader is not None
        if not self.trick:
            for name, true in (("dealer", self.dealer), ("leader", self.leader)):
                if self.kept[name] != true:
                    self.report(f"{name} should be {true}, not {self.kept[name]}")
        turn = (self.leader + len(self.trick)) % self.players  # [2]
        if player != turn:
            self.halt(f"it is the turn of player {turn}, not {player}")
        hand = f"hand[{player}]"
        verb, numbers = playable(map(int, self.places[hand]), self.trick)
        self.check_moves(player, move, {a_move(verb, card=str(number)) for number in numbers}, event)
        card = dict(move[1])["card"]
        self.trick.append(int(card))
        self.to_lay = card, hand

    def begin_play(self) -> None:
        for seat in range(self.players):
            if len(self.places[f"hand[{seat}]"]) != HAND:  # [1]
                self.halt(f"player {seat} should have {HAND} cards: {self.places[f'hand[{seat}]']}")
        if self.dealer is None:
            self.halt("nobody is the dealer")
        self.phase = self.PLAYING
        self.leader = self.left_of(self.dealer)  # [2]
        self.tricks = 0

    # The end

    def end(self) -> list[int]:
        if self.phase in (self.DEALING, self.PLAYING):
            self.halt("the game ends in the middle of a round")
        if self.phase == self.GATHERING:
            self.halt(f"the game ends although nobody has {LIMIT} devils")  # [8]
        return [seat for seat, score in enumerate(self.score) if score == min(self.score)]  # [8] [R2]


def violations(events: Iterable[Event]) -> list[str]:
    """What the record of one game has against the rules: a sentence each, the first few."""
    return LittleDevils().violations(events)
