"""Paragraphs with emphasis → HTML, Markdown, or runs of letters for the booklet; all else in them is plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import TypedDict

from markdown_it import MarkdownIt
from markdown_it.token import Token

_MARKDOWN = MarkdownIt("zero").enable(["emphasis", "backticks", "escape"])
_SPECIAL = re.compile(
    r"[\\`*_\[\]<>|~]"
    r"|&(?=[#\w])"  # an entity
    r"|^[#+=-]|^\d{1,9}[.)](?=\s|$)"  # at the beginning: a heading, a list, a line below a heading
)


class Run(TypedDict):
    """Letters that look alike."""

    text: str
    em: bool
    strong: bool
    code: bool


def runs(text: str) -> list[Run]:
    found: list[Run] = []
    depth = {"em": 0, "strong": 0}
    for token in _tokens(text):
        name, _, end = token.type.rpartition("_")
        if name in depth:
            depth[name] += 1 if end == "open" else -1
        elif token.content:
            code = token.type == "code_inline"
            found.append({"text": token.content, "em": depth["em"] > 0, "strong": depth["strong"] > 0, "code": code})
    return found


def html(text: str) -> str:
    return "".join(map(_html, _tokens(text)))


def _html(token: Token) -> str:
    if token.type in ("em_open", "em_close", "strong_open", "strong_close"):
        return f"<{'/' if token.nesting < 0 else ''}{token.tag}>"
    return f"<code>{escape(token.content)}</code>" if token.type == "code_inline" else escape(token.content)


def markdown(text: str) -> str:
    """The paragraph with its own emphasis, and nothing in it that Markdown would take for anything else."""
    return "".join(_markdown(token) for token in _tokens(text)).strip()


def _markdown(token: Token) -> str:
    if token.type == "code_inline":
        room = " " if re.search(r"^`|`$|^ .* $", token.content) else ""
        return f"{token.markup}{room}{token.content}{room}{token.markup}"
    return token.markup if token.nesting else markdown_text(token.content)


def markdown_text(text: str) -> str:
    """The text so that Markdown takes every character for itself."""
    return _SPECIAL.sub(lambda special: f"{special[0][:-1]}\\{special[0][-1]}", text)


def fenced(lines: str) -> str:
    """Lines of a program as a block of code."""
    fence = "`" * max([3, *(len(ticks) + 1 for ticks in re.findall("`{3,}", lines))])
    return f"{fence}\n{lines}\n{fence}"


def _tokens(text: str) -> Iterator[Token]:
    for block in _MARKDOWN.parseInline(text):
        yield from block.children or ()
