"""One table: its game, its bots, and all that is asked for there, which is checked here."""

from __future__ import annotations

import asyncio
import os
from typing import assert_never

from teufelswerk.base.diagnostics import RuleError
from teufelswerk.base.texts import Seat, Text
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Event
from teufelswerk.interpreter.show import NOBODY
from teufelswerk.interpreter.state import Move, State
from teufelswerk.language.i18n import match
from teufelswerk.sessions.session import Session

from teufelswerk_web.tables.chairs import Chair
from teufelswerk_web.tables.gathering import Arrangement, Gathering
from teufelswerk_web.tables.guest import Guest
from teufelswerk_web.wire import requests as ask
from teufelswerk_web.wire.scenes import Message

MOST_DECISIONS = 24
"""So far back a move can be taken back; bots remember what they knew at each of these points."""


class Table(Gathering):
    """People and bots at one game."""

    most_decisions = MOST_DECISIONS

    def __init__(self, game: Game, bot: str, house: Arrangement, token: str = "", seed: int | None = None) -> None:
        super().__init__(game, bot, house, token)
        self.seed = seed
        self.taken: tuple[State, State, list[Event]] | None = None
        """The last move after which cards were taken away."""
        self.lock = asyncio.Lock()
        self.bots: asyncio.Task[None] | None = None

    # ---- what is asked for ------------------------------------------------------------------------------------------

    async def hear(self, guest: Guest, request: ask.Request) -> None:
        async with self.lock:
            match request:
                case ask.Hello():
                    pass
                case ask.Sit():
                    self.sit(guest, request)
                case ask.Speak():
                    guest.language = match(request.language) or guest.language
                    self.greet(guest)
                case ask.Move():
                    self.choose(guest, request)
                case ask.Why():
                    self.why(guest, request.card)
                case ask.Answer():
                    self.answer(guest, request.yes)
                case ask.StandIn():
                    self.stand_in(guest, request.seat)
                case ask.Plain():
                    await self.plainly(guest, request)
                case _:
                    assert_never(request)
        self.wake_bots()

    async def plainly(self, guest: Guest, request: ask.Plain) -> None:
        match request.ask:
            case "start":
                self.start(guest)
            case "hint":
                await self.hint(guest)
            case "undo":
                self.undo(guest)
            case "last":
                self.last(guest)
            case "again":
                self.again(guest)
            case _:
                assert_never(request.ask)

    def sit(self, guest: Guest, request: ask.Sit) -> None:
        name = request.name.strip()
        if guest.seat != NOBODY:
            self.note(guest, Text("You have a seat already."), style="refused")
            return
        if (reason := self.chairs.unfit(request.seat, name)) is not None:
            self.note(guest, reason, style="refused")
            return
        chair = self.chairs.sit(request.seat, name)
        guest.seat = chair.seat
        if self.session is not None:
            self.seat_people(self.session)
        self.house.keep(self)
        guest.send({"type": "seated", "token": chair.token, "seat": chair.seat})
        for other in self.guests:
            self.greet(other)

    def seat_people(self, session: Session) -> None:
        """The game knows who is a person now: what may be taken back depends on what people have seen."""
        session.people = self.chairs.people
        session.seats = [chair.kind for chair in self.chairs.all]
        session.names = [chair.name for chair in self.chairs.all]

    def start(self, guest: Guest) -> None:
        if guest.seat == NOBODY or self.session is not None:
            self.note(guest, Text("Only somebody who has a seat can begin, and only once."), style="refused")
            return
        self.begin()

    def begin(self) -> None:
        self.chairs.fill()
        seed = int.from_bytes(os.urandom(4), "big") if self.seed is None else self.seed
        names = [chair.name for chair in self.chairs.all]
        seats = [chair.kind for chair in self.chairs.all]
        session = Session(self.game, names, seats, seed, self.house.journal(self.game, names, seats, seed))
        try:
            session.begin()
        except RuleError as problem:
            self.note_all(problem.diagnostic.message)
            return
        self.session, self.seed = session, None
        self.at, self._views, self.taken = self.at + 1, {}, None
        self.house.keep(self)
        for other in self.guests:
            self.greet(other)

    def again(self, guest: Guest) -> None:
        if guest.seat == NOBODY or self.session is None or not self.game.is_over(self.session.state):
            self.note(guest, Text("Another game can begin when this one is over."), style="refused")
            return
        if self.session.journal is not None:
            self.session.journal.close()
        self.begin()

    # ---- moves ------------------------------------------------------------------------------------------------------

    def choose(self, guest: Guest, request: ask.Move) -> None:
        if guest.seat == NOBODY or self.session is None or request.at != self.at:
            self.note(guest, Text("That is no longer asked."), style="refused")
            return
        moves = self.view(guest.seat).moves
        if not 0 <= request.number < len(moves):
            self.note(guest, Text("There is no such move now."), style="refused")
            return
        self.make(moves[request.number])

    def make(self, move: Move) -> None:
        """Makes a move and tells everyone; when it cannot be saved it is not made, and whose it is is told why."""
        session = self.session
        assert session is not None
        before, views = session.state, {guest.seat: self.view(guest.seat) for guest in self.guests}
        decisions = len(session.decisions)
        try:
            events = session.make(move)
        except (OSError, RuleError) as problem:
            del session.decisions[decisions:]
            reason = str(problem) if isinstance(problem, OSError) else problem.diagnostic.message
            self.note_all(Text("The move could not be made: {reason}", reason=reason))
            return
        del session.decisions[: -self.most_decisions]
        self.at, self._views, self.asked = self.at + 1, {}, None
        cleared = any(self.is_taken(event) for event in events)
        if cleared:
            self.taken = before, session.state, events
        said: dict[tuple[int, str], Message] = {}
        for guest in self.guests:
            reader = guest.seat, guest.language
            if reader not in said:
                found = self.telling(guest).move(views[guest.seat], self.view(guest.seat), events)
                said[reader] = {"type": "game", "at": self.at, **found, **self.people(guest)}
            guest.send(said[reader])

    def is_taken(self, event: Event) -> bool:
        """Whether cards leave a place in the middle of the table that everyone sees."""
        record, layout = event.record, self.game.layout
        if record["event"] != "cards":
            return False
        index = layout.by_name[record["from"]]
        return layout.owner[index] < 0 and layout.place_of[index].seen_by == "all"

    # ---- bots -------------------------------------------------------------------------------------------------------

    def chair_of_bot(self) -> Chair | None:
        """The chair whose bot has to decide now."""
        if self.session is None or (seat := self.game.player(self.session.state)) is None:
            return None
        return self.chairs[seat] if self.chairs[seat].plays_by_itself else None

    def wake_bots(self) -> None:
        if self.chair_of_bot() is not None and (self.bots is None or self.bots.done()):
            self.bots = asyncio.create_task(self.play_bots())

    async def play_bots(self) -> None:
        while self.chair_of_bot() is not None:
            await asyncio.sleep(self.house.pace)
            async with self.lock:
                chair, at = self.chair_of_bot(), self.at
                if chair is None or self.session is None:
                    return
                bot, view = self.session.adviser(chair.seat), self.view(chair.seat)
                quick = len(view.moves) == 1 or chair.kind == "random"
                self.make(bot.choose(view) if quick else await asyncio.to_thread(bot.choose, view))
                if self.at == at:  # it could not be made
                    return

    def stand_in(self, guest: Guest, seat: int) -> None:
        present = {other.seat for other in self.guests}
        if guest.seat == NOBODY or not 0 <= seat < self.game.players or seat in present:
            self.note(guest, Text("A bot can play only for somebody who is away."), style="refused")
            return
        self.chairs[seat].stand_in = self.chairs[seat].is_person
        self.house.keep(self)
        self.others_know(None)

    # ---- questions --------------------------------------------------------------------------------------------------

    def why(self, guest: Guest, card: str) -> None:
        if guest.seat == NOBODY or self.session is None:
            return
        view = self.view(guest.seat)
        if view.to_move != guest.seat:
            self.note(guest, Text("It is not your turn."), style="refused")
        elif any(card in place.visible for place in view.places.values()):
            self.note(guest, *self.telling(guest).why(view, card), style="why")

    async def hint(self, guest: Guest) -> None:
        if guest.seat == NOBODY or self.session is None or not (view := self.view(guest.seat)).moves:
            self.note(guest, Text("It is not your turn."), style="refused")
            return
        words = await asyncio.to_thread(self.telling(guest).hint, self.session.adviser(guest.seat), view)
        self.note(guest, *words, style="hint")

    def last(self, guest: Guest) -> None:
        if self.session is None or self.taken is None:
            self.note(guest, Text("Nothing has been taken from the table so far."))
            return
        found = self.telling(guest).taken(*self.taken, guest.seat)
        if found is not None:
            guest.send({"type": "last", **found})

    # ---- taking back ------------------------------------------------------------------------------------------------

    def undo(self, guest: Guest) -> None:
        """As long as nobody has learned anything a move is taken back at once; later, if all others agree."""
        session = self.session
        if guest.seat == NOBODY or session is None:
            return
        reason = session.stands(guest.seat, guest.seat)
        if reason is None:
            self.go_back(guest.seat)
            return
        others = {other.seat for other in self.guests if other.seat not in (NOBODY, guest.seat)}
        if not others or all(decision.seat != guest.seat for decision in session.decisions):
            self.note(guest, reason, style="refused")
            return
        self.asked = guest.seat, others
        self.note(guest, reason, Text("The others are asked whether they agree all the same."))
        self.others_know(None)

    def answer(self, guest: Guest, yes: bool) -> None:
        if self.asked is None or guest.seat not in self.asked[1]:
            return
        seat, waiting = self.asked
        waiting.discard(guest.seat)
        if not yes:
            self.asked = None
            self.note_all(Text("{player} does not agree, so the move stands.", player=Seat(guest.seat)))
            self.others_know(None)
        elif not waiting:
            self.go_back(seat)
        else:
            self.others_know(None)

    def go_back(self, seat: int) -> None:
        """To before the last move of that seat."""
        session = self.session
        assert session is not None
        while session.decisions:
            decided = session.decisions[-1].seat
            session.undo()
            if decided == seat:
                break
        self.at, self._views, self.asked, self.taken = self.at + 1, {}, None, None
        for guest in self.guests:
            self.send_whole(guest)
        self.note_all(Text("{player} has taken the last move back.", player=Seat(seat)))
