"""A game and one of its steps → where a scene of that step begins: the first time that the game comes to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from teufelswerk import model
from teufelswerk.base import chance
from teufelswerk.base.limits import MAX_MOVES_TO_SCENE, MAX_STEPS, MAX_WORK_TO_SCENE
from teufelswerk.base.texts import Text
from teufelswerk.interpreter.game import Game
from teufelswerk.interpreter.machine import Machine, RuleError
from teufelswerk.interpreter.program import DECISION, OVER, Program
from teufelswerk.model.walk import statements

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo")
FEW_PASSES = 3
"""So often a loop is run that only stands in the way."""


def people(players: int) -> tuple[str, ...]:
    """Names for everyone at a table."""
    return (*NAMES[:players], *(f"Player{chr(65 + i)}" for i in range(len(NAMES), players)))


def begin_of(program: Program, step: str) -> int | None:
    """The instruction at which a step begins for the first time; None if the game never calls it."""
    return next((pc for pc, name in program.begins.items() if name == step), None)


def first_time(game: Game, begin: int) -> Machine | None:
    """The game where it first comes to an instruction, lots falling on the first; None if it cannot be brought there.

    A random game that ends before, or goes on for long, is played again, and this time guided to the instruction.
    """
    program = game.program
    return _played(game, lambda m: run_until(program, m, {begin})) or _guided(game, begin)


def _played(game: Game, run: Callable[[Machine], bool]) -> Machine | None:
    """A random game, run from one decision to the next until it is where it should be; None if it never is."""
    m, rng, begun = game.machine(0), chance.stream(0, 1), game.meter.work
    for _ in range(MAX_MOVES_TO_SCENE):
        if run(m):
            return m
        if m.winners is not None or game.meter.work - begun > MAX_WORK_TO_SCENE:
            return None
        moves = game.choices(m)
        rng, index = chance.below(rng, len(moves))
        game.make_only(m, moves[index])
    return None


def _guided(game: Game, begin: int) -> Machine | None:
    """A game in which every condition on the way to an instruction is taken to hold, and no loop before it lasts."""
    program, passes = game.program, Counter[int]()

    def guide(m: Machine) -> bool:
        for _ in range(MAX_STEPS):
            if m.pc == begin:
                return True
            if (following := _on_the_way(program, m, begin, passes)) is None:
                following = program.step(m)
            if following == OVER:
                m.winners = m.winners if m.winners is not None else ()
            if following in (DECISION, OVER):
                return False
            m.pc = following
        return False

    try:
        return _played(game, guide)
    except RuleError:  # of a position that the rules may never come to, and none of their mistakes
        return None


def _on_the_way(program: Program, m: Machine, begin: int, passes: Counter[int]) -> int | None:
    """Where to go on from an `if` or a loop; None if that is left to its condition."""
    here = m.pc
    if fork := program.forks.get(here):
        if fork.then <= begin < fork.otherwise:
            return fork.then
        return fork.otherwise if fork.otherwise <= begin < fork.after else None
    if loop := program.loops.get(here):
        passes[here] += 1
        if here < begin < loop.after:
            loop.enter(m)
            return here + 1
        if passes[here] > FEW_PASSES:
            loop.leave(m)
            return loop.after
    return None


def run_until(program: Program, m: Machine, stops: set[int]) -> bool:
    """Runs on; True when it stands before one of the stops, False at a decision or at the end."""
    for _ in range(MAX_STEPS):
        if m.pc in stops:
            return True
        following = program.step(m)
        if following == DECISION:
            return False
        if following == OVER:
            m.winners = m.winners if m.winners is not None else ()
            return False
        m.pc = following
    raise RuleError("endless", Text("the rules ran for {limit} steps without a decision", limit=MAX_STEPS), None)


def seat_argument(rules: model.Model, program: Program, m: Machine, step: str, seat: int) -> None:
    """A step for a player begins with the player that the scene names, also in the loop around it."""
    for other in rules.steps.values():
        for statement in statements(other.body):
            if not isinstance(statement, model.Call) or statement.step != step:
                continue
            if isinstance(statement.argument, model.Local):
                m.slots[statement.argument.slot] = seat
    for head, loop in program.loops.items():
        if head < m.pc < loop.after and loop.seated is not None:
            loop.seated(m)
    following = program.step(m)
    m.slots[rules.steps[step].slot] = seat
    m.pc = following
