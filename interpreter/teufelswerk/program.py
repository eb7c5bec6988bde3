"""The flow of a game → a list of instructions: steps written out where they are called, loops as jumps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from teufelswerk import model
from teufelswerk.effects import Effects, is_simple
from teufelswerk.evaluate import Evaluator
from teufelswerk.frames import Frames, Way
from teufelswerk.legal import MoveCode
from teufelswerk.limits import MAX_INSTRUCTIONS, MAX_REPEATS
from teufelswerk.machine import Event, Machine, RuleError
from teufelswerk.texts import Text
from teufelswerk.values import Function

Instruction: TypeAlias = Callable[[Machine], int]
DECISION, OVER = -1, -2


@dataclass
class TurnCode:
    """A place in the program where players decide."""

    turn: model.Turn
    player: Function
    groups: tuple[tuple[str, ...], ...]
    at_once: Callable[[Machine], list[int]] | None
    slot: int


@dataclass(frozen=True)
class Fork:
    """An `if` in the program: where each of its branches begins, and what comes after them."""

    then: int
    otherwise: int
    after: int


@dataclass(frozen=True)
class Loop:
    """A loop in the program: how it is entered and left, whatever its condition says, and what comes after it."""

    after: int
    enter: Callable[[Machine], None]
    leave: Callable[[Machine], None]


class Program:
    """The instructions for one number of players, with what stands where."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.evaluator = evaluator = effects.evaluator
        self.model = evaluator.model
        self.layout = evaluator.layout
        self.teller = self.effects.teller
        self.slots = self.model.slots
        self.persistent = list(self.model.persistent_slots)
        self.moves = {name: MoveCode(move, evaluator, self.effects) for name, move in self.model.moves.items()}
        self.code: list[Instruction] = []
        self.turns: dict[int, TurnCode] = {}
        self.begins: dict[int, str] = {}
        self.ends: dict[int, int] = {}
        """Where a step that begins at one instruction ends."""
        self.forks: dict[int, Fork] = {}
        self.loops: dict[int, Loop] = {}
        """Loops whose passes are not counted out beforehand, by the instruction that decides on the next pass."""
        self.frames = Frames(self.model, {})
        """What everyone knows, at each decision, of what the game carries there."""
        self.way: Way | None = None
        """What led to the instruction that is written; of what has happened, only what stands in the same blocks."""
        self._call(model.Call(-1, self.model.steps["game"].span, (), "game", None))
        self._emit(lambda m: OVER)

    # ---- writing instructions ---------------------------------------------------------------------------------------

    def _slot(self) -> int:
        self.slots += 1
        self.persistent.append(self.slots - 1)
        return self.slots - 1

    def _emit(self, instruction: Instruction) -> int:
        if len(self.code) >= MAX_INSTRUCTIONS:
            message = Text("written out, the game has more than {limit} instructions", limit=MAX_INSTRUCTIONS)
            raise RuleError("too-long", message, self.model.steps["game"].span)
        self.code.append(instruction)
        return len(self.code) - 1

    def _reserve(self) -> int:
        """A place for a jump whose target is not known yet."""
        return self._emit(lambda m: OVER)

    def _block(self, body: model.Block) -> None:
        outside = self.way
        for statement in body:
            before = self.way
            self._statement(statement)
            self.way = Way(statement, (), False, before)
        self.way = outside

    def _inside(self, s: model.Statement, body: model.Block, *slots: int) -> None:
        """The instructions of a block, with the statement that it belongs to and where that counts."""
        outside = self.way
        self.way = Way(s, slots, True, outside)
        self._block(body)
        self.way = outside

    def _statement(self, s: model.Statement) -> None:
        if is_simple(s):
            action, after = self.effects.action(s), len(self.code) + 1

            def act(m: Machine) -> int:
                action(m)
                return after

            self._emit(act)
            return
        method: Callable[[Any], None] = getattr(self, "_" + type(s).__name__.lower())
        method(s)

    def _call(self, s: model.Call) -> None:
        step = self.model.steps[s.step]
        argument = self.evaluator.needed(s.argument) if s.argument else None
        name, slot, after = step.name, step.slot, len(self.code) + 1
        announce = self.teller.announce(s)

        def begin(m: Machine) -> int:
            if argument:
                m.slots[slot] = argument(m)
            if m.log is not None:
                m.log.append(Event({"event": "step", "name": name}, s.id))
                if announce:
                    announce(m)
            return after

        start = self._emit(begin)
        self.begins[start] = name
        self._inside(s, step.body, slot)
        close = len(self.code) + 1

        def end(m: Machine) -> int:
            if slot >= 0:
                m.slots[slot] = None
            return close

        self.ends[start] = self._emit(end)

    def _turn(self, s: model.Turn) -> None:
        self._decision(s, None, -1)

    def _decision(self, s: model.Turn, at_once: Callable[[Machine], list[int]] | None, slot: int) -> None:
        announce = self.teller.announce(s)

        def decision(m: Machine) -> int:
            if announce and m.log is not None:
                announce(m)
            return DECISION

        pc = self._emit(decision if announce else lambda m: DECISION)
        self.turns[pc] = TurnCode(s, self.evaluator.needed(s.player), s.groups, at_once, slot)
        self.frames.ways[pc] = (s, self.way)

    def _if(self, s: model.If) -> None:
        condition = self.evaluator.function(s.condition)
        jump = self._reserve()
        self._inside(s, s.then)
        skip = self._reserve()
        otherwise = len(self.code)
        self._inside(s, s.otherwise)
        after = len(self.code)

        def decide(m: Machine) -> int:
            holds = condition(m)
            if m.fired is not None:
                m.fired.append(s.id if holds else s.else_id)
            return jump + 1 if holds else otherwise

        self.code[jump] = decide
        self.code[skip] = lambda m: after
        self.forks[jump] = Fork(jump + 1, otherwise, after)

    def _repeat(self, s: model.Repeat) -> None:
        times, left = self.evaluator.needed(s.times), self._slot()

        def start(m: Machine) -> int:
            count = times(m)
            if count > MAX_REPEATS:
                raise self._endless(s)
            m.slots[left] = count
            return head

        def test(m: Machine) -> int:
            if m.slots[left] <= 0:
                leave(m)
                return after
            enter(m)
            return head + 1

        def enter(m: Machine) -> None:
            m.slots[left] = max(m.slots[left] - 1, 0)

        def leave(m: Machine) -> None:
            m.slots[left] = None

        self._emit(start)
        head = self._emit(test)
        self._inside(s, s.body, left)
        self._emit(lambda m: head)
        after = len(self.code)
        self.loops[head] = Loop(after, enter, leave)

    def _endless(self, s: model.Statement) -> RuleError:
        message = Text("this would be repeated more than {limit} times", limit=MAX_REPEATS)
        return RuleError("endless", message, s.span, Text("say when it ends with something that comes about"))

    def _until(self, s: model.Until) -> None:
        condition, passes = self.evaluator.function(s.condition), self._slot()

        def start(m: Machine) -> int:
            m.slots[passes] = 0
            return head

        def test(m: Machine) -> int:
            if condition(m):
                leave(m)
                return after
            enter(m)
            return head + 1

        def enter(m: Machine) -> None:
            m.slots[passes] += 1
            if m.slots[passes] > MAX_REPEATS:
                raise self._endless(s)

        def leave(m: Machine) -> None:
            m.slots[passes] = None

        self._emit(start)
        head = self._emit(test)
        self._inside(s, s.body, passes)
        self._emit(lambda m: head)
        after = len(self.code)
        self.loops[head] = Loop(after, enter, leave)

    def _each(self, s: model.Each) -> None:
        items = self.effects.items(s)
        if s.at_once:
            turn = s.body[0]
            assert isinstance(turn, model.Turn)
            self._decision(turn, items, s.slot)
            return
        rest, slot = self._slot(), s.slot

        def start(m: Machine) -> int:
            m.slots[rest] = tuple(items(m))
            return head

        def test(m: Machine) -> int:
            waiting = m.slots[rest]
            if not waiting:
                m.slots[rest] = m.slots[slot] = None
                return after
            m.slots[slot], m.slots[rest] = waiting[0], waiting[1:]
            return head + 1

        self._emit(start)
        head = self._emit(test)
        self._inside(s, s.body, rest)
        self._emit(lambda m: head)
        after = len(self.code)

    def _goround(self, s: model.GoRound) -> None:
        """Turn after turn, clockwise. `all pass` holds when nobody has done anything for a whole lap."""
        first, following = self.evaluator.needed(s.first), self.evaluator.next_player(1)
        idle, passes, slot = self._slot(), self._slot(), s.slot
        everyone = self.evaluator.everything(model.Everything(model.PLAYER.all(), s.span))
        condition = _with_all_pass(self.evaluator, s.condition, idle, everyone)

        def start(m: Machine) -> int:
            m.slots[slot], m.slots[idle], m.slots[passes] = first(m), 0, 0
            return head

        def test(m: Machine) -> int:
            if condition(m):
                leave(m)
                return after
            enter(m)
            return head + 1

        def enter(m: Machine) -> None:
            m.slots[passes] += 1
            if m.slots[passes] > MAX_REPEATS:
                raise self._endless(s)
            m.passing = True

        def leave(m: Machine) -> None:
            m.slots[slot] = m.slots[idle] = m.slots[passes] = None

        def onward(m: Machine) -> int:
            m.slots[idle] = m.slots[idle] + 1 if m.passing else 0
            m.slots[slot] = following(m, m.slots[slot])
            return head

        self._emit(start)
        head = self._emit(test)
        self._inside(s, s.body, idle, passes)
        self._emit(onward)
        after = len(self.code)
        self.loops[head] = Loop(after, enter, leave)

    def _wins(self, s: model.Wins) -> None:
        criteria = [(self.evaluator.needed(by), 1 if extreme == "highest" else -1) for extreme, by in s.criteria]
        slot = s.slot
        announce = self.teller.announce(s)
        players = range(self.layout.players)

        def finish(m: Machine) -> int:
            results = []
            for seat in players:
                m.slots[slot] = seat
                results.append([sign * by(m) for by, sign in criteria])
            if m.fired is not None:
                m.fired.append(s.id)
            best = max(results)
            m.winners = tuple(seat for seat in players if results[seat] == best)
            if m.log is not None:
                if announce:
                    m.slots[slot] = m.winners
                    announce(m)
                m.log.append(Event({"event": "end", "winners": list(m.winners), "keeps": self.final_keeps(m)}, s.id))
            m.slots[slot] = None
            return OVER

        self._emit(finish)

    def final_keeps(self, m: Machine) -> dict[str, list[Any]]:
        """What is kept of each player, as lists over the seats."""
        kept: dict[str, list[Any]] = {}
        for index, keep in enumerate(self.layout.keep_of):
            if keep.key and keep.key.kind == "player":
                kept.setdefault(keep.name, []).append(self.teller.raw(keep.type, m.keeps[index]))
        return kept


def _with_all_pass(evaluator: Evaluator, expr: model.Expr, idle: int, players: Function) -> Function:
    """The condition of a lap, in which `all pass` may stand."""
    match expr:
        case model.AllPass():
            return lambda m: m.slots[idle] >= len(players(m))
        case model.Logic():
            left = _with_all_pass(evaluator, expr.left, idle, players)
            right = _with_all_pass(evaluator, expr.right, idle, players)
            if expr.op == "and":
                return lambda m: left(m) and right(m)
            return lambda m: left(m) or right(m)
        case model.Not():
            operand = _with_all_pass(evaluator, expr.operand, idle, players)
            return lambda m: not operand(m)
    return evaluator.function(expr)
