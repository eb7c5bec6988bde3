"""What machine code needs to think ahead, as LLVM text: how good a position is, the best move by trying, play by it."""

from __future__ import annotations

from string import Template

from teufelswerk.compiled.context import ABSENT
from teufelswerk.compiled.modes import AHEAD, EFFORT, LEGAL, PC
from teufelswerk.compiled.targets.llvm_policy import APART, policy
from teufelswerk.compiled.targets.memory import Memory
from teufelswerk.compiled.written import Written
from teufelswerk.core.aim import worth_of_one, worth_of_winning

SEARCH = """
define internal i64 @worth(ptr noalias %s, i64 %seat) nounwind {
entry:
  br label %head
head:
  %p = phi i64 [ 0, %entry ], [ %next, %add ]
  %total = phi i64 [ 0, %entry ], [ %more, %add ]
  %mine = phi i64 [ 0, %entry ], [ %own, %add ]
  %any = icmp slt i64 %p, $players
  br i1 %any, label %add, label %done
add:
  %found = $standing
  %absent = icmp eq i64 %found, $none
  %value = select i1 %absent, i64 0, i64 %found
  %more = add i64 %total, %value
  %this = icmp eq i64 %p, %seat
  %own = select i1 %this, i64 %value, i64 %mine
  %next = add i64 %p, 1
  br label %head
done:
  %tp = getelementptr i64, ptr %s, i64 $trouble
  store i64 0, ptr %tp
  %times = mul i64 %mine, $players
  %ahead = sub i64 %times, %total
  %alone = icmp eq i64 $players, 1
  %far = select i1 %alone, i64 %mine, i64 %ahead
  %scaled = mul i64 %far, $unit
  %wp = getelementptr i64, ptr %s, i64 $winners
  %won = load i64, ptr %wp
  %over = icmp sge i64 %won, 0
  %shifted = lshr i64 %won, %seat
  %bit = and i64 %shifted, 1
  %is = icmp ne i64 %bit, 0
  %wins = and i1 %over, %is
  br i1 %wins, label %prize, label %nothing
prize:
  %sharing = call i64 @llvm.ctpop.i64(i64 %won)
  %part = udiv i64 $prize, %sharing
  %best = add i64 %scaled, %part
  ret i64 %best
nothing:
  ret i64 %scaled
}
define internal i64 @try(
    ptr noalias %s, ptr noalias %position, i64 %seat, i64 %option, i64 %seed, i64 %longest, ptr noalias %spent
) nounwind {
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %position, i64 $bytes, i1 false)
  %lots = getelementptr i64, ptr %s, i64 $choices
  %drawn = call i64 @stream(i64 %seed, i64 1)
  store i64 %drawn, ptr %lots
  %ep = getelementptr i64, ptr %s, i64 $effort
  store i64 0, ptr %ep
  %n = call i64 @run(ptr %s, i64 $play, i64 %option, i64 %longest, ptr null, ptr null)
  %made = load i64, ptr %spent
  %one = add i64 %made, 1
  %fine = icmp sge i64 %n, 0
  br i1 %fine, label %judge, label %fault
judge:
  %looked = load i64, ptr %ep
  %sum = add i64 %one, %looked
  store i64 %sum, ptr %spent
  %worth = call i64 @worth(ptr %s, i64 %seat)
  ret i64 %worth
fault:
  store i64 %one, ptr %spent
  %tp = getelementptr i64, ptr %s, i64 $trouble
  store i64 1, ptr %tp
  ret i64 0
}
define internal i64 @best(
    ptr noalias %s, ptr noalias %position, i64 %seed, i64 %tries, i64 %widest, i64 %longest, i64 %most, i64 %wild,
    ptr noalias %spent
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
  %dp = getelementptr i64, ptr %s, i64 $description
  %seat = load i64, ptr %dp
  %wide = icmp sgt i64 %options, %widest
  %count = select i1 %wide, i64 %widest, i64 %options
  %lot = call i64 @stream(i64 %seed, i64 2)
  %turned = urem i64 %lot, %options
  br label %option
option:
  %k = phi i64 [ 0, %several ], [ %knext, %compare ]
  %chosen = phi i64 [ -1, %several ], [ %now, %compare ]
  %top = phi i64 [ 0, %several ], [ %high, %compare ]
  %left = icmp slt i64 %k, %count
  br i1 %left, label %which, label %done
which:
  %spread = mul i64 %k, %options
  %step = udiv i64 %spread, %count
  %moved = add i64 %step, %turned
  %around = urem i64 %moved, %options
  %index = select i1 %wide, i64 %around, i64 %k
  br label %tried
tried:
  %t = phi i64 [ 0, %which ], [ %tnext, %trial ]
  %sum = phi i64 [ 0, %which ], [ %more, %trial ]
  %again = icmp slt i64 %t, %tries
  br i1 %again, label %bearable, label %compare
bearable:
  %so_far = load i64, ptr %spent
  %affordable = icmp slt i64 %so_far, %most
  br i1 %affordable, label %trial, label %enough
trial:
  %own = add i64 %seed, %t
  %worth = call i64 @game(
    ptr %s, ptr %position, i64 %seat, i64 %index, i64 %own, i64 %longest, i64 %wild, i64 %widest, i64 %most, ptr %spent
  )
  %more = add i64 %sum, %worth
  %tnext = add i64 %t, 1
  br label %tried
compare:
  %first = icmp eq i64 %k, 0
  %above = icmp sgt i64 %sum, %top
  %better = or i1 %first, %above
  %now = select i1 %better, i64 %index, i64 %chosen
  %high = select i1 %better, i64 %sum, i64 %top
  %knext = add i64 %k, 1
  br label %option
enough:
  %untried = icmp slt i64 %chosen, 0
  %any = select i1 %untried, i64 0, i64 %chosen
  ret i64 %any
done:
  ret i64 %chosen
}
define i64 @think(
    ptr noalias %s, ptr noalias %here, i64 %seat, i64 %option, i64 %seed, i64 %depth, i64 %tries, i64 %widest,
    i64 %longest, i64 %most, i64 %wild, ptr noalias %spent
) nounwind {
entry:
  br label %move
move:
  %d = phi i64 [ 0, %entry ], [ %dnext, %on ]
  %pick = phi i64 [ %option, %entry ], [ %found, %on ]
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %here, i64 $bytes, i1 false)
  %n = call i64 @run(ptr %s, i64 $play, i64 %pick, i64 1, ptr null, ptr null)
  call void @llvm.memcpy.p0.p0.i64(ptr %here, ptr %s, i64 $bytes, i1 false)
  %fault = icmp slt i64 %n, 0
  br i1 %fault, label %nothing, label %look
look:
  %pp = getelementptr i64, ptr %here, i64 $pc
  %pc = load i64, ptr %pp
  %wp = getelementptr i64, ptr %here, i64 $winners
  %won = load i64, ptr %wp
  %left = icmp slt i64 %pc, 0
  %over = icmp sge i64 %won, 0
  %ended = or i1 %left, %over
  br i1 %ended, label %end, label %deeper
deeper:
  %shallow = icmp slt i64 %d, %depth
  %made = load i64, ptr %spent
  %affordable = icmp slt i64 %made, %most
  %deep = and i1 %shallow, %affordable
  br i1 %deep, label %think, label %random
think:
  %far = mul i64 %d, $apart
  %lot = add i64 %seed, %far
  %found = call i64 @best(
    ptr %s, ptr %here, i64 %lot, i64 %tries, i64 %widest, i64 %longest, i64 %most, i64 %wild, ptr %spent
  )
  %stuck = icmp slt i64 %found, 0
  br i1 %stuck, label %nothing, label %on
on:
  %dnext = add i64 %d, 1
  br label %move
random:
  %result = call i64 @game(
    ptr %s, ptr %here, i64 %seat, i64 -1, i64 %seed, i64 %longest, i64 %wild, i64 %widest, i64 %most, ptr %spent
  )
  br label %done
end:
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %here, i64 $bytes, i1 false)
  %worth = call i64 @worth(ptr %s, i64 %seat)
  br label %done
done:
  %all = phi i64 [ %result, %random ], [ %worth, %end ]
  %tp = getelementptr i64, ptr %s, i64 $trouble
  %bad = load i64, ptr %tp
  %faulty = icmp ne i64 %bad, 0
  %found_own = $own
  %own = select i1 %faulty, i64 $none, i64 %found_own
  %op = getelementptr i64, ptr %spent, i64 1
  store i64 %own, ptr %op
  ret i64 %all
nothing:
  ret i64 0
}
"""


def search(game: Written, memory: Memory) -> str:
    standing, description = game.standing, game.turns.description
    assert description is not None
    players = game.writer.players
    declared = "" if memory.mask_bits == 64 else "declare i64 @llvm.ctpop.i64(i64)\n"
    return (
        declared
        + Template(SEARCH).substitute(
            players=players,
            standing="add i64 0, 0" if standing is None else f"call i64 @{standing.name}(ptr %s, i64 %p)",
            own=f"add i64 0, {ABSENT}" if standing is None else f"call i64 @{standing.name}(ptr %s, i64 %seat)",
            none=ABSENT,
            unit=worth_of_one(game.core),
            prize=worth_of_winning(players),
            trouble=memory.TROUBLE,
            winners=memory.winners,
            choices=memory.CHOICES,
            pc=memory.offset(PC),
            description=memory.offset(description),
            effort=memory.offset(EFFORT),
            bytes=8 * memory.kept,
            play=AHEAD,
            legal=LEGAL,
            apart=APART,
        )
        + policy(game, memory)
    )
