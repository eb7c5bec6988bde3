"""Names and paths → checked games: where rule files are found, and the whole way from a file to its model."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

from teufelswerk.check import Checked, check
from teufelswerk.consequences import independent
from teufelswerk.diagnostics import Diagnostic, RuleFileError, Source, limited, nearest
from teufelswerk.effort import check_effort
from teufelswerk.limits import MAX_VARIANT_DEPTH
from teufelswerk.model import Model
from teufelswerk.nodes import Word
from teufelswerk.parse import ParsedSection, parse
from teufelswerk.scene_model import SceneModel
from teufelswerk.source import read
from teufelswerk.texts import Text
from teufelswerk.variant_help import explained
from teufelswerk.variants import base_of, merge, misplaced

SUFFIX = ".rules.md"
BASES_REMEMBERED = 8
VARIANT = re.compile(r"^ {4}variant of ([a-z][a-z0-9-]*) *$", re.MULTILINE)


# ---- where rule files are -------------------------------------------------------------------------------------------


@cache
def data_folder(name: str) -> Path:
    """`rules` or `locales`: in a checkout beside the sources, else inside the installed package."""
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "pyproject.toml").is_file() and (checkout / "interpreter" / "teufelswerk").is_dir():
        return checkout / name
    return Path(str(files("teufelswerk").joinpath(name)))


def user_folder() -> Path:
    """Where people keep rule files of their own, so that they are found by name."""
    if given := os.environ.get("XDG_DATA_HOME"):
        base = Path(given)
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path.home() / ".local" / "share"
    return base / "teufelswerk" / "rules"


def _in_folder(folder: Path) -> dict[str, Path]:
    return {path.name.removesuffix(SUFFIX): path for path in sorted(folder.glob(f"*{SUFFIX}"))}


def shipped() -> dict[str, Path]:
    """The games that come along, by name; variants have their own folder."""
    return _in_folder(data_folder("rules"))


def known() -> dict[str, Path]:
    """Every rule file that has a name: games and variants that come along, and those in the user's folder."""
    own = user_folder()
    return {
        **_in_folder(own / "variants"), **_in_folder(own), **_in_folder(data_folder("rules") / "variants"), **shipped(),
    }  # fmt: skip


def base_name(path: Path) -> str | None:
    """What a file says it is a variant of, at a glance."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            found = VARIANT.search(file.read(4000).split("\n## ")[0])
    except OSError:
        return None
    return found[1] if found else None


def bases(path: Path) -> list[str]:
    """What a file builds upon: its base, that one's base and so on."""
    found: list[str] = []
    here: Path | None = path
    while here is not None and (base := base_name(here)) and base not in found and len(found) <= MAX_VARIANT_DEPTH:
        found.append(base)
        here = base_path(base, here)
    return found


def variants() -> dict[str, list[str]]:
    """The variants that have a name, each with what it builds upon; the last one is the game."""
    return {name: found for name, path in known().items() if (found := bases(path))}


def base_path(name: str, path: Path) -> Path | None:
    """The file that a rule file means by the name of its base: one beside it, else one that is known."""
    beside = path.parent / f"{name}{SUFFIX}"
    return beside if beside.is_file() else known().get(name)


def is_path(name: str) -> bool:
    return name.endswith(".md") or "/" in name or "\\" in name


def find(name: str, variant: str | None = None) -> Path:
    """The file for a game's or a variant's name or path; an unknown name is refused with the nearest one."""
    if is_path(name):
        path = Path(name)
    elif name in (named := known()):
        path = named[name]
    else:
        similar = nearest(name, named)
        games = [other for other, where in named.items() if base_name(where) is None]
        help = Text("write `{name}`", name=similar) if similar else Text("the games are: {games}", games=games)
        raise _refused("no-game", Text("there is no game called `{name}`", name=name), help)
    return path if variant is None else _variant(name, path, variant)


def _variant(game: str, path: Path, variant: str) -> Path:
    """The file of a variant of a game."""
    name = path.name.removesuffix(SUFFIX)
    if is_path(variant):
        found: Path | None = Path(variant)
    else:
        beside = path.parent / f"{variant}{SUFFIX}"
        found = beside if beside.is_file() else known().get(variant)
    fitting = [other for other, upon in variants().items() if name in upon]
    listed = Text("the variants of `{game}` are: {names}", game=game, names=fitting) if fitting else None
    if found is None:
        similar = nearest(variant, fitting)
        help = Text("write `{name}`", name=similar) if similar else listed
        message = Text("`{game}` has no variant called `{name}`", game=game, name=variant)
        raise _refused("no-variant", message, help)
    if found.is_file() and name not in bases(found):
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


# ---- from a file to its model ---------------------------------------------------------------------------------------


@dataclass
class Assembled:
    """A rule file with all that it builds upon, merged but not yet checked. The first source is the file itself."""

    sections: list[ParsedSection]
    sources: list[Source]
    diagnostics: list[Diagnostic]
    replaced: list[ParsedSection] = field(default_factory=list)
    """Sections of bases that variants have replaced or dropped."""
    usable: bool = True


@dataclass
class Loaded:
    """A rule file on its way: what it says, and everything that was found."""

    path: Path
    checked: Checked
    diagnostics: list[Diagnostic]
    assembled: Assembled | None = None

    @property
    def model(self) -> Model | None:
        return None if any(d.is_error for d in self.diagnostics) else self.checked.model

    @property
    def scenes(self) -> list[SceneModel]:
        return self.checked.scenes


Reading: TypeAlias = tuple[Source, list[Diagnostic]]


def assemble(path: str | Path) -> Assembled:
    """Reads a rule file and its bases, and makes one rulebook of them."""

    def base_file(name: str, here: Path) -> Reading:
        return read(base_path(name, here) or here.parent / f"{name}{SUFFIX}")

    return _assemble(read(path), base_file)


def _assemble(reading: Reading, base_file: Callable[[str, Path], Reading]) -> Assembled:
    """Makes one rulebook of a file and its bases, each of which is asked for by its name and by who names it."""
    source, found = reading
    if any(d.is_error for d in found):
        return Assembled([], [source], found, usable=False)
    sections, more = parse(source)
    chain, sources = [sections], [source]
    found += more + misplaced(sections)
    while (base := base_of(chain[-1])) is not None:
        base_source, problems = base_file(base.text, Path(sources[-1].path))
        problem = _base_problem(base, base_source, problems, sources)
        if problem:
            return Assembled([], sources, [*found, problem], usable=False)
        base_source, base_sections, more = _parsed(base_source)
        if not base_sections:
            return Assembled([], sources, found + more, usable=False)
        chain.append(base_sections)
        sources.append(base_source)
        found += more + misplaced(base_sections)
    whole = Assembled(chain.pop(), sources, found)
    while chain:
        merged = merge(whole.sections, chain.pop())
        whole.sections = merged.sections
        whole.diagnostics += merged.diagnostics
        whole.replaced += merged.replaced
    return whole


@lru_cache(BASES_REMEMBERED)
def _parsed(source: Source) -> tuple[Source, list[ParsedSection], list[Diagnostic]]:
    """A base that many variants share, and the source that its places point into; nobody changes what was parsed."""
    return (source, *parse(source))


def load(path: str | Path, values: dict[str, int] | None = None) -> Loaded:
    """Reads and checks a rule file with all that it builds upon. `values` replace figures of the file."""
    return _checked(Path(path), assemble(path), values)


def load_texts(sources: Sequence[Source], values: dict[str, int] | None = None) -> Loaded:
    """The same without any file: from the texts of a rule file and of its bases, in the order of `Model.sources`."""
    first, *others = sources
    bases = iter(others)

    def base_file(name: str, here: Path) -> Reading:
        absent = [Diagnostic("no-file", Text("there is no file `{path}`", path=name))]
        source = next(bases, None)
        return (source, []) if source else (Source(f"{name}{SUFFIX}", ""), absent)

    return _checked(Path(first.path), _assemble((first, []), base_file), values)


def _checked(path: Path, assembled: Assembled, values: dict[str, int] | None) -> Loaded:
    found = list(assembled.diagnostics)
    if not assembled.usable:
        return Loaded(path, Checked(None), limited(found), assembled)
    try:
        checked = check(assembled.sections, assembled.sources, values)
        if checked.model is not None and not any(d.is_error for d in (*found, *checked.diagnostics)):
            checked.diagnostics += check_effort(checked.model)
    except RecursionError:
        # The bounds on each line, block and definition leave room for this only in files made for it.
        found.append(Diagnostic("too-deep", Text("the rules are too deeply nested to be understood")))
        return Loaded(path, Checked(None), limited(found), assembled)
    later = explained(checked.diagnostics, assembled.sections, assembled.replaced, assembled.sources)
    if any(d.is_error for d in found):
        return Loaded(path, checked, limited(found + independent(later, found)), assembled)
    return Loaded(path, checked, limited(found + later), assembled)


def _base_problem(base: Word, source: Source, problems: list[Diagnostic], trail: list[Source]) -> Diagnostic | None:
    """Why a file cannot build upon its base, if it cannot."""
    if any(problem.code == "no-file" for problem in problems):
        games = known()
        similar = nearest(base.text, games)
        help = (
            Text("write `{name}`", name=similar) if similar else Text("the games are: {games}", games=list(shipped()))
        )
        message = Text("there is no game called `{name}` to be a variant of", name=base.text)
        return Diagnostic("no-base", message, base.span, help=help)
    if problems:
        return problems[0]
    if any(Path(source.path).resolve() == Path(earlier.path).resolve() for earlier in trail):
        message = Text("the variants run in a circle: `{name}` builds upon itself", name=base.text)
        return Diagnostic("circle", message, base.span)
    if len(trail) > MAX_VARIANT_DEPTH:
        message = Text("variants build upon one another at most {limit} deep", limit=MAX_VARIANT_DEPTH)
        return Diagnostic("too-deep", message, base.span)
    return None


def load_game(name: str, values: dict[str, int] | None = None, variant: str | None = None) -> Model:
    """The model of a game by name or path, or RuleFileError with everything that is wrong."""
    loaded = load(find(name, variant), values)
    if loaded.model is None:
        raise RuleFileError([d for d in loaded.diagnostics if d.is_error])
    return loaded.model


def digest(rules: Model) -> str:
    """A short fingerprint of the rules in force."""
    text = json.dumps([[s.text for s in rules.sources], sorted(rules.changed_values.items())])
    return hashlib.sha256(text.encode()).hexdigest()[:16]
