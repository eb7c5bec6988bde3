"""Names and paths → checked games: where rule files are found, and the whole way from a file to its model."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from teufelswerk.check import Checked, check
from teufelswerk.diagnostics import Diagnostic, RuleFileError, limited, nearest
from teufelswerk.model import Model
from teufelswerk.parse import parse
from teufelswerk.scene_model import SceneModel
from teufelswerk.source import read
from teufelswerk.texts import Text
from teufelswerk.variants import base_of, merge

SUFFIX = ".rules.md"


@cache
def data_folder(name: str) -> Path:
    """`rules` or `locales`: in a checkout beside the sources, else inside the installed package."""
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "pyproject.toml").is_file() and (checkout / "interpreter" / "teufelswerk").is_dir():
        return checkout / name
    return Path(str(files("teufelswerk").joinpath(name)))


def shipped() -> dict[str, Path]:
    """The games that come along, by name; variants have their own folder."""
    return {path.name.removesuffix(SUFFIX): path for path in sorted(data_folder("rules").glob(f"*{SUFFIX}"))}


@dataclass
class Loaded:
    """A rule file on its way: what it says, and everything that was found."""

    path: Path
    checked: Checked
    diagnostics: list[Diagnostic]

    @property
    def model(self) -> Model | None:
        return None if any(d.is_error for d in self.diagnostics) else self.checked.model

    @property
    def scenes(self) -> list[SceneModel]:
        return self.checked.scenes


def find(name: str) -> Path:
    """The file for a game's name or path; an unknown name is refused with the nearest one."""
    if name.endswith(".md") or "/" in name or "\\" in name:
        return Path(name)
    games = shipped()
    if name in games:
        return games[name]
    similar = nearest(name, games)
    help = Text("write `{name}`", name=similar) if similar else Text("the games are: {games}", games=list(games))
    raise RuleFileError([Diagnostic("no-game", Text("there is no game called `{name}`", name=name), help=help)])


def load(path: str | Path, values: dict[str, int] | None = None) -> Loaded:
    """Reads and checks a rule file with all that it builds upon. `values` replace figures of the file."""
    source, found = read(path)
    if any(d.is_error for d in found):
        return Loaded(Path(path), Checked(None), limited(found))
    sections, more = parse(source)
    found += more
    sources = [source]
    trail = [source]
    while (base := base_of(sections)) is not None:
        base_path = Path(path).parent / f"{base.text}{SUFFIX}"
        if not base_path.is_file():
            base_path = shipped().get(base.text, base_path)
        base_source, problems = read(base_path)
        if problems or any(base_source.path == earlier.path for earlier in trail):
            circle = not problems
            message = (
                Text("the variants run in a circle: `{name}` builds upon itself", name=base.text)
                if circle
                else Text("there is no game called `{name}` to be a variant of", name=base.text)
            )
            help = None if circle else Text("the games are: {games}", games=list(shipped()))
            found.append(Diagnostic("circle" if circle else "no-base", message, base.span, help=help))
            return Loaded(Path(path), Checked(None), limited(found))
        trail.append(base_source)
        base_sections, problems = parse(base_source)
        found += problems
        sections, problems = merge(base_sections, sections)
        found += problems
        sources.append(base_source)
    if any(d.is_error for d in found):
        # A line that could not be read leaves names undeclared; only independent findings are worth telling.
        checked = check(sections, sources, values)
        told = {"unknown-name", "unknown-move", "unknown-step", "unknown-figure", "no-game", "no-cards", "no-players"}
        found += [d for d in checked.diagnostics if d.code not in told and d.is_error]
        return Loaded(Path(path), checked, limited(found))
    checked = check(sections, sources, values)
    return Loaded(Path(path), checked, limited(found + checked.diagnostics))


def load_game(name: str, values: dict[str, int] | None = None) -> Model:
    """The model of a game by name or path, or RuleFileError with everything that is wrong."""
    loaded = load(find(name), values)
    if loaded.model is None:
        raise RuleFileError([d for d in loaded.diagnostics if d.is_error])
    return loaded.model


def digest(rules: Model) -> str:
    """A short fingerprint of the rules in force."""
    text = json.dumps([[s.text for s in rules.sources], sorted(rules.changed_values.items())])
    return hashlib.sha256(text.encode()).hexdigest()[:16]
