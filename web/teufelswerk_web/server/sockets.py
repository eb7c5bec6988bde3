"""One page's socket: it shows its token, then asks; what it is sent waits in a queue with an end."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState
from teufelswerk.base.texts import Text
from teufelswerk.language.i18n import DEFAULT, match

from teufelswerk_web.server.limits import MOST_MISTAKES, MOST_SOCKETS, MOST_WAITING, SECONDS_TO_GREET, Allowance
from teufelswerk_web.tables.guest import Guest
from teufelswerk_web.tables.house import House
from teufelswerk_web.tables.table import Table
from teufelswerk_web.wire.requests import Hello, Request, read
from teufelswerk_web.wire.scenes import Message

POLICY, TOO_MUCH, UNKNOWN = 1008, 1013, 4404


class Sockets:
    """All sockets of a house."""

    def __init__(self, house: House, allowance: Callable[[], Allowance] = Allowance) -> None:
        self.house = house
        self.allowance = allowance
        self.open = 0

    async def serve(self, socket: WebSocket) -> None:
        if self.open >= MOST_SOCKETS:
            await socket.close(TOO_MUCH)
            return
        self.open += 1
        try:
            await socket.accept()
            await self.converse(socket)
        except WebSocketDisconnect:
            pass
        finally:
            self.open -= 1

    async def converse(self, socket: WebSocket) -> None:
        try:
            hello = read(await asyncio.wait_for(received(socket), SECONDS_TO_GREET))
        except TimeoutError:
            hello = None
        found = self.house.find(hello.token) if isinstance(hello, Hello) else None
        if found is None or not isinstance(hello, Hello):
            await socket.close(UNKNOWN)
            return
        table, seat = found
        waiting: asyncio.Queue[Message | None] = asyncio.Queue(MOST_WAITING)
        guest = Guest(lambda message: put(waiting, message), language_of(socket, hello), seat)
        writer = asyncio.create_task(write(socket, waiting))
        try:
            if table.arrive(guest):
                table.wake_bots()
                await self.listen(socket, table, guest, writer)
        finally:
            table.leave(guest)
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await writer
            if socket.application_state is WebSocketState.CONNECTED:
                with contextlib.suppress(RuntimeError):
                    await socket.close(TOO_MUCH)

    async def listen(self, socket: WebSocket, table: Table, guest: Guest, writer: asyncio.Task[None]) -> None:
        allowance, mistakes = self.allowance(), 0
        while not writer.done():
            asked: Request | None = read(await received(socket))
            if not allowance.spend():
                await socket.close(POLICY)
                return
            if asked is None:
                mistakes += 1
                if mistakes >= MOST_MISTAKES:
                    await socket.close(POLICY)
                    return
                table.note(guest, Text("That is no message of this page."), style="refused")
            else:
                await table.hear(guest, asked)


async def received(socket: WebSocket) -> str | bytes:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text: str | bytes | None = message.get("text")
    return text if text is not None else message.get("bytes") or b""


async def write(socket: WebSocket, waiting: asyncio.Queue[Message | None]) -> None:
    while (message := await waiting.get()) is not None:
        await socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))


def put(waiting: asyncio.Queue[Message | None], message: Message) -> None:
    """A page that takes nothing for so long is given up; when it comes back, it gets the table as it stands."""
    if waiting.qsize() < MOST_WAITING - 1:
        waiting.put_nowait(message)
    elif not waiting.full():
        waiting.put_nowait(None)


def language_of(socket: WebSocket, hello: Hello) -> str:
    """What the page has been told, else the first language of the browser that we have."""
    wanted = [
        hello.language,
        *(part.split(";")[0].strip() for part in socket.headers.get("accept-language", "").split(",")),
    ]
    return next((found for tag in wanted if tag and (found := match(tag)) is not None), DEFAULT)
