"""A game and its examples → the rulebook as plain content, in no language yet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from teufelswerk import model
from teufelswerk.base.budget import Deadline
from teufelswerk.base.diagnostics import Source
from teufelswerk.base.limits import MAX_WORK_OF_BOOK
from teufelswerk.base.texts import Text
from teufelswerk.examples.open_games import OpenGames
from teufelswerk.model.scenes import SceneModel
from teufelswerk.rulebook.course import Box, flow_of
from teufelswerk.rulebook.exact.actions import Line
from teufelswerk.rulebook.exact.whole import exact_words, words_below
from teufelswerk.rulebook.example_pictures import Picture
from teufelswerk.rulebook.faces import Face, Faces
from teufelswerk.rulebook.figures import UNKNOWN, Figures, Several, filled, is_misfit, together, unexplained
from teufelswerk.rulebook.index import Entry, index_of
from teufelswerk.rulebook.section_examples import Run
from teufelswerk.rulebook.tables import CardTables, Table, setup_table
from teufelswerk.rulebook.words import game_heading, heading, term

VALUE = re.compile(r"^( *)([a-z][\w-]*) = \d+$")
COVER_CARDS = 5


LEGEND = Text(
    "In the examples ✓ stands for what may be played, ✗ for what may not, ★ for what the text is about,"
    " and → for a number that changes."
)


@dataclass(frozen=True)
class Paragraph:
    """A paragraph with what belongs to it. `clauses` are the lines of the program below it."""

    text: Text
    ruling: bool
    clauses: str
    counts: int | None = None
    """The numbers of players that its figures are for, where the paragraph does not name them."""
    pictures: tuple[Picture, ...] = ()
    remarks: tuple[Text, ...] = ()
    exact: tuple[Line, ...] = ()
    """What the lines say, in words made from them."""


@dataclass(frozen=True)
class CardKind:
    name: Text
    number: int
    samples: tuple[Face, ...]
    table: Table | None


@dataclass
class Section:
    anchor: str
    heading: Text
    level: int
    paragraphs: list[Paragraph]
    clauses: str = ""
    """The program, where the section has no paragraph to stand for it."""
    exact: tuple[Line, ...] = ()
    kinds: list[CardKind] = field(default_factory=list)
    backs: list[Face] = field(default_factory=list)
    setup: Table | None = None


@dataclass
class Book:
    game: str
    title: Text
    opening: list[Paragraph]
    bases: list[tuple[Text, list[Paragraph]]]
    """The games that this is a variant of, each with its own introduction, the nearest first."""
    players: tuple[int, int]
    cards: int
    kinds: int
    changed: list[tuple[Text, int]]
    cover: list[Face]
    rules: list[Section]
    examples: list[Section]
    flow: tuple[Box, ...]
    index: list[Entry]


def anchor(section: int) -> str:
    return f"s{section}"


def book_of(
    rules: model.Model, scenes: Sequence[SceneModel], edition: str | None = None, deadline: Deadline | None = None
) -> Book:
    """The whole rulebook: figures from the rules in force, examples with the numbers of a printed edition, if named."""
    return _Bookmaker(rules, scenes, edition, deadline).book()


class _Bookmaker:
    def __init__(
        self, rules: model.Model, scenes: Sequence[SceneModel], edition: str | None, deadline: Deadline | None
    ) -> None:
        self.rules, self.edition = rules, edition
        self.scenes = scenes
        self.figures = Figures(rules)
        self.faces = Faces(rules)
        self.games = OpenGames(rules, deadline)
        self.exact = exact_words(rules)

    def book(self) -> Book:
        rules = self.rules
        sections = [self.section(section) for section in rules.sections]
        first, others = sections[0], list(zip(sections[1:], rules.sections[1:], strict=True))
        openings = self.openings(first.paragraphs)
        self.add_cards(sections)
        self.add_setup(sections)
        changed = [(term(rules, name, "figure"), number) for name, number in rules.changed_values.items()]
        return Book(
            game=rules.name,
            title=first.heading,
            opening=openings.pop(None, []),
            bases=[(game_heading(rules, base), said) for base, said in openings.items() if base],
            players=(rules.min_players, rules.max_players),
            cards=len(rules.cards),
            kinds=len(rules.kinds),
            changed=changed,
            cover=self.cover(),
            rules=[section for section, of in others if not of.is_example],
            examples=[section for section, of in others if of.is_example],
            flow=flow_of(rules, self.figures),
            index=index_of(rules),
        )

    # ---- sections ---------------------------------------------------------------------------------------------------

    def section(self, section: model.Section) -> Section:
        if section.is_example and any(map(is_misfit, section.prose)):
            remark = Text("This example is about something that these rules no longer have.")
            paragraphs = [Paragraph(remark, False, "")]
        else:
            run = Run(self.games, self.faces, section, self.scenes, self.edition) if section.is_example else None
            paragraphs = [self.paragraph(prose, part, run) for part, prose in enumerate(section.prose)]
        found = Section(anchor(section.index), heading(self.rules, section.index), section.level, paragraphs)
        if not paragraphs:
            where = section.span.source, section.span.line
            found.clauses, found.exact = self.clauses(*where), words_below(self.exact, *where)
        return found

    def openings(self, paragraphs: Sequence[Paragraph]) -> dict[str | None, list[Paragraph]]:
        """The paragraphs below the title by the base that they introduce; None is the game itself."""
        found: dict[str | None, list[Paragraph]] = {}
        for prose, paragraph in zip(self.rules.sections[0].prose, paragraphs, strict=True):
            found.setdefault(prose.base, []).append(paragraph)
        return found

    def paragraph(self, prose: model.Prose, part: int, run: Run | None) -> Paragraph:
        span = prose.paragraph.span
        pieces = prose.paragraph.pieces
        last = pieces[-1][1].line if pieces else span.line
        clauses = "" if prose.base else self.clauses(span.source, last)
        if run is None:
            text = self.figures.fill(prose)
            counts = self.figures.players() if unexplained(prose, text.values) else None
            exact = () if prose.base else words_below(self.exact, span.source, last)
            return Paragraph(text, prose.paragraph.ruling, clauses, counts, exact=exact)
        remarks = []
        if run.is_cut and part == 0:
            limit = MAX_WORK_OF_BOOK
            remarks.append(
                Text("Not shown in full: the examples have more than {limit} things to look at.", limit=limit)
            )
        if part in run.broken:
            remarks.append(Text("With the values of these rules the example does not come out like this."))
        text = self.example_text(prose, part, run)
        return Paragraph(text, prose.paragraph.ruling, clauses, None, tuple(run.pictures(part)), tuple(remarks))

    def example_text(self, prose: model.Prose, part: int, run: Run) -> Text:
        """The paragraph with its figures read from the example, for each number of players if it names that."""
        snapshots = run.snapshots[part] or [s for before in range(part) for s in run.snapshots[before]][-1:]
        if "players" not in {name for name, _ in prose.figures}:
            snapshots = snapshots[-1:]
        values = {}
        for name, expr in prose.figures:
            found = [snapshot.figure(expr) for snapshot in snapshots]
            known = bool(found) and all(value is not UNKNOWN for value in found)
            values[name] = together(found) if known else self.figures.everywhere(name, expr)
        return filled(prose, values)

    def clauses(self, source: Source, after: int) -> str:
        """The indented lines that follow a line, with the values in force."""
        found: list[str] = []
        for line in source.lines[after:]:
            if line.strip() and not line.startswith(" "):
                break
            found.append(self.in_force(line[4:].rstrip()))
        return "\n".join(found).strip("\n")

    def in_force(self, line: str) -> str:
        value = VALUE.match(line)
        definition = self.rules.definitions.get(value[2]) if value else None
        if value and definition is not None and isinstance(definition.value, model.Const):
            return f"{value[1]}{value[2]} = {definition.value.value}"
        return line

    # ---- pictures and tables ----------------------------------------------------------------------------------------

    def add_cards(self, sections: Sequence[Section]) -> None:
        """Pictures and tables of the cards go where the cards are declared."""
        tables = CardTables(self.rules, self.faces)
        homes = []
        for kind in self.rules.kinds.values():
            home = sections[self.rules.section_at(kind.span).index]
            homes.append(home)
            number = sum(card.kind == kind.name for card in self.rules.cards)
            samples = tuple(self.faces.samples(kind.name))
            home.kinds.append(CardKind(term(self.rules, kind.name, "card"), number, samples, tables.table(kind)))
        if homes:
            homes[-1].backs = self.faces.backs()

    def add_setup(self, sections: Sequence[Section]) -> None:
        """The table by number of players goes below the first paragraph whose figures differ."""
        table = setup_table(self.rules, self.figures)
        for section, of in zip(sections, self.rules.sections, strict=True):
            differs = any(isinstance(v, Several) for p in section.paragraphs for v in p.text.values.values())
            if table is not None and differs and not of.is_example:
                section.setup = table
                return

    def cover(self) -> list[Face]:
        """A few cards for the title page, of different kinds if there are any."""
        samples = [self.faces.samples(kind) for kind in self.rules.kinds]
        chosen = [face for group in samples[1:] for face in group[:1]]
        rest = samples[0][-(COVER_CARDS - len(chosen)) :]
        return [*rest, *chosen][:COVER_CARDS]
