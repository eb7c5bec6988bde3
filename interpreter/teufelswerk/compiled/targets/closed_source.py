"""The source of a game → code, if it is made of nothing but what compiled rules are made of.

Whatever a model says, and wherever it came from: its source counts with numbers, calls the words that it is given and
jumps about. It reaches into no object, holds no text and imports nothing, or it is refused.
"""

from __future__ import annotations

import ast
from types import CodeType

FORMS: frozenset[type[ast.AST]] = frozenset({
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Pass,
    ast.Assign, ast.AugAssign, ast.Expr, ast.Name, ast.Load, ast.Store, ast.Constant, ast.Tuple, ast.List, ast.Raise,
    ast.Subscript, ast.Slice, ast.Call, ast.Attribute,
    ast.If, ast.IfExp, ast.For, ast.While, ast.Break, ast.Continue,
    ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE,
    ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.Invert, ast.USub,
    ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod,
    ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift,
})  # fmt: skip
OF_A_NUMBER = ("bit_count", "bit_length")
"""All that may stand behind a point."""


class NotClosed(ValueError):
    """A source in which something else stands."""


def closed(source: str, file: str) -> CodeType:
    """The code of a source."""
    try:
        tree = ast.parse(source, file)
    except (SyntaxError, ValueError, RecursionError) as problem:
        raise NotClosed(str(problem)) from problem
    said = {ast.get_docstring(part, clean=False) for part in tree.body if isinstance(part, ast.FunctionDef)}
    for part in ast.walk(tree):
        if type(part) not in FORMS:
            raise NotClosed(f"{type(part).__name__} in line {getattr(part, 'lineno', 0)}")
        if isinstance(part, ast.Attribute) and part.attr not in OF_A_NUMBER:
            raise NotClosed(f".{part.attr} in line {part.lineno}")
        if isinstance(part, ast.FunctionDef) and part.decorator_list:
            raise NotClosed(f"a decorator in line {part.lineno}")
        if isinstance(part, ast.Constant) and type(part.value) not in (int, bool) and part.value not in said:
            raise NotClosed(f"{part.value!r} in line {part.lineno}")
    return compile(tree, file, "exec")
