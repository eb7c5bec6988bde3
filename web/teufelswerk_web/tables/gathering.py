"""Those who are at a table: who has come, what they are greeted with, in which language each is told what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from teufelswerk.base.texts import Seat, Text
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.show import NOBODY
from teufelswerk.interpreter.view import View
from teufelswerk.sessions.journal import Journal
from teufelswerk.sessions.session import HUMAN, Session

from teufelswerk_web.tables.chairs import Chairs, new_token
from teufelswerk_web.tables.guest import Guest
from teufelswerk_web.tables.telling import Telling
from teufelswerk_web.wire.lexicon import Lexicon
from teufelswerk_web.wire.qr_code import qr_rows
from teufelswerk_web.wire.scenes import Message, plan
from teufelswerk_web.wire.words import page_words

MOST_GUESTS = 64


@dataclass
class Arrangement:
    """What a table needs of the house that it stands in."""

    lexicon: Callable[[Game, str], Lexicon]
    journal: Callable[[Game, list[str], list[str], int], Journal | None]
    keep: Callable[[Gathering], None]
    """Called whenever somebody has sat down or a game has begun."""
    pace: float = 0.9
    """Seconds that a bot lets pass before its move."""
    languages: list[tuple[str, str]] = field(default_factory=list)
    origin: str = ""
    """Under which address others reach it."""

    def link(self, token: str) -> str:
        """What one sends to the others; browsers keep what stands behind `#` to themselves."""
        return f"{self.origin}/#{token}"


class Gathering:
    """A table without its rules of conduct: its chairs, its guests, its game."""

    def __init__(self, game: Game, bot: str, house: Arrangement, token: str) -> None:
        self.game = game
        self.house = house
        self.token = token or new_token()
        self.chairs = Chairs(game.players, bot)
        self.session: Session | None = None
        self.guests: set[Guest] = set()
        self.at = 0
        """Counts whatever changes the game, so that nobody answers what is no longer asked."""
        self.asked: tuple[int, set[int]] | None = None
        """Who wants to take a move back, and who has still to agree."""
        self._views: dict[int, View] = {}

    # ---- coming and going -------------------------------------------------------------------------------------------

    def arrive(self, guest: Guest) -> bool:
        """Somebody has opened the page; False if there is no room for more."""
        if len(self.guests) >= MOST_GUESTS:
            return False
        self.guests.add(guest)
        if guest.seat != NOBODY:
            self.chairs[guest.seat].stand_in = False
        self.greet(guest)
        self.others_know(guest)
        return True

    def leave(self, guest: Guest) -> None:
        self.guests.discard(guest)
        self.others_know(None)

    def greet(self, guest: Guest) -> None:
        """All that the page needs: words, cards, places, and the table as it stands."""
        lexicon = self.lexicon(guest)
        hello = {
            "type": "hello",
            "language": guest.language,
            "languages": self.house.languages,
            "words": page_words(lexicon.say),
            "seat": guest.seat,
            "players": self.game.players,
            "link": self.house.link(self.token),
            "book": f"/book{lexicon.pictures.removeprefix('/cards')}/{guest.language}",
            **plan(lexicon, self.names(guest)),
        }
        guest.send(hello)
        self.send_whole(guest)

    def send_whole(self, guest: Guest) -> None:
        if self.session is None:
            code = qr_rows(self.house.link(self.token))
            guest.send({"type": "room", "code": code, **self.people(guest)})
        else:
            found = self.telling(guest).whole(self.view(guest.seat))
            guest.send({"type": "game", "at": self.at, "whole": True, **found, **self.people(guest)})

    def others_know(self, guest: Guest | None) -> None:
        """Who is there has changed."""
        for other in self.guests - {guest}:
            other.send({"type": "people", **self.people(other)})

    def people(self, guest: Guest) -> Message:
        present = {other.seat for other in self.guests}
        lexicon = self.lexicon(guest)
        chairs = [
            {
                "name": chair.shown_to(lexicon),
                "kind": chair.kind if chair.kind in ("free", HUMAN) else "bot",
                "away": chair.is_person and chair.seat not in present,
                "standIn": chair.stand_in,
            }
            for chair in self.chairs.all
        ]
        question = None
        if self.asked is not None and guest.seat in self.asked[1]:
            words = Text("{player} asks to take the last move back. Do you agree?", player=Seat(self.asked[0]))
            question = lexicon.say(words, self.names(guest))
        return {"chairs": chairs, "question": question}

    # ---- words ------------------------------------------------------------------------------------------------------

    def lexicon(self, guest: Guest) -> Lexicon:
        return self.house.lexicon(self.game, guest.language)

    def names(self, guest: Guest) -> list[str]:
        lexicon = self.lexicon(guest)
        return [
            chair.shown_to(lexicon) if chair.name else lexicon.say(Text("Player {n}", n=chair.seat + 1))
            for chair in self.chairs.all
        ]

    def telling(self, guest: Guest) -> Telling:
        assert self.session is not None
        return Telling(self.session, self.lexicon(guest), self.names(guest))

    def note(self, guest: Guest, *lines: Text | str, style: str = "") -> None:
        lexicon, names = self.lexicon(guest), self.names(guest)
        guest.send({"type": "note", "lines": [lexicon.say(line, names) for line in lines], "style": style})

    def note_all(self, text: Text) -> None:
        for guest in self.guests:
            self.note(guest, text)

    def view(self, seat: int) -> View:
        assert self.session is not None
        if seat not in self._views:
            self._views[seat] = self.game.view(self.session.state, seat)
        return self._views[seat]
