"""What machine code needs to take games up at any position, as LLVM text: one step, many games played on at random."""

from __future__ import annotations

from string import Template

from teufelswerk.compiled.modes import STEP
from teufelswerk.compiled.targets.llvm_runtime import beginning, results
from teufelswerk.compiled.targets.memory import Memory

STEPS = """
define i64 @step(ptr noalias %s, ptr noalias %position, i64 %mode, i64 %given, i64 %left) nounwind {
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %position, i64 $bytes, i1 false)
  %n = call i64 @run(ptr %s, i64 %mode, i64 %given, i64 %left, ptr null, ptr null)
  %changes = icmp sle i64 %mode, $step
  br i1 %changes, label %back, label %done
back:
  call void @llvm.memcpy.p0.p0.i64(ptr %position, ptr %s, i64 $bytes, i1 false)
  br label %done
done:
  ret i64 %n
}
define void @playouts(
    ptr noalias %s, ptr noalias %position, i64 %first, i64 %count, i64 %mode, i64 %given, i64 %left,
    ptr noalias %moves, ptr noalias %results
) nounwind {
entry:
  %rng = getelementptr i64, ptr %s, i64 $chance
  %lots = getelementptr i64, ptr %s, i64 $choices
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %body, label %done
body:
  %seed = add i64 %first, %i
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %position, i64 $bytes, i1 false)
  %drawn = call i64 @stream(i64 %seed, i64 0)
  store i64 %drawn, ptr %rng
  %chosen = call i64 @stream(i64 %seed, i64 1)
  store i64 %chosen, ptr %lots
  %n = call i64 @run(ptr %s, i64 %mode, i64 %given, i64 %left, ptr null, ptr null)
$results
  %next = add i64 %i, 1
  br label %head
done:
  ret void
}
"""


def steps(memory: Memory) -> str:
    """A position and what happens to it. `run` works in a memory of its own; the position has nothing but what is kept.

    `step` asks one thing of a position, and changes it if that was to go on. `playouts` goes on from it with every one
    of many seeds; for each there is the number of moves, or -1, and what came of it.
    """
    text = Template(STEPS).substitute(
        bytes=8 * memory.kept, step=STEP, chance=memory.CHANCE, choices=memory.CHOICES, results=results(memory)
    )
    return beginning(memory) + text
