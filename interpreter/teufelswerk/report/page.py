"""Samples → the whole report as one HTML page in one language. The same samples make the same page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from teufelswerk import __version__
from teufelswerk.base.texts import Text
from teufelswerk.language.i18n import Translator
from teufelswerk.report.cards_section import cards_section
from teufelswerk.report.comparing import Compared, compared_section, variant_sentence
from teufelswerk.report.parts import Named, Section, Sentence
from teufelswerk.report.rules_table import never_fired, rules_table
from teufelswerk.report.samples import Sample
from teufelswerk.report.sections import (
    Sections,
    decision_sentence,
    kept_sentence,
    length_sentence,
    shared_sentence,
    start_sentences,
)
from teufelswerk.report.wording import Words
from teufelswerk.rulebook.faces import Faces
from teufelswerk.rulebook.pictures import card_svg
from teufelswerk.rulebook.words import term

COVER_CARDS = 5


@dataclass(frozen=True)
class Making:
    """How the games were played, so that it can be done again."""

    command: str
    seed: int
    engine: str
    bots: tuple[str, ...] = ()
    """Who played, seat by seat, if not everyone made random moves."""


@dataclass
class Page:
    title: str
    kicker: str
    game: str
    facts: str
    cover: list[str]
    summary: list[str]
    key: list[Named]
    making: list[tuple[str, str]]
    shows: str
    sections: list[Section] = field(default_factory=list)


def render(
    samples: Sequence[Sample], compared: Sequence[Sequence[Compared]], making: Making, translator: Translator
) -> bytes:
    """The report: the first sample is the game, the others are beside it, each with its figures compared."""
    words = Words(translator)
    environment = Environment(
        loader=PackageLoader("teufelswerk.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(_=words.gettext)
    environment.filters.update(picture=Markup)
    page = _Composer(samples, compared, making, words).page()
    return environment.get_template("report.html.j2").render(page=page, lang=translator.language).encode()


class _Composer:
    """Puts the page together."""

    def __init__(
        self, samples: Sequence[Sample], compared: Sequence[Sequence[Compared]], making: Making, words: Words
    ) -> None:
        self.samples = samples
        self.first = samples[0]
        self.compared = compared
        self.making = making
        self.words = words
        self.sections = Sections(samples, words)
        self.names = self.sections.names

    def page(self) -> Page:
        w = self.words
        title = w.gettext("{game} in {n} {n:game|games}", game=self.names[0], n=self.first.games)
        facts = w(self.facts())
        several = len(self.samples) > 1
        page = Page(
            title=title,
            kicker=w.gettext("A report"),
            game=self.names[0],
            facts=facts,
            cover=self.cover(),
            summary=self.summary(),
            key=self.sections.named if several else [],
            making=self.made(),
            shows=w(self.what_it_shows()),
        )
        page.sections = [section for section in self.all_sections() if section is not None]
        return page

    def all_sections(self) -> list[Section | None]:
        return [
            self.variants() if self.compared else None,
            self.sections.length(),
            self.sections.winning(),
            self.sections.deciding(),
            cards_section(self.samples, self.sections.named, self.words),
            self.rules(),
        ]

    def cover(self) -> list[str]:
        faces = Faces(self.first.rules)
        chosen = [face for kind in self.first.rules.kinds for face in faces.samples(kind)][-COVER_CARDS:]
        return [card_svg(face, self.words) for face in chosen]

    # ---- in short ---------------------------------------------------------------------------------------------------

    def summary(self) -> list[str]:
        first, w = self.first, self.words
        sentences = [
            length_sentence(first, w),
            " ".join([*start_sentences(first, w), shared_sentence(first, w)]),
            *(kept_sentence(first, kept, w.cap(term(first.rules, kept, "keep")), w) for kept in first.kept),
            decision_sentence(first, w),
            self.rules_sentence(),
        ]
        for name, figures in zip(self.names[1:], self.compared, strict=True):
            sentences.append(variant_sentence(name, figures, w))
        return sentences

    def rules_sentence(self) -> str:
        unused = never_fired(self.first)
        if not unused:
            return self.words.gettext("Every rule and every branch came into play.")
        lines = sorted({unit.span.line for unit in unused})
        return self.words.gettext(
            "{n} {n:rule or branch|rules and branches} never came into play: {lines:line|lines} {lines}.",
            n=len(unused),
            lines=lines,
        )

    # ---- rules and variants -----------------------------------------------------------------------------------------

    def rules(self) -> Section:
        w = self.words
        told = self.rules_sentence(), w.gettext("The figures say how often it happens in a game, on average.")
        section = Section("rules", w.gettext("How often each rule comes into play"), [Sentence(" ".join(told))])
        section.tables.append(rules_table(self.samples, self.sections.named, w))
        return section

    def variants(self) -> Section:
        w = self.words
        section = Section("variants", w.gettext("Beside the game: {n:a variant|variants}", n=len(self.compared)))
        told = w.gettext(
            "All were played with the same seeds, and what is compared are games with the same seed. A difference is "
            "printed bold where its 95% interval does not hold zero; one in twenty does so by mere chance."
        )
        section.sentences.append(Sentence(told))
        section.parts = [
            compared_section(number, self.first.rules, sample.rules, name, figures, w)
            for number, (sample, name, figures) in enumerate(
                zip(self.samples[1:], self.names[1:], self.compared, strict=True), 1
            )
        ]
        return section

    def facts(self) -> Text:
        players, n = self.first.players, self.first.games
        if self.making.bots:
            return Text("{players} {players:player|players}, {n} {n:game|games} of bots", players=players, n=n)
        return Text(
            "{players} {players:player|players}, {n} {n:game|games} with random legal moves", players=players, n=n
        )

    def what_it_shows(self) -> Text:
        """Whether what it tells is up to the rules alone."""
        if self.making.bots:
            return Text(
                "Bots played, seat by seat: {bots}. The page shows what the rules do when they try to win.",
                bots=", ".join(self.making.bots),
            )
        return Text(
            "Everyone made random legal moves: the page shows what the rules do by themselves, not what good players"
            " make of them."
        )

    # ---- how it was made --------------------------------------------------------------------------------------------

    def made(self) -> list[tuple[str, str]]:
        w, last = self.words, self.making.seed + self.first.games - 1
        rules = [f"{sample.rules.name} {sample.rules.digest}" for sample in self.samples]
        return [
            (w.gettext("Made with"), self.making.command),
            (w.gettext("Games"), w.number(self.first.games)),
            (w.gettext("Seeds"), w.between(str(self.making.seed), str(last))),
            (w.gettext("Engine"), self.making.engine),
            (w.gettext("Rules in force"), ", ".join(rules)),
            (w.gettext("Program"), f"Teufelswerk {__version__}"),
        ]
