"""A game in progress: the position, its journal, the bots, and what may be taken back.

In a casual game one person takes back against bots whatever they like, and the journal notes it. Else a move may be
taken back as long as nobody has learned anything from what came after it: since the player decided, no other person has
decided, nothing has been left to chance, and no person at the screen has been shown a card that they could not see
before. The player's own cards do not count: the bots forget them again. So nothing that was hidden is given away, and
nothing is dealt anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from teufelswerk.base.texts import Seat, Text, Told
from teufelswerk.bots.company import Company
from teufelswerk.bots.players import Bot
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Event
from teufelswerk.interpreter.show import NOBODY
from teufelswerk.interpreter.state import Move, State
from teufelswerk.sessions.heaps import NONE, Heaps, after
from teufelswerk.sessions.journal import Journal, play_again
from teufelswerk.sessions.standing import numbers_kept

BOT_NAMES = ("Anna", "Tom", "Ida", "Peter", "Susan", "Sven", "David", "Cleo", "Ben", "Ann")
HUMAN = "human"
ADVISER = "careful"


@dataclass
class Decision:
    """A point to which a person may return, and what has happened since."""

    seat: int
    state: State
    size: int
    bots: dict[int, Any]
    told: int
    heaps: Heaps
    rounds: int
    since: list[tuple[int, list[Event]]]


class Session:
    """The game as the table needs it. Every move is on the disk before anybody is told of it."""

    def __init__(
        self, game: Game, names: list[str], seats: list[str], seed: int, journal: Journal | None, casual: bool = False,
        start: State | None = None,
    ) -> None:  # fmt: skip
        self.game = game
        self.names = names
        self.seats = seats
        self.seed = seed
        self.journal = journal
        self.casual = casual
        self.start = start
        """Where the game begins, if it is not at its beginning; such a game has no journal."""
        self.notes: list[tuple[int, tuple[int, int]]] = []
        """Where in the journal it is noted who has taken back how many moves, since the game went on."""
        self.people = [seat for seat, kind in enumerate(seats) if kind == HUMAN]
        self.company = Company(game, {s: ADVISER if kind == HUMAN else kind for s, kind in enumerate(seats)}, seed)
        self.told: list[Told] = []
        self.decisions: list[Decision] = []
        self.moves = 0
        self.sheet: list[dict[str, tuple[int, ...]]] = []
        """What is kept of everyone for all to see: at first, then after each round, as on a sheet of paper."""
        self.heaps: Heaps = NONE
        """What everyone has seen go out of sight."""
        self._dealt: object = None
        self.state: State

    # ---- going on ---------------------------------------------------------------------------------------------------

    def begin(self) -> list[Event]:
        """Starts the game."""
        events: list[Event] = []
        self.state = self.start if self.start is not None else self.game.start(self.seed, events)
        self._written(events)
        self._known(self.state, events)
        return events

    def resume(self, lines: list[dict[str, Any]]) -> None:
        """Goes through a journal; the last move is completed if it had not quite reached the disk."""
        self.state, missing = play_again(self.game, lines, self._known)
        self.moves = sum(line["event"] == "move" for line in lines)
        if missing:
            self._written(missing)

    def _written(self, events: list[Event]) -> None:
        if self.journal is not None:
            self.journal.append(events)

    def _known(self, state: State, events: list[Event]) -> None:
        self.company.tell(state, events)
        self.told += [event.told for event in events if event.told is not None]
        view = self.game.view(state, NOBODY)
        self.heaps = after(self.heaps, self.company.sight.events(events, NOBODY), view)
        if state.rng != self._dealt or state.winners is not None:
            self._dealt, row = state.rng, numbers_kept(self.game, view)
            if self.sheet[-1:] != [row]:
                self.sheet.append(row)

    def make(self, move: Move) -> list[Event]:
        """Makes a move. When this returns, it is on the disk."""
        if self.seats[move.player] == HUMAN:
            bots = {seat: bot.snapshot() for seat, bot in self.company.bots.items()}
            told, rounds = len(self.told), len(self.sheet)
            size = self.journal.size if self.journal is not None else 0
            self.decisions.append(Decision(move.player, self.state, size, bots, told, self.heaps, rounds, []))
        events: list[Event] = []
        position = self.game.apply(self.state, move, events)
        self._written(events)
        self.state = position
        self.moves += 1
        if self.decisions:
            self.decisions[-1].since.append((move.player, events))
        self._known(position, events)
        return events

    def decided_at(self, seat: int) -> int:
        """How many sentences had been told when the seat decided last."""
        return next((decision.told for decision in reversed(self.decisions) if decision.seat == seat), 0)

    def adviser(self, seat: int) -> Bot:
        """A bot that knows what the seat knows."""
        return self.company.bots[seat]

    # ---- going back -------------------------------------------------------------------------------------------------

    def stands(self, seat: int, reader: int) -> Text | None:
        """Why the player's last move cannot be taken back, or None if it can.

        Only a card that the reader saw is named: a seat, or nobody's if everyone at the screen reads it.
        """
        if not self.decisions or self.decisions[-1].seat != seat:
            return Text("There is no move of yours that you could take back.")
        if self.casual and len(self.people) == 1:
            return None
        last = self.decisions[-1]
        if self.state.rng != last.state.rng:
            return Text("Cards have been shuffled or something has been drawn by lot since, so the move stands.")
        seen = [
            (mover, event)
            for number, (mover, events) in enumerate(last.since)
            for event in events
            if event.record["event"] in ("cards", "turn")
            and (number > 0 or self._from_elsewhere(event, seat))
            and any(self._comes_into_sight(event, person) for person in self.people)
        ]
        for mover, event in seen:
            if mover != seat and self._comes_into_sight(event, reader):
                cards = {card.id: card.index for card in self.game.rules.cards}
                card = self.game.program.teller.card(cards[event.record["cards"][0]])
                return Text("{player} has shown {card} since, so the move stands.", player=Seat(mover), card=card)
        return Text("Somebody has seen a new card since, so the move stands.") if seen else None

    def _comes_into_sight(self, event: Event, person: int) -> bool:
        """Whether somebody sees cards of which they saw nothing before."""
        sight, by_name, record = self.company.sight, self.game.layout.by_name, event.record
        if record["event"] == "turn":
            return record["way"] == "up" and not sight.sees_place(person, by_name[record["place"]])
        if record.get("face") == "up":
            return False
        origin, target = by_name[record["from"]], by_name[record["to"]]
        return sight.sees_place(person, target) and not sight.sees_place(person, origin)

    def _from_elsewhere(self, event: Event, seat: int) -> bool:
        """Whether a card was not the player's own."""
        origin = event.record["from" if event.record["event"] == "cards" else "place"]
        return self.game.layout.owner[self.game.layout.by_name[origin]] != seat

    def undo(self) -> None:
        """Takes back the last decision of a person and all that followed from it."""
        last = self.decisions.pop()
        if self.journal is not None:
            self.journal.cut(last.size)
            if self.casual:
                later = [note for size, note in self.notes if size >= last.size]
                self.notes = [each for each in self.notes if each[0] < last.size]
                for note in [*later, (last.seat, len(last.since))]:
                    self.notes.append((self.journal.size, note))
                    self.journal.note(*note)
        self.state = last.state
        self.heaps = last.heaps
        self.moves -= len(last.since)
        for seat, snapshot in last.bots.items():
            self.company.bots[seat].restore(snapshot)
        del self.told[last.told :]
        del self.sheet[last.rounds :]
        self._dealt = last.state.rng
