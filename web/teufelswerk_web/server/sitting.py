"""One page of the studio: the file that it shows, the text in its editor, and whoever works out what that means."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import assert_never

from teufelswerk.base.diagnostics import RuleError
from teufelswerk.base.find_files import SUFFIX, bases, known
from teufelswerk.base.texts import Text
from teufelswerk.editing.opened import opened
from teufelswerk.interpreter.game import Game
from teufelswerk.language.i18n import DEFAULT, Translator, match
from teufelswerk.model import Model
from teufelswerk.sessions.session import ADVISER

from teufelswerk_web.tables.house import House
from teufelswerk_web.tables.rehearsal import Rehearsal
from teufelswerk_web.wire import studio_requests as ask
from teufelswerk_web.wire.scenes import Message
from teufelswerk_web.wire.studio_words import studio_words
from teufelswerk_web.workshop.example_of_position import example_of
from teufelswerk_web.workshop.papers import NO_FILE, Folder, Paper, Refused
from teufelswerk_web.workshop.workers import Worker

PAUSE, LOOKS = 0.25, 1.0
"""Seconds without a keystroke before many games are played; seconds between two looks at the file on the disk."""
USUAL_PLAYERS = 4


@dataclass
class Studio:
    """What all pages share: the folder, the token, and the house in which tables stand."""

    folder: Folder
    token: str
    house: House
    begin_with: Paper | None = None
    languages: list[tuple[str, str]] = field(default_factory=list)


class Sitting:
    def __init__(self, studio: Studio, send: Callable[[Message], None], hello: ask.Greet) -> None:
        self.studio = studio
        self.send = send
        self.language = match(hello.language) or DEFAULT
        self.book = match(hello.book) or self.language
        self.say = Translator(self.language)
        self.pane: ask.Pane = "book"
        self.paper: Paper | None = None
        self.told_stamp = NO_FILE
        self.text, self.n = "", 0
        self.players = USUAL_PLAYERS
        self.table: Rehearsal | None = None
        self.workers = {kind: Worker(kind, self.found) for kind in ("reading", "figures")}
        self.waiting: asyncio.TimerHandle | None = None
        self.tasks: set[asyncio.Task[None]] = set()
        self.looking = asyncio.create_task(self.look_at_disk())

    # ---- coming and going -------------------------------------------------------------------------------------------

    def greet(self) -> None:
        named = known()
        games = [name for name, path in sorted(named.items()) if not bases(path, named)]
        self.send(
            {
                "type": "hello",
                "words": studio_words(self.say),
                "language": self.language,
                "book": self.book,
                "languages": self.studio.house.arrangement.languages,
                "folder": str(self.studio.folder.path),
                "files": self.studio.folder.names(),
                "games": games,
                "begins": self.studio.begin_with is not None,
            }
        )

    def close(self) -> None:
        self.looking.cancel()
        if self.waiting is not None:
            self.waiting.cancel()
        for task in self.tasks:
            task.cancel()
        for worker in self.workers.values():
            worker.close()
        self.leave_table()

    def refuse(self, message: Text) -> None:
        self.send({"type": "refused", "words": self.say(message)})

    # ---- what is asked for ------------------------------------------------------------------------------------------

    async def hear(self, request: ask.StudioRequest) -> None:
        try:
            await self.answer(request)
        except Refused as problem:
            self.refuse(problem.message)
        except RuleError as problem:
            self.refuse(problem.diagnostic.message)

    async def answer(self, request: ask.StudioRequest) -> None:
        match request:
            case ask.Greet():
                pass
            case ask.Begin():
                if self.studio.begin_with is not None:
                    self.put_on_desk(self.fresh(self.studio.begin_with))
            case ask.Resume():
                self.studio.folder.file(request.name)
                self.paper, self.told_stamp = Paper(request.name, "", request.stamp), request.stamp
            case ask.Open():
                self.put_on_desk(self.studio.folder.read(request.name))
            case ask.New():
                self.put_on_desk(self.new(request))
            case ask.Written():
                await self.written(request)
            case ask.Save():
                self.save(request)
            case ask.Show():
                self.pane = request.pane
                await self.work_out()
            case ask.BookIn():
                self.book = match(request.language) or self.book
                await self.read()
            case ask.Players():
                self.players = max(1, min(100, request.number))
                await self.work_out()
            case ask.StepTo():
                await self.step(request.step)
            case ask.MakeExample():
                await self.make_example(request.heading)
            case _:
                assert_never(request)

    # ---- files ------------------------------------------------------------------------------------------------------

    def put_on_desk(self, paper: Paper) -> None:
        self.leave_table()
        self.paper, self.text, self.told_stamp = paper, paper.text, paper.stamp
        path = self.path
        self.send({"type": "file", "name": paper.name, "uri": path.as_uri(), "text": paper.text, "stamp": paper.stamp})

    def fresh(self, paper: Paper) -> Paper:
        """As it lies on the disk by now, if it does."""
        folder = self.studio.folder
        return folder.read(paper.name) if paper.name in folder.names() else paper

    @property
    def path(self) -> Path:
        assert self.paper is not None
        return self.studio.folder.path / f"{self.paper.name}{SUFFIX}"

    def new(self, request: ask.New) -> Paper:
        folder = self.studio.folder
        match request.kind:
            case "template":
                return folder.template()
            case "copy":
                return folder.copy(request.of)
            case "variant":
                title = self.say(Text("{game}, my way", game=request.of.replace("-", " ").title()))
                return folder.variant(request.of, title, self.say(Text("Say here what is different.")))
            case _:
                assert_never(request.kind)

    def save(self, request: ask.Save) -> None:
        if self.paper is None:
            return
        stamp = self.studio.folder.save(self.paper.name, request.text, request.stamp)
        self.told_stamp = stamp
        self.send({"type": "saved", "stamp": stamp, "files": self.studio.folder.names()})
        self.later(self.read())

    async def look_at_disk(self) -> None:
        """Tells the page when another program has changed the file."""
        while True:
            await asyncio.sleep(LOOKS)
            if self.paper is None:
                continue
            try:
                stamp = self.studio.folder.stamp(self.paper.name)
                if stamp not in (self.told_stamp, NO_FILE):
                    text = self.studio.folder.read(self.paper.name).text
                    self.told_stamp = stamp
                    self.send({"type": "changed", "stamp": stamp, "text": text})
            except Refused:
                continue

    # ---- what the text means ----------------------------------------------------------------------------------------

    async def written(self, request: ask.Written) -> None:
        self.text, self.n = request.text, request.n
        await self.read()
        self.later(self.workers["figures"].be_ready())
        await self.work_out()

    async def read(self) -> None:
        if self.paper is not None:
            await self.workers["reading"].send(self.job())

    async def work_out(self) -> None:
        """What is looked at besides the book: many games once the typing pauses, and the table."""
        if self.waiting is not None:
            self.waiting.cancel()
            self.waiting = None
        if self.paper is None:
            return
        if self.pane == "figures":
            loop = asyncio.get_running_loop()
            self.waiting = loop.call_later(PAUSE, lambda: self.later(self.workers["figures"].send(self.job())))
        elif self.pane == "table":
            await self.set_table()

    def job(self) -> Message:
        return {
            "n": self.n, "path": str(self.path), "text": self.text, "language": self.language, "book": self.book,
            "players": self.players,
        }  # fmt: skip

    def found(self, message: Message) -> None:
        """A worker has found something; what is about an earlier text is of no use."""
        if message["n"] == self.n:
            self.send(message)

    def later(self, work: object) -> None:
        task = asyncio.ensure_future(work)  # type: ignore[call-overload]
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    # ---- the table --------------------------------------------------------------------------------------------------

    async def set_table(self) -> None:
        """The game by the rules as they are now: begun, or gone on with as far as they allow."""
        path, text, n = self.path, self.text, self.n
        rules = (await asyncio.to_thread(opened, path, text)).loaded.model
        if n != self.n:
            return
        if rules is None:
            self.send({"type": "table", "n": n, "playable": False})
            return
        players = max(rules.min_players, min(rules.max_players, self.players))
        if self.table is None or self.table.game.rules.digest != rules.digest or self.table.game.players != players:
            self.play_by(rules, players)
        assert self.table is not None
        self.send(
            {
                "type": "table", "n": n, "playable": True, "token": self.table.link, "players": players,
                "range": [rules.min_players, rules.max_players],
            }
        )  # fmt: skip

    def play_by(self, rules: Model, players: int) -> None:
        house, game = self.studio.house, Game(rules, players)
        house.games[rules.digest] = rules
        if self.table is None:
            self.table = Rehearsal(game, ADVISER, house.arrangement, self.say(Text("You")))
            house.tables[self.table.token] = self.table
        else:
            made, before = self.table.change(game), len(self.table.past)
            assert made == before
        house.clear_away([rules])
        self.table.wake_bots()

    def leave_table(self) -> None:
        if self.table is not None:
            self.studio.house.tables.pop(self.table.token, None)
            self.table.halted = True
            for guest in list(self.table.guests):
                self.table.leave(guest)
        self.table = None

    async def step(self, step: ask.Step) -> None:
        if self.table is None:
            return
        async with self.table.lock:
            match step:
                case "back":
                    self.table.back()
                case "forth":
                    self.table.forth()
                case "on":
                    self.table.halted = False
                case "deal":
                    self.table.deal_anew()
                case "open" | "closed":
                    self.table.show(step == "open")
                case _:
                    assert_never(step)
        self.table.wake_bots()

    async def make_example(self, heading: str) -> None:
        if self.table is None:
            return
        table = self.table
        lines = await asyncio.to_thread(example_of, table.game, table.dealt, list(table.past))
        if lines is None:
            raise Refused(Text("This position cannot be told as an example: no step begins where all of it is known."))
        self.send({"type": "example", "lines": lines})
