"""Styled lines → the terminal: the only console, whose styles are ours and whose words are harmless."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from teufelswerk.base.hidden_characters import harmless

from teufelswerk_cli.console.terminal import unguarded


class Display(Console):
    """A console on the standard output, or on the error stream."""

    def __init__(self, error: bool = False, **settings: Any) -> None:
        super().__init__(file=unguarded(sys.stderr if error else sys.stdout), highlight=False, **settings)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(harmless(segment.text), segment.style)
