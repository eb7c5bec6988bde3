"""Instructions with decisions at which a game can be taken up → the source of one Python function that does so.

Python cannot jump into the middle of a loop. So the function is entered at its top with the number of a decision in
`resume`: whatever stands before that decision is passed over, and only the blocks are entered that lead to it.
"""

from __future__ import annotations

from teufelswerk.base.limits import MAX_MOVES_IN_GAME
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import ABSENT
from teufelswerk.compiled.modes import GIVEN, LEFT, LOOKED_AT, MODE, SCORE, STANDING
from teufelswerk.compiled.targets.python_source import Printer
from teufelswerk.compiled.written import Written


class ResumedPrinter(Printer):
    """Writes `make`, which gives the function, and the row in which it describes choices."""

    def __init__(self, game: Written) -> None:
        super().__init__(game, trail=False, counting=False)
        self.decisions: dict[tuple[int, ...], int] = {}
        """By the mark and the calls that lead to it, the innermost first, as in `Positions`: the number to resume."""
        self.sites: list[int] = []
        self.later = False
        """Whether the decision at which the game is taken up may stand behind what is being written."""

    def whole(self) -> str:
        w, description = self.game.writer, self.game.turns.description
        assert description is not None
        self.beside()
        kept = ", ".join(["chance", "choices", *w.kept, *(back(routine) for routine in w.routines)])
        self(f"def run(s, resume, {MODE.name}, {GIVEN.name}, {LEFT.name}):")
        self.depth = 2
        self(f"{kept}, = load(s)")
        self(f"{LOOKED_AT.name} = 0")
        self("draws = [0] * BLOCK")
        self("at = BLOCK")
        self("moves = -BLOCK")
        for function in self.game.functions:
            self.function(function)
        self.standings(description)
        self.body(self.game.body)
        self.depth = 1
        learned = self.game.weighing
        rows = f"{learned.weights.name}, {learned.numbers_found.name}" if learned else "[], []"
        self(f"return run, {description.name}, {rows}")
        return "\n".join(self.lines) + "\n"

    def standings(self, row: c.Array) -> None:
        """How far everyone has come, or what a move promises, if that is all that was asked for."""
        standing = self.game.standing
        self(f"if {MODE.name} == {STANDING}:")
        self(f"    for seat in range({self.game.writer.players}):")
        self(f"        {row.name}[seat] = {f'{standing.name}(seat)' if standing else ABSENT}")
        self("    return 0")
        if self.game.weighing is not None:
            self(f"if {MODE.name} == {SCORE}:")
            self(f"    return {self.game.weighing.function.name}({GIVEN.name})")

    # ---- passing over what is before a decision ---------------------------------------------------------------------

    def body(self, body: c.Body) -> None:
        outer, passed = self.later, False
        marked = [index for index, step in enumerate(body) if marks([step])]
        for index, step in enumerate(body):
            self.later = outer or (bool(marked) and index < marked[-1])
            if index in marked or not self.later:
                self.depth -= passed
                passed = False
            elif not passed:
                self("if resume < 0:")
                self.depth += 1
                passed = True
            self.step(step)
        self.depth -= passed
        self.later = outer

    def inside(self, head: str, body: c.Body) -> None:
        """A block that is entered only if the game is going on, or is to be taken up in there."""
        outer, self.later = self.later, False
        super().inside(head, body)
        self.later = outer

    def step(self, step: c.Step) -> None:
        match step:
            case c.Loop() if marks([step]):
                self.inside(f"while resume < 0 or {self.here(step.body)}:", step.body)
            case c.When() if marks([step]):
                condition = f"resume < 0 and ({self.expr(step.condition)})"
                self.inside(f"if {condition} or {self.here(step.then)}:", step.then)
                if step.otherwise:
                    self.inside(f"elif resume < 0 or {self.here(step.otherwise)}:", step.otherwise)
            case _:
                super().step(step)

    def here(self, body: c.Body) -> str:
        """Whether the game is to be taken up in a block that comes next."""
        first = len(self.decisions)
        return f"{first} <= resume < {first + marks(body)}"

    def perform(self, step: c.Perform) -> None:
        if not marks([step]):
            super().perform(step)
            return
        self(f"{back(step.routine)} = {step.site}")
        self.sites.append(step.site)
        self.body(step.routine.body)
        self.sites.pop()

    def mark(self, step: c.Mark) -> None:
        number = len(self.decisions)
        self.decisions[step.number, *reversed(self.sites[1:])] = number  # the game itself is called once
        self(f"if resume == {number}:")
        self("    resume = -1")

    def finish(self, step: c.Return) -> None:
        if self.in_function or step.value != c.ZERO:
            self(f"return {self.expr(step.value)}")
            return
        w = self.game.writer
        self(f"if moves + at >= {MAX_MOVES_IN_GAME}:")
        self("    raise Stuck")
        kept = ", ".join(["chance", "choices", *w.kept, *(back(routine) for routine in w.routines)])
        self(f"return save(s, moves + at, ({kept},))")


def back(routine: c.Routine) -> str:
    """What holds which call a routine was carried out by."""
    return f"back{routine.number}"


def marks(body: c.Body) -> int:
    """How many decisions stand in some instructions, routines written out wherever they are called."""
    found = 0
    for step in body:
        match step:
            case c.Mark():
                found += 1
            case c.Perform():
                found += marks(step.routine.body)
            case c.When():
                found += marks(step.then) + marks(step.otherwise)
            case c.Loop() | c.Count() | c.Cards():
                found += marks(step.body)
    return found
