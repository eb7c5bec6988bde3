"""A view and a world of cards → a machine in which the flow of the game, too, is as the seat may imagine it.

What the game carries and the seat does not know is worked out anew from the cards of that world, in the order in which
the game has come by it: a name is given to its card again, a lot is drawn again, a loop is joined somewhere.
"""

from __future__ import annotations

from random import Random
from typing import Any, assert_never

from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.interpreter.frames import Carried
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Machine, RuleError
from teufelswerk.interpreter.state import Move, State
from teufelswerk.interpreter.values import Function, absent
from teufelswerk.interpreter.view import View
from teufelswerk.model import FACES

TRIES = 12
"""How often the flow is imagined anew until it asks whom and what the view says."""


class Guesses:
    """Imagines what a seat does not know of the flow."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.frames = game.program.frames
        self.places = {slot: place for place, slot in enumerate(game.program.core.persistent)}
        """Where a state has each slot."""
        self._functions: dict[int, Function] = {}
        self.first = game.machine(0).keeps
        """What is kept at the beginning."""

    def keeps(self, view: View, rng: Random) -> tuple[int | None, ...]:
        """What is kept; a secret is one of the names, or a number such as the seat has or everyone began with."""
        layout, known = self.game.layout, view.flow.keeps
        found = list(known)
        for index, keep in enumerate(layout.keep_of):
            if layout.keep_seen_by(view.seat, index) or keep.name == FACES:
                continue  # how cards lie is seen where they lie
            base = layout.keep_base[keep.name]
            seen = [value for value in known[base : base + len(layout.keys(keep.key))] if value is not None]
            match keep.type.kind:
                case "name":
                    found[index] = int(rng.random() * len(self.game.rules.names[keep.type.of]))
                case "player":
                    found[index] = int(rng.random() * view.players)
                case "card":
                    found[index] = int(rng.random() * len(self.game.rules.cards))
                case _:
                    likely = [*seen, self.first[index]]
                    found[index] = likely[int(rng.random() * len(likely))]
        return tuple(found)

    def is_sure(self, view: View) -> bool:
        """Whether nothing of the flow has to be guessed."""
        pcs, slots = view.flow.pcs, view.flow.slots
        if view.winners is not None:
            return True
        if len(pcs) > 1 or pcs[0] in self.frames.hidden_movers:
            return False
        return all(slots[self.places[carried.slot]] is not None for carried in self.frames.at(pcs[0]).carried)

    def flow(self, world: State, view: View, rng: Random) -> State | None:
        """The world with the flow filled in, if that comes out as the view says; whatever it is, it may be told."""
        pcs = view.flow.pcs
        for attempt in range(TRIES):
            pc = pcs[0] if len(pcs) == 1 else pcs[int(rng.random() * len(pcs))]
            m = self.game.thaw(world._replace(pc=pc, rng=rng.getrandbits(64)))
            try:
                self.game.meter.rest()
                for carried in self.frames.at(pc).carried:
                    if m.slots[carried.slot] is None:
                        self.guess(carried, m, view, rng, likely=attempt == 0 or rng.random() < 0.5)
                if self.pending(m, view, rng) and self.fits(m, view):
                    return self.game.freeze(m)
            except RuleError:
                continue
        return None

    def with_pending(self, world: State, view: View, rng: Random) -> State:
        """A world whose flow is known, with what others may have decided in secret."""
        if self.game.program.turns[world.pc].at_once is None:
            return world
        m = self.game.thaw(world)
        try:
            self.pending(m, view, rng)
        except RuleError:
            return world
        return self.game.freeze(m)

    def pending(self, m: Machine, view: View, rng: Random) -> bool:
        """Where everyone decides at once, those before this seat have decided something; False if it cannot be so."""
        turn = self.game.turn(m)
        if turn.at_once is None:
            return not view.own_pending
        for player in turn.at_once(m):
            if player == view.to_move:
                return True
            own: Move | None = next((move for move in view.own_pending if move.player == player), None)
            moves = self.game.choices(m)
            own = own and self.game.meant(own, moves)
            move = own or moves[int(rng.random() * len(moves))]
            m.pending.append((move.player, move.verb, move.picks))
        return False

    def fits(self, m: Machine, view: View) -> bool:
        """Whether the player who is to move is asked, and for what the view says."""
        if self.game.mover(m) != view.to_move:
            return False
        return view.to_move != view.seat or tuple(map(self.game.as_seen, self.game.choices(m))) == view.moves

    # ---- one thing after the other ----------------------------------------------------------------------------------

    def guess(self, carried: Carried, m: Machine, view: View, rng: Random, likely: bool) -> None:
        statement, slot = carried.statement, carried.slot
        match carried.kind:
            case "local":
                assert isinstance(statement, s.Let)
                m.slots[slot] = self.named(carried, statement, m, rng)
            case "argument":
                assert isinstance(statement, s.Call) and statement.argument is not None
                m.slots[slot] = self.value(statement.argument, m)
            case "times":
                assert isinstance(statement, s.Repeat)
                m.slots[slot] = int(rng.random() * max(self.value(statement.times, m), 1))
            case "idle" | "passes":
                m.slots[slot] = 0
            case "lap":
                m.slots[slot] = view.to_move if likely else int(rng.random() * view.players)
            case "each":
                assert isinstance(statement, s.Each)
                items = self.value(statement.items, m)
                if not items:
                    raise absent(statement.span)
                is_mover = likely and view.to_move is not None and statement.items.type.kind == "player"
                known = is_mover and view.to_move in items
                number = items.index(view.to_move or 0) if known else int(rng.random() * len(items))
                m.slots[slot], m.slots[carried.rest] = items[number], tuple(items[number + 1 :])
            case "chosen":
                assert isinstance(statement, s.Turn)
                verbs = [verb for group in statement.groups for verb in group]
                m.slots[slot] = list(self.game.rules.moves).index(verbs[int(rng.random() * len(verbs))])
            case _:
                assert_never(carried.kind)

    def named(self, carried: Carried, statement: s.Let, m: Machine, rng: Random) -> Any:
        """The value of a name: the card where it was put, else what the rules would call by it now."""
        place = self.value(carried.lies, m) if carried.lies is not None and not statement.value.type.many else None
        if carried.lies is not None and place is not None:
            place = place >> 1 if carried.lies.type.kind == "end" else place
            there = m.places[place]
            if there:
                return there[-1] if self.game.layout.ordered[place] else there[int(rng.random() * len(there))]
        value = self.value(statement.value, m)
        return tuple(value) if statement.value.type.many else value

    def value(self, form: f.Expr, m: Machine) -> Any:
        if id(form) not in self._functions:
            self._functions[id(form)] = self.game.program.evaluator.value(form)
        return self._functions[id(form)](m)
