"""How much somebody may ask for: so many messages at once and in the long run, so many pages open at a time."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

MOST_SOCKETS = 4_000
MOST_WAITING = 256
"""Messages that a page has not taken yet; a page that takes none is given up, and comes back by itself."""
BURST, EACH_SECOND = 40, 10.0
MOST_MISTAKES = 20
"""Messages that are nothing; whoever sends so many is no page of ours."""
SECONDS_TO_GREET = 10.0


class Allowance:
    """So many messages at once, and so many a second in the long run."""

    def __init__(
        self, clock: Callable[[], float] = monotonic, burst: float = BURST, each_second: float = EACH_SECOND
    ) -> None:
        self.clock = clock
        self.each_second = each_second
        self.burst = self.left = burst
        self.since = clock()

    def spend(self) -> bool:
        """Whether one more is allowed."""
        now = self.clock()
        self.left = min(self.burst, self.left + (now - self.since) * self.each_second)
        self.since = now
        if self.left < 1:
            return False
        self.left -= 1
        return True
