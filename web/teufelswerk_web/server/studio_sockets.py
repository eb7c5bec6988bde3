"""The studio's two sockets: what the page asks for, and the language of editors; both only with the link's token."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from hmac import compare_digest
from typing import TypeAlias

from starlette.websockets import WebSocket, WebSocketDisconnect
from teufelswerk.base.texts import Text

from teufelswerk_web.server.limits import MOST_MISTAKES, MOST_WAITING, SECONDS_TO_GREET, Allowance
from teufelswerk_web.server.sitting import Sitting, Studio
from teufelswerk_web.server.sockets import POLICY, TOO_MUCH, UNKNOWN, put, received, write
from teufelswerk_web.wire.requests import MAX_REQUEST_BYTES
from teufelswerk_web.wire.scenes import Message
from teufelswerk_web.wire.studio_requests import Greet, read_studio

Converse: TypeAlias = Callable[
    [AsyncIterable[str | bytes], Callable[[str], Awaitable[None]], str | None], Awaitable[None]
]
"""What speaks the protocol of editors over texts that come and go."""
MOST_PAGES = 8
BURST, EACH_SECOND = 400.0, 60.0
"""Whoever types asks several things at every keystroke."""


class StudioSockets:
    def __init__(self, studio: Studio, converse: Converse) -> None:
        self.studio = studio
        self.converse = converse
        self.open = 0

    async def serve(self, socket: WebSocket) -> None:
        await self.within_bounds(socket, self.sit)

    async def edit(self, socket: WebSocket) -> None:
        await self.within_bounds(socket, self.speak)

    async def within_bounds(self, socket: WebSocket, work: Callable[[WebSocket], Awaitable[None]]) -> None:
        if self.open >= 2 * MOST_PAGES:
            await socket.close(TOO_MUCH)
            return
        self.open += 1
        try:
            await socket.accept()
            await work(socket)
        except WebSocketDisconnect:
            pass
        finally:
            self.open -= 1

    def is_ours(self, token: str) -> bool:
        return compare_digest(token.encode(errors="replace"), self.studio.token.encode())

    # ---- what the page asks for -------------------------------------------------------------------------------------

    async def sit(self, socket: WebSocket) -> None:
        hello = await self.first(socket)
        asked = read_studio(hello) if len(hello) <= MAX_REQUEST_BYTES else None
        if not isinstance(asked, Greet) or not self.is_ours(asked.token):
            await socket.close(UNKNOWN)
            return
        waiting: asyncio.Queue[Message | None] = asyncio.Queue(MOST_WAITING)
        sitting = Sitting(self.studio, lambda message: put(waiting, message), asked)
        writer = asyncio.create_task(write(socket, waiting))
        try:
            sitting.greet()
            await self.listen(socket, sitting, writer)
        finally:
            writer.cancel()
            sitting.close()

    async def listen(self, socket: WebSocket, sitting: Sitting, writer: asyncio.Task[None]) -> None:
        allowance, mistakes = Allowance(burst=BURST, each_second=EACH_SECOND), 0
        while not writer.done():
            asked = read_studio(await received(socket))
            if not allowance.spend() or mistakes >= MOST_MISTAKES:
                await socket.close(POLICY)
                return
            if asked is None:
                mistakes += 1
                sitting.refuse(Text("That is no message of this page."))
            else:
                await sitting.hear(asked)

    # ---- the language of editors ------------------------------------------------------------------------------------

    async def speak(self, socket: WebSocket) -> None:
        """The first message is the token and the language; what follows is the protocol, one message in each frame."""
        try:
            hello = json.loads(await self.first(socket))
        except (ValueError, RecursionError):
            hello = None
        token, language = (hello.get(part) if isinstance(hello, dict) else None for part in ("token", "language"))
        if not isinstance(token, str) or not isinstance(language, str) or not self.is_ours(token):
            await socket.close(UNKNOWN)
            return
        with contextlib.suppress(WebSocketDisconnect):
            await self.converse(self.messages(socket), socket.send_text, language)

    async def messages(self, socket: WebSocket) -> AsyncIterator[str | bytes]:
        allowance = Allowance(burst=BURST, each_second=EACH_SECOND)
        while True:
            try:
                message = await received(socket)
            except WebSocketDisconnect:
                return
            if not allowance.spend():
                await socket.close(POLICY)
                return
            yield message

    @staticmethod
    async def first(socket: WebSocket) -> str | bytes:
        try:
            return await asyncio.wait_for(received(socket), SECONDS_TO_GREET)
        except TimeoutError:
            return ""
