"""The studio's application: its page, the table that stands in it, and the sockets; for one person on one machine."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from html import escape
from socket import socket

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute

from teufelswerk_web.server.app import TYPES, Pages
from teufelswerk_web.server.guard import OURS, Guard
from teufelswerk_web.server.host import serving
from teufelswerk_web.server.sitting import Studio
from teufelswerk_web.server.sockets import Sockets
from teufelswerk_web.server.studio_sockets import Converse, StudioSockets
from teufelswerk_web.tables.chairs import new_token
from teufelswerk_web.tables.house import House
from teufelswerk_web.wire.studio_requests import MAX_STUDIO_BYTES
from teufelswerk_web.workshop.papers import NO_FILE as NO_FILE
from teufelswerk_web.workshop.papers import Folder as Folder
from teufelswerk_web.workshop.papers import Paper as Paper
from teufelswerk_web.workshop.papers import Refused as Refused

ONLY_HERE = "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
TABLE_POLICY = f"{OURS}; {ONLY_HERE}"
SHEET_POLICY = f"default-src 'none'; style-src 'unsafe-inline'; {ONLY_HERE}"
"""For a page that is filled from outside and can do nothing by itself."""
SHEET = "<!doctype html><title>·</title>"


class StudioPages(Pages):
    """The pages of the house, and those of the studio."""

    async def studio(self, request: Request) -> Response:
        """Styles that the editor makes for itself are let in by a number that is used once."""
        nonce = secrets.token_urlsafe(16)
        ours = OURS.replace("style-src 'self'", f"style-src 'self' 'nonce-{nonce}'")
        policy = f"{ours}; frame-src 'self'; {ONLY_HERE}"
        page = self.assets["studio.html"].replace(b"NONCE", escape(nonce).encode())
        headers = {"content-security-policy": policy, "cache-control": "no-store"}
        return Response(page, media_type=TYPES["html"], headers=headers)

    async def table(self, request: Request) -> Response:
        headers = {"content-security-policy": TABLE_POLICY, "cache-control": "no-cache"}
        return Response(self.assets["index.html"], media_type=TYPES["html"], headers=headers)

    async def sheet(self, request: Request) -> Response:
        return Response(SHEET, media_type=TYPES["html"], headers={"content-security-policy": SHEET_POLICY})


def new_studio(folder: Folder, origin: str, begin_with: Paper | None = None, pace: float = 0.5) -> Studio:
    """A studio with a token of its own; its tables are kept nowhere."""
    return Studio(folder, new_token(), House(origin, pace, keeps=False), begin_with)


def link_of(studio: Studio) -> str:
    return f"{studio.house.arrangement.origin}/#{studio.token}"


def studio_application(studio: Studio, converse: Converse, hosts: Collection[str]) -> Guard:
    pages = StudioPages(studio.house)
    sockets = StudioSockets(studio, converse)
    routes = [
        Route("/", pages.studio),
        Route("/table", pages.table),
        Route("/sheet", pages.sheet),
        Route("/assets/{name:str}", pages.file),
        Route("/cards/{digest:str}/{language:str}/{name:str}.svg", pages.card),
        Route("/book/{digest:str}/{language:str}", pages.book),
        WebSocketRoute("/socket", Sockets(studio.house).serve),
        WebSocketRoute("/studio", sockets.serve),
        WebSocketRoute("/language", sockets.edit),
    ]
    return Guard(Starlette(routes=routes), hosts)


def run_studio(
    studio: Studio, converse: Converse, hosts: Collection[str], listening: socket, ready: Callable[[], None]
) -> None:
    """Serves until Ctrl+C."""
    serving(studio_application(studio, converse, hosts), listening, ready, MAX_STUDIO_BYTES, 64)
