"""Somebody whose page is open: which seat they have, which language they read, and how something is sent to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from teufelswerk.interpreter.show import NOBODY

from teufelswerk_web.wire.scenes import Message


@dataclass(eq=False)
class Guest:
    send: Callable[[Message], None]
    language: str
    seat: int = NOBODY
