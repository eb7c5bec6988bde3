"""Files in the user's cache folder: read if nobody else can have made them and they are whole, else passed over.

The folder and the files are this user's own, and so is the way to them: nobody else can have put anything there. Links
are not followed, and what is no plain file is not waited for. Each file begins with a checksum of its name and of what
it holds, which tells damage, and files under each other's names; it is no secret and no protection.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from functools import cache
from pathlib import Path

from teufelswerk.base.limits import MAX_CACHE_BYTES
from teufelswerk.base.user_folders import cache_home

CHECKSUM = hashlib.sha256().digest_size
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def read(name: str) -> bytes | None:
    """What is kept under a name, if anything is."""
    folder = cache_home()
    try:
        data = _content(folder / name) if folder and _is_private(folder) else None
    except OSError:
        return None
    if data is None or data[:CHECKSUM] != _checksum(name, data[CHECKSUM:]):
        return None
    return data[CHECKSUM:]


def write(name: str, data: bytes) -> None:
    """Writes beside the file and renames, so that nobody ever reads half of it; gives up without a word."""
    import tempfile

    folder = cache_home()
    if folder is None or len(data) > MAX_CACHE_BYTES:
        return
    try:
        _make(folder)
        if not _is_private(folder):
            return
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            temporary = Path(file.name)
            try:
                file.write(_checksum(name, data) + data)
                file.flush()
                temporary.replace(folder / name)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
    except OSError:
        pass


def keep_newest(pattern: str, most: int) -> None:
    """Removes all files that fit a pattern but the newest."""
    folder = cache_home()
    try:
        if folder is None or not _is_private(folder):
            return
        files = sorted(folder.glob(pattern), key=lambda file: file.lstat().st_mtime, reverse=True)
        for file in files[most:]:
            file.unlink()
    except OSError:
        pass


def _checksum(name: str, data: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + data).digest()


def _content(path: Path) -> bytes | None:
    """What a plain file of this user holds. It is looked at after it was opened: then nobody can exchange it."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or not _is_own(status) or status.st_size > MAX_CACHE_BYTES + CHECKSUM:
            return None
        return file.read()


def _make(folder: Path) -> None:
    """Makes a folder, and those above it that are missing, for this user alone."""
    if not folder.parent.exists():
        _make(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)


def _is_private(folder: Path) -> bool:
    """Whether the folder is this user's own, and nobody else can put another one in its place."""
    if sys.platform == "win32":
        return True
    status = folder.lstat()
    return stat.S_ISDIR(status.st_mode) and _is_own(status) and _is_safely_reached(folder)


@cache
def _is_safely_reached(folder: Path) -> bool:
    parent = folder.parent.resolve()
    return all(_is_safe(above.lstat()) for above in (parent, *parent.parents))


def _is_own(status: os.stat_result) -> bool:
    return sys.platform == "win32" or (status.st_uid == os.getuid() and not status.st_mode & OTHERS_WRITE)


def _is_safe(status: os.stat_result) -> bool:
    """Whether others can exchange what stands in a folder: in one for everybody, such as /tmp, they cannot."""
    if sys.platform != "win32" and status.st_uid not in (0, os.getuid()):
        return False
    if status.st_mode & stat.S_ISVTX or not status.st_mode & OTHERS_WRITE:
        return True
    return not status.st_mode & stat.S_IWOTH and _is_group_of_one(status.st_gid)


def _is_group_of_one(number: int) -> bool:
    """Whether a group is the one that many systems give every user, with nobody else in it."""
    if sys.platform == "win32":
        return False
    import grp
    import pwd

    try:
        group, user = grp.getgrgid(number), pwd.getpwuid(os.getuid())
    except KeyError:
        return False
    return user.pw_gid == number and group.gr_name == user.pw_name and not set(group.gr_mem) - {user.pw_name}
