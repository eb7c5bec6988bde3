"""Instructions → the text of an LLVM module: functions that play, take up and describe games of one kind of table."""

from __future__ import annotations

from collections import Counter
from typing import assert_never

from teufelswerk.base.chance import BLOCK, STEP
from teufelswerk.base.limits import MAX_MOVES_IN_GAME
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.modes import GIVEN, LEFT, LOOKED_AT, MODE, PC, WINNERS
from teufelswerk.compiled.targets.llvm_expressions import Expressions
from teufelswerk.compiled.targets.llvm_runtime import signed, whole_games, words
from teufelswerk.compiled.targets.llvm_search import search
from teufelswerk.compiled.targets.llvm_steps import steps
from teufelswerk.compiled.targets.memory import Memory
from teufelswerk.compiled.written import Written


def llvm_module(game: Written, memory: Memory, spread: bool, trail: bool = False) -> str:
    """The module's text. `spread`: whether the machine can lay bits onto those of a mask in one instruction."""
    return _Module(game, memory, spread, trail).whole()


class _Module:
    def __init__(self, game: Written, memory: Memory, spread: bool, trail: bool) -> None:
        self.game = game
        self.memory = memory
        self.mask = f"i{memory.mask_bits}"
        self.spread = spread and memory.mask_bits == 64
        self.trail = trail
        self.heads: list[str] = []
        self.tags: dict[str, int] = {}

    def tag(self, name: str) -> str:
        """Says that a load or store concerns this and nothing else."""
        number = self.tags.setdefault(name, len(self.tags))
        return f", !tbaa !{3 * number + 12}"

    def type(self, kind: c.Kind) -> str:
        return {"i": "i64", "m": self.mask, "b": "i1"}[kind]

    def whole(self) -> str:
        w = self.game.writer
        tables = []
        for table in w.tables.values():
            type, bits = self.type(table.kind), 64 if table.kind == "i" else self.memory.mask_bits
            values = ", ".join(f"{type} {signed(value, bits)}" for value in table.values or ())
            tables.append(f"@{table.name} = internal unnamed_addr constant [{table.size} x {type}] [{values}]")
        functions = [_Function(self).function(function) for function in self.game.functions]
        run = _Function(self).run()
        metadata = ['!0 = !{!"teufelswerk"}']
        for name, number in self.tags.items():
            first = 3 * number + 10
            metadata.append(f'!{first + 1} = !{{!"{name}", !0, i64 0}}')
            metadata.append(f"!{first + 2} = !{{!{first + 1}, !{first + 1}, i64 0}}")
        if w.resumable:
            entries = [steps(self.memory), search(self.game, self.memory)]
        else:
            entries = [whole_games(self.memory, self.trail)]
        beside = words(self.memory, self.spread), *entries
        return "\n".join([*tables, *beside, *functions, run, *metadata]) + "\n"


class _Function(Expressions):
    """One function as it is written."""

    def __init__(self, module: _Module) -> None:
        super().__init__(module)
        self.game = module.game
        self.trail = module.trail
        self.leaves: list[str] = []
        self.is_run = False
        self.sites: dict[int, dict[int, str]] = {}
        self.calls: Counter[int] = Counter()
        self.marks: list[int] = []

    # ---- whole functions --------------------------------------------------------------------------------------------

    def function(self, function: c.Function) -> str:
        parameters = "".join(f", i64 %p_{p.name}" for p in function.parameters)
        for parameter in function.parameters:
            self(f"store i64 %p_{parameter.name}, ptr {self.local(parameter)}")
        self.body(function.body)
        self("ret i64 0")
        head = f"define internal i64 @{function.name}(ptr noalias %s{parameters}) nounwind {{"
        return "\n".join([head, "entry:", *self.allocas(), *self.lines, "}"])

    def run(self) -> str:
        self.is_run = True
        game = self.game
        _count(game.body, self.calls)
        memory = self.m.memory
        for var, text in ((MODE, "%mode"), (GIVEN, "%given"), (LEFT, "%left")):
            self(f"store i64 {text}, ptr {self.local(var)}")
        self(f"store i64 {BLOCK}, ptr %at")
        self(f"store i64 -{BLOCK}, ptr %moves")
        for offset, own in ((memory.CHANCE, "%chance"), (memory.CHOICES, "%choices")):
            at = self.value(f"getelementptr i64, ptr %s, i64 {offset}")
            self(f"store i64 {self.value(f'load i64, ptr {at}')}, ptr {own}")
        if game.marks:
            at = self.value(f"getelementptr i64, ptr %s, i64 {memory.offset(PC)}")
            pc = self.value(f"load i64, ptr {at}")
            begun = self.value(f"icmp sge i64 {pc}, 0")
            self.branch(begun, "%resume", "%begin")
            self.label("%begin")
        self.body(game.body)
        self("ret i64 -1")
        self.open = False
        self.routines()
        if game.marks:
            self.resume(pc)
        places = [f"  %draws = alloca [{BLOCK} x i64]"]
        places += [f"  {name} = alloca i64" for name in ("%at", "%moves", "%chance", "%choices")]
        parameters = "ptr noalias %s, i64 %mode, i64 %given, i64 %left, ptr noalias %trail, ptr noalias %counts"
        head = f"define i64 @run({parameters}) nounwind {{"
        return "\n".join([head, "entry:", *places, *self.allocas(), *self.lines, "}"])

    def resume(self, pc: str) -> None:
        """Where a game goes on that was left at a decision; one that is over has no choices and no moves."""
        self.label("%resume")
        winners, over = self.value(f"load i64, ptr {self.at(WINNERS)[0]}"), self.new("over")
        self.branch(self.value(f"icmp sge i64 {winners}, 0"), over, "%again")
        self.label(over)
        self("ret i64 0")
        self.open = False
        self.label("%again")
        self(f"store i64 0, ptr {self.at(LOOKED_AT)[0]}")
        cases = " ".join(f"i64 {mark}, label %mark{mark}" for mark in self.marks)
        self.lines.append(f"  switch i64 {pc}, label %never [ {cases} ]")

    def routines(self) -> None:
        """What is carried out from several places, written once."""
        done: set[int] = set()
        while len(done) < len(self.sites):
            for number in [number for number in self.sites if number not in done]:
                done.add(number)
                routine = self.game.writer.routines[number]
                self.open = False
                self.label(f"%routine{number}")
                self.body(routine.body)
                if not self.open:
                    continue
                at = self.value(f"getelementptr i64, ptr %s, i64 {self.m.memory.returns[number]}")
                back = self.value(f"load i64, ptr {at}{self.m.tag(f'return {number}')}")
                self(f"switch i64 {back}, label %never [ @SITES{number}@ ]")
                self.open = False
        self.lines.append("never:")
        self.lines.append("  ret i64 -1")
        for number, sites in self.sites.items():
            cases = " ".join(f"i64 {site}, label {label}" for site, label in sites.items())
            self.lines = [line.replace(f"@SITES{number}@", cases) for line in self.lines]

    # ---- instructions -----------------------------------------------------------------------------------------------

    def body(self, body: c.Body) -> None:
        for step in body:
            if not self.open and not isinstance(step, c.Mark):
                continue
            self.step(step)

    def step(self, step: c.Step) -> None:
        match step:
            case c.Set():
                value = self.expr(step.value)
                at, says = self.at(step.var)
                self(f"store {self.m.type(step.var.kind)} {value}, ptr {at}{says}")
                if isinstance(step.value, c.Ask) and (step.value.function.fails or step.value.function.stops):
                    self.check()
            case c.Store():
                value = self.expr(step.value)
                at, says = self.element(step.array, step.index)
                self(f"store {self.m.type(step.array.kind)} {value}, ptr {at}{says}")
            case c.When():
                self.when(step)
            case c.Loop():
                self.loop(step)
            case c.Leave():
                self.jump(self.leaves[-1])
            case c.Count():
                self.count(step)
            case c.Cards():
                self.cards(step)
            case c.Copy():
                at, _ = self.element(step.array, step.start)
                size = f"i64 {8 * step.table.size}"
                self(f"call void @llvm.memcpy.p0.p0.i64(ptr {at}, ptr @{step.table.name}, {size}, i1 false)")
            case c.Shift():
                (to, _), (first, _) = self.element(step.array, step.to), self.element(step.array, step.first)
                size = self.value(f"mul i64 {self.expr(step.count)}, 8")
                self(f"call void @llvm.memmove.p0.p0.i64(ptr {to}, ptr {first}, i64 {size}, i1 false)")
            case c.Return():
                self.ret(self.expr(step.value), step)
            case c.Fail():
                self.fail()
            case c.Shuffle() | c.ShuffleAndDeal():
                self.shuffle(step)
            case c.DrawChance():
                self.draw_chance(step)
            case c.DrawChoice():
                self.draw_choice(step)
            case c.Perform():
                self.perform(step)
            case c.Mark():
                self.marks.append(step.number)
                self.label(f"%mark{step.number}")
            case c.Note():
                pass
            case _:
                assert_never(step)

    def when(self, step: c.When) -> None:
        yes, no, after = self.new("yes"), self.new("no"), self.new("after")
        self.test(step.condition, yes, no if step.otherwise else after)
        self.label(yes)
        self.body(step.then)
        if self.open:
            self.jump(after)
        if step.otherwise:
            self.label(no)
            self.body(step.otherwise)
            if self.open:
                self.jump(after)
        self.label(after)

    def loop(self, step: c.Loop) -> None:
        head, after = self.new("loop"), self.new("after")
        self.label(head)
        self.leaves.append(after)
        self.body(step.body)
        if self.open:
            self.jump(head)
        self.leaves.pop()
        self.label(after)

    def count(self, step: c.Count) -> None:
        stop, first = self.expr(step.stop), self.expr(step.first)
        # a routine in the body comes back from elsewhere, and knows only what lies in memory
        at, end = self.local(c.Var(f"{step.var.name}_i")), self.local(c.Var(f"{step.var.name}_end"))
        self(f"store i64 {first}, ptr {at}")
        self(f"store i64 {stop}, ptr {end}")
        head, inside, after = self.new("loop"), self.new("inside"), self.new("after")
        self.label(head)
        number = self.value(f"load i64, ptr {at}")
        stop = self.value(f"load i64, ptr {end}")
        self.branch(self.value(f"icmp slt i64 {number}, {stop}"), inside, after)
        self.label(inside)
        self(f"store i64 {number}, ptr {self.local(step.var)}")
        self(f"store i64 {self.value(f'add i64 {number}, 1')}, ptr {at}")
        self.leaves.append(after)
        self.body(step.body)
        self.leaves.pop()
        if self.open:
            self.jump(head)
        self.label(after)

    def cards(self, step: c.Cards) -> None:
        mask = self.m.mask
        rest = self.local(c.Var(f"{step.var.name}_rest", "m"))
        self(f"store {mask} {self.expr(step.cards)}, ptr {rest}")
        head, inside, after = self.new("loop"), self.new("inside"), self.new("after")
        self.label(head)
        left = self.value(f"load {mask}, ptr {rest}")
        self.branch(self.value(f"icmp ne {mask} {left}, 0"), inside, after)
        self.label(inside)
        self(f"store i64 {self.lowest(left)}, ptr {self.local(step.var)}")
        less = self.value(f"sub {mask} {left}, 1")
        self(f"store {mask} {self.value(f'and {mask} {left}, {less}')}, ptr {rest}")
        self.leaves.append(after)
        self.body(step.body)
        self.leaves.pop()
        if self.open:
            self.jump(head)
        self.label(after)

    def ret(self, value: str, step: c.Return) -> None:
        if self.is_run:
            self.leave_run()
            if step.value == c.ZERO:  # the game is over
                moves, at = self.value("load i64, ptr %moves"), self.value("load i64, ptr %at")
                total = self.value(f"add i64 {moves}, {at}")
                many = self.value(f"icmp sge i64 {total}, {MAX_MOVES_IN_GAME}")
                value = self.value(f"select i1 {many}, i64 -1, i64 {total}")
        self(f"ret i64 {value}")
        self.open = False

    def leave_run(self) -> None:
        """What was held in variables of the function goes back into the position."""
        memory = self.m.memory
        for offset, own in ((memory.CHANCE, "%chance"), (memory.CHOICES, "%choices")):
            value = self.value(f"load i64, ptr {own}")
            at = self.value(f"getelementptr i64, ptr %s, i64 {offset}")
            self(f"store i64 {value}, ptr {at}")

    def fail(self) -> None:
        if self.is_run:
            self("ret i64 -1")
        else:
            at = self.value(f"getelementptr i64, ptr %s, i64 {self.m.memory.TROUBLE}")
            self(f"store i64 1, ptr {at}{self.m.tag('trouble')}")
            self("ret i64 0")
        self.open = False

    def check(self) -> None:
        """Goes on only if the function that was asked did not find the rules at fault."""
        at = self.value(f"getelementptr i64, ptr %s, i64 {self.m.memory.TROUBLE}")
        found = self.value(f"load i64, ptr {at}{self.m.tag('trouble')}")
        bad, fine = self.new("bad"), self.new("fine")
        self.branch(self.value(f"icmp ne i64 {found}, 0"), bad, fine)
        self.label(bad)
        self(f"ret i64 {-1 if self.is_run else 0}")
        self.open = False
        self.label(fine)

    def perform(self, step: c.Perform) -> None:
        routine = step.routine
        if self.calls[routine.number] == 1:
            self.body(routine.body)
            return
        after = self.new("after")
        at = self.value(f"getelementptr i64, ptr %s, i64 {self.m.memory.returns[routine.number]}")
        self(f"store i64 {step.site}, ptr {at}{self.m.tag(f'return {routine.number}')}")
        self.sites.setdefault(routine.number, {})[step.site] = after
        self.jump(f"%routine{routine.number}")
        self.lines.append(f"{after[1:]}:")
        self.open = True

    # ---- chance -----------------------------------------------------------------------------------------------------

    def shuffle(self, step: c.Shuffle | c.ShuffleAndDeal) -> None:
        row, _ = self.element(step.row, c.ZERO)
        state = self.value("load i64, ptr %chance")
        if isinstance(step, c.Shuffle):
            values = ", ".join(f"i64 {self.expr(part)}" for part in (step.start, step.count, step.needed))
            call = f"call i64 @shuffle(ptr {row}, {values}, i64 {state})"
        else:
            values = ", ".join(f"i64 {self.expr(part)}" for part in (step.count, step.size))
            sets, _ = self.element(step.sets, c.ZERO)
            dealt = f"ptr {row}, {values}, ptr {sets}, i64 {step.sets.size}, i64 {state}"
            call = f"call i64 @shuffle_and_deal({dealt})"
        self(f"store i64 {self.value(call)}, ptr %chance")

    def draw_chance(self, step: c.DrawChance) -> None:
        below = self.expr(step.below)
        state = self.value("load i64, ptr %chance")
        after = self.value(f"add i64 {state}, {signed(STEP)}")
        self(f"store i64 {after}, ptr %chance")
        at, says = self.at(step.var)
        self(f"store i64 {self.value(f'call i64 @drawn(i64 {after}, i64 {below})')}, ptr {at}{says}")

    def draw_choice(self, step: c.DrawChoice) -> None:
        options = self.expr(step.below)
        refill, ready, more = self.new("refill"), self.new("ready"), self.new("more")
        at = self.value("load i64, ptr %at")
        self.branch(self.value(f"icmp eq i64 {at}, {BLOCK}"), refill, ready)
        self.label(refill)
        state = self.value("load i64, ptr %choices")
        self(f"store i64 {self.value(f'call i64 @refill(ptr %draws, i64 {state})')}, ptr %choices")
        moves = self.value(f"add i64 {self.value('load i64, ptr %moves')}, {BLOCK}")
        self(f"store i64 {moves}, ptr %moves")
        self("store i64 0, ptr %at")
        endless = self.new("endless")
        self.branch(self.value(f"icmp sgt i64 {moves}, {MAX_MOVES_IN_GAME}"), endless, more)
        self.label(endless)
        self("ret i64 -1")
        self.open = False
        self.label(more)
        self.jump(ready)
        self.label(ready)
        now = self.value("load i64, ptr %at")
        bits = self.value(f"load i64, ptr {self.value(f'getelementptr i64, ptr %draws, i64 {now}')}")
        pick = self.value(f"lshr i64 {self.value(f'mul i64 {bits}, {options}')}, 32")
        place, says = self.at(step.var)
        self(f"store i64 {pick}, ptr {place}{says}")
        if self.trail:
            made = self.value(f"add i64 {self.value('load i64, ptr %moves')}, {now}")
            twice = self.value(f"shl i64 {made}, 1")
            first = self.value(f"getelementptr i64, ptr %trail, i64 {twice}")
            self(f"store i64 {options}, ptr {first}")
            self(f"store i64 {pick}, ptr {self.value(f'getelementptr i64, ptr {first}, i64 1')}")
        self(f"store i64 {self.value(f'add i64 {now}, 1')}, ptr %at")


def _count(body: c.Body, calls: Counter[int]) -> None:
    """How often each routine is called, itself counted once."""
    for step in body:
        match step:
            case c.Perform():
                calls[step.routine.number] += 1
                if calls[step.routine.number] == 1:
                    _count(step.routine.body, calls)
            case c.When():
                _count(step.then, calls)
                _count(step.otherwise, calls)
            case c.Loop() | c.Count() | c.Cards():
                _count(step.body, calls)
