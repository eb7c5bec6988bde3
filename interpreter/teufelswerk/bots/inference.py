"""What a seat knows about the cards that it cannot see, and worlds dealt at random in accordance with that.

For every card there is a set of places where it may lie. Cards that move in sight are known from then on; cards that
move face down may lie in either place. A player who makes a move shows something, too: if holding a card would have
made that very move illegal ("you must follow"), the player did not hold it, and does not until new cards arrive.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from random import Random
from typing import Any

from teufelswerk.base.limits import MAX_WORK_OF_LEARNING
from teufelswerk.bots.dealing import Dealing
from teufelswerk.bots.imagined_flow import Guesses
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import BOX, Machine, RuleError
from teufelswerk.interpreter.seen_events import Seen, Sight
from teufelswerk.interpreter.state import State
from teufelswerk.interpreter.view import View
from teufelswerk.model import UP

DESCRIBING = 4
"""A move is described in the time in which so many things are looked at."""
WORLDS = 4
"""How often the cards are dealt anew until the flow of the game fits what is asked."""


class Knowledge:
    """One seat's knowledge, kept up to date from what it sees."""

    def __init__(self, game: Game, seat: int, sight: Sight | None = None) -> None:
        self.game = game
        self.seat = seat
        self.sight = sight or Sight(game)
        self.guesses = Guesses(game)
        self.numbers: dict[str, list[int]] = {}
        """The cards of each name: identical ones share it."""
        for card in game.rules.cards:
            self.numbers.setdefault(card.id, []).append(card.index)
        self.possible = [1 << BOX] * len(game.rules.cards)
        """For each card the places, as bits, where it may lie."""
        self.excluded = [0] * len(self.possible)
        """Places where it does not lie, as the players' moves have shown."""
        self.view: View | None = None
        self.watched = 0

    def copy(self) -> Knowledge:
        """An independent copy: what was known at this point."""
        twin = Knowledge(self.game, self.seat, self.sight)
        twin.guesses = self.guesses
        twin.possible, twin.excluded = list(self.possible), list(self.excluded)
        twin.view, twin.watched = self.view, self.watched
        return twin

    # ---- seeing -----------------------------------------------------------------------------------------------------

    def watch(self, view: View, seen: list[Seen], most: int = MAX_WORK_OF_LEARNING) -> None:
        """Takes in one move, or the beginning of the game: what was seen of it, and the position after it.

        At most so many things are looked at to find out what the move tells.
        """
        if self.view is not None and seen and seen[0]["event"] == "move" and most:
            self.learn(self.view, seen, most)
        if self.view is None and not seen:  # a game that does not begin at its beginning: nobody saw where cards went
            self.possible = [(1 << len(self.game.layout.place_names)) - 1] * len(self.possible)
        counts = self.counts(self.view)
        for record in seen:
            if record["event"] == "cards":
                self.moved(record, counts)
            elif record["event"] == "turn":
                place = self.game.layout.by_name[record["place"]]
                for card in (self.one_of(id, place, set()) for id in record["cards"]):
                    if card >= 0:
                        self.possible[card], self.excluded[card] = 1 << place, 0
        self.look(view)
        self.view = view
        self.watched += 1

    def counts(self, view: View | None) -> list[int]:
        """How many cards lie in each place, the box included."""
        if view is None:
            return [len(self.possible)] + [0] * (len(self.game.layout.place_names) - 1)
        counts = [view.places[name].count for name in self.game.layout.place_names[1:]]
        return [len(self.possible) - sum(counts), *counts]

    def moved(self, record: Seen, counts: list[int]) -> None:
        by_name = self.game.layout.by_name
        origin, target = by_name[record["from"]], by_name[record["to"]]
        if record["cards"] is not None:
            taken: set[int] = set()
            for id in record["cards"]:
                moved = self.one_of(id, origin, taken)
                taken.add(moved)
                self.possible[moved] = 1 << target
                self.excluded[moved] = 0
        else:
            all_of_them = record["count"] == counts[origin]
            backs = set(record["backs"]) if record["backs"] is not None else None
            for card in self.game.rules.cards:
                index = card.index
                if self.possible[index] >> origin & 1 and (backs is None or card.back in backs):
                    if all_of_them:
                        excluded = self.excluded[index] >> origin & 1
                        self.possible[index] &= ~(1 << origin)
                        self.excluded[index] &= ~(1 << origin)
                        if excluded and not self.possible[index] >> target & 1:
                            continue
                    self.possible[index] |= 1 << target
                    self.excluded[index] &= ~(1 << target)
        counts[origin] -= record["count"]
        counts[target] += record["count"]

    def one_of(self, id: str, place: int, taken: Collection[int]) -> int:
        """A card of that name which lies in a place: of identical ones, one that is known to be there, if any is."""
        cards, bit = self.numbers[id], 1 << place
        if len(cards) == 1:
            return cards[0]
        free = [card for card in cards if card not in taken] or cards
        return min(free, key=lambda card: (self.possible[card] != bit, not self.possible[card] & bit))

    def look(self, view: View) -> None:
        """Visible cards lie where they are seen; the others lie in hidden places that are not empty."""
        hidden = 0
        for index, count in enumerate(self.counts(view)):
            seen = view.places[self.game.layout.place_names[index]].visible if index != BOX else ()
            if len(seen) < count:
                hidden |= 1 << index
        visible = self.visible(view)
        for card in range(len(self.possible)):
            if card in visible:
                self.possible[card] = 1 << visible[card]
                self.excluded[card] = 0
            else:
                self.possible[card] = self.possible[card] & hidden or hidden

    def visible(self, view: View) -> dict[int, int]:
        """The cards in sight, with the places where they lie."""
        by_name = self.game.layout.by_name
        return {card: by_name[name] for name, cards in self.seen(view).items() for card in cards if card >= 0}

    def seen(self, view: View) -> dict[str, list[int]]:
        """The cards in each place whose cards are seen, -1 for those that lie face down; of identical ones, those that
        are known to lie there first."""
        by_name = self.game.layout.by_name
        places = {place.name: place.lying for place in view.places.values() if place.lying is not None}
        found = {name: [-1] * len(cards) for name, cards in places.items()}
        taken: set[int] = set()
        for surely in (True, False):
            for name, cards in places.items():
                bit = 1 << by_name[name]
                for at, id in enumerate(cards):
                    if id is None or found[name][at] >= 0:
                        continue
                    card = self.one_of(id, by_name[name], taken)
                    if card >= 0 and (not surely or self.possible[card] == bit):
                        found[name][at] = card
                        taken.add(card)
        return found

    # ---- what moves tell --------------------------------------------------------------------------------------------

    def learn(self, before: View, seen: list[Seen], most: int) -> None:
        """Excludes cards with which the player could not have made this move."""
        record, player = seen[0], seen[0]["player"]
        if player == self.seat or record["choice"] is None or before.to_move != player:
            return
        owner, by_name = self.game.layout.owner, self.game.layout.by_name
        played: dict[int, int] = {}
        chosen = _ids(record["choice"])
        for other in seen:
            if other["event"] == "cards" and owner[by_name[other["from"]]] == player:
                place = by_name[other["from"]]
                for id in (id for id in other["cards"] or () if id in chosen):
                    played.setdefault(self.one_of(id, place, played), place)
        holds = [
            index
            for index in range(1, len(owner))
            if owner[index] == player and not self.sight.sees_place(self.seat, index)
            and self.game.layout.place_of[index].seen_by == "owner"
        ]  # fmt: skip
        if not holds:
            return
        rng = Random(self.watched)
        imagined = self.imagine(self.asked_for(before, record["move"]), rng, played)
        if imagined is None:
            return
        full = self.game.thaw(imagined)
        few = self.game.thaw(self.game.freeze(full))
        for hold in holds:
            for card in [card for card in few.places[hold] if card not in played]:
                self.put(few, card, BOX)
        until = self.game.meter.work + most
        for hold in holds:
            bit = 1 << hold
            others = [card for card in full.places[hold] if card not in played]
            for card in range(len(self.possible)):
                if self.game.meter.work > until:
                    return  # what is not found out is not believed either
                if self.possible[card] & ~self.excluded[card] & bit and card not in played:
                    home = few.where[card]
                    self.put(few, card, hold)
                    if self.refused(few, record) and self.refused_with(full, card, hold, others, record, rng):
                        self.excluded[card] |= bit
                    self.put(few, card, home)

    def asked_for(self, view: View, verb: str) -> View:
        """The view, now that it is known for which move, among others, the player was asked."""
        turns = self.game.program.turns
        pcs = tuple(pc for pc in view.flow.pcs if any(verb in group for group in turns[pc].groups))
        return replace(view, flow=replace(view.flow, pcs=pcs or view.flow.pcs))

    def refused_with(self, full: Machine, card: int, hold: int, others: list[int], record: Seen, rng: Random) -> bool:
        """Whether the move is refused in a whole hand with that card, too."""
        if full.where[card] == hold:
            return self.refused(full, record)
        if not others:
            return True
        away, home = others[int(rng.random() * len(others))], full.where[card]
        self.put(full, away, home)
        self.put(full, card, hold)
        refused = self.refused(full, record)
        self.put(full, card, home)
        self.put(full, away, hold)
        return refused

    def refused(self, m: Machine, record: Seen) -> bool:
        try:
            moves = self.game.choices(m)
        except RuleError:
            return False
        verb, chosen = record["move"], record["choice"]
        self.game.meter.work += DESCRIBING * len(moves)
        return not any(move.verb == verb and self.game.choice(move) == chosen for move in moves)

    def put(self, m: Machine, card: int, place: int) -> None:
        m.places[m.where[card]].remove(card)
        m.places[place].append(card)
        m.where[card] = place
        self.game.layout.lie(m.keeps, place, [card])

    # ---- imagining --------------------------------------------------------------------------------------------------

    def imagine(self, view: View, rng: Random, forced: dict[int, int] | None = None) -> State | None:
        """A position that fits all that is known; `forced` are cards whose places have become known later.

        None if none was found: then the rules ask for something that hidden cards have decided in a rare way.
        """
        if self.guesses.is_sure(view):
            world = self.world(view, rng, forced or {})
            return world if view.winners is not None else self.guesses.with_pending(world, view, rng)
        for _ in range(WORLDS):
            found = self.guesses.flow(self.world(view, rng, forced or {}), view, rng)
            if found is not None:
                return found
        return None

    def world(self, view: View, rng: Random, forced: dict[int, int]) -> State:
        """The cards dealt in accordance with what is known, and of the flow what everyone knows."""
        deal = Dealing(self, view, forced).deal(rng)
        layout = self.game.layout
        owners = [-1] * len(self.possible)
        for index, place in enumerate(deal):
            seen = view.places[layout.place_names[index]].owners if index != BOX else None
            for number, card in enumerate(place):
                last = seen[number] if seen is not None else None
                owners[card] = layout.owner[index] if last is None else last
        flow, keeps = view.flow, list(self.guesses.keeps(view, rng))
        for index, place in enumerate(deal) if layout.faces is not None else ():
            layout.lie(keeps, index, place)
            up = view.places[layout.place_names[index]].up if index != BOX else None
            for card in (card for card, is_up in zip(place, up or (), strict=False) if is_up):
                assert layout.faces is not None
                keeps[layout.faces + card] = UP
        return State(
            flow.pcs[0], flow.slots, tuple(map(tuple, deal)), tuple(owners), tuple(keeps), (),
            view.winners, flow.passing, rng.getrandbits(64),
        )  # fmt: skip


def _ids(choice: dict[str, Any]) -> set[str]:
    """All that was chosen, by name."""
    return {str(item) for value in choice.values() for item in (value if isinstance(value, list) else [value])}
