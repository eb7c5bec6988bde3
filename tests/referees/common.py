"""What both referees need: reading events, knowing where every card lies, comparing legal moves.

Nothing in here knows a game. A referee follows the record event by event, keeps its own idea of the game, and notes a
sentence for whatever the record has otherwise. Where going on would make no sense, it stops.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

Event = Mapping[str, Any]
Move = tuple[str, tuple[tuple[str, str], ...]]
"""A verb with its choice, as sorted pairs of name and value."""

ENOUGH = 5
"""So many violations are noted before the referee stops."""


def a_move(verb: str, **choice: str) -> Move:
    return verb, tuple(sorted(choice.items()))


def shown(move: Move) -> str:
    return " ".join([move[0], *(value for _, value in move[1])])


class Halt(Exception):
    """Raised when the referee has seen enough."""


class Referee(ABC):
    """Follows the record of one game."""

    player_numbers: range
    """How many may play."""
    kept_of_game: tuple[str, ...]
    """What the game remembers once."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.number = 0
        self.players = 0
        self.ended = False
        self.places: dict[str, list[str]] = {}
        self.kept: dict[str, int | None] = {}
        self.kept_of: dict[str, list[int]] = {}

    def violations(self, events: Iterable[Event]) -> list[str]:
        try:
            for event in events:
                self.number += 1
                self._event(event)
            if not self.number:
                self.report("the record is empty")
            elif not self.ended:
                self.report("the record stops before the end of the game")
        except Halt:
            pass
        return self.found

    # What a game adds

    @abstractmethod
    def begin(self) -> None:
        """Lay out all cards and places; `players` is known."""

    @abstractmethod
    def cards(self, cards: list[str], source: str, target: str, end: str | None) -> None:
        """Judge a movement of cards that lie where they are said to; called before they move."""

    @abstractmethod
    def cards_moved(self) -> None:
        """Called when the cards have moved."""

    @abstractmethod
    def keep(self, name: str, of: int | None, value: int) -> None:
        """Judge a new value; called before it is kept."""

    @abstractmethod
    def move(self, player: int, move: Move, event: Event) -> None:
        """Judge a move."""

    @abstractmethod
    def end(self) -> list[int]:
        """Judge that the game ends here, and say who wins. The counts are compared by the caller."""

    @abstractmethod
    def true_counts(self) -> dict[str, list[int]]:
        """What the game remembers of each player, as it should be now."""

    # Notes

    def report(self, sentence: str) -> None:
        self.found.append(f"event {self.number}: {sentence}")
        if len(self.found) >= ENOUGH:
            raise Halt

    def halt(self, sentence: str) -> NoReturn:
        self.report(sentence)
        raise Halt

    # Events

    def _event(self, event: Event) -> None:
        kind = event.get("event")
        if self.ended:
            self.halt(f"there is a {kind!r} event after the end")
        if self.number == 1:
            if kind != "game":
                self.halt("the record does not begin with a game event")
            self._game(event)
        elif kind == "cards":
            self._cards(event)
        elif kind == "keep":
            self._keep(event)
        elif kind == "move":
            self._move(event)
        elif kind == "end":
            self._end(event)
        elif kind != "step":
            self.halt(f"there is a {kind!r} event inside a game")

    def _game(self, event: Event) -> None:
        names = event.get("players")
        if not isinstance(names, list) or len(names) not in self.player_numbers:
            self.halt(f"the number of players is wrong: {names!r}")
        if event.get("variant") or event.get("set"):
            self.halt("this is a variant, and the referee knows only the game itself")
        self.players = len(names)
        self.kept = dict.fromkeys(self.kept_of_game)
        self.begin()
        self.kept_of = {name: list(values) for name, values in self.true_counts().items()}

    def _cards(self, event: Event) -> None:
        cards, end = event.get("cards"), event.get("end")
        if not isinstance(cards, list):
            self.halt(f"no list of cards: {cards!r}")
        if not cards:
            return
        source, target = self._place(event.get("from")), self._place(event.get("to"))
        if end not in (None, "top", "bottom"):
            self.halt(f"a place has no end {end!r}")
        left = list(self.places[source])
        for card in cards:
            if card not in left:
                self.halt(f"card {card!r} is not in {source}")
            left.remove(card)
        self.cards(cards, source, target, end)
        self.places[source] = left
        for card in cards:
            if end == "bottom":
                self.places[target].insert(0, card)
            else:
                self.places[target].append(card)
        self.cards_moved()

    def _place(self, name: object) -> str:
        if not isinstance(name, str) or name not in self.places:
            self.halt(f"there is no place {name!r}")
        return name

    def _keep(self, event: Event) -> None:
        name, of, value = event.get("name"), event.get("of"), event.get("value")
        if type(value) is not int:
            self.halt(f"{name!r} is set to {value!r}, which is no number and no seat")
        if isinstance(name, str) and name in self.kept and of is None:
            if value not in range(self.players):
                self.halt(f"{name} is set to {value}, which is no seat")
            self.keep(name, None, value)
            self.kept[name] = value
        elif isinstance(name, str) and name in self.kept_of and type(of) is int and of in range(self.players):
            self.keep(name, of, value)
            self.kept_of[name][of] = value
        else:
            self.halt(f"the game keeps no {name!r} of {of!r}")

    def _move(self, event: Event) -> None:
        player = event.get("player")
        if type(player) is not int or player not in range(self.players):
            self.halt(f"there is no player {player!r}")
        self.move(player, self._read_move(event), event)

    def _end(self, event: Event) -> None:
        winners = self.end()
        self.check_counts("when the game ends")
        given = event.get("winners")
        if not isinstance(given, list) or sorted(map(repr, given)) != sorted(map(repr, winners)):
            self.report(f"the winners should be {winners}, not {given!r}")
        if event.get("keeps") != self.true_counts():
            self.report(f"the final counts should be {self.true_counts()}, not {event.get('keeps')!r}")
        self.ended = True

    def _read_move(self, thing: object) -> Move:
        if isinstance(thing, Mapping):
            verb, choice = thing.get("move"), thing.get("choice")
            if isinstance(verb, str) and isinstance(choice, Mapping):
                pairs = tuple(sorted(choice.items())) if len(choice) > 1 else tuple(choice.items())
                if set(map(type, choice.values())) <= {str}:
                    return verb, pairs
        self.halt(f"this is no move: {thing!r}")

    # Comparisons

    def check_moves(self, player: int, made: Move, legal: set[Move], event: Event) -> None:
        """Compare the recorded legal moves with the true ones; stop if the move made is none of them."""
        recorded = event.get("legal")
        if not isinstance(recorded, list):
            self.halt("the legal moves are not recorded")
        moves = [self._read_move(entry) for entry in recorded]
        given = set(moves)
        if len(moves) != len(given):
            self.report(f"a legal move of player {player} is listed twice")
        if missing := sorted(map(shown, legal - given)):
            self.report(f"legal moves of player {player} are missing: {', '.join(missing)}")
        if excess := sorted(map(shown, given - legal)):
            self.report(f"moves of player {player} are listed that are not legal: {', '.join(excess)}")
        if made not in legal:
            self.halt(f"player {player} makes an illegal move: {shown(made)}")

    def check_counts(self, when: str) -> None:
        """Compare the recorded counts of all players with the true ones."""
        for name, true in self.true_counts().items():
            if self.kept_of[name] != true:
                self.report(f"{when}, {name} should be {true}, not {self.kept_of[name]}")

    def check_count(self, name: str, of: int, value: int) -> None:
        """A count may only be set to what it truly is."""
        true = self.true_counts()[name][of]
        if value != true:
            self.report(f"{name} of player {of} should be {true}, not {value}")
