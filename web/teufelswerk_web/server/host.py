"""Runs a house: opens a port, says where it is, serves until it is stopped."""

from __future__ import annotations

import socket
from collections.abc import Callable, Collection

import uvicorn

from teufelswerk_web.server.app import application
from teufelswerk_web.server.guard import Guard
from teufelswerk_web.server.guard import name_of as name_of
from teufelswerk_web.tables.house import House
from teufelswerk_web.wire.qr_code import qr_code as qr_code
from teufelswerk_web.wire.requests import MAX_REQUEST_BYTES

LOOPBACK = ("localhost", "127.0.0.1", "::1")
SECONDS_TO_CLOSE = 2


def own_address() -> str | None:
    """Under which address others in the network reach this machine; nothing is sent to find that out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        found: str = probe.getsockname()[0]
        return found


def bound(address: str, port: int) -> socket.socket:
    """The port, before anything is said about it. Raises OSError if it is taken."""
    listening = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, port))
    except OSError:
        listening.close()
        raise
    return listening


def run(house: House, hosts: Collection[str], listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serves until Ctrl+C."""
    try:
        serving(application(house, hosts), listening, ready, MAX_REQUEST_BYTES, 8)
    finally:
        house.close()


def serving(app: Guard, listening: socket.socket, ready: Callable[[], None], largest: int, waiting: int) -> None:
    """An application behind a port; messages have at most so many bytes, and so many wait to be heard."""

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

    config = uvicorn.Config(
        app,
        access_log=False,
        log_level="error",
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws_max_size=largest,
        ws_max_queue=waiting,
        timeout_graceful_shutdown=SECONDS_TO_CLOSE,
    )
    Server(config).run([listening])
