"""Instructions → the source of one Python function that plays a whole game."""

from __future__ import annotations

from typing import assert_never

from teufelswerk.base.limits import MAX_MOVES_IN_GAME
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.modes import WINNERS
from teufelswerk.compiled.written import Written

PRECEDENCE = {"*": 6, "//": 6, "%": 6, "+": 5, "-": 5, "<<": 4, ">>": 4, "&": 3, "&~": 3, "^": 2, "|": 1}


def python_source(game: Written, trail: bool = False, counting: bool = False) -> str:
    """A function `play(seed, result, trail, counts)`, which gives the number of moves."""
    return Printer(game, trail, counting).whole()


class Printer:
    """Writes whole games; `python_steps` has one that writes games that can be taken up."""

    def __init__(self, game: Written, trail: bool, counting: bool) -> None:
        self.game = game
        self.trail = trail
        self.counting = counting
        self.lines: list[str] = []
        self.depth = 0
        self.in_function = False
        self.fresh = 0

    def __call__(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def whole(self) -> str:
        w = self.game.writer
        self.beside()
        self("def play(seed, result, trail, counts):")
        self.depth = 2
        self("chance = stream(seed, 0)")
        self("choices = stream(seed, 1)")
        self("draws = [0] * BLOCK")
        self("at = BLOCK")
        self("moves = -BLOCK")
        for kept in w.kept.values():
            if isinstance(kept, c.Array):
                self(f"{kept.name} = [{kept.first}] * {kept.size}")
            else:
                self(f"{kept.name} = 0")
        for function in w.functions.values():
            self.function(function)
        self.body(self.game.body)
        self.depth = 1
        self("return play")
        return "\n".join(self.lines) + "\n"

    def beside(self) -> None:
        """What is there before a game begins."""
        w = self.game.writer
        self("def make():")
        self.depth = 1
        for table in w.tables.values():
            shown = [f"{hex(v) if table.kind == 'm' else v}," for v in table.values or ()]
            self(f"{table.name} = ({' '.join(shown)})")
        for scratch in w.scratch.values():
            self(f"{scratch.name} = [0] * {scratch.size}")

    def function(self, function: c.Function) -> None:
        self(f"def {function.name}({', '.join(p.name for p in function.parameters)}):")
        self.in_function = True
        self.depth += 1
        self.body(function.body)
        self.depth -= 1
        self.in_function = False

    # ---- instructions -----------------------------------------------------------------------------------------------

    def body(self, body: c.Body) -> None:
        for step in body:
            self.step(step)

    def inside(self, head: str, body: c.Body) -> None:
        self(head)
        self.depth += 1
        before = len(self.lines)
        self.body(body)
        if len(self.lines) == before:
            self("pass")
        self.depth -= 1

    def step(self, step: c.Step) -> None:
        match step:
            case c.Set():
                self.set(step)
            case c.Store(value=c.Binary(op="+" | "-" | "|" | "^" | "&" as op, left=c.Load() as old) as value) if (
                old.array == step.array and old.index == step.index
            ):
                self(f"{step.array.name}[{self.expr(step.index)}] {op}= {self.expr(value.right)}")
            case c.Store():
                self(f"{step.array.name}[{self.expr(step.index)}] = {self.expr(step.value)}")
            case c.When():
                if not step.then:
                    self.inside(f"if {self.expr(c.inverse(step.condition))}:", step.otherwise)
                    return
                self.inside(f"if {self.expr(step.condition)}:", step.then)
                if step.otherwise:
                    self.inside("else:", step.otherwise)
            case c.Loop():
                self.inside("while True:", step.body)
            case c.Leave():
                self("break")
            case c.Count():
                first = "" if step.first == c.ZERO else f"{self.expr(step.first)}, "
                self.inside(f"for {step.var.name} in range({first}{self.expr(step.stop)}):", step.body)
            case c.Cards():
                self.cards(step)
            case c.Copy():
                start = self.expr(step.start, 5)
                self(f"{step.array.name}[{start}:{start} + {step.table.size}] = {step.table.name}")
            case c.Shift():
                row, count = step.array.name, self.expr(step.count, 5)
                to, first = self.expr(step.to, 5), self.expr(step.first, 5)
                self(f"{row}[{to}:{to} + {count}] = {row}[{first}:{first} + {count}]")
            case c.Return():
                self.finish(step)
            case c.Fail():
                self("raise Stuck")
            case c.Shuffle():
                row, start = step.row.name, self.expr(step.start)
                self(f"chance = shuffle(chance, {row}, {start}, {self.expr(step.count)}, {self.expr(step.needed)})")
            case c.ShuffleAndDeal():
                count, size = self.expr(step.count), self.expr(step.size)
                self(f"chance = shuffled_and_dealt(chance, {step.row.name}, {count}, {size}, {step.sets.name})")
            case c.DrawChance():
                self(f"chance, {step.var.name} = below(chance, {self.expr(step.below)})")
            case c.DrawChoice():
                self.draw_choice(step)
            case c.Perform():
                self.perform(step)
            case c.Mark():
                self.mark(step)
            case c.Note():
                self(f"# {step.text}")
            case _:
                assert_never(step)

    def perform(self, step: c.Perform) -> None:
        self.body(step.routine.body)

    def mark(self, step: c.Mark) -> None:
        raise AssertionError("whole games are played from their beginning")

    def set(self, step: c.Set) -> None:
        name, value = step.var.name, step.value
        match value:
            case c.NthCard():
                rest, n = f"{name}_rest", f"{name}_n"
                self(f"{rest} = {self.expr(value.cards)}")
                self(f"{n} = {self.expr(value.n)}")
                self(f"while {n}:")
                self(f"    {rest} &= {rest} - 1")
                self(f"    {n} -= 1")
                self(f"{name} = ({rest} & -{rest}).bit_length() - 1")
            case c.Binary(op="+" | "-" | "|" | "^" | "&" as op, left=c.Var() as left) if left == step.var:
                self(f"{name} {op}= {self.expr(value.right)}")
            case _:
                self(f"{name} = {self.expr(value)}")

    def cards(self, step: c.Cards) -> None:
        rest, name, lowest = f"{step.var.name}_rest", step.var.name, f"{step.var.name}_bit"
        self(f"{rest} = {self.expr(step.cards)}")
        self(f"while {rest}:")
        self.depth += 1
        self(f"{lowest} = {rest} & -{rest}")
        self(f"{rest} ^= {lowest}")
        self(f"{name} = {lowest}.bit_length() - 1")
        self.body(step.body)
        self.depth -= 1

    def draw_choice(self, step: c.DrawChoice) -> None:
        options = self.expr(step.below)
        self("if at == BLOCK:")
        self("    choices = refill(draws, choices)")
        self("    moves += BLOCK")
        self(f"    if moves > {MAX_MOVES_IN_GAME}:")
        self("        raise Stuck")
        self("    at = 0")
        self(f"{step.var.name} = draws[at] * {options} >> 32")
        if self.trail:
            self(f"note(trail, {options}, {step.var.name})")
        self("at += 1")

    def finish(self, step: c.Return) -> None:
        if self.in_function:
            self(f"return {self.expr(step.value)}")
            return
        w, position = self.game.writer, 1
        self(f"if moves + at >= {MAX_MOVES_IN_GAME}:")
        self("    raise Stuck")
        self(f"result[0] = {WINNERS.name}")
        for keep in w.rules.keeps.values():
            if keep.key is not None and keep.key.of_players:
                kept = w.keeps[keep.name].name
                sharing = f" * {w.players // w.rules.sides}" if keep.key.kind != "player" else ""
                self(f"result[{position}:{position + w.players}] = {kept}{sharing}")
                position += w.players
        self("return moves + at")

    # ---- expressions ------------------------------------------------------------------------------------------------

    def expr(self, expr: c.Expr, strength: int = 0) -> str:
        text, own = self.shown(expr)
        return f"({text})" if own < strength else text

    def shown(self, expr: c.Expr) -> tuple[str, int]:
        """The text, and how strongly it holds together."""
        match expr:
            case c.Number():
                if expr.kind == "b":
                    return str(bool(expr.value)), 9
                return (hex(expr.value) if expr.kind == "m" else str(expr.value)), 9 if expr.value >= 0 else 7
            case c.Var():
                return expr.name, 9
            case c.Load():
                return f"{expr.array.name}[{self.expr(expr.index)}]", 9
            case c.Binary(op="&~"):
                return f"{self.expr(expr.left, 3)} & ~{self.expr(expr.right, 8)}", 3
            case c.Binary():
                own = PRECEDENCE[expr.op]
                return f"{self.expr(expr.left, own)} {expr.op} {self.expr(expr.right, own + 1)}", own
            case c.Compare():
                if expr.right == c.NOBODY and expr.op in ("!=", "=="):
                    return (self.expr(expr.left), 0) if expr.op == "!=" else (f"not {self.expr(expr.left, 9)}", -3)
                return f"{self.expr(expr.left, 1)} {expr.op} {self.expr(expr.right, 1)}", 0
            case c.Both():
                return f"{self.expr(expr.left, -3)} and {self.expr(expr.right, -3)}", -4
            case c.Either():
                return f"{self.expr(expr.left, -4)} or {self.expr(expr.right, -4)}", -5
            case c.Inverse():
                return f"not {self.expr(expr.value, -3)}", -3
            case c.Select():
                then, otherwise = self.expr(expr.then, -4), self.expr(expr.otherwise, -5)
                return f"{then} if {self.expr(expr.condition, -4)} else {otherwise}", -6
            case c.Bit():
                return f"BIT[{self.expr(expr.card)}]", 9
            case c.Size():
                return f"{self.expr(expr.cards, 9)}.bit_count()", 9
            case c.Lowest():
                cards = self.expr(expr.cards, 9)
                return f"({cards} & -{cards}).bit_length() - 1", 5
            case c.Highest():
                return f"{self.expr(expr.cards, 9)}.bit_length() - 1", 5
            case c.NthCard():
                return f"nth({self.expr(expr.cards)}, {self.expr(expr.n)})", 9
            case c.Ask():
                return f"{expr.function.name}({', '.join(map(self.expr, expr.arguments))})", 9
            case _:
                assert_never(expr)
