"""Instructions → the text of an LLVM module: functions that play, take up and describe games of one kind of table."""

from __future__ import annotations

from collections import Counter
from typing import assert_never

from teufelswerk.limits import MAX_MOVES_IN_GAME
from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.context import Written
from teufelswerk.compiled.memory import Memory
from teufelswerk.compiled.turns import DONE, GIVEN, MODE, PC

BLOCK = 64
"""So many draws are made at once."""
STEP = 0x9E3779B97F4A7C15
SIGNED: dict[c.Comparison, str] = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}
PLAIN = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "ashr", "%": "srem"}


def signed(value: int, bits: int = 64) -> int:
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


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
        functions = [_Function(self, function.name).function(function) for function in w.functions.values()]
        run = _Function(self, "run").run()
        metadata = ['!0 = !{!"teufelswerk"}']
        for name, number in self.tags.items():
            first = 3 * number + 10
            metadata.append(f'!{first + 1} = !{{!"{name}", !0, i64 0}}')
            metadata.append(f"!{first + 2} = !{{!{first + 1}, !{first + 1}, i64 0}}")
        return "\n".join([*tables, self.runtime(), *functions, run, self.many(), *metadata]) + "\n"

    def runtime(self) -> str:
        mask = self.mask
        nth = f"""
define internal i64 @nth({mask} %cards, i64 %n) alwaysinline nounwind {{
entry:
  br label %loop
loop:
  %rest = phi {mask} [ %cards, %entry ], [ %less, %again ]
  %left = phi i64 [ %n, %entry ], [ %fewer, %again ]
  %done = icmp eq i64 %left, 0
  br i1 %done, label %found, label %again
again:
  %minus = sub {mask} %rest, 1
  %less = and {mask} %rest, %minus
  %fewer = sub i64 %left, 1
  br label %loop
found:
  %card = call {mask} @llvm.cttz.{mask}({mask} %rest, i1 true)
  %number = {"add i64 %card, 0" if mask == "i64" else f"trunc {mask} %card to i64"}
  ret i64 %number
}}
"""
        if self.spread:
            nth = """
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
define internal i64 @nth(i64 %cards, i64 %n) alwaysinline nounwind {
  %one = shl i64 1, %n
  %bit = call i64 @llvm.x86.bmi.pdep.64(i64 %one, i64 %cards)
  %card = call i64 @llvm.cttz.i64(i64 %bit, i1 true)
  ret i64 %card
}
"""
        more = "" if mask == "i64" else "declare i64 @llvm.cttz.i64(i64, i1)\ndeclare i64 @llvm.ctlz.i64(i64, i1)\n"
        return f"""
declare {mask} @llvm.ctpop.{mask}({mask})
declare {mask} @llvm.cttz.{mask}({mask}, i1)
declare {mask} @llvm.ctlz.{mask}({mask}, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
{more}{nth}
define internal i64 @mixed(i64 %state) alwaysinline nounwind {{
  %a = lshr i64 %state, 30
  %b = xor i64 %state, %a
  %c = mul i64 %b, {signed(0xBF58476D1CE4E5B9)}
  %d = lshr i64 %c, 27
  %e = xor i64 %c, %d
  %f = mul i64 %e, {signed(0x94D049BB133111EB)}
  %g = lshr i64 %f, 31
  %h = xor i64 %f, %g
  ret i64 %h
}}
define internal i64 @stream(i64 %seed, i64 %number) alwaysinline nounwind {{
  %a = mul i64 %number, {signed(0xD1B54A32D192ED03)}
  %b = xor i64 %seed, %a
  %c = add i64 %b, {signed(STEP)}
  %d = call i64 @mixed(i64 %c)
  ret i64 %d
}}
define internal i64 @drawn(i64 %state, i64 %below) alwaysinline nounwind {{
  %a = call i64 @mixed(i64 %state)
  %b = lshr i64 %a, 32
  %c = mul i64 %b, %below
  %d = lshr i64 %c, 32
  ret i64 %d
}}
define internal i64 @refill(ptr noalias %draws, i64 %first) noinline nounwind {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %number = add i64 %i, 1
  %far = mul i64 %number, {signed(STEP)}
  %state = add i64 %first, %far
  %a = call i64 @mixed(i64 %state)
  %b = lshr i64 %a, 32
  %at = getelementptr i64, ptr %draws, i64 %i
  store i64 %b, ptr %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, {BLOCK}
  br i1 %more, label %loop, label %done
done:
  %after = add i64 %first, {signed(STEP * BLOCK & (1 << 64) - 1)}
  ret i64 %after
}}
define internal i64 @shuffle(ptr noalias %row, i64 %start, i64 %count, i64 %needed, i64 %state) nounwind {{
entry:
  %few = icmp slt i64 %count, 2
  br i1 %few, label %none, label %go
none:
  ret i64 %state
go:
  %c1 = sub i64 %count, 1
  %far = mul i64 %c1, {signed(STEP)}
  %after = add i64 %state, %far
  br label %head
head:
  %i = phi i64 [ 0, %go ], [ %next, %body ]
  %s = phi i64 [ %state, %go ], [ %s2, %body ]
  %more = icmp slt i64 %i, %needed
  br i1 %more, label %body, label %done
body:
  %s2 = add i64 %s, {signed(STEP)}
  %left = sub i64 %count, %i
  %j0 = call i64 @drawn(i64 %s2, i64 %left)
  %a = add i64 %start, %i
  %b = add i64 %a, %j0
  %pa = getelementptr i64, ptr %row, i64 %a
  %pb = getelementptr i64, ptr %row, i64 %b
  %va = load i64, ptr %pa
  %vb = load i64, ptr %pb
  store i64 %vb, ptr %pa
  store i64 %va, ptr %pb
  %next = add i64 %i, 1
  br label %head
done:
  ret i64 %after
}}
define internal i64 @shuffle_and_deal(ptr noalias %row, i64 %count, i64 %size, ptr noalias %sets, i64 %places, i64 %state) nounwind {{
entry:
  %c1 = sub i64 %count, 1
  %few = icmp slt i64 %count, 1
  %steps = select i1 %few, i64 0, i64 %c1
  %far = mul i64 %steps, {signed(STEP)}
  %after = add i64 %state, %far
  %out = mul i64 %size, %places
  %whole = icmp eq i64 %out, %count
  %last = sub i64 %places, 1
  br label %place
place:
  %p = phi i64 [ 0, %entry ], [ %pnext, %dealt ]
  %at = phi i64 [ 0, %entry ], [ %at3, %dealt ]
  %s = phi i64 [ %state, %entry ], [ %s3, %dealt ]
  %pmore = icmp slt i64 %p, %places
  br i1 %pmore, label %ask, label %rest
ask:
  %islast = icmp eq i64 %p, %last
  %free = and i1 %islast, %whole
  br label %card
card:
  %k = phi i64 [ 0, %ask ], [ %knext, %put ]
  %at2 = phi i64 [ %at, %ask ], [ %atn, %put ]
  %s2 = phi i64 [ %s, %ask ], [ %sn, %put ]
  %set = phi {mask} [ 0, %ask ], [ %setn, %put ]
  %kmore = icmp slt i64 %k, %size
  br i1 %kmore, label %draw, label %dealt
draw:
  br i1 %free, label %plain, label %lot
lot:
  %sl = add i64 %s2, {signed(STEP)}
  %left = sub i64 %count, %at2
  %j0 = call i64 @drawn(i64 %sl, i64 %left)
  %j = add i64 %at2, %j0
  %pj = getelementptr i64, ptr %row, i64 %j
  %cj = load i64, ptr %pj
  %pa = getelementptr i64, ptr %row, i64 %at2
  %ca = load i64, ptr %pa
  store i64 %ca, ptr %pj
  br label %put
plain:
  %pp = getelementptr i64, ptr %row, i64 %at2
  %cp = load i64, ptr %pp
  br label %put
put:
  %c = phi i64 [ %cj, %lot ], [ %cp, %plain ]
  %sn = phi i64 [ %sl, %lot ], [ %s2, %plain ]
  %cm = {"add i64 %c, 0" if mask == "i64" else f"zext i64 %c to {mask}"}
  %bit = shl {mask} 1, %cm
  %setn = or {mask} %set, %bit
  %atn = add i64 %at2, 1
  %knext = add i64 %k, 1
  br label %card
dealt:
  %at3 = phi i64 [ %at2, %card ]
  %s3 = phi i64 [ %s2, %card ]
  %ps = getelementptr {mask}, ptr %sets, i64 %p
  %old = load {mask}, ptr %ps, align 8
  %new = or {mask} %old, %set
  store {mask} %new, ptr %ps, align 8
  %pnext = add i64 %p, 1
  br label %place
rest:
  br label %rhead
rhead:
  %i = phi i64 [ %at, %rest ], [ %inext, %rbody ]
  %rs = phi i64 [ %s, %rest ], [ %rs2, %rbody ]
  %rmore = icmp slt i64 %i, %c1
  br i1 %rmore, label %rbody, label %shift
rbody:
  %rs2 = add i64 %rs, {signed(STEP)}
  %rleft = sub i64 %count, %i
  %rj0 = call i64 @drawn(i64 %rs2, i64 %rleft)
  %rj = add i64 %i, %rj0
  %ra = getelementptr i64, ptr %row, i64 %i
  %rb = getelementptr i64, ptr %row, i64 %rj
  %rva = load i64, ptr %ra
  %rvb = load i64, ptr %rb
  store i64 %rvb, ptr %ra
  store i64 %rva, ptr %rb
  %inext = add i64 %i, 1
  br label %rhead
shift:
  %f = phi i64 [ %out, %rhead ], [ %fnext, %sbody ]
  %fmore = icmp slt i64 %f, %count
  br i1 %fmore, label %sbody, label %done
sbody:
  %fp = getelementptr i64, ptr %row, i64 %f
  %fv = load i64, ptr %fp
  %t = sub i64 %f, %out
  %tp = getelementptr i64, ptr %row, i64 %t
  store i64 %fv, ptr %tp
  %fnext = add i64 %f, 1
  br label %shift
done:
  ret i64 %after
}}
define internal i64 @floor_div(i64 %a, i64 %b) alwaysinline nounwind {{
  %q = sdiv i64 %a, %b
  %r = srem i64 %a, %b
  %x = xor i64 %r, %b
  %n = icmp slt i64 %x, 0
  %z = icmp ne i64 %r, 0
  %d = and i1 %n, %z
  %e = zext i1 %d to i64
  %f = sub i64 %q, %e
  ret i64 %f
}}
"""

    def many(self) -> str:
        """Whole games of many seeds, one after the other; for each the number of moves, or -1, and its results."""
        memory, kept = self.memory, [self.memory.results]
        lines = []
        position = 1
        for offset, count in kept[0]:
            lines += [
                f"  %src{position} = getelementptr i64, ptr %s, i64 {offset}",
                f"  %dst{position} = getelementptr i64, ptr %row, i64 {position}",
                f"  call void @llvm.memcpy.p0.p0.i64(ptr %dst{position}, ptr %src{position}, i64 {8 * count}, i1 false)",
            ]
            position += count
        first = [
            line
            for offset, count, value in memory.not_zero
            for line in self.filled(offset, count, value)
        ]
        return "\n".join(
            [
                "define internal void @begin(ptr %s, i64 %seed) nounwind {",
                f"  call void @llvm.memset.p0.i64(ptr %s, i8 0, i64 {8 * memory.size}, i1 false)",
                *first,
                "  %chance = call i64 @stream(i64 %seed, i64 0)",
                f"  %pc = getelementptr i64, ptr %s, i64 {memory.offset(PC)}",
                "  store i64 -1, ptr %pc",
                f"  %rng = getelementptr i64, ptr %s, i64 {memory.CHANCE}",
                "  store i64 %chance, ptr %rng",
                "  %choices = call i64 @stream(i64 %seed, i64 1)",
                f"  %lots = getelementptr i64, ptr %s, i64 {memory.CHOICES}",
                "  store i64 %choices, ptr %lots",
                "  ret void",
                "}",
                "define void @start(ptr %s, i64 %seed) nounwind {",
                "  call void @begin(ptr %s, i64 %seed)",
                "  ret void",
                "}",
                "define void @play_many(ptr %s, i64 %first, i64 %count, ptr %moves, ptr %results, ptr %trail, ptr %counts, i64 %width) nounwind {",
                "entry:",
                "  br label %head",
                "head:",
                "  %i = phi i64 [ 0, %entry ], [ %next, %body ]",
                "  %more = icmp slt i64 %i, %count",
                "  br i1 %more, label %body, label %done",
                "body:",
                "  %seed = add i64 %first, %i",
                "  call void @begin(ptr %s, i64 %seed)",
                f"  %tfar = mul i64 %i, {2 * MAX_MOVES_IN_GAME if self.trail else 0}",
                "  %tr = getelementptr i64, ptr %trail, i64 %tfar",
                "  %cfar = mul i64 %i, %width",
                "  %co = getelementptr i64, ptr %counts, i64 %cfar",
                "  %n = call i64 @run(ptr %s, i64 0, i64 0, ptr %tr, ptr %co)",
                "  %mp = getelementptr i64, ptr %moves, i64 %i",
                "  store i64 %n, ptr %mp",
                f"  %far = mul i64 %i, {memory.result_width}",
                "  %row = getelementptr i64, ptr %results, i64 %far",
                f"  %wp = getelementptr i64, ptr %s, i64 {memory.winners}",
                "  %w = load i64, ptr %wp",
                "  store i64 %w, ptr %row",
                *lines,
                "  %next = add i64 %i, 1",
                "  br label %head",
                "done:",
                "  ret void",
                "}",
            ]
        )

    def filled(self, offset: int, count: int, value: int) -> list[str]:
        lines = []
        for i in range(count):
            lines += [
                f"  %fill{offset + i} = getelementptr i64, ptr %s, i64 {offset + i}",
                f"  store i64 {value}, ptr %fill{offset + i}",
            ]
        return lines


class _Function:
    """One function as it is written: blocks, and a place on the stack for every variable."""

    def __init__(self, module: _Module, name: str) -> None:
        self.m = module
        self.name = name
        self.lines: list[str] = []
        self.locals: dict[str, str] = {}
        self.number = 0
        self.leaves: list[str] = []
        self.is_run = False
        self.open = True
        self.sites: dict[int, list[str]] = {}
        self.calls: Counter[int] = Counter()
        self.marks: list[int] = []

    # ---- lines ------------------------------------------------------------------------------------------------------

    def __call__(self, line: str) -> None:
        if self.open:
            self.lines.append("  " + line)

    def new(self, hint: str = "v") -> str:
        self.number += 1
        return f"%{hint}{self.number}"

    def value(self, text: str) -> str:
        name = self.new()
        self(f"{name} = {text}")
        return name

    def label(self, name: str) -> None:
        """A new block; the one before it goes on into it."""
        if self.open:
            self.lines.append(f"  br label {name}")
        self.lines.append(f"{name[1:]}:")
        self.open = True

    def jump(self, name: str) -> None:
        self(f"br label {name}")
        self.open = False

    def branch(self, condition: str, yes: str, no: str) -> None:
        self(f"br i1 {condition}, label {yes}, label {no}")
        self.open = False

    # ---- whole functions --------------------------------------------------------------------------------------------

    def function(self, function: c.Function) -> str:
        parameters = "".join(f", i64 %p_{p.name}" for p in function.parameters)
        for parameter in function.parameters:
            self(f"store i64 %p_{parameter.name}, ptr {self.local(parameter)}")
        self.body(function.body)
        self("ret i64 0")
        head = f"define internal i64 @{function.name}(ptr noalias %s{parameters}) nounwind {{"
        return "\n".join([head, "entry:", *self.allocas(), *self.lines, "}"])

    def allocas(self) -> list[str]:
        return [f"  {name} = alloca {type}" for name, type in self.locals.items()]

    def run(self) -> str:
        self.is_run = True
        game = self.m.game
        _count(game.body, self.calls)
        memory = self.m.memory
        for var, text in ((MODE, "%mode"), (GIVEN, "%given")):
            self(f"store i64 {text}, ptr {self.local(var)}")
        self(f"store i64 0, ptr {self.local(DONE)}")
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
            # whoever begins a game to come to its first decision has, so to speak, decided
            self(f"store i64 1, ptr {self.local(DONE)}")
        self.body(game.body)
        self("ret i64 -1")
        self.open = False
        self.routines()
        if game.marks:
            self.label("%resume")
            cases = " ".join(f"i64 {mark}, label %mark{mark}" for mark in self.marks)
            self.lines.append(f"  switch i64 {pc}, label %lost [ {cases} ]")
            self.lines.append("lost:")
            self.lines.append("  ret i64 -1")
        own = [f"  %draws = alloca [{BLOCK} x i64]"]
        own += [f"  {name} = alloca i64" for name in ("%at", "%moves", "%chance", "%choices")]
        head = "define i64 @run(ptr noalias %s, i64 %mode, i64 %given, ptr noalias %trail, ptr noalias %counts) nounwind {"
        return "\n".join([head, "entry:", *own, *self.allocas(), *self.lines, "}"])

    def routines(self) -> None:
        """What is carried out from several places, written once."""
        done: set[int] = set()
        while len(done) < len(self.sites):
            for number in [n for n in self.sites if n not in done]:
                done.add(number)
                routine = self.m.game.writer.routines[number]
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
            cases = " ".join(f"i64 {site}, label {label}" for site, label in enumerate(sites))
            self.lines = [line.replace(f"@SITES{number}@", cases) for line in self.lines]

    # ---- variables --------------------------------------------------------------------------------------------------

    def local(self, var: c.Var) -> str:
        name = f"%x_{var.name}"
        self.locals.setdefault(name, self.m.type(var.kind))
        return name

    def at(self, var: c.Var) -> tuple[str, str]:
        """Where a variable is, and what a load or store of it says."""
        if not var.kept:
            return self.local(var), ""
        offset = self.m.memory.offset(var)
        return self.value(f"getelementptr i64, ptr %s, i64 {offset}"), f", align 8{self.m.tag(var.name)}"

    def element(self, array: c.Array, index: c.Expr) -> tuple[str, str]:
        at, type = self.expr(index), self.m.type(array.kind)
        if array.values is not None:
            return self.value(f"getelementptr {type}, ptr @{array.name}, i64 {at}"), self.m.tag(array.name)
        if array.name == "counts":
            return self.value(f"getelementptr i64, ptr %counts, i64 {at}"), self.m.tag("counts")
        start = self.value(f"getelementptr i64, ptr %s, i64 {self.m.memory.offset(array)}")
        return self.value(f"getelementptr {type}, ptr {start}, i64 {at}"), f", align 8{self.m.tag(array.name)}"

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
                if isinstance(step.value, c.Ask) and step.value.function.fails:
                    self.check()
            case c.Store():
                value = self.expr(step.value)
                at, says = self.element(step.array, step.index)
                self(f"store {self.m.type(step.array.kind)} {value}, ptr {at}{says}")
            case c.When():
                self.when(step)
            case c.Loop():
                head, after = self.new("loop"), self.new("after")
                self.label(head)
                self.leaves.append(after)
                self.body(step.body)
                if self.open:
                    self.jump(head)
                self.leaves.pop()
                self.label(after)
            case c.Leave():
                self.jump(self.leaves[-1])
            case c.Count():
                self.count(step)
            case c.Cards():
                self.cards(step)
            case c.Return():
                self.ret(self.expr(step.value), step)
            case c.Fail():
                self.fail()
            case c.Shuffle():
                values = ", ".join(f"i64 {self.expr(part)}" for part in (step.start, step.count, step.needed))
                row, _ = self.element(step.row, c.ZERO)
                state = self.value("load i64, ptr %chance")
                after = self.value(f"call i64 @shuffle(ptr {row}, {values}, i64 {state})")
                self(f"store i64 {after}, ptr %chance")
            case c.ShuffleAndDeal():
                values = ", ".join(f"i64 {self.expr(part)}" for part in (step.count, step.size))
                row, _ = self.element(step.row, c.ZERO)
                sets, _ = self.element(step.sets, c.ZERO)
                state = self.value("load i64, ptr %chance")
                dealt = f"ptr {row}, {values}, ptr {sets}, i64 {step.sets.size}, i64 {state}"
                self(f"store i64 {self.value(f'call i64 @shuffle_and_deal({dealt})')}, ptr %chance")
            case c.DrawChance():
                below = self.expr(step.below)
                state = self.value("load i64, ptr %chance")
                after = self.value(f"add i64 {state}, {signed(STEP)}")
                self(f"store i64 {after}, ptr %chance")
                at, says = self.at(step.var)
                self(f"store i64 {self.value(f'call i64 @drawn(i64 {after}, i64 {below})')}, ptr {at}{says}")
            case c.DrawChoice():
                self.draw_choice(step)
            case c.Perform():
                self.perform(step.routine)
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

    def test(self, condition: c.Expr, yes: str, no: str) -> None:
        """Goes on at one place or at the other."""
        match condition:
            case c.Both():
                middle = self.new("and")
                self.test(condition.left, middle, no)
                self.label(middle)
                self.test(condition.right, yes, no)
            case c.Either():
                middle = self.new("or")
                self.test(condition.left, yes, middle)
                self.label(middle)
                self.test(condition.right, yes, no)
            case c.Inverse():
                self.test(condition.value, no, yes)
            case _:
                self.branch(self.expr(condition), yes, no)

    def count(self, step: c.Count) -> None:
        stop, first = self.expr(step.stop), self.expr(step.first)
        counter = c.Var(f"{step.var.name}_i")
        at = self.local(counter)
        self(f"store i64 {first}, ptr {at}")
        head, inside, after = self.new("loop"), self.new("inside"), self.new("after")
        self.label(head)
        number = self.value(f"load i64, ptr {at}")
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
        if self.m.trail:
            made = self.value(f"add i64 {self.value('load i64, ptr %moves')}, {now}")
            twice = self.value(f"shl i64 {made}, 1")
            first = self.value(f"getelementptr i64, ptr %trail, i64 {twice}")
            self(f"store i64 {options}, ptr {first}")
            self(f"store i64 {pick}, ptr {self.value(f'getelementptr i64, ptr {first}, i64 1')}")
        self(f"store i64 {self.value(f'add i64 {now}, 1')}, ptr %at")

    def perform(self, routine: c.Routine) -> None:
        if self.calls[routine.number] == 1:
            self.body(routine.body)
            return
        sites = self.sites.setdefault(routine.number, [])
        after = self.new("after")
        at = self.value(f"getelementptr i64, ptr %s, i64 {self.m.memory.returns[routine.number]}")
        self(f"store i64 {len(sites)}, ptr {at}{self.m.tag(f'return {routine.number}')}")
        sites.append(after)
        self.jump(f"%routine{routine.number}")
        self.lines.append(f"{after[1:]}:")
        self.open = True

    # ---- expressions ------------------------------------------------------------------------------------------------

    def lowest(self, cards: str) -> str:
        mask = self.m.mask
        found = self.value(f"call {mask} @llvm.cttz.{mask}({mask} {cards}, i1 true)")
        return self.narrowed(found)

    def narrowed(self, value: str) -> str:
        return value if self.m.mask == "i64" else self.value(f"trunc {self.m.mask} {value} to i64")

    def widened(self, value: str) -> str:
        return value if self.m.mask == "i64" else self.value(f"zext i64 {value} to {self.m.mask}")

    def expr(self, expr: c.Expr) -> str:
        m, mask = self.m, self.m.mask
        match expr:
            case c.Number():
                return str(signed(expr.value, m.memory.mask_bits) if expr.kind == "m" else expr.value)
            case c.Var():
                at, says = self.at(expr)
                return self.value(f"load {m.type(expr.kind)}, ptr {at}{says}")
            case c.Load():
                at, says = self.element(expr.array, expr.index)
                return self.value(f"load {m.type(expr.kind)}, ptr {at}{says}")
            case c.Binary():
                return self.binary(expr)
            case c.Compare():
                left, right = self.expr(expr.left), self.expr(expr.right)
                return self.value(f"icmp {SIGNED[expr.op]} {m.type(expr.left.kind)} {left}, {right}")
            case c.Both() | c.Either():
                return self.chosen(expr, c.YES, c.NO)
            case c.Inverse():
                return self.value(f"xor i1 {self.expr(expr.value)}, true")
            case c.Select():
                return self.chosen(expr.condition, expr.then, expr.otherwise)
            case c.Bit():
                return self.value(f"shl {mask} 1, {self.widened(self.expr(expr.card))}")
            case c.Size():
                count = self.value(f"call {mask} @llvm.ctpop.{mask}({mask} {self.expr(expr.cards)})")
                return self.narrowed(count)
            case c.Lowest():
                return self.lowest(self.expr(expr.cards))
            case c.Highest():
                zeros = self.value(f"call {mask} @llvm.ctlz.{mask}({mask} {self.expr(expr.cards)}, i1 true)")
                return self.value(f"sub i64 {m.memory.mask_bits - 1}, {self.narrowed(zeros)}")
            case c.NthCard():
                cards, n = self.expr(expr.cards), self.expr(expr.n)
                return self.value(f"call i64 @nth({mask} {cards}, i64 {n})")
            case c.Ask():
                values = "".join(f", i64 {self.expr(part)}" for part in expr.arguments)
                return self.value(f"call i64 @{expr.function.name}(ptr %s{values})")
            case _:
                assert_never(expr)

    def chosen(self, condition: c.Expr, then: c.Expr, otherwise: c.Expr) -> str:
        """One of two values; only that one is worked out."""
        type = self.m.type(then.kind)
        yes, no, after = self.new("yes"), self.new("no"), self.new("after")
        self.test(condition, yes, no)
        ways = []
        for label, value in ((yes, then), (no, otherwise)):
            self.label(label)
            found = self.expr(value)
            last = self.new("end")
            self.label(last)
            ways.append(f"[ {found}, {last} ]")
            self.jump(after)
        self.label(after)
        return self.value(f"phi {type} {', '.join(ways)}")

    def binary(self, expr: c.Binary) -> str:
        left, right = self.expr(expr.left), self.expr(expr.right)
        type = self.m.type(expr.kind)
        if expr.op == "&~":
            not_right = self.value(f"xor {type} {right}, -1")
            return self.value(f"and {type} {left}, {not_right}")
        if expr.op == "//":
            return self.value(f"call i64 @floor_div(i64 {left}, i64 {right})")
        return self.value(f"{PLAIN[expr.op]} {type} {left}, {right}")


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
