"""A folder → its rule files: read, saved as a whole, begun anew; nothing outside of it is ever written."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from teufelswerk.base.find_files import SUFFIX, bases, is_file, known
from teufelswerk.base.limits import MAX_FILE_BYTES
from teufelswerk.base.texts import Text

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MOST_LETTERS, MOST_FILES = 60, 500
Stamp = str
"""What a file was like when it was last looked at: when it was changed, and how large it is."""
NO_FILE: Stamp = ""


def stamp_of(status: os.stat_result) -> Stamp:
    return f"{status.st_mtime_ns} {status.st_size}"


class Refused(Exception):
    """Something that is not done, and why."""

    def __init__(self, message: Text) -> None:
        super().__init__(str(message))
        self.message = message


@dataclass(frozen=True)
class Paper:
    """A file as it lies there, or as it would if it were saved."""

    name: str
    text: str
    stamp: Stamp


class Folder:
    """One folder and the rule files that lie in it, each called by its name without an ending."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()

    def file(self, name: str) -> Path:
        """Where a name leads: to a plain file of this folder, or to where there could be one."""
        if len(name) > MOST_LETTERS or not NAME.fullmatch(name):
            raise Refused(Text("a file is called by small letters, digits and hyphens, as in `our-evening`"))
        found = self.path / f"{name}{SUFFIX}"
        if found.is_symlink() or (found.exists() and not found.is_file()):
            raise Refused(Text("`{name}` is no plain file of this folder", name=found.name))
        return found

    def names(self) -> list[str]:
        try:
            found = sorted(path.name.removesuffix(SUFFIX) for path in self.path.glob(f"*{SUFFIX}") if is_file(path))
        except OSError:
            return []
        return [name for name in found if NAME.fullmatch(name)][:MOST_FILES]

    def stamp(self, name: str) -> Stamp:
        try:
            return stamp_of(self.file(name).stat())
        except OSError:
            return NO_FILE

    def read(self, name: str) -> Paper:
        file, stamp = self.file(name), self.stamp(name)
        try:
            with file.open("rb") as found:
                data = found.read(MAX_FILE_BYTES + 1)
        except OSError as problem:
            raise Refused(_unusable(file, problem)) from None
        if len(data) > MAX_FILE_BYTES:
            raise Refused(Text("`{name}` is larger than a rule file may be", name=file.name))
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise Refused(Text("`{path}` is not UTF-8 text", path=file.name)) from None
        return Paper(name, text.replace("\r\n", "\n"), stamp)

    def save(self, name: str, text: str, expected: Stamp) -> Stamp:
        """Writes the file, all or nothing, if it is still as it was expected to be."""
        file = self.file(name)
        if self.stamp(name) not in (expected, NO_FILE):
            raise Refused(Text("`{name}` was changed by another program meanwhile", name=file.name))
        data = text.encode(errors="replace")
        if len(data) > MAX_FILE_BYTES:
            raise Refused(Text("`{name}` is larger than a rule file may be", name=file.name))
        part = file.with_name(f".{os.urandom(8).hex()}.part")
        try:
            with part.open("xb") as new:
                new.write(data)
                new.flush()
                os.fsync(new.fileno())
                stamp = stamp_of(os.fstat(new.fileno()))  # not what may lie there by the time that it is asked
            if file.exists():
                shutil.copymode(file, part)
            part.replace(file)
        except OSError as problem:
            raise Refused(_unusable(file, problem)) from None
        finally:
            part.unlink(missing_ok=True)
        return stamp

    # ---- something new ----------------------------------------------------------------------------------------------

    def free(self, wanted: str) -> str:
        """A name that no file has yet, here or among those that come along."""
        taken = {*self.names(), *known()}
        numbered = (f"{wanted}-{number}" for number in range(2, len(taken) + 3))
        return next(name for name in (wanted, *numbered) if name not in taken)

    def template(self) -> Paper:
        """A small whole game to begin with."""
        text = files("teufelswerk_web").joinpath("workshop", "first-game.md").read_text(encoding="utf-8")
        return Paper(self.free("my-game"), text, NO_FILE)

    def variant(self, game: str, title: str, sentence: str) -> Paper:
        """A file that changes nothing yet of a game that has a name."""
        if game not in known() and game not in self.names():
            raise Refused(Text("there is no game called `{name}`", name=game))
        text = f"# {title}\n\n{sentence}\n\n    variant of {game}\n"
        return Paper(self.free(f"my-{game}"[:MOST_LETTERS]), text, NO_FILE)

    def copy(self, game: str) -> Paper:
        """The whole text of a game that comes along, under a name of its own."""
        path = known().get(game)
        if path is None or bases(path):
            raise Refused(Text("there is no game called `{name}`", name=game))
        return Paper(self.free(f"my-{game}"[:MOST_LETTERS]), path.read_text(encoding="utf-8"), NO_FILE)


def _unusable(file: Path, problem: OSError) -> Text:
    return Text("`{path}` cannot be used: {reason}", path=file.name, reason=problem.strerror or str(problem))
