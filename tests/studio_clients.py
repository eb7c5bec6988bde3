"""A page of the studio for tests: what it asks and hears, through the real application, without a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from teufelswerk_cli.editor.serving import converse
from teufelswerk_web.server.sitting import Studio
from teufelswerk_web.server.studio import Folder, Paper, new_studio, studio_application

ORIGIN = "http://localhost"
PATIENCE = 60


class Talk:
    """One socket."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket

    def tell(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def hear(self) -> dict[str, Any]:
        received = self.socket.portal.call(self.soon)
        if received["type"] != "websocket.send":
            raise WebSocketDisconnect(received.get("code", 1000))
        message: dict[str, Any] = json.loads(received["text"])
        return message

    async def soon(self) -> Any:
        with anyio.fail_after(PATIENCE):
            return await self.socket._send_rx.receive()

    def until(self, key: str, value: object) -> dict[str, Any]:
        """The next message that says so; whatever comes before it is passed over."""
        while (message := self.hear()).get(key) != value:
            pass
        return message


class Page(Talk):
    def ask(self, ask: str, **parts: Any) -> None:
        self.tell(ask=ask, **parts)

    def write(self, n: int, text: str) -> None:
        self.ask("text", n=n, text=text)


class Place:
    """A studio with its application."""

    def __init__(self, studio: Studio, browser: TestClient) -> None:
        self.studio = studio
        self.browser = browser

    @contextmanager
    def socket(self, path: str, origin: str = ORIGIN) -> Iterator[WebSocketTestSession]:
        with self.browser.websocket_connect(f"ws://localhost{path}", headers={"origin": origin}) as socket:
            yield socket

    @contextmanager
    def page(self, language: str = "en", book: str = "de") -> Iterator[Page]:
        with self.socket("/studio") as socket:
            page = Page(socket)
            page.ask("hello", token=self.studio.token, language=language, book=book)
            yield page


@contextmanager
def studio_in(folder: Path, begin_with: Paper | None = None) -> Iterator[Place]:
    studio = new_studio(Folder(folder), ORIGIN, begin_with, pace=0)
    with TestClient(studio_application(studio, converse, {"localhost"}), base_url=ORIGIN) as browser:
        yield Place(studio, browser)
