"""Paragraphs with emphasis → HTML or Typst; anything else in them is plain text."""

from __future__ import annotations

import re
from html import escape

from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("zero").enable(["emphasis", "backticks", "escape"])
_HTML = {"em": ("<em>", "</em>"), "strong": ("<strong>", "</strong>")}
_TYPST = {"em": ("#emph[", "]"), "strong": ("#strong[", "]")}
_SPECIAL = re.compile(r"([\\#$*_`<>@\[\]{}~=+\-/'\"])")


def typst_text(text: str) -> str:
    """The text so that Typst takes every character for itself."""
    return _SPECIAL.sub(r"\\\1", text).replace("\N{NO-BREAK SPACE}", "~")


def typst_string(text: str) -> str:
    """A string literal of Typst."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def html(text: str) -> str:
    return _render(text, _HTML, escape, lambda code: f"<code>{escape(code)}</code>")


def typst(text: str) -> str:
    return _render(text, _TYPST, typst_text, lambda code: f"#raw({typst_string(code)})")


def _render(text: str, marks: dict[str, tuple[str, str]], plain: object, code: object) -> str:
    assert callable(plain) and callable(code)
    parts: list[str] = []
    for block in _MARKDOWN.parseInline(text):
        for token in block.children or ():
            name, _, end = token.type.rpartition("_")
            if token.type == "code_inline":
                parts.append(code(token.content))
            elif name in marks:
                parts.append(marks[name][end == "close"])
            else:
                parts.append(plain(token.content))
    return "".join(parts)
