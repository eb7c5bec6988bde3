"""A turn → instructions that list what is legal, take one of the choices and make the move."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from teufelswerk.base.limits import MAX_CHOICES, MAX_MOVES_IN_GAME, MAX_WORK_IN_GAME
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.actions import Actions
from teufelswerk.compiled.choices.legal_choices import Listing, Listings
from teufelswerk.compiled.context import Several, Value, Writer
from teufelswerk.compiled.modes import (
    AHEAD,
    DECISION,
    DESCRIBE,
    EFFORT,
    GIVEN,
    LEFT,
    LEGAL,
    LOOKED_AT,
    MODE,
    NONE_GIVEN,
    PASSING,
    PC,
    ROUND,
    SHOWN,
    STEPS,
)
from teufelswerk.core import forms as f
from teufelswerk.core import statements as s
from teufelswerk.core.walk import all_statements


class Turns:
    """Writes decisions."""

    def __init__(self, w: Writer, actions: Actions, trail: bool, round: c.Var | None) -> None:
        self.w = w
        self.actions = actions
        self.round = round
        """What tells one round from another in a game that can be taken up, if it has rounds."""
        self.listings = Listings(w, actions)
        self.trail = trail
        self.marks: list[int] = []
        """The ids of the turns, by the number of the mark where each can be taken up."""
        self.assigned: list[frozenset[str]] = []
        """What is kept once and surely has a value there."""
        self.description: c.Array | None = None
        self.tells_moves = False
        """Whether a move that is made is also told, for whoever judges it."""
        if w.resumable:
            words = [sum(map(self.words, move.choices)) for move in w.core.moves.values()]
            self.description = w.scratch_array("description", max(2 + max(words, default=0), w.players))
        self.laps = w.resumable or any(isinstance(x, s.GoRound) for x in all_statements(w.core))
        """Whether it matters that somebody did more than pass."""
        loops = [x for x in all_statements(w.core) if isinstance(x, (s.Repeat, s.Until, s.GoRound))]
        self.counts_steps = not all(surely_decides(loop.body) for loop in loops)
        """Whether something may be repeated in which nobody decides."""
        self.pending: dict[tuple[str, str], c.Array] = {}
        if w.resumable or any(isinstance(x, s.AtOnce) for x in all_statements(w.core)):
            self.waiting = w.keep("waiting")
            self.seats, self.verbs = w.keep_array("decided_by", w.players), w.keep_array("decided", w.players)

    def mark(self, id: int) -> None:
        """A place where the game can be left and taken up again."""
        if not self.w.resumable:
            return
        number = len(self.marks)
        self.marks.append(id)
        self.assigned.append(self.w.assigned)
        w = self.w
        w.out.append(c.Mark(number))
        w.set(PC, c.Number(number))
        stop: c.Expr = c.compare("==", LEFT, 0)
        if self.round is not None:
            stop = c.either(stop, c.both(c.compare("==", MODE, ROUND), c.compare("!=", self.round, GIVEN)))
        w.out += c.when(stop, [c.Return(c.ZERO)])

    def turn(self, statement: s.Turn) -> None:
        w = self.w
        self.mark(statement.id)
        w.rest()
        assigned = w.assigned
        player = w.let("player", w.value(statement.player).expr)
        listings, options = self.listed(statement, player)
        pick = self.choose(statement, player, options)

        def make(listing: Listing, pick: c.Expr) -> None:
            self.make(listing.move, player, lambda: listing.take(pick))
            self.note(statement, listing.move)

        self.dispatch(listings, pick, make)
        w.lies, w.assigned = {}, assigned
        w.rest()

    def note(self, statement: s.Turn, move: s.Move) -> None:
        """Which move was chosen, where somebody asks for it later."""
        if statement.chosen < 0:
            return
        moves = list(self.w.core.moves)
        variable = self.actions.variable(statement.chosen, "chosen")
        self.w.set(variable, c.Number(moves.index(move.name)))
        self.w.bind(statement.chosen, Value(variable, None, 0, len(moves) - 1))

    def listed(self, statement: s.Turn, player: c.Expr) -> tuple[list[Listing], c.Expr]:
        """What a player may do: the first moves of which any is possible."""
        w = self.w
        w.lies = {}
        listings: list[Listing] = []
        several = sum(map(len, statement.groups)) > 1
        if not several:
            only = self.listings.listing(w.core.moves[statement.groups[0][0]], player)
            return [only], w.let("options", only.count)
        options = w.temp("options")

        def group(verbs: tuple[str, ...]) -> c.Expr:
            total: c.Expr = c.ZERO
            for verb in verbs:
                listing = self.listings.listing(w.core.moves[verb], player)
                count = w.temp(f"n_{verb}")
                w.set(count, listing.count)
                listing = Listing(listing.move, count, listing.take)
                listings.append(listing)
                total = c.add(total, listing.count)
            return total

        w.set(options, group(statement.groups[0]))
        for verbs in statement.groups[1:]:
            with w.body() as inside:
                before = len(listings)
                w.set(options, group(verbs))
            for listing in listings[before:]:
                assert isinstance(listing.count, c.Var)
                w.set(listing.count, c.ZERO)
            w.out += c.when(c.compare("==", options, 0), inside)
        return listings, options

    def choose(self, statement: s.Turn, player: c.Expr, options: c.Expr) -> c.Var:
        """The number of one of the legal choices: drawn, or given."""
        w = self.w
        pick = w.temp("pick")
        w.fail_if(c.compare("==", options, 0))
        if self.most(statement) > MAX_CHOICES:
            w.fail_if(c.compare(">", options, MAX_CHOICES))
        if w.resumable:
            w.set(EFFORT, c.add(EFFORT, c.add(options, STEPS) if self.counts_steps else options))
        if self.counts_steps:
            w.set(STEPS, c.ZERO)
        self.actions.ticks.decision(statement.id, player, options)
        if self.most(statement) * MAX_MOVES_IN_GAME > MAX_WORK_IN_GAME:
            w.set(LOOKED_AT, c.add(LOOKED_AT, options))
            w.fail_if(c.compare(">", LOOKED_AT, MAX_WORK_IN_GAME))
        if not w.resumable:
            w.out.append(c.DrawChoice(pick, options))
            return pick
        assert self.description is not None
        who: c.Body = [c.Store(self.description, c.ZERO, player), c.Return(options)]
        w.out += c.when(c.compare("==", MODE, LEGAL), who)
        drawn: c.Body = [c.DrawChoice(pick, options)]
        no_choice = c.either(c.compare("<", GIVEN, 0), c.compare(">=", GIVEN, options))
        once = c.when(c.compare("==", MODE, AHEAD), [c.Set(GIVEN, NONE_GIVEN)])
        given: c.Body = [*c.when(no_choice, [c.Fail()]), c.Set(pick, GIVEN), *once]
        at_random = c.both(c.compare("==", MODE, AHEAD), c.compare("<", GIVEN, 0))
        w.out += c.when(c.either(c.compare("<=", MODE, ROUND), at_random), drawn, given)
        w.set(LEFT, c.minus(LEFT, 1))
        return pick

    def most(self, statement: s.Turn) -> int:
        """So many choices there are at most at a turn."""
        moves = [self.w.core.moves[verb] for group in statement.groups for verb in group]
        return sum(prod(self.listings.most(choice) for choice in move.choices) for move in moves)

    def dispatch(self, listings: list[Listing], pick: c.Var, act: Callable[[Listing, c.Expr], None]) -> None:
        """Does what is to be done with the choice that has the number: each listing has as many as it counts."""
        w = self.w
        first, *rest = listings
        if not rest:
            act(first, pick)
            return
        lies, assigned = dict(w.lies), w.assigned
        with w.body() as this:
            act(first, pick)
        w.lies, w.assigned = lies, assigned
        with w.body() as others:
            w.set(pick, c.minus(pick, first.count))
            self.dispatch(rest, pick, act)
        w.out += c.when(c.compare("<", pick, first.count), this, others)

    def make(self, move: s.Move, player: c.Expr, take: Callable[[], None]) -> None:
        w = self.w
        w.bind(move.slot, Value(player, None, 0, w.players - 1))
        take()
        self.describe(move, player)
        self.actions.ticks.move(move.name)
        if not move.is_pass and self.laps:
            w.set(PASSING, c.ZERO)
        self.actions.block(move.effects)

    def describe(self, move: s.Move, player: c.Expr) -> None:
        """Says what was chosen, if that is all that was asked for."""
        if self.description is None:
            return
        w, row = self.w, self.description
        with w.body() as inside:
            w.store(row, c.ZERO, player)
            w.store(row, c.ONE, c.Number(list(w.core.moves).index(move.name)))
            at = w.temp("at")
            w.set(at, c.Number(2))
            for choice in move.choices:
                found = w.slots[choice.slot]
                if isinstance(found, Several):
                    w.store(row, at, found.count)
                    w.set(at, c.add(at, 1))
                    with w.count("i", c.ZERO, found.count) as i:
                        w.store(row, c.add(at, i), c.load(found.row, c.add(found.start, i)))
                    w.set(at, c.add(at, found.count))
                else:
                    w.store(row, at, found.expr)
                    w.set(at, c.add(at, 1))
            w.out += c.when(c.compare("==", MODE, DESCRIBE), [c.Return(DECISION)])
        asked = c.compare("==", MODE, DESCRIBE)
        if self.tells_moves:
            asked = c.either(asked, c.compare("==", MODE, SHOWN))
        w.out += c.when(asked, inside)

    # ---- at once ----------------------------------------------------------------------------------------------------

    def at_once(self, statement: s.AtOnce) -> None:
        """Everyone decides before anything happens; then it happens, one after the other."""
        w, turn = self.w, statement.turn
        moves = [w.core.moves[verb] for group in turn.groups for verb in group]
        variable, assigned = self.actions.variable(statement.slot, "player"), w.assigned
        w.set(self.waiting, c.ZERO)
        with w.loop():
            w.rest()
            everyone = self.actions.sets.listed_now(statement.players)
            w.out += c.when(c.compare(">=", self.waiting, everyone.count), [c.Leave()])
            if w.resumable:
                self.mark(turn.id)
                w.rest()
                everyone = self.actions.sets.listed_now(statement.players)
            w.set(variable, c.load(everyone.row, self.waiting))
            w.bind(statement.slot, Value(variable, None, 0, w.players - 1))
            player = w.let("player", w.value(turn.player).expr)
            listings, options = self.listed(turn, player)
            pick = self.choose(turn, player, options)
            self.dispatch(listings, pick, lambda listing, pick: self.keep(listing, pick, player, moves))
            w.store(self.seats, self.waiting, player)
            w.set(self.waiting, c.add(self.waiting, 1))
        self.actions.forget(statement.slot)
        number = w.let("number", self.waiting)
        w.set(self.waiting, c.ZERO)
        with w.count("turn", c.ZERO, number) as position:
            w.lies = {}
            player = w.let("player", c.load(self.seats, position))
            verb = w.temp("verb")
            w.set(verb, c.load(self.verbs, position))
            made = [Listing(move, c.ONE, lambda pick, move=move: self.recall(move, position)) for move in moves]  # type: ignore[misc]
            self.dispatch(made, verb, lambda listing, pick: self.carry_out(listing, pick, player))
        w.lies, w.assigned = {}, assigned

    def carry_out(self, listing: Listing, pick: c.Expr, player: c.Expr) -> None:
        w, move = self.w, listing.move
        w.bind(move.slot, Value(player, None, 0, w.players - 1))
        listing.take(pick)
        self.actions.ticks.move(move.name)
        if not move.is_pass and self.laps:
            w.set(PASSING, c.ZERO)
        self.actions.block(move.effects)

    def room(self, move: s.Move, choice: s.Choice) -> c.Array:
        """What was decided in turn, for each of the players: a thing, or how many and which."""
        key = move.name, choice.name
        if key not in self.pending:
            self.pending[key] = self.w.keep_array(f"{move.name}_{choice.name}", self.w.players * self.words(choice))
        return self.pending[key]

    def words(self, choice: s.Choice) -> int:
        """How many numbers what was chosen takes: the thing, or how many and which."""
        return 1 + self.w.choosable(choice.type) if choice.several else 1

    def keep(self, listing: Listing, pick: c.Expr, player: c.Expr, moves: list[s.Move]) -> None:
        w, move = self.w, listing.move
        w.bind(move.slot, Value(player, None, 0, w.players - 1))
        listing.take(pick)
        self.describe(move, player)
        w.store(self.verbs, self.waiting, c.Number(moves.index(move)))
        for choice in move.choices:
            row, found = self.room(move, choice), w.slots[choice.slot]
            if isinstance(found, Value):
                w.store(row, self.waiting, found.expr)
                continue
            start = w.let("start", c.times(self.waiting, self.words(choice)))
            w.store(row, start, found.count)
            with w.count("i", c.ZERO, found.count) as i:
                w.store(row, c.add(c.add(start, i), 1), c.load(found.row, c.add(found.start, i)))

    def recall(self, move: s.Move, position: c.Expr) -> None:
        w = self.w
        for choice in move.choices:
            row = self.room(move, choice)
            if not choice.several:
                variable = self.actions.variable(choice.slot, choice.name)
                w.set(variable, c.load(row, position))
                w.bind(choice.slot, w.thing(variable, choice.type))
                continue
            start = w.let("start", c.times(position, self.words(choice)))
            w.bind(choice.slot, Several(w.let("count", c.load(row, start)), row, w.let("first", c.add(start, 1))))


def surely_decides(body: s.Block) -> bool:
    """Whether somebody decides whenever the block is carried out."""
    for statement in body:
        match statement:
            case s.Turn():
                return True
            case s.Call() if surely_decides(statement.step.body):
                return True
            case s.Each(items=f.Players(out=None) | f.Around(out=None)) if surely_decides(statement.body):
                return True
            case s.Repeat() if _always(statement.times) > 0 and surely_decides(statement.body):
                return True
    return False


def _always(number: f.Expr) -> int:
    """A number that is always the same, or 0."""
    while isinstance(number, f.Defined) and number.argument is None:
        number = number.definition.value
    return number.value if isinstance(number, f.Constant) else 0
