"""A clause line → its tree by the lark grammar, or where it stops to read and what might stand there."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from teufelswerk.syntax.grammar_cache import cached

STARTS = ["declaration", "card_line", "table_row", "statement", "alternative"]
LINES_REMEMBERED = 10_000


@cache
def grammar() -> Lark:
    """The grammar, built once."""
    text = files("teufelswerk.syntax").joinpath("grammar.lark").read_text(encoding="utf-8")
    return cached(text, STARTS)


@lru_cache(LINES_REMEMBERED)
def tree_of(text: str, start: str) -> tuple[Tree[Token], int]:
    """The tree of a line and how deep it is. It knows no file: files are read again and again, and most lines stay."""
    tree = grammar().parse(text, start=start)
    return tree, _depth(tree)


def reads(text: str, start: str) -> bool:
    """Whether the line is one of the language."""
    try:
        tree_of(text, start)
    except UnexpectedInput:
        return False
    return True


def accepted(text: str, start: str) -> set[str]:
    """The words, and kinds of words, with which the beginning of a line could go on; UnexpectedInput if none could."""
    parser = grammar().parse_interactive(text, start=start)
    parser.exhaust_lexer()
    return {_terminal_word(name) for name in parser.accepts()}  # type: ignore[no-untyped-call]


def begins(text: str, start: str) -> bool:
    """Whether a line of the language can begin so."""
    try:
        grammar().parse_interactive(text, start=start).exhaust_lexer()
    except UnexpectedInput:
        return False
    return True


def stopped(problem: UnexpectedInput, text: str, thorough: bool) -> tuple[int, int, list[str]]:
    """The first and last column of what cannot stand there, and (if asked for) the words that could."""
    accepted: set[str] = set()
    if thorough and isinstance(problem, UnexpectedToken):
        accepted = problem.accepts or problem.expected
    words = [_terminal_word(name) for name in sorted(accepted)]
    if isinstance(problem, UnexpectedToken) and problem.token.type == "$END":
        return len(text) + 1, len(text) + 2, words
    if isinstance(problem, UnexpectedCharacters):
        return problem.column, problem.column + 1, words
    token = problem.token  # type: ignore[attr-defined]
    return token.column, token.end_column, words


@cache
def _terminal_words() -> dict[str, str]:
    return {t.name: str(t.pattern.value) for t in grammar().terminals if t.name not in ("INT", "NAME", "PERSON")}


def _terminal_word(name: str) -> str:
    """A keyword as written; `INT`, `NAME`, `PERSON` and `$END` stay as they are."""
    return _terminal_words().get(name, name)


def _depth(tree: Tree[Token]) -> int:
    """How deep the parts of a line stand in one another."""
    deepest, level = 0, [tree]
    while level:
        deepest += 1
        level = [child for item in level for child in item.children if isinstance(child, Tree)]
    return deepest
