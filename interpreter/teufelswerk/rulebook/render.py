"""A rulebook's content → Markdown, HTML or PDF in one language, in one layout for all games."""

from __future__ import annotations

from typing import Any, Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from teufelswerk.base.texts import Text
from teufelswerk.language.i18n import Translator
from teufelswerk.rulebook import markup
from teufelswerk.rulebook.booklet import booklet_of
from teufelswerk.rulebook.content import LEGEND, Book, anchor
from teufelswerk.rulebook.course_picture import flow_svg
from teufelswerk.rulebook.faces import Face
from teufelswerk.rulebook.pictures import card_svg
from teufelswerk.rulebook.typeset import typeset
from teufelswerk.rulebook.wording import Wording

Form = Literal["md", "html", "pdf"]
FORMS: tuple[Form, ...] = ("md", "html", "pdf")


def render(book: Book, form: Form, translator: Translator, clauses: bool = False, exact: bool = False) -> bytes:
    """The rulebook as a file; with `clauses`, the program stands beside the words, with `exact` what it says."""
    if form == "pdf":
        return typeset(booklet_of(book, Wording(translator, printed=True), clauses, exact))
    return _Renderer(book, form, Wording(translator), clauses, exact).run().encode()


class _Renderer:
    """Holds the words and pictures that the templates ask for. What they do not mark as safe is plain text."""

    def __init__(self, book: Book, form: Literal["md", "html"], wording: Wording, clauses: bool, exact: bool) -> None:
        self.book = book
        self.wording = wording
        self.clauses, self.exact = clauses, exact
        environment = Environment(
            loader=PackageLoader("teufelswerk.rulebook"),
            autoescape=True,
            finalize=_plain_in_markdown if form == "md" else None,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.globals.update(_=wording.own, anchor=anchor, flow=self.flow, legend=LEGEND)
        prose = markup.markdown if form == "md" else markup.html
        environment.filters.update(
            say=wording.say, cap=wording.cap, sentence=wording.sentence, label=wording.label, by_name=wording.by_name,
            exactly=wording.exact,
            prose=lambda text: Markup(prose(wording.say(text))), card=self.card, name=self.name,
            fenced=lambda lines: Markup(markup.fenced(lines)),
        )  # fmt: skip
        self.template = environment.get_template(f"rulebook.{form}.j2")

    def run(self) -> str:
        headings = {s.anchor: s.heading for s in (*self.book.rules, *self.book.examples)}
        lang = self.wording.translator.language
        return self.template.render(
            book=self.book, lang=lang, clauses=self.clauses, exact=self.exact, headings=headings
        )

    def name(self, face: Face) -> str:
        """A card in words: `22 (2 ◆)`, for pictures made of text."""
        return self.wording.say(face.title)

    def card(self, face: Face) -> str:
        return Markup(card_svg(face, self.wording.say))

    def flow(self) -> str:
        return Markup(flow_svg(self.book.flow, self.wording.say, self.wording.say(Text("The course of the game"))))


def _plain_in_markdown(value: Any) -> Any:
    """Templates mark Markdown of their own as safe; whatever else they put out stands for itself."""
    return value if hasattr(value, "__html__") else Markup(markup.markdown_text(str(value)))
