"""A referee for Hol's der Teufel. The numbers in brackets are the rules.

[1] All 38 cards are shuffled and dealt evenly: 12, 9, 7 with 3, 4, 5 players; the rest is not used in this round.
[2] The start player lays a devil of a colour that the left neighbour holds. It opens the row of that colour.
[3] Clockwise, each player lays one card:
    a. a devil whose colour has no row yet, with the value of a free card;
    b. a devil onto an end of its colour's row, higher than the card there;
    c. the same, but lower: the player pays the difference to the player on the right, or all that is left;
    d. an angel onto an end of a row that has none, once all four rows have two cards; it closes that end. Whoever has
       two of them has one choice: they are alike.
[4] A free card is one at an end of a row. An angel has no value, and its end is not free.
[5] Who can do none of these opens a new row with any devil.
[6] The round ends when the dealer has laid their last card. There are as many rounds as players; chips carry over; the
    most chips win.
[R1] A start player who holds no colour of the left neighbour's lays any devil.
[R2] An angel has no colour, not even on its back.
[R3] Rule 5 holds also for a player whose angel may not be laid yet.
[R4] Who cannot move at all passes; when everyone has passed in turn, the round ends.
[R5] The first start player is drawn by lot; the dealer sits to the right; both move one seat clockwise every round.
[R6] Equal most chips share the win.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .common import Event, Move, Referee, a_move

COLOURS = ("red", "yellow", "purple", "green")
ANGEL = "angel"
DEVILS = tuple(f"{colour}-{value}" for colour in COLOURS for value in range(1, 10))
DECK = (*DEVILS, ANGEL, ANGEL)
CHIPS = 20
NEEDED_FOR_ANGELS = 2
RATE = 1
"""Chips for every value of the difference when a row is lowered [3c]."""

FACES = {card: (card.split("-")[0], int(card.split("-")[1])) for card in DEVILS}
"""Colour and value of every devil; an angel has neither [4] [R2]."""

Rows = Mapping[str, Sequence[str]]
"""The rows by colour, each from its bottom end to its top end."""


def free_ends(row: Sequence[str]) -> list[tuple[str, int]]:
    """The free ends of a row, with the value there [4]. A row of one card has it at both ends."""
    if not row:
        return []
    ends = (("bottom", row[0]), ("top", row[-1]))
    return [(end, FACES[card][1]) for end, card in ends if card != ANGEL]


def beginnings(hand: Iterable[str], neighbour: Iterable[str]) -> set[Move]:
    """The first move of a round [2]."""
    devils = [card for card in hand if card in FACES]
    colours = {FACES[card][0] for card in neighbour if card in FACES}
    fitting = [card for card in devils if FACES[card][0] in colours]
    return {a_move("begins", card=card) for card in fitting or devils}  # [R1]


def layings(hand: Iterable[str], rows: Rows) -> set[Move]:
    """Every other move of a round."""
    hand = list(hand)
    free_values = {value for row in rows.values() for _, value in free_ends(row)}
    angels_may = all(len(rows[colour]) >= NEEDED_FOR_ANGELS for colour in COLOURS)  # [3d]
    moves: set[Move] = set()
    for card in hand:
        if card == ANGEL:
            for colour, row in rows.items():
                if angels_may and ANGEL not in row:  # [3d]
                    moves |= {a_move("closes", card=card, row=colour, end=end) for end in ("bottom", "top")}
            continue
        colour, value = FACES[card]
        if not rows[colour] and value in free_values:
            moves.add(a_move("opens", card=card))  # [3a]
        for end, there in free_ends(rows[colour]):
            moves.add(a_move("raises" if value > there else "lowers", card=card, end=end))  # [3b] [3c]
    if not moves:  # [5] [R3]
        moves = {a_move("breaks", card=card) for card in hand if card in FACES and not rows[FACES[card][0]]}
    return moves or {a_move("passes")}  # [R4]


def rounds_of(players: int) -> int:
    """How many rounds are played [6]."""
    return players


def is_paid(seat: int, players: int) -> int:
    """The player on the right gets the chips of one who lowers a row [3c]."""
    return (seat - 1) % players


class HolsDerTeufel(Referee):
    player_numbers = range(3, 6)
    kept_of_game = ("starter",)

    # How far the game is. GATHERING: before a deal, cards go back into the deck.
    GATHERING, DEALING, PLAYING, OVER = "gathering", "dealing", "playing", "over"

    def begin(self) -> None:
        self.places = {"box": list(DECK), "deck": []}
        self.places |= {f"hand[{seat}]": [] for seat in range(self.players)}
        self.places |= {f"row[{colour}]": [] for colour in COLOURS}
        self.hand_size = len(DECK) // self.players  # [1]
        self.phase = self.GATHERING
        self.rounds = 0  # finished ones
        self.chips = [CHIPS] * self.players
        self.starter: int | None = None  # of the coming or present round; unknown until drawn [R5]
        self.turn = 0
        self.moves = 0  # made in this round
        self.passes = 0  # made one after another
        self.to_lay: tuple[str, str, str, str | None] | None = None  # card, hand, row and end of a move not done yet

    def true_counts(self) -> dict[str, list[int]]:
        return {"chips": self.chips}

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.players

    def right_of(self, seat: int) -> int:
        return (seat - 1) % self.players

    # Cards

    def cards(self, cards: list[str], source: str, target: str, end: str | None) -> None:
        if end is not None and not target.startswith("row") and not source.startswith("row"):
            self.report(f"{target} has no ends")
        if source.startswith("hand") and target.startswith("row"):
            self.lay(cards, source, target, end)
        elif source == "deck" and target.startswith("hand"):
            self.deal()
        elif (source, target) == ("deck", "box") and self.phase in (self.DEALING, self.PLAYING):
            self.put_away()
        elif source != target and (target == "deck" or (source, target) == ("deck", "box")):
            self.gather()
        else:
            self.halt(f"no rule moves cards from {source} to {target}")

    def gather(self) -> None:
        if self.phase == self.OVER:
            self.halt("cards are gathered after the last round")  # [6]
        if self.phase != self.GATHERING or self.to_lay is not None:
            self.halt("cards are gathered in the middle of a round")

    def deal(self) -> None:
        if self.phase == self.OVER:
            self.halt("another round is dealt after the last one")  # [6]
        if self.phase == self.PLAYING or self.to_lay is not None:
            self.halt("cards are dealt in the middle of a round")
        if self.phase == self.GATHERING:
            if len(self.places["deck"]) != len(DECK):  # [1]
                self.halt(f"a round must be dealt from all cards, but the deck is {self.places['deck']}")
            self.check_counts("before the deal")
            self.phase = self.DEALING

    def put_away(self) -> None:  # [1]
        for seat in range(self.players):
            if len(self.places[f"hand[{seat}]"]) != self.hand_size and self.phase == self.DEALING:
                self.halt(f"cards are put away before player {seat} has {self.hand_size}")

    def lay(self, cards: list[str], source: str, target: str, end: str | None) -> None:
        if self.to_lay is None:
            self.halt(f"{', '.join(cards)} goes to {target}, which nobody chose")
        card, hand, row, chosen = self.to_lay
        if (cards, source, target) != ([card], hand, row):
            self.halt(f"{card} from {hand} should go to {row}, not {', '.join(cards)} from {source} to {target}")
        if chosen is not None and end != chosen:
            self.halt(f"{card} should go to the {chosen} of {row}, not to {end}")
        self.to_lay = None

    def cards_moved(self) -> None:
        """Nothing follows: what a move brings about is known when it is made."""

    # What the game remembers

    def keep(self, name: str, of: int | None, value: int) -> None:
        if of is not None:
            self.check_count(name, of, value)
        elif value != self.kept[name]:
            if self.phase == self.PLAYING:
                self.report("the start player changes in the middle of a round")
            elif self.starter is None:  # [R5]
                self.starter = value
            elif value != self.starter:  # [R5]
                self.report(f"player {self.starter} should be the start player, not {value}")

    # Moves

    def move(self, player: int, move: Move, event: Event) -> None:
        if self.phase == self.OVER:
            self.halt("there is a move after the last round")  # [6]
        if self.phase == self.GATHERING:
            self.halt("there is a move after the end of a round and before the next deal")  # [6]
        if self.phase == self.DEALING:
            self.begin_play()
        if self.to_lay is not None:
            self.halt(f"{self.to_lay[0]} was not laid")
        self.check_counts("after the move before")
        if player != self.turn:
            self.halt(f"it is the turn of player {self.turn}, not {player}")
        hand = self.places[f"hand[{player}]"]
        rows = {colour: self.places[f"row[{colour}]"] for colour in COLOURS}
        if self.moves == 0:
            legal = beginnings(hand, self.places[f"hand[{self.left_of(player)}]"])  # [2]
        else:
            legal = layings(hand, rows)  # [3]
        self.check_moves(player, move, legal, event)
        self.carry_out(player, move[0], dict(move[1]), rows)

    def begin_play(self) -> None:
        for seat in range(self.players):
            if len(self.places[f"hand[{seat}]"]) != self.hand_size:  # [1]
                self.halt(f"player {seat} should have {self.hand_size} cards: {self.places[f'hand[{seat}]']}")
        if self.starter is None:
            self.halt("nobody is the start player")
        if self.kept["starter"] != self.starter:  # [R5]
            self.report(f"player {self.starter} should be the start player, not {self.kept['starter']}")
        self.phase = self.PLAYING
        self.turn = self.starter  # [2]
        self.moves = self.passes = 0

    def carry_out(self, player: int, verb: str, choice: dict[str, str], rows: Rows) -> None:
        assert self.starter is not None
        hand = f"hand[{player}]"
        if verb == "passes":
            self.passes += 1
        else:
            self.passes = 0
            card = choice["card"]
            colour = choice.get("row") or FACES[card][0]
            self.to_lay = card, hand, f"row[{colour}]", choice.get("end")
            if verb == "lowers":  # [3c]
                there = dict(free_ends(rows[colour]))[choice["end"]]
                paid = min(RATE * (there - FACES[card][1]), self.chips[player])
                self.chips[player] -= paid
                self.chips[is_paid(player, self.players)] += paid
        self.moves += 1
        self.turn = self.left_of(player)
        dealer_done = player == self.right_of(self.starter) and verb != "passes" and len(self.places[hand]) == 1
        if dealer_done or self.passes == self.players:  # [6] [R4]
            self.rounds += 1
            self.starter = self.left_of(self.starter)  # [R5]
            self.phase = self.OVER if self.rounds == rounds_of(self.players) else self.GATHERING  # [6]

    # The end

    def end(self) -> list[int]:
        if self.to_lay is not None:
            self.halt(f"{self.to_lay[0]} was not laid")
        if self.phase in (self.DEALING, self.PLAYING):
            self.halt("the game ends in the middle of a round")
        if self.phase == self.GATHERING:
            self.halt(f"the game ends after {self.rounds} of {rounds_of(self.players)} rounds")  # [6]
        return [seat for seat, chips in enumerate(self.chips) if chips == max(self.chips)]  # [6] [R6]


def violations(events: Iterable[Event]) -> list[str]:
    """What the record of one game has against the rules: a sentence each, the first few."""
    return HolsDerTeufel().violations(events)
