"""A rule file → its checked model: the whole way, with all that the file builds upon."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from teufelswerk.analysis.cost_bound import check_effort
from teufelswerk.base.diagnostics import Diagnostic, Source, limited, nearest
from teufelswerk.base.find_files import ALL_GAMES, SUFFIX, base_path, known
from teufelswerk.base.limits import MAX_VARIANT_DEPTH
from teufelswerk.base.texts import Text
from teufelswerk.checker.check import Checked, check
from teufelswerk.loading.variant_help import explained
from teufelswerk.model import Model
from teufelswerk.model.scenes import SceneModel
from teufelswerk.syntax.help.consequences import independent
from teufelswerk.syntax.help.mistakes import with_our_words
from teufelswerk.syntax.merge_variants import base_of, merge, misplaced
from teufelswerk.syntax.nodes import Word
from teufelswerk.syntax.parse import ParsedSection, parse
from teufelswerk.syntax.source import decode, read

BASES_REMEMBERED = 8


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
        base_source, base_sections, more = parsed_base(base_source)
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
def parsed_base(source: Source) -> tuple[Source, list[ParsedSection], list[Diagnostic]]:
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


def load_edited(path: Path, texts: Mapping[Path, str]) -> Loaded:
    """The same while some files, by their resolved paths, are being written: their texts count, saved or not."""

    def reading(file: Path) -> Reading:
        text = texts.get(file.resolve())
        return read(file) if text is None else decode(text.encode(errors="replace"), str(file))

    def base_file(name: str, here: Path) -> Reading:
        return reading(base_path(name, here) or here.parent / f"{name}{SUFFIX}")

    return _checked(path, _assemble(reading(path), base_file), None)


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
    later = explained(with_our_words(checked.diagnostics), assembled.sections, assembled.replaced, assembled.sources)
    if any(d.is_error for d in found):
        return Loaded(path, checked, limited(found + independent(later, found)), assembled)
    return Loaded(path, checked, limited(found + later), assembled)


def _base_problem(base: Word, source: Source, problems: list[Diagnostic], trail: list[Source]) -> Diagnostic | None:
    """Why a file cannot build upon its base, if it cannot."""
    if any(problem.code == "no-file" for problem in problems):
        games = known()
        similar = nearest(base.text, games)
        help = Text("write `{name}`", name=similar) if similar else ALL_GAMES
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
