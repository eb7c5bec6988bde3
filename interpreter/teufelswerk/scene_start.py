"""A game and one of its steps → where a scene of that step begins: the first time that the game comes to it."""

from __future__ import annotations

from teufelswerk import chance, model
from teufelswerk.game import Game
from teufelswerk.limits import MAX_MOVES_IN_GAME, MAX_STEPS
from teufelswerk.machine import Machine, RuleError
from teufelswerk.program import DECISION, OVER, Program
from teufelswerk.texts import Text
from teufelswerk.walk import statements

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo")


def people(players: int) -> tuple[str, ...]:
    """Names for everyone at a table."""
    return (*NAMES[:players], *(f"Player{chr(65 + i)}" for i in range(len(NAMES), players)))


def begin_of(program: Program, step: str) -> int | None:
    """The instruction at which a step begins for the first time; None if the game never calls it."""
    return next((pc for pc, name in program.begins.items() if name == step), None)


def first_time(game: Game, begin: int) -> Machine | None:
    """The game where it first comes to an instruction, lots falling on the first; None if it ends before."""
    m = game.machine(0)
    rng = chance.stream(0, 1)
    for _ in range(MAX_MOVES_IN_GAME):
        if run_until(game.program, m, {begin}):
            break
        if m.winners is not None:
            return None
        moves = game.choices(m)
        rng, index = chance.below(rng, len(moves))
        game.make_only(m, moves[index])
    return m


def run_until(program: Program, m: Machine, stops: set[int]) -> bool:
    """Runs on; True when it stands before one of the stops, False at a decision or at the end."""
    code = program.code
    for _ in range(MAX_STEPS):
        if m.pc in stops:
            return True
        following = code[m.pc](m)
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
    following = program.code[m.pc](m)
    m.slots[rules.steps[step].slot] = seat
    m.pc = following
