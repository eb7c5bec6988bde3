"""The referee of Klondike, written from the rules for people: seven columns, four foundations, and the stock."""

from __future__ import annotations

from collections.abc import Iterable

from referees.playing_along import Chosen, PlayingAlong, Record, verdict

BLACK, RED = ("clubs", "spades"), ("diamonds", "hearts")
RANKS = "ace 2 3 4 5 6 7 8 9 10 jack queen king".split()
COLUMNS = range(7)
TURNED, PASSES = 1, 3
"""So many cards of the stock are turned over at once, and so often one goes through it."""
IDLE = 8
"""So many times cards are moved at most without anything coming of it."""


def rank(card: str) -> int:
    return RANKS.index(card.split("-")[1])


def suit(card: str) -> str:
    return card.split("-")[0]


class Layout:
    def __init__(self, table: PlayingAlong) -> None:
        self.table = table
        self.down = [list(table.places[f"column[{number + 1}]"]) for number in COLUMNS]
        self.up = [[column.pop()] for column in self.down]
        self.stock, self.waste = list(table.places["stock"]), list[str]()
        cards = [card for pile in (*self.down, *self.up, self.stock) for card in pile]
        if [*map(len, self.down)] != [*COLUMNS] or len(cards) != 52 or len({*cards}) != 52:
            table.wrong("the seven columns are not laid out")
        if {suit(card) for card in cards} != {*BLACK, *RED} or {*map(rank, cards)} != {*range(13)}:
            table.wrong("this is no pack of cards")
        self.built = dict.fromkeys((*BLACK, *RED), 0)
        """How many cards lie on each foundation."""
        self.passes, self.idle = 1, 0

    def takes(self, number: int, card: str) -> bool:
        if not self.up[number]:
            return rank(card) == 12
        last = self.up[number][-1]
        return rank(last) == rank(card) + 1 and (suit(last) in RED) != (suit(card) in RED)

    def legal(self) -> Iterable[Chosen]:
        for pile in (*self.up, self.waste):
            if pile and rank(pile[-1]) == self.built[suit(pile[-1])]:
                yield "builds", pile[-1]
        for target in COLUMNS:
            for source in COLUMNS:
                for depth, card in enumerate(self.up[source]):
                    turns_up = depth == 0 and self.down[source]
                    if source != target and self.takes(target, card) and (turns_up or self.idle < IDLE):
                        yield "moves", card, target + 1
            if self.waste and self.takes(target, self.waste[-1]):
                yield "lays", self.waste[-1], target + 1
        if self.stock:
            yield ("draws",)
        elif self.waste and self.passes < PASSES:
            yield ("recycles",)

    def do(self, verb: str, *chosen: str | int) -> None:
        match verb, chosen:
            case "draws", ():
                self.draw()
            case "recycles", ():
                self.stock, self.waste = self.waste, []
                self.passes += 1
            case "builds", (str(card),):
                next(pile for pile in (*self.up, self.waste) if pile and pile[-1] == card).pop()
                self.built[suit(card)] += 1
                self.idle = 0
            case "lays", (_, int(number)):
                self.up[number - 1].append(self.waste.pop())
                self.idle = 0
            case "moves", (str(card), int(number)):
                source = next(at for at in COLUMNS if card in self.up[at])
                at = self.up[source].index(card)
                self.up[number - 1] += self.up[source][at:]
                del self.up[source][at:]
                self.idle = 0 if at == 0 and self.down[source] else self.idle + 1
        for down, up in zip(self.down, self.up, strict=True):
            if down and not up:
                up.append(down.pop())

    def draw(self) -> None:
        """Which cards are turned over is a lot at first; then they come as they lay on the waste."""
        cards = self.table.places["waste"][len(self.waste) :]
        if len(cards) != min(TURNED, len(self.stock)) or not {*cards} <= {*self.stock}:
            self.table.wrong(f"these cards cannot be turned over: {cards}")
        if self.passes > 1 and cards != self.stock[: len(cards)]:
            self.table.wrong(f"{self.stock[: len(cards)]} should be turned over, not {cards}")
        self.waste += cards
        self.stock = [card for card in self.stock if card not in cards]

    def lie(self) -> None:
        self.table.lie(stock=self.stock, waste=self.waste)
        self.table.lie(**{f"column[{number + 1}]": self.down[number] + self.up[number] for number in COLUMNS})
        self.table.lie(**{f"foundation[{name}]": cards_of(name)[:count] for name, count in self.built.items()})


def cards_of(name: str) -> list[str]:
    return [f"{name}-{rank}" for rank in RANKS]


def game(table: PlayingAlong) -> None:
    layout, stopped = Layout(table), False
    while not stopped and sum(layout.built.values()) < 52:
        layout.lie()
        made = table.decide(0, [*layout.legal()] or [("stops",)])
        stopped = made == ("stops",)
        layout.do(*made)
    layout.lie()
    table.ends([] if stopped else [0])


def violations(events: Iterable[Record]) -> list[str]:
    return verdict(game, events)
