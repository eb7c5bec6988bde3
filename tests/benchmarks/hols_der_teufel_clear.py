"""Hol's der Teufel written by hand in clear Python, to measure the engines against: random games, moves counted."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

COLOURS = range(4)
ANGEL = 4
TOP_VALUE = 9
ANGELS = 2
START_CHIPS = 20
RIPE = 2
BOTTOM, TOP = 0, -1


class Card(NamedTuple):
    colour: int
    value: int


class Move(NamedTuple):
    verb: str
    card: Card | None = None
    row: int = 0
    end: int = TOP


Rows = list[list[Card]]
Choose = Callable[[list[Move]], Move]
DECK = [Card(colour, value) for colour in COLOURS for value in range(1, TOP_VALUE + 1)]
DECK += [Card(ANGEL, 0) for _ in range(ANGELS)]


def beginnings(hand: list[Card], neighbour: list[Card]) -> list[Move]:
    """What the start player may begin with."""
    held = {card.colour for card in neighbour}
    devils = [card for card in hand if card.colour != ANGEL]
    fitting = [card for card in devils if card.colour in held]
    return [Move("begins", card, card.colour) for card in fitting or devils]


def layings(hand: list[Card], rows: Rows) -> list[Move]:
    """Everything that opens, raises, lowers or lays an angel."""
    free = {row[end].value for row in rows if row for end in (BOTTOM, TOP) if row[end].colour != ANGEL}
    ripe = all(len(row) >= RIPE for row in rows)
    moves = []
    for card in dict.fromkeys(hand):
        if card.colour == ANGEL:
            if ripe:
                for colour, row in enumerate(rows):
                    if all(other.colour != ANGEL for other in row):
                        moves.append(Move("closes", card, colour, BOTTOM))
                        moves.append(Move("closes", card, colour, TOP))
            continue
        row = rows[card.colour]
        if not row:
            if card.value in free:
                moves.append(Move("opens", card, card.colour))
            continue
        for end in (BOTTOM, TOP):
            other = row[end]
            if other.colour != ANGEL:
                moves.append(Move("raises" if card.value > other.value else "lowers", card, card.colour, end))
    return moves


def breaks(hand: list[Card], rows: Rows) -> list[Move]:
    return [Move("breaks", card, card.colour) for card in hand if card.colour != ANGEL and not rows[card.colour]]


def make(move: Move, player: int, hands: list[list[Card]], rows: Rows, chips: list[int]) -> None:
    if move.card is None:
        return
    hands[player].remove(move.card)
    row = rows[move.row]
    if move.verb == "lowers":
        paid = min(row[move.end].value - move.card.value, chips[player])
        chips[player] -= paid
        chips[player - 1] += paid
    if move.end == TOP:
        row.append(move.card)
    else:
        row.insert(0, move.card)


def play_round(players: int, hands: list[list[Card]], starter: int, chips: list[int], choose: Choose) -> int:
    """Plays a round; gives the number of moves."""
    rows: Rows = [[] for _ in COLOURS]
    dealer = (starter - 1) % players
    make(choose(beginnings(hands[starter], hands[(starter + 1) % players])), starter, hands, rows, chips)
    moves, passes, player = 1, 0, (starter + 1) % players
    while hands[dealer] and passes < players:
        legal = layings(hands[player], rows) or breaks(hands[player], rows) or [Move("passes")]
        move = choose(legal)
        make(move, player, hands, rows, chips)
        passes = passes + 1 if move.card is None else 0
        moves += 1
        player = (player + 1) % players
    return moves


def play_game(players: int, choose: Choose) -> tuple[list[int], int]:
    """Plays a game; gives everyone's chips and the number of moves."""
    chips = [START_CHIPS] * players
    starter, moves, size = random.randrange(players), 0, len(DECK) // players
    for _ in range(players):
        deck = DECK.copy()
        random.shuffle(deck)
        hands = [deck[seat * size : seat * size + size] for seat in range(players)]
        moves += play_round(players, hands, starter, chips, choose)
        starter = (starter + 1) % players
    return chips, moves


def bench(players: int, games: int, seed: int) -> int:
    """Plays so many random games; gives the number of moves."""
    random.seed(seed)
    choose: Any = random.choice
    return sum(play_game(players, choose)[1] for _ in range(games))
