"""The reference interpreter: a game for a number of players, one position and one move at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from teufelswerk import model
from teufelswerk.base import chance
from teufelswerk.base.budget import Deadline, Meter
from teufelswerk.base.limits import MAX_CHOICES, MAX_MOVES_IN_GAME, MAX_STEPS, MAX_WORK_IN_PLAY
from teufelswerk.base.texts import Text
from teufelswerk.core.lower_game import asked_of
from teufelswerk.core.rounds import round_slot
from teufelswerk.interpreter.legal import Condition, MoveCode, Picks
from teufelswerk.interpreter.machine import BOX, Event, Machine, RuleError, RuleGap
from teufelswerk.interpreter.program import DECISION, OVER, Program, TurnCode, program_of
from teufelswerk.interpreter.random_play import Offers, Trail, at_random
from teufelswerk.interpreter.reprs import of_table
from teufelswerk.interpreter.show import raw
from teufelswerk.interpreter.state import Move, State, Unreadable, from_json, from_text, to_json, to_text
from teufelswerk.interpreter.values import Function
from teufelswerk.interpreter.view import View, as_seen, make_view


class IllegalMove(Exception):
    """A move that the rules refuse; `reason` says why, `allowed` what would do."""

    def __init__(self, reason: Text, allowed: list[Move], rule: model.Must | None = None) -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.allowed = allowed
        self.rule = rule


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winners' seats, and what is kept of each player."""

    winners: tuple[int, ...]
    keeps: dict[str, list[Any]]


class Game:
    """A model made ready to be played by a number of players. States go in and come out; the game keeps none.

    `limit` bounds what is looked at for one decision, and the deadline, if there is one, all that is done with it.
    """

    seats: Mapping[str, int] = {}
    """In an example: where each person sits."""

    def __init__(
        self, rules: model.Model, players: int, deadline: Deadline | None = None, limit: int = MAX_WORK_IN_PLAY
    ) -> None:
        if not rules.min_players <= players <= rules.max_players:
            low, high = rules.min_players, rules.max_players
            message = Text(
                "{title} is for {low} to {high} players, not for {n}",
                title=model.title_of(rules),
                low=low,
                high=high,
                n=players,
            )
            raise RuleError("player-count", message, None)
        self.rules = rules
        self.players = players
        self.meter = Meter(limit, deadline)
        self.program = self.make_program()
        self.layout = self.program.layout
        self._verbs = rules.moves
        self._numbers = {verb: number for number, verb in enumerate(rules.moves)}
        self._move, self._state = of_table(self)

    def __repr__(self) -> str:
        return f"<Game: {self.rules.name}, {self.players} players>"

    def make_program(self) -> Program:
        """The instructions; a game that watches itself, or leaves cards open, has others."""
        return program_of(self.rules, self.players)

    def question(self, expr: model.Expr) -> Function:
        """What is asked about positions from outside: a figure, a line of an example."""
        return self.program.evaluator.value(asked_of(self.rules, self.seats).expr(expr))

    # ---- states -----------------------------------------------------------------------------------------------------

    def start(self, seed: int, log: list[Event] | None = None) -> State:
        """The position of the first decision, everything before it drawn from the seed."""
        machine = self.machine(seed)
        machine.log = log
        self.run(machine)
        return self.freeze(machine)

    def machine(self, seed: int) -> Machine:
        """A machine before the first instruction: all cards in the box."""
        cards = len(self.rules.cards)
        places: list[list[int]] = [[] for _ in self.layout.place_names]
        places[BOX] = list(range(cards))
        machine = Machine(
            places, [BOX] * cards, [-1] * cards, [None] * len(self.layout.keep_of),
            [None] * self.program.core.slots, chance.stream(seed, 0), self.meter,
        )  # fmt: skip
        self.set_initial_keeps(machine)
        return machine

    def set_initial_keeps(self, m: Machine) -> None:
        """Gives what is kept its value of the beginning, where the rules name one."""
        for index, keep in enumerate(self.layout.keep_of):
            if keep.names:
                m.keeps[index] = 0
            elif keep.name in self.program.initial:
                m.keeps[index] = self.program.initial[keep.name](m)

    def freeze(self, m: Machine) -> State:
        return self._state(
            m.pc,
            tuple([m.slots[slot] for slot in self.program.core.persistent]),
            tuple([tuple(place) for place in m.places]),
            tuple(m.owners),
            tuple(m.keeps),
            tuple([self._move(*move) for move in m.pending]),
            m.winners,
            m.passing,
            m.rng,
        )

    def thaw(self, state: State) -> Machine:
        """A machine that stands where the state stands."""
        slots: list[Any] = [None] * self.program.core.slots
        for slot, value in zip(self.program.core.persistent, state.slots, strict=True):
            slots[slot] = value
        where = [0] * len(state.owners)
        for index, place in enumerate(state.places):
            for card in place:
                where[card] = index
        places = [list(place) for place in state.places]
        return Machine(
            places, where, list(state.owners), list(state.keeps), slots, state.rng, self.meter, state.pc,
            [(move.player, move.verb, move.picks) for move in state.pending], state.winners, state.passing,
        )  # fmt: skip

    def run(self, m: Machine) -> None:
        """Runs to the next decision or to the end."""
        code, pc = self.program.code, m.pc
        self.meter.rest()
        for steps in range(MAX_STEPS):
            following = code[pc](m)
            if following is None:
                pc += 1
            elif following >= 0:
                pc = following
            else:
                self.meter.work += steps
                m.pc = pc if following == DECISION else len(code)
                if following == OVER and m.winners is None:
                    m.winners = ()
                return
        raise self.no_decision()

    def no_decision(self) -> RuleError:
        message = Text("the rules ran for {limit} steps without a decision", limit=MAX_STEPS)
        return RuleError("endless", message, self.rules.steps["game"].span)

    # ---- decisions --------------------------------------------------------------------------------------------------

    def is_over(self, state: State) -> bool:
        return state.winners is not None

    def turn(self, m: Machine) -> TurnCode:
        return self.program.turns[m.pc]

    def mover(self, m: Machine) -> int:
        """Whose decision it is."""
        turn = self.turn(m)
        if turn.at_once is None:
            return int(turn.player(m))
        m.slots[turn.slot] = turn.at_once(m)[len(m.pending)]
        return int(turn.player(m))

    def player(self, state: State) -> int | None:
        """Whose decision it is, or None when the game is over."""
        return None if self.is_over(state) else self.mover(self.thaw(state))

    def choices(self, m: Machine) -> list[Move]:
        """The legal moves of the machine's position; none at all is a gap in the rules."""
        player, _, offers = self.offers(m)
        return self._moves(player, offers)

    def _moves(self, player: int, offers: list[tuple[MoveCode, Sequence[Any]]]) -> list[Move]:
        return [self._move(player, code.move.name, picks) for code, legal in offers for picks in code.picks(legal)]

    def offers(self, m: Machine) -> Offers:
        """What can be decided here; nothing at all is a gap in the rules."""
        meter, turn = self.meter, self.program.turns[m.pc]
        meter.rest()
        player, number = turn.player(m) if turn.at_once is None else self.mover(m), 0
        for group in turn.moves:
            found: list[tuple[MoveCode, Sequence[Any]]] = []
            for code in group:
                legal = code.legal(m, player)
                found.append((code, legal))
                number += len(legal)
                meter.work += code.tried
                if meter.work > meter.next_look:
                    meter.look(code.move.span)
                if number > MAX_CHOICES:
                    raise turn.too_many()
            if number:
                return player, number, found
        raise turn.gap(player)

    def legal_moves(self, state: State) -> list[Move]:
        """All legal moves, in the order of the rule file and of the cards; none when the game is over."""
        if self.is_over(state):
            return []
        try:
            return self.choices(self.thaw(state))
        except RuleGap as gap:
            gap.position = self.text(state)
            raise

    def make(self, m: Machine, move: Move) -> None:
        """Makes a legal move on the machine and runs to the next decision."""
        if self.make_only(m, move):
            self.run(m)

    def make_only(self, m: Machine, move: Move) -> bool:
        """Makes a legal move; False if others still have to decide before anything happens."""
        return self.decide(m, move.player, self.program.moves[move.verb], move.picks)

    def decide(self, m: Machine, player: int, code: MoveCode, picks: Picks) -> bool:
        """The same, of a move's parts."""
        turn = self.program.turns[m.pc]
        if m.log is not None:
            m.log.append(Event({"event": "move", **self.describe(Move(player, code.move.name, picks))}, turn.turn.id))
        if turn.at_once is None:
            code.make(m, player, picks)
            if turn.turn.chosen >= 0:
                m.slots[turn.turn.chosen] = self._numbers[code.move.name]
        else:
            m.pending.append((player, code.move.name, picks))
            if len(m.pending) < len(turn.at_once(m)):
                return False
            waiting, m.pending = m.pending, []
            m.slots[turn.slot] = None
            for player, verb, picks in waiting:
                self.program.moves[verb].make(m, player, picks)
        m.pc += 1
        return True

    def apply(self, state: State, move: Move, log: list[Event] | None = None) -> State:
        """The position after a move. What happens on the way goes into the log. Raises IllegalMove."""
        m = self.thaw(state)
        meant = None if self.is_over(state) else self.meant(move, self.choices(m))
        if meant is None:
            raise self.refusal(state, move)
        move = meant
        m.log = log
        self.make(m, move)
        return self.freeze(m)

    def meant(self, move: Move, choices: Sequence[Move]) -> Move | None:
        """The one of some moves that this is, whichever of identical cards it names; None if it is none of them."""
        if move in choices or not self.rules.has_copies:
            return move if move in choices else None
        seen = self.as_seen(move)
        return next((other for other in choices if self.as_seen(other) == seen), None)

    def as_seen(self, move: Move) -> Move:
        """The move as players know it: identical cards are one."""
        return as_seen(self.program.core, move)

    def refusal(self, state: State, move: Move) -> IllegalMove:
        """Why a move is refused, in the words of the rule that refuses it."""
        if self.is_over(state):
            return IllegalMove(Text("the game is over"), [])
        m = self.thaw(state)
        allowed = self.legal_moves(state)
        player = self.mover(m)
        if move.player != player:
            return IllegalMove(Text("it is not this player's turn"), allowed)
        verbs = [verb for group in self.turn(m).groups for verb in group]
        code = self.program.moves.get(move.verb)
        if code is None or move.verb not in verbs:
            return IllegalMove(Text("there is no such move now"), allowed)
        m.slots[code.move.slot] = player
        move = move._replace(picks=code.offered(m, move.picks) or move.picks)
        condition = code.refusal(m, player, move.picks)
        if condition is not None:
            return IllegalMove(self.refusal_text(m, condition, player), allowed, condition.must)
        legal = code.picks(code.legal(m, player))
        if move.verb not in {other.verb for other in allowed} and move.picks in legal:
            return IllegalMove(Text("this may be done only by a player who can do nothing else"), allowed)
        return IllegalMove(Text("there is nothing like that to choose"), allowed)

    def refusal_text(self, m: Machine, condition: Condition, player: int) -> Text:
        if condition.told:
            return self.program.teller.sentence(condition.told[0])(m).to(player)
        return Text("the rules do not allow it")

    def code(self, verb: str) -> MoveCode:
        return self.program.moves[verb]

    # ---- results, views, texts --------------------------------------------------------------------------------------

    def outcome(self, state: State) -> Outcome | None:
        """Who has won and what everyone has, or None while the game goes on."""
        if state.winners is None:
            return None
        return Outcome(state.winners, self.program.final_keeps(self.thaw(state)))

    def view(self, state: State, seat: int) -> View:
        """What a player may see of a position, and nothing more."""
        to_move = self.player(state)
        moves = tuple(self.legal_moves(state)) if to_move == seat else ()
        return make_view(self.program, state, seat, to_move, moves)

    def text(self, state: State) -> str:
        """The position as one line."""
        return to_text(state, self.layout)

    def parse(self, text: str) -> State:
        """The position that a line describes."""
        state = from_text(text, self.layout, len(self.program.core.persistent))
        if state.winners is None and state.pc not in self.program.turns:
            raise Unreadable(Text("the position stands at no decision"))
        return state

    def json(self, state: State) -> str:
        return to_json(state)

    def parse_json(self, text: str) -> State:
        return from_json(text)

    def describe(self, move: Move) -> dict[str, Any]:
        """The move as records have it: `{"player": 0, "move": "leads", "choice": {"card": "22"}}`."""
        return {"player": move.player, "move": move.verb, "choice": self.choice(move)}

    def choice(self, move: Move) -> dict[str, Any]:
        names = self.layout.place_names
        choices = self._verbs[move.verb].choices
        return {
            choice.name: raw(self.rules, choice.source.type, pick, names)
            for choice, pick in zip(choices, move.picks, strict=True)
        }

    def random_game(
        self, seed: int, log: list[Event] | None = None, legal: bool = False, trail: Trail | None = None
    ) -> Machine:
        """Plays a whole game with random legal moves. The log, if any, holds every event; the trail, if any, holds for
        every decision how many legal moves there were and which one was made."""
        m, work = self.machine(seed), self.meter.work
        m.log = log
        self.run(m)
        at_random(self, m, seed, work, MAX_MOVES_IN_GAME, None, legal, trail)
        return m

    def playout(
        self, state: State, seed: int, to_round: bool = False, most: int = MAX_MOVES_IN_GAME, trail: Trail | None = None
    ) -> State:
        """The position after random legal moves until the game is over, everything from here on drawn from the seed. It
        stops at the first decision of another round, if asked to, and after so many moves, if there is a bound."""
        m, rounds = self.thaw(state), round_slot(self.program.core) if to_round else None
        m.rng = chance.stream(seed, 0)
        at_random(self, m, seed, self.meter.work, most, rounds, False, trail)
        return self.freeze(m)

    def still_bearable(self, work: int, limit: int) -> None:
        """Raises what is wrong with a game that began after so much work, if it has taken too much since then."""
        if self.meter.work - work > limit:
            message = Text("the game was not over after {limit} things had been looked at", limit=limit)
            help = Text("let it end earlier, offer fewer choices, or put fewer loops and `where` inside one another")
            raise RuleError("too-slow", message, self.rules.steps["game"].span, help)

    def endless(self) -> RuleError:
        """What is wrong with a game that goes on for too long."""
        message = Text("the game did not end within {limit} moves", limit=MAX_MOVES_IN_GAME)
        return RuleError("endless", message, self.rules.steps["game"].span)

    def random_states(self, seed: int) -> Iterator[tuple[State, list[Move]]]:
        """Every position of a random game with its legal moves; the last one has none."""
        state, rng = self.start(seed), chance.stream(seed, 1)
        while True:
            moves = self.legal_moves(state)
            yield state, moves
            if not moves:
                return
            rng, index = chance.below(rng, len(moves))
            state = self.apply(state, moves[index])
