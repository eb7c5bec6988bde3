"""Files in the user's cache folder: read if nobody else can have written them, written whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path


def cache_folder() -> Path | None:
    """Where this program keeps what it can make again; None if there is no such place."""
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


def read(name: str) -> bytes | None:
    """What is kept under a name, if anything is."""
    folder = cache_folder()
    try:
        return (folder / name).read_bytes() if folder and _own(folder) else None
    except OSError:
        return None


def write(name: str, data: bytes) -> None:
    """Writes beside the file and renames, so that nobody ever reads half of it; gives up without a word."""
    import tempfile

    folder = cache_folder()
    if folder is None:
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _own(folder):
            return
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            temporary = Path(file.name)
            try:
                file.write(data)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        temporary.replace(folder / name)
    except OSError:
        pass


def keep_newest(pattern: str, most: int) -> None:
    """Removes all files that fit a pattern but the newest."""
    folder = cache_folder()
    try:
        files = sorted(folder.glob(pattern), key=lambda file: file.stat().st_mtime, reverse=True) if folder else []
        for file in files[most:]:
            file.unlink()
    except OSError:
        pass


def _own(folder: Path) -> bool:
    """What is kept is trusted, so a folder that others may write to is not used."""
    if sys.platform == "win32":
        return True
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & stat.S_IWOTH
