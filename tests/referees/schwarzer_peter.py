"""The referee of Schwarzer Peter, written from the rules for people."""

from __future__ import annotations

from collections.abc import Iterable

from referees.playing_along import PlayingAlong, Record, verdict

RANKS = "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
LEFT_OUT = "clubs-jack"
COLOURS = [("clubs", "spades"), ("diamonds", "hearts")]
"""Two suits are of one colour, and two cards of one colour and rank are a pair."""


def without_pairs(hand: list[str]) -> list[str]:
    """What is left when all pairs have been laid down, in its order."""
    alone: dict[tuple[str, int], str] = {}
    for card in hand:
        suit, rank = card.split("-")
        kind = rank, next(number for number, suits in enumerate(COLOURS) if suit in suits)
        if kind in alone:
            del alone[kind]
        else:
            alone[kind] = card
    return list(alone.values())


def game(table: PlayingAlong) -> None:
    count = table.players
    hands = [list(table.places[f"hand[{seat}]"]) for seat in range(count)]
    pack = {f"{suit}-{rank}" for suits in COLOURS for suit in suits for rank in RANKS} - {LEFT_OUT}
    if set().union(*hands) != pack or [len(hand) for hand in hands] != [
        len(range(seat, len(pack), count)) for seat in range(count)
    ]:
        table.wrong("the cards were not dealt as they should be")
    for seat in range(count):
        table.decide(seat, [("sorts",)])
    laid = [card for hand in hands for card in hand]
    hands = [without_pairs(hand) for hand in hands]
    turn = None
    while sum(map(bool, hands)) > 1:
        if turn is None:
            turn = table.turn()
        right = next(seat for step in range(1, count) if hands[seat := (turn - step) % count])
        table.lie(pairs=[card for card in laid if not any(card in hand for hand in hands)])
        for seat in range(count):
            table.lie(**{f"hand[{seat}]": hands[seat]})
        table.decide(turn, [("draws", number) for number in range(1, len(hands[right]) + 1)])
        left = table.places[f"hand[{right}]"]
        drawn = [
            card for card in hands[right] if card not in left
        ]  # which one it was is a lot, since hands are shuffled
        if len(drawn) != 1:
            table.wrong(f"player {turn} should draw one card, not {drawn}")
        hands[right].remove(drawn[0])
        hands[turn] = without_pairs([*hands[turn], *drawn])
        turn = next(seat for step in range(1, count + 1) if hands[seat := (turn + step) % count])
    table.ends([seat for seat in range(count) if not hands[seat]])


def violations(events: Iterable[Record]) -> list[str]:
    return verdict(game, events)
