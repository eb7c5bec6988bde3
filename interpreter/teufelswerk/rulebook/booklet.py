"""A rulebook's content → plain data with its words in one language, which `booklet.typ` typesets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from teufelswerk.base.texts import Text
from teufelswerk.rulebook import markup
from teufelswerk.rulebook.content import LEGEND, Book, CardKind, Paragraph, Section, anchor
from teufelswerk.rulebook.course_picture import flow_svg
from teufelswerk.rulebook.example_pictures import Picture, Strip
from teufelswerk.rulebook.faces import Face
from teufelswerk.rulebook.pictures import card_svg
from teufelswerk.rulebook.tables import Table
from teufelswerk.rulebook.tallies import Amount
from teufelswerk.rulebook.wording import Wording

Data: TypeAlias = dict[str, Any]
LONG = 5_000
"""Letters of a paragraph that goes on for pages."""
FEW_SECTIONS = 24
"""With no more, the booklet is looked through as quickly as its contents are, and needs neither these nor an index."""


def booklet_of(book: Book, wording: Wording, clauses: bool = False, exact: bool = False) -> Data:
    """The whole booklet; with `clauses`, the program stands below the words, with `exact` what it says."""
    return _Booklet(book, wording, clauses, exact).data()


class _Booklet:
    def __init__(self, book: Book, wording: Wording, clauses: bool, exact: bool) -> None:
        self.book = book
        self.clauses, self.exact = clauses, exact
        self.say, self.cap, self.label = wording.say, wording.cap, wording.label
        self.wording = wording
        self.faces: dict[Face, int] = {}

    def data(self) -> Data:
        book, say = self.book, self.say
        low, high = book.players
        course = say(Text("The course of the game"))
        return {
            "lang": self.wording.translator.language.split("_")[0],
            "title": say(book.title),
            "words": {
                "contents": say(Text("Contents")),
                "ruling": say(Text("Ruling")),
                "backs": say(Text("The backs")),
                "changed": say(Text("Changed values:")),
                "index": say(Text("Index")),
                "course": course,
                "legend": say(LEGEND) if book.examples else "",
            },
            "short": len(book.rules) + len(book.examples) <= FEW_SECTIONS,
            "rules": len(book.rules),
            "cover": self.drawn(book.cover),
            "opening": self.paragraphs(book.opening),
            "bases": [
                {"label": say(Text("A variant of {title}", title=title)), "paragraphs": self.paragraphs(introduction)}
                for title, introduction in book.bases
            ],
            "facts": [
                (f"{low}–{high}" if high > low else f"{low}", say(Text("{n:player|players}", n=high))),
                (f"{book.cards}", say(Text("{n:card|cards}", n=book.cards))),
            ],
            "changed": [(say(name), f"{number}") for name, number in book.changed],
            "sections": [self.section(section) for section in (*book.rules, *book.examples)],
            "index": [
                {"term": say(entry.term), "sections": [anchor(number) for number in entry.sections]}
                for entry in self.wording.by_name(book.index)
            ],
            "course": flow_svg(book.flow, say, course, plain=True),
            "faces": [card_svg(face, say, plain=True) for face in self.faces],
        }

    def section(self, section: Section) -> Data:
        return {
            "anchor": section.anchor,
            "level": max(section.level - 1, 1),
            "heading": self.say(section.heading),
            "paragraphs": self.paragraphs(section.paragraphs),
            "program": section.clauses if self.clauses else "",
            "exact": self.wording.exact(section.exact),
            "kinds": [self.kind(kind) for kind in section.kinds],
            "backs": self.drawn(section.backs),
            "setup": self.table(section.setup, Text("At the start, by the number of players")),
        }

    def paragraphs(self, paragraphs: Sequence[Paragraph]) -> list[Data]:
        return [self.paragraph(paragraph) for paragraph in paragraphs]

    def paragraph(self, paragraph: Paragraph) -> Data:
        words, players = self.say(paragraph.text), paragraph.counts
        counts = self.say(Text("with {n} players", n=players)) if players else ""
        return {
            "runs": markup.runs(words),
            "long": len(words) > LONG,
            "ruling": paragraph.ruling,
            "counts": f" ({counts})" if counts else "",
            "program": paragraph.clauses if self.clauses else "",
            "exact": self.wording.exact(paragraph.exact) if self.exact else [],
            "pictures": [self.picture(picture) for picture in paragraph.pictures],
            "remarks": [self.say(remark) for remark in paragraph.remarks],
        }

    # ---- pictures and tables ----------------------------------------------------------------------------------------

    def drawn(self, faces: Sequence[Face]) -> list[int]:
        """Each picture is there once, and is known by its number."""
        return [self.faces.setdefault(face, len(self.faces)) for face in faces]

    def kind(self, kind: CardKind) -> Data:
        name, number = self.cap(kind.name), kind.number
        among_others = Text("{kind}: {n} {n:card|cards}", kind=name, n=number)
        caption = among_others if self.book.kinds > 1 or kind.table is None else Text("{n} {n:card|cards}", n=number)
        return {
            "faces": self.drawn(kind.samples),
            "caption": self.say(caption),
            "table": self.table(kind.table, caption),
        }

    def table(self, table: Table | None, caption: Text) -> Data | None:
        if table is None:
            return None
        return {
            "caption": self.say(caption),
            "head": [self.cap(cell) for cell in table.head],
            "rows": [[self.cap(first), *map(self.say, others)] for first, *others in table.rows],
        }

    def picture(self, picture: Picture) -> Data:
        return {
            "named": any(slot.below for strip in picture.strips for slot in strip.slots),
            "strips": [self.strip(strip) for strip in picture.strips],
            "tallies": [
                {"label": self.cap(tally.label), "entries": [self.amount(amount) for amount in tally.entries]}
                for tally in picture.tallies
            ],
        }

    def strip(self, strip: Strip) -> Data:
        slots = [
            {"face": self.drawn([slot.face])[0], "below": " ".join(map(self.say, slot.below)), "mark": slot.mark}
            for slot in strip.slots
        ]
        return {"label": self.label(strip.label), "slots": slots}

    def amount(self, amount: Amount) -> Data:
        before = f"{self.say(amount.who)} " if amount.who else ""
        if amount.before is not None:
            before += f"{self.say(str(amount.before))} → "
        return {"before": before, "number": f"{self.say(str(amount.number))}{' ★' if amount.wins else ''}"}
