"""Moves with what was told of them and what came of them → the few numbers that tell it best, and what each weighs.

Within each decision only differences count. All sums are made in a fixed order: the same samples give the same digits.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from teufelswerk.engines import machine_code

SUMS = """
define void @sums(ptr noalias %x, ptr noalias %ends, i64 %n, i64 %d, ptr noalias %m, ptr noalias %g) nounwind {
entry:
  %row = shl i64 %d, 3
  br label %decision
decision:
  %k = phi i64 [ 0, %entry ], [ %knext, %added ]
  %a = phi i64 [ 0, %entry ], [ %b, %added ]
  %more = icmp slt i64 %k, %n
  br i1 %more, label %mean, label %done
mean:
  %knext = add i64 %k, 1
  %ep = getelementptr i64, ptr %ends, i64 %k
  %b = load i64, ptr %ep
  %count = sub i64 %b, %a
  %rows = sitofp i64 %count to double
  br label %column
column:
  %j = phi i64 [ 0, %mean ], [ %jnext, %centred ]
  %jleft = icmp slt i64 %j, %d
  br i1 %jleft, label %total, label %products
total:
  %r = phi i64 [ %a, %column ], [ %rnext, %one ]
  %sum = phi double [ 0.0, %column ], [ %plus, %one ]
  %rleft = icmp slt i64 %r, %b
  br i1 %rleft, label %one, label %minus
one:
  %at = mul i64 %r, %d
  %here = add i64 %at, %j
  %xp = getelementptr double, ptr %x, i64 %here
  %value = load double, ptr %xp
  %plus = fadd double %sum, %value
  %rnext = add i64 %r, 1
  br label %total
minus:
  %middle = fdiv double %sum, %rows
  br label %centre
centre:
  %q = phi i64 [ %a, %minus ], [ %qnext, %less ]
  %qleft = icmp slt i64 %q, %b
  br i1 %qleft, label %less, label %centred
less:
  %qat = mul i64 %q, %d
  %qhere = add i64 %qat, %j
  %qp = getelementptr double, ptr %x, i64 %qhere
  %old = load double, ptr %qp
  %new = fsub double %old, %middle
  store double %new, ptr %qp
  %qnext = add i64 %q, 1
  br label %centre
centred:
  %jnext = add i64 %j, 1
  br label %column
products:
  %s = phi i64 [ %a, %column ], [ %snext, %summed ]
  %sleft = icmp slt i64 %s, %b
  br i1 %sleft, label %factors, label %added
factors:
  %sat = mul i64 %s, %d
  %line = getelementptr double, ptr %x, i64 %sat
  br label %factor
factor:
  %i = phi i64 [ 0, %factors ], [ %inext, %factored ]
  %ileft = icmp slt i64 %i, %d
  br i1 %ileft, label %first, label %summed
first:
  %ip = getelementptr double, ptr %line, i64 %i
  %left = load double, ptr %ip
  %nothing = fcmp oeq double %left, 0.0
  br i1 %nothing, label %factored, label %others
others:
  %iat = mul i64 %i, %d
  %into = getelementptr double, ptr %g, i64 %iat
  br label %other
other:
  %c = phi i64 [ 0, %others ], [ %cnext, %other ]
  %cp = getelementptr double, ptr %line, i64 %c
  %right = load double, ptr %cp
  %product = fmul double %left, %right
  %gp = getelementptr double, ptr %into, i64 %c
  %before = load double, ptr %gp
  %after = fadd double %before, %product
  store double %after, ptr %gp
  %cnext = add i64 %c, 1
  %cleft = icmp slt i64 %cnext, %d
  br i1 %cleft, label %other, label %factored
factored:
  %inext = add i64 %i, 1
  br label %factor
summed:
  %snext = add i64 %s, 1
  br label %products
added:
  br label %decision
done:
  ret void
}
"""
"""Takes from the columns of each decision their mean, and adds up the products of all columns with one another."""
SURE = 14.0
"""What a number tells has to be so many times as much as chance would make of it."""
MOST = 16
"""So many numbers are weighed for a move at most."""
RIDGE = 1e-4
SCALE = 10_000
"""What the strongest number moves by as a rule is worth so much."""


class Told(NamedTuple):
    """A choice that somebody had: which move, the numbers that can be told of it, what came of it."""

    move: str
    numbers: Sequence[int]
    worth: float


Decision = Sequence[Told]
Column = tuple[str, int]
"""A move, and which of the numbers that can be told of it."""


def fitted(decisions: Sequence[Decision], rows: Mapping[str, Sequence[str]]) -> dict[str, dict[str, int]]:
    """By move, what the numbers weigh that tell most; `rows` has the names of all that can be told."""
    found: dict[str, dict[str, int]] = {}
    for group in together(decisions):
        mine = [decision for decision in decisions if decision[0].move in group]
        columns: list[Column] = []
        for move in group:
            every = [(move, index) for index in range(len(rows[move]))]
            columns += selected(mine, every)[0] if len(group) > 1 else every
        columns, weights = selected(mine, columns)
        for (move, index), weight in zip(columns, weights, strict=True):
            found.setdefault(move, {})[rows[move][index]] = weight
    return found


def together(decisions: Sequence[Decision]) -> list[list[str]]:
    """The moves that are compared with one another, directly or by way of others."""
    groups: list[set[str]] = []
    for moves in {frozenset(told.move for told in decision): None for decision in decisions}:
        joined = set(moves).union(*(group for group in groups if group & moves))
        groups = [group for group in groups if not group & moves] + [joined]
    return sorted(map(sorted, groups))


@cache
def _sums() -> Any:
    number, row = machine_code.NUMBER, machine_code.ARRAY
    library = machine_code.Library(SUMS, "sums")
    return library, library.function("sums", None, row, row, number, number, row, row)


def products(decisions: Sequence[Decision], columns: Sequence[Column]) -> tuple[list[array[float]], int]:
    """The sums of the products of all columns, the last being what came of it; and how many choices there were."""
    table, ends, count, size = array("d"), array("q"), 0, len(columns) + 1
    empty = [0.0] * len(columns)
    places: dict[str, list[tuple[int, int]]] = {}
    for place, (move, index) in enumerate(columns):
        places.setdefault(move, []).append((place, index))
    for decision in decisions:
        for told in decision:
            line = empty[:]
            for place, index in places.get(told.move, ()):
                line[place] = told.numbers[index]
            line.append(told.worth)
            table.extend(line)
            count += 1
        ends.append(count)
    mean, sums = array("d", bytes(8 * size)), array("d", bytes(8 * size * size))
    given = table.buffer_info()[0], ends.buffer_info()[0], len(ends), size
    _sums()[1](*given, mean.buffer_info()[0], sums.buffer_info()[0])
    return [sums[at : at + size] for at in range(0, size * size, size)], count


def selected(decisions: Sequence[Decision], columns: Sequence[Column]) -> tuple[list[Column], list[int]]:
    """The columns that together tell most, one after the other as long as one more tells anything; their weights."""
    sums, count = products(decisions, columns)
    size, most = len(columns), MOST * len({move for move, _ in columns})
    spread = [sums[i][i] for i in range(size)]
    usable = [i for i in range(size) if spread[i] > 1e-6 * count]
    chosen: list[int] = []
    weights: list[float] = []
    left = sums[size][size]
    while len(chosen) < most and left > 0:
        rest = {
            i: sums[i][size] - sum(sums[i][j] * w for j, w in zip(chosen, weights, strict=True))
            for i in usable
            if i not in chosen
        }
        best = max(rest, key=lambda i: rest[i] * rest[i] / spread[i], default=-1)
        if best < 0 or rest[best] ** 2 / spread[best] * count < SURE * left:
            break
        chosen.append(best)
        weights = solved(sums, chosen, size)
        left = sums[size][size] - sum(w * sums[j][size] for j, w in zip(chosen, weights, strict=True))
    strongest = max((abs(w) * (spread[i] / count) ** 0.5 for i, w in zip(chosen, weights, strict=True)), default=1.0)
    rounded = [(columns[i], round(w * SCALE / strongest)) for i, w in zip(chosen, weights, strict=True)]
    kept = [(column, weight) for column, weight in rounded if weight]
    return [column for column, _ in kept], [weight for _, weight in kept]


def solved(sums: Sequence[Sequence[float]], chosen: Sequence[int], target: int) -> list[float]:
    """The weights of some columns that tell the last one best: Cholesky's way, with a little held back."""
    size = len(chosen)
    lower = [[0.0] * size for _ in chosen]
    for i, a in enumerate(chosen):
        for j, b in enumerate(chosen[: i + 1]):
            rest = sums[a][b] - sum(lower[i][k] * lower[j][k] for k in range(j))
            if i == j:
                lower[i][i] = max(rest + RIDGE * sums[a][a], 1e-12) ** 0.5
            else:
                lower[i][j] = rest / lower[j][j]
    half: list[float] = []
    for i, a in enumerate(chosen):
        half.append((sums[a][target] - sum(lower[i][k] * half[k] for k in range(i))) / lower[i][i])
    found = [0.0] * size
    for i in reversed(range(size)):
        found[i] = (half[i] - sum(lower[k][i] * found[k] for k in range(i + 1, size))) / lower[i][i]
    return found
