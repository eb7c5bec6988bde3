"""A referee who plays along: the rules of a game as a plain program, whose lots and decisions are those of a record.

Such a program asks for the next decision with `decide`, and says who makes it and what is legal. What lies where and
what is remembered it keeps itself, and says so with `lie` and `keeps`: then the record is compared with that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

from teufelswerk import Event, Game
from teufelswerk.interpreter.records import header, records

Record: TypeAlias = Mapping[str, Any]
Chosen: TypeAlias = tuple[Any, ...]
"""A move: its verb, and what was chosen, in the order in which it is asked for; several cards in a set are sorted."""


class Wrong(Exception):
    """What the record has against the rules."""


class PlayingAlong:
    """The table of one record, as far as it has been read."""

    def __init__(self, events: Iterable[Record]) -> None:
        self._events, self.number = iter(events), 0
        self.places: dict[str, list[str]] = defaultdict(list)
        self.kept: dict[str, Any] = {}
        self.kept_of: dict[tuple[str, Any], Any] = {}
        """What the record says, and not what is right: for the lots, and to be compared."""
        self.carried: list[Record] = []
        """The cards that have moved since the last decision."""
        self._next: Record = self._read()
        if self._next.get("event") != "game" or self._next.get("variant") or self._next.get("set"):
            raise Wrong("the record is not one of the game itself")
        self.players = len(self._next["players"])
        self._advance()

    def decide(self, player: int, legal: Iterable[Chosen]) -> Chosen:
        """The decision that the record has now, after it was seen to be this player's, and legal."""
        event, wanted = self._next, set(legal)
        if event.get("event") != "move":
            self.wrong(f"player {player} should decide, but there is {event.get('event')!r}")
        if event["player"] != player:
            self.wrong(f"it is the turn of player {player}, not {event['player']}")
        given = {chosen(move) for move in event["legal"]}
        if given != wanted:
            missing, excess = sorted(map(str, wanted - given)), sorted(map(str, given - wanted))
            self.wrong(f"legal moves of player {player}: missing {missing[:9]}, too many {excess[:9]}")
        made = chosen(event)
        if made not in wanted:
            self.wrong(f"player {player} makes an illegal move: {made}")
        self._advance()
        return made

    def turn(self) -> int:
        """Who decides now, where it is a lot who does."""
        if self._next.get("event") != "move":
            self.wrong("somebody should decide here")
        return int(self._next["player"])

    def lie(self, **there: Sequence[str] | Sequence[Sequence[str]]) -> None:
        """These cards, and no others, lie in these places; of a place of each player, a list for every seat."""
        for name, cards in there.items():
            if cards and not isinstance(cards[0], str):
                for seat, own in enumerate(cards):
                    self._same_cards(f"{name.replace('_', '-')}[{seat}]", own)
            else:
                self._same_cards(name.replace("_", "-"), [str(card) for card in cards])

    def _same_cards(self, place: str, cards: Sequence[str]) -> None:
        if sorted(self.places[place]) != sorted(cards):
            self.wrong(f"in {place} should lie {sorted(cards)}, not {sorted(self.places[place])}")

    def keeps(self, **values: Any) -> None:
        """This is remembered; of each player, a list for every seat."""
        for name, value in values.items():
            called = name.replace("_", "-")
            given = self.kept.get(called)
            if isinstance(value, list):
                given = [self.kept_of.get((called, seat), 0) for seat in range(len(value))]
            if given != value:
                self.wrong(f"{called} should be {value}, not {given}")

    def ends(self, winners: Iterable[int], **counts: list[Any]) -> None:
        """The game is over here, these win, and this is what is told of each player."""
        event = self._next
        if event.get("event") != "end":
            self.wrong(f"the game should be over, but there is {event.get('event')!r}")
        if sorted(event["winners"]) != sorted(winners):
            self.wrong(f"the winners should be {sorted(winners)}, not {event['winners']}")
        for name, values in counts.items():
            if event["keeps"].get(name.replace("_", "-")) != values:
                self.wrong(f"in the end {name} should be {values}, not {event['keeps'].get(name)}")
        if next(self._events, None) is not None:
            self.wrong("something happens after the end")

    def wrong(self, sentence: str) -> None:
        raise Wrong(f"event {self.number}: {sentence}")

    def _read(self) -> Record:
        self.number += 1
        event = next(self._events, None)
        if event is None:
            raise Wrong("the record stops before the end of the game")
        return event

    def _advance(self) -> None:
        """Reads on to the next decision, or to the end."""
        self.carried = []
        while (event := self._read())["event"] not in ("move", "end"):
            if event["event"] == "cards":
                self._carry(event)
            elif event["event"] == "keep" and "of" in event:
                of = event["of"]
                self.kept_of[event["name"], tuple(of) if isinstance(of, list) else of] = event["value"]
            elif event["event"] == "keep":
                self.kept[event["name"]] = event["value"]
        self._next = event

    def _carry(self, event: Record) -> None:
        self.carried.append(event)
        source, target = self.places[event["from"]], self.places[event["to"]]
        for card in event["cards"]:
            if event["from"] != "box":
                if card not in source:
                    self.wrong(f"{card} does not lie in {event['from']}")
                source.remove(card)
            target.append(card)


def chosen(move: Record) -> Chosen:
    """A move of a record → its verb and choices."""
    values = move["choice"].values()
    return (move["move"], *(tuple(sorted(value)) if isinstance(value, list) else value for value in values))


def verdict(play: Callable[[PlayingAlong], None], events: Iterable[Record]) -> list[str]:
    """What a record has against the rules that a program knows: the first thing, or nothing."""
    try:
        play(PlayingAlong(events))
    except Wrong as wrong:
        return [str(wrong)]
    return []


Pick: TypeAlias = Callable[[list[Record], Random], int]
"""Which of the legal moves is made, where games at random would show too little of the rules."""


def record_of(game: Game, seed: int, pick: Pick | None = None) -> list[Record]:
    """The record of a game with all that was legal in it, at random or as moves are picked."""
    log: list[Event] = []
    if pick is None:
        game.random_game(seed, log, legal=True)
    else:
        machine, lots = game.machine(seed), Random(seed)
        machine.log = log
        game.run(machine)
        while machine.winners is None:
            moves, before = game.choices(machine), len(log)
            legal: list[Record] = [{"move": move.verb, "choice": game.choice(move)} for move in moves]
            game.make(machine, moves[pick(legal, lots)])
            log[before].record["legal"] = legal
    names = [f"Player {number}" for number in range(1, game.players + 1)]
    return [{**header(game, names, seed), "variant": None}, *records(log)]
