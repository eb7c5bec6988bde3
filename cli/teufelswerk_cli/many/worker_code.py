"""What travels to a worker of a cluster as code: next to nothing, since it may have none of our modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Errands(NamedTuple):
    """What a worker can be sent for. All that goes in and out is plain values, which a scheduler can read."""

    version: Callable[[], str | None]
    play: Callable[[str, bytes], tuple[str, str | None, bytes]]


def errands() -> Errands:
    """They are functions inside a function: such code is sent itself, while of others only the name is sent."""

    def version_there() -> str | None:
        """Which Teufelswerk a worker has, if any."""
        try:
            from teufelswerk_cli.many.same_program import version
        except ImportError:
            return None
        return version()

    def play_there(version_here: str, errand: bytes) -> tuple[str, str | None, bytes]:
        """Plays a portion if the worker has the very program that asks for it; says who it is and what it has."""
        from distributed import get_worker

        address = str(get_worker().address)
        try:
            from teufelswerk_cli.many.same_program import version

            if (found := version()) != version_here:
                return address, found, b""
            from teufelswerk_cli.many.parcels import played
        except ImportError:
            return address, None, b""
        return address, found, played(errand)

    return Errands(version_there, play_there)
