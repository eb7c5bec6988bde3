"""Expressions → LLVM text: the lines that work a value out, and the name of the value."""

from __future__ import annotations

from typing import assert_never

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.targets.llvm_blocks import Blocks
from teufelswerk.compiled.targets.llvm_runtime import signed

SIGNED: dict[c.Comparison, str] = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}
PLAIN = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl", ">>": "ashr", "%": "srem"}


class Expressions(Blocks):
    def expr(self, expr: c.Expr) -> str:
        m, mask = self.m, self.m.mask
        match expr:
            case c.Number():
                return str(signed(expr.value, m.memory.mask_bits) if expr.kind == "m" else int(expr.value))
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

    def element(self, array: c.Array, index: c.Expr) -> tuple[str, str]:
        at, type = self.expr(index), self.m.type(array.kind)
        if array.values is not None:
            return self.value(f"getelementptr {type}, ptr @{array.name}, i64 {at}"), self.m.tag(array.name)
        if array.name == "counts":
            return self.value(f"getelementptr i64, ptr %counts, i64 {at}"), self.m.tag("counts")
        start = self.value(f"getelementptr i64, ptr %s, i64 {self.m.memory.offset(array)}")
        return self.value(f"getelementptr {type}, ptr {start}, i64 {at}"), f", align 8{self.m.tag(array.name)}"

    def binary(self, expr: c.Binary) -> str:
        left, right = self.expr(expr.left), self.expr(expr.right)
        type = self.m.type(expr.kind)
        if expr.op == "&~":
            not_right = self.value(f"xor {type} {right}, -1")
            return self.value(f"and {type} {left}, {not_right}")
        if expr.op == "//":
            return self.value(f"call i64 @floor_div(i64 {left}, i64 {right})")
        return self.value(f"{PLAIN[expr.op]} {type} {left}, {right}")

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

    # ---- bits -------------------------------------------------------------------------------------------------------

    def lowest(self, cards: str) -> str:
        mask = self.m.mask
        found = self.value(f"call {mask} @llvm.cttz.{mask}({mask} {cards}, i1 true)")
        return self.narrowed(found)

    def narrowed(self, value: str) -> str:
        return value if self.m.mask == "i64" else self.value(f"trunc {self.m.mask} {value} to i64")

    def widened(self, value: str) -> str:
        return value if self.m.mask == "i64" else self.value(f"zext i64 {value} to {self.m.mask}")
