"""The server's side of a worker: starts its process, sends it the newest text, ends it when it takes too long."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable
from typing import Any

Message = dict[str, Any]
LARGEST_LINE = 32 * 1024 * 1024
SECONDS = 30.0
"""A job that has not come to its end by then is ended with its process; the next one gets a new process."""


class Worker:
    """One kind of work, in a process of its own."""

    def __init__(self, kind: str, hear: Callable[[Message], None], seconds: float = SECONDS) -> None:
        self.kind = kind
        self.hear = hear
        self.seconds = seconds
        self.process: asyncio.subprocess.Process | None = None
        self.listening: asyncio.Task[None] | None = None
        self.late: asyncio.TimerHandle | None = None
        self.newest = 0
        self.starting = asyncio.Lock()

    async def send(self, job: Message) -> None:
        """Gives it a job, which takes the place of whatever it is doing."""
        await self.be_ready()
        assert self.process is not None and self.process.stdin is not None
        self.newest = job["n"]
        if self.late is None:
            self.wait_for_it()
        with contextlib.suppress(ConnectionError):
            self.process.stdin.write(json.dumps(job).encode() + b"\n")
            await self.process.stdin.drain()

    async def be_ready(self) -> None:
        """Starts the process, if it does not run: it takes a moment, which nobody needs to wait for."""
        async with self.starting:
            if self.process is None or self.process.returncode is not None:
                await self.start()

    async def start(self) -> None:
        command = [sys.executable, "-P", "-m", "teufelswerk_web.workshop.worker", self.kind]
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=LARGEST_LINE)
        self.listening = asyncio.create_task(self.listen(self.process))

    async def listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            while line := await process.stdout.readline():
                message = json.loads(line)
                if message["type"] == "done":
                    self.call_off_clock()
                    if message["n"] != self.newest:  # it goes on with the newest text
                        self.wait_for_it()
                else:
                    self.hear(message)
        except ValueError:  # a line that is too long: whoever writes it is not heard any more
            process.kill()
        await process.wait()
        process._transport.close()  # type: ignore[attr-defined]  # the pipes as well

    def wait_for_it(self) -> None:
        self.late = asyncio.get_running_loop().call_later(self.seconds, self.too_late)

    def too_late(self) -> None:
        self.late = None
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
        self.hear({"type": "late", "n": self.newest, "kind": self.kind})

    def call_off_clock(self) -> None:
        if self.late is not None:
            self.late.cancel()
        self.late = None

    def close(self) -> None:
        """Ends the process at once, whatever it is doing; nobody has to wait for that."""
        self.call_off_clock()
        if self.process is not None:
            self.process._transport.close()  # type: ignore[attr-defined]  # the pipes as well
        if self.listening is not None:
            self.listening.cancel()
