"""What compiled rules call when they run as machine code, and the way there: numba, which need not be installed."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic, overload_method
from numba.np import arrayobj

from teufelswerk.compiled import runtime
from teufelswerk.compiled.closed_source import closed
from teufelswerk.compiled.machine_code import MachineCode
from teufelswerk.compiled.runtime import BLOCK

ARRAY = types.Array(types.int64, 1, "C")
STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
OTHER = np.uint64(0xD1B54A32D192ED03)
B27, B30, B31, B32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


# ---- bits -----------------------------------------------------------------------------------------------------------


@intrinsic
def ones(typing: Any, mask: Any) -> Any:
    """How many bits are set."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def leading_zeros(typing: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@intrinsic
def spread(typing: Any, bit: Any, mask: Any) -> Any:
    """The bits of the first number, laid in order onto those that are set in the second."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(word, [word, word]), "llvm.x86.bmi.pdep.64"
        )
        return builder.call(function, args)

    return types.int64(types.int64, types.int64), generate


@overload_method(types.Integer, "bit_count")
def bit_count(mask: Any) -> Any:
    def count(mask: Any) -> Any:
        return ones(mask)

    return count


@overload_method(types.Integer, "bit_length")
def bit_length(mask: Any) -> Any:
    def length(mask: Any) -> Any:
        return 64 - leading_zeros(mask)

    return length


def nth_at_once(cards: Any, count: Any, n: Any) -> Any:
    """The bit of the card of a mask that has n below it."""
    return spread(1 << n, cards)


has_spread = bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))
nth = njit(nth_at_once if has_spread else runtime.nth)


@njit
def nth_of_two(first: Any, second: Any, n: Any) -> Any:
    """As in plain Python, but halving the cards: the highest card with no more than n before it."""
    card = 0
    for step in (32, 16, 8, 4, 2, 1):
        below = (1 << (card + step)) - 1
        if ones(first & below) + ones(second & below) <= n:
            card += step
    before = (1 << card) - 1
    rest = n - ones(first & before) - ones(second & before)
    return card, rest if first >> card & 1 else 1


# ---- chance ---------------------------------------------------------------------------------------------------------


@njit
def mixed(z: Any) -> Any:
    z = (z ^ (z >> B30)) * FIRST
    z = (z ^ (z >> B27)) * SECOND
    return z ^ (z >> B31)


@njit
def stream(seed: Any, number: Any) -> Any:
    return mixed((seed ^ (np.uint64(number) * OTHER)) + STEP)


@njit
def below(state: Any, n: Any) -> Any:
    state += STEP
    return state, np.int64(mixed(state) >> B32) * n >> 32


@njit
def refill(draws: Any, state: Any) -> Any:
    for i in range(BLOCK):
        state += STEP
        draws[i] = np.int64(mixed(state) >> B32)
    return state


@njit
def shuffle(state: Any, row: Any, start: Any, count: Any, needed: Any) -> Any:
    if count < 2:
        return state
    after = state + np.uint64(count - 1) * STEP
    for i in range(needed):
        state += STEP
        j = start + i + (np.int64(mixed(state) >> B32) * (count - i) >> 32)
        row[start + i], row[j] = row[j], row[start + i]
    return after


dealt, left_over = njit(runtime.dealt), njit(runtime.left_over)


@njit
def shuffled_and_dealt(state: Any, row: Any, count: Any, size: Any, masks: Any) -> Any:
    after = state + np.uint64(max(count - 1, 0)) * STEP
    dealt_out, last, position = size * len(masks), len(masks) - 1, 0
    for place in range(len(masks)):
        if place == last and dealt_out == count:
            masks[place] |= dealt(row, position, count)
            return after
        cards = 0
        for _ in range(size):
            state += STEP
            other = position + (np.int64(mixed(state) >> B32) * (count - position) >> 32)
            cards |= 1 << row[other]
            row[other] = row[position]
            position += 1
        masks[place] |= cards
    while position < count - 1:
        state += STEP
        other = position + (np.int64(mixed(state) >> B32) * (count - position) >> 32)
        row[position], row[other] = row[other], row[position]
        position += 1
    left_over(row, dealt_out, count)
    return after


def on_stack(context: Any, builder: Any, size: int) -> Any:
    """An array of the running function itself: nothing has to be asked for or given back."""
    memory = cgutils.alloca_once(builder, ir.IntType(64), size=size)
    word = context.get_constant(types.intp, 8)
    found = arrayobj.make_array(ARRAY)(context, builder)
    shape, strides = [context.get_constant(types.intp, size)], [word]
    arrayobj.populate_array(found, data=memory, shape=shape, strides=strides, itemsize=word, meminfo=None)
    return found


@intrinsic(prefer_literal=True)
def array(typing: Any, size: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found = on_stack(context, builder, size.literal_value)
        cgutils.memset(builder, found.data, context.get_constant(types.intp, size.literal_value * 8), 0)
        return found._getvalue()

    return ARRAY(size), generate


@intrinsic(prefer_literal=True)
def filled(typing: Any, size: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        found = on_stack(context, builder, size.literal_value)
        with cgutils.for_range(builder, context.get_constant(types.intp, size.literal_value)) as loop:
            builder.store(args[1], builder.gep(found.data, [loop.index]))
        return found._getvalue()

    return ARRAY(size, types.int64), generate


ways = njit(runtime.ways)


@njit
def combination(cards: Any, size: Any, n: Any) -> Any:
    chosen = 0
    while size:
        bit = cards & -cards
        cards ^= bit
        beginning = ways(ones(cards), size - 1)
        if n < beginning:
            chosen |= bit
            size -= 1
        else:
            n -= beginning
    return chosen


def table(*values: int) -> Any:
    return np.array(values, np.int64)


def arrays(games: int, *widths: int) -> list[Any]:
    """What `play_many` fills: for each game the number of moves, the result, what was decided, what was counted."""
    return [np.zeros(games, np.int64), *(np.zeros((games, width), np.int64) for width in widths)]


WORDS = runtime.WORDS | {
    "array": array, "below": below, "dealt": dealt, "filled": filled, "laid": njit(runtime.laid),
    "left_over": left_over, "nth": nth, "nth_of_two": nth_of_two, "refill": refill, "shuffle": shuffle,
    "stream": stream, "table": table, "shuffled_and_dealt": shuffled_and_dealt, "taken": njit(runtime.taken),
    "combination": combination, "count_cards": njit(runtime.count_cards), "uint64": np.uint64, "ways": ways,
}  # fmt: skip
MANY = """

def play_many(first, moves, results, trails):
    for game in range(len(moves)):
        moves[game] = play(first + uint64(game), results[game], trails[game])
"""
MANY_COUNTED = MANY.replace("trails)", "trails, counts)").replace("trails[game])", "trails[game], counts[game])")


def load(source: str, counting: bool = False) -> Callable[..., None]:
    """The function that plays the games of many seeds, as machine code, and fills the arrays."""
    source += MANY_COUNTED if counting else MANY
    digest = hashlib.sha256("".join([source, *map(_text, (__file__, str(runtime.__file__)))]).encode()).hexdigest()
    module = ModuleType(f"{__package__}.game_{digest[:16]}")
    sys.modules[module.__name__] = module  # where numba looks it up
    vars(module).update(WORDS)
    exec(closed(source, f"<{digest[:16]}>"), vars(module))
    vars(module)["play"] = njit(vars(module)["play"])
    play_many = njit(vars(module)["play_many"])
    play_many._cache = MachineCode(digest)  # the code of `play` is part of it

    def play(first: int, *arrays: Any) -> None:
        play_many(np.uint64(first), *arrays)

    return play


def _text(file: str) -> str:
    return Path(file).read_text(encoding="utf-8")
