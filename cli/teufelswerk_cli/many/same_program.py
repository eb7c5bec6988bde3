"""The program → its fingerprint: whoever has the same one plays the same games from the same seeds."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import metadata
from pathlib import Path

import teufelswerk

import teufelswerk_cli

PARTS = {".py", ".lark"}


@cache
def version() -> str:
    """The version with a digest of the sources, since a checkout changes without a new version."""
    digest = hashlib.sha256()
    for folder in (Path(teufelswerk.__file__).parent, Path(teufelswerk_cli.__file__).parent):
        for path in sorted(path for path in folder.rglob("*") if path.suffix in PARTS):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    try:
        number = metadata.version("teufelswerk")
    except metadata.PackageNotFoundError:
        number = "0"  # a checkout that was never installed
    return f"{number}+{digest.hexdigest()[:12]}"
