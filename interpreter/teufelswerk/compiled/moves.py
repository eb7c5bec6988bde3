"""A turn → lines that list what is legal, draw one of the choices and make the move."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from teufelswerk import model
from teufelswerk.compiled.context import BAIL
from teufelswerk.compiled.emit import Code
from teufelswerk.compiled.listings import Listing, Listings
from teufelswerk.compiled.places import Family
from teufelswerk.effort import offered
from teufelswerk.limits import MAX_MOVES_IN_GAME, MAX_WORK_IN_GAME
from teufelswerk.model import Expr


class Moves(Listings):
    """Writes decisions."""

    def __init__(self, *given: Any, trail: bool = False, **more: Any) -> None:
        super().__init__(*given, **more)
        self.trail = trail
        """Whether the game writes down every decision: how many choices there were, and which was taken."""

    def _Turn(self, s: model.Turn) -> None:
        player = self.needed(s.player)
        if not isinstance(s.player, model.Local):
            player = Code(self.out.let("player", player.text), None, player.low, player.high)
        listings = self.listings(s, player)
        self.choose(s, player)
        self.dispatch(listings, "pick", lambda listing: self.make(listing, player))
        self.origin.clear()

    def listings(self, s: model.Turn, player: Code) -> list[Listing]:
        """Lists what a player may do: the first moves of which any is possible."""
        counts = {verb: self.out.name(f"n_{verb}") for group in s.groups for verb in group}
        listings: list[Listing] = []
        for group in s.groups[1:]:
            for verb in group:
                self.out(f"{counts[verb]} = 0")
        if len(counts) == 1:
            counts = dict.fromkeys(counts, "options")
        self.shared.clear()
        with ExitStack() as stack:
            for number, group in enumerate(s.groups):
                if number:
                    stack.enter_context(self.out.block("if options == 0:"))
                listings += [self.listing(self.rules.moves[verb], player, counts[verb]) for verb in group]
                if len(counts) > 1:
                    self.out(f"options = {' + '.join(counts[verb] for verb in group)}")
        return listings

    def at_once(self, s: model.Each) -> None:
        """Everyone decides before anything happens; then it happens, one after the other."""
        turn = s.body[0]
        assert isinstance(turn, model.Turn)
        moves = [self.rules.moves[verb] for group in turn.groups for verb in group]
        number = self.out.let("number", "0")
        seats, verbs = self.out.name("decided_by"), self.out.name("decided")
        chosen = {choice.slot: self.out.name(f"{move.name}_{choice.name}") for move in moves for choice in move.choices}
        self.heads += [f"{name} = array({self.players})" for name in (seats, verbs, *chosen.values())]

        def keep(listing: Listing) -> None:
            listing.take()
            self.out(f"{verbs}[{number}] = {moves.index(listing.move)}")
            for choice in listing.move.choices:
                self.out(f"{chosen[choice.slot]}[{number}] = {self.slots[choice.slot].text}")

        with self.each(s.over) if s.first is None else self.around(s.first, s.last) as seat:
            self.slots[s.slot] = seat
            player = self.needed(turn.player)
            listings = self.listings(turn, player)
            self.choose(turn, player)
            self.out(f"{seats}[{number}] = {player.text}")
            self.dispatch(listings, "pick", keep)
            self.out(f"{number} += 1")
        position = self.out.name("position")
        with self.loop(s.body), self.out.block(f"for {position} in range({number}):"):
            player = Code(self.out.let("player", f"{seats}[{position}]"), None, 0, self.players - 1)

            def read(move: model.Move) -> Listing:
                def take() -> None:
                    for choice in move.choices:
                        name = self.variable(choice.slot, choice.name, choice.source.type.one())
                        self.out(f"{name} = {chosen[choice.slot]}[{position}]")

                return Listing(move, "1", take)

            verb = self.out.let("verb", f"{verbs}[{position}]")
            self.dispatch([read(move) for move in moves], verb, lambda listing: self.make(listing, player))
        self.origin.clear()

    def choose(self, turn: model.Turn, player: Code) -> None:
        """Draws the number of one of the legal choices."""
        with self.out.block("if options == 0:"):
            self.out(BAIL)
        self.ticks.decision(turn, player.text)
        if offered(self.rules, turn) * MAX_MOVES_IN_GAME > MAX_WORK_IN_GAME:
            self.out("looked_at += options")
        with self.out.block("if at == BLOCK:"):
            self.out("choices = refill(draws, choices)")
            self.out("moves += BLOCK")
            self.out("at = 0")
            # The reference interpreter finds out exactly, and says what is wrong.
            with self.out.block(f"if moves >= {MAX_MOVES_IN_GAME} or looked_at > {MAX_WORK_IN_GAME}:"):
                self.out(BAIL)
        self.out("pick = draws[at] * options >> 32")
        if self.trail:
            with self.out.block("if moves + at < len(trail):"):
                self.out("trail[moves + at] = options << 20 | pick")
        self.out("at += 1")

    def dispatch(self, listings: list[Listing], pick: str, act: Callable[[Listing], None]) -> None:
        """Does what is to be done with the choice that has the number: each listing has as many as it counts."""
        first, *rest = listings
        if not rest:
            act(first)
            return
        with self.branches() as branch:
            with branch(), self.out.block(f"if {pick} < {first.count}:"):
                act(first)
            with branch(), self.out.block("else:"):
                self.out(f"{pick} -= {first.count}")
                self.dispatch(rest, pick, act)

    def make(self, listing: Listing, player: Code) -> None:
        move = listing.move
        self.ticks.move(move.name)
        if not move.is_pass:
            self.moved()
        self.slots[move.slot] = player
        listing.take()
        self.origin = {}
        for choice in move.choices:
            known = self.lies(choice.source)
            if known is not None:
                self.origin[choice.slot] = known
        self.block(move.effects)

    def moved(self) -> None:
        """Notes that somebody did something, where a lap asks for it."""

    def lies(self, source: Expr) -> tuple[Family, str] | None:
        """The one place that a card is chosen from."""
        if not isinstance(source, model.Members) or source.type.kind != "card":
            return None
        if source.base.type.kind != "place" or source.base.type.many:
            return None
        index = self.value(source.base)
        return None if index.present else (self.family(source.base.type), index.text)
