"""Names and paths → checked games: where rule files are found, and the whole way from a file to its model."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from teufelswerk.check import Checked, check
from teufelswerk.diagnostics import Diagnostic, RuleFileError, Source, limited, nearest
from teufelswerk.effort import check_effort
from teufelswerk.limits import MAX_VARIANT_DEPTH
from teufelswerk.model import Model
from teufelswerk.nodes import Word
from teufelswerk.parse import parse
from teufelswerk.scene_model import SceneModel
from teufelswerk.source import read
from teufelswerk.texts import Text
from teufelswerk.variants import base_of, merge

SUFFIX = ".rules.md"
CONSEQUENCES = frozenset("unknown-name unknown-move unknown-step unknown-figure no-game no-cards no-players".split())
"""What may be wrong only because another line could not be read."""


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
        problem = _base_problem(base, base_source, problems, trail)
        base_sections, more = parse(base_source)
        if problem or not base_sections:
            found += [problem] if problem else more
            return Loaded(Path(path), Checked(None), limited(found))
        trail.append(base_source)
        found += more
        sections, problems = merge(base_sections, sections)
        found += problems
        sources.append(base_source)
    try:
        checked = check(sections, sources, values)
        if checked.model is not None and not any(d.is_error for d in (*found, *checked.diagnostics)):
            checked.diagnostics += check_effort(checked.model)
    except RecursionError:
        # The bounds on each line, block and definition leave room for this only in files made for it.
        found.append(Diagnostic("too-deep", Text("the rules are too deeply nested to be understood")))
        return Loaded(Path(path), Checked(None), limited(found))
    if any(d.is_error for d in found):
        # A line that could not be read leaves names undeclared; only independent findings are worth telling.
        found += [d for d in checked.diagnostics if d.code not in CONSEQUENCES and d.is_error]
        return Loaded(Path(path), checked, limited(found))
    return Loaded(Path(path), checked, limited(found + checked.diagnostics))


def _base_problem(base: Word, source: Source, problems: list[Diagnostic], trail: list[Source]) -> Diagnostic | None:
    """Why a file cannot build upon its base, if it cannot."""
    if any(problem.code == "no-file" for problem in problems):
        similar = nearest(base.text, shipped())
        help = (
            Text("write `{name}`", name=similar) if similar else Text("the games are: {games}", games=list(shipped()))
        )
        message = Text("there is no game called `{name}` to be a variant of", name=base.text)
        return Diagnostic("no-base", message, base.span, help=help)
    if problems:
        return problems[0]
    if any(source.path == earlier.path for earlier in trail):
        message = Text("the variants run in a circle: `{name}` builds upon itself", name=base.text)
        return Diagnostic("circle", message, base.span)
    if len(trail) > MAX_VARIANT_DEPTH:
        message = Text("variants build upon one another at most {limit} deep", limit=MAX_VARIANT_DEPTH)
        return Diagnostic("too-deep", message, base.span)
    return None


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
