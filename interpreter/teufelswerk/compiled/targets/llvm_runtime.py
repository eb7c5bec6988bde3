"""What machine code needs beside a game's own instructions, as LLVM text: bits, chance, shuffling, many whole games."""

from __future__ import annotations

from string import Template

from teufelswerk.base.chance import BLOCK, STEP
from teufelswerk.base.limits import MAX_MOVES_IN_GAME
from teufelswerk.compiled.modes import PC
from teufelswerk.compiled.targets.memory import Memory

DECLARED = """
declare $mask @llvm.ctpop.$mask($mask)
declare $mask @llvm.cttz.$mask($mask, i1)
declare $mask @llvm.ctlz.$mask($mask, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
"""
NTH = """
define internal i64 @nth($mask %cards, i64 %n) alwaysinline nounwind {
entry:
  br label %loop
loop:
  %rest = phi $mask [ %cards, %entry ], [ %less, %again ]
  %left = phi i64 [ %n, %entry ], [ %fewer, %again ]
  %done = icmp eq i64 %left, 0
  br i1 %done, label %found, label %again
again:
  %minus = sub $mask %rest, 1
  %less = and $mask %rest, %minus
  %fewer = sub i64 %left, 1
  br label %loop
found:
  %card = call $mask @llvm.cttz.$mask($mask %rest, i1 true)
  %number = $narrowed
  ret i64 %number
}
"""
NTH_BY_SPREADING = """
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
define internal i64 @nth(i64 %cards, i64 %n) alwaysinline nounwind {
  %one = shl i64 1, %n
  %bit = call i64 @llvm.x86.bmi.pdep.64(i64 %one, i64 %cards)
  %card = call i64 @llvm.cttz.i64(i64 %bit, i1 true)
  ret i64 %card
}
"""
CHANCE = """
define internal i64 @mixed(i64 %state) alwaysinline nounwind {
  %a = lshr i64 %state, 30
  %b = xor i64 %state, %a
  %c = mul i64 %b, $first_factor
  %d = lshr i64 %c, 27
  %e = xor i64 %c, %d
  %f = mul i64 %e, $second_factor
  %g = lshr i64 %f, 31
  %h = xor i64 %f, %g
  ret i64 %h
}
define internal i64 @stream(i64 %seed, i64 %number) alwaysinline nounwind {
  %a = mul i64 %number, $apart
  %b = xor i64 %seed, %a
  %c = add i64 %b, $step
  %d = call i64 @mixed(i64 %c)
  ret i64 %d
}
define internal i64 @drawn(i64 %state, i64 %below) alwaysinline nounwind {
  %a = call i64 @mixed(i64 %state)
  %b = lshr i64 %a, 32
  %c = mul i64 %b, %below
  %d = lshr i64 %c, 32
  ret i64 %d
}
define internal i64 @refill(ptr noalias %draws, i64 %first) noinline nounwind {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %number = add i64 %i, 1
  %far = mul i64 %number, $step
  %state = add i64 %first, %far
  %a = call i64 @mixed(i64 %state)
  %b = lshr i64 %a, 32
  %at = getelementptr i64, ptr %draws, i64 %i
  store i64 %b, ptr %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, $block
  br i1 %more, label %loop, label %done, !llvm.loop !900000
done:
  %after = add i64 %first, $whole_block
  ret i64 %after
}
; a long loop, in which several draws are made at a time
!900000 = distinct !{!900000, !900001}
!900001 = !{!"llvm.loop.vectorize.enable", i1 true}
"""
SHUFFLING = """
define internal i64 @shuffle(ptr noalias %row, i64 %start, i64 %count, i64 %needed, i64 %state) noinline nounwind {
entry:
  %few = icmp slt i64 %count, 2
  br i1 %few, label %none, label %go
none:
  ret i64 %state
go:
  %c1 = sub i64 %count, 1
  %far = mul i64 %c1, $step
  %after = add i64 %state, %far
  br label %head
head:
  %i = phi i64 [ 0, %go ], [ %next, %body ]
  %s = phi i64 [ %state, %go ], [ %s2, %body ]
  %more = icmp slt i64 %i, %needed
  br i1 %more, label %body, label %done
body:
  %s2 = add i64 %s, $step
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
}
define internal i64 @shuffle_and_deal(
    ptr noalias %row, i64 %count, i64 %size, ptr noalias %sets, i64 %places, i64 %state
) noinline nounwind {
entry:
  %out = mul i64 %size, %places
  %whole = icmp eq i64 %out, %count
  %free = select i1 %whole, i64 %size, i64 1 ; who gets the last ones needs no draw
  %needed = sub i64 %count, %free
  %after = call i64 @shuffle(ptr %row, i64 0, i64 %count, i64 %needed, i64 %state)
  br label %place
place:
  %p = phi i64 [ 0, %entry ], [ %pnext, %dealt ]
  %at = phi i64 [ 0, %entry ], [ %end, %dealt ]
  %pmore = icmp slt i64 %p, %places
  br i1 %pmore, label %card, label %rest
card:
  %end = add i64 %at, %size
  br label %next
next:
  %k = phi i64 [ %at, %card ], [ %knext, %put ]
  %set = phi $mask [ 0, %card ], [ %more, %put ]
  %left = icmp slt i64 %k, %end
  br i1 %left, label %put, label %dealt
put:
  %from = getelementptr i64, ptr %row, i64 %k
  %card0 = load i64, ptr %from
  %wide = $widened
  %bit = shl $mask 1, %wide
  %more = or $mask %set, %bit
  %knext = add i64 %k, 1
  br label %next
dealt:
  %ps = getelementptr $mask, ptr %sets, i64 %p
  %old = load $mask, ptr %ps, align 8
  %new = or $mask %old, %set
  store $mask %new, ptr %ps, align 8
  %pnext = add i64 %p, 1
  br label %place
rest:
  %stay = sub i64 %count, %out
  %bytes = mul i64 %stay, 8
  %first = getelementptr i64, ptr %row, i64 %out
  call void @llvm.memmove.p0.p0.i64(ptr %row, ptr %first, i64 %bytes, i1 false)
  ret i64 %after
}
"""
RESULTS = """
  %mp = getelementptr i64, ptr %moves, i64 %i
  store i64 %n, ptr %mp
  %far = mul i64 %i, $width
  %row = getelementptr i64, ptr %results, i64 %far
  %wp = getelementptr i64, ptr %s, i64 $winners
  %w = load i64, ptr %wp
  store i64 %w, ptr %row
"""
DIVISION = """
define internal i64 @floor_div(i64 %a, i64 %b) alwaysinline nounwind {
  %q = sdiv i64 %a, %b
  %r = srem i64 %a, %b
  %x = xor i64 %r, %b
  %n = icmp slt i64 %x, 0
  %z = icmp ne i64 %r, 0
  %d = and i1 %n, %z
  %e = zext i1 %d to i64
  %f = sub i64 %q, %e
  ret i64 %f
}
"""
START = """
define void @start(ptr %s, i64 %seed) nounwind {
  call void @llvm.memset.p0.i64(ptr %s, i8 0, i64 $bytes, i1 false) ; what is scratched may hold anything
$filled
  %chance = call i64 @stream(i64 %seed, i64 0)
  %pc = getelementptr i64, ptr %s, i64 $pc
  store i64 -1, ptr %pc
  %rng = getelementptr i64, ptr %s, i64 $chance
  store i64 %chance, ptr %rng
  %choices = call i64 @stream(i64 %seed, i64 1)
  %lots = getelementptr i64, ptr %s, i64 $choices
  store i64 %choices, ptr %lots
  ret void
}
"""
GAMES = """
define void @play_many(
    ptr %s, i64 %first, i64 %count, ptr %moves, ptr %results, ptr %trail, ptr %counts, i64 %width
) nounwind {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %body, label %done
body:
  %seed = add i64 %first, %i
  call void @start(ptr %s, i64 %seed)
  %tfar = mul i64 %i, $trail
  %tr = getelementptr i64, ptr %trail, i64 %tfar
  %cfar = mul i64 %i, %width
  %co = getelementptr i64, ptr %counts, i64 %cfar
  %n = call i64 @run(ptr %s, i64 0, i64 0, i64 0, ptr %tr, ptr %co)
$results
  %next = add i64 %i, 1
  br label %head
done:
  ret void
}
"""


def signed(value: int, bits: int = 64) -> int:
    """A number as LLVM writes it. Whatever a model holds, nothing but a number comes of it."""
    value = int(value)
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def words(memory: Memory, spread: bool) -> str:
    """What every game calls: bits, chance, shuffling. `spread`: see `native.can_spread`."""
    wide = memory.mask_bits > 64
    mask = f"i{memory.mask_bits}"
    text = DECLARED + (NTH_BY_SPREADING if spread and not wide else NTH) + CHANCE + SHUFFLING + DIVISION
    return Template(text).substitute(
        mask=mask,
        narrowed=f"trunc {mask} %card to i64" if wide else "add i64 %card, 0",
        widened=f"zext i64 %card0 to {mask}" if wide else "add i64 %card0, 0",
        first_factor=signed(0xBF58476D1CE4E5B9),
        second_factor=signed(0x94D049BB133111EB),
        apart=signed(0xD1B54A32D192ED03),
        step=signed(STEP),
        block=BLOCK,
        whole_block=signed(STEP * BLOCK & (1 << 64) - 1),
    )


def beginning(memory: Memory) -> str:
    """The position before the first instruction of a game."""
    filled = []
    for start, count, value in memory.not_zero:
        for offset in range(start, start + count):
            filled.append(f"  %fill{offset} = getelementptr i64, ptr %s, i64 {offset}")
            filled.append(f"  store i64 {value}, ptr %fill{offset}")
    return Template(START).substitute(
        bytes=8 * memory.kept,
        filled="\n".join(filled),
        pc=memory.offset(PC),
        chance=memory.CHANCE,
        choices=memory.CHOICES,
    )


def results(memory: Memory) -> str:
    """Writes down what came of the i-th game: the number of moves, the winners, what is kept of each player."""
    lines, position = [Template(RESULTS).substitute(width=memory.result_width, winners=memory.winners)], 1
    for offset, count in memory.results:
        lines += [
            f"  %src{position} = getelementptr i64, ptr %s, i64 {offset}",
            f"  %dst{position} = getelementptr i64, ptr %row, i64 {position}",
            f"  call void @llvm.memcpy.p0.p0.i64(ptr %dst{position}, ptr %src{position}, i64 {8 * count}, i1 false)",
        ]
        position += count
    return "\n".join(lines)


def whole_games(memory: Memory, trail: bool) -> str:
    """Whole games of many seeds, one after the other; for each the number of moves, or -1, and its results."""
    games = Template(GAMES).substitute(trail=2 * MAX_MOVES_IN_GAME if trail else 0, results=results(memory))
    return beginning(memory) + games
