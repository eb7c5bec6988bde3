"""A link → the square picture that a phone reads: of letters for the terminal, of rows for the page."""

from __future__ import annotations

import io

import segno


def qr_code(link: str) -> str:
    drawn = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(drawn, compact=True)
    return drawn.getvalue()


def qr_rows(link: str) -> list[str]:
    """`1` for a dark square, `0` for a light one."""
    return ["".join(str(int(bit)) for bit in row) for row in segno.make(link, error="l", micro=False).matrix]
