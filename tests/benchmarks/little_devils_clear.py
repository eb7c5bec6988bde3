"""Little Devils written by hand in clear Python, to measure the engines against: random games, moves counted."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

HAND = 9
TARGET = 100
BARRED = 5
BY_DEVILS = {
    0: [1, 2, 14, 16, 24, 26, 34, 36, 44, 46],
    2: [4, 12, 18, 22, 28, 32, 38, 42, 48],
    3: [6, 8, 10, 20, 30, 40, 50, 52, 54],
    5: [15, 25, 35, 45],
}
DEVILS = [1] * 55
for _devils, _numbers in BY_DEVILS.items():
    for _number in _numbers:
        DEVILS[_number] = _devils

Choose = Callable[[list[int]], int]
Trick = list[tuple[int, int]]


def leads(hand: list[int]) -> list[int]:
    return [card for card in hand if DEVILS[card] != BARRED] or hand


def follows(hand: list[int], trick: Trick) -> list[int]:
    """What may be played after the card led, and after the second card, which gives the direction."""
    led = trick[0][1]
    if len(trick) == 1:
        return hand
    if trick[1][1] > led:
        return [card for card in hand if card > led] or hand
    return [card for card in hand if card < led] or hand


def taker(trick: Trick) -> int:
    led = trick[0][1]
    below = [(card, player) for player, card in trick if card < led]
    above = [(card, player) for player, card in trick if card > led]
    everything = [(card, player) for player, card in trick]
    if trick[1][1] > led:
        return (min(below) if below else max(everything))[1]
    return (max(above) if above else min(everything))[1]


def play_round(hands: list[list[int]], leader: int, choose: Choose) -> list[int]:
    """Plays a round; gives the devils that everyone took."""
    players = len(hands)
    taken = [0] * players
    for _ in range(HAND):
        trick: Trick = []
        for turn in range(players):
            player = (leader + turn) % players
            hand = hands[player]
            card = choose(follows(hand, trick) if trick else leads(hand))
            hand.remove(card)
            trick.append((player, card))
        leader = taker(trick)
        taken[leader] += sum(DEVILS[card] for _, card in trick)
    return taken


def play_game(players: int, choose: Choose) -> tuple[list[int], int]:
    """Plays a game; gives everyone's devils and the number of moves."""
    score, moves = [0] * players, 0
    dealer = random.randrange(players)
    while max(score) < TARGET:
        deck = list(range(1, HAND * players + 1))
        random.shuffle(deck)
        hands = [sorted(deck[seat * HAND : seat * HAND + HAND]) for seat in range(players)]
        dealer = (dealer + 1) % players
        score = [a + b for a, b in zip(score, play_round(hands, dealer, choose), strict=True)]
        moves += HAND * players
    return score, moves


def bench(players: int, games: int, seed: int) -> int:
    """Plays so many random games; gives the number of moves."""
    random.seed(seed)
    choose: Any = random.choice
    return sum(play_game(players, choose)[1] for _ in range(games))
