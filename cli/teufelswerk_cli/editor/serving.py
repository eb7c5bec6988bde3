"""A server behind the pipes of an editor that has started it, or one for each web socket that a browser opens."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import sys
from collections.abc import AsyncIterable, Awaitable, Callable

import click

from teufelswerk_cli.console.speech import _, language_option
from teufelswerk_cli.console.terminal import unguarded
from teufelswerk_cli.editor.assisting import add_assisting
from teufelswerk_cli.editor.desk import PAUSE
from teufelswerk_cli.editor.naming import add_naming
from teufelswerk_cli.editor.server import RuleServer, make_server

HOST = "localhost"
LARGEST = 8 * 1024 * 1024
"""Bytes of a message."""


def serve(port: int | None) -> None:
    """Goes on until the editor ends it, or Ctrl-C."""
    quietly()
    language = language_option(sys.argv[1:])
    if port is None:
        whole_server(language).start_io(stdout=unguarded(sys.stdout).buffer)  # messages are no words for a terminal
    else:
        asyncio.run(serve_web_sockets(port, language, lambda at: click.echo(_("Listening at {address}", address=at))))


def quietly() -> None:
    """Nothing is logged, and memory is tidied up by the desks alone, when the typing rests."""
    logging.getLogger("pygls").setLevel(logging.ERROR)
    gc.disable()


def whole_server(language: str | None = None, pause: float = PAUSE) -> RuleServer:
    """A server that answers all that it can be asked."""
    server = make_server(language, pause)
    add_naming(server)
    add_assisting(server)
    return server


async def serve_web_sockets(port: int, language: str | None, ready: Callable[[str], None]) -> None:
    """Each connection is an editor of its own. Pages of other hosts are refused: any page may try to connect."""
    from websockets.asyncio.server import ServerConnection
    from websockets.asyncio.server import serve as listen
    from websockets.typing import Origin

    async def one(socket: ServerConnection) -> None:
        async def send(data: str) -> None:
            await socket.send(data)

        await converse(socket, send, language)

    here = [None, *(Origin(f"http://{host}{at}") for host in (HOST, "127.0.0.1") for at in ("", f":{port}"))]
    async with listen(one, HOST, port, origins=here, max_size=LARGEST) as server:
        ready(f"ws://{HOST}:{server.sockets[0].getsockname()[1]}")
        await server.wait_closed()


async def converse(
    messages: AsyncIterable[str | bytes],
    send: Callable[[str], Awaitable[None]],
    language: str | None = None,
    pause: float = PAUSE,
) -> None:
    """One editor, whose messages come and go as texts over any channel: what a browser's page opens is one."""
    server = whole_server(language, pause)
    loop = asyncio.get_running_loop()
    outgoing: asyncio.Queue[str | None] = asyncio.Queue()

    class Writer:
        def write(self, data: bytes | str) -> None:
            text = data if isinstance(data, str) else data.decode()
            loop.call_soon_threadsafe(outgoing.put_nowait, text)

        def close(self) -> None:
            loop.call_soon_threadsafe(outgoing.put_nowait, None)

    async def deliver() -> None:
        while (text := await outgoing.get()) is not None:
            await send(text)

    server.protocol.set_writer(Writer(), include_headers=False)
    delivery = asyncio.create_task(deliver())
    try:
        async for message in messages:
            try:
                server.protocol.handle_message(json.loads(message, object_hook=server.protocol.structure_message))
            except ValueError:
                continue  # no message at all: the next one may be
    finally:
        for uri in list(server.desk.sheets):
            server.desk.put_away(uri)
        delivery.cancel()
