"""Where the platform keeps what belongs to a user: data and caches. None where there is no such place."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_home() -> Path | None:
    """For what can be made again."""
    if sys.platform == "win32":
        return _below("LOCALAPPDATA", "teufelswerk", "cache")
    if sys.platform == "darwin":
        return _below("HOME", "Library", "Caches", "teufelswerk")
    chosen = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return chosen / "teufelswerk" if chosen.is_absolute() else _below("HOME", ".cache", "teufelswerk")


def data_home() -> Path | None:
    """For what people have made: rule files, saved games."""
    if chosen := os.environ.get("XDG_DATA_HOME"):
        return Path(chosen) / "teufelswerk"
    if sys.platform == "win32":
        return _below("LOCALAPPDATA", "teufelswerk") or _below("HOME", "AppData", "Local", "teufelswerk")
    if sys.platform == "darwin":
        return _below("HOME", "Library", "Application Support", "teufelswerk")
    return _below("HOME", ".local", "share", "teufelswerk")


def _below(variable: str, *names: str) -> Path | None:
    """A folder below the one that a variable names; without HOME the system may know where a user is at home."""
    if variable == "HOME":
        try:
            return Path.home().joinpath(*names)
        except RuntimeError:  # nobody knows
            return None
    chosen = os.environ.get(variable)
    return Path(chosen).joinpath(*names) if chosen else None
