"""A rule file → the version of it that its words were last found true of: kept, committed, shipped, or its base.

What is kept stands in the user's cache folder: the text as it was last looked at, and the words that have been in doubt
since. Whoever loses it loses nothing but a comparison: then the file is compared with what else is there.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from teufelswerk.base import cache_files
from teufelswerk.base.diagnostics import Source
from teufelswerk.base.find_files import SUFFIX, base_name, base_path, shipped
from teufelswerk.base.limits import MAX_FILE_BYTES
from teufelswerk.syntax.source import decode, read

Row: TypeAlias = tuple[str, str, str, str]
MOST_KEPT = 200
SECONDS_OF_GIT = 2.0
SAYS_MUCH = 40
"""As long is a line that two games do not have alike by chance."""
NOTHING_FROM_ELSEWHERE = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
"""What a checkout lacks git would fetch, with whatever program the checkout names."""


@dataclass(frozen=True)
class Before:
    """An earlier text, and what was in doubt then, each as four texts."""

    source: Source
    doubts: tuple[Row, ...] = ()


def version_before(path: Path) -> Before | None:
    """What a file is compared with; nothing if it is looked at for the first time and stands nowhere else."""
    if (kept := _kept(path)) is not None:
        return kept
    for text in (_committed(path), _shipped(path)):
        if text is not None:
            source, problems = decode(text, str(path))
            if not problems:
                return Before(source)
    return None


def committed(path: Path) -> Source | None:
    """The file as it is in the last commit, if it stands in a checkout."""
    text = _committed(path)
    source, problems = decode(text, str(path)) if text is not None else (None, [])
    return None if problems else source


def base_of(path: Path) -> Source | None:
    """The file that a variant changes."""
    base = base_name(path)
    below = base_path(base, path) if base else None
    source, problems = read(below) if below else (None, [])
    return None if problems else source


def keep(source: Source, path: Path, doubts: Sequence[Row]) -> None:
    data = json.dumps({"text": source.text, "doubts": list(doubts)}, ensure_ascii=False).encode()
    cache_files.write(_name(path), data)
    cache_files.keep_newest("told-*.json", MOST_KEPT)


def _name(path: Path) -> str:
    where = hashlib.sha256(str(path.resolve()).encode(errors="surrogatepass")).hexdigest()[:32]
    return f"told-{where}.json"


def _kept(path: Path) -> Before | None:
    data = cache_files.read(_name(path))
    if data is None:
        return None
    try:
        match json.loads(data):
            case {"text": str(text), "doubts": list(rows)}:
                doubts = tuple(tuple(row) for row in rows)
            case _:
                return None
    except (ValueError, TypeError, RecursionError):
        return None
    if any(len(row) != 4 or not all(isinstance(word, str) for word in row) for row in doubts):
        return None
    return Before(Source(str(path), text), doubts)


def _committed(path: Path) -> bytes | None:
    """The text in the last commit, if the file stands in a checkout. Nothing of what git is told to run is run."""
    here = path.resolve().parent
    if not any((folder / ".git").exists() for folder in (here, *here.parents)):
        return None
    command = ["git", "-C", str(here), "-c", "core.fsmonitor=false", "cat-file", "blob", f"HEAD:./{path.name}"]
    try:
        answer = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS_OF_GIT,
            env={**os.environ, **NOTHING_FROM_ELSEWHERE},
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return answer.stdout if answer.returncode == 0 and len(answer.stdout) <= MAX_FILE_BYTES else None


def _shipped(path: Path) -> bytes | None:
    """The game that comes along of which the file may be a copy: it has the same name, or most of its longer lines."""
    games = shipped()
    original = games.get(path.name.removesuffix(SUFFIX))
    if original is not None:
        return None if original.resolve() == path.resolve() else _bytes(original)
    ours = _telling(_bytes(path))
    for game in games.values() if ours else ():
        theirs = _telling(text := _bytes(game))
        if theirs and 2 * len(ours & theirs) > len(theirs):
            return text
    return None


def _telling(text: bytes | None) -> set[bytes]:
    """The lines by which a game is known again."""
    return {line.strip() for line in (text or b"").split(b"\n") if len(line) >= SAYS_MUCH}


def _bytes(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read(MAX_FILE_BYTES)
    except OSError:
        return None
