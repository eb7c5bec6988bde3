"""Samples → the section on the cards: which of them take, cost or move most, in the game's own order and colours."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from teufelswerk import model
from teufelswerk.report.card_plot import CardBar, CardRow, card_plot
from teufelswerk.report.parts import Named, Plot, Section, Sentence
from teufelswerk.report.samples import CardCounts, Sample
from teufelswerk.report.wording import Words
from teufelswerk.rulebook.emblems import INK
from teufelswerk.rulebook.faces import Faces
from teufelswerk.rulebook.words import place_term, term, value_term

CLEARLY = 4.0
"""So many standard deviations of chance apart, cards are told apart by the rules and not by luck."""


def cards_section(samples: Sequence[Sample], named: Sequence[Named], words: Words) -> Section | None:
    """A plot for each thing that is counted by card, unless all cards are alike in it."""
    section = Section("cards", words.gettext("The cards"))
    for sample, of in zip(samples, named, strict=True):
        for counts in sample.cards:
            if tells_cards_apart(counts):
                caption, note, sentence = _caption(sample, counts, words)
                if sample is samples[0]:
                    section.sentences.append(Sentence(sentence[:1].upper() + sentence[1:]))
                svg = card_plot(caption, _rows(sample, counts, words), lambda rate, c=counts: _rate(c, rate, words))  # type: ignore[misc]
                section.plots.append(Plot(caption, svg, note, of if len(samples) > 1 else None, counts.clause))
    return section if section.plots else None


def tells_cards_apart(counts: CardCounts) -> bool:
    """Whether the cards differ by more than chance: a chi-squared sum well above what it would be by itself."""
    pairs = [(t, c) for t, c in zip(counts.times, counts.chances, strict=True) if c]
    total, chances = sum(t for t, _ in pairs), sum(c for _, c in pairs)
    if len(pairs) < 2 or not total:
        return False
    expected = [total * c / chances for _, c in pairs]
    apart = sum((t - e) ** 2 / e for (t, _), e in zip(pairs, expected, strict=True))
    freedom = len(pairs) - 1
    return apart > freedom + CLEARLY * sqrt(2 * freedom)


def extremes(counts: CardCounts) -> tuple[int, int]:
    """The cards with the highest and the lowest rate."""
    rates = counts.rates()
    return max(rates, key=lambda card: rates[card]), min(rates, key=lambda card: rates[card])


def _caption(sample: Sample, counts: CardCounts, words: Words) -> tuple[str, str, str]:
    """What stands above the plot, what stands below that, and a sentence with the extremes."""
    faces = Faces(sample.rules)
    rates = counts.rates()
    highest, lowest = extremes(counts)
    said = {
        "most": words(faces.title(sample.rules.cards[highest])),
        "least": words(faces.title(sample.rules.cards[lowest])),
        "high": _rate(counts, rates[highest], words),
        "low": _rate(counts, rates[lowest], words),
    }
    if counts.sort == "took":
        return (
            words.gettext("Which cards take the others"),
            words.gettext("How often whoever played the card gets all the cards that it lies among."),
            words.gettext(
                "{most} takes the other cards most often ({high} of the times that it is played), {least} least often "
                "({low}).",
                **said,
            ),
        )
    if counts.sort == "paid":
        what = words.cap(term(sample.rules, counts.name, "keep"))
        return (
            words.gettext("What it costs to play a card: {what}", what=what),
            words.gettext("The mean over all times that the card is played."),
            words.gettext(
                "{most} is the dearest card to play ({high} on average), {least} the cheapest ({low}).", **said
            ),
        )
    what = words.cap(place_term(sample.rules, counts.name))
    return (
        words.gettext("How often the cards get here: {what}", what=what),
        words.gettext("Times a game."),
        words.gettext(
            "{what}: {most} gets there most often ({high} times a game), {least} least often ({low}).",
            what=what,
            **said,
        ),
    )


def _rate(counts: CardCounts, rate: float, words: Words) -> str:
    if counts.sort == "took":
        return words.percent(rate, 0)
    return words.number(rate, 0 if not rate else 1 if rate >= 1 else 2)


# ---- in the order of the game ---------------------------------------------------------------------------------------


def _rows(sample: Sample, counts: CardCounts, words: Words) -> list[CardRow]:
    """The cards by kind, and by colour or suit where they have one."""
    rules, faces = sample.rules, Faces(sample.rules)
    rates = counts.rates()
    rows = []
    for kind in rules.kinds.values():
        cards = [card for card in rules.cards if card.kind == kind.name and card.index in rates]
        roles = faces.roles[kind.name]
        by = roles.colour or roles.suit
        groups: dict[int, list[model.Card]] = {}
        for card in cards:
            groups.setdefault(card.values[by] if by else 0, []).append(card)
        for value in sorted(groups):
            name = ""
            if by:
                name = words(value_term(rules, by, value))
            elif len(rules.kinds) > 1:
                name = words(term(rules, kind.name, "card"))
            if not any(rates[card.index] for card in groups[value]):
                continue
            bars = [_bar(faces, card, counts, rates[card.index], words) for card in groups[value]]
            rows.append(CardRow(name, bars[0].ink if by else INK, tuple(bars)))
    return rows


def _bar(faces: Faces, card: model.Card, counts: CardCounts, rate: float, words: Words) -> CardBar:
    face = faces.face([card.index])
    title = f"{words(face.title)}: {_rate(counts, rate, words)}"
    return CardBar(words(face.index), face.ink, face.pips, rate, title)
