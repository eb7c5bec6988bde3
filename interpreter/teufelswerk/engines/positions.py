"""A state ↔ one array of 64-bit numbers, as compiled rules have it in their memory; nothing is lost on the way."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from teufelswerk.base.chance import MASK, stream
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import ABSENT
from teufelswerk.compiled.modes import PASSING, PC
from teufelswerk.compiled.targets.memory import Memory
from teufelswerk.compiled.written import Written
from teufelswerk.core import statements as s
from teufelswerk.engines.state_checks import Decision, StateChecks
from teufelswerk.interpreter.frames import Way
from teufelswerk.interpreter.program import Program
from teufelswerk.interpreter.state import Move, State

Numbers: TypeAlias = "array[int]"
Position: TypeAlias = Numbers
"""Copy it with a slice, compare what it means by its state: what is left over from before may differ."""


class Positions:
    """Where in the array everything stands that a state tells."""

    def __init__(self, game: Written, memory: Memory, program: Program) -> None:
        self.game = game
        self.memory = memory
        self.program = program
        self.words = memory.mask_bits // 64
        self.checks = StateChecks(game.writer)
        self.families = list(game.places.families.values())
        self.slots = [self.held(slot) for slot in game.core.persistent]
        self.ways: dict[int, tuple[int, list[tuple[int, int]]]] = {}
        """By the number of a decision in the program: its mark, and the routines with the calls that lead to it, the
        innermost first."""
        self.checked: dict[int, Decision] = {}
        """… what a state holds there."""
        self.inside: dict[int, int] = {}
        """The routine in which a mark stands."""
        self.callers: dict[tuple[int, int], int] = {}
        self.decisions: dict[tuple[int, ...], int] = {}
        """By the mark and the calls that lead to it, the innermost first: the decision in the program."""
        for pc, (turn, way) in program.frames.ways.items():
            self.decision(pc, turn, way)

    def decision(self, pc: int, turn: s.Turn, way: Way | None) -> None:
        if turn.id not in self.game.marks:
            return  # the game never comes there
        calls: list[tuple[int, int]] = []
        while way is not None:
            if way.inside and isinstance(way.statement, s.Call):
                calls.append(self.game.calls[way.statement.id])
            way = way.before
        mark = self.game.marks.index(turn.id)
        self.inside[mark] = calls[0][0]
        for call, (caller, _) in pairwise(calls):
            self.callers[call] = caller
        self.ways[pc] = mark, calls
        self.decisions[mark, *(site for _, site in calls[:-1])] = pc
        moves = [self.game.core.moves[verb] for group in turn.groups for verb in group]
        carried = self.program.frames.at(pc).carried
        slots = frozenset(slot for thing in carried for slot in (thing.slot, thing.rest))
        self.checked[pc] = Decision(moves, slots, self.game.writer.always_set | self.game.turns.assigned[mark])

    def held(self, slot: int) -> tuple[int, int, int] | int | None:
        """Where a slot is: a thing, or a list's size, where it begins and how much of it is over; None: nowhere."""
        actions, memory = self.game.turns.actions, self.memory
        if slot in actions.lists:
            count, row = actions.lists[slot]
            position = self.game.writer.positions.get(slot)
            return memory.offset(count), memory.offset(row), -1 if position is None else memory.offset(position)
        return memory.offset(actions.variables[slot]) if slot in actions.variables else None

    # ---- from a state to an array -----------------------------------------------------------------------------------

    def position(self, state: State) -> Position:
        """Raises Unreadable for what is no state of this game."""
        self.checks.check(state, self.checked.get(state.pc))
        memory, found = self.memory, array("q", bytes(8 * self.memory.kept))
        found[memory.CHANCE] = signed(state.rng)
        found[memory.offset(PASSING)] = int(state.passing)
        found[memory.winners] = -1 if state.winners is None else sum(1 << seat for seat in state.winners)
        for keep, base in self.program.layout.keep_base.items():
            at = self.game.writer.keeps[keep]
            size = at.size if isinstance(at, c.Array) else 1
            put(found, memory.offset(at), map(number, state.keeps[base : base + size]))
        self.put_places(found, state)
        for held, value in zip(self.slots, state.slots, strict=True):
            if isinstance(held, tuple):
                put(found, held[0], [ABSENT if value is None else len(value)])
                put(found, held[1], value or ())
            elif held is not None:
                found[held] = number(value)
        if state.winners is None:
            mark, calls = self.ways[state.pc]
            found[memory.offset(PC)] = mark
            for routine, site in calls:
                found[memory.returns[routine]] = site
            self.put_pending(found, state)
        return found

    def draw_from(self, position: Position, seed: int) -> None:
        """From now on all chance comes from a seed."""
        for number, at in enumerate((self.memory.CHANCE, self.memory.CHOICES)):
            position[at] = signed(stream(seed, number))

    def put_places(self, found: Position, state: State) -> None:
        places, offset = self.game.places, self.memory.offset
        for family in self.families:
            for index in range(family.count):
                cards = state.places[family.base + index]
                if family.sets is not None:
                    self.put_mask(found, offset(family.sets) + index * self.words, sum(1 << card for card in cards))
                if family.row is not None and family.sizes is not None:
                    found[offset(family.sizes) + index] = len(cards)
                    put(found, offset(family.row) + index * len(state.owners), cards)
                if places.where is not None:
                    for card in cards:
                        found[offset(places.where) + card] = family.base + index
        assert places.owners is not None
        put(found, offset(places.owners), state.owners)

    def put_mask(self, found: Position, at: int, mask: int) -> None:
        put(found, at, (signed(mask >> 64 * word & MASK) for word in range(self.words)))

    def put_pending(self, found: Position, state: State) -> None:
        turns, offset, verbs = self.game.turns, self.memory.offset, self.checked[state.pc].moves
        found[offset(turns.waiting)] = len(state.pending)
        for index, move in enumerate(state.pending):
            made = self.game.core.moves[move.verb]
            found[offset(turns.seats) + index] = move.player
            found[offset(turns.verbs) + index] = verbs.index(made)
            for choice, pick in zip(made.choices, move.picks, strict=True):
                at = offset(turns.pending[made.name, choice.name]) + index * turns.words(choice)
                put(found, at, [len(pick), *pick] if choice.several else [pick])

    # ---- from an array to a state -----------------------------------------------------------------------------------

    def state(self, position: Position) -> State:
        memory = self.memory
        pc, won = self.pc(position), position[memory.winners]
        seats = tuple(seat for seat in range(self.game.writer.players) if won >> seat & 1)
        keeps: list[int | None] = []
        for keep in self.program.layout.keep_base:
            at = self.game.writer.keeps[keep]
            first, size = memory.offset(at), at.size if isinstance(at, c.Array) else 1
            keeps += map(value, position[first : first + size])
        places, owners = self.places(position)
        return State(
            pc,
            tuple(self.slot(position, held) for held in self.slots),
            places,
            owners,
            tuple(keeps),
            self.pending(position, pc) if won < 0 else (),
            None if won < 0 else seats,
            bool(position[memory.offset(PASSING)]),
            position[memory.CHANCE] & MASK,
        )

    def pc(self, position: Position) -> int:
        """The place in the program of the reference interpreter."""
        if position[self.memory.winners] >= 0:
            return len(self.program.code)
        mark = position[self.memory.offset(PC)]
        return self.decisions[mark, *self.calls(position, mark)]

    def calls(self, position: Position, mark: int) -> list[int]:
        """Which call each step was carried out by, from the one in which the decision stands outwards."""
        found: list[int] = []
        routine = self.inside[mark]
        while routine != 0:
            found.append(position[self.memory.returns[routine]])
            routine = self.callers[routine, found[-1]]
        return found

    def slot(self, position: Position, held: tuple[int, int, int] | int | None) -> Any:
        if held is None:
            return None
        if isinstance(held, int):
            return value(position[held])
        count, row, over = held
        if position[count] == ABSENT:
            return None
        return tuple(position[row + (position[over] if over >= 0 else 0) : row + position[count]])

    def places(self, position: Position) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
        places, offset, cards = self.game.places, self.memory.offset, self.game.writer.cards
        assert places.owners is not None
        first = offset(places.owners)
        owners = list(position[first : first + cards])
        found: list[tuple[int, ...]] = []
        for family in self.families:
            for index in range(family.count):
                if family.row is not None and family.sizes is not None:
                    start = offset(family.row) + index * cards
                    here = tuple(position[start : start + position[offset(family.sizes) + index]])
                else:
                    assert family.sets is not None
                    here = self.cards(position, offset(family.sets) + index * self.words)
                found.append(here)
                if family.owned:
                    for card in here:
                        owners[card] = self.game.writer.layout.owner[family.base + index]
        return tuple(found), tuple(owners)

    def mask(self, position: Position, at: int) -> int:
        return sum((position[at + word] & MASK) << 64 * word for word in range(self.words))

    def cards(self, position: Position, at: int) -> tuple[int, ...]:
        mask = self.mask(position, at)
        return tuple(card for card in range(mask.bit_length()) if mask >> card & 1)

    def pending(self, position: Position, pc: int) -> tuple[Move, ...]:
        turns, offset, verbs = self.game.turns, self.memory.offset, self.checked[pc].moves
        found: list[Move] = []
        for index in range(position[offset(turns.waiting)]):
            made = verbs[position[offset(turns.verbs) + index]]
            starts = [
                offset(turns.pending[made.name, choice.name]) + index * turns.words(choice) for choice in made.choices
            ]
            picks = tuple(picked(position, choice, at) for choice, at in zip(made.choices, starts, strict=True))
            found.append(Move(position[offset(turns.seats) + index], made.name, picks))
        return tuple(found)


def picked(numbers: Sequence[int], choice: s.Choice, at: int) -> Any:
    """What was chosen, as it stands in some numbers: the thing, or how many and which."""
    return tuple(numbers[at + 1 : at + 1 + numbers[at]]) if choice.several else numbers[at]


def signed(number: int) -> int:
    """64 bits as a number with a sign."""
    return number - (1 << 64) if number >> 63 else number


def number(value: int | None) -> int:
    return ABSENT if value is None else int(value)


def value(number: int) -> int | None:
    return None if number == ABSENT else number


def put(numbers: Position, at: int, values: Iterable[int]) -> None:
    for index, each in enumerate(values, at):
        numbers[index] = each
