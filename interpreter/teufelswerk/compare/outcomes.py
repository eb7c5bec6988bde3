"""The same scene played in two games → what differs: moves, what is told, what is kept and where cards lie."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeAlias

from teufelswerk.base.texts import Text
from teufelswerk.compare.staging import BothGames, Run
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import BOX, Machine

Key: TypeAlias = tuple[str, int]
"""Something kept, or a place: its name, and which of its family."""

PARTIES = 2
"""A payment is kept twice: of who pays, and of who is paid."""


class Rank(IntEnum):
    """How much a difference says about the rules, most first."""

    HAPPENS = 0
    """What both games keep, where cards lie, or who has won."""
    TOLD = 1
    """Only the sentences."""
    OWN = 2
    """Only what one of the games keeps for itself."""


@dataclass
class Outcome:
    """What a scene comes to in one of the games, as far as both games can have it."""

    told: list[Text]
    kept: dict[Key, Any]
    lying: dict[Key, tuple[str, ...]]
    own: dict[Key, Any]
    """What only this game keeps, where it has changed."""
    winners: tuple[int, ...] | None


@dataclass
class Difference:
    """What differs between the outcomes of a scene. It is either what may be done next, or what has happened."""

    rank: Rank | None
    """None if only different moves are allowed."""
    outcomes: tuple[Outcome, Outcome]
    runs: tuple[Run, Run]
    kept: list[Key]
    lying: list[Key]

    @property
    def told(self) -> bool:
        """Whether different sentences are told."""
        first, second = self.outcomes
        return [str(text) for text in first.told] != [str(text) for text in second.told]

    @property
    def kind(self) -> tuple[object, ...]:
        """What stays the same while a scene is made smaller."""
        seen = [(run.stop, run.player if self.rank is None else None) for run in self.runs]
        if self.rank is None:
            return (*seen, *(frozenset(move.verb for move in run.moves) for run in self.runs))
        told = [frozenset(text.msgid for text in outcome.told) for outcome in self.outcomes]
        changed = {name for name, _ in self.kept}
        lying = frozenset() if changed or self.told else frozenset(self.lying)
        return (*seen, self.rank, *told, frozenset(changed), lying, *(o.winners for o in self.outcomes))

    def shown(self, moves: bool = True) -> tuple[object, ...]:
        """What a reader is shown of it, which must not depend on cards that the scene leaves open."""
        if self.rank is None:
            allowed: list[object] = [
                run.described if moves else list(dict.fromkeys(move.verb for move in run.moves)) for run in self.runs
            ]
            return (*((run.stop, run.player) for run in self.runs), *allowed)
        sides: list[object] = []
        for outcome in self.outcomes:
            if self.told:
                sides.append([str(text) for text in outcome.told])
            elif self.kept:
                sides.append([outcome.kept[key] for key in self.kept])
            elif self.rank is Rank.OWN:
                sides.append(outcome.own)
            else:
                sides.append([outcome.lying[key] for key in self.lying])
            sides.append(outcome.winners)
        return (self.rank, *sides)


class Comparer:
    """Compares what two games come to."""

    def __init__(self, both: BothGames) -> None:
        first, second = (game.rules for game in both.games)
        self.both = both
        self.deals_differ = False
        """Whether the games deal differently: then places that somebody cannot see say nothing."""
        self.keeps = [name for name in first.keeps if name in second.keeps]
        self.places = [name for name in first.places if name in second.places]
        self.cards = {card.id for card in first.cards} & {card.id for card in second.cards}

    def difference(self, runs: tuple[Run, Run]) -> Difference | None:
        first, second = outcomes = (self.outcome(runs[0]), self.outcome(runs[1]))
        kept = [key for key in first.kept if key in second.kept and first.kept[key] != second.kept[key]]
        lying = [key for key in first.lying if key in second.lying and first.lying[key] != second.lying[key]]
        if (first.winners is None) != (second.winners is None):
            kept, lying = [], []  # what one of them has come to by going on is not the point
        found = Difference(Rank.HAPPENS, outcomes, runs, kept, lying)
        if kept or lying or first.winners != second.winners:
            return found
        if found.told:
            found.rank = Rank.TOLD
            return found
        places = [(run.stop, run.player, run.described) for run in runs]
        if places[0] != places[1] and all(run.moves or run.stop != "decision" for run in runs):
            found.rank = None
            return found
        if first.own or second.own:
            found.rank = Rank.OWN
            return found
        return None

    def outcome(self, run: Run) -> Outcome:
        game, m = run.game, run.machine
        kept: dict[Key, Any] = {}
        own: dict[Key, Any] = {}
        for index, keep in game.layout.declared:
            key = (keep.name, game.layout.keep_key[index])
            value = game.program.teller.raw(keep.type, m.keeps[index])
            if keep.name in self.keeps and value is not None:
                kept[key] = value
            elif m.keeps[index] != run.before[index]:
                own[key] = value
        return Outcome(list(said(run)), kept, self.lying(game, m), own, m.winners)

    def lying(self, game: Game, m: Machine) -> dict[Key, tuple[str, ...]]:
        """The cards of both games in the places of both games, in their order where there is one."""
        found: dict[Key, tuple[str, ...]] = {}
        layout, cards = game.layout, game.rules.cards
        for name in self.places:
            for index in layout.family(name):
                if index == BOX or (self.deals_differ and layout.place_of[index].seen_by != "all"):
                    continue
                lying = [card for card in m.places[index] if cards[card].id in self.cards]
                ids = [cards[card].id + " up" * layout.lies_up(m.keeps, card) for card in lying]
                found[name, layout.place_key[index]] = tuple(ids if layout.ordered[index] else sorted(ids))
        return found


def said(run: Run) -> list[Text]:
    """The sentences of a run, but for those about something that has changed nothing, such as a payment of 0."""
    kept: dict[tuple[str, str], Any] = {}
    for index, keep in run.game.layout.declared:
        record = run.game.program.teller.keep_record(index, run.before[index])
        kept[keep.name, str(record.get("of"))] = record["value"]
    found: list[Text] = []
    idle: list[int | None] = []
    """The causes of what has been kept anew just now, as long as nothing has become different by it."""
    for event in run.events:
        record = event.record
        if record["event"] == "keep":
            key = (record["name"], str(record.get("of")))
            idle = [*idle, event.cause] if kept.get(key) == record["value"] else []
            kept[key] = record["value"]
            continue
        if event.told is not None and idle[-PARTIES:] != [event.cause] * PARTIES:
            found.append(event.told.whole)
        idle = []
    return found
