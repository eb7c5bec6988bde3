"""What machine code needs to play by learned weights, as LLVM text: the choice that promises most, a game of such."""

from __future__ import annotations

from string import Template

from teufelswerk.compiled.modes import AHEAD, EFFORT, LEGAL, PC, SHOWN
from teufelswerk.compiled.targets.memory import Memory
from teufelswerk.compiled.written import Written

UNLEARNED = """
define internal i64 @game(
    ptr noalias %s, ptr noalias %position, i64 %seat, i64 %option, i64 %seed, i64 %longest, i64 %wild, i64 %widest,
    i64 %most, ptr noalias %spent
) nounwind {
  %worth = call i64 @try(ptr %s, ptr %position, i64 %seat, i64 %option, i64 %seed, i64 %longest, ptr %spent)
  ret i64 %worth
}
"""
LEARNED = """
define i64 @judged(ptr noalias %s, ptr noalias %position, i64 %seat) nounwind {
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %position, i64 $bytes, i1 false)
  %score = call i64 @$score(ptr %s, i64 %seat)
  ret i64 %score
}
define internal i64 @promising(
    ptr noalias %s, ptr noalias %position, i64 %lot, i64 %wild, i64 %widest, ptr noalias %spent
) nounwind {
entry:
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %position, i64 $bytes, i1 false)
  %options = call i64 @run(ptr %s, i64 $legal, i64 0, i64 1, ptr null, ptr null)
  %few = icmp sle i64 %options, 1
  br i1 %few, label %only, label %several
only:
  %none = icmp slt i64 %options, 1
  %forced = select i1 %none, i64 -1, i64 0
  ret i64 %forced
several:
  %made = load i64, ptr %spent
  %weighing = mul i64 %options, $weighing
  %sum = add i64 %made, %weighing
  store i64 %sum, ptr %spent
  %low = and i64 %lot, 127
  %high = lshr i64 %lot, 7
  %turned = urem i64 %high, %options
  %at_random = icmp slt i64 %low, %wild
  br i1 %at_random, label %any, label %weigh
any:
  ret i64 %turned
weigh:
  %dp = getelementptr i64, ptr %s, i64 $description
  %seat = load i64, ptr %dp
  %wide = icmp sgt i64 %options, %widest
  %count = select i1 %wide, i64 %widest, i64 %options
  br label %option
option:
  %k = phi i64 [ 0, %weigh ], [ %knext, %next ]
  %chosen = phi i64 [ -1, %weigh ], [ %now, %next ]
  %top = phi i64 [ 0, %weigh ], [ %best, %next ]
  %left = icmp slt i64 %k, %count
  br i1 %left, label %which, label %done
which:
  %spread = mul i64 %k, %options
  %step = udiv i64 %spread, %count
  %moved = add i64 %step, %turned
  %around = urem i64 %moved, %options
  %index = select i1 %wide, i64 %around, i64 %k
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %position, i64 $bytes, i1 false)
  %n = call i64 @run(ptr %s, i64 $shown, i64 %index, i64 1, ptr null, ptr null)
  %fine = icmp sge i64 %n, 0
  br i1 %fine, label %judge, label %next
judge:
  %ep = getelementptr i64, ptr %s, i64 $effort
  %after = load i64, ptr %ep
  %bp = getelementptr i64, ptr %position, i64 $effort
  %before = load i64, ptr %bp
  %listed = sub i64 %after, %before
  %so_far = load i64, ptr %spent
  %looked = add i64 %so_far, %listed
  store i64 %looked, ptr %spent
  %score = call i64 @$score(ptr %s, i64 %seat)
  %first = icmp slt i64 %chosen, 0
  %above = icmp sgt i64 %score, %top
  %better = or i1 %first, %above
  %taken = select i1 %better, i64 %index, i64 %chosen
  %higher = select i1 %better, i64 %score, i64 %top
  br label %next
next:
  %now = phi i64 [ %chosen, %which ], [ %taken, %judge ]
  %best = phi i64 [ %top, %which ], [ %higher, %judge ]
  %knext = add i64 %k, 1
  br label %option
done:
  ret i64 %chosen
}
define internal i64 @follow(
    ptr noalias %s, ptr noalias %position, i64 %seat, i64 %option, i64 %seed, i64 %longest, i64 %wild, i64 %widest,
    i64 %most, ptr noalias %spent
) nounwind {
entry:
  %here = alloca [$words x i64]
  call void @llvm.memcpy.p0.p0.i64(ptr %here, ptr %position, i64 $bytes, i1 false)
  %given = icmp sge i64 %option, 0
  br i1 %given, label %move, label %choose
move:
  %d = phi i64 [ 0, %entry ], [ %dnext, %on ]
  %pick = phi i64 [ %option, %entry ], [ %found, %on ]
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %here, i64 $bytes, i1 false)
  %n = call i64 @run(ptr %s, i64 $play, i64 %pick, i64 1, ptr null, ptr null)
  call void @llvm.memcpy.p0.p0.i64(ptr %here, ptr %s, i64 $bytes, i1 false)
  %so_far = load i64, ptr %spent
  %more = add i64 %so_far, 1
  store i64 %more, ptr %spent
  %fault = icmp slt i64 %n, 0
  br i1 %fault, label %nothing, label %look
look:
  %pp = getelementptr i64, ptr %here, i64 $pc
  %pc = load i64, ptr %pp
  %wp = getelementptr i64, ptr %here, i64 $winners
  %won = load i64, ptr %wp
  %gone = icmp slt i64 %pc, 0
  %over = icmp sge i64 %won, 0
  %ended = or i1 %gone, %over
  %long = icmp sge i64 %d, %longest
  %dear = icmp sge i64 %more, %most
  %enough = or i1 %long, %dear
  %stop = or i1 %ended, %enough
  br i1 %stop, label %end, label %choose
choose:
  %before = phi i64 [ 0, %entry ], [ %d, %look ]
  %dnext = add i64 %before, 1
  %far = mul i64 %dnext, $apart
  %lots = add i64 %seed, %far
  %lot = call i64 @stream(i64 %lots, i64 2)
  %found = call i64 @promising(ptr %s, ptr %here, i64 %lot, i64 %wild, i64 %widest, ptr %spent)
  %stuck = icmp slt i64 %found, 0
  br i1 %stuck, label %nothing, label %on
on:
  br label %move
end:
  %worth = call i64 @worth(ptr %s, i64 %seat)
  ret i64 %worth
nothing:
  %tp = getelementptr i64, ptr %s, i64 $trouble
  store i64 1, ptr %tp
  ret i64 0
}
define internal i64 @game(
    ptr noalias %s, ptr noalias %position, i64 %seat, i64 %option, i64 %seed, i64 %longest, i64 %wild, i64 %widest,
    i64 %most, ptr noalias %spent
) nounwind {
  %learned = icmp sge i64 %wild, 0
  br i1 %learned, label %well, label %anyhow
well:
  %worth = call i64 @follow(
    ptr %s, ptr %position, i64 %seat, i64 %option, i64 %seed, i64 %longest, i64 %wild, i64 %widest, i64 %most,
    ptr %spent
  )
  ret i64 %worth
anyhow:
  %guess = call i64 @try(ptr %s, ptr %position, i64 %seat, i64 %option, i64 %seed, i64 %longest, ptr %spent)
  ret i64 %guess
}
"""
APART = 1_000_003
"""The seeds of one decision and the next lie so far apart."""

WEIGHING = 4
"""To weigh what can be told of a move takes as long as to look at so many choices."""


def policy(game: Written, memory: Memory) -> str:
    """Games in somebody's head: by learned weights if there are any and they are asked for, else at random."""
    description = game.turns.description
    if game.weighing is None or description is None:
        return UNLEARNED
    return Template(LEARNED).substitute(
        score=game.weighing.function.name,
        bytes=8 * memory.kept,
        words=memory.kept,
        legal=LEGAL,
        shown=SHOWN,
        play=AHEAD,
        pc=memory.offset(PC),
        winners=memory.winners,
        trouble=memory.TROUBLE,
        description=memory.offset(description),
        apart=APART,
        weighing=WEIGHING,
        effort=memory.offset(EFFORT),
    )
