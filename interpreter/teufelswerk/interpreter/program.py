"""The flow of a game → a list of instructions: steps written out where they are called, loops as jumps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, assert_never

from teufelswerk import model
from teufelswerk.base.limits import MAX_CHOICES, MAX_INSTRUCTIONS, MAX_REPEATS
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.base.texts import Text
from teufelswerk.core import statements as s
from teufelswerk.core.lower_game import core_of
from teufelswerk.core.walk import is_simple
from teufelswerk.interpreter.effects import Effects
from teufelswerk.interpreter.evaluate import Evaluator
from teufelswerk.interpreter.frames import Frames, Way
from teufelswerk.interpreter.legal import MoveCode
from teufelswerk.interpreter.machine import Event, Machine, RuleError, RuleGap, layout_of
from teufelswerk.interpreter.sets import Items
from teufelswerk.interpreter.values import Function

Instruction: TypeAlias = Callable[[Machine], int | None]
"""Gives the number of the instruction that comes next, None for the one that stands next, or one of these."""
DECISION, OVER = -1, -2


@dataclass
class TurnCode:
    """A place in the program where players decide."""

    turn: s.Turn
    player: Function
    at_once: Items | None
    slot: int
    moves: list[list[MoveCode]]
    """What its groups name."""

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        return self.turn.groups

    def gap(self, player: int) -> RuleGap:
        """What is wrong with a position in which a player can do nothing."""
        tried = tuple(verb for group in self.groups for verb in group)
        names = [f"`{verb}`" for verb in tried]
        message = Text("the rules name no move here; {moves} {n:was|were} tried", moves=names, n=len(names))
        return RuleGap(message, self.turn.span, player, tried)

    def too_many(self) -> RuleError:
        message = Text("the moves together offer more than {limit} choices", limit=MAX_CHOICES)
        return RuleError("too-many-choices", message, self.turn.span)


@dataclass(frozen=True)
class Fork:
    """An `if` in the program: where each of its branches begins, and what comes after them."""

    then: int
    otherwise: int
    after: int


@dataclass
class Loop:
    """Again and again: whether it is over is asked before each pass."""

    start: Callable[[Machine], None]
    over: Function
    enter: Callable[[Machine], None]
    leave: Callable[[Machine], None]
    """What is done when a pass begins, or else when it is over, whatever has decided that."""
    onward: Callable[[Machine], None] | None = None
    """What is done between two passes."""
    seated: Callable[[Machine], None] | None = None
    """What is settled about a turn as it begins, of a lap, by whose turn it is."""
    after: int = 0
    """The instruction that comes after it."""


def program_of(rules: model.Model, players: int) -> Program:
    """The program for a number of players. It is written once and kept with the model."""
    programs: dict[int, Program] = vars(rules).setdefault("_programs", {})
    if players not in programs:
        programs[players] = Program(Effects(Evaluator(core_of(rules), layout_of(rules, players))))
    return programs[players]


class Program:
    """The instructions for one number of players, with what stands where."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.evaluator = evaluator = effects.evaluator
        self.core = evaluator.core
        self.layout = evaluator.layout
        self.teller = effects.teller
        self.moves = {name: MoveCode(move, evaluator, effects) for name, move in self.core.moves.items()}
        self.initial = {name: evaluator.value(form) for name, form in self.core.initial.items()}
        self.code: list[Instruction] = []
        self.turns: dict[int, TurnCode] = {}
        self.begins: dict[int, str] = {}
        self.ends: dict[int, int] = {}
        """Where a step that begins at one instruction ends."""
        self.forks: dict[int, Fork] = {}
        self.loops: dict[int, Loop] = {}
        """Loops, but for those that go through a list, by the instruction that decides on the next pass."""
        self.frames = Frames(self.core)
        """What everyone knows, at each decision, of what the game carries there."""
        self.way: Way | None = None
        """What led to the instruction that is written; of what has happened, only what stands in the same blocks."""
        self._call(self.core.game)
        self._emit(lambda m: OVER)

    def step(self, m: Machine) -> int:
        """Carries out the instruction before which the machine stands; gives the one that comes next, or none such."""
        following = self.code[m.pc](m)
        return m.pc + 1 if following is None else following

    # ---- writing instructions ---------------------------------------------------------------------------------------

    def _emit(self, instruction: Instruction) -> int:
        if len(self.code) >= MAX_INSTRUCTIONS:
            message = Text("written out, the game has more than {limit} instructions", limit=MAX_INSTRUCTIONS)
            raise RuleError("too-long", message, self.core.game.span)
        self.code.append(instruction)
        return len(self.code) - 1

    def _reserve(self) -> int:
        """A place for a jump whose target is not known yet."""
        return self._emit(lambda m: OVER)

    def _block(self, body: s.Block) -> None:
        outside = self.way
        for statement in body:
            before = self.way
            self._statement(statement)
            self.way = Way(statement, False, before)
        self.way = outside

    def _inside(self, statement: s.Doing, body: s.Block) -> None:
        """The instructions of a block, with the statement that it belongs to."""
        outside = self.way
        self.way = Way(statement, True, outside)
        self._block(body)
        self.way = outside

    def _statement(self, statement: s.Doing) -> None:
        if is_simple(statement):
            self._emit(self.effects.action(statement))
            return
        match statement:
            case s.Turn():
                self._decision(statement, None, -1)
            case s.AtOnce():
                self._decision(statement.turn, self.evaluator.items(statement.players), statement.slot)
            case s.Call():
                self._call(statement)
            case s.Branch():
                self._branch(statement)
            case s.Repeat():
                self._repeat(statement)
            case s.Until():
                self._until(statement)
            case s.Each():
                self._each(statement)
            case s.GoRound():
                self._go_round(statement)
            case s.Wins():
                self._wins(statement)
            case s.Goes() | s.Deal() | s.Shuffle() | s.Becomes() | s.Pays() | s.Let() | s.Tell():
                raise AssertionError("these are simple")
            case _:
                assert_never(statement)

    def _call(self, statement: s.Call) -> None:
        step, argument = statement.step, statement.argument
        given = self.evaluator.value(argument) if argument is not None else None
        name, slot, id = step.name, step.slot, statement.id
        announce = self.teller.announcement(statement)

        def begin(m: Machine) -> None:
            if given:
                m.slots[slot] = given(m)
            if m.log is not None:
                m.log.append(Event({"event": "step", "name": name}, id))
                if announce:
                    announce(m)

        start = self._emit(begin)
        self.begins[start] = name
        self._inside(statement, step.body)
        self.ends[start] = self._emit(forget(slot) if slot >= 0 else lambda m: None)

    def _decision(self, turn: s.Turn, at_once: Items | None, slot: int) -> None:
        announce = self.teller.announcement(turn)

        def decision(m: Machine) -> int | None:
            if at_once is not None and not at_once(m):
                return None  # everyone is out, so nobody decides
            if announce and m.log is not None:
                announce(m)
            return DECISION

        pc = self._emit(decision if announce or at_once else lambda m: DECISION)
        moves = [[self.moves[verb] for verb in group] for group in turn.groups]
        self.turns[pc] = TurnCode(turn, self.evaluator.value(turn.player), at_once, slot, moves)
        self.frames.ways[pc] = (turn, self.way)

    def _branch(self, statement: s.Branch) -> None:
        condition, id, else_id = self.evaluator.deciding(statement.condition), statement.id, statement.else_id
        jump = self._reserve()
        self._inside(statement, statement.then)
        skip = self._reserve()
        otherwise = len(self.code)
        self._inside(statement, statement.otherwise)
        after = len(self.code)

        def decide(m: Machine) -> int | None:
            holds = condition(m)
            if m.fired is not None:
                m.fired.append(id if holds else else_id)
            return None if holds else otherwise

        self.code[jump] = decide
        self.code[skip] = lambda m: after
        self.forks[jump] = Fork(jump + 1, otherwise, after)

    # ---- loops ------------------------------------------------------------------------------------------------------

    def _loop(self, statement: s.Repeat | s.Until | s.GoRound, loop: Loop) -> None:
        start, over, enter, leave, onward = loop.start, loop.over, loop.enter, loop.leave, loop.onward

        def test(m: Machine) -> int | None:
            if over(m):
                leave(m)
                return loop.after
            enter(m)
            return None

        def again(m: Machine) -> int:
            if onward:
                onward(m)
            return head

        self._emit(start)
        head = self._emit(test)
        self._inside(statement, statement.body)
        self._emit(again)
        loop.after = len(self.code)
        self.loops[head] = loop

    def _endless(self, statement: s.Doing) -> RuleError:
        message = Text("this would be repeated more than {limit} times", limit=MAX_REPEATS)
        return RuleError(
            "endless",
            message,
            statement.span,
            Text("say when it ends with something that comes about, or after so many turns, which `keep` can count"),
        )

    def _counting(self, laps: int, statement: s.Doing) -> Callable[[Machine], None]:
        """Counts one more pass of a loop that may not last for ever."""

        def count(m: Machine) -> None:
            m.slots[laps] += 1
            if m.slots[laps] > MAX_REPEATS:
                raise self._endless(statement)

        return count

    def _repeat(self, statement: s.Repeat) -> None:
        times, left = self.evaluator.value(statement.times), statement.left

        def start(m: Machine) -> None:
            m.slots[left] = count = times(m)
            if count > MAX_REPEATS:
                raise self._endless(statement)

        def enter(m: Machine) -> None:
            m.slots[left] = max(m.slots[left] - 1, 0)

        self._loop(statement, Loop(start, lambda m: m.slots[left] <= 0, enter, forget(left)))

    def _until(self, statement: s.Until) -> None:
        laps, condition = statement.laps, self.evaluator.deciding(statement.condition)

        def start(m: Machine) -> None:
            m.slots[laps] = 0

        self._loop(statement, Loop(start, condition, self._counting(laps, statement), forget(laps)))

    def _each(self, statement: s.Each) -> None:
        items, rest, slot = self.evaluator.items(statement.items), statement.rest, statement.slot

        def start(m: Machine) -> None:
            m.slots[rest] = tuple(items(m))

        def next_one(m: Machine) -> int | None:
            slots = m.slots
            waiting = slots[rest]
            if not waiting:
                slots[rest] = slots[slot] = None
                return after
            slots[slot], slots[rest] = waiting[0], waiting[1:]
            return None

        self._emit(start)
        head = self._emit(next_one)
        self._inside(statement, statement.body)
        self._emit(lambda m: head)
        after = len(self.code)

    def _go_round(self, statement: s.GoRound) -> None:
        """Turn after turn, clockwise. Somebody who did more than pass sets the number of idle turns back."""
        first, follow = self.evaluator.value(statement.first), self.evaluator.value(statement.following)
        begin = self.effects.set_silently(statement.begin) if statement.begin is not None else None
        slot, laps, idle = statement.slot, statement.laps, statement.idle
        condition, count = self.evaluator.deciding(statement.condition), self._counting(laps, statement)

        def start(m: Machine) -> None:
            m.slots[slot], m.slots[idle], m.slots[laps] = first(m), 0, 0

        def enter(m: Machine) -> None:
            count(m)
            m.passing = True
            if begin is not None:
                begin(m)

        def onward(m: Machine) -> None:
            m.slots[idle] = m.slots[idle] + 1 if m.passing else 0
            m.slots[slot] = follow(m)

        self._loop(statement, Loop(start, condition, enter, forget(slot, idle, laps), onward, begin))

    # ---- the end ----------------------------------------------------------------------------------------------------

    def _wins(self, statement: s.Wins) -> None:
        criteria = [(self.evaluator.value(by), 1 if highest else -1) for highest, by in statement.criteria]
        slot, id, announce = statement.slot, statement.id, self.teller.announcement(statement)
        players, lose, table = self.evaluator.items(statement.players), statement.lose, range(self.layout.players)

        def finish(m: Machine) -> int:
            results = {}
            for seat in players(m):
                m.slots[slot] = seat
                results[seat] = [sign * by(m) for by, sign in criteria]
            if m.fired is not None:
                m.fired.append(id)
            best = max(results.values(), default=None)
            found = tuple(sorted(seat for seat in results if results[seat] == best))
            m.winners = tuple(seat for seat in table if seat not in found) if lose else found
            if m.log is not None:
                if announce:
                    m.slots[slot] = found
                    announce(m)
                m.log.append(Event({"event": "end", "winners": list(m.winners), "keeps": self.final_keeps(m)}, id))
            m.slots[slot] = None
            return OVER

        self._emit(finish)

    def final_keeps(self, m: Machine) -> dict[str, list[Any]]:
        """What is kept of each player, as lists over the seats."""
        keeps = self.core.rules.keeps.values()
        seats = {keep.name: (keep.type, self.layout.of_seats(keep)) for keep in keeps}
        return {
            name: [self.teller.raw(type, m.keeps[index]) for index in indices]
            for name, (type, indices) in seats.items()
            if indices
        }


def forget(*slots: int) -> Callable[[Machine], None]:
    """Nothing is left of what a loop remembered."""

    def leave(m: Machine) -> None:
        for slot in slots:
            m.slots[slot] = None

    return leave
