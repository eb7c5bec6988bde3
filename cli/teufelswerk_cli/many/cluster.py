"""A Dask cluster as a crew: who answers at an address, what is lost with a worker, and what is wrong in plain words."""

from __future__ import annotations

import logging
import re
import socket
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any

from teufelswerk.base.texts import Text

from teufelswerk_cli.many.parcels import Strange, packed, unpacked
from teufelswerk_cli.many.portion import Errand, Lost, Pending, Portion
from teufelswerk_cli.many.same_program import version
from teufelswerk_cli.many.worker_code import errands

ANSWER = 5.0
"""Seconds in which a scheduler answers, if there is one."""
WORKERLESS = 60.0
"""Seconds after which nobody expects that a worker comes back."""
RETRIES = 5
ADDRESS = re.compile(r"(?:(?:tcp|tls)://)?(?P<host>[^\s/:]+|\[[0-9a-fA-F:.]+\]):(?P<port>\d{1,5})/?$")
PLAIN = ["msgpack", "error"]
"""How results may be written down: as numbers and texts, and not as pickles, which are programs."""
LOOK = 2.0
"""Seconds between two looks at who is there."""


@contextmanager
def crew_at(address: str) -> Iterator[Cluster]:
    """The workers of the scheduler at an address such as tcp://host:8786."""
    import dask
    import distributed

    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    _reach(address)
    try:
        with warnings.catch_warnings(), dask.config.set({"distributed.comm.timeouts.connect": ANSWER}):
            warnings.simplefilter("ignore")  # about versions of libraries that we do not need
            client = distributed.Client(
                address, timeout=ANSWER, set_as_default=False, name="teufelswerk", deserializers=PLAIN
            )
    except (OSError, TimeoutError, ValueError):
        raise _no_answer(address) from None
    try:
        yield Cluster(client, address)
    finally:
        client.close(timeout=ANSWER)


def _reach(address: str) -> None:
    """Whether anybody is there: Dask itself would wait, and then say more than anybody wants to know."""
    place = ADDRESS.match(address)
    if place is None:
        form = "tcp://host:8786"
        raise Lost(Text("`{address}` is no address of a scheduler, such as {form}", address=address, form=form))
    try:
        with socket.create_connection((place["host"].strip("[]"), int(place["port"])), ANSWER) as line:
            # a scheduler speaks first, but not where it is to be asked in secret
            heard = address.startswith("tls") or bool(line.recv(1))
    except (OSError, OverflowError):
        heard = False
    if not heard:
        raise _no_answer(address)


def _no_answer(address: str) -> Lost:
    return Lost(
        Text(
            "no Dask scheduler answers at `{address}`; one is started with `dask scheduler`, and says its address",
            address=address,
        )
    )


class Cluster:
    """Workers that may come and go while they play; a portion that was lost with one is played by another."""

    times = 20
    """The scheduler and this process need some milliseconds for each portion, and there may be many workers."""

    def __init__(self, client: Any, address: str) -> None:
        self.client, self.address, self.errands = client, address, errands()
        self.workers, self.looked, self.seen = 0, 0.0, time.monotonic()
        try:
            client.wait_for_workers(1, timeout=ANSWER)
        except TimeoutError:
            raise self.lost_all() from None
        try:
            versions = client.run(self.errands.version, on_error="ignore")
        except TypeError:
            raise _strange(address) from None
        for worker, found in versions.items():
            if found != version():
                raise _other(worker, found)

    def lost_all(self) -> Lost:
        command = f"`dask worker {self.address} --nthreads 1`"
        return Lost(
            Text(
                "the Dask scheduler at `{address}` has no workers; one is started with {command}",
                address=self.address,
                command=command,
            )
        )

    def width(self) -> int:
        """The workers, not their threads: an engine is for one thread."""
        now = time.monotonic()
        if now - self.looked > LOOK:
            self.workers, self.looked = len(self.client.ncores()), now
            if self.workers:
                self.seen = now
        return max(1, self.workers)

    def submit(self, errand: Errand) -> Pending:
        sent = packed(errand)
        future = self.client.submit(self.errands.play, version(), sent, pure=False, retries=RETRIES)
        return _Far(self, future, errand)


class _Far:
    """A portion that a worker plays."""

    def __init__(self, cluster: Cluster, future: Any, errand: Errand) -> None:
        self.cluster, self.future, self.errand = cluster, future, errand

    def result(self) -> Portion:
        worker, found, played = self.answer()
        if found != version():
            raise _other(worker, found)
        try:
            return unpacked(played, self.errand)
        except Strange:
            raise _strange(worker) from None

    def answer(self) -> tuple[str, str | None, bytes]:
        from distributed import KilledWorker
        from distributed.comm import CommClosedError

        while True:
            try:
                worker, found, played = self.future.result(timeout=LOOK)
                return str(worker), found, played
            except (TypeError, ValueError):
                if self.future.status == "error":
                    raise  # a mistake of ours, which a worker met
                raise _strange(self.cluster.address) from None
            except TimeoutError:
                self.cluster.width()
                if time.monotonic() - self.cluster.seen > WORKERLESS:
                    raise self.cluster.lost_all() from None
            except KilledWorker:
                raise Lost(Text("too many workers were lost while they played the same games")) from None
            except (CancelledError, CommClosedError, OSError):
                message = Text("the Dask scheduler at `{address}` is gone", address=self.cluster.address)
                raise Lost(message) from None


def _strange(address: str) -> Lost:
    return Lost(Text("what comes back from {address} are no results of these games", address=address))


def _other(worker: str, found: str | None) -> Lost:
    if found is None:
        return Lost(Text("the worker {worker} has no Teufelswerk, or an older one; install it there", worker=worker))
    return Lost(
        Text(
            "the worker {worker} has Teufelswerk {theirs}, and here it is {ours}; install the same version on both",
            worker=worker,
            theirs=found,
            ours=version(),
        )
    )
