"""The report: its figures against ones computed by hand, its plots, and the page in every language."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from math import isclose, sqrt
from pathlib import Path
from xml.etree import ElementTree

import pytest
from catalog_entries import ALLOWED_LATIN, LATIN
from commands_in_process import Run
from commands_in_process import in_process as in_process
from html_page import Page
from shipped import FIXTURES, NAMES, PATHS, Table, few
from teufelswerk import load_game
from teufelswerk.base.find_files import variants
from teufelswerk.base.texts import Text
from teufelswerk.engines.paired import Paired, pairs
from teufelswerk.engines.random_games import Engine, make_engine
from teufelswerk.engines.tally import Tally
from teufelswerk.language.i18n import Translator, languages
from teufelswerk.report.card_plot import CardBar, CardRow, card_plot
from teufelswerk.report.cards_section import extremes, tells_cards_apart
from teufelswerk.report.comparing import Compared, changes_of, variant_sentence
from teufelswerk.report.distribution_plot import Bins, Distribution, bins_for, distribution_plot
from teufelswerk.report.drawing import ticks
from teufelswerk.report.estimates import Estimate, mean_of, quantile, share_of
from teufelswerk.report.gathering import compared_of, sample_of
from teufelswerk.report.interval_plot import Point, Row, difference_mark, interval_plot
from teufelswerk.report.page import Making, render
from teufelswerk.report.rules_table import groups_of, never_fired
from teufelswerk.report.samples import CardCounts, Decisions, Sample
from teufelswerk.report.sections import decision_sentence, length_sentence, shared_sentence, start_sentences
from teufelswerk.report.wording import Words

GAMES = 12
MAKING = Making("teufelswerk report", 1, "python")
BESIDE = {game: [name for name, bases in variants().items() if bases == [game]][:2] for game in NAMES}
english = Words(Translator("en"))


@cache
def engine(name: str, variant: str | None = None) -> Engine:
    rules = load_game(str(PATHS[name]), variant=variant)
    return make_engine(rules, 4 if rules.min_players <= 4 <= rules.max_players else rules.min_players, counting=True)


@cache
def sample(name: str, variant: str | None = None) -> Sample:
    player, tally = engine(name, variant), Tally()
    tally.add(player.outcomes(1, GAMES).from_beginner(player.players), player.players)
    return sample_of(player, tally)


@cache
def paired(name: str, variant: str) -> Paired:
    base, other = engine(name), engine(name, variant)
    n = base.players
    return pairs(base, other, base.outcomes(1, GAMES).from_beginner(n), other.outcomes(1, GAMES).from_beginner(n))


@cache
def page(name: str, translator: Translator, alone: bool = False) -> str:
    names = [] if alone else BESIDE.get(name, [])
    base = engine(name)
    compared = [compared_of(base.game.rules, base.players, paired(name, variant)) for variant in names]
    samples = [sample(name), *(sample(name, variant) for variant in names)]
    return render(samples, compared, MAKING, translator).decode()


@cache
def speaking(language: str) -> Translator:
    return Translator(language)


# ---- figures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [(5, 10, 0.2366, 0.7634), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (1, 4, 0.0456, 0.6994), (0, 0, 0.0, 1.0)],
)
def test_shares_have_wilsons_interval(part: int, whole: int, low: float, high: float) -> None:
    found = share_of(part, whole)
    assert isclose(found.low, low, abs_tol=1e-4) and isclose(found.high, high, abs_tol=1e-4)


def test_means_and_quantiles_of_a_histogram() -> None:
    found = mean_of({1: 2, 3: 2})  # a variance of 4/3, so a standard error of sqrt(1/3)
    assert (
        found.value == 2 and isclose(found.high - 2, 1.959964 * sqrt(1 / 3)) and isclose(2 - found.low, found.high - 2)
    )
    assert mean_of({7: 1}) == Estimate(7, 7, 7)
    assert [quantile({1: 5, 2: 90, 9: 5}, part) for part in (0.05, 0.06, 0.95, 1)] == [1, 2, 2, 9]


@pytest.mark.parametrize(
    ("estimate", "digits"),
    [
        ((187, 186.6, 187.4), 1),
        ((5, 4.998, 5.002), 2),
        ((900, 880, 920), 1),
        ((108, 108, 108), 0),
        ((2.5, 2.5, 2.5), 1),
    ],
)
def test_figures_have_as_many_decimals_as_they_are_worth(estimate: tuple[float, float, float], digits: int) -> None:
    assert Estimate(*estimate).digits == digits


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["12,345.7", "24.8%", "24.0–25.7%", "−1.2", "+0.04 to +2.40 percentage points"]),
        ("de", ["12.345,7", "24,8\xa0%", "24,0–25,7\xa0%", "−1,2", "+0,04 bis +2,40 Prozentpunkte"]),
        ("ru", ["12\xa0345,7", "24,8\xa0%", "24,0–25,7\xa0%", "−1,2", "от +0,04 до +2,40 процентного пункта"]),
    ],
)
def test_figures_are_written_as_in_the_language(language: str, said: list[str]) -> None:
    words, share = Words(speaking(language)), share_of(2480, 10000)
    found = [words.number(12345.678, 1), words.share(share), words.share_span(share)]
    found += [words.difference(Estimate(-0.012, -0.02, 0.004), as_share=True)]
    found += [words.difference_span(Estimate(0.0122, 0.0004, 0.024), as_share=True)]
    assert found == said
    assert words.number(-0.04, 1) == words.number(0, 1) == words.signed(0.04, 1)


def small(**changed: object) -> Sample:
    """A hundred games of three players that nobody played."""
    given: dict[str, object] = {
        "rules": load_game("little-devils"),
        "players": 3,
        "games": 100,
        "moves": {10: 4, 20: 90, 30: 6},
        "rounds": {1: 50, 2: 50},
        "wins": (60, 20, 22),
        "winners": {1: 98, 2: 2},
        "kept": {"score": (Counter({1: 100}), Counter({2: 100}), Counter({3: 100}))},
        "decisions": (),
        "fired": {},
        "cards": (),
    }
    return Sample(**(given | changed))  # type: ignore[arg-type]


def test_the_sentences_say_what_the_figures_are() -> None:
    found = small()
    expected = "A game takes 1.5 rounds and 20.2 moves on average; nine out of ten games take between 20 and 30 moves."
    assert length_sentence(found, english) == expected
    assert start_sentences(found, english) == [
        "Whoever begins wins 60.0% of the games (50.2–69.1%); 34.0% would be even.",
        "Beginning is a help.",
    ]
    assert start_sentences(small(wins=(20, 60, 22)), english)[1] == "Beginning is a burden."
    assert start_sentences(small(wins=(34, 33, 33)), english)[1] == "Beginning is neither a burden nor a help."
    slight = small(games=100_000, wins=(34_000, 33_000, 33_000))
    assert start_sentences(slight, english)[1] == "Beginning is a slight help."
    shared = "2.0% of the games end with a shared win, which counts for everyone who shares it."
    assert shared_sentence(found, english) == shared
    assert shared_sentence(small(winners={1: 100}), english) == "Nobody ever had to share a win."
    assert (
        length_sentence(small(moves={9: 100}, rounds={3: 100}), english) == "Every game has 3 rounds and takes 9 moves."
    )
    assert length_sentence(small(moves={9: 100}, rounds={}), english) == "Every game takes 9 moves."


@pytest.mark.parametrize("name", NAMES)
def test_decisions_are_those_of_the_games(name: str) -> None:
    player, found = engine(name), sample(name)
    followed = make_engine(player.game.rules, player.players, "python", trail=True)
    options = [options for game in followed.many(1, GAMES) for options, _ in game.trail]
    total = found.deciding
    assert total == Decisions(len(options), sum(n == 1 for n in options), sum(options))
    assert sum(seat.asked for seat in found.by_seat()) == total.asked
    mean = english.number(sum(options) / len(options), 1)
    assert f"There are {mean} options" in decision_sentence(found, english)


@pytest.mark.parametrize("name", NAMES)
def test_wins_and_what_is_kept_are_told_from_the_beginner(name: str) -> None:
    player, found = engine(name), sample(name)
    wins: Counter[int] = Counter()
    sums: Counter[tuple[str, int]] = Counter()
    for seed in range(1, 1 + GAMES):
        log: list[object] = []
        game = player.recorded(seed, log)  # type: ignore[arg-type]
        first = next(e.record["player"] for e in log if e.record["event"] == "move")  # type: ignore[attr-defined]
        wins.update((seat - first) % player.players for seat in game.winners)
        for keep, values in zip(player.kept, game.keeps, strict=True):
            for seat, value in enumerate(values):
                sums[keep.name, (seat - first) % player.players] += value or 0
    assert found.wins == tuple(wins[place] for place in range(player.players))
    for kept in found.kept:
        for place in range(player.players):
            assert isclose(found.kept_mean(kept, place).value, sums[kept, place] / GAMES)


# ---- rules and cards ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_counted_rule_stands_once_in_the_table(name: str) -> None:
    found = [sample(name), *(sample(name, variant) for variant in BESIDE[name])]
    entries = [entry for group in groups_of(found) for entry in group.entries]
    for number, each in enumerate(found):
        times = [entry.times[number] for entry in entries if entry.times[number] is not None]
        assert sorted(times) == sorted(each.fired.values())  # type: ignore[type-var]
    for group in groups_of(found):
        assert group.paragraphs and group.entries


def test_what_never_happens_is_said() -> None:
    found = sample("little-devils")
    unit = next(unit for unit in found.fired if found.fired[unit])
    changed = small(fired={**found.fired, unit: 0})
    assert unit in {one.id for one in never_fired(changed)}


def test_cards_are_told_apart_only_if_they_differ_by_more_than_chance() -> None:
    chances = (1000,) * 20
    alike = CardCounts("took", "trick", tuple(100 + n % 3 for n in range(20)), chances)
    rising = CardCounts("took", "trick", tuple(100 + 20 * n for n in range(20)), chances)
    assert not tells_cards_apart(alike) and tells_cards_apart(rising)
    assert extremes(rising) == (19, 0)
    assert CardCounts("paid", "chips", (4, 0, 9), (2, 0, 3)).rates() == {0: 2.0, 2: 3.0}


# ---- plots ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "bins"),
    [
        ([3, 4, 7], Bins(3, 1, 5, 1)),
        ([108, 144, 252], Bins(108, 36, 5, 36)),
        (range(101), Bins(0, 5, 21, 1)),
        ([7], Bins(7, 1, 1, 1)),
    ],
)
def test_bins_are_as_wide_as_it_suits(values: list[int], bins: Bins) -> None:
    assert bins_for([dict.fromkeys(values, 2)]) == bins
    assert sum(bins.of(dict.fromkeys(values, 2))) == 2 * len(values)


def test_ticks_are_round_numbers() -> None:
    assert ticks(0, 1) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert ticks(17, 93) == [20, 40, 60, 80]
    assert ticks(5, 5) == [5]


def test_plots_are_well_formed_and_escape_what_they_are_told() -> None:
    name = "<&\"' of games>"
    point = Point(Estimate(0.3, 0.1, 0.4), 7, name, name)
    bar = CardBar(name, "#b3261e", 3, 2.0, name)
    made = [
        distribution_plot(name, name, [Distribution(name, {1: 3, 40: 2}, n) for n in range(3)], english),
        interval_plot(name, name, [Row(name, (point, point))], english.percent_tick, (0.25, name)),
        card_plot(name, [CardRow(name, "#b3261e", (bar,) * 40), CardRow("", "#26231f", (bar,))], english.number),
        difference_mark(Estimate(1, -1, 3), 3, name),
    ]
    for picture in made:
        root = ElementTree.fromstring(picture)
        assert root.get("aria-label") == name
        _, _, width, height = map(float, (root.get("viewBox") or "").split())
        for shape in root.iter("rect"):
            x, y, w, h = (float(shape.get(key) or 0) for key in ("x", "y", "width", "height"))
            assert x >= 0 and y >= 0 and w > 0 and h >= 0 and x + w <= width + 1 and y + h <= height + 1


# ---- variants -------------------------------------------------------------------------------------------------------


def test_what_a_variant_changes_is_told_in_a_few_words() -> None:
    base = load_game("little-devils")
    told = [english(text) for text in changes_of(base, load_game("little-devils", variant="eight-cards"))]
    assert told[0] == "hand size: 9 → 8"
    told = [english(text) for text in changes_of(base, load_game("little-devils", variant="free-lead"))]
    assert "“Leading”: You may lead any card." in told
    assert list(changes_of(base, base)) == []


def test_clear_differences_are_named() -> None:
    clear = Compared(Text("moves in a game"), 10, 12, Estimate(2, 1.5, 2.5))
    unclear = Compared(Text("shared wins"), 0.1, 0.2, Estimate(0.1, -0.1, 0.3), as_share=True)
    assert variant_sentence("X", [clear, unclear], english) == "X differs clearly: moves in a game +2.0."
    assert variant_sentence("X", [unclear], english) == "X plays much the same: no figure differs clearly."


def test_what_stands_in_a_comparison_is_what_the_game_alone_has() -> None:
    base, games = engine("little-devils"), 300
    outcomes, tally = base.outcomes(1, games).from_beginner(base.players), Tally()
    tally.add(outcomes, base.players)
    alone = sample_of(base, tally)
    assert alone.shared.value > 0
    compared = compared_of(base.game.rules, base.players, pairs(base, base, outcomes, outcomes))
    beside = {english(figure.what): figure.first for figure in compared}
    assert beside["wins of whoever begins"] == alone.won(0).value
    assert beside["shared wins"] == alone.shared.value
    assert beside["moves in a game"] == mean_of(alone.moves).value
    assert beside["rounds in a game"] == mean_of(alone.rounds).value
    for kept in alone.kept:
        assert isclose(beside[f"{kept} at the end, on average"], mean_of(alone.all_seats(kept)).value)


# ---- the page -------------------------------------------------------------------------------------------------------


class Marked(Translator):
    """Puts whatever comes from a catalog into brackets."""

    def translate(self, msgid: str, context: str | None = None) -> str:
        template, *forms = msgid.split(" | ")
        return " | ".join([f"⟦{template}⟧", *forms])


class Visible(HTMLParser):
    """What a reader sees of a page, but for code, names of files and the style sheet."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        self.words += [value or "" for name, value in attrs if name == "aria-label"]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if not {"style", "code", "dd"} & set(self.open) and data.strip():
            self.words.append(data.strip())


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_well_formed_and_stands_alone(name: str, language: str) -> None:
    text = page(name, speaking(language))
    found = Page(text)
    assert ("html", "lang", language) in found.attributes
    assert len(found.ids) == len(set(found.ids))
    assert "http" not in text and "src=" not in text and "<script" not in text and "@import" not in text
    assert "url(" not in text and "{" not in re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
    pictures = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(pictures) > 8
    for picture in pictures:
        assert ElementTree.fromstring(picture).get("aria-label")


@pytest.mark.parametrize("name", NAMES)
def test_every_word_comes_from_a_catalog(name: str) -> None:
    for words in Visible(page(name, Marked("eo"))).words:
        left, before = words, ""
        while left != before:
            before, left = left, re.sub(r"⟦[^⟦⟧]*⟧", "", left)
        assert not re.search(r"[^\W\d_]", left), words


@pytest.mark.parametrize("name", NAMES)
def test_no_english_is_left_over(name: str) -> None:
    told = Visible(page(name, speaking("en"))).words
    for words in Visible(page(name, speaking("ru"))).words:
        assert not LATIN.search(ALLOWED_LATIN.sub(" ", words)), words
    for words in Visible(page(name, speaking("de"))).words:
        assert words not in told or len(re.findall(r"[a-z]{2,}", words)) < 4, words


@pytest.mark.parametrize("name", NAMES)
def test_the_same_games_make_the_same_page(name: str) -> None:
    again = make_engine(load_game(name), engine(name).players, "reference", counting=True)
    tally = Tally()
    for first, count in ((1, 5), (6, GAMES - 5)):
        tally.add(again.outcomes(first, count).from_beginner(again.players), again.players)
    assert render([sample_of(again, tally)], [], MAKING, speaking("de")).decode() == page(name, speaking("de"), True)


@pytest.mark.parametrize("table", few(FIXTURES), ids=str)
def test_games_of_ones_own_have_a_report(table: Table) -> None:
    text = page(table.name, speaking("en"))
    Page(text)
    for heading in ("In short", "How long a game takes", "Who wins", "What there is to decide"):
        assert heading in text


# ---- the command ----------------------------------------------------------------------------------------------------


def test_the_command_writes_a_page_that_tells_how_it_was_made(run: Run) -> None:
    said = run(
        "report",
        "little-devils",
        "short-game",
        "--games",
        "6",
        "--seed",
        "3",
        "--set",
        "barred-count=4",
        "--lang",
        "de",
    )
    assert (said.code, said.out) == (0, "geschrieben nach `little-devils-report.html`\n")
    text = Path("little-devils-report.html").read_text(encoding="utf-8")
    command = re.search(r"<dd>teufelswerk (report [^<]*)</dd>", text)
    assert command and "3–8" in text
    assert run(*command[1].split(), "--engine", "reference", "--jobs", "1", "-o", "again.html").code == 0
    again = Path("again.html").read_text(encoding="utf-8")
    assert again == text.replace("<dd>python</dd>", "<dd>reference</dd>")
    assert not list(Path().glob("*.part"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["little-devils", "short-gmae"], "`little-devils` has no variant called `short-gmae`"),
        (["little-devils", "no-angels"], "`no-angels` is a variant of `hols-der-teufel`, not of `little-devils`"),
        (["little-devil"], "there is no game called `little-devil`"),
        (["little-devils", "--players", "9"], "3 to 6 players"),
        (["little-devils", "--set", "nothing=4"], "nothing"),
        (["little-devils", "--games", "1"], "1 is not in the range x>=2"),
        (["little-devils", "-o", "no/such/folder.html"], "`no/such/folder.html` cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said(run: Run, words: list[str], message: str) -> None:
    said = run("report", "--games", "2", *words)
    assert said.code == 2 and message in said.err and "Traceback" not in said.err
    assert not list(Path().glob("*.html"))


def test_whoever_stops_gets_a_page_of_the_games_played_so_far(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from teufelswerk_cli.many import portion, spreading

    played = portion.play_portion

    def impatient(works: list[portion.Work], first: int, count: int, paired: bool) -> portion.Portion:
        if first > 1:
            raise KeyboardInterrupt
        return played(works, first, count, paired)

    monkeypatch.setattr(spreading, "play_portion", impatient)
    said = run("report", "little-devils", "--games", "40", "--jobs", "1")
    assert said.code == 130 and "written to" in said.out and "stopped" in said.err
    assert "--games 10<" in Path("little-devils-report.html").read_text(encoding="utf-8")
