"""Bytes → sections: a rule file's headings, paragraphs and, by indentation, trees of clause lines."""

from __future__ import annotations

import re
from dataclasses import field
from pathlib import Path

from teufelswerk.base import limits
from teufelswerk.base.diagnostics import Diagnostic, Source, Span
from teufelswerk.base.hidden_characters import UNSEEN, code_of
from teufelswerk.base.quick_dataclass import dataclass
from teufelswerk.base.texts import Text

CLAUSE_INDENT = 4
RULING = "Ruling: "


@dataclass
class Line:
    """A clause line, with the lines indented below it."""

    text: str
    span: Span
    indent: int
    children: list[Line] = field(default_factory=list)


@dataclass(frozen=True)
class Paragraph:
    """Words for people; a ruling is one that we decided."""

    text: str
    span: Span
    ruling: bool = False
    pieces: tuple[tuple[str, Span], ...] = ()
    """The lines that the paragraph is made of, for pointing at a word."""


@dataclass
class Part:
    """A paragraph (or none) and the clause lines below it."""

    paragraph: Paragraph | None
    lines: list[Line] = field(default_factory=list)


@dataclass
class Section:
    """A heading and what stands below it."""

    heading: str
    level: int
    span: Span
    parts: list[Part] = field(default_factory=list)


def read(path: str | Path) -> tuple[Source, list[Diagnostic]]:
    """The file's text, or diagnostics that say why it cannot be read."""
    shown = str(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(limits.MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        return _refused(shown, "no-file", Text("there is no file `{path}`", path=shown))
    except IsADirectoryError:
        return _refused(shown, "unreadable", Text("`{path}` is a folder, not a file", path=shown))
    except OSError as problem:
        reason = problem.strerror or str(problem)
        return _refused(shown, "unreadable", Text("`{path}` cannot be read: {reason}", path=shown, reason=reason))
    return decode(data, shown)


def decode(data: bytes, path: str) -> tuple[Source, list[Diagnostic]]:
    """The bytes as text with plain line ends, or diagnostics that say why not."""
    if len(data) > limits.MAX_FILE_BYTES:
        message = Text("the file is too large: a rule file has at most {limit} bytes", limit=limits.MAX_FILE_BYTES)
        return _refused(path, "too-large", message)
    try:
        text = plain(data)
    except UnicodeDecodeError as problem:
        number = data[: problem.start].count(b"\n") + 1
        help = Text("save the file as UTF-8: most editors offer it under “Save as”")
        return _refused(path, "not-utf-8", Text("line {line} is not UTF-8 text", line=number), help)
    source = Source(path, text)
    found: list[Diagnostic] = []
    if text.count("\n") > limits.MAX_LINES:
        message = Text("the file is too long: a rule file has at most {limit} lines", limit=limits.MAX_LINES)
        return source, [Diagnostic("too-large", message)]
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > limits.MAX_LINE_LENGTH:
            message = Text("line {line} is too long: it has {n} characters", line=number, n=len(line))
            help = Text("a line has at most {limit} characters", limit=limits.MAX_LINE_LENGTH)
            found.append(Diagnostic("long-line", message, help=help))
        elif odd := UNSEEN.search(line):
            at = odd.start() + 1
            message = Text("there is a character here that cannot be seen (U+{hex})", hex=code_of(odd[0]))
            span = Span(source, number, at, at + 1)
            found.append(Diagnostic("control-character", message, span, help=Text("delete it")))
    return source, found


def plain(data: bytes) -> str:
    """The bytes as text with plain line ends, whatever stands in it."""
    return data.decode("utf-8-sig").replace("\r\n", "\n")


def _refused(path: str, code: str, message: Text, help: Text | None = None) -> tuple[Source, list[Diagnostic]]:
    return Source(path, ""), [Diagnostic(code, message, help=help)]


def split(source: Source) -> tuple[list[Section], list[Diagnostic]]:
    """The sections of a rule file, and what is wrong with its layout."""
    return _Splitter(source).run()


class _Splitter:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.sections: list[Section] = []
        self.found: list[Diagnostic] = []
        self.stack: list[Line] = []
        self.paragraph: list[tuple[str, Span]] = []

    def run(self) -> tuple[list[Section], list[Diagnostic]]:
        clauses = 0
        for number, raw in enumerate(self.source.lines, 1):
            text = raw.rstrip()
            content = text.lstrip()
            if not content:
                self._close_paragraph()
                continue
            lead = text[: len(text) - len(content)]
            span = Span(self.source, number, len(lead) + 1, len(text) + 1)
            if lead.strip(" "):
                self._odd_indent(lead, number)
                lead = self._meant(lead)
            if not lead:
                self._unindented(text, span)
                continue
            self._close_paragraph()
            clauses += 1
            if clauses > limits.MAX_CLAUSES:
                message = Text(
                    "the file is too long: a rule file has at most {limit} clauses", limit=limits.MAX_CLAUSES
                )
                self._report("too-large", message, span)
                break
            self._clause(content, len(lead), span)
        self._close_paragraph()
        if not self.sections and not self.found:
            message = Text("the file is empty: a game begins with a heading such as `# My game`")
            self.found.append(Diagnostic("empty-file", message))
        return self.sections, self.found

    def _report(self, code: str, message: Text, span: Span, help: Text | None = None) -> None:
        self.found.append(Diagnostic(code, message, span, help=help))

    def _odd_indent(self, lead: str, number: int) -> None:
        """Complains of the first tab only: an editor that writes one writes many."""
        odds = lead.strip(" ")
        odd, at = odds[0], lead.index(odds) + 1
        span = Span(self.source, number, at, at + len(odds))
        help = Text("write {n} spaces instead", n=len(self._meant(lead)))
        if odd != "\t":
            self._report("tab", Text("clauses are indented with plain spaces, and this is another kind"), span, help)
        elif all(d.code != "tab" for d in self.found):
            self._report("tab", Text("clauses are indented with spaces, not with tabs"), span, help)

    def _meant(self, lead: str) -> str:
        """The indentation in spaces: a tab is one level, and what stands below nothing has only one."""
        first = not self.stack or bool(self.paragraph)
        return " " * CLAUSE_INDENT if first else lead.replace("\t", " " * CLAUSE_INDENT)

    def _unindented(self, text: str, span: Span) -> None:
        heading = re.match(r"(#{1,6}) +(.*)", text)
        if not heading and text.startswith("#"):
            help = Text("write `# My game` for the title and `## …` for a rule")
            self._report("bad-heading", Text("a heading is `#`, a space and some words"), span, help)
            heading = re.match(r"(#+)(.*)", text)
        if heading:
            self._close_paragraph()
            self.stack = []
            self.sections.append(Section(heading[2].strip(" #"), len(heading[1]), span))
        elif not self.sections:
            self._report("no-heading", Text("a rule file begins with a heading"), span, Text("write `# My game` first"))
            self.sections.append(Section("", 1, span))
            self.paragraph.append((text, span))
        else:
            self.paragraph.append((text, span))

    def _close_paragraph(self) -> None:
        if self.paragraph:
            text = " ".join(piece for piece, _ in self.paragraph)
            ruling = text.startswith(RULING)
            paragraph = Paragraph(text.removeprefix(RULING), self.paragraph[0][1], ruling, tuple(self.paragraph))
            self.sections[-1].parts.append(Part(paragraph))
            self.paragraph = []
            self.stack = []

    def _clause(self, content: str, indent: int, span: Span) -> None:
        if not self.sections:
            self._report("no-heading", Text("a rule file begins with a heading"), span, Text("write `# My game` first"))
            self.sections.append(Section("", 1, span))
        if indent < CLAUSE_INDENT:
            help = Text("indent by {n} spaces, or not at all if it is a paragraph", n=CLAUSE_INDENT)
            self._report("indent", Text("this line is neither a paragraph nor a clause"), span, help)
            return
        line = Line(content, span, indent)
        while self.stack and self.stack[-1].indent > indent:
            closed = self.stack.pop()
            outer = self.stack[-1].indent if self.stack else CLAUSE_INDENT
            if outer < indent < closed.indent:
                message = Text("this line stands between two levels of indentation")
                help = Text("indent it by {outer} or by {inner} spaces", outer=outer, inner=closed.indent)
                self._report("indent", message, span, help)
                line.indent = closed.indent
                break
        if self.stack and self.stack[-1].indent == line.indent:
            self.stack.pop()
        if not self.stack and line.indent != CLAUSE_INDENT:
            self._report("indent", Text("a clause begins after {n} spaces", n=CLAUSE_INDENT), span)
            line.indent = CLAUSE_INDENT
        if len(self.stack) >= limits.MAX_BLOCK_DEPTH:
            limit = limits.MAX_BLOCK_DEPTH
            self._report("too-deep", Text("blocks stand at most {limit} deep in one another", limit=limit), span)
            return
        if self.stack:
            self.stack[-1].children.append(line)
        else:
            parts = self.sections[-1].parts
            if not parts:
                parts.append(Part(None))
            parts[-1].lines.append(line)
        self.stack.append(line)
