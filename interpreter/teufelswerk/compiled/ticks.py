"""Lines that count what happens in a compiled game; without counters there are none of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from teufelswerk import model
from teufelswerk.compiled.emit import Code, Source, harmless
from teufelswerk.compiled.places import Family

if TYPE_CHECKING:
    from teufelswerk.compiled.counted import Counters


class Ticks:
    """Writes the lines that add to the vector `counts`."""

    def __init__(self, out: Source, counters: Counters | None) -> None:
        self.out = out
        self.counters = counters
        self.in_value = False
        """Whether what is being written is a value whose branches are counted."""
        self.began = "began"
        """The variable that holds who decided first."""
        self.put: dict[str, str] = {}
        """By family, the array with the card that each player has put into each of its places last."""

    def _one(self, position: int, words: str) -> None:
        self.out(f"counts[{position}] += 1  # {harmless(words)}")

    # ---- what happens -----------------------------------------------------------------------------------------------

    def counts(self, id: int) -> bool:
        return self.counters is not None and id in self.counters.units

    def unit(self, id: int, words: str) -> None:
        """A rule or a branch."""
        if self.counters is not None and id in self.counters.units:
            self._one(self.counters.units[id], words)

    def branch(self, branch: model.Branch) -> None:
        if self.in_value:
            self.unit(branch.id, f"branch in line {branch.span.line}")

    def move(self, verb: str) -> None:
        if self.counters is not None:
            self._one(self.counters.moves[verb], f"move {verb}")

    def step(self, name: str) -> None:
        if self.counters is not None and name in self.counters.steps:
            self._one(self.counters.steps[name], f"step {name}")

    def decision(self, turn: model.Turn, player: str) -> None:
        """A player decides between as many choices as the variable `options` says."""
        if self.counters is None:
            return
        decisions, forced, options = self.counters.decisions[turn.id]
        with self.out.block(f"if {self.began} < 0:"):
            self.out(f"{self.began} = {player}")
            self.out(f"counts[{self.counters.began} + {player}] += 1  # who begins")
        place = self.out.let("place", f"({player} - {self.began}) % {self.counters.players}")
        self.out(f"counts[{decisions} + {place}] += 1  # decision in line {turn.span.line}")
        self.out(f"counts[{options} + {place}] += options")
        with self.out.block("if options == 1:"):
            self.out(f"counts[{forced} + {place}] += 1  # forced")

    # ---- branches of values -----------------------------------------------------------------------------------------

    @contextmanager
    def value(self, counted: bool = True) -> Iterator[None]:
        """While a value is written whose branches are counted, or something inside it whose branches are not."""
        outer, self.in_value = self.in_value, counted
        yield
        self.in_value = outer

    # ---- cards ------------------------------------------------------------------------------------------------------

    def declare(self, families: dict[str, Family], players: int) -> None:
        """What has to be remembered: who began, and by which card somebody takes the cards of a place."""
        if self.counters is not None:
            self.began = self.out.let("began", "-1")
        for name in sorted(self.counters.taken_from) if self.counters else ():
            self.put[name] = self.out.name(f"put_{name}")
            self.out(f"{self.put[name]} = filled({families[name].size * players}, -1)")

    def card_goes(self, s: model.Goes, family: Family, place: str, card: str, slots: dict[int, Code]) -> None:
        """A card goes to a place; if a player puts it there, this is noted."""
        if self.counters is None:
            return
        if family.place.name in self.counters.moved:
            self.out(f"counts[{self.counters.moved[family.place.name]} + {card}] += 1  # to {family.place.name}")
        if s.id in self.counters.puts:
            player = slots[self.counters.puts[s.id]].text
            self.out(f"{self.put[family.place.name]}[{self._entry(place, player)}] = {card}")

    def _entry(self, place: str, player: str) -> str:
        assert self.counters is not None
        return player if place == "0" else f"{place} * {self.counters.players} + {player}"

    def cards_go(self, family: Family, cards: str) -> None:
        """The cards of a mask go to a place."""
        if self.counters is not None and family.place.name in self.counters.moved:
            first = self.counters.moved[family.place.name]
            self.out(f"count_cards(counts, {first}, {cards})  # to {family.place.name}")

    def paid(self, s: model.Pays, amount: str, slots: dict[int, Code]) -> None:
        """Something is paid in a move, for the card that was chosen."""
        if self.counters is None or s.id not in self.counters.payments:
            return
        slot, times, total = self.counters.payments[s.id]
        with self.out.block(f"if {amount} > 0:"):
            self.out(f"counts[{times} + {slots[slot].text}] += 1  # a payment")
            self.out(f"counts[{total} + {slots[slot].text}] += {amount}")

    def follows(self, origin: Family, target: Family) -> bool:
        """Whether anything is counted when all cards of a place go to another."""
        if self.counters is None:
            return False
        return target.place.name in self.counters.moved or origin.place.name in self.counters.taken_from

    def taken(self, s: model.Goes, origin: Family, index: str, cards: str, player: str) -> None:
        """All cards leave a shared place; the player who gets them may have put one there."""
        if self.counters is None or origin.place.name not in self.put:
            return
        put, players = self.put[origin.place.name], self.counters.players
        with self.out.block(f"if {cards}:"):
            if s.id in self.counters.took:
                own = self.out.let("own", f"{put}[{self._entry(index, player)}]")
                with self.out.block(f"if {own} >= 0 and {cards} >> {own} & 1:"):
                    first = self.counters.took[s.id]
                    self.out(f"counts[{first} + {own}] += 1  # the card that its taker had put there")
            seat = self.out.name("seat")
            with self.out.block(f"for {seat} in range({players}):"):
                self.out(f"{put}[{self._entry(index, seat)}] = -1")
