"""Clients for tests: a page that asks and hears through the real application, without a browser."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from shipped import rules
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from teufelswerk_web.server.app import application
from teufelswerk_web.server.limits import Allowance
from teufelswerk_web.tables.house import House
from teufelswerk_web.tables.table import Table

ORIGIN = "http://localhost"
PATIENCE = 20
LANGUAGES = ("de", "en", "ru")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saved games and tables of a test lie in a folder of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


class Client:
    """One page."""

    def __init__(self, socket: WebSocketTestSession, token: str, language: str) -> None:
        self.socket = socket
        self.token = token
        self.heard: list[dict[str, Any]] = []
        self.seat = -1
        self.frame: dict[str, Any] = {}
        """The last thing that was heard of the game."""
        self.ask("hello", token=token, language=language)

    def ask(self, ask: str, **parts: Any) -> None:
        self.socket.send_text(json.dumps({"ask": ask, **parts}))

    def hear(self) -> dict[str, Any]:
        received = self.socket.portal.call(self.soon)
        if received["type"] != "websocket.send":
            raise WebSocketDisconnect(received.get("code", 1000))
        message: dict[str, Any] = json.loads(received["text"])
        self.heard.append(message)
        match message["type"]:
            case "hello":
                self.seat = message["seat"]
            case "seated":
                self.token = message["token"]
            case "game":
                self.frame = message
        return message

    async def soon(self) -> Any:
        """What comes next; a test does not wait for ever."""
        with anyio.fail_after(PATIENCE):
            return await self.socket._send_rx.receive()

    def until(self, type: str) -> dict[str, Any]:
        """The next message of a kind; whatever comes before it is heard too."""
        while (message := self.hear())["type"] != type:
            pass
        return message

    def until_at(self, at: int) -> None:
        """Hears what has happened up to this point of the game."""
        while self.frame["at"] < at:
            self.until("game")

    def refused(self) -> str:
        """What a refusal says."""
        note = self.until("note")
        assert note["style"] == "refused"
        return " ".join(note["lines"])


class Place:
    """A house with its application, and clients that come to its tables."""

    def __init__(self, house: House, stack: ExitStack, burst: float) -> None:
        self.house = house
        self.stack = stack
        app = application(house, {"localhost"}, lambda: Allowance(burst=burst))
        self.browser = stack.enter_context(TestClient(app, base_url=ORIGIN))

    def come(self, token: str, language: str = "en") -> Client:
        headers = {"origin": ORIGIN}
        socket = self.stack.enter_context(self.browser.websocket_connect("ws://localhost/socket", headers=headers))
        return Client(socket, token, language)

    def seated(self, table: Table, count: int) -> list[Client]:
        """So many people with a seat each, in turn in all languages; the game has not begun."""
        clients = []
        for seat in range(count):
            client = self.come(table.token, LANGUAGES[seat % len(LANGUAGES)])
            client.until("room")
            client.ask("sit", seat=seat, name=f"Person {seat}")
            client.until("seated")
            clients.append(client)
        return clients


@contextmanager
def place(keeps: bool = False, burst: float = 10**6) -> Iterator[Place]:
    with ExitStack() as stack:
        yield Place(House(ORIGIN, pace=0, keeps=keeps), stack, burst)


@contextmanager
def game_of(
    name: str, players: int, people: int, seed: int = 1, keeps: bool = False, burst: float = 10**6
) -> Iterator[tuple[Place, Table, list[Client]]]:
    """A game that has just begun, and the clients of its people, who have heard that."""
    with place(keeps, burst) as there:
        table = there.house.open(rules(name), players, "random", seed=seed)
        clients = there.seated(table, people)
        clients[0].ask("start")
        for client in clients:
            client.until("game")
        yield there, table, clients


def play_on(clients: Sequence[Client], seed: int, moves: int = 10**6) -> int:
    """The people choose at random until the game is over, or so many moves were made by all."""
    rng, made = random.Random(seed), 0
    while "over" not in clients[0].frame and made < moves:
        at = max(client.frame["at"] for client in clients)
        for client in clients:
            client.until_at(at)
        mover = next((client for client in clients if client.frame.get("choices")), None)
        if mover is not None:
            mover.ask("move", at=at, number=rng.randrange(len(mover.frame["choices"]["moves"])))
        for client in clients:
            client.until_at(at + 1)
        made += 1
    return made
