"""Tests of the referees: right games pass, and each of many wrong ones is reported.

A wrong game is either played to its end by a wrong rule (a class that changes one method of a simulator), or it is a
right game whose record was tampered with (a function that changes the events). Both are named after what is wrong, and
state a piece of the sentence with which the referee must report it.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from referees import hols_der_teufel, little_devils
from referees.records import games
from referees.simulators import ANGEL, Devil, Event, HolsDerTeufelTable, LittleDevilsTable, Option, Table

SIZES: dict[type[Table], range] = {LittleDevilsTable: range(3, 7), HolsDerTeufelTable: range(3, 6)}
CASES = [(game, players) for game, sizes in SIZES.items() for players in sizes]
CASE_NAMES = [f"{game.__name__}-{players}" for game, players in CASES]

Kind = TypeVar("Kind", bound=type[Table])
Tampering = Callable[[list[Event]], None]


def base(table: type[Table]) -> type[Table]:
    return LittleDevilsTable if issubclass(table, LittleDevilsTable) else HolsDerTeufelTable


def judge(table: type[Table], events: list[Event]) -> list[str]:
    if base(table) is LittleDevilsTable:
        return little_devils.violations(events)
    return hols_der_teufel.violations(events)


PLAYED: dict[tuple[Any, int, int], list[Event]] = {}


def right_game(table: Any, players: int, seed: int) -> list[Event]:
    """A game of the simulator; whoever changes it takes a copy."""
    key = table, players, seed
    if key not in PLAYED:
        PLAYED[key] = table(players, seed).play()
    return PLAYED[key]


def indices(events: list[Event], **fields: Any) -> list[int]:
    """Where events are that have these values; a string may end in * to stand for all that begin so."""

    def fits(given: Any, wanted: Any) -> bool:
        if isinstance(wanted, str) and wanted.endswith("*"):
            return isinstance(given, str) and given.startswith(wanted[:-1])
        return bool(given == wanted)

    wanted = {key.rstrip("_"): value for key, value in fields.items()}
    return [at for at, event in enumerate(events) if all(fits(event.get(key), wanted[key]) for key in wanted)]


# Right games


@pytest.mark.parametrize(("table", "players"), CASES, ids=CASE_NAMES)
def test_right_games_pass(table: type[Table], players: int) -> None:
    for seed in range(20):
        assert judge(table, right_game(table, players, seed)) == []


@pytest.mark.parametrize(("players", "total"), [(3, 41), (4, 56), (5, 72), (6, 87)])
def test_devils_add_up(players: int, total: int) -> None:
    assert sum(map(little_devils.devils, range(1, 9 * players + 1))) == total


@pytest.mark.parametrize(
    ("trick", "taking", "devils"),
    [
        ([22, 30, 27, 34, 23], 34, 7),
        ([37, 31, 39, 15, 1, 46], 46, 8),
        ([37, 21, 39, 15, 1, 46], 46, 8),
        ([37, 31, 39], 39, None),  # so far
        ([20, 25, 30], 30, None),
        ([20, 25, 3], 3, None),
        ([20, 15, 10], 10, None),
    ],
)
def test_tricks_of_the_booklets(trick: list[int], taking: int, devils: int | None) -> None:
    assert little_devils.taking_card(trick) == taking
    assert devils is None or sum(map(little_devils.devils, trick)) == devils


def rows(**given: str) -> dict[str, list[str]]:
    return {colour: given.get(colour, "").split() for colour in hols_der_teufel.COLOURS}


def layings(hand: str, **given: str) -> list[str]:
    found = hols_der_teufel.layings(hand.split(), rows(**given))
    return sorted(" ".join([verb, *(value for _, value in choice)]) for verb, choice in found)


READY = {"red": "red-3 red-5", "yellow": "yellow-1 yellow-2", "purple": "purple-1 purple-2"}


@pytest.mark.parametrize(
    ("hand", "table", "expected"),
    [
        pytest.param(
            "yellow-9 purple-9 green-9 green-8",
            {"red": "red-9"},
            ["opens green-9", "opens purple-9", "opens yellow-9"],
            id="nine-beside-nine",
        ),
        pytest.param(
            "red-8 red-9 red-2",
            {"red": "red-7"},
            [f"{move} {end}" for move in ("lowers red-2", "raises red-8", "raises red-9") for end in ("bottom", "top")],
            id="both-ends-of-one-card",
        ),
        pytest.param("red-4", {"red": "red-3 red-5"}, ["lowers red-4 top", "raises red-4 bottom"], id="two-ends"),
        pytest.param("red-4", {"red": "angel red-3 red-5"}, ["lowers red-4 top"], id="closed-end"),
        pytest.param("green-3", {"red": "angel red-3 red-5"}, ["breaks green-3"], id="no-match-under-an-angel"),
        pytest.param("green-1", {"red": "red-5 angel"}, ["breaks green-1"], id="an-angel-has-no-value"),
        pytest.param("angel green-1", {"red": "red-5"}, ["breaks green-1"], id="break-with-an-angel-in-hand"),
        pytest.param("angel", READY | {"green": "green-5"}, ["passes"], id="angel-too-early"),
        pytest.param("", READY, ["passes"], id="no-cards"),
        pytest.param(
            "angel",
            READY | {"green": "green-1 green-2", "red": "red-3 red-5 angel"},
            [f"closes angel {end} {row}" for end in ("bottom", "top") for row in ("green", "purple", "yellow")],
            id="one-angel-a-row",
        ),
    ],
)
def test_moves_of_the_devil(hand: str, table: dict[str, str], expected: list[str]) -> None:
    assert layings(hand, **table) == expected


class Stacked(HolsDerTeufelTable):
    """The start player holds both angels, and nobody lays green or an angel while they can help it: so the start
    player has to pass. The other start players find none of their neighbour's colours."""

    def arranged(self, deck: list[Devil], starter: int) -> list[Devil]:
        hands: list[list[Devil]] = [[] for _ in range(self.n)]
        size = self.hand_size()
        if starter % 2:
            order = [card for colour in ("red", "green") for card in deck if card[0] == colour]
            hands[starter] = [*order[: size - 1], ANGEL]
            hands[(starter + 1) % self.n] = [*order[-(size - 1) :], ANGEL]
        else:
            hands[starter] = [ANGEL, ANGEL, *[c for c in deck if c[0] not in ("angel", "green")][:5]]
            green = [card for card in deck if card[0] == "green"]
            for step, card in enumerate(green):
                hands[(starter + 1 + step % (self.n - 1)) % self.n].append(card)
        rest = [card for card in deck if not any(card in hand for hand in hands)]
        for hand in hands:
            while len(hand) < size:
                hand.append(rest.pop())
        return rest + [card for hand in reversed(hands) for card in hand]

    def prefer(self, player: int, options: list[Option]) -> Option:
        best = [one for one in options if not {"green", "angel"} & set(one["choice"].get("card", "").split("-"))]
        return super().prefer(player, best or options)


def test_passing_and_free_beginnings() -> None:
    verbs: Counter[str] = Counter()
    free = 0
    for seed in range(20):
        events = right_game(Stacked, 5, seed)
        assert judge(Stacked, events) == []
        verbs.update(event["move"] for event in events if event["event"] == "move")
        free += sum(len(event["legal"]) == 6 for event in events if event.get("move") == "begins")
    assert verbs["passes"] and verbs["breaks"] and free


# Liberties that a record may take


def single_cards(events: list[Event]) -> Iterator[Event]:
    """Every card moves by an event of its own."""
    for event in events:
        if event["event"] == "cards":
            for card in event["cards"]:
                yield event | {"cards": [card]}
        else:
            yield event


def only_changes(events: list[Event]) -> Iterator[Event]:
    """Values that are set to what they are leave no event."""
    kept: dict[tuple[str, Any], Any] = {}
    for name, start in (("score", 0), ("chips", 20)):
        kept |= {(name, seat): start for seat in range(6)}
    for event in events:
        if event["event"] == "keep":
            key = event["name"], event.get("of")
            if kept.get(key) == event["value"]:
                continue
            kept[key] = event["value"]
        yield event


def every_value(events: list[Event]) -> Iterator[Event]:
    """Values are set again whenever they are set."""
    for event in events:
        yield event
        if event["event"] == "keep":
            yield dict(event)


def leftovers_stay(events: list[Event]) -> Iterator[Event]:
    """What is not dealt stays in the deck."""
    first = indices(events, event="cards", from_="box")[0]
    for at, event in enumerate(events):
        if at == first or event["event"] != "cards" or "box" not in (event["from"], event["to"]):
            yield event


def legal_moves_in_another_order(events: list[Event]) -> Iterator[Event]:
    for event in events:
        yield event | {"legal": event["legal"][::-1]} if "legal" in event else event


def no_end_for_a_new_row(events: list[Event]) -> Iterator[Event]:
    verb = ""
    for event in events:
        verb = event.get("move", verb)
        new = verb in ("begins", "opens", "breaks")
        yield {key: value for key, value in event.items() if not (new and key == "end")}


@pytest.mark.parametrize(
    "liberty",
    [single_cards, only_changes, every_value, leftovers_stay, legal_moves_in_another_order, no_end_for_a_new_row],
)
@pytest.mark.parametrize(("table", "players"), CASES, ids=CASE_NAMES)
def test_liberties(table: type[Table], players: int, liberty: Callable[[list[Event]], Iterator[Event]]) -> None:
    for seed in range(3):
        assert judge(table, list(liberty(right_game(table, players, seed)))) == []


# Games played by a wrong rule

WRONG_RULES: list[tuple[type[Table], str]] = []


def reported(piece: str) -> Callable[[Kind], Kind]:
    """Marks a wrong game, and tells what the referee must say of it."""

    def register(table: Kind) -> Kind:
        WRONG_RULES.append((table, piece))
        return table

    return register


@reported("not legal: leads")
class AnyCardMayBeLed(LittleDevilsTable):
    def to_lead(self, hand: list[int]) -> list[int]:
        return hand


@reported("not legal: leads")
class AnyCardMayBeLedFromTwo(LittleDevilsTable):
    def to_lead(self, hand: list[int]) -> list[int]:
        return hand if len(hand) == 2 else super().to_lead(hand)


@reported("missing: leads")
class TwoDevilsAreBarredToo(LittleDevilsTable):
    def to_lead(self, hand: list[int]) -> list[int]:
        return [card for card in hand if self.devils(card) not in (2, 5)] or super().to_lead(hand)


@reported("missing: answers")
class FiveDevilsAreBarredFromAnswers(LittleDevilsTable):
    def to_answer(self, hand: list[int], lead: int) -> list[int]:
        return self.to_lead(hand)


@reported("missing: answers")
class AnswersGoUp(LittleDevilsTable):
    def to_answer(self, hand: list[int], lead: int) -> list[int]:
        return [card for card in hand if card > lead] or hand


@reported("not legal: follows")
class NobodyMustFollow(LittleDevilsTable):
    def to_follow(self, hand: list[int], table: list[int]) -> list[int]:
        return hand


@reported("player")
class TheLastCardIsFollowed(LittleDevilsTable):
    def to_follow(self, hand: list[int], table: list[int]) -> list[int]:
        up = table[1] > table[0]
        return [card for card in hand if (card > table[-1]) == up] or hand


@reported("missing: follows")
class OneCardFollows(LittleDevilsTable):
    def to_follow(self, hand: list[int], table: list[int]) -> list[int]:
        return super().to_follow(hand, table)[:1]


@reported("takes this trick")
class StrayingChangesNothing(LittleDevilsTable):
    def takes(self, table: list[int]) -> int:
        return table.index(max(table) if table[1] > table[0] else min(table))


@reported("takes this trick")
class OnlyTheLastCanStray(LittleDevilsTable):
    def takes(self, table: list[int]) -> int:
        up = table[1] > table[0]
        strayed = (table[-1] > table[0]) != up
        return table.index(max(table) if up != strayed else min(table))


@reported("takes this trick")
class TheHighestTakes(LittleDevilsTable):
    def takes(self, table: list[int]) -> int:
        return table.index(max(table))


@reported("should be the leader")
class LeftOfTheTakerLeads(LittleDevilsTable):
    def next_leader(self, taker: int) -> int:
        return (taker + 1) % self.n


@reported("should lead the first trick")
class TheDealerLeads(LittleDevilsTable):
    def first_leader(self, dealer: int) -> int:
        return dealer


@reported("it is the turn of player")
class DevilsGoAnticlockwise(LittleDevilsTable):
    def after(self, player: int) -> int:
        return (player - 1) % self.n


@reported("should have 9 cards")
class EightCardsEach(LittleDevilsTable):
    hand = 8

    def top_card(self) -> int:
        return 9 * self.n


@reported("the cards dealt should be 1 to")
class AllCardsAreUsed(LittleDevilsTable):
    def top_card(self) -> int:
        return 54


@reported("score of player")
class TenHasTwoDevils(LittleDevilsTable):
    def devils(self, card: int) -> int:
        return 2 if card == 10 else super().devils(card)


@reported("score of player")
class EveryCardIsADevil(LittleDevilsTable):
    def gain(self, pile: list[int]) -> int:
        return len(pile)


@reported("score of player")
class OnlyTheLastRoundCounts(LittleDevilsTable):
    def new_score(self, score: int, gain: int) -> int:
        return gain

    def goes_on(self, scores: list[int], round_number: int) -> bool:
        return round_number < 5


@reported("ends although nobody has 100")
class EndsAtNinety(LittleDevilsTable):
    goal = 90


@reported("although somebody has 100")
class EndsAboveAHundred(LittleDevilsTable):
    goal = 101


@reported("although somebody has 100")
class OneMoreRoundOfDevils(LittleDevilsTable):
    last = False

    def goes_on(self, scores: list[int], round_number: int) -> bool:
        if self.last:
            return False
        self.last = not super().goes_on(scores, round_number)
        return True


@reported("ends although nobody has 100")
class EndsWithTheSum(LittleDevilsTable):
    def goes_on(self, scores: list[int], round_number: int) -> bool:
        return sum(scores) < 100


@reported("should be the dealer")
class TheLastTakerDeals(LittleDevilsTable):
    def next_dealer(self, dealer: int, taker: int) -> int:
        return taker


@reported("dealer should be")
class TheDealerStays(LittleDevilsTable):
    def next_dealer(self, dealer: int, taker: int) -> int:
        return dealer

    def first_leader(self, dealer: int) -> int:
        return (dealer + 1) % self.n


@reported("the winners should be")
class MostDevilsWin(LittleDevilsTable):
    def winners(self, counts: list[int]) -> list[int]:
        return super().winners([-count for count in counts])


@reported("the winners should be")
class TiedDevilsAreNotShared(LittleDevilsTable):
    def winners(self, counts: list[int]) -> list[int]:
        return super().winners(counts)[:1]


@reported("not legal: begins")
class AnyDevilBegins(HolsDerTeufelTable):
    def to_begin(self, player: int) -> list[Option]:
        return [self.option("begins", card) for card in self.hands[player] if card[0] != "angel"]


@reported("begins")
class TheRightNeighboursColourBegins(HolsDerTeufelTable):
    def to_begin(self, player: int) -> list[Option]:
        seen = [colour for colour, _ in self.hands[player - 1]]
        mine = [card for card in self.hands[player] if card[0] != "angel"]
        return [self.option("begins", card) for card in mine if card[0] in seen]


@reported("not legal: begins angel")
class AnAngelMayBegin(HolsDerTeufelTable):
    def to_begin(self, player: int) -> list[Option]:
        angels = [self.option("begins", ANGEL)] if ANGEL in self.hands[player] else []
        return super().to_begin(player) + angels

    def prefer(self, player: int, options: list[Option]) -> Option:
        devils = [one for one in options if not (one["move"] == "begins" and "angel" in one["choice"]["card"])]
        return super().prefer(player, devils)


@reported("missing: begins")
class NoFreeBeginning(Stacked):
    def to_begin(self, player: int) -> list[Option]:
        return super().to_begin(player)[:5]


@reported("not legal: opens")
class AnyValueOpens(HolsDerTeufelTable):
    def matching(self) -> list[int]:
        return list(range(1, 10))


@reported("not legal: opens")
class CoveredCardsAreMatched(HolsDerTeufelTable):
    def matching(self) -> list[int]:
        return [value for row in self.rows.values() for kind, value in row if kind != "angel"]


@reported("missing: opens")
class OnlyTheTopIsMatched(HolsDerTeufelTable):
    def matching(self) -> list[int]:
        return [row[-1][1] for row in self.rows.values() if row and row[-1][0] != "angel"]


@reported("not legal: opens")
class RowsAreOpenedAgain(HolsDerTeufelTable):
    def to_open(self, player: int) -> list[Option]:
        mine = [card for card in self.hands[player] if card[0] != "angel"]
        return [self.option("opens", card) for card in mine if card[1] in self.matching()]


@reported("missing: raises")
class RowsGrowAtTheTop(HolsDerTeufelTable):
    def to_raise(self, player: int) -> list[Option]:
        return [one for one in super().to_raise(player) if one["choice"]["end"] == "top"]


@reported("bottom")
class OneCardHasOneEnd(HolsDerTeufelTable):
    def ends(self, colour: str) -> list[tuple[str, int]]:
        return super().ends(colour)[-1:] if len(self.rows[colour]) == 1 else super().ends(colour)


@reported("missing: lowers")
class LowerOnlyInNeed(HolsDerTeufelTable):
    def options(self, player: int) -> list[Option]:
        return [one for one in super().options(player) if one["move"] != "lowers"] or super().options(player)


@reported("missing: lowers")
class LowerOnlyWhoCanPay(HolsDerTeufelTable):
    def to_lower(self, player: int) -> list[Option]:
        return super().to_lower(player) if self.chips[player] else []


@reported("chips of player")
class PaysToTheLeft(HolsDerTeufelTable):
    def creditor(self, player: int) -> int:
        return (player + 1) % self.n


@reported("chips of player")
class PaysMoreThanThereIs(HolsDerTeufelTable):
    def price(self, difference: int, purse: int) -> int:
        return difference


@reported("chips of player")
class PaysNothingIfItIsTooMuch(HolsDerTeufelTable):
    def price(self, difference: int, purse: int) -> int:
        return difference if difference <= purse else 0


@reported("chips of player")
class PaysOneChip(HolsDerTeufelTable):
    def price(self, difference: int, purse: int) -> int:
        return min(1, purse)


@reported("chips of player")
class RaisingCosts(HolsDerTeufelTable):
    def costly(self) -> list[str]:
        return ["lowers", "raises"]


@reported("chips")
class LoweringIsFree(HolsDerTeufelTable):
    def costly(self) -> list[str]:
        return []


@reported("chips of player")
class StartsWithTwentyFive(HolsDerTeufelTable):
    purse = 25


@reported("chips")
class ChipsStartAgain(HolsDerTeufelTable):
    def carried_over(self, chips: list[int]) -> list[int]:
        return [20] * self.n


@reported("not legal: closes")
class AngelsComeWithOneCardEach(HolsDerTeufelTable):
    def angels_ready(self) -> bool:
        return all(self.rows.values())


@reported("not legal: closes")
class AngelsComeWithThreeColours(HolsDerTeufelTable):
    def angels_ready(self) -> bool:
        return sum(len(row) >= 2 for row in self.rows.values()) >= 3

    def closable(self, colour: str) -> list[str]:
        return super().closable(colour) if len(self.rows[colour]) >= 2 else []


@reported("missing: closes")
class AngelsComeWithThreeCardsEach(HolsDerTeufelTable):
    def angels_ready(self) -> bool:
        return min(map(len, self.rows.values())) >= 3


@reported("not legal: closes")
class TwoAngelsInARow(HolsDerTeufelTable):
    def closable(self, colour: str) -> list[str]:
        return ["bottom", "top"]


@reported("not legal: raises")
class DevilsOntoAngels(HolsDerTeufelTable):
    def to_raise(self, player: int) -> list[Option]:
        closed = [
            self.option("raises", card, end="top")
            for card in self.hands[player]
            if card[0] != "angel" and self.rows[card[0]] and self.rows[card[0]][-1][0] == "angel"
        ]
        return super().to_raise(player) + closed


@reported("not legal: breaks")
class MayAlwaysBreak(HolsDerTeufelTable):
    def options(self, player: int) -> list[Option]:
        both = super().options(player)
        return both + [one for one in self.to_break(player) if one not in both]


@reported("missing: breaks")
class NoBreakWithAnAngelInHand(HolsDerTeufelTable):
    def to_break(self, player: int) -> list[Option]:
        return [] if any(kind == "angel" for kind, _ in self.hands[player]) else super().to_break(player)


@reported("missing: breaks")
class NobodyBreaks(HolsDerTeufelTable):
    def to_break(self, player: int) -> list[Option]:
        return []


@reported("not legal: passes")
class MayAlwaysPass(HolsDerTeufelTable):
    def options(self, player: int) -> list[Option]:
        found = super().options(player)
        return found if found[0]["move"] == "passes" else [*found, {"move": "passes", "choice": {}}]


@reported("not legal: closes")
class AngelsInsteadOfPassing(Stacked):
    def options(self, player: int) -> list[Option]:
        found = super().options(player)
        if found[0]["move"] != "passes":
            return found
        return [self.option("closes", card, row="red", end="top") for card in {*self.hands[player]}]


@reported("it is the turn of player")
class TeufelGoesAnticlockwise(HolsDerTeufelTable):
    def after(self, player: int) -> int:
        return (player - 1) % self.n

    def is_over(self, starter: int, player: int, passed: int) -> bool:
        return not self.hands[player]


@reported("in the middle of a round")
class TheFirstWithoutCardsEndsTheRound(HolsDerTeufelTable):
    def is_over(self, starter: int, player: int, passed: int) -> bool:
        return not self.hands[player]


@reported("in the middle of a round")
class OnePassEndsTheRound(Stacked):
    def is_over(self, starter: int, player: int, passed: int) -> bool:
        return passed > 0 or super().is_over(starter, player, passed)


@reported("there is a move after")
class TheRoundEndsWithTheLastCard(Stacked):
    def is_over(self, starter: int, player: int, passed: int) -> bool:
        return not any(self.hands) or passed == self.n


@reported("a round must be dealt from all cards")
class LeftoversStayAway(HolsDerTeufelTable):
    leftovers_return = False


@reported("cards are put away before player 0 has")
class OneCardTooFew(HolsDerTeufelTable):
    def hand_size(self) -> int:
        return super().hand_size() - 1


@reported("after")
class ARoundTooFew(HolsDerTeufelTable):
    def number_of_rounds(self) -> int:
        return self.n - 1


@reported("after the last round")
class ARoundTooMany(HolsDerTeufelTable):
    def number_of_rounds(self) -> int:
        return self.n + 1


@reported("should be the start player")
class TheStartPlayerStays(HolsDerTeufelTable):
    def next_starter(self, starter: int) -> int:
        return starter


@reported("should be the start player")
class TheStartMovesAnticlockwise(HolsDerTeufelTable):
    def next_starter(self, starter: int) -> int:
        return (starter - 1) % self.n


@reported("the winners should be")
class FewestChipsWin(HolsDerTeufelTable):
    def winners(self, counts: list[int]) -> list[int]:
        return super().winners([-count for count in counts])


@reported("the winners should be")
class TiedChipsAreNotShared(HolsDerTeufelTable):
    def winners(self, counts: list[int]) -> list[int]:
        return super().winners(counts)[:1]


@pytest.mark.parametrize(("wrong", "piece"), WRONG_RULES, ids=[wrong.__name__ for wrong, _ in WRONG_RULES])
def test_games_played_by_a_wrong_rule_are_reported(wrong: Any, piece: str) -> None:
    """As the lots are the same, a record differs from the right game's if and only if the wrong rule has mattered."""
    right: Any = wrong.__mro__[1]
    mattered = 0
    said = False
    for seed in range(150):
        for players in SIZES[base(wrong)]:
            if right is Stacked and players < 5:
                continue
            events = wrong(players, seed).play()
            differs = events != right_game(right, players, seed)
            found = judge(wrong, events)
            assert bool(found) == differs, (players, seed, found)
            mattered += differs
            said = said or any(piece in sentence for sentence in found)
        if mattered >= 2 and said:
            return
    assert said, found


# Records that were tampered with

TAMPERINGS: list[tuple[type[Table], Tampering, str]] = []


class NothingToTamperWith(Exception):
    """What the change is about does not happen in this game."""


def tampering(piece: str, *tables: type[Table]) -> Callable[[Tampering], Tampering]:
    def register(change: Tampering) -> Tampering:
        TAMPERINGS.extend((table, change, piece) for table in tables or tuple(SIZES))
        return change

    return register


def middle_move(events: list[Event], options: int = 2) -> int:
    """A move in the middle of the game, with some options."""
    moves = [at for at in indices(events, event="move") if len(events[at]["legal"]) >= options]
    return moves[len(moves) // 2]


@tampering("missing")
def a_legal_move_is_missing(events: list[Event]) -> None:
    move = events[middle_move(events)]
    move["legal"] = [one for one in move["legal"] if one["choice"] != move["choice"]]


@tampering("missing")
def another_legal_move_is_missing(events: list[Event]) -> None:
    move = events[middle_move(events)]
    move["legal"].remove(next(one for one in move["legal"] if one["choice"] != move["choice"]))


@tampering("not legal")
def a_legal_move_is_added(events: list[Event]) -> None:
    legal = events[middle_move(events)]["legal"]
    legal.append(copy.deepcopy(legal[0]) | {"move": "passes"})


@tampering("not legal")
def a_card_not_held_is_listed(events: list[Event]) -> None:
    at = middle_move(events)
    legal = events[at]["legal"]
    other = next(one for event in events[at + 1 :] if event["event"] == "move" for one in event["legal"])
    legal.append(copy.deepcopy(other))


@tampering("listed twice")
def a_legal_move_is_listed_twice(events: list[Event]) -> None:
    legal = events[middle_move(events)]["legal"]
    legal.append(copy.deepcopy(legal[0]))


@tampering("not recorded")
def the_legal_moves_are_not_recorded(events: list[Event]) -> None:
    del events[middle_move(events)]["legal"]


@tampering("no move")
def a_choice_is_a_number(events: list[Event]) -> None:
    events[middle_move(events)]["choice"] = {"card": 7}


@tampering("illegal move")
def a_verb_is_wrong(events: list[Event]) -> None:
    move = events[middle_move(events)]
    move["move"] = "jumps"


@tampering("it is the turn of player")
def another_player_moves(events: list[Event]) -> None:
    move = events[middle_move(events)]
    move["player"] = (move["player"] + 1) % len(events[0]["players"])


@tampering("there is no player")
def nobody_moves(events: list[Event]) -> None:
    events[middle_move(events)]["player"] = 9


@tampering("")
def a_move_is_left_out(events: list[Event]) -> None:
    del events[middle_move(events)]


@tampering("")
def a_move_and_its_card_are_left_out(events: list[Event]) -> None:
    at = indices(events, event="move")[0]
    card = next(later for later in range(at, len(events)) if events[later]["event"] == "cards")
    del events[card], events[at]


@tampering("not")
def a_card_is_not_laid(events: list[Event]) -> None:
    laid = indices(events, event="cards", from_="hand*")
    del events[laid[len(laid) // 2]]


@tampering("")
def another_card_is_laid(events: list[Event]) -> None:
    at = indices(events, event="cards", from_="hand[0]")[0]
    dealt = indices(events, event="cards", from_="deck", to="hand[0]")[0]
    events[at]["cards"] = [next(card for card in events[dealt]["cards"] if card not in events[at]["cards"])]


@tampering("")
def hands_are_swapped_in_a_card(events: list[Event]) -> None:
    first, second = (events[indices(events, event="cards", from_="deck", to=f"hand[{seat}]")[0]] for seat in (0, 1))
    first["cards"][0], second["cards"][0] = second["cards"][0], first["cards"][0]


@tampering("is not in deck")
def a_card_is_dealt_twice(events: list[Event]) -> None:
    first, second = (events[indices(events, event="cards", from_="deck", to=f"hand[{seat}]")[0]] for seat in (0, 1))
    second["cards"][0] = first["cards"][0]


@tampering("")
def a_card_is_not_dealt(events: list[Event]) -> None:
    events[indices(events, event="cards", from_="deck", to="hand[1]")[0]]["cards"].pop()


@tampering("is not in box")
def there_is_a_card_too_many(events: list[Event]) -> None:
    events[indices(events, event="cards", from_="box")[0]]["cards"].append("joker")


@tampering("deck")
def a_card_is_missing_from_the_start(events: list[Event]) -> None:
    events[indices(events, event="cards", from_="box")[0]]["cards"].pop()


@tampering("no place")
def cards_go_nowhere(events: list[Event]) -> None:
    events[indices(events, event="cards", from_="hand*")[5]]["to"] = "pocket"


@tampering("no rule moves cards")
def cards_go_to_another_hand(events: list[Event]) -> None:
    at = indices(events, event="cards", from_="hand[0]")[3]
    given = events[at] | {"to": "hand[1]"}
    given.pop("end", None)
    events.insert(at, given)


@tampering("in the middle of a round")
def cards_go_back_too_early(events: list[Event]) -> None:
    laid = indices(events, event="cards", from_="hand*")[1]
    returned = events[laid] | {"from": events[laid]["to"], "to": "deck"}
    returned.pop("end", None)
    events.insert(laid + 1, returned)


@tampering("stops before the end")
def the_record_is_cut_off(events: list[Event]) -> None:
    events.pop()


@tampering("ends")
def the_game_ends_at_once(events: list[Event]) -> None:
    del events[middle_move(events) : -1]


@tampering("after the end")
def the_game_ends_twice(events: list[Event]) -> None:
    events.append(events[-1])


@tampering("inside a game")
def a_game_begins_inside_a_game(events: list[Event]) -> None:
    events.insert(middle_move(events), events[0])


@tampering("inside a game")
def an_event_is_unknown(events: list[Event]) -> None:
    events.insert(middle_move(events), {"event": "cheat"})


@tampering("does not begin with")
def there_is_no_game_event(events: list[Event]) -> None:
    del events[0]


@tampering("number of players")
def there_are_too_many_players(events: list[Event]) -> None:
    events[0]["players"] = [str(seat) for seat in range(7)]


@tampering("variant")
def it_is_a_variant(events: list[Event]) -> None:
    events[0]["set"] = {"hand-size": 8}


@tampering("the winners should be")
def another_player_wins(events: list[Event]) -> None:
    events[-1]["winners"] = [(events[-1]["winners"][0] + 1) % len(events[0]["players"])]


@tampering("the winners should be")
def the_winner_is_named_twice(events: list[Event]) -> None:
    events[-1]["winners"] = events[-1]["winners"] * 2


@tampering("the winners should be")
def nobody_wins(events: list[Event]) -> None:
    events[-1]["winners"] = []


@tampering("the final counts should be")
def the_final_counts_are_wrong(events: list[Event]) -> None:
    counts = next(iter(events[-1]["keeps"].values()))
    counts[0] += 1


@tampering("the final counts should be")
def there_are_no_final_counts(events: list[Event]) -> None:
    events[-1]["keeps"] = {}


@tampering("keeps no")
def something_unknown_is_kept(events: list[Event]) -> None:
    events.insert(middle_move(events), {"event": "keep", "name": "luck", "of": 0, "value": 1})


@tampering("no number and no seat")
def nothing_is_kept(events: list[Event]) -> None:
    events[indices(events, event="keep")[0]]["value"] = None


@tampering("no seat")
def a_player_is_kept_who_is_not_there(events: list[Event]) -> None:
    events[indices(events, event="keep")[0]]["value"] = 6


@tampering("nobody is the dealer", LittleDevilsTable)
def there_is_no_dealer(events: list[Event]) -> None:
    del events[indices(events, event="keep", name="dealer")[0]]


@tampering("dealer should be", LittleDevilsTable)
def the_dealer_does_not_change(events: list[Event]) -> None:
    del events[indices(events, event="keep", name="dealer")[1]]


@tampering("where no round begins", LittleDevilsTable)
def the_dealer_changes_in_the_round(events: list[Event]) -> None:
    events.insert(middle_move(events), {"event": "keep", "name": "dealer", "value": 0})
    events.insert(middle_move(events), {"event": "keep", "name": "dealer", "value": 1})


@tampering("should be the leader", LittleDevilsTable)
def the_leader_changes_too_early(events: list[Event]) -> None:
    at = indices(events, event="move", move="follows")[0]
    leader = events[indices(events, event="keep", name="leader")[0]]["value"]
    events.insert(at, {"event": "keep", "name": "leader", "value": (leader + 1) % len(events[0]["players"])})


@tampering("leader should be", LittleDevilsTable)
def the_leader_is_not_noted(events: list[Event]) -> None:
    for at in reversed(indices(events, event="keep", name="leader")[1:]):
        del events[at]


@tampering("takes this trick", LittleDevilsTable)
def a_trick_goes_to_another_player(events: list[Event]) -> None:
    taken = events[indices(events, event="cards", from_="trick")[3]]
    taken["to"] = "pile[1]" if taken["to"] == "pile[0]" else "pile[0]"


@tampering("was not taken", LittleDevilsTable)
def a_trick_is_not_taken(events: list[Event]) -> None:
    del events[indices(events, event="cards", from_="trick")[3]]


@tampering("was not taken", LittleDevilsTable)
def a_trick_is_taken_but_for_a_card(events: list[Event]) -> None:
    events[indices(events, event="cards", from_="trick")[3]]["cards"].pop()


@tampering("before everyone has played", LittleDevilsTable)
def a_trick_is_taken_too_early(events: list[Event]) -> None:
    first = indices(events, event="cards", to="trick")[0]
    taken = events[indices(events, event="cards", from_="trick")[0]]
    events.insert(first + 1, taken | {"cards": events[first]["cards"]})


@tampering("before the next deal", LittleDevilsTable)
def a_score_is_not_noted(events: list[Event]) -> None:
    del events[next(at for at in indices(events, event="keep", name="score") if events[at]["value"])]


@tampering("when the game ends", LittleDevilsTable)
def the_last_score_is_not_noted(events: list[Event]) -> None:
    scored = indices(events, event="keep", name="score")[-len(events[0]["players"]) :]
    taker = events[indices(events, event="cards", from_="trick")[-1]]["to"]
    del events[next(at for at in scored if taker == f"pile[{events[at]['of']}]")]


@tampering("score of player", LittleDevilsTable)
def a_score_is_wrong(events: list[Event]) -> None:
    events[indices(events, event="keep", name="score")[2]]["value"] += 1


@tampering("score of player", LittleDevilsTable)
def devils_count_too_early(events: list[Event]) -> None:
    events.insert(middle_move(events), {"event": "keep", "name": "score", "of": 0, "value": 99})


@tampering("has no ends", LittleDevilsTable)
def a_trick_has_ends(events: list[Event]) -> None:
    events[indices(events, event="cards", to="trick")[0]]["end"] = "top"


@tampering("after the move before", HolsDerTeufelTable)
def a_payment_is_not_noted(events: list[Event]) -> None:
    del events[indices(events, event="keep", name="chips")[0]]


@tampering("chips of player", HolsDerTeufelTable)
def a_payment_is_wrong(events: list[Event]) -> None:
    events[indices(events, event="keep", name="chips")[0]]["value"] -= 1


@tampering("chips of player", HolsDerTeufelTable)
def chips_come_from_nowhere(events: list[Event]) -> None:
    events.insert(middle_move(events), {"event": "keep", "name": "chips", "of": 0, "value": 1000})


@tampering("nobody is the start player", HolsDerTeufelTable)
def there_is_no_start_player(events: list[Event]) -> None:
    del events[indices(events, event="keep", name="starter")[0]]


@tampering("should be the start player", HolsDerTeufelTable)
def the_start_player_is_not_noted(events: list[Event]) -> None:
    del events[indices(events, event="keep", name="starter")[1]]


@tampering("in the middle of a round", HolsDerTeufelTable)
def the_start_player_changes_in_the_round(events: list[Event]) -> None:
    starter = events[indices(events, event="keep", name="starter")[0]]["value"]
    at = indices(events, event="move")[3]
    events.insert(at, {"event": "keep", "name": "starter", "value": (starter + 1) % len(events[0]["players"])})


@tampering("should go to the", HolsDerTeufelTable)
def a_card_goes_to_the_other_end(events: list[Event]) -> None:
    at = indices(events, event="move", move="raises")[0]
    laid = next(event for event in events[at:] if event["event"] == "cards")
    laid["end"] = "top" if laid["end"] == "bottom" else "bottom"


@tampering("should go to", HolsDerTeufelTable)
def an_angel_goes_to_another_row(events: list[Event]) -> None:
    at = indices(events, event="move", move="closes")[0]
    laid = next(event for event in events[at:] if event["event"] == "cards")
    laid["to"] = "row[red]" if laid["to"] == "row[green]" else "row[green]"


@tampering("illegal move", HolsDerTeufelTable)
def lowering_is_called_raising(events: list[Event]) -> None:
    move = events[indices(events, event="move", move="lowers")[0]]
    move["move"] = "raises"


@tampering("before the deal", HolsDerTeufelTable)
def a_payment_at_the_end_of_a_round_is_not_noted(events: list[Event]) -> None:
    chips = dict.fromkeys(range(len(events[0]["players"])), 20)
    for at in indices(events, event="keep", name="chips"):
        following = next(
            event for event in events[at:] if event["event"] in ("move", "end") or event.get("to") == "deck"
        )
        if events[at]["value"] != chips[events[at]["of"]] and following["event"] == "cards":
            del events[at]
            return
        chips[events[at]["of"]] = events[at]["value"]
    raise NothingToTamperWith


@pytest.mark.parametrize(
    ("table", "change", "piece"),
    TAMPERINGS,
    ids=[f"{table.__name__}-{getattr(change, '__name__', '')}" for table, change, _ in TAMPERINGS],
)
def test_tampered_records_are_reported(table: type[Table], change: Tampering, piece: str) -> None:
    changed = 0
    for players in SIZES[table]:
        for seed in range(2):
            events = json.loads(json.dumps(right_game(table, players, seed)))
            try:
                change(events)
            except NothingToTamperWith:
                continue
            changed += 1
            found = judge(table, events)
            assert found, (players, seed)
            assert any(piece in sentence for sentence in found), (players, seed, found)
    assert changed


def test_an_empty_record_is_reported() -> None:
    assert little_devils.violations([])
    assert hols_der_teufel.violations([])


# Files


def test_games_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    written = [right_game(table, players, 0) for table, players in CASES]
    file.write_text("".join(json.dumps(event) + "\n" for events in written for event in events), encoding="utf-8")
    assert list(games(file)) == written
    for events, (table, _) in zip(games(file), CASES, strict=True):
        assert judge(table, events) == []


def test_a_file_that_is_no_record(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text('{"event": "game"}\n\n{"event": "step"}\n{"event": "game"}\nnonsense\n', encoding="utf-8")
    found = games(file)
    assert next(found) == [{"event": "game"}, {"event": "step"}]
    with pytest.raises(ValueError, match="line 5"):
        next(found)
    file.write_text("[]\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 1"):
        next(games(file))
