"""The tables in `printed/`: what each printed edition says, where our rule files have it, and what is wrong with that.

A rule of ours is a line of a rule file outside its examples, named by its way through the file:
`section > line > line`. Lines that only head others (`player leads:`, `if upward`) are part of that way.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from teufelswerk.loading.library import load
from teufelswerk.model import Model
from teufelswerk.model.scenes import Play
from teufelswerk.syntax.source import RULING, Line, Part, read, split

FOLDER = Path(__file__).parent / "printed"
KINDS = ("rule", "example", "ruling", "handling", "flavour")
JOIN = " > "


# ---- our side: a rule file ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rule:
    """A line of a rule file that decides something."""

    place: str
    section: str
    kind: str
    head: int
    """The line number of the outermost line that it stands below, or is."""
    ruling: bool
    """Whether its part is marked as a ruling, or it only calls a step that is."""


@dataclass(frozen=True)
class Ours:
    """A rule file as the tables see it."""

    game: str
    model: Model
    rules: dict[str, Rule]
    examples: dict[str, str]
    """The lines of examples, by their place: the heading that each stands under."""
    paragraphs: dict[str, bool]
    """Each paragraph by its place, and whether it is a ruling."""
    editions: tuple[tuple[str, str, str], ...]
    """Lines of examples that differ between editions: the place, the edition, and what it has."""


@cache
def ours(path: Path) -> Ours:
    """Reads a rule file that has no mistakes."""
    loaded = load(path)
    model = loaded.model
    assert model, [str(d.message) for d in loaded.diagnostics]
    source, _ = read(path)
    sections, _ = split(source)
    kinds = dict(_declared(model))
    rules: dict[str, Rule] = {}
    examples: dict[str, str] = {}
    paragraphs: dict[str, bool] = {}
    for known, section in zip(model.sections, sections, strict=True):
        for index, part in enumerate(section.parts):
            if part.paragraph and not known.is_example:
                text = (RULING if part.paragraph.ruling else "") + part.paragraph.text
                paragraphs[section.heading + JOIN + text] = part.paragraph.ruling
            for line in part.lines:
                if known.is_example:
                    examples[section.heading + JOIN + line.text] = section.heading
                    continue
                marked = _is_ruling(section.parts, index)
                for place, found in _rules(line, section.heading):
                    kind = kinds.get(found.span.line) or kinds.get(line.span.line) or "players"
                    rules[place] = Rule(place, section.heading, kind, line.span.line, marked)
    marked_heads = {rule.head for rule in rules.values() if rule.ruling}
    decided = {name for name, step in model.steps.items() if step.span.line in marked_heads}
    for place, rule in rules.items():
        if place.split(JOIN)[-1] in decided:
            rules[place] = replace(rule, ruling=True)
    editions = tuple(
        (
            scene.heading + JOIN + source.lines[line.span.line - 1].strip(),
            line.edition,
            ", ".join(argument.text for argument in line.edition_arguments),
        )
        for scene in loaded.scenes
        for line in scene.lines
        if isinstance(line, Play) and line.edition
    )
    return Ours(model.name, model, rules, examples, paragraphs, editions)


def _declared(model: Model) -> Iterator[tuple[int, str]]:
    """The lines of everything that the model has a name for, and of every `must`."""
    for kind in model.kinds.values():
        yield kind.span.line, "cards"
    for place in model.places.values():
        if place.span:
            yield place.span.line, "place"
    for keep in model.keeps.values():
        yield keep.span.line, "keep"
    for definition in model.definitions.values():
        yield definition.span.line, "definition"
    for step in model.steps.values():
        yield step.span.line, "step"
    for move in model.moves.values():
        yield move.span.line, "move"
        for must, _ in move.musts:
            yield must.span.line, "must"


def _is_ruling(parts: list[Part], index: int) -> bool:
    """Whether a part is marked; a ruling without lines of its own is about the part above it."""
    below = parts[index + 1] if index + 1 < len(parts) else None
    return any(
        part.paragraph is not None and part.paragraph.ruling
        for part in (parts[index], *([below] if below and not below.lines else []))
    )


def _rules(line: Line, above: str) -> Iterator[tuple[str, Line]]:
    below = [child for child in line.children if not child.text.startswith('"')]
    name = line.text.removesuffix(":").removesuffix(" =")
    place = above + JOIN + name
    only_heads = (line.text != name and below) or name == "else" or name.startswith("if ")
    if not only_heads:
        yield place, line
    for child in below:
        yield from _rules(child, place)


# ---- the tables -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sentence:
    number: int
    kind: str
    says: str
    places: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class Edition:
    """A printed edition."""

    game: str
    name: str
    sentences: tuple[Sentence, ...]

    def numbers(self, place: str) -> list[int]:
        """The sentences that a line of ours comes from."""
        return [sentence.number for sentence in self.sentences if place in sentence.places]


@dataclass(frozen=True)
class Ruling:
    """A paragraph that we decided, and the lines that follow from it."""

    at: str
    why: str
    places: tuple[str, ...]
    unmarked: str
    """Why the rule file does not say that it is one."""


@dataclass(frozen=True)
class Tables:
    """All that there is about a game."""

    game: str
    editions: tuple[Edition, ...]
    rulings: tuple[Ruling, ...]


def tables(game: str, folder: Path = FOLDER) -> Tables:
    editions: list[Edition] = []
    rulings: list[Ruling] = []
    for path in sorted(folder.glob("*.toml"), key=lambda path: path.stem):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        if table["game"] != game:
            continue
        rulings += [
            Ruling(row["at"], row["why"], tuple(row["places"]), row.get("unmarked", ""))
            for row in table.get("ruling", ())
        ]
        if "edition" in table:
            sentences = tuple(
                Sentence(row["number"], row["kind"], row["says"], tuple(row.get("places", ())), row.get("note", ""))
                for row in table["sentence"]
            )
            editions.append(Edition(game, table["edition"], sentences))
    return Tables(game, tuple(editions), tuple(rulings))


# ---- what is wrong --------------------------------------------------------------------------------------------------


def problems(rulebook: Ours, found: Tables) -> list[str]:
    """Everything by which tables and rule file do not fit each other; an empty list says that both are complete."""
    listed = [problem for edition in found.editions for problem in _in_edition(rulebook, edition)]
    return [*listed, *_in_rulings(rulebook, found), *_missing(rulebook, found)]


def _in_edition(rulebook: Ours, edition: Edition) -> Iterator[str]:
    numbers = [sentence.number for sentence in edition.sentences]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"{edition.name}: the sentences are not numbered one by one"
    for sentence in edition.sentences:
        where = f"{edition.name} {sentence.number}"
        if sentence.kind not in KINDS:
            yield f"{where}: there is no kind `{sentence.kind}`"
        if not sentence.says.strip():
            yield f"{where}: it does not say anything"
        if (sentence.kind == "flavour") == bool(sentence.places):
            yield f"{where}: `{sentence.kind}` with {len(sentence.places)} places"
        if sentence.kind in ("ruling", "handling") and not sentence.note:
            yield f"{where}: no reason is given"
        if sentence.kind == "ruling" and not any(rulebook.paragraphs.get(place) for place in sentence.places):
            yield f"{where}: it names no ruling of the rule file"
        if sentence.kind == "example" and not any(place in rulebook.examples for place in sentence.places):
            yield f"{where}: it names no line of an example"
        for place, times in Counter(sentence.places).items():
            if place not in rulebook.rules and place not in rulebook.examples and place not in rulebook.paragraphs:
                yield f"{where}: the rule file has no `{place}`"
            if times > 1:
                yield f"{where}: `{place}` is named twice"


def _in_rulings(rulebook: Ours, found: Tables) -> Iterator[str]:
    named = [ruling.at for ruling in found.rulings]
    for place, marked in rulebook.paragraphs.items():
        if marked and named.count(place) != 1:
            yield f"`{place}` is listed {named.count(place)} times"
    for ruling in found.rulings:
        if ruling.at not in rulebook.paragraphs:
            yield f"the rule file has no `{ruling.at}`"
        elif rulebook.paragraphs[ruling.at] == bool(ruling.unmarked):
            yield f"`{ruling.at}` is {'' if ruling.unmarked else 'not '}marked as a ruling"
        for place in ruling.places:
            if place not in rulebook.rules:
                yield f"the rule file has no `{place}`"
            elif not rulebook.rules[place].ruling and not ruling.unmarked:
                yield f"`{place}` does not stand in a ruling"


def _missing(rulebook: Ours, found: Tables) -> Iterator[str]:
    decided = {place for ruling in found.rulings for place in ruling.places}
    for place in rulebook.rules:
        if place not in decided and not any(edition.numbers(place) for edition in found.editions):
            yield f"no edition and no ruling has `{place}`"


# ---- the other direction --------------------------------------------------------------------------------------------


def listing(rulebook: Ours, found: Tables) -> str:
    """Every rule of ours with the sentences that it comes from, as Markdown."""
    names = [edition.name for edition in found.editions]
    head = f"| kind | rule | {' | '.join(names)} |"
    rule = "| --- " * (len(names) + 2) + "|"
    out = [
        f"# {rulebook.model.title}: where our rules come from",
        "Made from the tables beside it by `python3 cli test --update-golden`. The numbers are those of the sentences\n"
        "of each edition; *ruling* is what we decided ourselves, *ours* an example that we added.",
    ]
    for section in rulebook.model.sections:
        heading = section.heading
        mine = [place for place, ruled in rulebook.rules.items() if ruled.section == heading]
        rows = [f"| {rulebook.rules[place].kind} | `{_within(place)}` | {_sources(place, found)} |" for place in mine]
        rulings = [ruling for ruling in found.rulings if ruling.at.startswith(heading + JOIN)]
        rows += [f"| ruling | {_told(ruling)} | {' | '.join(['*ruling*'] * len(names))} |" for ruling in rulings]
        if rows:
            out += [f"## {heading}", "\n".join([head, rule, *rows])]
    rows = [
        f"| example | {heading} | {_sources_of_example(rulebook, heading, found)} |"
        for heading in dict.fromkeys(rulebook.examples.values())
    ]
    out += ["## Examples", "\n".join([head, rule, *rows])]
    return "\n\n".join(out) + "\n"


def _within(place: str) -> str:
    return place.split(JOIN, 1)[1]


def _told(ruling: Ruling) -> str:
    return f"{_within(ruling.at).removeprefix(RULING)} {ruling.why} {ruling.unmarked}".rstrip()


def _sources(place: str, found: Tables) -> str:
    numbers = [edition.numbers(place) for edition in found.editions]
    if not any(numbers):
        return " | ".join(["*ruling*"] * len(numbers))
    return " | ".join(", ".join(map(str, each)) for each in numbers)


def _sources_of_example(rulebook: Ours, heading: str, found: Tables) -> str:
    lines = [place for place, above in rulebook.examples.items() if above == heading]
    numbers = [sorted({n for place in lines for n in edition.numbers(place)}) for edition in found.editions]
    if not any(numbers):
        return " | ".join(["*ours*"] * len(numbers))
    return " | ".join(f"{each[0]}–{each[-1]}" if len(each) > 1 else ", ".join(map(str, each)) for each in numbers)
