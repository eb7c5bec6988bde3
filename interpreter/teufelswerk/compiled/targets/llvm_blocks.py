"""A function of an LLVM module as it is written: blocks, and a place on the stack for every variable."""

from __future__ import annotations

from typing import Protocol

from teufelswerk.compiled import instructions as c
from teufelswerk.compiled.targets.memory import Memory


class Surroundings(Protocol):
    """What a function knows of its module."""

    memory: Memory
    mask: str

    def tag(self, name: str) -> str: ...

    def type(self, kind: c.Kind) -> str: ...


class Blocks:
    """Lines, labels and variables of one function."""

    def __init__(self, module: Surroundings) -> None:
        self.m = module
        self.lines: list[str] = []
        self.locals: dict[str, str] = {}
        self.number = 0
        self.open = True
        """Whether the line before goes on to the next."""

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

    # ---- variables --------------------------------------------------------------------------------------------------

    def local(self, var: c.Var) -> str:
        name = f"%x_{var.name}"
        self.locals.setdefault(name, self.m.type(var.kind))
        return name

    def allocas(self) -> list[str]:
        return [f"  {name} = alloca {type}" for name, type in self.locals.items()]

    def at(self, var: c.Var) -> tuple[str, str]:
        """Where a variable is, and what a load or store of it says."""
        if not var.kept:
            return self.local(var), ""
        offset = self.m.memory.offset(var)
        return self.value(f"getelementptr i64, ptr %s, i64 {offset}"), f", align 8{self.m.tag(var.name)}"
