"""A grammar's text → its parser, kept in the user's cache folder: building it anew takes half a second."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from pathlib import Path

import lark
from lark import Lark


def cached(grammar: str, starts: list[str]) -> Lark:
    """The parser, from the cache if it is there and whole; a cache that cannot be used is passed over."""
    path = cache_file(grammar, starts)
    if path is not None:
        try:
            with path.open("rb") as file:
                return Lark.load(file)
        except Exception:  # whatever a damaged file may lead to: it is made again
            pass
    parser = Lark(grammar, start=starts, parser="lalr", propagate_positions=True)
    if path is not None:
        _write(parser, path)
    return parser


def cache_file(grammar: str, starts: list[str]) -> Path | None:
    """Where the parser is kept; another grammar, lark or Python has another file."""
    key = repr((grammar, starts, lark.__version__, sys.version_info[:3], sys.implementation.name))
    folder = cache_folder()
    return folder / f"grammar-{hashlib.sha256(key.encode()).hexdigest()[:16]}.bin" if folder else None


def cache_folder() -> Path | None:
    if sys.platform == "win32":
        chosen = os.environ.get("LOCALAPPDATA")
        return Path(chosen) / "teufelswerk" / "cache" if chosen else None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "teufelswerk"
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(chosen) if Path(chosen).is_absolute() else home / ".cache") / "teufelswerk"


def _write(parser: Lark, path: Path) -> None:
    """Writes beside the file and renames, so that nobody ever reads half of it; gives up without a word."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            temporary = Path(file.name)
            try:
                parser.save(file)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        temporary.replace(path)
    except OSError:
        pass
