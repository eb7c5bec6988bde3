"""The table of somebody who writes the rules: one person and bots, every card open, step by step back and forth."""

from __future__ import annotations

import os
import time
from dataclasses import replace

from teufelswerk.base.diagnostics import RuleError
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.state import Move, State
from teufelswerk.interpreter.view import SeenPlace, View
from teufelswerk.sessions.session import HUMAN, Session

from teufelswerk_web.tables.chairs import Chair, Chairs
from teufelswerk_web.tables.gathering import Arrangement
from teufelswerk_web.tables.guest import Guest
from teufelswerk_web.tables.table import Table
from teufelswerk_web.wire import requests as ask

MOST_MOVES = 2_000
"""So many moves are kept to go back to."""
SECONDS = 1.0
"""So long moves are made again under other rules, while everything else waits."""


class Rehearsal(Table):
    """A game that is begun at once, and goes on under other rules when these are changed."""

    most_decisions = MOST_MOVES

    def __init__(self, game: Game, bot: str, house: Arrangement, name: str, seed: int | None = None) -> None:
        super().__init__(game, bot, house)
        self.name = name
        self.dealt = 0
        """The seed of the game."""
        self.past: list[Move] = []
        self.future: list[Move] = []
        self.halted = False
        """Whether bots wait until they are told to go on: whoever steps through a game wants to look at it."""
        self.is_open = True
        self.deal(int.from_bytes(os.urandom(4), "big") if seed is None else seed)

    @property
    def link(self) -> str:
        """The token of the author's chair."""
        return self.chairs[0].token

    # ---- beginning --------------------------------------------------------------------------------------------------

    def deal(self, seed: int) -> None:
        """A new game from a seed. Raises RuleError where the rules are at fault."""
        if not self.chairs[0].is_person:
            self.chairs.sit(0, self.name)
        self.chairs.fill()
        names = [chair.name for chair in self.chairs.all]
        # everybody's moves are kept as a person's are, so that each can be taken back
        session = Session(self.game, names, [HUMAN] * self.game.players, seed, None)
        session.begin()
        self.session, self.dealt = session, seed
        self.past, self.future, self.halted = [], [], False
        self.at, self._views, self.taken = self.at + 1, {}, None

    def deal_anew(self) -> None:
        self.deal(int.from_bytes(os.urandom(4), "big"))
        self.tell_all()

    def change(self, game: Game) -> int:
        """The same cards and the same moves under other rules, as far as these allow them; how many moves that is."""
        past, halted, token = self.past, self.halted, self.chairs[0].token
        before = self.game, self.chairs
        if game.players != self.game.players:
            past = []
            self.chairs = Chairs(game.players, self.chairs.bot)
            self.chairs.sit(0, self.name).token = token
        self.game = game
        try:
            self.deal(self.dealt)
        except RuleError:
            self.game, self.chairs = before
            raise
        until = time.monotonic() + SECONDS
        for move in past:
            if time.monotonic() > until or not self.is_legal(move):
                break
            self.make_quietly(move)
        self.halted = halted or len(self.past) < len(past)
        self.tell_all()
        return len(self.past)

    def is_legal(self, move: Move) -> bool:
        assert self.session is not None
        try:
            return move in self.game.legal_moves(self.session.state)
        except (RuleError, IndexError, KeyError):
            return False

    def make_quietly(self, move: Move) -> None:
        assert self.session is not None
        self.session.make(move)
        self.past.append(move)
        self.at, self._views = self.at + 1, {}

    def tell_all(self) -> None:
        """Everyone is told everything: the rules may be other ones."""
        for guest in self.guests:
            self.greet(guest)

    # ---- moves ------------------------------------------------------------------------------------------------------

    def make(self, move: Move) -> None:
        before = self.at
        super().make(move)
        if self.at != before:
            self.past.append(move)
            self.future = self.future[1:] if self.future[:1] == [move] else []

    def choose(self, guest: Guest, request: ask.Move) -> None:
        """Whoever decides something wants to see what comes of it."""
        self.halted = False
        super().choose(guest, request)

    def begin(self) -> None:
        self.deal_anew()

    def chair_of_bot(self) -> Chair | None:
        return None if self.halted else super().chair_of_bot()

    # ---- back and forth ---------------------------------------------------------------------------------------------

    def back(self) -> None:
        """To before the last move, whoever made it."""
        assert self.session is not None
        self.halted = True
        if self.past and self.session.decisions:
            self.session.undo()
            self.future.insert(0, self.past.pop())
            self.stepped()

    def forth(self) -> None:
        """Makes the next move again; if there is none, whoever has the turn makes one as a bot would."""
        assert self.session is not None
        self.halted = True
        if (seat := self.game.player(self.session.state)) is None:
            return
        move = (
            self.future[0]
            if self.future
            else self.session.adviser(seat).choose(self.game.view(self.session.state, seat))
        )
        if self.is_legal(move):
            self.make(move)

    def go_on(self) -> None:
        self.halted = False
        self.wake_bots()

    def show(self, is_open: bool) -> None:
        self.is_open = is_open
        self.stepped()

    def go_back(self, seat: int) -> None:
        """What the page asks for: to before the last move of that seat."""
        assert self.session is not None
        while self.past and self.session.decisions:
            last = self.past.pop()
            self.session.undo()
            if last.player == seat:
                break
        self.future = []
        self.stepped()

    def stepped(self) -> None:
        self.at, self._views, self.taken = self.at + 1, {}, None
        for guest in self.guests:
            self.send_whole(guest)

    # ---- what is seen -----------------------------------------------------------------------------------------------

    def view(self, seat: int) -> View:
        assert self.session is not None
        found = super().view(seat)
        if self.is_open and found.seat >= 0:
            found = self._views[seat] = replace(found, places=open_places(self.game, self.session.state))
        return found


def open_places(game: Game, state: State) -> dict[str, SeenPlace]:
    """All cards, wherever they lie: for the author of the rules alone, whose game nobody else plays."""
    cards, names = game.rules.cards, game.layout.place_names
    return {
        names[index]: SeenPlace(
            names[index],
            len(lying),
            tuple(cards[card].id for card in lying),
            tuple(None if state.owners[card] < 0 else state.owners[card] for card in lying),
            None,
        )
        for index, lying in enumerate(state.places)
        if index > 0
    }
