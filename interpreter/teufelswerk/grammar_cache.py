"""A grammar's text → its parser, kept in the user's cache folder: building it anew takes half a second."""

from __future__ import annotations

import hashlib
import io
import sys

import lark
from lark import Lark

from teufelswerk import cache_files


def cached(grammar: str, starts: list[str]) -> Lark:
    """The parser, from the cache if it is there and whole; a cache that cannot be used is passed over."""
    name = cache_name(grammar, starts)
    kept = cache_files.read(name)
    if kept is not None:
        try:
            return Lark.load(io.BytesIO(kept))
        except Exception:  # whatever a damaged file may lead to: it is made again
            pass
    parser = Lark(grammar, start=starts, parser="lalr", propagate_positions=True)
    data = io.BytesIO()
    parser.save(data)
    cache_files.write(name, data.getvalue())
    return parser


def cache_name(grammar: str, starts: list[str]) -> str:
    """The file that the parser is kept in; another grammar, lark or Python has another one."""
    key = repr((grammar, starts, lark.__version__, sys.version_info[:3], sys.implementation.name))
    return f"grammar-{hashlib.sha256(key.encode()).hexdigest()[:16]}.bin"
