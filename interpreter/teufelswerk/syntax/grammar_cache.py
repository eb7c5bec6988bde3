"""A grammar's text → its parser, kept in the user's cache folder: building it anew takes half a second.

What is kept are lark's tables as JSON: data from which lark makes nothing but rules and terminals.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from teufelswerk.base import cache_files


def cached(grammar: str, starts: list[str]) -> Lark:
    """The parser, from the cache if it is there and whole; a cache that cannot be used is passed over."""
    name = cache_name(grammar, starts)
    kept = cache_files.read(name)
    if kept is not None:
        try:
            return Lark.load(json.loads(kept, object_pairs_hook=_with_numbers))
        except Exception:  # whatever a strange file may lead to: it is made again
            pass
    parser = Lark(grammar, start=starts, parser="lalr", propagate_positions=True)
    tables, shared = parser.memo_serialize([TerminalDef, Rule])
    cache_files.write(name, json.dumps({"data": tables, "memo": shared}, separators=(",", ":")).encode())
    return parser


def cache_name(grammar: str, starts: list[str]) -> str:
    """The file that the parser is kept in; another grammar, lark or Python has another one."""
    key = repr((grammar, starts, lark.__version__, sys.version_info[:3]))
    return f"grammar-{hashlib.sha256(key.encode()).hexdigest()[:16]}.bin"


def _with_numbers(pairs: list[tuple[str, Any]]) -> dict[str | int, Any]:
    """JSON knows no numbers as keys; lark's tables of states and tokens have them."""
    return {int(key) if key.isdecimal() else key: value for key, value in pairs}
