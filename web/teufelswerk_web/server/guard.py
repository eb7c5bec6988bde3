"""Every request passes here: only hosts that are ours, only pages of our own, and headers that let nothing else in."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

OURS = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'"
NOBODYS = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
POLICY = f"{OURS}; {NOBODYS}"
DOCUMENT_POLICY = f"default-src 'none'; style-src 'unsafe-inline'; {NOBODYS}"
"""For a rulebook: one file with its own styles, and no program."""
HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """Around the whole application."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        """Under which names we are reached, without a port: a name that somebody points at us is none of them."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        fits = name_of(host) in self.hosts
        if scope["type"] == "websocket":
            # a browser always says from which page a socket is opened; other programs need not, and have no cookies
            origin = headers.get("origin")
            if not fits or (origin is not None and place_of(origin) != host):
                await receive()
                await send({"type": "websocket.close", "code": 1008})
                return
            await self.app(scope, receive, send)
            return
        if not fits:
            await PlainTextResponse("unknown host", 421)(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    found.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, with_headers)


def place_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def name_of(host: str) -> str:
    """`localhost:8000` → `localhost`, `[::1]:8000` → `::1`"""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
