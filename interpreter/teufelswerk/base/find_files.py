"""Names → paths: where rule files and catalogs are found."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from stat import S_ISREG

from teufelswerk.base.diagnostics import Diagnostic, RuleFileError, nearest
from teufelswerk.base.limits import MAX_VARIANT_DEPTH
from teufelswerk.base.texts import Text
from teufelswerk.base.user_folders import data_home

SUFFIX = ".rules.md"
ALL_GAMES = Text("the command `games` shows which games there are")
VARIANTS = "variants"
"""The folder of a shelf in which its variants stand; any other folder of it holds a family of games."""
SAYS_ITS_BASE = re.compile(r"^ {4}variant of ([a-z][a-z0-9-]*) *$", re.MULTILINE)


@cache
def data_folder(name: str) -> Path:
    """`rules` or `locales`: in a checkout beside the sources, else inside the installed package."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parents[1]
    return checkout / name if _is_checkout(checkout) else package / name


def _is_checkout(folder: Path) -> bool:
    return is_file(folder / "pyproject.toml") and is_file(
        folder / "interpreter" / "teufelswerk" / "base" / Path(__file__).name
    )


def other_checkout() -> Path | None:
    """The checkout that one stands in, if the program and its rules come from elsewhere: edits of it have no effect."""
    try:
        here = Path.cwd()
    except OSError:
        return None
    found = next((folder for folder in (here, *here.parents) if _is_checkout(folder)), None)
    return found if found is not None and found / "rules" != data_folder("rules") else None


def user_folder() -> Path | None:
    """Where people keep rule files of their own, so that they are found by name."""
    home = data_home()
    return home / "rules" if home else None


def _in_folder(folder: Path) -> dict[str, Path]:
    """The rule files that stand in a folder itself, by name."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.name.endswith(SUFFIX) and _is_plain(entry)]
    except OSError:
        return {}
    return {name.removesuffix(SUFFIX): folder / name for name in sorted(names)}


def _families(shelf: Path) -> list[Path]:
    """The folders of a shelf that hold a family of games each."""
    try:
        with os.scandir(shelf) as entries:
            names = [entry.name for entry in entries if entry.name[0] != "." and _is_folder(entry)]
    except OSError:
        return []
    return [shelf / name for name in sorted(names) if name != VARIANTS]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads nowhere
        return False


def _on_shelf(shelf: Path) -> dict[str, Path]:
    """The games of a shelf: those in its families, and those that stand in none."""
    found: dict[str, Path] = {}
    for folder in (*reversed(_families(shelf)), shelf):
        found = {**found, **_in_folder(folder)}
    return dict(sorted(found.items()))


def not_listed() -> Text | None:
    """Why the user's own rule files are not found by name, if there is a folder of them that cannot be looked into."""
    own = user_folder()
    if own is None:
        return None
    for folder in (own, own / VARIANTS, *_families(own)):
        try:
            next(folder.iterdir(), None)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as problem:
            reason = problem.strerror or str(problem)
            return Text("`{path}` cannot be read: {reason}", path=str(folder), reason=reason)
    return None


def _is_plain(entry: os.DirEntry[str]) -> bool:
    """Not so a folder, or a pipe, at which reading would wait for ever. What cannot be looked at is for who reads."""
    try:
        return entry.is_file(follow_symlinks=False) or S_ISREG(entry.stat().st_mode)
    except (OSError, ValueError):
        return True


def shipped() -> dict[str, Path]:
    """The games that come along, by name; variants have their own folder."""
    return _on_shelf(data_folder("rules"))


def family(path: Path) -> str | None:
    """The folder of a shelf that a game stands in, if it stands in one."""
    folder = path.absolute().parent
    own = user_folder()
    shelves = [data_folder("rules"), *([own.absolute()] if own else [])]
    return folder.name if folder.parent in shelves and folder.name != VARIANTS else None


def comes_along(path: Path) -> bool:
    """Whether a rule file is part of the program, and not the user's own."""
    return path.is_relative_to(data_folder("rules"))


def known() -> dict[str, Path]:
    """Every rule file that has a name: games and variants that come along, and those in the user's folder."""
    own = user_folder()
    theirs = {**_in_folder(own / VARIANTS), **_on_shelf(own)} if own else {}
    return {
        **theirs, **_in_folder(data_folder("rules") / VARIANTS), **shipped(),
    }  # fmt: skip


def base_name(path: Path) -> str | None:
    """What a file says it is a variant of, at a glance."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            found = SAYS_ITS_BASE.search(file.read(4000).split("\n## ")[0])
    except OSError:
        return None
    return found[1] if found else None


def bases(path: Path, named: Mapping[str, Path] | None = None) -> list[str]:
    """What a file builds upon: its base, that one's base and so on."""
    found: list[str] = []
    here: Path | None = path
    while here is not None and (base := base_name(here)) and base not in found and len(found) <= MAX_VARIANT_DEPTH:
        found.append(base)
        here = base_path(base, here, named)
    return found


def variants() -> dict[str, list[str]]:
    """The variants that have a name, each with what it builds upon; the last one is the game."""
    named = known()
    return {name: found for name, path in named.items() if (found := bases(path, named))}


def base_path(name: str, path: Path, named: Mapping[str, Path] | None = None) -> Path | None:
    """The file that a rule file means by the name of its base: one beside it, else one that is known. Whoever asks
    often looks up once what is known."""
    beside = path.parent / f"{name}{SUFFIX}"
    return beside if is_file(beside) else (known() if named is None else named).get(name)


def is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have is no mistake here."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_path(name: str) -> bool:
    return name.endswith(".md") or "/" in name or "\\" in name or ("." in name and is_file(Path(name)))


def _looking_like(name: str) -> list[str]:
    """Files in this folder that have the name, but another ending than rule files have."""
    try:
        return sorted(path.name for path in Path().iterdir() if path.name.split(".")[0] == name and is_file(path))
    except OSError:
        return []


def find(name: str, variant: str | None = None) -> Path:
    """The file for a game's or a variant's name or path; an unknown name is refused with the nearest one."""
    if is_path(name):
        path = Path(name)
    elif name in (named := known()):
        path = named[name]
    elif is_file(Path(f"{name}{SUFFIX}")):
        path = Path(f"{name}{SUFFIX}")
    else:
        similar = nearest(name, named)
        help = Text("write `{name}`", name=similar) if similar else ALL_GAMES
        if beside := next((path for path in _looking_like(name)), None):
            help = Text("there is a file `{path}`: give it the ending `{suffix}`", path=beside, suffix=SUFFIX)
        help = not_listed() or help
        raise _refused("no-game", Text("there is no game called `{name}`", name=name), help)
    return path if variant is None else _variant(name, path, variant)


def _variant(game: str, path: Path, variant: str) -> Path:
    """The file of a variant of a game."""
    name = path.name.removesuffix(SUFFIX)
    if is_path(variant):
        found: Path | None = Path(variant)
    else:
        beside = path.parent / f"{variant}{SUFFIX}"
        found = beside if is_file(beside) else known().get(variant)
    fitting = [other for other, upon in variants().items() if name in upon]
    listed = Text("the variants of `{game}` are: {names}", game=game, names=fitting) if fitting else None
    if found is None:
        similar = nearest(variant, fitting)
        help = Text("write `{name}`", name=similar) if similar else listed
        message = Text("`{game}` has no variant called `{name}`", game=game, name=variant)
        raise _refused("no-variant", message, help)
    if is_file(found) and name not in bases(found):
        other = bases(found)
        message = (
            Text("`{name}` is a variant of `{other}`, not of `{game}`", name=variant, other=other[-1], game=game)
            if other
            else Text("`{name}` is no variant: its first section does not say `variant of …`", name=variant)
        )
        raise _refused("no-variant", message, listed)
    return found


def _refused(code: str, message: Text, help: Text | None) -> RuleFileError:
    return RuleFileError([Diagnostic(code, message, help=help)])
