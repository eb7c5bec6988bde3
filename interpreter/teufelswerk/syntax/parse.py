"""Sections → nodes: each clause line goes through the lark grammar, blocks follow from indentation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from teufelswerk.base import limits
from teufelswerk.base.diagnostics import Diagnostic, Source, Span
from teufelswerk.base.texts import Text
from teufelswerk.syntax import nodes
from teufelswerk.syntax.build import Builder
from teufelswerk.syntax.grammar import reads, stopped, tree_of
from teufelswerk.syntax.help.mistakes import explain_line
from teufelswerk.syntax.help.repairs import Unread, said_otherwise
from teufelswerk.syntax.source import CLAUSE_INDENT, Line, Paragraph, Part, split

LONG_WORD = re.compile(rf"[\w-]{{{limits.MAX_NAME_LENGTH + 1},}}")
Clause = nodes.Clause


@dataclass
class ParsedPart:
    """A paragraph and the clauses below it."""

    paragraph: Paragraph | None
    clauses: list[Clause] = field(default_factory=list)
    base: str | None = None
    """The title of the game whose introduction this is, if a variant repeats it below its own."""


@dataclass
class ParsedSection:
    heading: str
    level: int
    span: Span
    parts: list[ParsedPart]


def parse(source: Source) -> tuple[list[ParsedSection], list[Diagnostic]]:
    """The file's sections as nodes, and what could not be read."""
    sections, found = split(source)
    parser = _Parser()
    parsed = [ParsedSection(s.heading, s.level, s.span, [parser.part(part) for part in s.parts]) for s in sections]
    return parsed, found + parser.found


class _Parser:
    def __init__(self) -> None:
        self.found: list[Diagnostic] = []

    # ---- paragraphs and lines -------------------------------------------------------------------------------------

    def part(self, part: Part) -> ParsedPart:
        """A paragraph and its clauses. A clause that somebody forgot to indent is found among the words."""
        pieces = part.paragraph.pieces if part.paragraph else ()
        strays = [(text, span) for text, span in pieces if text[0].islower() and reads(text, "declaration")]
        if part.paragraph is None or not strays:
            return ParsedPart(part.paragraph, self.clauses(part.lines))
        for _, span in strays:
            help = Text("indent it by {n} spaces", n=CLAUSE_INDENT)
            self.report("not-indented", Text("this line is a clause, but it is not indented"), span, help)
        words = tuple(piece for piece in pieces if piece not in strays)
        paragraph = replace(part.paragraph, text=" ".join(text for text, _ in words), pieces=words) if words else None
        lines = [Line(text, span, CLAUSE_INDENT) for text, span in strays]
        return ParsedPart(paragraph, self.clauses([*lines, *part.lines]))

    def report(self, code: str, message: Text, span: Span, help: Text | None = None) -> None:
        self.found.append(Diagnostic(code, message, span, help=help))

    def tree(self, line: Line, start: str) -> Tree[Token] | None:
        words = sum(1 for word in line.text.replace("(", " ( ").split() if not word.strip(",").isdigit())
        if words > limits.MAX_WORDS_IN_LINE:
            message = Text(
                "this clause is too long: a clause has at most {limit} words", limit=limits.MAX_WORDS_IN_LINE
            )
            self.report("long-clause", message, line.span, Text("give a part of it a name of its own"))
            return None
        if long := LONG_WORD.search(line.text):
            start_column = line.span.column + long.start()
            span = Span(line.span.source, line.span.line, start_column, start_column + len(long[0]))
            message = Text("this word is too long: a name has at most {limit} letters", limit=limits.MAX_NAME_LENGTH)
            self.report("long-name", message, span)
            return None
        try:
            tree, depth = tree_of(line.text, start)
        except UnexpectedInput as problem:
            # Finding out what would be right takes time, and nobody reads that many findings.
            thorough = len(self.found) < limits.MAX_DIAGNOSTICS
            where = stopped(problem, line.text, thorough)
            self.found.append(explain_line(line, start, where, thorough))
            return None
        if depth > limits.MAX_NESTING:
            message = Text("the parts of this clause stand too deep in one another")
            self.report("too-deep", message, line.span, Text("give a part of it a name of its own"))
            return None
        return tree

    def too_many_elses(self, line: Line) -> None:
        message = Text("at most {limit} `else if` can follow an `if`", limit=limits.MAX_ELSE_IFS)
        self.report("too-deep", message, line.span)

    def no_block(self, line: Line) -> None:
        if line.children:
            message = Text("nothing can stand below this line")
            span = line.children[0].span
            self.found.append(Diagnostic("unexpected-block", message, span, related=((line.span, Text("this line")),)))

    def told(self, lines: Sequence[Line]) -> tuple[nodes.Sentence, ...]:
        """The sentences among the lines; anything else is a mistake."""
        sentences = []
        for line in lines:
            if line.text.startswith('"'):
                sentences.append(self.sentence(line))
            else:
                message = Text("only sentences in quotes can stand below this line")
                self.report("unexpected-block", message, line.span)
        return tuple(s for s in sentences if s)

    def sentence(self, line: Line) -> nodes.Sentence | None:
        self.no_block(line)
        body = line.text[1:-1]
        if len(line.text) < 3 or not line.text.endswith('"') or '"' in body:
            message = Text("a sentence stands between two quotation marks, alone on its line")
            help = Text('write `"…"`, and no other quotation marks inside')
            self.report("quotes", message, line.span, help)
            return None
        return nodes.Sentence(body, line.span)

    def clauses(self, lines: Sequence[Line]) -> list[Clause]:
        return [clause for line in lines if (clause := self.clause(line))]

    # ---- declarations and scenes ----------------------------------------------------------------------------------

    def clause(self, line: Line) -> Clause | None:
        if line.text.startswith('"'):
            help = Text("indent it below that line; a paragraph has no quotation marks")
            self.report("stray-sentence", Text("a sentence stands below the line that it explains"), line.span, help)
            return None
        tree = self.tree(line, "declaration")
        if tree is None:
            return None
        build = Builder(line.span)
        kids = tree.children
        span = line.span
        if tree.data == "cards":
            return self.cards(line, build.word(kids[0]) if kids[0] else None)
        if tree.data == "step":
            body = self.block(line)
            return nodes.Step(span, build.word(kids[0]), build.maybe_word(kids[1]), body) if body else None
        if tree.data == "move":
            return nodes.Move(span, build.word(kids[0]), build.word(kids[1]), self.block(line))
        if tree.data == "definition":
            value = self.value(line, build, kids[3])
            name, parameter, second = build.word(kids[0]), build.maybe_word(kids[1]), build.maybe_word(kids[2])
            return nodes.Definition(span, name, parameter, value, second) if value else None
        if tree.data == "lookup":
            name, by = build.word(kids[0]), build.word(kids[1])
            if not line.children:
                self.report("empty-block", Text("nothing stands below this line"), line.span)
                return None
            return nodes.Definition(span, name, by, nodes.Lookup(span, name, by, self.table_rows(line)))
        self.no_block(line)
        return build.clause(tree)

    def table_rows(self, line: Line) -> tuple[nodes.TableRow, ...]:
        return tuple(row for child in line.children if (row := self.table_row(child)))

    def cards(self, line: Line, kind: nodes.Word | None) -> nodes.Cards:
        attributes: list[nodes.Attribute | nodes.Table] = []
        back: list[nodes.Word] = []
        without: list[nodes.Stretch] = []
        called: nodes.Sentence | None = None
        for child in line.children:
            if child.text.startswith('"'):
                called = self.sentence(child) or called
                continue
            tree = self.tree(child, "card_line")
            if tree is None:
                continue
            build = Builder(child.span)
            kids = tree.children
            if tree.data == "table":
                attributes.append(nodes.Table(build.word(kids[0]), build.word(kids[1]), self.table_rows(child)))
                continue
            self.no_block(child)
            if tree.data == "back":
                back.append(build.word(kids[0]))
            elif tree.data == "without":
                without += map(build.stretch, kids)
            else:
                attributes.append(nodes.Attribute(build.word(kids[0]), tuple(build.stretch(k) for k in kids[1:])))
        if not line.children:
            message = Text("the lines below `cards` say what is on the cards, and there are none")
            self.report("empty-block", message, line.span)
        return nodes.Cards(line.span, kind, tuple(attributes), tuple(back), tuple(without), called)

    def table_row(self, line: Line) -> nodes.TableRow | None:
        tree = self.tree(line, "table_row")
        if tree is None:
            return None
        self.no_block(line)
        build = Builder(line.span)
        first, last, *keys = tree.children
        upper = str(last) if last is not None else None
        return nodes.TableRow(str(first), tuple(map(build.stretch, keys)), line.span, upper)

    # ---- values with alternatives ---------------------------------------------------------------------------------

    def value(self, line: Line, build: Builder, inline: Any) -> nodes.Expr | None:
        """What stands behind `=` or `becomes`: on the line itself, or as alternatives below it."""
        if inline is not None:
            value = build.expr(inline)
            told = self.told(line.children)
            if not told:
                return value
            if isinstance(value, nodes.Alternatives) and len(value.branches) == 1:
                value = value.branches[0].value
            return nodes.Alternatives(value.span, (nodes.Branch(value, None, told, line.span),))
        if not line.children:
            self.report(
                "empty-block", Text("the value is missing: nothing stands behind or below this line"), line.span
            )
            return None
        return self.alternatives(line.children, line.span)

    def alternatives(self, lines: Sequence[Line], span: Span) -> nodes.Expr | None:
        first = self.tree(lines[0], "alternative")
        if first is None:
            return None
        if first.data == "if_line":
            if len(lines) > limits.MAX_ELSE_IFS + 2:
                self.too_many_elses(lines[limits.MAX_ELSE_IFS + 2])
                return None
            return self.decision(lines, first, span)
        branches = []
        for index, line in enumerate(lines):
            tree = first if index == 0 else self.tree(line, "alternative")
            if tree is None:
                continue
            if tree.data != "branch":
                message = Text("an `if` with lines below it cannot stand among other alternatives")
                self.report("mixed-alternatives", message, line.span)
                continue
            is_else = line.text.startswith("else ")
            if is_else != (index > 0):
                message = Text("every alternative but the first begins with `else`")
                help = Text("write `else {words}`", words=line.text) if index else Text("begin without `else`")
                self.report("missing-else", message, line.span, help)
            build = Builder(line.span)
            value, condition = tree.children
            branches.append(
                nodes.Branch(
                    build.expr(value), build.expr(condition) if condition else None, self.told(line.children), line.span
                )
            )
        return nodes.Alternatives(span, tuple(branches)) if branches else None

    def decision(self, lines: Sequence[Line], first: Tree[Token], span: Span) -> nodes.Expr | None:
        line = lines[0]
        condition = Builder(line.span).expr(first.children[0])
        if not line.children:
            self.report("empty-block", Text("nothing stands below this line"), line.span)
            return None
        then = self.alternatives(line.children, line.span)
        otherwise: nodes.Expr | None = None
        if len(lines) > 1:
            tree = self.tree(lines[1], "alternative")
            if tree is None:
                return None
            if tree.data != "else_line":
                message = Text("after an `if` with lines below it there can only be an `else`")
                self.report("mixed-alternatives", message, lines[1].span)
                return None
            if tree.children[0] is not None:
                otherwise = self.decision(lines[1:], tree, span)
            elif not lines[1].children:
                self.report("empty-block", Text("nothing stands below this line"), lines[1].span)
            else:
                otherwise = self.alternatives(lines[1].children, lines[1].span)
                for extra in lines[2:]:
                    self.report("mixed-alternatives", Text("nothing can follow the `else`"), extra.span)
        return nodes.Decision(span, condition, then, otherwise) if then else None

    # ---- statements -----------------------------------------------------------------------------------------------

    def block(self, line: Line) -> tuple[nodes.Statement, ...]:
        if not line.children:
            self.report("empty-block", Text("nothing stands below this line"), line.span)
        return self.statements(line.children)

    def statements(self, lines: Sequence[Line]) -> tuple[nodes.Statement, ...]:
        out: list[nodes.Statement] = []
        index = 0
        while index < len(lines):
            line = lines[index]
            index += 1
            if line.text.startswith('"'):
                sentence = self.sentence(line)
                if sentence:
                    out.append(nodes.Tell(line.span, told=(sentence,)))
                continue
            tree = self.tree(line, "statement")
            if tree is None:
                self.statements(line.children)
                while index < len(lines) and lines[index].text.split()[0] == "else":
                    # Whatever this line wants to be, the `else` may well belong to it.
                    self.statements(lines[index].children)
                    index += 1
                continue
            if tree.data == "else_line":
                self.report("else-without-if", Text("there is no `if` above that this `else` belongs to"), line.span)
                self.block(line)
            elif tree.data == "if_line":
                chain = [(line, tree)]
                while index < len(lines) and lines[index].text.split()[0] == "else":
                    other = self.tree(lines[index], "statement")
                    if len(chain) == limits.MAX_ELSE_IFS + 2:
                        self.too_many_elses(lines[index])
                    if other is not None and other.data == "else_line" and len(chain) <= limits.MAX_ELSE_IFS + 1:
                        chain.append((lines[index], other))
                    index += 1
                out.append(self.if_chain(chain))
            else:
                statement = self.statement(line, tree)
                if statement:
                    out.append(statement)
        return tuple(out)

    def if_chain(self, chain: Sequence[tuple[Line, Tree[Token]]]) -> nodes.If:
        line, tree = chain[0]
        then = self.block(line)
        otherwise: tuple[nodes.Statement, ...] = ()
        if len(chain) > 1:
            if chain[1][1].children[0] is not None:
                otherwise = (self.if_chain(chain[1:]),)
            else:
                otherwise = self.block(chain[1][0])
                for extra, _ in chain[2:]:
                    self.report("else-without-if", Text("nothing can follow the `else`"), extra.span)
        return nodes.If(line.span, Builder(line.span).expr(tree.children[0]), then, otherwise)

    def statement(self, line: Line, tree: Tree[Token]) -> nodes.Statement | None:
        build = Builder(line.span)
        kids: list[Any] = tree.children
        span = line.span
        match tree.data:
            case "repeat":
                return nodes.Repeat(span, build.expr(kids[0]), self.block(line))
            case "until":
                return nodes.Until(span, build.expr(kids[0]), self.block(line))
            case "each_loop":
                noun, seated, among, once = kids
                at_table = build.span(seated) if seated is not None else None
                stop = among.children[1] if among is not None and among.data == "among_from" else None
                down = stop is not None and stop.data == "downwards"
                return nodes.Each(
                    span, build.word(noun), *build.among(among), once is not None, self.block(line), at_table, down
                )
            case "go_round":
                return nodes.GoRound(span, build.expr(kids[0]), build.expr(kids[1]), self.block(line))
            case "becomes":
                value = self.value(line, build, kids[1])
                return nodes.Becomes(span, build.expr(kids[0]), value) if value else None
            case "local":
                value = self.value(line, build, kids[1])
                return nodes.Local(span, build.word(kids[0]), value) if value else None
        # `unless tired` reads as a player and a move, but nobody writes lines below that.
        has_lines = any(not child.text.startswith('"') for child in line.children)
        if has_lines and (otherwise := said_otherwise(Unread(line, "statement", 1, 1))):
            self.found.append(otherwise)
            self.statements(line.children)
            return None
        statement = build.statement(tree, self.told(line.children))
        if statement is None:
            self.report("not-a-statement", Text("this line says nothing that could happen"), line.span)
        return statement
