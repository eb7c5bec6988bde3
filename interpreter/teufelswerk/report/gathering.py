"""Tallies of engines that count → samples, and pairs of games → figures compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from teufelswerk import model
from teufelswerk.base.texts import Text
from teufelswerk.compiled.counter_layout import Counters
from teufelswerk.engines.paired import Figure, Paired
from teufelswerk.engines.random_games import Engine
from teufelswerk.engines.tally import Tally
from teufelswerk.examples.run_scenes import move_id
from teufelswerk.model.walk import reachable
from teufelswerk.report.comparing import Compared
from teufelswerk.report.estimates import Estimate
from teufelswerk.report.samples import CardCounts, Decision, Decisions, Sample
from teufelswerk.rulebook.words import heading, term


def sample_of(engine: Engine, tally: Tally) -> Sample:
    """What an engine's games came to. The tally's seats are counted from the player who began."""
    counters, rules, counts = engine.counters, engine.game.rules, tally.counts
    assert counters, "the engine must count"
    fired = {id: counts[position] for id, position in counters.units.items()}
    fired |= {move_id(rules, verb): counts[position] for verb, position in counters.moves.items()}
    numbers = [number for number, keep in enumerate(engine.kept) if keep.counts]
    return Sample(
        rules=rules,
        players=engine.players,
        games=tally.games,
        moves=tally.lengths,
        rounds=tally.rounds,
        wins=tuple(tally.wins),
        winners=tally.winners,
        kept={engine.kept[number].name: tuple(tally.values[number]) for number in numbers},
        decisions=tuple(_decisions(counters, counts)),
        fired=fired,
        cards=tuple(_cards(counters, tally)),
    )


# ---- decisions ------------------------------------------------------------------------------------------------------


def _decisions(counters: Counters, counts: list[int]) -> Iterator[Decision]:
    rules, seats = counters.rules, range(counters.players)
    turns = {s.id: s for s in reachable(rules, rules.steps["game"].body) if isinstance(s, model.Turn)}
    for id, (asked, forced, options) in counters.decisions.items():
        turn = turns[id]
        verbs = [verb for group in turn.groups for verb in group]
        section = rules.moves[verbs[0]].section if len(verbs) == 1 else rules.section_at(turn.span).index
        clause = turn.span.source.lines[turn.span.line - 1].strip()
        by_seat = tuple(Decisions(counts[asked + s], counts[forced + s], counts[options + s]) for s in seats)
        yield Decision(heading(rules, section), clause, by_seat)


# ---- cards ----------------------------------------------------------------------------------------------------------


def _cards(counters: Counters, tally: Tally) -> Iterator[CardCounts]:
    rules, counts, cards = counters.rules, tally.counts, range(len(counters.rules.cards))

    def by_face(times: Sequence[int]) -> tuple[int, ...]:
        """Identical cards are counted together, under the first of them."""
        found = [0] * len(times)
        for card, number in zip(rules.cards, times, strict=True):
            found[card.face] += number
        return tuple(found)

    moved = {row.words: by_face(row.of(counts)) for row in counters.rows_of("moved")}
    shared = [times for name, times in moved.items() if not counters.is_owned(name)]
    played = tuple(sum(times[card] for times in shared) for card in cards)
    goes = {s.id: s for s in reachable(rules, rules.steps["game"].body) if isinstance(s, model.Goes)}
    for id, first in counters.took.items():
        place, span = goes[id].what.type.of, goes[id].span
        clause = span.source.lines[span.line - 1].strip()
        yield CardCounts("took", place, by_face([counts[first + card] for card in cards]), moved[place], clause)
    for row in counters.rows_of("paid"):
        yield CardCounts("paid", row.words, by_face(row.of(counts)), played)
    for name, times in moved.items():
        possible = [tally.games if any(other[card.face] for other in moved.values()) else 0 for card in rules.cards]
        yield CardCounts("moved", name, times, by_face(possible))


# ---- pairs ----------------------------------------------------------------------------------------------------------


def compared_of(rules: model.Model, players: int, paired: Paired) -> list[Compared]:
    """The figures of a variant beside those of the game."""
    return [
        compared for figure in paired.figures if (compared := _compared(rules, players, paired, figure)) is not None
    ]


def _compared(rules: model.Model, players: int, paired: Paired, figure: Figure) -> Compared | None:
    """A figure in words; None for those that are told for every seat, apart from the one that begins."""
    found = paired.compared(figure)
    difference = Estimate(found.difference, found.low, found.high)
    match figure.kind:
        case "moves":
            what = Text("moves in a game")
        case "rounds":
            what = Text("rounds in a game")
        case "forced":
            what = Text("decisions with only one option in a game")
        case "shared":
            return Compared(Text("shared wins"), found.base, found.variant, difference, as_share=True)
        case "win" if figure.seat == 0:
            return Compared(Text("wins of whoever begins"), found.base, found.variant, difference, as_share=True)
        case "kept" if figure.seat is None:
            what = Text("{what} at the end, on average", what=term(rules, figure.kept, "keep"))
            return Compared(what, found.base / players, found.variant / players, difference.times(1 / players))
        case _:
            return None
    return Compared(what, found.base, found.variant, difference)
