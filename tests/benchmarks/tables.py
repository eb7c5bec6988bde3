"""How many tables one process serves: every table with clients of its own, who move as soon as they are asked.

    python tests/benchmarks/tables.py --tables 100 --clients 4 --seconds 30

Clients are a process of their own; each thinks for a while, as people do, before it answers. What is measured is the
time from a move to its frame at the client that made it, and the memory of the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import resource
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from shipped import rules
from teufelswerk_web.server import host
from teufelswerk_web.tables.house import House
from websockets.asyncio.client import connect


def serve(port: int, game: str, tables: int, players: int, told: Any) -> None:
    house = House(f"http://127.0.0.1:{port}", pace=0.5)
    for _ in range(tables):
        house.open(rules(game), players, "random")
    listening = host.bound("127.0.0.1", port)
    host.run(house, host.LOOPBACK, listening, lambda: told.send(list(house.tables)))


def memory(process: int) -> float:
    """Resident, in megabytes."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


async def play(
    port: int, token: str, seat: int, think: float, seconds: float, times: list[float], begin: asyncio.Barrier
) -> None:
    """One page: sits down, and moves whenever it is asked."""
    rng = random.Random(f"{token}{seat}")
    async with connect(f"ws://127.0.0.1:{port}/socket", max_size=None, compression="deflate") as socket:

        async def ask(ask: str, **parts: Any) -> None:
            await socket.send(json.dumps({"ask": ask, **parts}))

        async def heard() -> dict[str, Any]:
            found: dict[str, Any] = json.loads(await socket.recv())
            return found

        await ask("hello", token=token, language="en")
        while (await heard())["type"] != "room":
            pass
        await ask("sit", seat=seat, name=f"Person {seat}")
        while (await heard())["type"] != "seated":
            pass
        await begin.wait()
        until = time.monotonic() + seconds
        if seat == 0:
            await ask("start")
        asked: float | None = None
        while time.monotonic() < until:
            try:
                message = await asyncio.wait_for(heard(), max(0.01, until - time.monotonic()))
            except TimeoutError:
                return
            if message["type"] != "game":
                continue
            if asked is not None:
                times.append(time.monotonic() - asked)
                asked = None
            if "over" in message and seat == 0:
                await ask("again")
            if choices := message.get("choices"):
                await asyncio.sleep(rng.uniform(0.5, 1.5) * think)
                asked = time.monotonic()
                await ask("move", at=message["at"], number=rng.randrange(len(choices["moves"])))


async def measure(port: int, tokens: list[str], clients: int, think: float, seconds: float) -> list[float]:
    times: list[float] = []
    begin = asyncio.Barrier(len(tokens) * clients)
    async with asyncio.TaskGroup() as group:
        for token in tokens:
            for seat in range(clients):
                group.create_task(play(port, token, seat, think, seconds, times, begin))
                await asyncio.sleep(0.005)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="little-devils")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--think", type=float, default=2.0, help="seconds before a move, on average")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--port", type=int, default=8899)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        here, there = multiprocessing.Pipe()
        words = options.port, options.game, options.tables, options.clients, there
        server = multiprocessing.Process(target=serve, args=words, daemon=True)
        server.start()
        tokens = here.recv()
        before = memory(server.pid or 0)
        times = asyncio.run(measure(options.port, tokens, options.clients, options.think, options.seconds))
        after = memory(server.pid or 0)
        server.terminate()
        server.join()
    cuts = quantiles(times, n=100)
    print(f"{options.tables} tables of {options.game}, {options.clients} clients each: {len(times)} moves,")  # noqa: T201
    print(f"answered in {median(times) * 1000:.0f} ms (median), {cuts[98] * 1000:.0f} ms (99 %);")  # noqa: T201
    print(f"memory {after:.0f} MB, {(after - before) / options.tables * 1000:.0f} kB for each table")  # noqa: T201


if __name__ == "__main__":
    main()
