"""What machine code needs beside a game's own instructions, as LLVM text: bits, chance, shuffling, many whole games."""

from __future__ import annotations

from teufelswerk.chance import STEP
from teufelswerk.compiled.memory import Memory
from teufelswerk.compiled.runtime import BLOCK
from teufelswerk.compiled.turns import PC
from teufelswerk.limits import MAX_MOVES_IN_GAME


def signed(value: int, bits: int = 64) -> int:
    """A number as LLVM writes it. Whatever a model holds, nothing but a number comes of it."""
    value = int(value)
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def words(memory: Memory, spread: bool) -> str:
    """What every game calls: bits, chance, shuffling. `spread`: see `native.can_spread`."""
    mask = f"i{memory.mask_bits}"
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
    if spread and mask == "i64":
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
define internal i64 @shuffle_and_deal(
    ptr noalias %row, i64 %count, i64 %size, ptr noalias %sets, i64 %places, i64 %state
) nounwind {{
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


def whole_games(memory: Memory, trail: bool) -> str:
    """Whole games of many seeds, one after the other; for each the number of moves, or -1, and its results."""
    parameters = "ptr %s, i64 %first, i64 %count, ptr %moves, ptr %results, ptr %trail, ptr %counts, i64 %width"
    lines = []
    position = 1
    for offset, count in memory.results:
        source = f"ptr %src{position}"
        lines += [
            f"  %src{position} = getelementptr i64, ptr %s, i64 {offset}",
            f"  %dst{position} = getelementptr i64, ptr %row, i64 {position}",
            f"  call void @llvm.memcpy.p0.p0.i64(ptr %dst{position}, {source}, i64 {8 * count}, i1 false)",
        ]
        position += count
    first = [line for offset, count, value in memory.not_zero for line in _filled(offset, count, value)]
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
            f"define void @play_many({parameters}) nounwind {{",
            "entry:",
            "  br label %head",
            "head:",
            "  %i = phi i64 [ 0, %entry ], [ %next, %body ]",
            "  %more = icmp slt i64 %i, %count",
            "  br i1 %more, label %body, label %done",
            "body:",
            "  %seed = add i64 %first, %i",
            "  call void @begin(ptr %s, i64 %seed)",
            f"  %tfar = mul i64 %i, {2 * MAX_MOVES_IN_GAME if trail else 0}",
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


def _filled(offset: int, count: int, value: int) -> list[str]:
    lines = []
    for i in range(count):
        lines += [
            f"  %fill{offset + i} = getelementptr i64, ptr %s, i64 {offset + i}",
            f"  store i64 {value}, ptr %fill{offset + i}",
        ]
    return lines
