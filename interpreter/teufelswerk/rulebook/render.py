"""A rulebook's content → Markdown, HTML or PDF in one language, through one set of templates for all games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from teufelswerk.i18n import Translator
from teufelswerk.rulebook import markup
from teufelswerk.rulebook.content import Book, anchor
from teufelswerk.rulebook.faces import Face
from teufelswerk.rulebook.flow_picture import first_sentence, flow_svg, plain_words
from teufelswerk.rulebook.index import Entry
from teufelswerk.rulebook.pictures import card_svg
from teufelswerk.rulebook.words import spaced
from teufelswerk.texts import PLACEHOLDER, Text

Form = Literal["md", "html", "pdf"]
FORMS: tuple[Form, ...] = ("md", "html", "pdf")


class NoTypesetter(Exception):
    """The program that makes PDFs is not installed."""

    message = Text("PDF needs the package `typst`; install it with `pip install teufelswerk[pdf]`")


def render(book: Book, form: Form, translator: Translator, clauses: bool = False) -> bytes:
    """The rulebook as a file; with `clauses`, the program stands beside the words."""
    if form == "pdf":
        return _pdf(_Renderer(book, "typ", translator, clauses).run())
    return _Renderer(book, form, translator, clauses).run().encode()


def _pdf(source: str) -> bytes:
    try:
        import typst
    except ImportError:
        raise NoTypesetter from None
    made = typst.compile(source.encode(), format="pdf", ignore_system_fonts=True, timestamp=0)
    assert isinstance(made, bytes)
    return made


class _Renderer:
    """Holds the words and pictures that the templates ask for."""

    def __init__(self, book: Book, suffix: str, translator: Translator, clauses: bool) -> None:
        self.book = book
        self.suffix = suffix
        self.translator = translator
        self.clauses = clauses
        self.faces: dict[Face, str] = {}
        environment = Environment(
            loader=PackageLoader("teufelswerk.rulebook"),
            autoescape=suffix == "html",
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.globals.update(_=self.own, anchor=anchor, flow=self.flow, faces=self.faces)
        environment.filters.update(
            say=self.say, cap=self.cap, prose=self.prose, card=self.card, name=self.name, sentence=self.sentence,
            label=self.label, by_name=self.by_name, string=markup.typst_string, esc=markup.typst_text,
            drawn=self.drawn,
        )  # fmt: skip
        self.template = environment.get_template(f"rulebook.{suffix}.j2")

    def run(self) -> str:
        headings = {s.anchor: s.heading for s in (*self.book.rules, *self.book.examples)}
        return self.template.render(
            book=self.book, lang=self.translator.language, clauses=self.clauses, headings=headings
        )

    # ---- words ------------------------------------------------------------------------------------------------------

    def own(self, msgid: str, **values: Any) -> str:
        """The renderer's own words."""
        return self.translator(Text(msgid, **values))

    def say(self, value: Any) -> str:
        """Anything that a cell or a label can hold."""
        if isinstance(value, tuple):
            return self.translator.list([self.say(item) for item in value])
        # A catalog beside a rule file may name a figure that there is not: readers get its name, and no braces.
        return PLACEHOLDER.sub(lambda match: (match[2] or spaced(match[1])).split("|")[-1], self.translator.show(value))

    def label(self, parts: Sequence[Any]) -> str:
        return " · ".join(self.cap(part) if number == 0 else self.say(part) for number, part in enumerate(parts))

    def cap(self, value: Any) -> str:
        words = self.say(value)
        return words[:1].upper() + words[1:]

    def sentence(self, text: Text) -> str:
        return first_sentence(plain_words(self.say(text)))

    def prose(self, text: Text) -> str:
        """A paragraph with its emphasis."""
        words = self.say(text)
        if self.suffix == "html":
            return Markup(markup.html(words))
        return markup.typst(words) if self.suffix == "typ" else words

    def by_name(self, entries: Sequence[Entry]) -> list[Entry]:
        return sorted(entries, key=lambda entry: self.say(entry.term).casefold())

    # ---- pictures ---------------------------------------------------------------------------------------------------

    def name(self, face: Face) -> str:
        """A card in words: `22 (2 ◆)`, for pictures made of text."""
        return self.say(face.title)

    def card(self, face: Face) -> str:
        """The card's picture; in Typst the name of one that is defined once."""
        if self.suffix == "html":
            return Markup(card_svg(face, self.say))
        return self.faces.setdefault(face, f"c{len(self.faces)}")

    def drawn(self, face: Face) -> str:
        return card_svg(face, self.say, plain=True)

    def flow(self) -> str:
        label = self.own("The course of the game")
        picture = flow_svg(self.book.flow, self.say, label, plain=self.suffix == "typ")
        return Markup(picture) if self.suffix == "html" else picture
