"""Samples → the sections on length, on who wins, on what everyone has in the end, and on decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from teufelswerk.base.texts import Text
from teufelswerk.model import title_of
from teufelswerk.report.distribution_plot import Distribution, distribution_plot
from teufelswerk.report.drawing import tone
from teufelswerk.report.estimates import Estimate, Histogram, mean_of, quantile
from teufelswerk.report.interval_plot import Point, Row, interval_plot
from teufelswerk.report.parts import Cell, Line, Named, Plot, Section, Sentence, Table
from teufelswerk.report.samples import Decisions, Sample
from teufelswerk.report.wording import Words
from teufelswerk.rulebook.words import term

USUAL = (0.05, 0.95)
"""Nine out of ten values lie between these quantiles."""
SLIGHT = 0.05
"""What differs from the even share by less than this part of it is certain, but slight."""


class Sections:
    """Makes sections; the first sample is the game, the others are beside it."""

    def __init__(self, samples: Sequence[Sample], words: Words) -> None:
        self.samples = samples
        self.first = samples[0]
        self.words = words
        self.names = [words(title_of(sample.rules)) for sample in samples]
        self.named = [Named(name, tone(number)) for number, name in enumerate(self.names)]

    def about_each(self, sentences: Sequence[str]) -> list[Sentence]:
        """What is said of each game, under its name; once if it is the same of all."""
        if len(set(sentences)) == 1:
            return [Sentence(sentences[0])]
        return [Sentence(said, of) for of, said in zip(self.named, sentences, strict=True)]

    # ---- length -----------------------------------------------------------------------------------------------------

    def length(self) -> Section:
        w = self.words
        section = Section("length", w.gettext("How long a game takes"))
        section.sentences = self.about_each([length_sentence(sample, w) for sample in self.samples])
        if all(sample.rounds for sample in self.samples):
            section.plots += self.distributions(
                w.gettext("Rounds"), w.gettext("rounds in a game"), lambda sample: sample.rounds
            )
        section.plots += self.distributions(
            w.gettext("Moves"), w.gettext("moves in a game"), lambda sample: sample.moves
        )
        return section

    def distributions(self, caption: str, unit: str, histogram: Callable[[Sample], Histogram]) -> list[Plot]:
        """A plot, unless there is nothing to see since it is always the same."""
        w = self.words
        if len({value for sample in self.samples for value in histogram(sample)}) < 2:
            return []
        games = [
            Distribution(name, histogram(sample), number)
            for number, (sample, name) in enumerate(zip(self.samples, self.names, strict=True))
        ]
        svg = distribution_plot(caption, unit, games, w)
        return [Plot(caption, svg, w.gettext("The line is the mean."))]

    # ---- who wins ---------------------------------------------------------------------------------------------------

    def winning(self) -> Section:
        w = self.words
        section = Section("winning", w.gettext("Who wins"))
        section.sentences = self.about_each([" ".join(winning_sentences(sample, w)) for sample in self.samples])
        rows = [
            Row(
                self.seats(side),
                tuple(
                    self.point(sample.won(side[0]), number, w.share, w.share_span)
                    for number, sample in enumerate(self.samples)
                ),
            )
            for side in self.first.together
        ]
        even = self.first.even_share
        reference = (even, w.gettext("even: {share}", share=w.percent(even)))
        caption = w.gettext("Games won, by the order in which the players begin")
        svg = interval_plot(caption, w.gettext("share of games won"), rows, w.percent_tick, reference)
        section.plots.append(Plot(caption, svg, w.gettext("The lines are 95% intervals.")))
        for kept in self.first.kept:
            if all(kept in sample.kept for sample in self.samples):
                name = self.kept_name(kept)
                section.sentences.append(Sentence(kept_sentence(self.first, kept, name, w)))
                section.plots.append(self.kept_by_seat(kept))
                caption = w.gettext("{what} at the end, all players", what=name)
                section.plots += self.distributions(caption, name, lambda sample, kept=kept: sample.all_seats(kept))  # type: ignore[misc]
        return section

    def point(
        self, estimate: Estimate, number: int, say: Callable[[Estimate], str], span: Callable[[Estimate], str]
    ) -> Point:
        words = say(estimate)
        return Point(estimate, number, f"{self.names[number]}: {words} ({span(estimate)})", words)

    def seat(self, seat: int) -> str:
        return self.words.gettext("begins") if seat == 0 else self.words.gettext("no. {n}", n=seat + 1)

    def seats(self, seats: Sequence[int]) -> str:
        return self.words.translator.list([self.seat(seat) for seat in seats])

    # ---- what everyone has in the end -------------------------------------------------------------------------------

    def kept_by_seat(self, kept: str) -> Plot:
        w = self.words
        name = self.kept_name(kept)
        rows = [
            Row(
                self.seats(side),
                tuple(
                    self.point(sample.kept_mean(kept, side[0]), number, w.mean, w.span)
                    for number, sample in enumerate(self.samples)
                ),
            )
            for side in self.first.holders(kept)
        ]
        caption = w.gettext("{what} at the end, on average", what=name)
        svg = interval_plot(caption, name, rows, w.number)
        return Plot(caption, svg, w.gettext("The lines are 95% intervals."))

    def kept_name(self, kept: str) -> str:
        return self.words.cap(term(self.first.rules, kept, "keep"))

    # ---- decisions --------------------------------------------------------------------------------------------------

    def deciding(self) -> Section:
        w = self.words
        section = Section("decisions", w.gettext("What there is to decide"))
        section.sentences = self.about_each([decision_sentence(sample, w) for sample in self.samples])
        section.tables.append(self.decision_table())
        rows = [
            Row(
                self.seat(seat),
                tuple(
                    self.point(sample.by_seat()[seat].forced_share, number, w.share, w.share_span)
                    for number, sample in enumerate(self.samples)
                ),
            )
            for seat in range(self.first.players)
        ]
        caption = w.gettext("Decisions with only one option, by the order in which the players begin")
        svg = interval_plot(caption, w.gettext("share of decisions"), rows, w.percent_tick)
        section.plots.append(Plot(caption, svg, w.gettext("The lines are 95% intervals.")))
        return section

    def decision_table(self) -> Table:
        """A line for each decision; with several games a line for each of them below it."""
        w = self.words
        found: dict[tuple[str, str], list[tuple[int, Decisions]]] = {}
        for number, sample in enumerate(self.samples):
            for decision in sample.decisions:
                if decision.total.asked:
                    where = w(decision.heading), decision.clause
                    found.setdefault(where, []).append((number, decision.total))
        lines = []
        several = len(self.samples) > 1
        for (name, clause), totals in found.items():
            if several:
                lines.append(Line((Cell(name, code=clause),), group=True))
            for number, total in totals:
                label = Cell(of=self.named[number]) if several else Cell(name, code=clause)
                lines.append(Line((label, *self.decided(total, self.samples[number].games))))
        lines.append(Line((Cell(w.gettext("All decisions, by the order in which the players begin")),), group=True))
        for seat in range(self.first.players):
            for sample, of in zip(self.samples, self.named, strict=True):
                label = Cell(f"({self.seat(seat)})", of=of) if several else Cell(self.seat(seat))
                lines.append(Line((label, *self.decided(sample.by_seat()[seat], sample.games))))
        head = Text("Decision"), Text("a game"), Text("options"), Text("only one")
        return Table("", tuple(map(w, head)), tuple(lines), beside=not several)

    def decided(self, total: Decisions, games: int) -> Iterator[Cell]:
        yield Cell(self.words.number(total.asked / games, 1), style="number")
        yield Cell(self.words.number(total.mean_options, 1), style="number")
        yield Cell(self.words.share(total.forced_share), style="number")


# ---- sentences, for the sections and for the summary ----------------------------------------------------------------


def length_sentence(sample: Sample, w: Words) -> str:
    low, high = (quantile(sample.moves, part) for part in USUAL)
    moves, rounds = mean_of(sample.moves), mean_of(sample.rounds)
    if low == high:
        if len(sample.moves) == len(sample.rounds) == 1:
            return w.gettext(
                "Every game has {rounds} {rounds:round|rounds} and takes {n} {n:move|moves}.",
                rounds=next(iter(sample.rounds)),
                n=low,
            )
        return w.gettext("Every game takes {n} {n:move|moves}.", n=low) if len(sample.moves) == 1 else w.gettext(
            "Nearly every game takes {n} {n:move|moves}.", n=low
        )  # fmt: skip
    between = {"moves": w.mean(moves), "low": low, "high": high}
    if len(sample.rounds) == 1:
        return w.gettext(
            "Every game has {rounds} {rounds:round|rounds} and takes {moves} moves on average; nine out of ten games "
            "take between {low} and {high}.",
            rounds=next(iter(sample.rounds)),
            **between,
        )
    if sample.rounds:
        return w.gettext(
            "A game takes {rounds} rounds and {moves} moves on average; nine out of ten games take between {low} and "
            "{high} moves.",
            rounds=w.mean(rounds),
            **between,
        )
    return w.gettext(
        "A game takes {moves} moves on average; nine out of ten games take between {low} and {high}.", **between
    )


def start_sentences(sample: Sample, w: Words) -> list[str]:
    """How the player fares who begins, and what to think of it."""
    won, even = sample.won(0), sample.even_share
    fared = w.gettext(
        "Whoever begins wins {share} of the games ({span}); {even} would be even.",
        share=w.share(won),
        span=w.share_span(won),
        even=w.percent(even),
    )
    return [fared, w(start_verdict(won, even))]


def winning_sentences(sample: Sample, w: Words) -> list[str]:
    lost = [w.gettext("{share} of the games nobody wins.", share=w.share(sample.lost))] if sample.winners.get(0) else []
    if sample.players == 1:
        return lost or [w.gettext("Every game was won.")]
    return [*start_sentences(sample, w), shared_sentence(sample, w), *lost]


def start_verdict(won: Estimate, even: float) -> Text:
    if won.holds(even):
        return Text("Beginning is neither a burden nor a help.")
    if abs(won.value - even) < SLIGHT * even:
        return Text("Beginning is a slight help.") if won.value > even else Text("Beginning is a slight burden.")
    return Text("Beginning is a help.") if won.value > even else Text("Beginning is a burden.")


def shared_sentence(sample: Sample, w: Words) -> str:
    if not sample.shared.value:
        return w.gettext("Nobody ever had to share a win.")
    return w.gettext(
        "{share} of the games end with a shared win, which counts for everyone who shares it.",
        share=w.share(sample.shared),
    )


def kept_sentence(sample: Sample, kept: str, name: str, w: Words) -> str:
    histogram = sample.all_seats(kept)
    low, high = (quantile(histogram, part) for part in USUAL)
    return w.gettext(
        "{what} at the end: {mean} on average, and between {low} and {high} nine times out of ten.",
        what=name,
        mean=w.mean(mean_of(histogram)),
        low=low,
        high=high,
    )


def decision_sentence(sample: Sample, w: Words) -> str:
    total = sample.deciding
    return w.gettext(
        "There are {options} options on average, but in {share} of the decisions there is only one.",
        options=w.number(total.mean_options, 1),
        share=w.share(total.forced_share),
    )
